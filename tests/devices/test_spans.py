"""The windows to send: they cover every change, and cost no more than exhaustive searches find."""

import random
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.devices.spans import CUTS, WIDE_GAP, Window, page_windows, windows

WIDTH = 128


def changed(points):
    """Return two frames' data that differ exactly at these (page, column) bytes."""
    old = bytes(range(256)) * 4
    new = bytearray(old)
    for page, column in points:
        new[page * WIDTH + column] ^= 1 + page
    return old, bytes(new)


def wire(chosen):
    """Return the bytes on the wire for these windows under horizontal addressing, in this order."""
    total, columns, pages = 0, None, None
    for window in chosen:
        commands = 3 * (window.columns != columns) + 3 * (window.pages != pages)
        total += (2 + commands if commands else 0) + 2 + len(window.content(bytes(1024), WIDTH))
        columns, pages = window.columns, window.pages
    return total


def divisions(items):
    """Yield every division of a list into runs."""
    for count in range(len(items)):
        for cuts in combinations(range(1, len(items)), count):
            yield [items[a:b] for a, b in pairwise([0, *cuts, len(items)])]


def best_row(columns, height):
    """Return the cost of the best division of sorted columns into windows of one height."""
    return 3 + min(
        sum(7 + height * (part[-1] - part[0] + 1) for part in parts) for parts in divisions(columns)
    )


def best_bands(points):
    """Return the cost of the best division of points into bands, by trying every division of their pages."""
    return min(
        sum(best_row(sorted({c for p, c in points if p in band}), band[-1] - band[0] + 1) for band in bands)
        for bands in divisions(sorted({page for page, _ in points}))
    )


def best_groups(points):
    """Return the cost of the best division into groups and bands, by trying every one."""
    columns = sorted({column for _, column in points})
    gaps = {index: columns[index] - columns[index - 1] for index in range(1, len(columns))}
    cuts = sorted((index for index in gaps if gaps[index] > WIDE_GAP), key=lambda index: -gaps[index])[:CUTS]
    islands = [set(columns[a:b]) for a, b in pairwise([0, *sorted(cuts), len(columns)])]
    return min(
        sum(best_bands({(p, c) for p, c in points if c in set().union(*group)}) for group in groups)
        for groups in divisions(islands)
    )


def dots(count, pages=8, columns=WIDTH):
    return st.sets(
        st.tuples(st.integers(0, pages - 1), st.integers(0, columns - 1)), min_size=1, max_size=count
    )


def block(pages, columns):
    return set(product(range(pages[0], pages[1] + 1), range(columns[0], columns[1] + 1)))


@pytest.mark.parametrize(("points", "chosen", "cost"), [
    ({(3, 5)}, [((3, 3), (5, 5))], 11),
    # A mark: one window over its pages.
    (block((1, 3), (24, 38)), [((1, 3), (24, 38))], 55),
    # A gap of seven bytes in one page is not worth another window, one of eight is.
    ({(0, 0), (0, 8)}, [((0, 0), (0, 8))], 19),
    ({(0, 0), (0, 9)}, [((0, 0), (0, 0)), ((0, 0), (9, 9))], 19),
    # The taller the window, the narrower the gap.
    (block((0, 2), (0, 1)) | block((0, 2), (5, 6)), [((0, 2), (0, 1)), ((0, 2), (5, 6))], 29),
    # Two marks, one below the other: two bands; the second one's columns are already set.
    (block((0, 1), (3, 17)) | block((5, 6), (3, 17)), [((0, 1), (3, 17)), ((5, 6), (3, 17))], 77),
    # Two marks side by side on overlapping pages: a cut through all pages.
    (block((0, 2), (3, 17)) | block((2, 4), (23, 37)), [((0, 2), (3, 17)), ((2, 4), (23, 37))], 110),
    # A cut that saves a single byte.
    (block((1, 1), (0, 3)) | block((0, 1), (10, 11)), [((0, 1), (10, 11)), ((1, 1), (0, 3))], 28),
    (block((0, 7), (0, 127)), [((0, 7), (0, 127))], 1034),
    (set(), [], 0),
])  # fmt: skip
def test_known_changes(points, chosen, cost):
    found = windows(*changed(points), WIDTH)
    assert found == [Window(*each) for each in chosen]
    assert wire(found) == cost


def test_under_page_addressing_a_gap_that_costs_the_same_is_sent():
    assert page_windows(*changed({(2, 0), (2, 7), (2, 15)}), WIDTH) == [
        Window((2, 2), (0, 7)),  # as many bytes as two windows, but two transactions fewer
        Window((2, 2), (15, 15)),
    ]
    assert page_windows(*changed([]), WIDTH) == []


@given(dots(30), st.sampled_from([windows, page_windows]), st.integers(0, 2**32))
def test_the_windows_make_the_old_frame_the_new_one(points, choose, seed):
    rng = random.Random(seed)
    old, new = rng.randbytes(1024), bytearray(1024)
    new[:] = old
    for page, column in points:
        new[page * WIDTH + column] = rng.randrange(256)
    memory, sent = bytearray(old), set()
    for window in choose(old, bytes(new), WIDTH):
        places = sorted(block(window.pages, window.columns))
        for (page, column), byte in zip(places, window.content(bytes(new), WIDTH), strict=True):
            memory[page * WIDTH + column] = byte
        assert not sent & set(places), "no byte twice"
        sent.update(places)
    assert memory == new


@settings(max_examples=40)
@given(dots(8, pages=4, columns=24))
def test_no_division_of_its_kind_is_cheaper(points):
    assert wire(windows(*changed(points), WIDTH)) <= best_groups(points)
