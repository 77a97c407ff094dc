"""The session's data: the phase of the box, and everything else that the next step depends on."""

from enum import Enum
from typing import NamedTuple

from appliance.core.keys.diagnosis import Check, Matrix
from appliance.core.keys.walk import Walk
from appliance.core.session.events import Archive, Arm, Beep, CountVisit, Effect, Keepsake, Saved, Timer
from appliance.core.session.form import Form, form_of
from appliance.core.session.match import Match
from appliance.core.session.settings import ANEW, RULE_NAMES, SMALL_RULES, Options, Scores, Settings
from engine import RULES, Belief, Level, Remark

NOTICE_SECONDS = 1.2  # to read a word beside a flashing cell
READING_SECONDS = 2.5  # to read a sentence
# Animations: the number of frames, and seconds per frame. Decorative ones last at most 1.5 s.
HINT_FRAMES, HINT_SECONDS = 9, 0.4  # odd, so that the hint is visible when the blinking ends
LINE_FRAMES, LINE_SECONDS = 8, 0.1
HELLO_FRAMES, HELLO_SECONDS = 4, 0.3
NEXT_SECONDS = 3.0
DEMO_SECONDS = 1.0
LEAVE_SECONDS = 20.0
STAY_SECONDS, WON_SECONDS = 0.3, 0.6  # of the board just played; of one just won, with its line
SLIDE_SECONDS = 0.1  # per step to the next board
CHOICE_SECONDS = 10.0  # without a press, until another board may be chosen
LET_GO_SECONDS = 1.0  # a key is held, until another board may be chosen


class Phase(Enum):
    """What the box is doing. The values are their names in scenarios."""

    YOUR_TURN = "your_turn"
    PLACED = "placed"  # the mark is shown, but its press may still become a hold or a chord
    THINKING = "thinking"
    GAME_OVER = "game_over"
    MENU = "menu"
    REVIEW = "review"  # of the finished game, move by move
    DEMO = "demo"
    ASLEEP = "asleep"
    WAKING = "waking"  # until the press that woke the box has ended
    SELF_TEST = "self_test"
    LEAVING = "leaving"  # the goodbye is shown, and the machine is about to switch off or reboot
    ENDED = "ended"


class Page(Enum):
    """A page of the menu. The values are the keys of the titles in `core.words`."""

    MAIN = "menu"
    LEVEL = "level"
    RULE = "rule"
    PLAYERS = "players"
    SETTINGS = "settings"
    LANGUAGE = "language"
    FIRST = "hello"  # the languages, at the first start
    STATISTICS = "statistics"
    ABOUT = "about"
    CONFIRM_CLEAR = "clear"
    CONFIRM_OFF = "power_off"
    CONFIRM_RESTART = "restart"


class Stage(Enum):
    """A stage of the self-test."""

    LET_GO = "let go"  # of the button that was held down at power-on
    LIT = "lit"
    EDGES = "edges"
    HANDS_OFF = "hands off"
    WALK = "walk"
    RESULT = "result"


class SelfTest(NamedTuple):
    """The current self-test, or the last one.

    `held` are the keys that were down at power-on, `faults` the failed checks of the walk; `page` counts the
    pages of the result shown so far.
    """

    stage: Stage = Stage.LIT
    held: tuple[int, ...] = ()
    walk: Walk = Walk(0.0, 0.0)
    faults: tuple[Check, ...] = ()
    page: int = 0


class Review(NamedTuple):
    """The review: the number of moves on the board, and the remarks on all moves, None until they arrive.

    After a mistake, `line` moves of the winning line are shown instead of the game; 0 for none.
    """

    ply: int = 0
    remarks: tuple[Remark, ...] | None = None
    line: int = 0


class BoxFacts(NamedTuple):
    """What no event changes: the box's parts, and how it started."""

    matrix: Matrix = Matrix()  # the keypad's wiring: the self-test names its pins
    small: bool = False  # whether the display has 32 rows
    buzzer: bool = False  # without one the menu does not offer sound
    own: Settings = Settings()  # with which a visit of an exhibit begins
    begun: float = 0.0  # when the box started


class EngineRequest(NamedTuple):
    """The latest request to the engine. Replies to older ones, of another `job`, are stale."""

    job: int = 0
    answer: int | None = None  # the engine's move, until the pause ends
    pausing: bool = False
    hinting: bool = False  # whether it is for a hint


class Notice(NamedTuple):
    """A short message: its key in `core.words` or "", the cell that flashes, and the keys that it names."""

    word: str = ""
    cell: int | None = None
    keys: tuple[int, ...] = ()


class Session(NamedTuple):
    """Everything that the next step depends on. Only `step` in transitions.py makes new ones."""

    match: Match
    settings: Settings = Settings()
    options: Options = Options()
    scores: Scores = Scores()
    box: BoxFacts = BoxFacts()
    phase: Phase = Phase.YOUR_TURN
    asks: bool = False  # a new box, in which nothing was chosen or played: it asks for the language
    fault: str = ""  # why a rule that was chosen cannot be played: a sentence for the journal
    abandoned: Match | None = None  # the game replaced by "new game" or another rule; undo restores it

    pressed: int | None = None  # the key of the press that this phase accepted, until that ends
    pressed_at: float = 0.0
    led: int | None = None  # the key that led to this phase or page: a quick second tap was not meant for it
    progress: float | None = None  # of the hold that opens the menu, 0 to 1

    picked: int | None = None  # the board chosen where any may be
    slide: int = 0  # steps left from the board just played to the next one

    request: EngineRequest = EngineRequest()
    hint: int | None = None
    signs: tuple[str, ...] = ()  # the coach's icon for each cell; none until it has judged this turn

    notice: Notice = Notice()
    frames: int = 0  # left in the animation: the winning line, the hint, or the face that says hello
    greets: bool = False  # the face says hello, as long as that animation lasts
    sleeps: bool = False  # the face sleeps, until somebody plays

    page: Page = Page.MAIN
    browsed: tuple[Match, Match | None] | None = None  # `match`, `abandoned` before the rule changed
    record_of: str = ""  # the level whose record is shown; "" for the total score
    dimmed: bool = False
    drift: int = 0  # the number of shifts against burn-in
    demo: Match = Match.new("classic", "x")  # the demonstration's game, in DEMO
    shown: int = 0  # its moves so far; in an exhibit the words change their language with them
    review: Review = Review()
    goodbye: str = ""  # the key in `core.words` of the goodbye

    test: SelfTest = SelfTest()
    stuck: tuple[int, ...] = ()
    badges: tuple[str, ...] = ()

    @property
    def board(self) -> str:
        """The cells of the board, `x`, `o` and `.`, in reading order."""
        return self.match.game.cells

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that the display has room for."""
        return SMALL_RULES if self.box.small else RULE_NAMES

    @property
    def form(self) -> Form:
        """The form of the match's game."""
        return form_of(self.match.game)

    @property
    def belief(self) -> Belief:
        """What the adaptive level believed at the beginning of the game, by the match's rule."""
        return self.scores.beliefs.get(self.match.rule, ANEW)

    @property
    def strength(self) -> int:
        """The adaptive level's strength now. This may take a search for each of the person's moves."""
        alone = self.settings.players == 1
        return (self.match.believed(self.belief) if alone else self.belief).strength(self.match.rule)

    @property
    def level(self) -> Level:
        """The box's level at the beginning of the game."""
        name = self.settings.level
        rule = RULES[self.match.rule]
        return rule.levels.get(name) or rule.adaptive(self.belief.strength(self.match.rule))

    @property
    def lasting(self) -> Settings:
        """The settings with which the box starts next time; those of a visit end with it."""
        return self.box.own if self.options.exhibit else self.settings

    @property
    def saved(self) -> Saved | None:
        """What must survive a power cut; None in an exhibit, and in a new box that `asks`."""
        if self.asks or self.options.exhibit:
            return None
        return Saved(self.match, self.scores, self.settings)

    @property
    def awaits(self) -> bool:
        """Whether it is a person's turn, perhaps behind the menu: then the lamp is lit."""
        if self.phase is Phase.MENU:
            return not (self.match.over or self.match.boxes_turn(self.settings))
        return self.phase in {Phase.YOUR_TURN, Phase.PLACED}

    @property
    def lit(self) -> bool:
        """Whether the display is on."""
        return self.phase is not Phase.ASLEEP


Step = tuple[Session, tuple[Effect, ...]]


def keepsakes(before: Session, session: Session, effects: tuple[Effect, ...]) -> list[Keepsake]:
    """Return what the card must keep after a step: what has changed and, at the end, the state once more.

    Then the configuration's values are saved with it, which may have changed before the start.
    """
    kept: list[Keepsake] = [one for one in effects if isinstance(one, Archive | CountVisit)]
    saved = session.saved
    if saved is not None and (saved != before.saved or session.phase is Phase.ENDED):
        kept.insert(0, saved)
    return kept


def beep(session: Session, signal: str) -> tuple[Effect, ...]:
    """Return the effect that plays a signal; none if sound is off."""
    return (Beep(signal),) if session.settings.sound else ()


def arm(timer: Timer, seconds: float) -> tuple[Effect, ...]:
    """Return the effect that arms a timer; none for 0 seconds, which mean never."""
    return (Arm(timer, seconds),) if seconds else ()


def arm_rest(session: Session) -> tuple[Effect, ...]:
    """Return the effects that restart the timers of sleep, and of dimming or, in an exhibit, of the visit."""
    options = session.options
    first = arm(Timer.VISIT, options.visit) if options.exhibit else arm(Timer.DIM, options.dim)
    return (*first, *arm(Timer.OFF, options.off))


def light(session: Session) -> Step:
    """Light the display, and restart the timers of dimming and sleep."""
    drift = arm(Timer.DRIFT, session.options.drift)
    return session._replace(dimmed=False), (*arm_rest(session), *drift)


def renew(session: Session, *, pausing: bool = False, hinting: bool = False) -> Session:
    """Return the session with a new request to the engine, or none: any reply to the last one is stale."""
    return session._replace(request=EngineRequest(session.request.job + 1, pausing=pausing, hinting=hinting))


def still(session: Session) -> Session:
    """Return the session with nothing moving, and the face awake."""
    return session._replace(frames=0, greets=False, sleeps=False, slide=0)


def notify(session: Session, word: str, cell: int | None = None, keys: tuple[int, ...] = ()) -> Step:
    """Show a short message and, if given, flash a cell."""
    session = still(session)._replace(notice=Notice(word, cell, keys), hint=None)
    seconds = READING_SECONDS if cell is None else NOTICE_SECONDS
    return session, (Arm(Timer.NOTICE, seconds), *beep(session, "refuse"))


def show_page(session: Session, page: Page) -> Step:
    """Show a page of the menu."""
    browsed = session.browsed if session.phase is Phase.MENU else None
    session = session._replace(phase=Phase.MENU, page=page, browsed=browsed, record_of="", notice=Notice())
    session = still(session)._replace(pressed=None, progress=None, hint=None)
    return session, (*arm(Timer.MENU_IDLE, session.options.menu), *beep(session, "menu"))
