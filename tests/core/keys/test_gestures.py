"""Contacts to gestures: tables of (ms, contacts) and (ms, event), then any contacts at all."""

from itertools import cycle
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.keys import gestures
from appliance.core.keys.gestures import HOLD, KeyState, busy, feed
from appliance.core.keys.key_events import Blocked, Chord, Hold, HoldProgress, Press, Release, Stuck, Tap
from appliance.core.keys.scan import keys_of

EVEN = (5,)
UNEVEN = (1, 9, 3, 12, 5, 2, 7)
SLACK = 25  # ms: two samples at their latest


coarse = patch.object(gestures, "HOLD_STEPS", 16)  # each step of progress is longer than the slack


def bits(keys):
    return sum(1 << int(key) for key in keys)


def run(changes, until, pauses=EVEN, hold=HOLD):
    """Feed contacts that change at [(ms, keys closed)]; return [(ms, event)] and the last state."""
    state, reported, now, scan, coming = KeyState(), [], 0, 0, list(reversed(changes))
    pause = cycle(pauses)
    while now <= until:
        while coming and coming[-1][0] <= now:
            scan = bits(coming.pop()[1])
        state, events = feed(state, scan, now / 1000, hold)
        reported += [(now, event) for event in events]
        now += next(pause)
    return reported, state


def short(event):
    match event:
        case HoldProgress(_, key, fraction):
            return f"progress {key} {fraction * 16:g}/16"
        case Chord(_, keys) | Blocked(_, keys) | Stuck(_, keys):
            return f"{type(event).__name__.lower()} {''.join(map(str, keys))}".strip()
        case _:
            return f"{type(event).__name__.lower()} {event.key}"


def entries(text):
    """Parse "ms what, ms what"; "steps n" are the first n steps of the progress of the last press."""
    parsed = []
    for entry in text.split(", ") if text else ():
        first, _, what = entry.partition(" ")
        if first == "steps":
            press = next(at for at, what in reversed(parsed) if what.startswith("press"))
            steps = range(4, 4 + int(what))
            parsed += [(press + 1000 * step / 16, f"progress 4 {step}/16") for step in steps]
        else:
            parsed.append((int(first), what))
    return parsed


# fmt: off
TABLES = {  # (ms contacts, ...) and what they are: (ms event, ...)
    "a tap is reported when the chord window is over": ("100 0, 400", "100 press 0, 160 tap 0"),
    "a short tap": ("100 0, 120", "100 press 0, 150 tap 0"),
    "two taps": ("100 0, 150, 250 0, 300", "100 press 0, 160 tap 0, 250 press 0, 310 tap 0"),
    "the centre is tapped when it is released": ("100 4, 200", "100 press 4, 230 tap 4"),
    "the centre let go of on its way to a hold": ("100 4, 410", "100 press 4, steps 1, 440 tap 4"),
    "each hold makes its own progress": (
        "100 4, 450, 600 4, 950", "100 press 4, steps 2, 480 tap 4, 600 press 4, steps 2, 980 tap 4"),
    "the centre let go of at the last moment": ("100 4, 1090", "100 press 4, steps 12, 1120 tap 4"),
    "the centre held": ("100 4, 5000", "100 press 4, steps 12, 1100 hold 4"),
    "a chord": ("100 0, 130 08, 300", "100 press 0, 130 chord 08"),
    "a chord is reported in the order of the fingers": ("100 8, 130 08, 300", "100 press 8, 130 chord 80"),
    "a chord in one sample": ("100 28, 300", "100 press 2, 100 chord 28"),
    "a chord with the centre is no hold": ("100 4, 130 48, 3000", "100 press 4, 130 chord 48"),
    "a third key adds nothing": ("100 048, 300", "100 press 0, 100 chord 04"),
    "a second key after the window is blocked": (
        "100 0, 250 08, 400 8, 600, 700 8, 750",
        "100 press 0, 160 tap 0, 250 blocked 0, 700 press 8, 760 tap 8"),
    "a second key does not end a hold": (
        "100 4, 220 48, 2000", "100 press 4, 220 blocked 4, steps 12, 1100 hold 4"),
    "a slap with chatter is one answer": (
        "100 0, 110 05, 125 058, 140 0258, 400", "100 press 0, 110 chord 05"),
    "a slap that is ambiguous takes the press back": ("100 0, 120 0134, 400", "100 press 0, 120 chord 0"),
    "each later key is answered again": (
        "100 08, 300 058, 500 0258, 700", "100 press 0, 100 chord 08, 300 blocked 08, 500 blocked 058"),
    "a held key that blocks another is left out after two seconds": (
        "100 0, 1000 08, 1100 0, 3200 08, 3300 0, 4000",
        "100 press 0, 160 tap 0, 1000 blocked 0, 3000 stuck 0, 3200 press 8, 3260 tap 8, 4530 stuck"),
    "a held key that is let go of in time is not stuck": (
        "100 0, 1000 08, 1100 0, 2900, 3000 0, 4500 08, 4600",
        "100 press 0, 160 tap 0, 1000 blocked 0, 3000 press 0, 3060 tap 0, 4500 blocked 0"),
    "a key that blocks has its own two seconds": (
        "100 0, 1000 08, 2500 028, 2600 08, 3100 0, 3200 08, 3300",
        "100 press 0, 160 tap 0, 1000 blocked 0, 2500 blocked 08, 3000 stuck 08, 3830 stuck"),
    "and counts them from when it went down, if that was later": (
        "90 0, 900 08, 1000 0, 2500 08, 2600 028, 2700 08",
        "90 press 0, 150 tap 0, 900 blocked 0, 2500 blocked 0, 2600 blocked 08, 2900 stuck 0, 4500 stuck 08"),
    "after a chord nothing until all are up": (
        "100 08, 200 8, 300 08, 400, 500 0, 600",
        "100 press 0, 100 chord 08, 300 blocked 8, 500 press 0, 560 tap 0"),
    "after a hold nothing until all are up": (
        "100 4, 1300 48, 1500 8, 1700, 1800 8, 1900",
        "100 press 4, steps 12, 1100 hold 4, 1300 blocked 4, 1800 press 8, 1860 tap 8"),
    "a spike is nothing": ("100 0, 101", ""),
    "an ambiguous scan presses nothing": ("100 0134, 400", "100 blocked"),
    "letting go of an ambiguous scan presses nothing": (
        "100 0134, 400 03, 500 0, 600, 700 0, 800", "100 blocked, 700 press 0, 760 tap 0"),
    "a ghost beside a press": ("100 0, 300 0134, 500 0, 600", "100 press 0, 160 tap 0, 300 blocked 0"),
    "a hold goes on through an ambiguous scan": (
        "100 4, 220 0134, 500 4, 2000", "100 press 4, 220 blocked 4, steps 12, 1100 hold 4"),
    "stuck at the start": ("0 3, 200 35, 300 3", "0 stuck 3, 200 press 5, 260 tap 5"),
    "a stuck key that is well again": (
        "0 37, 200 7, 800 37, 900 7", "0 stuck 37, 730 stuck 7, 800 press 3, 860 tap 3"),
    "a stuck key whose contact comes and goes is not well": (
        "0 3, 200, 500 3, 800, 1200 3, 1300", "0 stuck 3, 1830 stuck"),
    "a stuck key gives no chord and no hold": (
        "0 3, 200 34, 2000 3", "0 stuck 3, 200 press 4, steps 12, 1200 hold 4"),
    "held for so long that it is stuck": (
        "100 0, 31000 08, 31100 0, 31300",
        "100 press 0, 160 tap 0, 30100 stuck 0, 31000 press 8, 31060 tap 8, 31830 stuck"),
    "a centre that sticks": ("100 4", "100 press 4, steps 12, 1100 hold 4, 30100 stuck 4"),
    "a key that was blocked while another became stuck": (
        "100 0, 29000 08, 30500 0, 31100 08, 31200 0",
        "100 press 0, 160 tap 0, 29000 blocked 0, 30100 stuck 0, 31100 press 8, 31160 tap 8"),
    "a rectangle that does not go away": (
        "100 0134, 3000 01348, 3100 0134, 3500",
        "100 blocked, 2100 stuck 0134, 3000 press 8, 3060 tap 8, 4030 stuck"),
    "a rectangle at the start that does not go away": ("0 0134", "0 blocked, 2000 stuck 0134"),
    "a stuck key that makes others ambiguous is named": (
        "0 04, 500 0134, 600 04", "0 stuck 04, 500 blocked 04"),
}
# fmt: on


def without_releases(reported):
    return [(at, event) for at, event in reported if not isinstance(event, Release)]


@coarse
@pytest.mark.parametrize("pauses", [EVEN, UNEVEN], ids=["even", "uneven"])
@pytest.mark.parametrize("name", TABLES)
def test_gestures_by_table(name, pauses):
    changes, expected = map(entries, TABLES[name])
    until = max(max(at for at, _ in changes) + 700, expected[-1][0] + 100 if expected else 0)
    reported = without_releases(run(changes, until, pauses)[0])
    assert [short(event) for _, event in reported] == [text for _, text in expected]
    for (at, event), (due, text) in zip(reported, expected, strict=True):
        assert event.at == at / 1000
        assert due <= at <= due + SLACK, f"{text}: {at} ms"


@pytest.mark.parametrize(("contacts", "expected"), [
    ("100 0, 150", "tap 0, soon 0"), ("100 0, 900", "tap 0, soon 0"), ("100 0, 1300", "tap 0, late 0"),
    ("100 4, 900", "tap 4, soon 4"), ("100 4, 1300", "hold 4, late 4"),
    ("100 4, 1095", "tap 4, soon 4"),  # its contact opened in time
    ("100 0, 1300, 1500 0, 1600", "tap 0, late 0, tap 0, soon 0"),
    ("100 0, 130 08, 200 8, 300", "chord 08, soon 0"),  # only the first key's was a press
    ("100 0, 250 08, 300 0, 400", "tap 0, blocked 0, soon 0"),
    ("100 0, 31000 08, 31100 0, 31300", "tap 0, stuck 0, tap 8, soon 8, stuck"),  # another press came first
    ("100 0, 31000", "tap 0, stuck 0, late 0, stuck"),
])  # fmt: skip
def test_the_end_of_a_press_says_whether_it_was_shorter_than_a_hold(contacts, expected):
    changes = entries(contacts)
    events = [event for _, event in run(changes, changes[-1][0] + 700)[0]]
    told = [event for event in events if not isinstance(event, Press | HoldProgress)]
    names = [f"{'soon' if e.soon else 'late'} {e.key}" if isinstance(e, Release) else short(e) for e in told]
    assert ", ".join(names) == expected


# fmt: off
SAMPLES = [  # milliseconds, keys closed, events
    (0, "", []), (20, "0", []), (25, "0", ["press 0"]),
    (30, "", []), (55, "1", []), (60, "1", ["tap 0", "press 1"]),  # a release and a press in one sample
    (65, "", []), (95, "", ["tap 1"]),
    (100, "0", []), (105, "0", ["press 0"]),  # from here on some samples come very late
    (300, "08", ["tap 0"]), (305, "08", ["blocked 0"]), (900, "", []), (940, "", []),  # too late for a chord
    (1000, "4", []), (1005, "4", ["press 4"]),
    (1600, "4", ["progress 4 9/16"]),  # the steps before are not made up for
    (2500, "", []), (2540, "", ["tap 4"]),  # no sample showed it held for a second
    (3000, "4", []), (3005, "4", ["press 4"]), (9000, "4", ["hold 4"]),
    (60_000, "4", ["stuck 4"]), (60_100, "", []), (60_200, "", []), (60_701, "", ["stuck"]), (60_800, "", []),
    (61_000, "4", []), (61_005, "4", ["press 4"]),
    (99_000, "4", ["hold 4", "stuck 4"]),  # in this order: the press has ended before its key is stuck
    (99_100, "", []), (99_200, "", []), (99_701, "", ["stuck"]),
    (100_000, "4", []), (100_005, "4", ["press 4"]),
    (140_000, "", []), (140_040, "", ["tap 4"]),  # no sample showed it down for 30 s
]
# fmt: on


@coarse
def test_a_late_sample_reports_only_what_it_proves():
    state = KeyState()
    for at, closed, expected in SAMPLES:
        state, events = feed(state, bits(closed), at / 1000)
        events = [short(event) for event in events if not isinstance(event, Release)]
        assert events == expected, f"at {at} ms"


@pytest.mark.parametrize("hold", [0.3, 1.0, 3.0])
def test_a_hold_takes_as_long_as_configured_and_shows_32_steps(hold):
    reported, _ = run([(100, "4")], 3300, (2,), hold)
    (press, _), *progress, (end, _) = without_releases(reported)
    assert end - press == pytest.approx(1000 * hold, abs=2)
    steps = [round(event.fraction * 32) for _, event in progress]
    assert steps == list(range(int(8 / hold), 32))  # the first after a quarter of a second
    for at, event in progress[1:]:
        assert at - press == pytest.approx(1000 * hold * event.fraction, abs=2)


@pytest.mark.parametrize(
    ("moves", "early"),
    [
        ("1000 0, 1250 0, 2000 08, 2250 08, 2500 0, 2750 0, 4250 0", 4249),  # 2 s after the blocked press
        ("1000 0, 1250 0, 31250 0", 31_249),
    ],
)
def test_a_key_counts_as_stuck_from_the_very_end_of_its_time(moves, early):
    samples = [(0, ""), *entries(moves)]
    for last, expected in ((early, []), (samples[-1][0], ["stuck 0"])):
        state = KeyState()
        for at, closed in (*samples[:-1], (last, samples[-1][1])):
            state, events = feed(state, bits(closed), at / 1000)
        assert [short(event) for event in events if isinstance(event, Stuck)] == expected


def test_a_centre_that_blocks_others_on_its_way_to_a_long_hold_is_not_stuck():
    reported, _ = run([(100, "4"), (300, "48"), (400, "4"), (4000, "")], 5000, hold=3.0)
    told = [short(event) for _, event in without_releases(reported) if not isinstance(event, HoldProgress)]
    assert told == ["press 4", "blocked 4", "hold 4", "stuck 4", "stuck"]


@pytest.mark.parametrize(("changes", "until", "expected"), [
    ([(0, ""), (100, "0")], 100, True),  # one sample
    ([(0, ""), (100, "0")], 200, True), ([(0, ""), (100, "0134")], 200, True),
    ([(0, ""), (100, "0"), (200, "")], 210, True),  # its release is not settled
    ([(0, ""), (100, "0"), (200, "")], 240, False),
    ([(0, "3")], 100, False), ([(0, "3"), (100, "35")], 100, True),  # stuck
    ([(0, "3"), (100, "")], 105, False),  # a stuck key may take its time
    ([(0, "0134")], 100, True), ([(0, "0134")], 30_100, False),  # at first nothing is known
])  # fmt: skip
def test_busy(changes, until, expected):
    _, state = run(changes, until)
    assert busy(state) is expected


def test_an_idle_box_costs_nothing():
    _, state = run([(0, "")], 100)
    assert not busy(state)
    again, events = feed(state, 0, 1.0)
    assert again is state
    assert events == ()


CONTACTS = st.lists(st.tuples(st.integers(1, 400), st.sets(st.integers(0, 8), max_size=4)), max_size=40)


@patch.multiple(gestures, STUCK=2.0, BLOCKING=0.5)  # short, so that keys get stuck
@given(CONTACTS, st.lists(st.integers(1, 60), min_size=1, max_size=20), st.integers(0, 511))
def test_the_contract_holds_for_any_contacts(moves, pauses, at_start):
    """Raw scans of any kind, also ones that no matrix can give."""
    changes, at = [(0, keys_of(at_start))], 0
    for pause, closed in moves:
        at += pause
        changes.append((at, closed))
    reported, state = run(changes, at + 3000, pauses)
    pending, last, fraction, stuck = None, None, 0, set()
    for now, event in reported:
        assert event.at == now / 1000
        match event:
            case Press(_, key):
                assert pending is None, "the press before had no end"
                assert key not in stuck
                assert last is None or last in stuck
                pending, last, fraction = key, key, 0
            case Tap(_, key) | Hold(_, key):
                assert key == pending
                assert key == 4 or isinstance(event, Tap)
                pending = None
            case Chord(_, (key, *others)):
                assert key == pending
                assert {key, *others} & stuck == set()
                pending = None
            case Release(_, key):
                assert (pending, key) == (None, last)
                last = None
            case Blocked(_, keys):
                assert list(keys) == sorted(keys)
            case HoldProgress(_, key, each):
                assert key == pending == 4
                assert fraction < each < 1
                fraction = each
            case Stuck(_, keys):
                assert list(keys) == sorted(keys)
                assert set(keys) != stuck
                assert pending not in keys
                stuck = set(keys)
    closed = bits(changes[-1][1])
    assert not state.gestures.down & ~closed
    if not closed:  # all have been up for longer than a key takes to recover
        assert (pending, last, stuck, busy(state)) == (None, None, set(), False)
