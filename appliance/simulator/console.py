"""The simulator at work in a terminal: keys in, the chip's picture out, the daemon on a thread of its own."""

import os
import select
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import replace

from appliance.daemon import Service
from appliance.simulator import habits as hb
from appliance.simulator.desk import Desk
from appliance.simulator.face import Face, Look, arrange, draw
from appliance.simulator.habits import Do, Habits, Wish, digit_of
from appliance.simulator.keyboard import Click, Key, Keyboard, TellsReleases, Token
from appliance.simulator.notes import Notes
from appliance.simulator.painter import Depth, Style, seen
from appliance.simulator.terminal import ENDING, Terminal, stop_here

REFRESH = 1 / 30  # seconds between two looks at the chip, at least
GOODBYE = 0.5  # seconds for which the goodbye is shown
GIVE_UP = 5.0  # seconds after which a daemon that does not end is left to itself
FIRST_LOOK = 0.2  # seconds until the box has looked at its keys: one that is down before that is a stuck one

PROMPTS = {
    "h": "hold which key?",
    "c": "two at once: which key?",
    "s": "stick or free which key?",
    "b": "which key's contacts chatter?",
    "e": "a bus error on which byte from now, 1 to 9?",
}


class Daemon(threading.Thread):
    """The service on a thread of its own."""

    def __init__(self, service: Service) -> None:
        super().__init__(name="daemon", daemon=True)
        self._service = service
        self.error: BaseException | None = None

    def run(self) -> None:
        """Run the service to its end, and keep the exception that ended it, if one did."""
        try:
            self._service.run()
        except BaseException as error:  # noqa: BLE001 - raised again by `Console.run`, where a person can see it
            self.error = error


class Console:
    """One sitting at the simulator.

    `styles` are tried in their order; `wake` is where signals come from (`terminal.signals`). Afterwards
    `notes.kept` has what is worth printing, and `signal` is the number of the signal that ended the sitting,
    0 for none.
    """

    def __init__(
        self,
        desk: Desk,
        service: Service,
        terminal: Terminal,
        habits: Habits,
        styles: Sequence[Style],
        depth: Depth,
        wake: int,
        notes: Notes,
    ) -> None:
        self.notes = notes
        self.signal = 0
        self._desk = desk
        self._service = service
        self._daemon = Daemon(service)
        self._terminal = terminal
        self._habits = habits
        self._styles = styles
        self._depth = depth
        self._wake = wake
        self._keyboard = Keyboard()
        self._tells_releases = False
        self._down: frozenset[int] = frozenset()
        self._stuck: frozenset[int] = frozenset()
        self._face: Face | str = ""
        self._seen: tuple[tuple[int, int], Look] | None = None
        self._refresh = 0.0  # when to look at the chip again
        self._asked: float | None = None  # when the daemon was asked to end

    def run(self) -> None:
        """Sit until the person quits, a signal comes, the box switches itself off, or the daemon fails.

        Then the terminal is as it was and the daemon has ended. Raise what the daemon failed with, and
        `TimeoutError` for one that does not end.
        """
        self._habits = replace(self._habits, free=time.monotonic() + FIRST_LOOK)
        with self.notes.instead():
            self._daemon.start()
            try:
                with self._terminal:
                    while not self._over(time.monotonic()):
                        self._turn()
            finally:
                self._service.stop()
                self._daemon.join(GIVE_UP)
        if self._daemon.error is not None:
            raise self._daemon.error
        if self._daemon.is_alive():
            raise TimeoutError(f"the daemon did not end within {GIVE_UP:g} s")

    def _over(self, now: float) -> bool:
        if self._daemon.is_alive():
            return self._asked is not None and now >= self._asked + GIVE_UP
        if self._asked is None:
            self._asked = now  # the box has switched itself off
        return bool(self.signal or self._daemon.error) or now >= self._asked + GOODBYE

    def _turn(self) -> None:
        """Do what is due, then wait for something to happen or to be due, and take it in."""
        now = time.monotonic()
        self._habits, down = hb.closed(self._habits, now)
        self._move(down)
        if now >= self._refresh:
            self._refresh = now + REFRESH
            self._paint()
        times = [self._refresh, hb.due(self._habits), self._keyboard.due()]
        soonest = min(due for due in times if due is not None)
        watched = [self._terminal.fd_in, self._wake]
        ready, _, _ = select.select(watched, [], [], max(0.0, soonest - time.monotonic()))
        now = time.monotonic()
        if self._wake in ready:
            self._take_signals(os.read(self._wake, 64), now)
        tokens = self._keyboard.flush(now)
        if self._terminal.fd_in in ready:
            data = self._terminal.read()
            tokens += self._keyboard.feed(data, now)
            if not data:
                self._end(signal.SIGHUP)
        for token in tokens:
            self._take(token, now)

    def _move(self, down: frozenset[int]) -> None:
        """Press and release the switches that change."""
        for key in down - self._down:
            self._desk.network.press(key)
        for key in self._down - down:
            self._desk.network.release(key)
        self._down = down

    def _take_signals(self, numbers: bytes, now: float) -> None:
        for number in numbers:
            if number in ENDING:
                self._end(number)
            elif number == signal.SIGTSTP:
                self._habits = hb.let_all_go(self._habits, now)
                self._terminal.leave()
                stop_here()
                self._redraw()
            elif number == signal.SIGCONT:
                self._redraw()
        self._refresh = 0.0  # the window may have another size

    def _take(self, token: Token, now: float) -> None:
        match token:
            case Key():
                self._habits, wish = hb.typed(self._habits, token, now)
                if wish is not None:
                    self._grant(wish)
            case Click(column, row, down=True):
                turned = self._service.box.loop.session.settings.turned
                key = self._face.key_at(column, row, turned=turned) if isinstance(self._face, Face) else None
                if key is not None:
                    self._habits = hb.hold(self._habits, hb.MOUSE, key, now)
            case Click():
                self._habits = hb.let_go(self._habits, hb.MOUSE, now)
            case TellsReleases():
                self._tells_releases = True
                self._terminal.tell_releases()

    def _grant(self, wish: Wish) -> None:
        bus, network = self._desk.bus, self._desk.network
        match wish.do:
            case Do.STICK if wish.number in self._stuck:
                self._stuck -= {wish.number}
                network.unstick(wish.number)
            case Do.STICK:
                self._stuck |= {wish.number}
                network.stick(wish.number)
            case Do.CABLE:
                (bus.plug if bus.unplugged else bus.unplug)()
            case Do.BUS_ERROR:
                bus.fault(wish.number)
            case Do.REDRAW:
                self._redraw()
            case Do.SUSPEND:
                os.kill(0, signal.SIGTSTP)  # to all that were started together, as the terminal's driver does
            case Do.QUIT:
                self._end()

    def _end(self, number: int = 0) -> None:
        """Ask the daemon to end. Asked once more, do not wait until the goodbye has been seen."""
        self.signal = self.signal or number
        if self._asked is None:
            self._asked = time.monotonic()
            self._service.stop()
        else:
            self._asked -= GOODBYE

    def _redraw(self) -> None:
        """Take the terminal over once more, and draw everything anew."""
        self._terminal.enter()
        self._seen = None

    def _paint(self) -> None:
        """Show what the chip shows, if it or anything else on the screen has changed."""
        size = self._terminal.size
        chip = self._desk.chip
        look = Look(
            frame=seen(chip.picture(), self._desk.config.display.rotate),
            contrast=chip.contrast,
            label="" if chip.lit else "unplugged" if self._desk.bus.unplugged else "off",
            down=self._down | self._stuck,
            status=self._status(),
            numpad=self._habits.numpad,
            tells_releases=self._tells_releases,
        )
        if self._seen == (size, look):
            return
        if self._seen is None or self._seen[0] != size:
            self._terminal.forget()
            self._face = arrange(*size, (look.frame.width, look.frame.height), self._styles)
        self._seen = (size, look)
        self._terminal.show(draw(self._face, look, *size, self._depth))

    def _status(self) -> str:
        """Say in a line what is going on."""
        habits, session = self._habits, self._service.box.loop.session
        told = []
        if habits.prefix:
            told.append(f"{PROMPTS[habits.prefix[0]]} {habits.prefix[1:]}".strip())
        if self._down:
            held = any(press.source == hb.HELD for press in habits.presses)
            told.append(f"down: {self._digits(self._down)}" + (" (any key lets go)" if held else ""))
        if self._stuck:
            told.append(f"stuck: {self._digits(self._stuck)}")
        if self._desk.bus.unplugged:
            told.append("unplugged: u plugs it in")
        elif not session.lit:
            told.append("asleep: any key wakes it")
        elif not self._desk.chip.lit:
            told.append("the box will try the display again")
        return "   ".join([*told, self.notes.newest]).strip()

    def _digits(self, keys: frozenset[int]) -> str:
        return " ".join(sorted(digit_of(key, numpad=self._habits.numpad) for key in keys))
