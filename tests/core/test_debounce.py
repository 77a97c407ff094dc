"""Debouncing: tables of (milliseconds, contacts, edges), then any chatter at any sampling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.debounce import Debounce, debounce
from appliance.core.matrix import keys_of

DOWN, UP, CHATTER = "down", "up", 0.02


def replay(samples, quiet=0.03):
    """Return [(seconds, key, DOWN or UP)] for samples of (seconds, contacts)."""
    state, reported = Debounce(), []
    for now, contacts in samples:
        state, edges = debounce(state, contacts, now, quiet)
        assert not edges.pressed & edges.released
        reported += [(now, key, DOWN) for key in keys_of(edges.pressed)]
        reported += [(now, key, UP) for key in keys_of(edges.released)]
    return reported


EVEN = [  # every 5 ms: milliseconds, contacts of keys 0 and 1, edges
    (0, "..", []),
    (5, "#.", []),  # one sample is not enough
    (10, "..", []),
    (15, "#.", []),
    (20, "#.", [(0, DOWN)]),
    (25, "..", []),  # chatter while down is no release
    (30, "#.", []),
    (35, "##", []),
    (40, "##", [(1, DOWN)]),
    (45, ".#", []),
    (50, ".#", []),
    (55, "##", []),  # the quiet time starts anew
    (60, ".#", []),
    (65, ".#", []),
    (70, "..", []),
    (75, "..", []),
    (80, "..", []),
    (85, "..", []),
    (91, "..", [(0, UP)]),
    (95, "..", []),
    (101, "..", [(1, UP)]),
    (105, "..", []),
]

UNEVEN = [  # a late sample proves only what it saw
    (0, "..", []),
    (40, "#.", []),
    (41, "#.", [(0, DOWN)]),
    (500, "..", []),  # not seen for long, but the quiet time starts when it is first seen open
    (501, "..", []),
    (529, "..", []),
    (531, "..", [(0, UP)]),
    (900, "##", []),
    (901, ".#", [(1, DOWN)]),  # each key for itself
    (902, "##", []),
    (903, "##", [(0, DOWN)]),
    (904, "..", []),
    (2000, "..", [(0, UP), (1, UP)]),
]


@pytest.mark.parametrize("table", [EVEN, UNEVEN], ids=["even", "uneven"])
def test_tables(table):
    state = Debounce()
    for at, contacts, expected in table:
        scan = sum(1 << key for key, contact in enumerate(contacts) if contact == "#")
        state, edges = debounce(state, scan, at / 1000)
        reported = [(key, DOWN) for key in keys_of(edges.pressed)] + [
            (key, UP) for key in keys_of(edges.released)
        ]
        assert reported == expected, f"at {at} ms"


def test_a_sample_that_tells_nothing_new_costs_nothing():
    state, _ = debounce(Debounce(), 1, 0.0)
    state, _ = debounce(state, 1, 0.005)
    again, edges = debounce(state, 1, 0.01)
    assert again is state
    assert not edges.pressed | edges.released


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
def test_chatter_is_never_a_double_a_false_or_a_lost_stroke(strokes, key, data):
    changes, meant, end = strokes
    uneven = st.floats(0.0005, 0.02)
    pauses = data.draw(st.lists(uneven, min_size=1, max_size=40) | uneven.map(lambda each: [each]))
    samples, now, index = [], 0.0, 0
    while now < end:
        closed = next((closed for at, closed in reversed(changes) if at <= now), False)
        samples.append((now, closed << key))
        now += pauses[index % len(pauses)]
        index += 1
    reported = replay(samples)
    assert [(which, edge) for _, which, edge in reported] == [(key, edge) for _, edge in meant]
    for (now, _, edge), (at, _) in zip(reported, meant, strict=True):
        settled = at + CHATTER + (0.03 if edge == UP else 0)
        assert at <= now <= settled + 2 * max(pauses)
