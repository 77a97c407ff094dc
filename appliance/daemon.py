"""The composition root: puts the parts together, over whatever pins and bus it is given."""

import random
import time
from collections.abc import Callable
from pathlib import Path

from appliance.config import Config
from appliance.core.effects import Save, Think
from appliance.core.events import Event, Stop
from appliance.core.gestures import KeySettings
from appliance.core.match import Finished, Match
from appliance.core.play import first_mark
from appliance.core.resume import restore
from appliance.core.state import Session
from appliance.devices.keypad import Keypad
from appliance.devices.panel import Panel
from appliance.devices.scanner import Scanner
from appliance.loop import Keeper, Loop, Outputs
from appliance.records import dataclass
from appliance.storage.store import Store
from appliance.storage.writer import Writer
from appliance.thinker import Thinker

LONGEST_SLEEP = 3600.0  # seconds


def key_settings(config: Config) -> KeySettings:
    """Return how the keys are to be understood."""
    return KeySettings(hold=config.keypad.hold, steps=32)  # of the bar: a pixel or two each


def first_session(config: Config) -> Session:
    """Return the session of a box that has never been played on."""
    match = Match.new(config.settings.rule, first_mark(config.settings, None))
    return Session(match, config.settings, config.options)


def kept_session(config: Config, store: Store) -> Session:
    """Return the session to start with: what the store has kept, over what the configuration says."""
    session, kept = first_session(config), store.load()
    return restore(session, kept) if kept else session


class Forgetful:
    """A keeper that keeps nothing: for a box that is to be the same each time."""

    def save(self, state: Save) -> None:
        """Keep nothing."""

    def archive(self, game: Finished) -> None:
        """Keep nothing."""

    def sync(self) -> None:
        """Do nothing."""

    def trouble(self, _now: float) -> str:
        """Have no trouble, ever."""
        return ""

    @property
    def problem(self) -> str:
        """Have no problem, ever."""
        return ""

    def due(self) -> None:
        """Have nothing to do, ever."""

    def service(self, now: float) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What the box is built on: the real devices, or their stand-ins."""

    keypad: Keypad
    panel: Panel
    keeper: Keeper
    beep: Callable[[str], None]
    lamp: Callable[[bool], None]
    power: Callable[[str, Callable[[str], object]], object]


class Box:
    """The appliance: a keypad, a screen and a loop, wired together.

    Built, it has started nothing and shown nothing. `serve` runs it on threads and in real time; a simulation
    on a virtual clock calls `loop.start`, `loop.turn` and `keypad.poll` itself, and answers `think` at once.
    """

    def __init__(
        self,
        config: Config,
        parts: Parts,
        now: Callable[[], float],
        think: Callable[[Think], None],
        session: Session | None = None,
    ) -> None:
        self.keypad = parts.keypad
        self.keeper = parts.keeper
        self.now = now
        self.screen = parts.panel
        outputs = Outputs(
            screen=self.screen,
            think=think,
            rest=parts.keypad.rest,
            keeper=parts.keeper,
            beep=parts.beep,
            lamp=parts.lamp,
            power=parts.power,
        )
        self.loop = Loop(session or first_session(config), outputs, now)

    def close(self) -> None:
        """Let everything go: the pins become inputs, the last picture stays, what is kept is on the disk."""
        self.keypad.close()
        self.screen.close()
        self.keeper.close()


class Stalled(Exception):  # noqa: N818 - a state of the service, not a mistake
    """The service no longer works as a whole. `str(error)` is a sentence for the journal."""


class Service:
    """A box that runs: the scanner's thread, the engine's, and the loop on the thread that calls `run`."""

    def __init__(
        self,
        config: Config,
        parts: Parts,
        now: Callable[[], float],
        rng: random.Random,
        session: Session | None = None,
    ) -> None:
        self._thinker = Thinker(self.put, now, rng)
        self.box = Box(config, parts, now, self._thinker.ask, session)
        self._scanner = Scanner(self.box.keypad, now, self.box.loop.put)

    def put(self, event: Event) -> None:
        """Bring in something that has happened. Any thread may call this."""
        self.box.loop.put(event)

    def stop(self) -> None:
        """Ask the box to say goodbye and end. Any thread may call this."""
        self.box.loop.put(Stop(self.box.now()))

    @property
    def status(self) -> str:
        """What the box is doing, in words for a person who looks at the service."""
        session, box = self.box.loop.session, self.box
        doing = f"{session.phase.value.replace('_', ' ')}, board {session.board}"
        return "; ".join(filter(None, (doing, box.screen.problem, box.keeper.problem)))

    def check(self) -> None:
        """Raise `Stalled` unless every thread has moved within its bound, and the clock too."""
        now = self.box.now()
        keeper, loop = self.box.keeper, self.box.loop
        threads = (self._scanner.trouble(now), self._thinker.trouble(now), keeper.trouble(now))
        for trouble in (*threads, loop.trouble()):
            if trouble:
                raise Stalled(trouble)

    def run(self, after_turn: Callable[[], None] = lambda: None, longest_sleep: float | None = None) -> None:
        """Run until stopped. `after_turn` is called after each turn, once all threads have passed `check`.

        `longest_sleep` is how many seconds may pass without a turn, None for as long as nothing happens.

        On every way out the threads have ended, the pins are inputs and the goodbye is on the display. Only
        `Stalled` leaves all as it is: closing could wait for the hung thread, so end the process.
        """
        stalled = False
        try:
            self._thinker.start()
            self._scanner.start()
            self.box.loop.start()
            self.check()
            after_turn()
            while not self.box.loop.ended:
                self.box.loop.wait(longest_sleep or LONGEST_SLEEP)
                self.check()
                after_turn()
        except Stalled:
            stalled = True
            raise
        finally:
            if not stalled:
                self._thinker.stop()
                self._scanner.stop()
                self.box.close()


def keeping_service(
    config: Config, directory: Path, parts: Callable[[Keeper], Parts], rng: random.Random
) -> Service:
    """Return a service that goes on with what is kept in `directory`, over the parts that `parts` makes.

    Raise `UserError` as `Store` and `parts` do. The service closes what it was given when it has run.
    """
    store = Store(
        directory,
        lambda event: service.put(event),  # noqa: PLW0108 - the service comes after
        time.monotonic,
        time.time,
        config.settings,
    )
    try:
        keeper = Writer(store, time.monotonic)
        service = Service(config, parts(keeper), time.monotonic, rng, kept_session(config, store))
    except BaseException:
        store.cut()
        raise
    return service
