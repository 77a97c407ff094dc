"""The composition root: builds the service on the parts it is given."""

import random
from collections.abc import Callable, Iterable

from appliance.config.schema import Config
from appliance.core.errors import UserError
from appliance.core.keys.diagnosis import Matrix
from appliance.core.problems import Problem
from appliance.core.session.events import Event, StopSignal
from appliance.core.session.match import next_match, unplayable
from appliance.core.session.resume import restore
from appliance.core.session.state import BoxFacts, Session
from appliance.service.loop import Loop, Parts
from appliance.service.threads import Scanner, Thinker
from appliance.storage.store import Store

LONGEST_SLEEP = 3600.0  # seconds


def first_session(config: Config) -> Session:
    """Return the session of a box without saved state. It plays classic if its rule cannot be played."""
    settings, fault = config.settings, unplayable(config.settings.rule)
    if fault:
        settings = settings._replace(rule="classic")
    matrix = Matrix(config.keypad.rows, config.keypad.columns)
    box = BoxFacts(matrix, small=config.display.height < 64, buzzer=config.buzzer is not None)
    return Session(next_match(settings), settings, config.options, box=box, fault=fault)


def kept_session(config: Config, store: Store, *, ask: bool = True) -> Session:
    """Return the saved session, or a new one as configured if there is none.

    A new one starts by asking for the language, if `ask` and if the configuration names none. An exhibit
    does not ask: its demonstration speaks all languages.
    """
    session, kept = first_session(config), store.load()
    if kept:
        return restore(session, kept)
    ask = ask and "language" not in config.origins and not config.options.exhibit
    return session._replace(asks=ask)


class Stalled(Exception):  # noqa: N818 - a state of the service, not a mistake
    """A part of the service has stopped working. `str(error)` is a sentence for the journal."""


class Service:
    """A running box: the scanner's thread, the engine's, and the loop on the thread that calls `run`."""

    def __init__(
        self,
        session: Session,
        parts: Parts,
        now: Callable[[], float],
        rng: random.Random,
        mistakes: Iterable[UserError] = (),  # in the configuration: only its valid part is used
    ) -> None:
        self._mistakes = tuple(Problem("configuration", "wrong", reason=str(error)) for error in mistakes)
        self._thinker = Thinker(self.put, now, rng)
        self.loop = Loop(session, parts, self._thinker.ask, now)
        self._scanner = Scanner(parts.keypad, now, self.put)

    def put(self, event: Event) -> None:
        """Queue an event. Any thread may call this."""
        self.loop.put(event)

    def stop(self) -> None:
        """Ask the box to say goodbye and end. Any thread may call this."""
        self.put(StopSignal(self.loop.now()))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the box."""
        parts = self.loop.parts
        found = (part.problem for part in (parts.panel, self._scanner, parts.keeper, parts.supply) if part)
        faults = (Problem("wiring", "faulty", reason=row.what) for row in self.loop.session.test.faults)
        fault = self.loop.session.fault
        rules = (Problem("rule", "unplayable", reason=fault),) if fault else ()
        return (*filter(None, (*found, parts.silence)), *faults, *self._mistakes, *rules)

    def status(self, problems: Iterable[Problem]) -> str:
        """Return what the box is doing, and its `problems`, in words for `systemctl status`."""
        session = self.loop.session
        doing = f"{session.phase.value.replace('_', ' ')}, board {session.board}"
        return "; ".join((doing, *map(str, problems)))

    def check(self) -> None:
        """Raise `Stalled` unless every thread has moved within its bound and the clock has advanced."""
        now, keeper = self.loop.now(), self.loop.parts.keeper
        for trouble in (
            self._scanner.trouble(now),
            self._thinker.trouble(now),
            keeper.trouble(now) if keeper else "",
            self.loop.trouble(),
        ):
            if trouble:
                raise Stalled(trouble)

    def run(self, after_turn: Callable[[], None] = lambda: None, longest_sleep: float | None = None) -> None:
        """Run until stopped. `after_turn` is called after each turn, once all threads have passed `check`.

        `longest_sleep` limits the seconds between two turns; None is for `LONGEST_SLEEP`.

        However it ends, the threads are stopped, the pins are inputs and the goodbye is on the display. Only
        `Stalled` changes nothing: closing could block on the hung thread, so end the process.
        """
        stalled = False
        try:
            self._thinker.start()
            self._scanner.start()
            self.loop.start()
            self.check()
            after_turn()
            while not self.loop.ended:
                self.loop.wait(longest_sleep or LONGEST_SLEEP)
                self.check()
                after_turn()
        except Stalled:
            stalled = True
            raise
        finally:
            if not stalled:
                self._thinker.stop()
                self._scanner.stop()
                self.loop.close()
