"""The composition root: builds the service on whatever pins and bus it is given."""

import random
from collections.abc import Callable

from appliance.config.schema import Config
from appliance.core.diagnosis import Matrix
from appliance.core.events import Event, Stop
from appliance.core.match import Match
from appliance.core.play import first_mark
from appliance.core.resume import restore
from appliance.core.state import Page, Phase, Session
from appliance.service.loop import Loop, Parts
from appliance.service.threads import Scanner, Thinker
from appliance.storage.store import Store

LONGEST_SLEEP = 3600.0  # seconds


def first_session(config: Config) -> Session:
    """Return the session of a box without saved state."""
    match = Match.new(config.settings.rule, first_mark(config.settings, None))
    matrix = Matrix(config.keypad.rows, config.keypad.columns)
    return Session(match, config.settings, config.options, matrix=matrix)


def kept_session(config: Config, store: Store, *, ask: bool = True) -> Session:
    """Return the saved session, or that of the configuration if there is none.

    The latter begins with the choice of a language, if it is to `ask` and the configuration names none.
    """
    session, kept = first_session(config), store.load()
    if kept:
        return restore(session, kept)
    ask = ask and "language" not in config.origins
    return session._replace(phase=Phase.MENU, page=Page.FIRST) if ask else session


class Stalled(Exception):  # noqa: N818 - a state of the service, not a mistake
    """A part of the service has stopped working. `str(error)` is a sentence for the journal."""


class Service:
    """A box that runs: the scanner's thread, the engine's, and the loop on the thread that calls `run`."""

    def __init__(
        self,
        session: Session,
        parts: Parts,
        now: Callable[[], float],
        rng: random.Random,
        mistake: str = "",  # in the configuration, played past
    ) -> None:
        self._mistake = mistake
        self._thinker = Thinker(self.put, now, rng)
        self.loop = Loop(session, parts, self._thinker.ask, now)
        self._scanner = Scanner(parts.keypad, now, self.put)

    def put(self, event: Event) -> None:
        """Queue an event. Any thread may call this."""
        self.loop.put(event)

    def stop(self) -> None:
        """Ask the box to say goodbye and end. Any thread may call this."""
        self.put(Stop(self.loop.now()))

    @property
    def status(self) -> str:
        """What the box is doing, and what is wrong, in words for `systemctl status`."""
        session, parts = self.loop.session, self.loop.parts
        doing = f"{session.phase.value.replace('_', ' ')}, board {session.board}"
        problems = (part.problem for part in (parts.panel, self._scanner, parts.keeper, parts.supply) if part)
        faults = (f"self-test: {fault.what}" for fault in session.test.faults)
        return "; ".join(filter(None, (doing, *problems, *faults, self._mistake)))

    def check(self) -> None:
        """Raise `Stalled` unless every thread has moved within its bound, and the clock too."""
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

        `longest_sleep` is how many seconds may pass without a turn, None for as long as nothing happens.

        On every way out the threads have ended, the pins are inputs and the goodbye is on the display. Only
        `Stalled` leaves all as it is: closing could wait for the hung thread, so end the process.
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
