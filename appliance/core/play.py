"""The transitions of play: from a press to a mark, to the box's answer, to the end of the game.

The names are those of the session's table; each function takes a session and the event and returns the next
session and the effects. What a function does not change stays.
"""

from appliance.core import coach
from appliance.core.events import (
    Answer,
    Archive,
    Arm,
    Blocked,
    Chord,
    Disarm,
    Draw,
    Effect,
    HoldProgress,
    Lamp,
    Press,
    Tap,
    Think,
    Timeout,
    Timer,
)
from appliance.core.match import Finished, Match
from appliance.core.scan import CENTRE
from appliance.core.settings import COACHED, Record, Scores, Settings
from appliance.core.state import (
    HELLO_SECONDS,
    HINT_FRAMES,
    HINT_SECONDS,
    LINE_FRAMES,
    LINE_SECONDS,
    NEXT_SECONDS,
    Phase,
    Session,
    Step,
    arm,
    beep,
    notify,
    save,
)
from engine import adapt

WATCH_PAUSE = 0.8  # seconds between the moves of a game that the box plays against itself


def first_mark(settings: Settings, last: str | None) -> str:
    """Return the person's mark in the next game: x if the person begins. `last` is it in the game before."""
    if settings.players != 1 or settings.first == "you":
        return "x"
    if settings.first == "box":
        return "o"
    return "o" if last == "x" else "x"


def resume(session: Session, at: float) -> Step:
    """Go on with the match, and take away what was shown for a time."""
    return go_on(session._replace(flash=None, notice="", hint=None), at, at)


def go_on(session: Session, since: float, at: float) -> Step:
    """Go on with the match as it stands since `since`: whoever's turn it is, or its end."""
    session = session._replace(pressed=None, progress=None, frames=0, mood="", signs=())
    if session.match.over:
        return show_end(session) if session.match.counted else end(session, at)
    if session.match.boxes_turn(session.settings):
        return think(session, since, at)
    session, asked = coach.ask(session._replace(phase=Phase.YOUR_TURN))
    return session, (Draw(), Lamp(on=True), *asked)


def think(session: Session, since: float, at: float) -> Step:
    """Ask the engine. Its answer is shown `pause` seconds after `since`, or at once if that has gone by."""
    pause = session.options.pause if session.settings.players else max(WATCH_PAUSE, session.options.pause)
    left = max(0.0, since + pause - at)
    session = session._replace(
        phase=Phase.THINKING, job=session.job + 1, answer=None, pausing=left > 0, hinting=False
    )
    request = Think(session.job, session.match, session.level)
    return session, (Draw(), Lamp(on=False), request, *arm(Timer.PAUSE, left))


def show_end(session: Session) -> Step:
    """Show a game that has ended."""
    session = session._replace(phase=Phase.GAME_OVER)
    effects: tuple[Effect, ...] = (Draw(), Lamp(on=False))
    if session.settings.players == 0:
        effects = (*effects, Arm(Timer.NEXT, NEXT_SECONDS))
    return session, effects


def end(session: Session, at: float) -> Step:
    """Count a game that has just ended, keep it, and show its end: the winning line draws itself."""
    match, settings = session.match, session.settings
    outcome = str(match.game.outcome)
    signal = "draw" if outcome == "draw" else "win"
    if settings.players == 1 and outcome not in {"draw", match.human}:
        signal = "loss"
    scores, level = session.scores, COACHED
    if not match.coached:
        scores, level = _count(session, outcome, signal), settings.level
    seconds = at - (at if match.started is None else match.started)
    session = session._replace(match=match._replace(counted=True), scores=scores, abandoned=None)
    finished = Finished(
        match.rule, level, settings.players, match.human, match.moves, outcome, max(0.0, seconds)
    )
    session, shown = show_end(session)
    if match.game.line:
        session = session._replace(frames=LINE_FRAMES)
        shown = (*shown, Arm(Timer.FRAME, LINE_SECONDS))
    return session, (save(session), Archive(finished), *shown, *beep(session, signal))


def _count(session: Session, outcome: str, result: str) -> Scores:
    """Return the scores with this game, which to the person is the result."""
    match, settings, scores = session.match, session.settings, session.scores
    if settings.players == 2:
        return scores._replace(pair=scores.pair.add(outcome, "x"))
    if settings.players == 0:
        return scores
    records = {**scores.records, settings.level: scores.records.get(settings.level, Record()).add(result)}
    scores = scores._replace(box=scores.box.add(outcome, match.human), records=records)
    if settings.level != "adaptive":
        return scores
    return scores._replace(strengths={**scores.strengths, match.rule: adapt(session.strength, result)})


def next_game(session: Session, at: float) -> Step:
    """Start another game; who begins follows the settings."""
    match = Match.new(session.settings.rule, first_mark(session.settings, session.match.human))
    session = session._replace(match=match)
    session, effects = resume(session, at)
    return session, (save(session), Disarm(Timer.FRAME), Disarm(Timer.NEXT), *effects)


def press_cell(session: Session, event: Press) -> Step:
    """Place a mark, or say that the cell is taken."""
    session = session._replace(pressed=event.key, pressed_at=event.at, hint=None, hinting=False)
    if event.key not in session.match.game.moves():
        return notify(session, "taken", event.key)
    match = session.match.play(event.key, event.at)
    session = session._replace(match=match, phase=Phase.PLACED, notice="", flash=None)
    return session, (save(session), Draw(), *beep(session, "press"))


def settle(session: Session, event: Tap) -> Step:
    """Let the mark stand: its press was a tap."""
    if event.key != session.pressed:
        return session, ()
    return go_on(session, session.pressed_at, event.at)


def take_back(session: Session) -> Session:
    """Return the session without the mark whose press turned out to be something else."""
    return session._replace(
        match=session.match.take_back(1), phase=Phase.YOUR_TURN, pressed=None, progress=None
    )


def refuse_chord(session: Session, _event: Chord) -> Step:
    """Two keys at once are no move: take the first one's mark back and say so."""
    if session.phase is Phase.PLACED:
        session = take_back(session)
        session, effects = notify(session, "one_key")
        return session, (save(session), *effects)
    return notify(session._replace(pressed=None, progress=None), "one_key")


def refuse_blocked(session: Session, event: Blocked) -> Step:
    """Say which keys are held down: while they are, no other key can be played."""
    notice = {0: "one_key", 1: "held_key"}.get(len(event.keys), "held_keys")
    return notify(session._replace(held=event.keys), notice)


def note_press(session: Session, event: Press) -> Step:
    """Remember a press that is no move: it may become a tap or a hold. What moves is cut short."""
    effects: tuple[Effect, ...] = (Draw(),) if session.frames or session.mood else ()
    return session._replace(pressed=event.key, pressed_at=event.at, frames=0, mood=""), effects


def refuse_press(session: Session, event: Press) -> Step:
    """Flash the cell that is pressed while it is the box's turn; the headline says whose turn it is."""
    session, _ = note_press(session, event)
    if session.settings.players == 0:
        return session, ()  # whoever watches may take over with a tap
    return notify(session, "", event.key)


def show_progress(session: Session, event: HoldProgress) -> Step:
    """Show how far the centre is on its way to the menu."""
    if event.key != session.pressed or event.key != CENTRE:
        return session, ()
    if session.progress is None:
        session = session._replace(notice="")
    return session._replace(progress=event.fraction), (Draw(),)


def let_go(session: Session, _event: Tap | Chord) -> Step:
    """Forget a press that meant nothing; its progress bar, if any, goes."""
    effects: tuple[Effect, ...] = (Draw(),) if session.progress is not None else ()
    return session._replace(pressed=None, progress=None), effects


def stop_watching(session: Session, event: Tap) -> Step:
    """Begin a game with the person whose tap ends a game that the box plays against itself."""
    if session.settings.players != 0 or event.key != session.pressed:
        return let_go(session, event)
    settings = session.settings._replace(players=1)
    return next_game(session._replace(settings=settings), event.at)


def play_again(session: Session, event: Tap) -> Step:
    """Start the next game on a tap that began after this one had ended."""
    if event.key != session.pressed:
        return session, ()
    if session.settings.players == 0:
        return stop_watching(session, event)
    return next_game(session, event.at)


def receive(session: Session, event: Answer) -> Step:
    """Take the engine's move; it is played when the pause is over."""
    if event.job != session.job or session.answer is not None:
        return session, ()
    if event.cell not in session.match.game.moves():
        return session, ()
    return answer(session._replace(answer=event.cell), event.at)


def pause_over(session: Session, event: Timeout) -> Step:
    """Play the engine's move, if it is there: the pause is over."""
    return answer(session._replace(pausing=False), event.at)


def answer(session: Session, at: float) -> Step:
    """Play the engine's move once it is there and the pause is over."""
    if session.answer is None or session.pausing:
        return session, ()
    match = session.match.play(session.answer, at)
    session = session._replace(match=match, answer=None, pressed=None, progress=None, flash=None, notice="")
    if match.over:
        return end(session, at)
    session, effects = resume(session, at)
    return session, (save(session), *effects, *beep(session, "press"))


def show_hint(session: Session, event: Answer) -> Step:
    """Show the engine's choice, blinking, to the person who asked for it; the coach has waited for that."""
    if event.job != session.job or event.cell not in session.match.game.moves():
        return session, ()
    session, asked = coach.ask(session)
    if not session.hinting:
        return session, asked
    session = session._replace(hint=event.cell, hinting=False, frames=HINT_FRAMES)
    return session, (Draw(), Arm(Timer.FRAME, HINT_SECONDS), *asked)


def next_frame(session: Session, _event: Timeout) -> Step:
    """Show the next frame of what moves; after the last it stands."""
    if session.frames == 0:
        return session, ()
    seconds = HINT_SECONDS if session.hint is not None else HELLO_SECONDS if session.mood else LINE_SECONDS
    left = session.frames - 1
    session = session._replace(frames=left, mood=session.mood if left else "")
    return session, (Draw(), *arm(Timer.FRAME, seconds if left else 0))


def watch_next(session: Session, event: Timeout) -> Step:
    """Start the next of the games that the box plays against itself."""
    if session.settings.players:
        return session, ()
    return next_game(session, event.at)


def clear_notice(session: Session, _event: Timeout) -> Step:
    """Take the short message away."""
    if not session.notice and session.flash is None:
        return session, ()
    return session._replace(notice="", flash=None), (Draw(),)
