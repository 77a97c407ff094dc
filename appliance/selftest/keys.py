"""The keys: which are down at rest, then the walk, in which the person presses all nine, one by one.

A scan is an int of nine bits as in `appliance.core.scan`, ghosts included, not debounced. A scan that stays
the same for `STEADY` seconds is a reading; so contacts that bounce, and joined lines that are read one after
the other, each give one reading.
"""

from collections.abc import Iterator

from appliance.core.scan import COLUMNS, KEYS
from appliance.core.scene import BoardScene, Light, Picture, Tile
from appliance.devices.keypad import Keypad
from appliance.devices.panel import Panel
from appliance.selftest.diagnosis import FAILED, OPEN, Found, Matrix, Row, after_walk, at_rest, named, single
from appliance.selftest.rig import Rig

SAMPLE = 0.3  # seconds that the keys at rest are watched
STEADY = 0.02  # seconds: as long as contacts bounce; the shortest tap is several times that

_ROWS = ("top row", "middle row", "bottom row")
_COLUMNS = ("left", "middle", "right")


class _PinsFailed(Exception):  # noqa: N818 - says what happened, as gpiozero's own do
    """The pins stopped working; the message is the backend's."""


def check_keys(rig: Rig, keypad: Keypad, panel: Panel | None, seconds: float | None) -> Iterator[Row]:
    """Yield what is found of the keys. `seconds` is the time for each; None leaves out the walk.

    The walk's findings so far are also yielded when an exception ends it.
    """
    matrix = Matrix(rig.config.keypad.rows, rig.config.keypad.columns, rig.where)
    rig.say("Hands off the keys for a moment.\n")
    try:
        always, sometimes = _sample(rig, keypad)
        yield from at_rest(always, sometimes, matrix)
        if seconds is None:
            yield Row("the nine-key walk", OPEN)
            return
        walk = Walk(rig, keypad, panel, always, seconds)
        try:
            walk.run()
        finally:
            yield from after_walk(walk.found, walk.rest, matrix)
    except _PinsFailed as error:
        remedy = "run it again; if it happens again, read dmesg"
        yield Row(f"the pins stopped working: {error}", FAILED, remedy)


class Walk:
    """The walk: asks for each key in turn, on the terminal and the display, and notes what it reads as.

    - `rest`: the keys (bits) that read as closed with nobody pressing. Two or more of them make ghosts of
      other keys, so that no reading can be trusted: then the walk ends.
    - `limit`: the seconds for a press, and for its release.
    """

    def __init__(self, rig: Rig, keypad: Keypad, panel: Panel | None, rest: int, limit: float) -> None:
        self.rest = rest
        self.found: list[Found] = []
        self._rig, self._keypad, self._panel, self._limit = rig, keypad, panel, limit

    def run(self) -> None:
        """Ask for each key that is not down already."""
        if single(self.rest):
            where = "here and on the display"
            self._rig.say(f"Press each key when it is asked for, {where}, within {self._limit:g} s.\n")
        for key in range(KEYS):
            if single(self.rest) and not self.rest >> key & 1:
                self.found.append(self._try(key))
        self._show(None)

    def _try(self, key: int) -> Found:
        """Ask for a key, and once more if it answers as another: a finger may slip."""
        readings: list[int] = []
        row, column = divmod(key, COLUMNS)
        self._show(key, inverse=True)
        self._rig.say(f"  press key {key + 1} ({_ROWS[row]}, {_COLUMNS[column]}) ... ")
        while reading := self._wait(key, pressed=True):
            readings.append(reading)
            good = reading == 1 << key
            self._rig.say("ok" if good else f"answers as {named(reading)}")
            if stays := self._wait(key, pressed=False):
                self.rest |= stays
                self._rig.say(", and stays down")
            if good or stays or len(readings) == 2:
                self._rig.say("\n")
                return Found(key, tuple(readings), stays=bool(stays))
            self._rig.say(f"; press key {key + 1} once more ... ")
        self._rig.say("no contact\n")
        return Found(key, tuple(readings))

    def _wait(self, key: int, *, pressed: bool) -> int:
        """Wait until keys are pressed, or open again, or the limit; return those (bits) that are down then.

        Contacts that still bounce at the limit are no press.
        """
        raw, since = -1, self._rig.now()
        end = since + self._limit
        while True:
            self._show(key, inverse=pressed)
            now = self._rig.now()
            scan, delay = _poll(self._keypad, now)
            if scan != raw:
                raw, since = scan, now
            steady = now - since >= STEADY
            down = raw & ~self.rest
            if steady and not down:
                self.rest = raw  # a stuck key may come off
            if steady and bool(down) is pressed:
                return down
            if now >= end:
                return 0 if pressed else down
            self._rig.wait(delay)

    def _show(self, target: int | None, *, inverse: bool = False) -> None:
        """Show which key to press, inverse until it is pressed; the others are ticked or crossed."""
        if self._panel is None:
            return
        tiles = [Tile("stuck" if self.rest >> key & 1 else "") for key in range(KEYS)]
        for found in self.found:
            tiles[found.key] = Tile("yes" if found.good else "no")
        if target is not None:
            tiles[target] = Tile(f"={target + 1}", inverse=inverse)
        scene = BoardScene(tuple(tiles), headline=f"{KEYS if target is None else target}/{KEYS}")
        light = Light(contrast=self._rig.config.settings.contrast)
        self._panel.show(Picture(scene, light), self._rig.now())
        self._panel.service(self._rig.now())


def _sample(rig: Rig, keypad: Keypad) -> tuple[int, int]:
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
