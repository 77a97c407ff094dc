"""Ghost rejection, against a model that knows nothing of rows and only follows the current."""

from collections import defaultdict
from itertools import combinations

import pytest

from appliance.core.matrix import accept, keys_of


def bits(*keys):
    return sum(1 << key for key in keys)


def reads(contacts):
    """Follow the current from each row through closed keys, and note the columns that it reaches."""
    raw = 0
    for row in range(3):
        seen, todo = set(), [("row", row)]
        while todo:
            node = todo.pop()
            if node in seen:
                continue
            seen.add(node)
            for key in keys_of(contacts):
                ends = {("row", key // 3), ("column", key % 3)}
                if node in ends:
                    todo += ends - {node}
        raw |= sum(1 << row * 3 + index for kind, index in seen if kind == "column")
    return raw


EXPLANATIONS = defaultdict(set)
for state in range(512):
    EXPLANATIONS[reads(state)].add(state)


@pytest.mark.parametrize(
    ("raw", "accepted"),
    [
        (bits(), True),
        (bits(4), True),
        (bits(0, 8), True),
        (bits(0, 1, 2), True),  # a whole row
        (bits(0, 3, 6), True),  # a whole column
        (bits(0, 4, 8), True),  # a diagonal shares nothing
        (bits(0, 1, 3, 4), False),  # a rectangle: one of the four may be a ghost
        (bits(0, 2, 6, 8), False),  # a large one
        (bits(0, 1, 3), False),  # a corner without its ghost: contacts moved during the scan
        (bits(*range(9)), False),
    ],
)
def test_examples(raw, accepted):
    assert accept(raw) == (raw if accepted else None)


def test_a_scan_is_accepted_exactly_when_one_state_of_the_keys_explains_it():
    for raw in range(512):
        assert accept(raw) == (raw if EXPLANATIONS[raw] == {raw} else None), f"{raw:09b}"


def test_what_is_known_to_be_stuck_is_left_out_of_the_comparison():
    for raw in range(512):
        stuck = raw
        while stuck:  # every part of raw but the empty one
            rest = {state & ~stuck for state in EXPLANATIONS[raw]}
            assert accept(raw, stuck) == (raw if len(rest) == 1 else None), f"{raw:09b}, stuck {stuck:09b}"
            stuck = (stuck - 1) & raw


def test_a_bit_that_is_not_set_is_always_true():
    for state in range(512):
        assert state & ~reads(state) == 0


@pytest.mark.parametrize(
    ("pressed", "accepted", "states"), [(1, 9, 9), (2, 36, 36), (3, 48, 84)], ids=["one", "two", "three"]
)
def test_how_many_states_are_told_apart(pressed, accepted, states):
    sets = [bits(*keys) for keys in combinations(range(9), pressed)]
    assert len(sets) == states
    assert sum(accept(reads(keys)) is not None for keys in sets) == accepted


@pytest.mark.parametrize(
    ("stuck", "pressed", "accepted", "states"),
    [
        ((4,), 1, 8, 8),
        ((0,), 2, 16, 28),
        ((0, 1), 1, 3, 7),
        ((0, 6), 1, 3, 7),
        ((0, 4), 1, 5, 7),
    ],
)
def test_what_stuck_keys_leave(stuck, pressed, accepted, states):
    others = [key for key in range(9) if key not in stuck]
    sets = [bits(*keys) for keys in combinations(others, pressed)]
    assert len(sets) == states
    known = bits(*stuck)
    assert sum(accept(reads(keys | known), known) is not None for keys in sets) == accepted


def test_three_stuck_on_a_corner_leave_the_key_across():
    contacts = bits(0, 1, 3)
    stuck = reads(contacts)
    assert keys_of(stuck) == (0, 1, 3, 4)
    assert accept(stuck, stuck) == stuck
    reported = [key for key in (2, 5, 6, 7, 8) if accept(reads(contacts | bits(key)), stuck) is not None]
    assert reported == [8]


def test_keys_of():
    assert keys_of(0) == ()
    assert keys_of(bits(8, 0, 4)) == (0, 4, 8)
