"""What a person at a terminal types and clicks -> which of the box's switches are closed, and when.

A terminal tells that a key was typed, seldom that it was let go. So a digit is a tap, `h` and a digit hold a
switch down until the next key, `c` and two digits press two at once. A digit that repeats, because it is
kept down, keeps its switch closed. A mouse button, and a key on a terminal that does tell, are really held.

Everything here is a pure function over frozen data. Times are in seconds of one clock, whichever it is;
switches count from 0 in reading order.
"""

from dataclasses import dataclass, replace
from enum import Enum
from math import inf

from appliance.simulator.keyboard import Key

TAP = 0.1  # how long a tap closes a switch
GAP = 0.1  # between two taps: enough to tell them apart, even while the box sleeps
REPEAT = 0.15  # how long one of a keyboard's repeats keeps a switch closed; they come every 0.03 to 0.09 s
BACKLOG = 2.0  # what would have to wait longer than this is not done
# Contacts that chatter are closed, open, closed and so on for these times, on the way down and on the way up.
CHATTER = (0.0012, 0.0007, 0.0024, 0.0018, 0.0006, 0.0031, 0.0015, 0.0022, 0.0004, 0.0028)

# What closes a switch: a tap, `h`, the mouse, or a digit key of a terminal that tells when it is let go.
TAPPED, HELD, MOUSE = "tap", "held", "mouse"


@dataclass(frozen=True, slots=True)
class Press:
    """A switch that is to be closed from one time until another, and by what."""

    source: str
    switch: int
    since: float
    until: float = inf
    begun: bool = False


@dataclass(frozen=True, slots=True)
class Habits:
    """What has been typed so far, as far as it matters for what comes."""

    numpad: bool = False  # the digits lie as on a number pad: 7 is at the top left
    longest: float = 3.0  # after this, a switch that `h` holds is let go by itself
    prefix: str = ""  # the beginning of something that wants more: "h", "c", "c1", "s", "b", "e"
    presses: tuple[Press, ...] = ()
    free: float = -inf  # when the next tap may begin


class Do(Enum):
    """What can be wished for, beside presses."""

    STICK = "stick"  # the switch of this number, or unstick it if it is stuck
    BUS_ERROR = "bus-error"  # on the byte of this number, counted from 1 from now on
    CABLE = "cable"  # unplug the display, or plug it in
    QUIT = "quit"
    SUSPEND = "suspend"
    REDRAW = "redraw"


@dataclass(frozen=True, slots=True)
class Wish:
    """Something to do at once."""

    do: Do
    number: int = 0


PREFIXES = "hcsbe"
_WISHES = {
    "q": Wish(Do.QUIT),
    "ctrl-c": Wish(Do.QUIT),
    "ctrl-d": Wish(Do.QUIT),
    "ctrl-z": Wish(Do.SUSPEND),
    "ctrl-l": Wish(Do.REDRAW),
    "u": Wish(Do.CABLE),
}


def switch_of(digit: str, *, numpad: bool) -> int | None:
    """Return the switch that a digit stands for; None for anything else."""
    if len(digit) != 1 or digit not in "123456789":
        return None
    row, column = divmod(int(digit) - 1, 3)
    return (2 - row if numpad else row) * 3 + column


def digit_of(switch: int, *, numpad: bool) -> str:
    """Return the digit that stands for a switch."""
    row, column = divmod(switch, 3)
    return str((2 - row if numpad else row) * 3 + column + 1)


def typed(habits: Habits, key: Key, now: float) -> tuple[Habits, Wish | None]:
    """Return the habits, and what is wished for, after a key was typed or (where that is told) let go."""
    name = key.name.lower()
    if key.down is False:
        return let_go(habits, name, now), None
    habits = let_go(habits, HELD, now)
    switch = switch_of(name, numpad=habits.numpad)
    if switch is None:
        return replace(habits, prefix=name if name in PREFIXES else ""), _WISHES.get(name)
    prefix, habits = habits.prefix, replace(habits, prefix="")
    match prefix:
        case "":
            return (
                hold(habits, name, switch, now) if key.down else _repeat_or_tap(habits, switch, now)
            ), None
        case "h":
            return hold(habits, HELD, switch, now), None
        case "c":
            return replace(habits, prefix=f"c{name}"), None
        case "s":
            return habits, Wish(Do.STICK, switch)
        case "e":
            return habits, Wish(Do.BUS_ERROR, int(name))
        case "b":
            return _tap(habits, [switch], now, CHATTER), None
    first = switch_of(prefix[1], numpad=habits.numpad)
    return (habits if first in {None, switch} else _tap(habits, [first, switch], now)), None


def hold(habits: Habits, source: str, switch: int, now: float) -> Habits:
    """Close a switch for as long as `source` holds it; `h` does not hold for ever."""
    habits = let_go(habits, source, now)
    since = max(now, habits.free)
    press = Press(source, switch, since, since + habits.longest if source == HELD else inf)
    return replace(habits, presses=(*habits.presses, press))


def let_go(habits: Habits, source: str, now: float) -> Habits:
    """Let go of what `source` holds; however short it was held, it becomes a whole tap."""
    for press in habits.presses:
        if press.source == source:
            end = max(now, press.since + TAP)
            tap = replace(press, source=TAPPED, until=end)
            presses = tuple(tap if other == press else other for other in habits.presses)
            return replace(habits, presses=presses, free=max(habits.free, end + GAP))
    return habits


def let_all_go(habits: Habits, now: float) -> Habits:
    """Let go of everything that is held, as nobody is there to do it."""
    for source in [press.source for press in habits.presses if press.source != TAPPED]:
        habits = let_go(habits, source, now)
    return replace(habits, prefix="")


def due(habits: Habits) -> float | None:
    """Return when a switch is to be closed or opened next, None for never."""
    times = [press.until if press.begun else press.since for press in habits.presses]
    soonest = min(times, default=inf)
    return None if soonest == inf else soonest


def closed(habits: Habits, now: float) -> tuple[Habits, frozenset[int]]:
    """Return the habits at a time, and the switches that are closed then.

    A press that is late begins now and is as long as it was to be: none is lost because nobody looked.
    """
    free = habits.free
    presses = []
    for press in habits.presses:
        if not press.begun and press.since <= now:
            press = replace(press, begun=True, since=now, until=press.until + (now - press.since))  # noqa: PLW2901
        if press.begun and press.until <= now:
            free = max(free, press.until + GAP)
        else:
            presses.append(press)
    down = frozenset(press.switch for press in presses if press.begun)
    return replace(habits, presses=tuple(presses), free=free), down


def _repeat_or_tap(habits: Habits, switch: int, now: float) -> Habits:
    """Tap a switch, or keep it closed: the same digit while its tap lasts comes from a key kept down."""
    latest = next((press for press in reversed(habits.presses) if press.source == TAPPED), None)
    if latest is None or latest.switch != switch:
        return _tap(habits, [switch], now)
    longer = replace(latest, until=max(latest.until, now + REPEAT))
    presses = tuple(longer if press == latest else press for press in habits.presses)
    return replace(habits, presses=presses, free=max(habits.free, longer.until + GAP))


def _tap(habits: Habits, switches: list[int | None], now: float, chatter: tuple[float, ...] = ()) -> Habits:
    """Plan a tap of all these switches at once, when those before it have ended."""
    at = max(now, habits.free)
    if at - now > BACKLOG:
        return habits
    presses = list(habits.presses)
    for index, seconds in enumerate((*chatter, TAP, *chatter)):
        if index % 2 == 0:
            presses.extend(
                Press(TAPPED, switch, at, at + seconds) for switch in switches if switch is not None
            )
        at += seconds
    return replace(habits, presses=tuple(presses), free=at + GAP)
