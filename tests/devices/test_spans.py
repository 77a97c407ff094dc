"""Which windows are sent: all that changed, at a cost that is compared with searches which try everything."""

import random
from itertools import combinations, groupby, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.devices.spans import CUTS, WIDE_GAP, Window, changes, page_windows, windows

WIDTH = 128


def changed(points, width=WIDTH, pages=8):
    """Return two frames' data that differ exactly at these (page, column) bytes."""
    old = bytes(range(256)) * (width * pages // 256 + 1)
    new = bytearray(old[: width * pages])
    for page, column in points:
        new[page * width + column] ^= 1 + page
    return old[: width * pages], bytes(new)


def area(window):
    return (window.pages[1] - window.pages[0] + 1) * (window.columns[1] - window.columns[0] + 1)


def wire(chosen):
    """Return the bytes on the wire for these windows under horizontal addressing, in this order."""
    total, columns, pages = 0, None, None
    for window in chosen:
        commands = 3 * (window.columns != columns) + 3 * (window.pages != pages)
        total += (2 + commands if commands else 0) + 2 + area(window)
        columns, pages = window.columns, window.pages
    return total


def page_wire(chosen):
    """Return the bytes on the wire for these windows under page addressing."""
    pages = [window.pages for window in chosen]
    return sum(4 + 2 + area(window) for window in chosen) + len(list(groupby(pages)))


def divisions(items):
    """Yield every division of a list into runs of neighbours."""
    for count in range(len(items)):
        for cuts in combinations(range(1, len(items)), count):
            yield [items[a:b] for a, b in pairwise([0, *cuts, len(items)])]


def best_row(columns, height, another, fixed):
    """Return the cost of the best division of sorted columns into windows of one height."""
    return fixed + min(
        sum(another + height * (part[-1] - part[0] + 1) for part in parts)
        for parts in divisions(sorted(columns))
    )


def best_bands(points):
    """Return the cost of the best division of points into bands, by trying every division of the pages."""
    return min(
        sum(
            best_row({c for p, c in points if p in band}, band[-1] - band[0] + 1, 7, 3)
            for band in ([page for page in band if page in pages] for band in bands)
            if band
        )
        for pages in [{page for page, _ in points}]
        for bands in divisions(range(4))
    )


def best_groups(points):
    """Return the cost of the best division of this module's kind, by trying every one."""
    columns = sorted({column for _, column in points})
    gaps = [(left - right, right) for right, left in pairwise(columns) if left - right > WIDE_GAP]
    allowed = {right for _, right in sorted(gaps, key=lambda gap: -gap[0])[:CUTS]}
    islands = [[]]
    for column in columns:
        islands[-1].append(column)
        if column in allowed:
            islands.append([])
    islands = [island for island in islands if island]
    return min(
        sum(best_bands({(p, c) for p, c in points if c in sum(group, [])}) for group in groups)  # noqa: RUF017
        for groups in divisions(islands)
    )


def dots(count, pages=8, columns=WIDTH):
    return st.sets(
        st.tuples(st.integers(0, pages - 1), st.integers(0, columns - 1)), min_size=1, max_size=count
    )


def test_no_change_costs_nothing():
    data = random.Random(1).randbytes(1024)
    assert windows(data, data, WIDTH) == page_windows(data, data, WIDTH) == []


def block(pages, columns):
    return {
        (page, column)
        for page in range(pages[0], pages[1] + 1)
        for column in range(columns[0], columns[1] + 1)
    }


@pytest.mark.parametrize(
    ("points", "chosen", "cost"),
    [
        ({(3, 5)}, [((3, 3), (5, 5))], 11),
        # A mark: one window over its pages.
        (block((1, 3), (24, 38)), [((1, 3), (24, 38))], 55),
        # A gap of seven bytes in one page is not worth another window, one of eight is.
        ({(0, 0), (0, 8)}, [((0, 0), (0, 8))], 19),
        ({(0, 0), (0, 9)}, [((0, 0), (0, 0)), ((0, 0), (9, 9))], 19),
        # The taller the window, the narrower the gap.
        (
            block((0, 2), (0, 1)) | block((0, 2), (5, 6)),
            [((0, 2), (0, 1)), ((0, 2), (5, 6))],
            10 + 6 + 7 + 6,
        ),
        # Two marks one below the other: bands. The second one's columns are set already.
        (
            block((0, 1), (3, 17)) | block((5, 6), (3, 17)),
            [((0, 1), (3, 17)), ((5, 6), (3, 17))],
            10 + 30 + 7 + 30,
        ),
        # Two marks across from each other on pages that overlap: a cut through all pages.
        (
            block((0, 2), (3, 17)) | block((2, 4), (23, 37)),
            [((0, 2), (3, 17)), ((2, 4), (23, 37))],
            10 + 45 + 10 + 45,
        ),
        # Where that saves one byte only.
        (
            block((1, 1), (0, 3)) | block((0, 1), (10, 11)),
            [((0, 1), (10, 11)), ((1, 1), (0, 3))],
            10 + 4 + 10 + 4,
        ),
        (block((0, 7), (0, 127)), [((0, 7), (0, 127))], 1034),
    ],
)
def test_known_changes(points, chosen, cost):
    found = windows(*changed(points), WIDTH)
    assert found == [Window(*each) for each in chosen]
    assert wire(found) == cost


def test_under_page_addressing_a_gap_that_costs_the_same_is_sent():
    assert page_windows(*changed({(2, 0), (2, 7), (2, 15)}), WIDTH) == [
        Window((2, 2), (0, 7)),  # as many bytes as two windows, in two transactions fewer
        Window((2, 2), (15, 15)),
    ]


@given(dots(30), st.sampled_from([windows, page_windows]), st.integers(0, 2**32))
def test_the_windows_make_the_old_frame_the_new_one(points, choose, seed):
    rng = random.Random(seed)
    old, new = rng.randbytes(1024), bytearray(1024)
    new[:] = old
    for page, column in points:
        new[page * WIDTH + column] = rng.randrange(256)
    memory, sent = bytearray(old), set()
    for window in choose(old, bytes(new), WIDTH):
        content = iter(window.content(bytes(new), WIDTH))
        for page in range(window.pages[0], window.pages[1] + 1):
            for column in range(window.columns[0], window.columns[1] + 1):
                memory[page * WIDTH + column] = next(content)
                assert (page, column) not in sent, "no byte twice"
                sent.add((page, column))
        assert next(content, None) is None
    assert memory == new


@settings(max_examples=40)
@given(dots(8, pages=4, columns=24))
def test_no_division_of_its_kind_is_cheaper(points):
    assert wire(windows(*changed(points), WIDTH)) <= best_groups(points)


@settings(max_examples=30)
@given(dots(9, pages=2, columns=40))
def test_page_addressing_is_optimal(points):
    by_page = [{c for p, c in points if p == page} for page in {page for page, _ in points}]
    best = sum(best_row(columns, 1, 6, 1) for columns in by_page)
    assert page_wire(page_windows(*changed(points), WIDTH)) == best


def test_narrower_memory():
    old, new = changed({(1, 3)}, width=16, pages=2)
    assert windows(old, new, 16) == page_windows(old, new, 16) == [Window((1, 1), (3, 3))]
    assert changes(old, new, 16) == [0, 2 << 24]
