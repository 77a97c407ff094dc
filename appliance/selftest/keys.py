"""The keys: which are down at rest, then the walk, in which the person presses all nine, one by one.

A scan is an int of nine bits as in `appliance.core.matrix`, ghosts included, not debounced. A scan that stays
the same for `STEADY` seconds is a reading; so contacts that bounce, and joined lines that are read one after
the other, each give one reading.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from appliance.core.matrix import COLUMNS, KEYS
from appliance.core.scene import BoardScene, Light, Picture, Tile
from appliance.devices.keypad import Keypad
from appliance.devices.panel import Panel
from appliance.selftest.diagnosis import Found, Matrix, after_walk, at_rest, named, single
from appliance.selftest.report import Row, Verdict
from appliance.selftest.rig import TestRig

SAMPLE = 0.3  # seconds that the keys at rest are watched
STEADY = 0.02  # seconds: as long as contacts bounce; the shortest tap is several times that

_ROWS = ("top row", "middle row", "bottom row")
_COLUMNS = ("left", "middle", "right")


@dataclass(frozen=True, slots=True)
class Walk:
    """The state of the walk. Times are in seconds of the caller's clock.

    - `rest`: the keys (bits) that read as closed with nobody pressing. Two or more of them make ghosts of
      other keys, so that no reading can be trusted: then the walk is over.
    - `limit`: the time for a press, and for its release.
    - `keys`: still to come; the first is the one to press now.
    - `released`: false from a reading until its key is open again.
    """

    rest: int
    limit: float
    keys: tuple[int, ...]
    since: float
    raw: int
    raw_since: float
    released: bool = True
    readings: tuple[int, ...] = ()
    found: tuple[Found, ...] = ()

    @property
    def target(self) -> int | None:
        """The key to press; None when the walk is over."""
        return self.keys[0] if self.keys else None


def begin(rest: int, limit: float, now: float) -> Walk:
    """Return a new walk over all keys but the one in `rest`."""
    return Walk(rest, limit, _left(range(KEYS), rest), now, rest, now)


def step(walk: Walk, raw: int, now: float) -> Walk:
    """Return the walk after the scan `raw`, made at `now`, which never goes back."""
    if walk.target is None:
        return walk
    if raw != walk.raw:
        walk = replace(walk, raw=raw, raw_since=now)
    steady = now - walk.raw_since >= STEADY
    pressed = raw & ~walk.rest
    if steady and not pressed:
        walk = replace(walk, rest=raw)  # a stuck key may come off
        if not walk.released:
            return _release(walk, now)
    late = now - walk.since >= walk.limit
    if walk.released and steady and pressed:
        return replace(walk, readings=(*walk.readings, pressed), released=False, since=now)
    return _next(walk, now) if late else walk


def _release(walk: Walk, now: float) -> Walk:
    """Go on to the next key, or ask for the same one once more: a finger may slip."""
    if walk.readings[-1] == 1 << walk.keys[0] or len(walk.readings) == 2:
        return _next(walk, now)
    return replace(walk, released=True, since=now)


def _next(walk: Walk, now: float) -> Walk:
    stays = not walk.released and walk.raw != walk.rest
    rest = walk.raw if stays else walk.rest
    found = (*walk.found, Found(walk.keys[0], walk.readings, stays=stays))
    keys = _left(walk.keys[1:], rest)
    return replace(walk, rest=rest, keys=keys, since=now, released=True, readings=(), found=found)


def _left(keys: Iterable[int], rest: int) -> tuple[int, ...]:
    return tuple(key for key in keys if not rest >> key & 1) if single(rest) else ()


def scene(walk: Walk) -> BoardScene:
    """Return the picture: the cell to press inverse with its number, the others ticked or crossed."""
    tiles = [Tile("stuck" if walk.rest >> key & 1 else "") for key in range(KEYS)]
    for found in walk.found:
        tiles[found.key] = Tile("yes" if found.good else "no")
    if walk.target is not None:
        tiles[walk.target] = Tile(f"={walk.target + 1}", inverse=walk.released)
    return BoardScene(tuple(tiles), headline=f"{KEYS - len(walk.keys)}/{KEYS}")


def narrate(before: Walk, after: Walk) -> str:
    """Return what to print after a step from `before` to `after`: parts of lines, or nothing."""
    text = ""
    if len(after.readings) > len(before.readings):
        reading = after.readings[-1]
        text += "ok" if reading == 1 << after.keys[0] else f"answers as {named(reading)}"
    if len(after.found) > len(before.found):
        if after.found[-1].stays:
            text += ", and stays down"
        elif before.released:
            text += "no contact"
        text += f"\n{prompt(after)}"
    elif after.released and not before.released:
        text += f"; press key {after.keys[0] + 1} once more ... "
    return text


def prompt(walk: Walk) -> str:
    """Return the request to press a key; nothing when the walk is over."""
    if walk.target is None:
        return ""
    row, column = divmod(walk.target, COLUMNS)
    return f"  press key {walk.target + 1} ({_ROWS[row]}, {_COLUMNS[column]}) ... "


class _PinsFailed(Exception):  # noqa: N818 - says what happened, as gpiozero's own do
    """The pins stopped working; the message is the backend's."""


def check_keys(rig: TestRig, keypad: Keypad, panel: Panel | None, seconds: float | None) -> Iterator[Row]:
    """Yield what is found of the keys. `seconds` is the time for each; None leaves out the walk.

    The walk's findings so far are also yielded when a `KeyboardInterrupt` ends it.
    """
    try:
        yield from _check_keys(rig, keypad, panel, seconds)
    except _PinsFailed as error:
        remedy = "run it again; if it happens again, read dmesg"
        yield Row(f"the pins stopped working: {error}", Verdict.FAILED, remedy)


def _check_keys(rig: TestRig, keypad: Keypad, panel: Panel | None, seconds: float | None) -> Iterator[Row]:
    matrix = Matrix(rig.config.keypad.rows, rig.config.keypad.columns, rig.where)
    rig.say("Hands off the keys for a moment.\n")
    always, sometimes = _sample(rig, keypad)
    yield from at_rest(always, sometimes, matrix)
    if seconds is None:
        yield Row("the nine-key walk", Verdict.OPEN)
        return
    walk = begin(always, seconds, rig.now())
    if walk.keys:
        rig.say(f"Press each key when it is asked for, here and on the display, within {seconds:g} s.\n")
    _show(rig, panel, walk)
    rig.say(prompt(walk))
    try:
        while walk.target is not None:
            raw, delay = _poll(keypad, rig.now())
            before, walk = walk, step(walk, raw, rig.now())
            _show(rig, panel, walk)
            rig.say(narrate(before, walk))
            rig.wait(delay)
    except KeyboardInterrupt:
        rig.say("\n")
        yield from after_walk(walk.found, walk.rest, matrix)
        raise
    yield from after_walk(walk.found, walk.rest, matrix)


def _show(rig: TestRig, panel: Panel | None, walk: Walk) -> None:
    if panel is not None:
        panel.show(Picture(scene(walk), Light(contrast=rig.config.settings.contrast)), rig.now())
        panel.service(rig.now())


def _sample(rig: TestRig, keypad: Keypad) -> tuple[int, int]:
    """Return the keys (bits) that read as closed in every scan, and in any."""
    always, sometimes = (1 << KEYS) - 1, 0
    end = rig.now() + SAMPLE
    while rig.now() < end:
        raw, delay = _poll(keypad, rig.now())
        always &= raw
        sometimes |= raw
        rig.wait(delay)
    return always, sometimes


def _poll(keypad: Keypad, now: float) -> tuple[int, float]:
    """Return the raw scan, and the seconds until the next one is due."""
    try:
        _events, delay = keypad.poll(now)
    except Exception as error:
        # Each backend has its own errors, and lgpio's derive from nothing but Exception.
        raise _PinsFailed(str(error) or type(error).__name__) from error
    return keypad.value, delay
