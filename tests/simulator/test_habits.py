"""From the bytes that a terminal sends to switches that close and open."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.simulator import habits as hb
from appliance.simulator.habits import Do, Habits, Wish
from appliance.simulator.keyboard import LONE_ESCAPE, LONGEST, LOST, Click, Key, Keyboard, TellsReleases

ESCAPE = Key("escape")


def keys(text):
    return [Key(character) for character in text]


READ = [
    (b"19q", keys("19q")),
    (b"\r\n\t\x7f", [Key("enter"), Key("enter"), Key("tab"), Key("backspace")]),
    (b"\x03\x04\x0c\x1a", [Key("ctrl-c"), Key("ctrl-d"), Key("ctrl-l"), Key("ctrl-z")]),
    (b"\x1b[A\x1b[1;5C\x1b[15~\x1bOP\x1b[Z5", keys("5")),  # arrows, function keys
    ("5é€😀6".encode(), keys("56")),
    (b"\x1b55", keys("5")),  # Alt-5, 5
    (b"\x1b\x1b[A5", [ESCAPE, Key("5")]),
    (b"\x1b[<0;10;5M\x1b[<0;10;5m", [Click(9, 4, down=True), Click(9, 4, down=False)]),
    (b"\x1b[<4;1;1M", [Click(0, 0, down=True)]),  # with shift
    (b"\x1b[<1;1;1M\x1b[<2;1;1M\x1b[<64;1;1M\x1b[<32;1;1M\x1b[<0;1M\x1b[<0;;M\x1b[<M", []),
    (b"\x1b[M !!5", keys("5")),  # a click in the old form is three bytes long, whatever they look like
    (b"\x1b[200~12q\x1b[A9\x1b[201~5", keys("5")),
    (b"\x1b[200~1\x1b[201~2\x1b[200~3\x1b[201~4", keys("24")),
    (b"\x1bP1$r0m\x1b\\5", keys("5")),  # replies of terminals
    (b"\x1b]11;rgb:0000/0000/0000\x075", keys("5")),
    (b"\x1b]0;1234\x1b\\5", keys("5")),
    (b"\x1b_G1;OK\x1b\\5", keys("5")),
    (b"\x1b[?62;22c\x1b[24;80R5", keys("5")),
    (b"\x1b[12\x1b[A5", keys("5")),  # a sequence broken off by the next
    (b"\x1b[1\x805", keys("5")),
    (b"\x1b[ q5", keys("5")),
    (b"\x1b[?0u", [TellsReleases()]),
    # kitty's protocol: press, repeat, release, of the key that means 5
    (b"\x1b[53;1;53u\x1b[53;1:2;53u\x1b[53;1:3u", [Key("5", down=True), Key("5", down=False)]),
    # the number pad; a French keyboard, where shift and ( make 5; caps lock on
    (b"\x1b[57404u\x1b[57404;1:3u", [Key("5", down=True), Key("5", down=False)]),
    (b"\x1b[40;2;53u\x1b[40;1:3u", [Key("5", down=True), Key("5", down=False)]),
    (b"\x1b[104;65;72u", [Key("H", down=True)]),
    (b"\x1b[99;5u\x1b[122;5u\x1b[27u\x1b[13u", [
        Key("ctrl-c", down=True), Key("ctrl-z", down=True), Key("escape", down=True), Key("enter", down=True),
    ]),
    (b"\x1b[53;3u\x1b[233u\x1b[57441;2u\x1b[57441;1:3u\x1b[u\x1b[;u\x1b[:u\x1b[53;1:3u", []),
]  # fmt: skip


@pytest.mark.parametrize(("data", "expected"), READ)
def test_what_a_terminal_sends_is_read(data, expected):
    keyboard = Keyboard()
    assert keyboard.feed(data, 0.0) == expected
    assert keyboard.due() is None


@given(data=st.data(), case=st.sampled_from(READ))
def test_it_does_not_matter_where_reading_splits_it(data, case):
    stream, expected = case
    keyboard = Keyboard()
    tokens = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        tokens += keyboard.feed(stream[:size], 0.0)
        stream = stream[size:]
    assert tokens == expected


@given(chunks=st.lists(st.binary(max_size=20)))
def test_no_bytes_can_upset_it(chunks):
    keyboard = Keyboard()
    now = 0.0
    for chunk in chunks:
        keyboard.feed(chunk, now)
    # After a silence everything pending is settled, and what comes then is read as if nothing had been.
    keyboard.flush(now + LOST)
    assert keyboard.due() is None
    assert keyboard.feed(b"5\x1b[<0;1;1M", now + LOST) == [Key("5"), Click(0, 0, down=True)]


def test_a_lone_escape_is_a_key_when_nothing_follows():
    keyboard = Keyboard()
    assert keyboard.feed(b"\x1b", 1.0) == []
    assert keyboard.due() == 1.0 + LONE_ESCAPE
    assert keyboard.flush(1.0 + LONE_ESCAPE / 2) == []
    assert keyboard.flush(1.0 + LONE_ESCAPE) == [ESCAPE]
    assert keyboard.due() is None


@pytest.mark.parametrize("start", [b"\x1b[<0;1", b"\x1b[200~123", b"\x1bP1234"])
def test_a_sequence_that_never_ends_is_forgotten_and_means_nothing(start):
    keyboard = Keyboard()
    keyboard.feed(start, 0.0)
    assert keyboard.flush(LONE_ESCAPE) == []
    assert keyboard.flush(LOST) == []
    assert keyboard.feed(b"5", LOST) == keys("5")


def test_a_sequence_without_end_does_not_fill_the_memory():
    keyboard = Keyboard()
    for _ in range(100):
        keyboard.feed(b"\x1b]" + b"5" * 100, 0.0)
    assert len(keyboard._bytes) <= LONGEST


def play(script, habits=None, *, end=30.0):
    """Type a script of (time, text); return the changes of the switches as (time, closed), and the wishes."""
    habits = habits or Habits()
    wishes = []
    waiting = [(at, key) for at, text in script for key in (keys(text) if isinstance(text, str) else [text])]
    changes = [(0.0, frozenset())]
    now = 0.0
    while now < end:
        while waiting and waiting[0][0] <= now:
            habits, wish = hb.typed(habits, waiting.pop(0)[1], now)
            wishes += [wish] if wish else []
        habits, closed = hb.closed(habits, now)
        if closed != changes[-1][1]:
            changes.append((round(now, 6), closed))
        due = hb.due(habits)
        upcoming = [at for at, _ in waiting[:1]] + ([] if due is None else [due])
        if not upcoming:
            break
        now = max(now, min(upcoming))
    return [(at, "".join(str(key + 1) for key in sorted(closed))) for at, closed in changes[1:]], wishes


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
        ([(1, "h"), (1.1, ESCAPE), (1.2, "5")], [(1.2, "5"), (1.3, "")]),
        ([(1, "c1h9"), (2, "x")], [(1, "9"), (2, "")]),
        ([(1, "h0"), (1.2, "5")], [(1.2, "5"), (1.3, "")]),
        ([(1, "hc19")], [(1, "19"), (1.1, "")]),
        # what means nothing does nothing
        ([(1, "0xyzHCB!~ ")], []),
        # a terminal that tells when a key is let go
        ([(1, Key("5", down=True)), (3, Key("5", down=False))], [(1, "5"), (3, "")]),
        ([(1, Key("5", down=True)), (1.01, Key("5", down=False))], [(1, "5"), (1.1, "")]),
        (
            [(1, Key("1", down=True)), (1.2, Key("9", down=True)),
             (2, Key("1", down=False)), (3, Key("9", down=False))],
            [(1, "1"), (1.2, "19"), (2, "9"), (3, "")],
        ),
        ([(1, Key("h", down=True)), (1.1, Key("h", down=False)), (1.2, Key("5", down=True)),
          (1.3, Key("5", down=False)), (2, " ")], [(1.2, "5"), (2, "")]),
    ],
)  # fmt: skip
def test_what_is_typed_closes_switches(script, expected):
    assert play(script)[0] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("q", [Wish(Do.QUIT)]),
        ("Q", [Wish(Do.QUIT)]),
        ("hq", [Wish(Do.QUIT)]),
        ("u", [Wish(Do.CABLE)]),
        ("s5s1", [Wish(Do.STICK, 4), Wish(Do.STICK, 0)]),
        ("e7", [Wish(Do.BUS_ERROR, 7)]),
        (Key("ctrl-c"), [Wish(Do.QUIT)]),
        (Key("ctrl-d"), [Wish(Do.QUIT)]),
        (Key("ctrl-c", down=True), [Wish(Do.QUIT)]),
        (Key("ctrl-l"), [Wish(Do.REDRAW)]),
        (Key("ctrl-z", down=True), [Wish(Do.SUSPEND)]),
        (Key("q", down=False), []),
        ("5", []),
    ],
)
def test_wishes(text, expected):
    assert play([(1, text)])[1] == expected


def test_a_number_pad_is_upside_down():
    order = "789456123"
    assert [hb.switch_of(digit, numpad=True) for digit in order] == list(range(9))
    assert [hb.digit_of(switch, numpad=True) for switch in range(9)] == list(order)
    assert [hb.switch_of(digit, numpad=False) for digit in "123456789"] == list(range(9))
    assert [hb.digit_of(switch, numpad=False) for switch in range(9)] == list("123456789")
    assert play([(1, "7")], Habits(numpad=True))[0] == [(1, "1"), (1.1, "")]
    assert play([(1, "c73"), (2, "s9")], Habits(numpad=True)) == ([(1, "19"), (1.1, "")], [Wish(Do.STICK, 2)])


def test_contacts_chatter_settle_and_chatter():
    changes, _ = play([(1, "b5")])
    times = [at for at, _ in changes]
    settled = max(pairwise(times), key=lambda pair: pair[1] - pair[0])
    assert settled[1] - settled[0] == pytest.approx(hb.TAP)
    assert 0.01 < settled[0] - 1 < 0.02
    assert 0.01 < times[-1] - settled[1] < 0.02
    assert [closed for _, closed in changes] == ["5", ""] * (len(changes) // 2)
    assert len(changes) > 10


def test_too_much_is_dropped_not_saved_up():
    changes, _ = play([(1, "123456789" * 20)])
    assert changes[-1][0] < 1 + hb.BACKLOG + 0.5


def test_the_mouse_really_holds():
    habits, closed = hb.closed(hb.hold(Habits(), hb.MOUSE, 4, 1.0), 1.0)
    assert closed == {4}
    assert hb.due(habits) is None
    habits, closed = hb.closed(habits, 100.0)
    assert closed == {4}
    habits, closed = hb.closed(hb.let_go(habits, hb.MOUSE, 100.0), 100.0)
    assert closed == set()
    assert hb.let_go(habits, hb.MOUSE, 101.0) == habits


def test_a_click_is_at_least_a_tap_and_the_next_waits_its_turn():
    habits, _ = hb.closed(hb.hold(Habits(), hb.MOUSE, 4, 1.0), 1.0)
    habits = hb.let_go(habits, hb.MOUSE, 1.005)
    habits = hb.hold(habits, hb.MOUSE, 4, 1.05)
    seen = []
    for now in (1.05, 1.11, 1.15, 1.21, 9.0):
        habits, closed = hb.closed(habits, now)
        seen.append(closed)
    assert seen == [{4}, set(), set(), {4}, {4}]


def test_a_tap_that_is_looked_at_late_is_as_long_as_ever():
    habits, _ = hb.typed(Habits(), Key("5"), 1.0)
    habits, closed = hb.closed(habits, 7.0)
    assert closed == {4}
    assert hb.due(habits) == pytest.approx(7.0 + hb.TAP)
    assert hb.closed(habits, 7.2)[1] == set()


TYPED = st.one_of(
    st.sampled_from("123456789hcsbequx").map(Key),
    st.builds(Key, st.sampled_from("1359hc"), st.booleans()),
    st.sampled_from([ESCAPE, Key("ctrl-z")]),
    st.tuples(st.just("press"), st.integers(0, 8)),
    st.just(("release", 0)),
)


@given(
    script=st.lists(st.tuples(st.floats(0, 3), TYPED), max_size=30),
    numpad=st.booleans(),
)
def test_whatever_is_typed_every_switch_opens_in_the_end(script, numpad):
    habits, now = Habits(numpad=numpad), 0.0
    for pause, what in script:
        now += pause
        if isinstance(what, Key):
            habits, _ = hb.typed(habits, what, now)
        elif what[0] == "press":
            habits = hb.hold(habits, hb.MOUSE, what[1], now)
        else:
            habits = hb.let_go(habits, hb.MOUSE, now)
        habits, _ = hb.closed(habits, now)
    habits = hb.let_all_go(habits, now)
    assert habits.prefix == ""
    for _ in range(200):
        due = hb.due(habits)
        if due is None:
            break
        now = max(now, due)
        habits, closed = hb.closed(habits, now)
    assert closed == set() if habits.presses else True
    assert habits == replace(habits, presses=())


@given(st.lists(st.tuples(st.floats(0, 0.3), st.sampled_from("123456789")), min_size=1, max_size=12))
def test_of_what_is_typed_digit_by_digit_no_two_are_ever_down_at_once(script):
    at, timed = 0.0, []
    for pause, digit in script:
        at += pause
        timed.append((at, digit))
    changes, _ = play(timed, end=60.0)
    assert all(len(closed) <= 1 for _, closed in changes)
    downs = [(start, end) for (start, closed), (end, _) in pairwise(changes) if closed]
    assert all(end - start >= hb.TAP - 1e-6 for start, end in downs)
    gaps = [start - end for (_, end), (start, _) in pairwise(downs)]
    assert all(gap >= hb.GAP - 1e-6 for gap in gaps)
