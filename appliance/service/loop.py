"""The event loop: a queue, its only consumer, the timers, and the code that carries effects out.

All events come through `put`: from the scanner's thread, the engine's, and the one that waits for signals.
Only `turn` takes them out, on one thread. The queue's `put` is reentrant: even a signal handler may call it.
"""

import logging
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import NamedTuple

from appliance.core.problems import Problem
from appliance.core.session import events as fx
from appliance.core.session.events import Event, Reading, Refused, Timeout
from appliance.core.session.state import Session, keepsakes
from appliance.core.session.transitions import begin, carry_over, step
from appliance.core.session.view import view
from appliance.devices.keypad import Keypad
from appliance.devices.panel import Panel
from appliance.devices.supply import Supply
from appliance.storage.store import Store
from appliance.storage.writer import Writer

log = logging.getLogger("tictactoe")

Keeper = Store | Writer  # the latter where the card may be slow; neither raises on a disk fault

BATCH = 32  # the most events that one turn takes from the queue
TURN_SECONDS = 0.5  # seconds after which a turn takes no more events
STOOD = 1.0  # seconds slept while the clock stood still: it counts as stopped


class Parts(NamedTuple):
    """The parts of a box: the real devices or their stand-ins. None raises on a hardware fault."""

    keypad: Keypad
    panel: Panel
    keeper: Keeper | None  # None: nothing is saved
    beep: Callable[[str], None]
    lamp: Callable[[bool], None]
    power: Callable[[str, Callable[[str], object]], object]  # calls back with a key of the words if refused
    supply: Supply | None = None  # None: the supply voltage is not watched
    silence: Problem | None = None  # why a configured buzzer makes no sound


class Loop:
    """The session, and the parts that its effects act on.

    `think` starts a search, which puts its reply, an `Answer` or a `Judged`. `now` reads the clock, in
    seconds. On a virtual clock, call `turn` instead of `wait`: it never sleeps.
    """

    def __init__(
        self,
        session: Session,
        parts: Parts,
        think: Callable[[fx.Think | fx.Judge], None],
        now: Callable[[], float],
    ) -> None:
        self.session = session
        self.parts = parts
        self.now = now
        self.ended = False
        self.turns = 0  # completed turns
        self._think = think
        self._queue: SimpleQueue[Event] = SimpleQueue()
        self._timers: dict[fx.Timer, float] = {}
        self._stood = 0.0  # seconds slept since the clock last advanced

    def put(self, event: Event) -> None:
        """Queue an event. Any thread may call this."""
        self._queue.put(event)

    def start(self) -> None:
        """Show the first picture and begin to play."""
        self._enter(*begin(self.session, self.now()))
        if self.parts.keeper:
            self.parts.keeper.keep(())  # now, so that the first press does not wait for it

    def close(self) -> None:
        """Make the pins inputs, leave the last picture on the display, close the files."""
        self.parts.keypad.close()
        self.parts.panel.close()
        if self.parts.keeper:
            self.parts.keeper.close()

    def due(self) -> float | None:
        """Return when the next timer or the panel is due, None for never."""
        panel_due = self.parts.panel.due()
        times = [*self._timers.values(), *([] if panel_due is None else [panel_due])]
        return min(times, default=None)

    def wait(self, longest: float) -> None:
        """Sleep until an event comes or something is due, `longest` seconds at most; then do one turn."""
        due, now = self.due(), self.now()
        if due is not None:
            longest = min(longest, due - now)
        try:
            event = self._queue.get(timeout=longest) if longest > 0 else self._queue.get_nowait()
        except Empty:
            event = None
        self._stood = self._stood + max(longest, 0.0) if self.now() == now and event is None else 0.0
        self.turn(event)

    def trouble(self) -> str:
        """Return a sentence if the clock has stopped, which keeps timers from expiring; else ""."""
        return f"the clock stands still: {self._stood:.0f} s were slept" if self._stood > STOOD else ""

    def turn(self, event: Event | None = None) -> None:
        """Handle an event, if one is given, then those in the queue, then what is due.

        A turn handles a limited number of events, so that the watchdog is fed between turns.
        """
        began = self.now()
        if event is not None:
            self._handle(event)
        for _ in range(BATCH):
            if self.ended or self.now() - began > TURN_SECONDS:
                break
            try:
                event = self._queue.get_nowait()
            except Empty:
                break
            self._handle(event)
        now = self.now()
        for at, name in sorted((at, name) for name, at in self._timers.items() if at <= now):
            if self.ended:
                break
            if self._timers.get(name) == at:  # an earlier one may have ended or re-armed it
                del self._timers[name]
                self._handle(Timeout(now, name))
        if self.parts.supply and (weak := self.parts.supply.poll(now)) is not None:
            self._handle(fx.Condition(now, "brownout", weak))
        self.parts.panel.service(now)
        self.turns += 1

    def _handle(self, event: Event) -> None:
        self._enter(*step(self.session, event))

    def _enter(self, session: Session, effects: tuple[fx.Effect, ...]) -> None:
        """Enter a state: show it, carry out the effects in order, save.

        So a person sees the mark before the engine thinks, and before the card is written. But a score that
        is shown as cleared must not come back.
        """
        before, self.session = self.session, session
        kept, cleared = keepsakes(before, session, effects), session.scores.games < before.scores.games
        if cleared:
            self._keep(kept)
        if session != before:
            self._show()
        if session.phase is not before.phase:
            self._timers = carry_over(self._timers, session.phase)
        for effect in effects:
            self._carry_out(effect)
        if not cleared:
            self._keep(kept)

    def _show(self) -> None:
        """Show the session: the picture, how it is turned, the lamp, and how often keys are scanned."""
        session, parts = self.session, self.parts
        parts.panel.turn(session.settings.turned, self.now())
        parts.panel.show(view(session), self.now())
        parts.keypad.rest(not session.lit)
        parts.lamp(session.awaits)

    def _carry_out(self, effect: fx.Effect) -> None:
        parts = self.parts
        match effect:
            case fx.Think() | fx.Judge():
                self._think(effect)
            case fx.Arm(timer, seconds):
                self._timers[timer] = self.now() + seconds
            case fx.Beep(signal):
                parts.beep(signal)
            case fx.Read():
                self.put(Reading(self.now(), parts.keypad.value))
            case fx.Log(text, warning):
                log.log(logging.WARNING if warning else logging.INFO, "%s", text)
            case fx.Power(action):
                parts.power(action, lambda reason: self.put(Refused(self.now(), reason)))
            case fx.Quit():
                self.ended = True

    def _keep(self, kept: list[fx.Keepsake]) -> None:
        if kept and self.parts.keeper:
            self.parts.keeper.keep(kept)
