"""Typed keys and clicks -> which of the nine switches are closed, and when.

A terminal reports that a key was typed, not that it was released. So a digit is a tap, `h` and a digit hold a
switch down until the next key, and `c` and two digits press two at once. Keyboard repeat keeps a digit's
switch closed. Only the mouse can really hold.

Times are seconds of the box's clock; switches count from 0 in reading order.
"""

from math import inf
from typing import NamedTuple

TAP = 0.1  # how long a tap closes a switch
GAP = 0.1  # between two taps: enough to separate them, even while the box sleeps
REPEAT = 0.15  # how long a keyboard repeat keeps a switch closed; repeats come every 0.03 to 0.09 s
MAX_TAP_DELAY = 2.0  # a tap that would have to wait longer is dropped

DIGITS = "123456789"  # by switch

# The keys that start a multi-key command, and the prompt they show.
PROMPTS = {
    "h": "hold which key?",
    "c": "two at once: which key?",
    "s": "stick or free which key?",
    "e": "a bus error on which byte from now, 1 to 9?",
}

# A command, and its argument: a switch, a byte on the bus, or the character code of an unknown key.
TypedCommand = tuple[str, int]

_COMMANDS: dict[str, TypedCommand] = {
    "q": ("quit", 0),
    "\x03": ("quit", 0),  # Ctrl-C
    "\x04": ("quit", 0),  # Ctrl-D
    "\x0c": ("redraw", 0),  # Ctrl-L
    "u": ("cable", 0),  # unplug the display, or plug it in
}


class Touch(NamedTuple):
    """A switch is closed from `since` until `until`. `holder` is "key" or "mouse" while that holds it."""

    switch: int
    since: float
    until: float
    holder: str = ""


class InputState:
    """The state of typed and clicked input: an unfinished command, and presses that last or are scheduled.

    `h` releases its switch by itself after `longest` seconds.
    """

    def __init__(self, longest: float = 3.0) -> None:
        self.prefix = ""  # an unfinished command: "h", "c", "c1", "s" or "e"
        self.presses: list[Touch] = []
        self._longest = longest
        self._free = 0.0  # when the next tap may begin

    def type(self, key: str, now: float) -> TypedCommand | None:
        """Handle a typed key; return the command that it completes, if any."""
        key = key.lower()
        awaited = self.prefix or any(press.holder == "key" for press in self.presses)
        self.release("key", now)
        prefix, self.prefix = self.prefix, ""
        if key in PROMPTS:
            self.prefix = key
            return None
        if key not in DIGITS:  # any key ends a hold or a prefix
            return _COMMANDS.get(key, None if awaited else ("unknown", ord(key)))
        switch = DIGITS.index(key)
        match prefix:
            case "":
                self._tap_or_repeat(switch, now)
            case "h":
                self.hold("key", switch, now)
            case "c":
                self.prefix = f"c{key}"
            case "s":
                return "stick", switch
            case "e":
                return "bus error", int(key)
            case _ if prefix[1] != key:
                self._tap({DIGITS.index(prefix[1]), switch}, now)
        return None

    def hold(self, holder: str, switch: int, now: float) -> None:
        """Close a switch until `holder` releases it; a "key" times out."""
        self.release(holder, now)
        since = max(now, self._free)
        self.presses.append(Touch(switch, since, since + self._longest if holder == "key" else inf, holder))

    def release(self, holder: str, now: float) -> None:
        """Release what `holder` holds; a shorter hold is extended to a full tap."""
        for index, press in enumerate(self.presses):
            if press.holder == holder:
                end = max(now, press.since + TAP)
                self.presses[index] = press._replace(until=end, holder="")
                self._free = max(self._free, end + GAP)

    def release_all(self, now: float) -> None:
        """Release everything that is held, and drop an unfinished command."""
        self.release("key", now)
        self.release("mouse", now)
        self.prefix = ""

    def due(self, now: float) -> float:
        """Return when the next switch closes or opens after `now`; infinity for never."""
        times = [at for press in self.presses for at in (press.since, press.until) if at > now]
        return min(times, default=inf)

    def closed(self, now: float) -> frozenset[int]:
        """Return the closed switches, and drop the presses that have ended."""
        self._free = max([self._free, *(press.until + GAP for press in self.presses if press.until <= now)])
        self.presses = [press for press in self.presses if press.until > now]
        return frozenset(press.switch for press in self.presses if press.since <= now)

    def _tap_or_repeat(self, switch: int, now: float) -> None:
        """Tap a switch, or keep it closed: the same digit during its tap is a keyboard repeat."""
        taps = [index for index, press in enumerate(self.presses) if not press.holder]
        if not taps or self.presses[taps[-1]].switch != switch:
            self._tap({switch}, now)
            return
        latest = self.presses[taps[-1]]
        until = max(latest.until, now + REPEAT)
        self.presses[taps[-1]] = latest._replace(until=until)
        self._free = max(self._free, until + GAP)

    def _tap(self, switches: set[int], now: float) -> None:
        """Schedule a tap of all these switches at once, after the earlier taps."""
        at = max(now, self._free)
        if at - now > MAX_TAP_DELAY:
            return
        self.presses += [Touch(switch, at, at + TAP) for switch in switches]
        self._free = at + TAP + GAP
