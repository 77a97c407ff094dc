"""What is typed and clicked -> the switches that close and open."""

from itertools import pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.simulator import input_state as keys
from appliance.simulator.input_state import Action, Command, Holder, InputState


def play(script, state=None, *, end=30.0):
    """Type a script of (time, text); return the changes as (time, closed switches), and the commands."""
    state = state or InputState()
    commands = []
    waiting = [(at, key) for at, text in script for key in ([text] if text == "escape" else text)]
    changes = [(0.0, frozenset())]
    now = 0.0
    while now < end:
        state, closed = keys.closed(state, now)
        while waiting and waiting[0][0] <= now:
            state, command = keys.typed(state, waiting.pop(0)[1], now)
            commands += [command] if command else []
            state, closed = keys.closed(state, now)
        if closed != changes[-1][1]:
            changes.append((round(now, 6), closed))
        now = min([keys.due(state, now), *(at for at, _ in waiting[:1])])
    return [(at, "".join(str(key + 1) for key in sorted(closed))) for at, closed in changes[1:]], commands


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ([(1, "5")], [(1, "5"), (1.1, "")]),
        # one after the other, however fast they are typed
        ([(1, "19")], [(1, "1"), (1.1, ""), (1.2, "9"), (1.3, "")]),
        ([(1, "1"), (1.15, "1")], [(1, "1"), (1.1, ""), (1.2, "1"), (1.3, "")]),
        # a keyboard that repeats: after its delay the switch stays closed until the key is let go
        (
            [(1, "5"), *((1.5 + n * 0.09, "5") for n in range(5))],
            [(1, "5"), (1.1, ""), (1.5, "5"), (2.01, "")],
        ),
        # a repeat never runs into the tap that waits behind it
        ([(1, "12"), (1.05, "1")], [(1, "1"), (1.1, ""), (1.2, "2"), (1.3, ""), (1.4, "1"), (1.5, "")]),
        # hold, until the next key, which does its own work too
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
        # a prefix is given up by any key that it does not want
        ([(1, "h"), (1.1, "escape"), (1.2, "5")], [(1.2, "5"), (1.3, "")]),
        ([(1, "c1h9"), (2, "x")], [(1, "9"), (2, "")]),
        ([(1, "h0"), (1.2, "5")], [(1.2, "5"), (1.3, "")]),
        ([(1, "hc19")], [(1, "19"), (1.1, "")]),
        # what means nothing does nothing
        ([(1, "0xyzHCB!~ ")], []),
    ],
)  # fmt: skip
def test_what_is_typed_closes_switches(script, expected):
    assert play(script)[0] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("q", [Command(Action.QUIT)]),
        ("Q", [Command(Action.QUIT)]),
        ("hq", [Command(Action.QUIT)]),
        ("u", [Command(Action.CABLE)]),
        ("s5s1", [Command(Action.STICK, 4), Command(Action.STICK, 0)]),
        ("e7", [Command(Action.BUS_ERROR, 7)]),
        (["ctrl-c"], [Command(Action.QUIT)]),
        (["ctrl-d"], [Command(Action.QUIT)]),
        (["ctrl-l"], [Command(Action.REDRAW)]),
        (["ctrl-z", "escape"], []),
        ("5", []),
    ],
)
def test_commands(text, expected):
    assert play([(1, text)])[1] == expected


def test_a_number_pad_is_upside_down():
    order = "789456123"
    assert [keys.switch_of(digit, numpad=True) for digit in order] == list(range(9))
    assert [keys.digit_of(switch, numpad=True) for switch in range(9)] == list(order)
    assert [keys.switch_of(digit, numpad=False) for digit in "123456789"] == list(range(9))
    assert [keys.digit_of(switch, numpad=False) for switch in range(9)] == list("123456789")
    assert play([(1, "7")], InputState(numpad=True))[0] == [(1, "1"), (1.1, "")]
    assert play([(1, "c73"), (2, "s9")], InputState(numpad=True)) == (
        [(1, "19"), (1.1, "")],
        [Command(Action.STICK, 2)],
    )


def test_contacts_chatter_settle_and_chatter():
    changes, _ = play([(1, "b5")])
    times = [at for at, _ in changes]
    settled = max(pairwise(times), key=lambda pair: pair[1] - pair[0])
    assert settled[1] - settled[0] == pytest.approx(keys.TAP)
    assert 0.01 < settled[0] - 1 < 0.02
    assert 0.01 < times[-1] - settled[1] < 0.02
    assert [closed for _, closed in changes] == ["5", ""] * (len(changes) // 2)
    assert len(changes) > 10


def test_too_much_is_dropped_not_saved_up():
    changes, _ = play([(1, "123456789" * 20)])
    assert changes[-1][0] < 1 + keys.BACKLOG + 0.5


def test_the_mouse_really_holds():
    state, closed = keys.closed(keys.hold(InputState(), Holder.MOUSE, 4, 1.0), 1.0)
    assert closed == {4}
    assert keys.due(state, 1.0) == inf
    state, closed = keys.closed(state, 100.0)
    assert closed == {4}
    state, closed = keys.closed(keys.release(state, Holder.MOUSE, 100.0), 100.0)
    assert closed == set()
    assert keys.release(state, Holder.MOUSE, 101.0) == state


def test_a_click_is_at_least_a_tap_and_the_next_waits_its_turn():
    state, _ = keys.closed(keys.hold(InputState(), Holder.MOUSE, 4, 1.0), 1.0)
    state = keys.release(state, Holder.MOUSE, 1.005)
    state = keys.hold(state, Holder.MOUSE, 4, 1.05)
    seen = []
    for now in (1.05, 1.11, 1.15, 1.21, 9.0):
        state, closed = keys.closed(state, now)
        seen.append(closed)
    assert seen == [{4}, set(), set(), {4}, {4}]


TYPED = st.one_of(
    st.sampled_from([*"123456789hcsbequx", "escape", "ctrl-z"]),
    st.tuples(st.just("press"), st.integers(0, 8)),
    st.just(("release", 0)),
)


@given(
    script=st.lists(st.tuples(st.floats(0, 3), TYPED), max_size=30),
    numpad=st.booleans(),
)
def test_whatever_is_typed_every_switch_opens_in_the_end(script, numpad):
    state, now = InputState(numpad=numpad), 0.0
    for pause, what in script:
        now += pause
        if isinstance(what, str):
            state, _ = keys.typed(state, what, now)
        elif what[0] == "press":
            state = keys.hold(state, Holder.MOUSE, what[1], now)
        else:
            state = keys.release(state, Holder.MOUSE, now)
        state, _ = keys.closed(state, now)
    state = keys.release_all(state, now)
    assert state.prefix == ""
    while (due := keys.due(state, now)) < inf:
        now = due
    state, closed = keys.closed(state, now)
    assert (closed, state.presses) == (frozenset(), ())


@given(st.lists(st.tuples(st.floats(0, 0.3), st.sampled_from("123456789")), min_size=1, max_size=12))
def test_of_what_is_typed_digit_by_digit_no_two_are_ever_down_at_once(script):
    at, timed = 0.0, []
    for pause, digit in script:
        at += pause
        timed.append((at, digit))
    changes, _ = play(timed, end=60.0)
    assert all(len(closed) <= 1 for _, closed in changes)
    downs = [(start, end) for (start, closed), (end, _) in pairwise(changes) if closed]
    assert all(end - start >= keys.TAP - 1e-6 for start, end in downs)
    gaps = [start - end for (_, end), (start, _) in pairwise(downs)]
    assert all(gap >= keys.GAP - 1e-6 for gap in gaps)
