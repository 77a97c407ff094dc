"""Scans: ghosts against a model that only follows the current; debouncing by tables, then any chatter."""

from collections import defaultdict
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from key_rig import reads

from appliance.core.keys.scan import Debounce, accept, debounce, keys_of

DOWN, UP, CHATTER = "down", "up", 0.02


def bits(*keys):
    return sum(1 << key for key in keys)


EXPLANATIONS = defaultdict(set)  # of each scan: the states of the keys that read like it
for state in range(512):
    EXPLANATIONS[reads(state)].add(state)


def test_a_scan_is_accepted_exactly_when_one_state_of_the_keys_that_are_not_stuck_explains_it():
    for raw in range(512):
        assert accept(raw) == (raw if EXPLANATIONS[raw] == {raw} else None), f"{raw:09b}"
        stuck = raw
        while stuck:  # every part of raw but the empty one
            rest = {state & ~stuck for state in EXPLANATIONS[raw]}
            assert accept(raw, stuck) == (raw if len(rest) == 1 else None), f"{raw:09b}, stuck {stuck:09b}"
            stuck = (stuck - 1) & raw


# Milliseconds, contacts of keys 0 and 1, and edges.
# fmt: off
EVEN = [  # every 5 ms
    (0, "..", []), (5, "#.", []), (10, "..", []),  # one sample is not enough
    (15, "#.", []), (20, "#.", [(0, DOWN)]), (25, "..", []), (30, "#.", []),  # chatter is no release
    (35, "##", []), (40, "##", [(1, DOWN)]),
    (45, ".#", []), (50, ".#", []), (55, "##", []), (60, ".#", []),  # the quiet time starts anew
    (65, ".#", []), (70, "..", []), (75, "..", []), (80, "..", []), (85, "..", []),
    (91, "..", [(0, UP)]), (95, "..", []), (101, "..", [(1, UP)]), (105, "..", []),
]
UNEVEN = [  # a late sample proves only what it read
    (0, "..", []), (40, "#.", []), (41, "#.", [(0, DOWN)]),
    (500, "..", []), (501, "..", []), (529, "..", []),  # the quiet time starts with the first open sample
    (531, "..", [(0, UP)]),
    (900, "##", []), (901, ".#", [(1, DOWN)]), (902, "##", []),  # each key for itself
    (903, "##", [(0, DOWN)]), (904, "..", []), (2000, "..", [(0, UP), (1, UP)]),
]
# fmt: on


def edges_of(state, scan, now):
    """Return the next state, and [(key, DOWN or UP)]."""
    state, edges = debounce(state, scan, now)
    assert not edges.pressed & edges.released
    pressed, released = keys_of(edges.pressed), keys_of(edges.released)
    return state, [*((key, DOWN) for key in pressed), *((key, UP) for key in released)]


@pytest.mark.parametrize("table", [EVEN, UNEVEN], ids=["even", "uneven"])
def test_edges_by_table(table):
    state = Debounce()
    for at, contacts, expected in table:
        scan = bits(*(key for key, contact in enumerate(contacts) if contact == "#"))
        state, edges = edges_of(state, scan, at / 1000)
        assert edges == expected, f"at {at} ms"


@st.composite
def key_strokes(draw):
    """Return [(time of a change, closed)] of one contact, and when it was meant to change."""
    at, changes, meant = 0.05, [], []
    for _ in range(draw(st.integers(1, 4))):
        for closed, shortest in ((True, 0.06), (False, 0.09)):
            toggles = sorted(draw(st.lists(st.floats(0, CHATTER), max_size=8)))
            if len(toggles) % 2:
                toggles.pop()
            meant.append((at, DOWN if closed else UP))
            changes.append((at, closed))
            changes += [(at + offset, closed ^ (index % 2 == 0)) for index, offset in enumerate(toggles)]
            at += CHATTER + shortest + draw(st.floats(0, 0.1))
    return changes, meant, at + 0.1


@given(key_strokes(), st.integers(0, 8), st.data())
def test_chatter_never_doubles_invents_or_loses_a_stroke(strokes, key, data):
    changes, meant, end = strokes
    uneven = st.floats(0.0005, 0.02)
    pauses = data.draw(st.lists(uneven, min_size=1, max_size=40) | uneven.map(lambda each: [each]))
    state, now, reported = Debounce(), 0.0, []
    for pause in cycle(pauses):
        closed = next((closed for at, closed in reversed(changes) if at <= now), False)
        state, edges = edges_of(state, closed << key, now)
        reported += [(now, *edge) for edge in edges]
        now += pause
        if now >= end:
            break
    assert [edge for _, *edge in reported] == [[key, edge] for _, edge in meant]
    for (now, _, edge), (at, _) in zip(reported, meant, strict=True):
        settled = at + CHATTER + (0.03 if edge == UP else 0)
        assert at <= now <= settled + 2 * max(pauses)
