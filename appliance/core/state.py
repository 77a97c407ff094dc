"""The session's data: what phase the box is in and everything that the next step depends on."""

from enum import Enum
from typing import NamedTuple

from appliance.core.diagnosis import Matrix, Row
from appliance.core.events import Arm, Beep, Draw, Effect, Rest, Save, Timer
from appliance.core.match import Match
from appliance.core.settings import Options, Scores, Settings
from appliance.core.walk import Walk
from engine import LEVELS, START, Level, Remark, adaptive

NOTICE_SECONDS = 1.2  # a word, beside the cell that flashes
READING_SECONDS = 2.5  # a sentence
# What moves: how many frames, and seconds to the next. Charm, unlike a hint, never lasts more than 1.5 s.
HINT_FRAMES, HINT_SECONDS = 9, 0.4  # odd, so that the hint stands when the blinking ends
LINE_FRAMES, LINE_SECONDS = 8, 0.1
HELLO_FRAMES, HELLO_SECONDS = 4, 0.3
NEXT_SECONDS = 3.0
DEMO_SECONDS = 1.0
LEAVE_SECONDS = 20.0


class Phase(Enum):
    """What the box is doing. The values are the names that scenarios use."""

    YOUR_TURN = "your_turn"
    PLACED = "placed"  # the mark is shown; whether its press is a tap or a hold is not yet known
    THINKING = "thinking"
    GAME_OVER = "game_over"
    MENU = "menu"
    REVIEW = "review"  # the game that has ended, move by move
    DEMO = "demo"
    ASLEEP = "asleep"
    WAKING = "waking"  # the press that woke the box has not ended
    SELF_TEST = "self_test"
    LEAVING = "leaving"  # the goodbye is shown, the machine is about to be switched off
    ENDED = "ended"


class Page(Enum):
    """A page of the menu. The values are the words' keys of the titles."""

    MAIN = "menu"
    LEVEL = "level"
    RULE = "rule"
    PLAYERS = "players"
    SETTINGS = "settings"
    LANGUAGE = "language"
    FIRST = "hello"  # the languages again, at the first start
    STATISTICS = "statistics"
    ABOUT = "about"
    CONFIRM_CLEAR = "clear"
    CONFIRM_OFF = "power_off"
    CONFIRM_RESTART = "restart"


class Stage(Enum):
    """A stage of the self-test."""

    LET_GO = "let go"  # of the button that was held while the power came on
    LIT = "lit"
    EDGES = "edges"
    HANDS_OFF = "hands off"
    WALK = "walk"
    RESULT = "result"


class SelfTest(NamedTuple):
    """The self-test under way, or the last one.

    `held` are the keys that were down when the power came on, `faults` what the walk has found; `page` counts
    the pages of the result that have been shown.
    """

    stage: Stage = Stage.LIT
    held: tuple[int, ...] = ()
    walk: Walk = Walk(0.0, 0.0)
    faults: tuple[Row, ...] = ()
    page: int = 0


class Review(NamedTuple):
    """How far the review is: after how many moves, and the remarks on all, None before they are there."""

    ply: int = 0
    remarks: tuple[Remark, ...] | None = None


class Session(NamedTuple):
    """Everything the next step depends on. `step` in session.py is the only thing that makes new ones."""

    match: Match
    settings: Settings = Settings()
    options: Options = Options()
    scores: Scores = Scores()
    matrix: Matrix = Matrix()  # how the keypad is wired: the self-test names its pins
    phase: Phase = Phase.YOUR_TURN
    begun: float = 0.0  # when the box was started
    abandoned: Match | None = None  # the game that "new" or another rule ended: undo brings it back

    pressed: int | None = None  # the key whose press this phase has accepted and which has not ended yet
    pressed_at: float = 0.0
    progress: float | None = None  # of the hold that opens the menu, 0 to 1

    job: int = 0  # the number of the last request to the engine; an answer to an older one is stale
    answer: int | None = None  # the engine's move, waiting for the pause to end
    pausing: bool = False
    hinting: bool = False  # the last request was for a hint
    hint: int | None = None
    signs: tuple[str, ...] = ()  # the coach's icon for each cell, none before it has judged this turn

    flash: int | None = None  # the cell that answers a press which is not allowed
    notice: str = ""  # the words' key of a short message, or ""
    held: tuple[int, ...] = ()  # the keys that this message names
    frames: int = 0  # still to come of what moves: the winning line, the hint, or the face that says hello
    mood: str = ""  # the face "sleeps", or says "hello" at the start; "" if it follows the game

    page: Page = Page.MAIN
    record: str = ""  # the level whose record is shown, "" for the score of all
    dimmed: bool = False
    drift: int = 0  # counts the shifts against burn-in
    under: Phase = Phase.YOUR_TURN  # the phase to go on with after ASLEEP, WAKING and DEMO
    demo: Match = Match.new("classic", "x")  # the demonstration's game, in DEMO
    review: Review = Review()
    goodbye: str = ""  # the words' key of the goodbye

    test: SelfTest = SelfTest()
    stuck: tuple[int, ...] = ()
    badges: tuple[str, ...] = ()

    @property
    def board(self) -> str:
        """The board as nine characters of `x`, `o` and `.` in reading order."""
        return self.match.game.cells

    @property
    def strength(self) -> int:
        """The adaptive level's strength by the rule of the match."""
        return self.scores.strengths.get(self.match.rule, START)

    @property
    def level(self) -> Level:
        """The level in force."""
        name = self.settings.level
        return LEVELS[name] if name in LEVELS else adaptive(self.strength)

    @property
    def lit(self) -> bool:
        """Whether the display is on."""
        return self.phase is not Phase.ASLEEP


Step = tuple[Session, tuple[Effect, ...]]


def save(session: Session) -> Save:
    """Return the effect that keeps what must outlive a power cut."""
    return Save(session.match, session.scores, session.settings)


def beep(session: Session, signal: str) -> tuple[Effect, ...]:
    """Return the effect that sounds a signal, or nothing when sound is off."""
    return (Beep(signal),) if session.settings.sound else ()


def arm(timer: Timer, seconds: float) -> tuple[Effect, ...]:
    """Return the effect that sets a timer; a time of 0 never comes."""
    return (Arm(timer, seconds),) if seconds else ()


def arm_rest(session: Session) -> tuple[Effect, ...]:
    """Return the effects that restart the way to rest."""
    options = session.options
    return (*arm(Timer.DIM, options.dim), *arm(Timer.OFF, options.off))


def light(session: Session) -> Step:
    """Light the display, and restart the way to rest."""
    drift = arm(Timer.DRIFT, session.options.drift)
    return session._replace(dimmed=False), (Rest(asleep=False), Draw(), *arm_rest(session), *drift)


def notify(session: Session, notice: str, cell: int | None = None) -> Step:
    """Show a short message and, if given, flash a cell."""
    session = session._replace(notice=notice, flash=cell, hint=None, frames=0, mood="")
    seconds = READING_SECONDS if cell is None else NOTICE_SECONDS
    return session, (Draw(), Arm(Timer.NOTICE, seconds), *beep(session, "refuse"))
