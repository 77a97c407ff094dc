"""The one queue, its one consumer, the timers, and the carrying out of effects.

Everything that happens comes through `put`: from the scanner's thread, the engine's thread and signal
handlers (`SimpleQueue.put` is reentrant, so a handler may call it). Only `turn` takes out, on one thread.
"""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Protocol

from appliance.core import effects as fx
from appliance.core.events import Event, Refused, Timeout
from appliance.core.match import Finished
from appliance.core.scene import Picture
from appliance.core.session import begin, step
from appliance.core.state import Session
from appliance.core.view import view
from appliance.records import dataclass

BATCH = 32  # events that one turn handles at most
SLICE = 0.5  # seconds after which a turn takes no more events
STOOD = 1.0  # seconds slept without an advance of the clock


class Served(Protocol):
    """A device that has something to do by itself now and then."""

    def service(self, now: float) -> None:
        """Do what is due."""
        ...

    def due(self) -> float | None:
        """Return when `service` wants to be called next, None for never."""
        ...

    def close(self) -> None:
        """Let the device go."""
        ...


class Screen(Served, Protocol):
    """Where pictures go. None of its functions raises for a fault of the hardware.

    It is served to try a lost display again, and to refresh an idle one; closed, it stays as it is.
    """

    def show(self, picture: Picture, now: float) -> None:
        """Show a picture."""
        ...

    def turn(self, turned: bool, now: float) -> None:
        """Turn the picture by 180 degrees from how it is mounted, or not."""
        ...


class Keeper(Served, Protocol):
    """Where the game in progress, the score, the settings and the finished games are kept.

    None of its functions raises for a fault of the disk; it is served to try a failing one again.
    """

    @property
    def problem(self) -> str:
        """A sentence for a person about what is wrong with the disk, "" when all is well."""
        ...

    def save(self, state: fx.Save) -> None:
        """Note the state of the box."""
        ...

    def archive(self, game: Finished) -> None:
        """Note a finished game."""
        ...

    def sync(self) -> None:
        """Commit what has been noted, so that it outlives a power cut. Returns within about a second."""
        ...

    def trouble(self, now: float, /) -> str:
        """Return "" while the store works, otherwise a sentence for the journal."""
        ...


@dataclass(frozen=True, slots=True)
class Outputs:
    """What the loop acts on. Each function returns soon and raises nothing for a fault of the hardware."""

    screen: Screen
    think: Callable[[fx.Think], None]  # the reply is an `Answer` that is put
    rest: Callable[[bool], None]  # the keys may be sensed slowly
    keeper: Keeper
    beep: Callable[[str], None]
    lamp: Callable[[bool], None]
    power: Callable[[str, Callable[[str], object]], object]  # calls back with a key of the words if refused


class Loop:
    """The session, and the world around it.

    `now` reads the one clock, in seconds. Where `turn` is called with the clock standing still, as a
    simulation on a virtual clock does, nothing here waits.
    """

    def __init__(self, session: Session, outputs: Outputs, now: Callable[[], float]) -> None:
        self.session = session
        self.ended = False
        self.turns = 0  # completed turns
        self._outputs = outputs
        self._served: tuple[Served, ...] = (outputs.screen, outputs.keeper)
        self._now = now
        self._queue: SimpleQueue[Event] = SimpleQueue()
        self._timers: dict[str, float] = {}
        self._stood = 0.0  # seconds slept in a row without any advance of the clock

    def put(self, event: Event) -> None:
        """Bring in something that has happened. Any thread and any signal handler may call this."""
        self._queue.put(event)

    def start(self) -> None:
        """Show the first picture and begin to play."""
        self.session, effects = begin(self.session, self._now())
        self._carry_out(effects)
        self._outputs.keeper.sync()  # and so ready for the first press

    def due(self) -> float | None:
        """Return the time of the next thing to do that nobody will bring in, None for none."""
        times = list(self._timers.values())
        times += [due for device in self._served if (due := device.due()) is not None]
        return min(times, default=None)

    def wait(self, longest: float) -> None:
        """Do one turn, sleeping before it until something happens or is due, `longest` seconds at most."""
        due, now = self.due(), self._now()
        if due is not None:
            longest = min(longest, due - now)
        try:
            event = self._queue.get(timeout=longest) if longest > 0 else self._queue.get_nowait()
        except Empty:
            event = None
        self._stood = self._stood + max(longest, 0.0) if self._now() == now and event is None else 0.0
        self.turn(event)

    def trouble(self) -> str:
        """Return a sentence if the clock stands still, since then no timer ever runs out; else ""."""
        return f"the clock stands still: {self._stood:.0f} s were slept" if self._stood > STOOD else ""

    def turn(self, event: Event | None = None) -> None:
        """Handle an event, if one is given, then those in the queue, then what is due.

        A turn handles a limited number of events, so that the watchdog is fed between turns.
        """
        began = self._now()
        if event is not None:
            self._handle(event)
        for _ in range(BATCH):
            if self.ended or self._now() - began > SLICE:
                break
            try:
                event = self._queue.get_nowait()
            except Empty:
                break
            self._handle(event)
        now = self._now()
        for at, name in sorted((at, name) for name, at in self._timers.items() if at <= now):
            if self.ended:
                break
            if self._timers.get(name) == at:  # an earlier one may have cancelled it or armed it again
                del self._timers[name]
                self._handle(Timeout(now, name))
        for device in self._served:
            due = device.due()
            if due is not None and due <= now:
                device.service(now)
        self.turns += 1

    def _handle(self, event: Event) -> None:
        self.session, effects = step(self.session, event)
        self._carry_out(effects)

    def _carry_out(self, effects: tuple[fx.Effect, ...]) -> None:
        out = self._outputs
        for effect in effects:
            match effect:
                case fx.Draw():
                    out.screen.show(view(self.session), self._now())
                case fx.Think():
                    out.think(effect)
                case fx.Arm(timer, seconds):
                    self._timers[timer] = self._now() + seconds
                case fx.Disarm(timer):
                    self._timers.pop(timer, None)
                case fx.Save():
                    out.keeper.save(effect)
                case fx.Archive(game):
                    out.keeper.archive(game)
                case fx.Beep(signal):
                    out.beep(signal)
                case fx.Lamp(on):
                    out.lamp(on)
                case fx.Rest(asleep):
                    out.rest(asleep)
                case fx.Turn(turned):
                    out.screen.turn(turned, self._now())
                case fx.Power(action):
                    out.power(action, lambda reason: self.put(Refused(self._now(), reason)))
                case fx.Quit():
                    self.ended = True
        # After the picture: a person sees the mark while the card is still at work. The next press waits.
        if any(isinstance(effect, fx.Save | fx.Archive) for effect in effects):
            out.keeper.sync()
