"""Nine keys in a 3x3 matrix on gpiozero pins: sense and scan.

Six pins read nine keys: each key connects one row to one column. Columns are inputs with a pull-up. Rows are
driven low or are inputs, never high, so that no combination of closed keys can short two outputs of different
levels. A row that is not driven has a pull-up, too: with its power-on pull-down (GPIO 9 to 27) it would hold
the columns of its closed keys at half the supply, where no datasheet says what an input reads. At rest all
rows are low, and one read of the three columns shows whether any key is down; only then is the matrix
scanned, one row at a time. Between two rows the columns need time to rise, or a key of the last row would
echo in the next.

Polling fifty times a second would be most of the work of a box at rest. So if the pin factory can wait for
edges and no key has been touched for a second, the keypad parks: the columns are watched for edges instead.
An edge only says that it is time to poll, so a spurious one does no harm; `missed` finds a key whose edge was
lost. The kernel's own driver for key matrices, matrix_keypad, rests in the same way.
"""

import contextlib
import logging
import math
import threading
from collections.abc import Sequence
from typing import Any

from gpiozero import Device

from appliance.core.keys.gestures import HOLD, KeyState, at_rest, busy, feed, settled
from appliance.core.keys.key_events import KeyEvent
from appliance.core.keys.scan import COLUMNS, ROWS

log = logging.getLogger("tictactoe")

PARKED = math.inf  # seconds until the next poll while parked
PARK_AFTER = 1.0  # seconds without a touched key until it parks; parking and unparking cost about ten scans
BUSY, AWAKE, ASLEEP = 0.005, 0.02, 0.04  # seconds between polls; busy: a key is down or its contacts settle

_ALL = (1 << ROWS) - 1
_LAST = 1 << (ROWS - 1)

# Reads at most to wait for a low column to rise once no row is driven. A pull-up of 50 kOhm charges 200 pF of
# wire to the threshold in about 10 us, and no Pi reads a pin in less than 2 us. A column that is still low
# after these reads is held down by something else.
SETTLE_READS = 32


class Keypad(Device):  # type: ignore[misc]  # gpiozero has no types, and reserving pins takes a Device
    """The key matrix.

    `rows` and `columns` are BCM numbers, from the top and from the left; `factory` is a gpiozero pin factory;
    a key that is down for `hold` seconds is a hold.
    With `parks` the keypad parks if the factory has `wait` and `wake`, as
    `appliance.devices.kernelpins.KernelFactory` does.
    Raises `ValueError` for pins that cannot be a keypad, before it touches any, and whatever gpiozero raises
    if a pin is in use or unavailable; the pins are inputs then.
    """

    _open = False  # stays so if `__init__` fails: gpiozero calls `close` even then

    def __init__(
        self,
        rows: Sequence[int],
        columns: Sequence[int],
        factory: Any,
        hold: float = HOLD,
        *,
        parks: bool = True,
    ) -> None:
        self._lock = threading.Lock()
        self._rows: tuple[Any, ...] = ()
        self._columns: tuple[Any, ...] = ()
        self._low = 0  # the rows driven low (bits); 0 also until the pins are set up
        self._asleep = False
        self._state = KeyState()
        self._at_rest = False
        self._hold = hold
        self._parks = parks and hasattr(factory, "wait")
        self._parked = False
        self._refused = False  # the kernel refused to watch the columns, which has been logged
        self._edge = False  # a column has fallen since it parked
        self._park_at = -math.inf  # seconds of `poll`'s clock
        if (len(rows), len(columns), len({*rows, *columns})) != (ROWS, COLUMNS, ROWS + COLUMNS):
            raise ValueError(f"not {ROWS} rows and {COLUMNS} columns on different pins: {rows}, {columns}")
        super().__init__(pin_factory=factory)
        self._open = True
        try:
            factory.reserve_pins(self, *rows, *columns)
            self._rows = tuple(factory.pin(pin) for pin in rows)
            self._columns = tuple(factory.pin(pin) for pin in columns)
            self._set_up()
        except BaseException:
            self.close()
            raise

    @property
    def closed(self) -> bool:
        """Whether the pins have been released."""
        return not self._open

    @property
    def value(self) -> int:
        """The last raw scan, a bit per key: ghosts included, not debounced."""
        return self._state.raw

    @property
    def parked(self) -> bool:
        """Whether the columns are watched for edges, and no poll is due."""
        return self._parked

    @property
    def settled(self) -> bool:
        """Whether polls make no difference until a contact moves; a key may be stuck."""
        return settled(self._state)

    def rest(self, asleep: bool) -> None:
        """Poll less often while the box is asleep; every key is still noticed."""
        self._asleep = asleep

    def poll(self, now: float) -> tuple[tuple[KeyEvent, ...], float]:
        """Read the keys once; return the events, and the seconds until the next poll.

        The seconds are `PARKED`, infinite, if no poll is due until `wait` returns; polling sooner is allowed,
        and unparks. `now` is in seconds of the daemon's clock. If a pin fails, its error is raised and the
        rows become inputs; the next call sets up all pins again. Raises `gpiozero.DeviceClosed` after
        `close`.
        """
        with self._lock:
            if not self._open:
                self._check_open()
            try:
                woken = self._unpark()
                raw, touched = self._sample()
                if self._at_rest and not touched and not woken:  # by far the most common case
                    return (), PARKED if self._park(now) else self._slowly()
            except BaseException:
                self._release_rows()
                self._park_at = now + PARK_AFTER
                raise
            self._park_at = now + PARK_AFTER
            self._state, events = feed(self._state, raw, now, self._hold)
            self._at_rest = at_rest(self._state)
        # An edge, or a column that was low, but no key: its contacts may be settling.
        soon = busy(self._state) or ((touched or woken) and not raw)
        return events, BUSY if soon else self._slowly()

    def wait(self, seconds: float | None = None) -> bool:
        """Block until a key closes, `wake` is called or the seconds are over; return at once if not parked.

        Return False if no key has closed: the keypad is still parked. Raises `OSError` if the kernel reports
        a fault instead of an edge.
        """
        if self._parked and self.pin_factory.wait(seconds):
            self._edge = True
        return self._edge or not self._parked

    def missed(self) -> bool:
        """Return whether a key is down though the keypad is parked: its edge was lost."""
        with self._lock:  # `close` releases the pins
            return self._parked and self._read() > 0

    def wake(self) -> None:
        """Make `wait` return: the current call, or else the next. Any thread may call this."""
        if self._parks and self._open:
            self.pin_factory.wake()

    def close(self) -> None:
        """Make every pin an input, which keeps its pull-up, and release it. Idempotent; never raises."""
        if not self._open:
            return
        with self._lock:
            self._parked = False  # first, or the woken thread could go back to waiting
            self.wake()
            self._open = False
            self._release_rows()
            for pin in (*self._rows, *self._columns):
                with contextlib.suppress(Exception):  # the other pins must be released too
                    pin.close()
            with contextlib.suppress(Exception):
                self.pin_factory.release_all(self)

    def _slowly(self) -> float:
        return ASLEEP if self._asleep else AWAKE

    def _park(self, now: float) -> bool:
        """Park if the keys have been at rest for long enough; return whether the keypad is parked."""
        if not self._parks or now < self._park_at:
            return False
        self._edge = False
        try:
            for pin in self._columns:
                pin.watch()
        except OSError as error:
            if not self._refused:
                log.info("the keys are polled: their pins cannot be watched (%s)", error)
            self._refused = True
            self._park_at = now + PARK_AFTER  # the next try
            self._unwatch()
            return False
        self._refused = False
        low = self._read()
        self._parked = True
        if low:  # a key that closed before its column was watched causes no edge
            self._edge = True
            self.wake()
        return True

    def _unpark(self) -> bool:
        parked, self._parked = self._parked, False
        if parked:
            self._unwatch()
        return parked

    def _unwatch(self) -> None:
        for pin in self._columns:
            pin.unwatch()

    def _set_up(self) -> None:
        for pin in self._columns if self._parks else ():
            with contextlib.suppress(OSError):  # the next loop also stops the watch, or raises the error
                pin.unwatch()
        for pin in (*self._columns, *self._rows):  # all of them before any row is driven
            pin.input_with_pull("up")
        self._lower_all()

    def _release_rows(self) -> None:
        self._low = 0
        for pin in self._rows:
            with contextlib.suppress(Exception):  # one failing row must not leave the others low
                pin.input_with_pull("up")

    def _sample(self) -> tuple[int, bool]:
        """Return the raw scan, and whether a column was low before it: a contact may open in between."""
        if not self._low:
            self._set_up()
        low = 0
        if self._low == _ALL:
            low = self._read()
            if not low:
                return 0, False
        raw = self._scan(low)
        if not raw:
            self._lower_all()
        return raw, True

    def _scan(self, low: int) -> int:
        """Read each row; `low` are the columns (bits) low now. The last row stays low for the next scan."""
        raw = 0
        for row in range(ROWS) if self._low != _LAST else reversed(range(ROWS)):
            if self._low != 1 << row:
                self._lower_only(row, low)
            low = self._read()
            raw |= low << row * COLUMNS
        return raw

    def _read(self) -> int:
        left, middle, right = self._columns
        return (not left.state) | (not middle.state) << 1 | (not right.state) << 2

    def _lower_all(self) -> None:
        for row, pin in enumerate(self._rows):
            if not self._low >> row & 1:
                self._lower(row, pin)

    def _lower_only(self, row: int, low: int) -> None:
        """Drive only this row, after the columns that others held low have risen: they would echo in it."""
        for other, pin in enumerate(self._rows):
            if self._low >> other & 1:
                pin.input_with_pull("up")
        self._low = 0
        for column, pin in enumerate(self._columns):
            if low >> column & 1:
                any(pin.state for _ in range(SETTLE_READS))
        self._lower(row, self._rows[row])

    def _lower(self, row: int, pin: Any) -> None:
        # Not `function = "output"` and then `state = 0`: on some backends that drives the old level first.
        pin.output_with_state(0)
        self._low |= 1 << row
