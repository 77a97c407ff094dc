"""The simulator in a terminal: keys in, the chip's picture out, and the box in between, paced by a clock."""

import io
import logging
import os
import select
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr

from appliance.core.errors import printable
from appliance.core.session.view import scene
from appliance.simulator.input_state import DIGITS, PROMPTS, InputState, TypedCommand
from appliance.simulator.layout import Screen, Style, View, arrange, draw
from appliance.simulator.pace import Pace
from appliance.simulator.spoken import why_dark, words_of
from appliance.simulator.terminal import ENDING, Click, Keyboard, Terminal, Token, stop_here
from appliance.simulator.virtual import VirtualBox

REFRESH = 1 / 30  # seconds at most between reads of the chip
GOODBYE = 0.5  # seconds for which the goodbye is shown

LOG_LINES = 200
FRESH = 8.0  # seconds for which the newest one is shown


class LogBuffer(logging.Handler):
    """Keeps log lines while the terminal shows a picture: the newest to show, and warnings to print later."""

    def __init__(self, level: int, clock: Callable[[], float]) -> None:
        super().__init__(level)
        self.kept: deque[str] = deque(maxlen=LOG_LINES)
        self._clock = clock
        self._newest = ("", 0.0)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        lines = self.format(record).splitlines() or [""]
        self.note(lines[0])
        if record.levelno >= logging.WARNING:
            self.kept.extend(lines)

    def note(self, line: str) -> None:
        """Show a line as if it had been logged."""
        self._newest = (printable(line), self._clock() + FRESH)

    @property
    def newest(self) -> str:
        """The first line of the newest record, "" if it is old."""
        line, until = self._newest
        return line if self._clock() < until else ""

    @contextmanager
    def capture(self) -> Iterator[None]:
        """Capture logging and standard error for the duration of the block."""
        root, written = logging.getLogger(), io.StringIO()
        level = root.level
        root.setLevel(self.level)
        root.addHandler(self)
        try:
            with redirect_stderr(written):
                yield
        finally:
            root.removeHandler(self)
            root.setLevel(level)
            self.kept.extend(written.getvalue().splitlines())


class Console:
    """The simulator in a terminal.

    `styles` are tried in order; `wake` is the descriptor that `terminal.signals` yields. After `run`,
    `log.kept` has the lines worth printing, and `signal` the number of the signal that ended it, 0 for none.
    """

    closing: int = signal.SIGHUP  # what it means that the terminal has been closed

    def __init__(
        self,
        box: VirtualBox,
        terminal: Terminal,
        styles: Sequence[Style],
        shades: Sequence[str],
        wake: int,
        *,
        log_level: int = logging.INFO,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.log = LogBuffer(log_level, clock)
        self.signal = 0
        self._box = box
        self._terminal = terminal
        self._styles = styles
        self._shades = shades
        self._says_words = Style.BRAILLE not in styles  # the picture may be shown at half size
        self._wake = wake
        self._clock = clock
        self._now = clock()
        self._pace = Pace(self._now)
        # A hold must be long enough for the menu.
        self._input = InputState(max(3.0, box.hardware.config.keypad.hold + 1.0))
        self._keyboard = Keyboard()
        self._down: frozenset[int] = frozenset()
        self._stuck: frozenset[int] = frozenset()
        self._size: tuple[int, int] | None = None  # of the terminal; None until it is taken over
        self._layout: Screen | str = ""
        self._view: View | None = None  # on the screen
        self._beeps: list[str] = []  # what the buzzer sounds, until the bell rings for it
        box.hardware.heard = self._beeps.append
        self._refresh = 0.0  # when to read the chip again
        self._ended: float | None = None  # when the box was asked to stop, or stopped by itself

    def run(self) -> None:
        """Run until the person quits, a signal arrives, the terminal closes or the box switches itself off.

        However it ends, the terminal is restored. Exceptions from the box's code propagate.
        """
        with self.log.capture(), self._terminal:
            while self._ended is None or self._clock() < self._ended + GOODBYE:
                self._turn()

    def _turn(self) -> None:
        """Do what is due, wait for input or the next deadline, and handle it."""
        self._advance()
        if self._now >= self._refresh:
            self._refresh = self._now + REFRESH
            self._paint()
            if self._beeps:
                self._beeps.clear()
                self._terminal.ring()
        next_switch = self._now + self._input.due(self._box.time) - self._box.time
        soonest = min(self._refresh, next_switch, self._keyboard.due or self._refresh)
        timeout = max(0.0, soonest - self._clock())
        ready, _, _ = select.select([self._terminal.fd_in, self._wake], [], [], timeout)
        self._advance()
        if self._wake in ready:
            self._take_signals(os.read(self._wake, 64))
        tokens = self._keyboard.flush(self._now)
        if self._terminal.fd_in in ready:
            data = self._terminal.read()
            tokens += self._keyboard.feed(data, self._now)
            if not data:
                self._end(self.closing)
        for token in tokens:
            self._take(token)
        if self._box.phase == "ended" and self._ended is None:
            self._ended = self._now  # the box switched itself off

    def _advance(self) -> None:
        """Advance the box by the time that has passed here, moving each switch at its own moment."""
        self._now = self._clock()
        end = self._box.time + self._pace.passed(self._now)
        while True:
            down = self._input.closed(self._box.time)
            for key in down - self._down:
                self._box.hardware.network.press(key)
            for key in self._down - down:
                self._box.hardware.network.release(key)
            self._down = down
            if self._box.time >= end:
                return
            self._box.run_to(min(end, self._input.due(self._box.time)))

    def _take_signals(self, numbers: bytes) -> None:
        for number in numbers:
            if number in ENDING:
                self._end(number)
            elif number == signal.SIGTSTP:
                self._input.release_all(self._box.time)
                self._terminal.leave()
                stop_here()
                self._size = None
            elif number == signal.SIGCONT:
                self._size = None  # SIGSTOP may have stopped it, without a chance to leave the terminal
        self._refresh = 0.0  # the window may have been resized

    def _take(self, token: Token) -> None:
        now = self._box.time
        match token:
            case Click(column, row, down=True):
                layout, turned = self._layout, self._box.session.settings.turned
                key = layout.key_at(column, row, turned=turned) if isinstance(layout, Screen) else None
                if key is not None:
                    self._input.hold("mouse", key, now)
            case Click():
                self._input.release("mouse", now)
            case str():
                command = self._input.type(token, now)
                if command is not None:
                    self._do(command)

    def _do(self, command: TypedCommand) -> None:
        bus, network = self._box.hardware.bus, self._box.hardware.network
        match command:
            case "stick", switch:
                (network.unstick if switch in self._stuck else network.stick)(switch)
                self._stuck ^= {switch}
            case "cable", _:
                (bus.plug if bus.unplugged else bus.unplug)()
            case "bus error", nth:
                bus.fault(nth)
            case "redraw", _:
                self._size = None
            case "unknown", character:
                key = f'"{chr(character)}"' if chr(character).isprintable() else "That key"
                self.log.note(f"{key} does nothing here: 1 to 9 press a button, q quits.")
            case "quit", _:
                self._end()

    def _end(self, number: int = 0) -> None:
        """Ask the box to stop; the second time, skip the goodbye."""
        self.signal = self.signal or number
        if self._ended is None:
            self._ended = self._now
            self._box.stop()
        else:
            self._ended -= GOODBYE

    def _paint(self) -> None:
        """Redraw the screen if what the chip shows, or anything else on it, has changed."""
        size, hardware = self._terminal.size, self._box.hardware
        view = View(
            frame=hardware.picture(),
            contrast=hardware.chip.contrast,
            title=f"tic-tac-toe on {hardware.display_name}",
            lamp=hardware.lamp,
            label="" if hardware.chip.lit else "unplugged" if hardware.bus.unplugged else "off",
            down=self._down | self._stuck,
            status=self._status(),
            words=" | ".join(words_of(scene(self._box.session)))
            if hardware.chip.lit and self._says_words
            else "",
        )
        if size != self._size:
            self._terminal.enter()
            self._layout = arrange(*size, (view.frame.width, view.frame.height), self._styles)
        elif view == self._view:
            return
        self._size, self._view = size, view
        self._terminal.show(draw(self._layout, view, *size, self._shades))

    def _status(self) -> str:
        """Return the status line."""
        parts, prefix = [], self._input.prefix
        if prefix:
            parts.append(f"{PROMPTS[prefix[0]]} {prefix[1:]}".strip())
        if self._down:
            held = any(press.holder == "key" for press in self._input.presses)
            parts.append(f"down: {_digits(self._down)}" + (" (any key releases)" if held else ""))
        if self._stuck:
            parts.append(f"stuck: {_digits(self._stuck)}")
        return "   ".join(filter(None, [*parts, self._dark(), self.log.newest]))

    def _dark(self) -> str:
        """Return why the display is dark, and what helps; "" if it is lit."""
        return why_dark(self._box) + (": u plugs it in" if self._box.hardware.bus.unplugged else "")


def _digits(switches: frozenset[int]) -> str:
    return " ".join(sorted(DIGITS[switch] for switch in switches))
