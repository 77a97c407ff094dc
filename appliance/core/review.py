"""The review of a game that has ended: it is stepped through on the board, and each mistake is marked.

The columns at the right and the left step on and back, the middle of the bottom and of the top row go to the
next and the last mistake, the centre ends. Each press acts as it goes down.
"""

from collections.abc import Iterator

from appliance.core.coach import WORDS
from appliance.core.events import Disarm, Draw, Effect, Judge, Judged, Press, Timeout, Timer
from appliance.core.match import Match
from appliance.core.play import resume
from appliance.core.scan import CENTRE
from appliance.core.scene import BoardScene, Tile, board_tiles, strike
from appliance.core.state import (
    HINT_FRAMES,
    HINT_SECONDS,
    Phase,
    Review,
    Session,
    Step,
    arm,
    beep,
    notify,
)
from appliance.core.words import Words, numbers
from engine import Remark

PATIENCE = 3  # times as long as in the menu: a position is looked at for longer
JUMPS = {1: -1, 7: 1}  # key -> which way to the nearest mistake
STEPS = (-1, 0, 1)  # column -> moves


def start(session: Session, _at: float) -> Step:
    """Show the end of the game, and ask what its moves were worth."""
    match = session.match
    session = session._replace(phase=Phase.REVIEW, review=Review(len(match.moves)), job=session.job + 1)
    request = Judge(session.job, match)
    return session, (Draw(), *_stay(session), request, *beep(session, "menu"))


def begin(session: Session, event: Judged) -> Step:
    """Go to the first mistake, the person's if there is one, unless a key has been pressed meanwhile."""
    match, ply, remarks = session.match, session.review.ply, event.remarks
    if event.job != session.job:
        return session, ()
    if remarks is None:
        return notify(session, "power_failed")
    session = session._replace(review=Review(ply, remarks))
    if ply < len(match.moves):
        return show(session, ply)
    own = match.human if session.settings.players == 1 else ""
    mistakes = sorted((remark for remark in remarks if remark.changed), key=lambda one: one.side != own)
    return show(session, mistakes[0].ply + 1 if mistakes else 0)


def press(session: Session, event: Press) -> Step:
    """Step through the game, or end. Where it does not go on the cell flashes."""
    if event.key == CENTRE:
        return leave(session, event)
    here, remarks = session.review.ply, session.review.remarks or ()
    way = JUMPS.get(event.key)
    if way is None:
        there = [here + STEPS[event.key % 3]]
    else:
        there = [remark.ply + 1 for remark in remarks if remark.changed][::way]
    for ply in there:
        if 0 <= ply <= len(session.match.moves) and (way is None or (ply - here) * way > 0):
            session, effects = show(session._replace(notice="", flash=None), ply)
            return session, (*effects, *_stay(session), *beep(session, "press"))
    session, effects = notify(session, "", event.key)
    return session, (*effects, *_stay(session))


def show(session: Session, ply: int) -> Step:
    """Show the game after so many moves; what would have been better than a mistake blinks."""
    session = session._replace(review=session.review._replace(ply=ply))
    session = session._replace(frames=HINT_FRAMES if _mistake(session) else 0)
    moves = arm(Timer.FRAME, HINT_SECONDS) if session.frames else (Disarm(Timer.FRAME),)
    return session, (Draw(), *moves)


def blink(session: Session, _event: Timeout) -> Step:
    """Show the next frame of what blinks; after the last it stands."""
    if not session.frames:
        return session, ()
    session = session._replace(frames=session.frames - 1)
    return session, (Draw(), *arm(Timer.FRAME, HINT_SECONDS if session.frames else 0))


def leave(session: Session, event: Press | Timeout) -> Step:
    """Go back to the end of the game."""
    session, effects = resume(session._replace(job=session.job + 1), event.at)
    return session, (Disarm(Timer.MENU_IDLE), Disarm(Timer.FRAME), *effects)


def _stay(session: Session) -> tuple[Effect, ...]:
    return arm(Timer.MENU_IDLE, PATIENCE * session.options.menu)


def _remark(session: Session) -> Remark | None:
    """Return the remark on the move that was made last, if there is one yet."""
    ply, remarks = session.review
    return remarks[ply - 1] if remarks and ply else None


def _mistake(session: Session) -> Remark | None:
    remark = _remark(session)
    return remark if remark and remark.changed else None


def scene(session: Session, text: Words) -> BoardScene:
    """Return the board after so many moves: a mistake is lit, what would have been better an outline.

    Each side's moves are counted by themselves.
    """
    match, ply = session.match, session.review.ply
    shown = Match.replay(match.rule, match.human, match.moves[:ply])
    tiles = list(board_tiles(shown.game, match.moves[ply - 1] if ply else None))
    if mistake := _mistake(session):
        tiles[mistake.move] = tiles[mistake.move]._replace(inverse=True, last=False)
        for cell in mistake.kept if session.frames % 2 or not session.frames else ():
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
    """Yield what the move was worth, what would have been better, and what the keys do."""
    ply, remarks = session.review
    remark = _remark(session)
    if session.notice:
        yield text[session.notice].format(keys=numbers(session.held))
    elif remarks is None:
        yield text["looking"]
    elif not ply and not any(one.changed or one.before.value == "unknown" for one in remarks):
        yield text["no_mistakes"]
    elif remark and remark.after.value in WORDS:
        yield text[WORDS[remark.after.value]]
        if remark.changed:
            yield f"{numbers(remark.kept)} {text[WORDS[remark.before.value]]}"
    yield from text["review_text"].split(" ")  # as many as there is room for
