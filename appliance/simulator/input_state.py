"""Typed keys and clicks -> which of the nine switches are closed, and when.

A terminal reports that a key was typed, not that it was released. So a digit is a tap, `h` and a digit hold a
switch down until the next key, and `c` and two digits press two at once. A digit that the keyboard repeats
keeps its switch closed. Only the mouse really holds.

Pure functions over frozen data. Times are seconds of the box's clock; switches count from 0 in reading order.
"""

from enum import Enum
from math import inf
from typing import NamedTuple

TAP = 0.1  # how long a tap closes a switch
GAP = 0.1  # between two taps: enough to tell them apart, even while the box sleeps
REPEAT = 0.15  # how long one repeat of the keyboard keeps a switch closed; repeats come every 0.03 to 0.09 s
BACKLOG = 2.0  # a tap that would have to wait longer is dropped
# Contacts that chatter are closed, open, closed and so on for these times, on the way down and on the way up.
CHATTER = (0.0012, 0.0007, 0.0024, 0.0018, 0.0006, 0.0031, 0.0015, 0.0022, 0.0004, 0.0028)


class Holder(Enum):
    """What keeps a switch closed."""

    TAP = "tap"
    HOLD = "hold"  # `h` and a digit
    MOUSE = "mouse"


class Press(NamedTuple):
    """A switch is closed from one time until another."""

    holder: Holder
    switch: int
    since: float
    until: float


class InputState(NamedTuple):
    """What has been typed, as far as it matters for what follows."""

    numpad: bool = False  # the digits lie as on a number pad: 7 is at the top left
    longest: float = 3.0  # seconds after which `h` releases its switch by itself
    prefix: str = ""  # the beginning of an input that needs more: "h", "c", "c1", "s", "b", "e"
    presses: tuple[Press, ...] = ()
    free: float = 0.0  # when the next tap may begin


class Action(Enum):
    """What can be asked for besides presses."""

    STICK = "stick"  # the switch of this number, or unstick it if it is stuck
    BUS_ERROR = "bus error"  # on the byte of this number, counted from 1 from now on
    CABLE = "cable"  # unplug the display, or plug it in
    QUIT = "quit"
    REDRAW = "redraw"


class Command(NamedTuple):
    """Something to do at once."""

    action: Action
    number: int = 0


PREFIXES = "hcsbe"
_COMMANDS = {
    "q": Command(Action.QUIT),
    "ctrl-c": Command(Action.QUIT),
    "ctrl-d": Command(Action.QUIT),
    "ctrl-l": Command(Action.REDRAW),
    "u": Command(Action.CABLE),
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


def typed(state: InputState, key: str, now: float) -> tuple[InputState, Command | None]:
    """Return the state after a key was typed, and the command that it completes."""
    key = key.lower()
    state = release(state, Holder.HOLD, now)
    switch = switch_of(key, numpad=state.numpad)
    if switch is None:
        return state._replace(prefix=key if key in PREFIXES else ""), _COMMANDS.get(key)
    prefix, state = state.prefix, state._replace(prefix="")
    match prefix:
        case "":
            return _repeat_or_tap(state, switch, now), None
        case "h":
            return hold(state, Holder.HOLD, switch, now), None
        case "c":
            return state._replace(prefix=f"c{key}"), None
        case "s":
            return state, Command(Action.STICK, switch)
        case "e":
            return state, Command(Action.BUS_ERROR, int(key))
        case "b":
            return _tap(state, [switch], now, CHATTER), None
    first = switch_of(prefix[1], numpad=state.numpad)
    return (state if first in {None, switch} else _tap(state, [first, switch], now)), None


def hold(state: InputState, holder: Holder, switch: int, now: float) -> InputState:
    """Close a switch until it is released; `h` does not hold for ever."""
    state = release(state, holder, now)
    since = max(now, state.free)
    press = Press(holder, switch, since, since + state.longest if holder is Holder.HOLD else inf)
    return state._replace(presses=(*state.presses, press))


def release(state: InputState, holder: Holder, now: float) -> InputState:
    """Release what `holder` holds; however short it was held, it becomes a whole tap."""
    presses, free = [], state.free
    for press in state.presses:
        if press.holder is holder and holder is not Holder.TAP:
            end = max(now, press.since + TAP)
            presses.append(press._replace(holder=Holder.TAP, until=end))
            free = max(free, end + GAP)
        else:
            presses.append(press)
    return state._replace(presses=tuple(presses), free=free)


def release_all(state: InputState, now: float) -> InputState:
    """Release everything that is held, and forget a prefix."""
    return release(release(state, Holder.HOLD, now), Holder.MOUSE, now)._replace(prefix="")


def due(state: InputState, now: float) -> float:
    """Return when the next switch closes or opens after `now`; infinity for never."""
    times = [at for press in state.presses for at in (press.since, press.until) if at > now]
    return min(times, default=inf)


def closed(state: InputState, now: float) -> tuple[InputState, frozenset[int]]:
    """Return the state without the presses that have ended, and the switches that are closed at a time."""
    ended = [press.until for press in state.presses if press.until <= now]
    free = max([state.free, *(until + GAP for until in ended)])
    presses = tuple(press for press in state.presses if press.until > now)
    down = frozenset(press.switch for press in presses if press.since <= now)
    return state._replace(presses=presses, free=free), down


def _repeat_or_tap(state: InputState, switch: int, now: float) -> InputState:
    """Tap a switch, or keep it closed: the same digit during its tap comes from a key that is kept down."""
    latest = next((press for press in reversed(state.presses) if press.holder is Holder.TAP), None)
    if latest is None or latest.switch != switch:
        return _tap(state, [switch], now)
    longer = latest._replace(until=max(latest.until, now + REPEAT))
    presses = tuple(longer if press == latest else press for press in state.presses)
    return state._replace(presses=presses, free=max(state.free, longer.until + GAP))


def _tap(
    state: InputState, switches: list[int | None], now: float, chatter: tuple[float, ...] = ()
) -> InputState:
    """Plan a tap of all these switches at once, after those before it have ended."""
    at = max(now, state.free)
    if at - now > BACKLOG:
        return state
    presses = list(state.presses)
    for index, seconds in enumerate((*chatter, TAP, *chatter)):
        if index % 2 == 0:
            presses.extend(
                Press(Holder.TAP, switch, at, at + seconds) for switch in switches if switch is not None
            )
        at += seconds
    return state._replace(presses=tuple(presses), free=at + GAP)
