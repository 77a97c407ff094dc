"""The review of a finished game: step through it on the board, with each mistake marked.

The right column steps forward, the left one back; the middle key of the bottom row goes to the next mistake,
that of the top row to the previous one; the centre ends the review. Presses act when they start.
"""

from collections.abc import Iterator

from appliance.core.keys.events import Press
from appliance.core.keys.scan import CENTRE
from appliance.core.picture.scene import BoardScene, Tile, board_tiles, strike
from appliance.core.session import state
from appliance.core.session.coach import WORDS
from appliance.core.session.events import Disarm, Draw, Effect, Judge, Judged, Timeout, Timer
from appliance.core.session.match import Match
from appliance.core.session.play import resume
from appliance.core.session.state import Phase, Review, Session, Step, arm, beep, notify
from appliance.core.words import Words, numbers
from engine import Remark

PATIENCE = 3  # times the menu's timeout: people look longer at a position
JUMPS = {1: -1, 7: 1}  # key -> direction of the jump to the nearest mistake
STEPS = (-1, 0, 1)  # column -> moves


def start(session: Session, _at: float) -> Step:
    """Show the end of the game, and ask the engine what its moves were worth."""
    match = session.match
    session = session._replace(phase=Phase.REVIEW, review=Review(len(match.moves)), job=session.job + 1)
    request = Judge(session.job, match)
    return session, (Draw(), *_stay(session), request, *beep(session, "menu"))


def begin(session: Session, event: Judged) -> Step:
    """Go to the first mistake, the person's first if any, unless the person has stepped already."""
    match, ply, remarks = session.match, session.review.ply, event.remarks
    if event.job != session.job:
        return session, ()
    if remarks is None:
        return notify(session, "did_not_work")
    session = session._replace(review=Review(ply, remarks))
    if ply < len(match.moves):
        return show(session, ply)
    own = match.human if session.settings.players == 1 else ""
    mistakes = sorted((remark for remark in remarks if remark.better), key=lambda one: one.side != own)
    return show(session, mistakes[0].ply + 1 if mistakes else 0)


def press(session: Session, event: Press) -> Step:
    """Step through the game, or leave. Flash the cell if there is nothing in that direction."""
    if event.key == CENTRE:
        return leave(session, event)
    here, remarks = session.review.ply, session.review.remarks or ()
    way = JUMPS.get(event.key)
    if way is None:
        there = [here + STEPS[event.key % 3]]
    else:
        there = [remark.ply + 1 for remark in remarks if remark.better][::way]
    for ply in there:
        if 0 <= ply <= len(session.match.moves) and (way is None or (ply - here) * way > 0):
            session, effects = show(session._replace(notice="", flash=None), ply)
            return session, (*effects, *_stay(session), *beep(session, "press"))
    session, effects = notify(session, "", event.key)
    return session, (*effects, *_stay(session))


def show(session: Session, ply: int) -> Step:
    """Show the game after `ply` moves; after a mistake the better moves blink."""
    session = session._replace(review=session.review._replace(ply=ply))
    session = session._replace(frames=state.HINT_FRAMES if _mistake(session) else 0)
    moves = arm(Timer.FRAME, state.HINT_SECONDS) if session.frames else (Disarm(Timer.FRAME),)
    return session, (Draw(), *moves)


def blink(session: Session, _event: Timeout) -> Step:
    """Show the next frame of the blinking; the last one stays."""
    if not session.frames:
        return session, ()
    session = session._replace(frames=session.frames - 1)
    return session, (Draw(), *arm(Timer.FRAME, state.HINT_SECONDS if session.frames else 0))


def leave(session: Session, event: Press | Timeout) -> Step:
    """Go back to the end of the game."""
    session, effects = resume(session._replace(job=session.job + 1), event.at)
    return session, (Disarm(Timer.MENU_IDLE), Disarm(Timer.FRAME), *effects)


def _stay(session: Session) -> tuple[Effect, ...]:
    return arm(Timer.MENU_IDLE, PATIENCE * session.options.menu)


def _remark(session: Session) -> Remark | None:
    """Return the remark on the last move shown, if it has arrived."""
    ply, remarks = session.review
    return remarks[ply - 1] if remarks and ply else None


def _mistake(session: Session) -> Remark | None:
    remark = _remark(session)
    return remark if remark and remark.better else None


def scene(session: Session, text: Words) -> BoardScene:
    """Return the board after the moves shown: a mistake is inverted, better moves are outlines.

    The headline counts each side's moves separately.
    """
    match, ply = session.match, session.review.ply
    shown = Match.replay(match.rule, match.human, match.moves[:ply])
    tiles = list(board_tiles(shown.game, match.moves[ply - 1] if ply else None))
    if mistake := _mistake(session):
        tiles[mistake.move] = tiles[mistake.move]._replace(inverse=True, last=False)
        for cell in mistake.better if session.frames % 2 or not session.frames else ():
            tiles[cell] = Tile(mistake.side, outline=True)
    if session.flash is not None:
        tiles[session.flash] = tiles[session.flash]._replace(inverse=not tiles[session.flash].inverse)
    return BoardScene(
        tuple(tiles),
        f"{text['move']} {(ply + 1) // 2}" if ply else text["review"],
        "ox"[ply % 2] if ply else "",
        tuple(_notes(session, text)),
        strike=strike(shown.game),
    )


def _notes(session: Session, text: Words) -> Iterator[str]:
    """Yield the move's value, the better moves, and what the keys do."""
    ply, remarks = session.review
    remark = _remark(session)
    if session.notice:
        yield text[session.notice].format(keys=numbers(session.held))
    elif remarks is None:
        yield text["looking"]
    elif not ply and not any(one.better or one.before.value == "unknown" for one in remarks):
        yield text["no_mistakes"]
    elif remark and remark.after.value in WORDS:
        yield text[WORDS[remark.after.value]]
        if remark.better:
            word = WORDS[remark.before.value] if remark.changed else "sooner"
            yield f"{numbers(remark.better)} {text[word]}"
    yield from text["review_text"].split(" ")  # the display shows those that fit
