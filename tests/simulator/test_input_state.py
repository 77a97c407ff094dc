"""Typed keys and clicks -> the switches that close and open."""

from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.simulator.input_state import MAX_TAP_DELAY, InputState


def play(script):
    """Type a script of (time, text); return the changes as (time, closed switches), and the commands."""
    state, commands = InputState(), []
    waiting = [(at, key) for at, text in script for key in text]
    changes = [(0.0, frozenset())]
    now = 0.0
    while now < 60.0:
        closed = state.closed(now)
        while waiting and waiting[0][0] <= now:
            commands.append(state.type(waiting.pop(0)[1], now))
            closed = state.closed(now)
        if closed != changes[-1][1]:
            changes.append((round(now, 6), closed))
        now = min([state.due(now), *(at for at, _ in waiting[:1])])
    return (
        [(at, "".join(str(key + 1) for key in sorted(closed))) for at, closed in changes[1:]],
        [command for command in commands if command],
    )


@pytest.mark.parametrize(("script", "expected"), [
    ([(1, "5")], [(1, "5"), (1.1, "")]),
    # in sequence, however fast they are typed
    ([(1, "19")], [(1, "1"), (1.1, ""), (1.2, "9"), (1.3, "")]),
    ([(1, "1"), (1.15, "1")], [(1, "1"), (1.1, ""), (1.2, "1"), (1.3, "")]),
    # keyboard repeat: after its delay the switch stays closed until the key is released
    ([(1, "5"), *((1.5 + n * 0.09, "5") for n in range(5))], [(1, "5"), (1.1, ""), (1.5, "5"), (2.01, "")]),
    # a repeat never overlaps the next scheduled tap
    ([(1, "12"), (1.05, "1")], [(1, "1"), (1.1, ""), (1.2, "2"), (1.3, ""), (1.4, "1"), (1.5, "")]),
    # hold, until the next key, which also acts
    ([(1, "h5"), (2.5, " ")], [(1, "5"), (2.5, "")]),
    ([(1, "h5"), (2.5, "1")], [(1, "5"), (2.5, ""), (2.6, "1"), (2.7, "")]),
    ([(1, "h5"), (1.02, "x")], [(1, "5"), (1.1, "")]),
    ([(1, "h5")], [(1, "5"), (4, "")]),
    ([(1, "h5"), (4.05, "1")], [(1, "5"), (4, ""), (4.1, "1"), (4.2, "")]),
    ([(1, "h5"), (2, "h6"), (3, " ")], [(1, "5"), (2, ""), (2.1, "6"), (3, "")]),
    # two at once
    ([(1, "c19")], [(1, "19"), (1.1, "")]),
    ([(1, "c1"), (2, "9")], [(2, "19"), (2.1, "")]),
    ([(1, "c11")], []),
    ([(1, "C"), (2, "91")], [(2, "19"), (2.1, "")]),
    # any unexpected key cancels a prefix
    ([(1, "h"), (1.1, "\x1b"), (1.2, "5")], [(1.2, "5"), (1.3, "")]),
    ([(1, "c1h9"), (2, "x")], [(1, "9"), (2, "")]),
    ([(1, "h0"), (1.2, "5")], [(1.2, "5"), (1.3, "")]),
    ([(1, "hc19")], [(1, "19"), (1.1, "")]),
    ([(1, "0xyzHCB!~ ")], []),  # other keys do nothing
])  # fmt: skip
def test_typed_keys_close_switches(script, expected):
    assert play(script)[0] == expected


@pytest.mark.parametrize(("text", "expected"), [
    *((text, [("quit", 0)]) for text in ("q", "Q", "hq", "\x03", "\x04")),
    ("u", [("cable", 0)]), ("s5s1", [("stick", 4), ("stick", 0)]), ("e7", [("bus error", 7)]),
    ("\x0c", [("redraw", 0)]), ("g\x1b5", [("unknown", ord("g")), ("unknown", 27)]),
    ("h5 hgs\x1bc1x", []), ("h5q", [("quit", 0)]),  # any other key ends it
])  # fmt: skip
def test_commands(text, expected):
    assert play([(1, text)])[1] == expected


def test_taps_beyond_the_backlog_are_dropped():
    changes, _ = play([(1, "123456789" * 20)])
    assert changes[-1][0] < 1 + MAX_TAP_DELAY + 0.5


def test_the_mouse_holds_until_it_is_released_at_least_a_tap_and_its_next_click_waits():
    state = InputState()
    state.hold("mouse", 4, 1.0)
    assert (state.closed(1.0), state.due(1.0), state.closed(100.0)) == ({4}, inf, {4})
    state.type("1", 100.0)  # only the mouse releases its hold
    assert state.closed(100.0) == {0, 4}
    state.release("mouse", 100.2)
    assert state.closed(100.2) == set()
    state.hold("mouse", 4, 101.0)
    state.release("mouse", 101.005)
    state.hold("mouse", 4, 101.05)
    closed = [state.closed(now) for now in (101.05, 101.11, 101.15, 101.21, 109.0)]
    assert closed == [{4}, set(), set(), {4}, {4}]


TYPED = [("type", key) for key in "123456789hcsequx\x1b"]
INPUT = st.sampled_from([*TYPED, ("hold", "mouse", 0), ("hold", "mouse", 8), ("release", "mouse")])


@settings(max_examples=50)
@given(st.lists(st.tuples(st.floats(0, 3), INPUT), max_size=15))
def test_whatever_is_typed_every_switch_opens_in_the_end(script):
    state, now = InputState(), 0.0
    for pause, (do, *what) in script:
        now += pause
        getattr(state, do)(*what, now)
        state.closed(now)
    state.release_all(now)
    assert state.prefix == ""
    while (due := state.due(now)) < inf:
        now = due
    assert (state.closed(now), state.presses) == (frozenset(), [])
