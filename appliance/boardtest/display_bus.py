"""Checks 13 and 14: the display's bus, its real speed and its errors; the display's status byte.

Both drive the display themselves, and not through the panel, which would hide the errors.
"""

import errno
from collections import Counter
from collections.abc import Callable

from appliance.boardtest.plan import CannotRunError, Figures, milliseconds
from appliance.boardtest.rig import Rig
from appliance.config.schema import CHIPS
from appliance.core.picture.canvas import Frame
from appliance.core.picture.raster import render
from appliance.core.picture.scene import BoardScene, Light, Picture, Tile
from appliance.devices.i2c import BLOCK_MAX, PLAIN_I2C, STATUS_OFF, I2cSerial
from appliance.devices.oled import NOP
from appliance.devices.panel import make_display

LONG = 1024  # bytes of the transaction that is timed, without the address and the control byte
TIMED_TRIES = 5  # of these; the fastest counts, since the others were interrupted
FRAMES = 100
UPDATES = 10_000
READS = 1000
GIVE_UP = 20  # errors: a dead bus may take half a second for each

OFF, ON = 0xAE, 0xAF
FOLLOWS, UNREADABLE, WRONG = "follows", "unreadable", "wrong"


class TimedDisplay:
    """The display on its bus, and what its transactions have cost.

    `errors` counts by errno's name, `slowest` is in seconds. Raise `CannotRunError` if nothing answers.
    """

    def __init__(self, rig: Rig) -> None:
        display = rig.config.display
        if display.driver not in CHIPS:
            raise CannotRunError(f"the display is driven by {display.driver}, which need not be on this bus")
        rig.forget()  # the panel does not know what is sent here
        self.rig = rig
        self.errors: Counter[str] = Counter()
        self.slowest = 0.0
        try:
            self.bus = rig.open_bus()
            self.serial = I2cSerial(lambda: self.bus, display.address, rig.now)
            self.serial.command(NOP)
        except OSError as error:
            raise CannotRunError(f"no display answers at {display.address:#04x} ({_name(error)})") from error
        self.display = make_display(display, self.serial)
        self.size = display.width, display.height
        self.address = display.address

    def tried(self, act: Callable[[], object]) -> float | None:
        """Act, and return the seconds it took; None, and count the error, if the bus failed."""
        start = self.rig.now()
        try:
            act()
        except OSError as error:
            self.errors[_name(error)] += 1
            return None
        seconds = self.rig.now() - start
        self.slowest = max(self.slowest, seconds)
        return seconds

    def show(self, frame: Frame, *, anew: bool = False) -> float | None:
        """Send a frame, or what differs from the last one; initialise the display again after an error."""
        if anew:
            return self.tried(lambda: self.display.initialise(frame, Light(), turned=False))
        took = self.tried(lambda: self.display.update(frame, Light()))
        if took is None:
            self.show(frame, anew=True)
        return took

    @property
    def failed(self) -> int:
        """The number of errors so far."""
        return self.errors.total()

    def kinds(self) -> str:
        """Return the errors by errno: "EREMOTEIO 3"; "none" without any."""
        return " ".join(f"{name} {count}" for name, count in sorted(self.errors.items())) or "none"


def _name(error: OSError) -> str:
    return errno.errorcode.get(error.errno or 0, type(error).__name__)


def bus(rig: Rig) -> Figures:
    """Time a long transaction, then send frames and updates."""
    timed = TimedDisplay(rig)
    adapter = rig.machine.text(f"sys/class/i2c-dev/i2c-{rig.config.display.port}/name") or "unknown"
    figures = {"adapter": adapter, "functions": f"{timed.bus.funcs:#x}", **_speed(timed)}
    marks = [render(Picture(BoardScene((Tile(mark), *(Tile(),) * 8))), *timed.size) for mark in ("x", "")]
    inverted = [marks[0], marks[0]._replace(data=bytes(byte ^ 0xFF for byte in marks[0].data))]
    timed.show(marks[0], anew=True)
    frames = [timed.show(inverted[count % 2]) for count in range(1, FRAMES + 1) if timed.failed < GIVE_UP]
    timed.slowest = 0.0  # from here on
    timed.show(marks[0])
    sent = [timed.show(marks[count % 2]) for count in range(1, UPDATES + 1) if timed.failed < GIVE_UP]
    return {
        **figures,
        **_mean("frame_ms", frames),
        **_mean("update_ms", sent),
        "slowest_ms": milliseconds(timed.slowest),
        "updates": len(sent),
        "errors": timed.failed,
        "kinds": timed.kinds(),
    }


def _speed(timed: TimedDisplay) -> Figures:
    """Return the bus's clock: nine bits a byte, over the time of a transaction that does nothing."""
    plain = timed.bus.funcs & PLAIN_I2C
    overhead = 2 if plain else 2 * LONG // BLOCK_MAX  # addresses and control bytes
    times = [timed.tried(lambda: timed.serial.command(*[NOP] * LONG)) for _ in range(TIMED_TRIES)]
    best = min((seconds for seconds in times if seconds), default=0.0)
    return {"scl_khz": round((LONG + overhead) * 9 / best / 1000)} if best else {}


def _mean(name: str, times: list[float | None]) -> Figures:
    good = [seconds for seconds in times if seconds is not None]
    return {name: milliseconds(sum(good) / len(good))} if good else {}


def status(rig: Rig) -> Figures:
    """Read the status byte while the display is on, and while it is off."""
    timed = TimedDisplay(rig)
    frame = Frame.blank(*timed.size)
    timed.show(frame, anew=True)
    lit = _reads(timed, ON)
    dark = _reads(timed, OFF)
    failed = timed.failed
    timed.show(frame, anew=True)
    return {
        "on": _listed(lit),
        "off": _listed(dark),
        "status": _follows(lit, dark),
        "survives": "no" if timed.failed > failed or not _answers(timed) else "yes",
    }


def _reads(timed: TimedDisplay, command: int) -> Counter[int | None]:
    """Return how often each value was read, None for no answer; give up if all of the first do not answer."""
    values: Counter[int | None] = Counter()
    timed.tried(lambda: timed.serial.command(command))
    for _ in range(READS):
        if values[None] == values.total() == GIVE_UP:
            break
        try:
            values[timed.bus.read_byte(timed.address)] += 1
        except OSError:
            values[None] += 1
    return values


def _answers(timed: TimedDisplay) -> bool:
    return timed.tried(lambda: timed.serial.command(NOP)) is not None


def _listed(values: Counter[int | None]) -> str:
    names = {value: "no answer" if value is None else f"{value:#04x}" for value in values}
    return ", ".join(f"{names[value]} {count} times" for value, count in values.most_common(4))


def _follows(lit: Counter[int | None], dark: Counter[int | None]) -> str:
    """Return whether bit 6 says that the display is off.

    Some modules are write-only, and some answer every read with the same byte: the box then goes without.
    """
    if None in lit and None in dark and len(lit) == len(dark) == 1:
        return UNREADABLE
    if lit.keys() == dark.keys() and len(lit) == 1:
        return UNREADABLE
    if None in lit or None in dark:
        return WRONG
    right = all(not value & STATUS_OFF for value in lit if value is not None) and all(
        value & STATUS_OFF for value in dark if value is not None
    )
    return FOLLOWS if right else WRONG
