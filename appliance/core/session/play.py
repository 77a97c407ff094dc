"""The transitions of play: from a press to a mark, to the box's answer, to the end of the game.

The session's table names these functions; each takes a session and an event, and returns a step.
"""

from appliance.core.keys.key_events import Blocked, Chord, HoldProgress, Press, Release, Tap
from appliance.core.keys.scan import CENTRE
from appliance.core.picture.scene import SLIDE_FRAMES
from appliance.core.session import coach, slide, state, two_people
from appliance.core.session import events as fx
from appliance.core.session.match import Finished, next_match
from appliance.core.session.score import scored
from appliance.core.session.state import Notice, Phase, Session, Step, arm, beep, notify, renew

WATCH_PAUSE = 0.8  # seconds between the moves when the box plays itself
IMPATIENT = 0.5  # seconds within which a second press of the same key was not meant for what it finds


def home(session: Session, at: float) -> Step:
    """Enter play from another phase: a new box asks for the language, any other continues its match."""
    return state.show_page(session, state.Page.FIRST) if session.asks else resume(session, at)


def resume(session: Session, at: float) -> Step:
    """Continue the match, and remove temporary messages and hints."""
    return go_on(session._replace(notice=Notice(), hint=None), at, at)


def go_on(session: Session, since: float, at: float) -> Step:
    """Continue the match, whose position has not changed since `since`: somebody's turn, or the end."""
    session = state.still(session)._replace(pressed=None, progress=None, signs=(), picked=None)
    match, people = session.match, session.settings.players
    if not match.counted:
        shared = not match.helped and bool(match.moves) and match.people not in {None, people}
        session = session._replace(match=match._replace(people=people, helped=match.helped or shared))
    if session.match.over:
        return show_end(session) if session.match.counted else end(session, at)
    if session.match.boxes_turn(session.settings):
        return think(session, since, at)
    return coach.ask(session._replace(phase=Phase.YOUR_TURN))


def think(session: Session, since: float, at: float) -> Step:
    """Ask the engine. Show its answer `pause` seconds after `since`, or at once if that has passed."""
    pause = session.options.pause if session.settings.players else max(WATCH_PAUSE, session.options.pause)
    left = max(0.0, since + pause - at)
    session = renew(session._replace(phase=Phase.THINKING), pausing=left > 0)
    follows = session.settings.level == "adaptive" and session.settings.players == 1
    request = fx.Think(session.request.job, session.match, session.belief if follows else session.level)
    return session, (request, *arm(fx.Timer.PAUSE, left))


def show_end(session: Session) -> Step:
    """Show a finished game."""
    seconds = 0 if session.settings.players else state.NEXT_SECONDS
    return session._replace(phase=Phase.GAME_OVER), arm(fx.Timer.NEXT, seconds)


def end(session: Session, at: float) -> Step:
    """Count a game that has just ended, save it, and show its end with an animated winning line."""
    match, settings = session.match, session.settings
    outcome = str(match.game.outcome)
    signal = "draw" if outcome == "draw" else "win"
    if settings.players == 1 and outcome not in {"draw", match.human}:
        signal = "loss"
    scores = session.scores if match.helped else scored(session, outcome, signal)
    seconds = at - (at if match.started is None else match.started)
    session = session._replace(match=match._replace(counted=True), scores=scores, abandoned=None)
    kind = (match.rule, settings.level, settings.players, match.human)
    finished = Finished(*kind, match.moves, outcome, max(0.0, seconds), match.helped)
    session, shown = show_end(session)
    frames = state.LINE_FRAMES * bool(match.game.line) + two_people.RING_FRAMES * two_people.won(session)
    moving = arm(fx.Timer.FRAME, state.LINE_SECONDS if frames else 0)
    return session._replace(frames=frames), (fx.Archive(finished), *shown, *moving, *beep(session, signal))


def next_game(session: Session, at: float) -> Step:
    """Start the next game; the settings decide who moves first."""
    return resume(session._replace(match=next_match(session.settings, session.match.human)), at)


def press_cell(session: Session, event: Press) -> Step:
    """Place a mark, choose a board, or report that the cell or the board is taken.

    A press before the next board begins to slide in was meant for the one just played, and a quick second tap
    of a key for what the first one found: neither does more than to end the slide, and its cell flashes.
    """
    move, board = session.form.pick(session.match.game, session.picked, event.key)
    acts = (move, board) != (None, None)
    if session.slide == SLIDE_FRAMES or (acts and _again(session, event)):
        session, effects = flash(note_press(session, event)[0], event)
        return session, (*effects, *_may_choose_again(session))
    session = session._replace(pressed=event.key, pressed_at=event.at, slide=0)
    session = session._replace(request=session.request._replace(hinting=False))
    if board is not None:
        session = session._replace(picked=board, notice=Notice(), greets=False, sleeps=False)
        return session, (*_may_choose_again(session), *beep(session, "press"))
    if move is None:
        session, effects = notify(session, "taken", event.key)
        return session, (*effects, *_may_choose_again(session))
    match = session.match.play(move, event.at)
    session = session._replace(match=match, phase=Phase.PLACED, hint=None, notice=Notice())
    return session, (*_may_choose_again(session), *beep(session, "press"))


def _again(session: Session, event: Press) -> bool:
    """Return whether an impatient hand taps again the key that chose the board, or that led to this phase."""
    key = session.led if session.picked is None else session.picked
    return event.key == key and event.at - session.pressed_at < IMPATIENT


def _may_choose_again(session: Session) -> tuple[fx.Effect, ...]:
    """Return the effect after which a chosen board is given up; none if it was not chosen.

    A key that stays down for a second gives it up, but the centre's hold opens the menu.
    """
    if session.picked is None:
        return ()
    held = session.pressed not in {None, CENTRE}
    return arm(fx.Timer.CHOICE, state.LET_GO_SECONDS if held else state.CHOICE_SECONDS)


def choose_again(session: Session, _event: fx.Timeout) -> Step:
    """Give up the chosen board, and take back the mark of a key that is still down."""
    placed = session.phase is Phase.PLACED
    if session.picked is None or (placed and session.pressed == CENTRE):
        return session, ()
    return take_back(session)._replace(picked=None, notice=Notice()), ()


def settle(session: Session, event: Tap) -> Step:
    """Keep the mark and continue: its press was a tap.

    On a chosen board that is certain only when the key is up: see `settle_choice`.
    """
    if event.key != session.pressed or (session.picked is not None and event.key != CENTRE):
        return session, ()
    return slide.follow(*go_on(session, session.pressed_at, event.at))


def settle_choice(session: Session, event: Release) -> Step:
    """Keep the mark on a chosen board: its key was not held."""
    if event.key != session.pressed or session.picked is None:
        return session, ()
    return slide.follow(*go_on(session, session.pressed_at, event.at))


def keep_choice(session: Session, _event: Release) -> Step:
    """Keep a chosen board for a while: no key is held."""
    return session, arm(fx.Timer.CHOICE, state.CHOICE_SECONDS if session.picked is not None else 0)


def take_back(session: Session) -> Session:
    """Take back the mark that is not final yet, if there is one: its press was not a tap."""
    if session.phase is not Phase.PLACED:
        return session
    match = session.match.take_back(1)
    return session._replace(match=match, phase=Phase.YOUR_TURN, pressed=None, progress=None)


def refuse_chord(session: Session, _event: Chord) -> Step:
    """Refuse two keys at once: take back the first key's mark, and say so.

    The coach's signs may have come while that mark was shown: ask for them again.
    """
    late = session.phase is Phase.PLACED and not session.signs
    session = take_back(session)._replace(pressed=None, progress=None, picked=None)
    session, asked = coach.ask(session) if late else (session, ())
    session, effects = notify(session, "one_key")
    return session, (*effects, *asked)


def refuse_blocked(session: Session, event: Blocked) -> Step:
    """Say which keys are held down: until they are released, no other key works."""
    word = {0: "one_key", 1: "held_key"}.get(len(event.keys), "held_keys")
    return notify(session, word, keys=event.keys)


def note_press(session: Session, event: Press) -> Step:
    """Remember a press that is not a move: it may become a tap or a hold. End any animation."""
    return state.still(session)._replace(pressed=event.key, pressed_at=event.at), ()


def flash(session: Session, event: Press) -> Step:
    """Flash the cell of a press that does nothing: it came too early."""
    effects = fx.Arm(fx.Timer.NOTICE, state.NOTICE_SECONDS), *beep(session, "refuse")
    return session._replace(notice=Notice("", event.key)), effects


def refuse_press(session: Session, event: Press) -> Step:
    """Flash the cell that was pressed on the box's turn; the headline already says whose turn it is."""
    session, effects = note_press(session, event)
    if session.settings.players == 0:
        return session, effects  # a tap lets the spectator take over
    return notify(session, "", event.key)


def show_progress(session: Session, event: HoldProgress) -> Step:
    """Show the progress of the hold that opens the menu."""
    if event.key != session.pressed or event.key != CENTRE:
        return session, ()
    if session.progress is None:
        session = session._replace(notice=Notice())
    return session._replace(progress=event.fraction), ()


def note_press_at_end(session: Session, event: Press) -> Step:
    """Remember a press after a game. If it is hasty, or ends a celebration, it can only become a hold."""
    if _again(session, event):
        return flash(session._replace(pressed=event.key, pressed_at=event.at), event)
    celebrated = session.frames and two_people.won(session)
    return note_press(session._replace(led=event.key if celebrated else None), event)


def let_go(session: Session, _event: Tap | Chord) -> Step:
    """Forget a press that means nothing here, and remove its progress bar."""
    return session._replace(pressed=None, progress=None), ()


def stop_watching(session: Session, event: Tap) -> Step:
    """Start a game against the person who tapped while the box was playing itself."""
    if session.settings.players != 0 or event.key != session.pressed:
        return let_go(session, event)
    settings = session.settings._replace(players=1)
    return next_game(session._replace(settings=settings), event.at)


def play_again(session: Session, event: Tap) -> Step:
    """Start the next game after a tap that was meant for the end of this one, and began after it."""
    if event.key != session.pressed or event.key == session.led:
        return let_go(session, event)
    if session.settings.players == 0:
        return stop_watching(session, event)
    return next_game(session, event.at)


def receive(session: Session, event: fx.Answer) -> Step:
    """Accept the engine's move, and play it when the pause is over."""
    request = session.request
    stale = event.job != request.job or request.answer is not None
    if stale or event.move not in session.match.game.moves():
        return session, ()
    return answer(session, request._replace(answer=event.move), event.at)


def pause_over(session: Session, event: fx.Timeout) -> Step:
    """End the pause, and play the engine's move if it has arrived."""
    return answer(session, session.request._replace(pausing=False), event.at)


def answer(session: Session, request: state.EngineRequest, at: float) -> Step:
    """Play the engine's move if it has arrived and the pause is over."""
    if request.answer is None or request.pausing:
        return session._replace(request=request), ()
    match = session.match.play(request.answer, at)
    session = renew(session._replace(match=match, pressed=None, progress=None, notice=Notice()))
    if match.over:
        return slide.follow(*end(session, at))
    session, effects = resume(session, at)
    return slide.follow(session, (*effects, *beep(session, "press")))


def show_hint(session: Session, event: fx.Answer) -> Step:
    """Show the engine's move as a blinking hint; then ask for the coach's signs, which waited for it."""
    if event.job != session.request.job or event.move not in session.match.game.moves():
        return session, ()
    hinting = session.request.hinting
    session, asked = coach.ask(renew(session))
    if not hinting:
        return session, asked
    match = session.match._replace(helped=True)
    session = session._replace(hint=event.move, frames=state.HINT_FRAMES, match=match)
    return session, (fx.Arm(fx.Timer.FRAME, state.HINT_SECONDS), *asked)


def next_frame(session: Session, _event: fx.Timeout) -> Step:
    """Show the animation's next frame; the last one stays."""
    if session.slide:
        return slide.step(session)
    if session.frames == 0:
        return session, ()
    seconds = state.HELLO_SECONDS if session.greets else state.LINE_SECONDS
    if session.hint is not None:
        seconds = state.HINT_SECONDS
    left = session.frames - 1
    session = session._replace(frames=left, greets=session.greets and left > 0)
    return session, arm(fx.Timer.FRAME, seconds if left else 0)


def watch_next(session: Session, event: fx.Timeout) -> Step:
    """Start the next game of the box against itself."""
    if session.settings.players:
        return session, ()
    return next_game(session, event.at)


def clear_notice(session: Session, _event: fx.Timeout) -> Step:
    """Remove the short message and the flash."""
    return session._replace(notice=Notice()), ()
