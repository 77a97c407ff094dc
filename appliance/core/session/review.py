"""The review of a finished game: step through it on the board, with each mistake marked.

The right column steps forward, the left one back; the middle key of the bottom row goes to the next mistake,
that of the top row to the previous one; the centre ends the review. Presses act when they start.

At a mistake that changed the result the bottom key first steps through the line that proves it: how the side
would have won or, if it had not been winning, how the opponent could. All steps stay in the line until its
end; the top key leads back to the mistake.
"""

from collections.abc import Iterator

from appliance.core.keys.key_events import Press
from appliance.core.keys.scan import CENTRE
from appliance.core.picture.scene import BoardScene, Tile, board_tiles
from appliance.core.session import state
from appliance.core.session.coach import VERDICT_WORDS
from appliance.core.session.events import Effect, Judge, Judged, Timeout, Timer
from appliance.core.session.match import Match
from appliance.core.session.play import resume
from appliance.core.session.state import Notice, Phase, Review, Session, Step, arm, beep, notify, renew
from appliance.core.words import Words, numbers
from engine import Remark
from engine.shape import ends

MENU_TIMEOUTS = 3  # times the menu's timeout: people look longer at a position
UP, DOWN = 1, 7  # the keys that go from mistake to mistake
COLUMN_STEPS = (-1, 0, 1)  # column -> moves
BETTER = "⬚\N{NO-BREAK SPACE}"  # before what the blinking cells are worth


def start(session: Session, _at: float) -> Step:
    """Show the end of the game, and ask the engine what its moves were worth."""
    match = session.match
    session = renew(session._replace(phase=Phase.REVIEW, review=Review(len(match.moves))))
    request = Judge(session.request.job, match)
    return session, (*_stay(session), request, *beep(session, "menu"))


def take_remarks(session: Session, event: Judged) -> Step:
    """Go to the first mistake, the person's first if any, unless the person has stepped already."""
    match, ply, remarks = session.match, session.review.ply, event.remarks
    if event.job != session.request.job:
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
    there = _destination(session, event.key)
    if there is None:
        session, effects = notify(session, "", event.key)
        return session, (*effects, *_stay(session))
    session, effects = show(session._replace(notice=Notice()), *there)
    return session, (*effects, *_stay(session), *beep(session, "press"))


def _destination(session: Session, key: int) -> tuple[int, int] | None:
    """Return the `ply` and the `line` of the review to which a key leads, None if it leads nowhere."""
    ply, remarks, line = session.review
    step = {UP: -line, DOWN: 1}.get(key, COLUMN_STEPS[key % 3])
    if (line or key == DOWN) and line + step <= len(_line(session)[1]):
        return ply, line + step
    mistakes = [remark.ply + 1 for remark in remarks or () if remark.better]
    if key == UP:
        there = [one for one in mistakes if one < ply][-1:]
    elif key == DOWN:
        there = [one for one in mistakes if one > ply][:1]
    else:
        there = [] if line else [ply + step]
    return next(((one, 0) for one in there if 0 <= one <= len(session.match.moves)), None)


def show(session: Session, ply: int, line: int = 0) -> Step:
    """Show the game after `ply` moves, or `line` moves of the mistake's line; the better moves blink."""
    session = session._replace(review=session.review._replace(ply=ply, line=line))
    session = session._replace(frames=state.HINT_FRAMES if _mistake(session) and not line else 0)
    return session, arm(Timer.FRAME, state.HINT_SECONDS if session.frames else 0)


def blink(session: Session, _event: Timeout) -> Step:
    """Show the next frame of the blinking; the last one stays."""
    left = max(session.frames - 1, 0)
    return session._replace(frames=left), arm(Timer.FRAME, state.HINT_SECONDS if left else 0)


def leave(session: Session, event: Press | Timeout) -> Step:
    """Go back to the end of the game."""
    return resume(renew(session), event.at)


def _stay(session: Session) -> tuple[Effect, ...]:
    return arm(Timer.MENU_IDLE, MENU_TIMEOUTS * session.options.menu)


def _remark(session: Session) -> Remark | None:
    """Return the remark on the last move shown, if it has arrived."""
    ply, remarks, _ = session.review
    return remarks[ply - 1] if remarks and ply else None


def _mistake(session: Session) -> Remark | None:
    remark = _remark(session)
    return remark if remark and remark.better else None


def _line(session: Session) -> tuple[int, tuple[int, ...]]:
    """Return how many of the game's moves come before the mistake's line, and that line, () without any."""
    ply, mistake = session.review.ply, _mistake(session)
    if mistake is None:
        return ply, ()
    return (ply - 1, mistake.best_line) if mistake.best_line else (ply, mistake.reply_line)


def scene(session: Session, text: Words) -> BoardScene:
    """Return the board after the moves shown: a mistake is inverted, better moves are outlines.

    The headline counts the moves of both sides.
    """
    match, ply = session.match, session.review.ply
    if session.review.line:
        return _line_scene(session, text)
    shown = Match.replay(match.rule, match.human, match.moves[:ply])
    tiles = list(board_tiles(shown.game, match.moves[ply - 1] if ply else None))
    if mistake := _mistake(session):
        tiles[mistake.move] = tiles[mistake.move]._replace(inverse=True, last=False)
        for cell in mistake.better if session.frames % 2 or not session.frames else ():
            tiles[cell] = Tile(mistake.side, outline=True)
    if (flash := session.notice.cell) is not None:
        tiles[flash] = tiles[flash]._replace(inverse=not tiles[flash].inverse)
    return BoardScene(
        tuple(tiles),
        f"{text['move']} {ply}" if ply else text["review"],
        "ox"[ply % 2] if ply else "",
        tuple(_notes(session, text)),
        strike=ends(shown.game.line),
    )


def _line_scene(session: Session, text: Words) -> BoardScene:
    """Return the board after some moves of the line. Its marks are outlines: nobody made these moves."""
    match, count = session.match, session.review.line
    before, line = _line(session)
    shown = Match.replay(match.rule, match.human, (*match.moves[:before], *line[:count]))
    tiles = [
        tile._replace(outline=cell in line[:count] and bool(tile.glyph))
        for cell, tile in enumerate(board_tiles(shown.game, line[count - 1]))
    ]
    if (flash := session.notice.cell) is not None:
        tiles[flash] = tiles[flash]._replace(inverse=True)
    headline, mark = f"{count}/{len(line)}", "ox"[(before + count) % 2]
    if shown.over:
        headline, mark = text["mark_wins"], str(shown.game.outcome)
    return BoardScene(
        tuple(tiles), headline, mark, tuple(_notes(session, text)), strike=ends(shown.game.line)
    )


def _notes(session: Session, text: Words) -> Iterator[str]:
    """Yield why a move was a mistake, its value and that of the better moves, and what the keys do.

    The display shows those that fit.
    """
    (ply, remarks, shown), remark = session.review, _remark(session)
    line = _line(session)[1]
    if session.notice.word:
        yield text[session.notice.word].format(keys=numbers(session.notice.keys))
    elif remarks is None:
        yield text["looking"]
    elif not ply and not any(one.better or one.before.value == "unknown" for one in remarks):
        yield text["no_mistakes"]
    elif remark and shown:
        yield text["forces"].format(mark=remark.side if remark.best_line else remark.foe)
    elif remark and remark.better:
        yield text[remark.reasons[0]]
        better = VERDICT_WORDS[remark.before.value] if remark.changed else "sooner"
        yield f"{text[VERDICT_WORDS[remark.after.value]]} {BETTER}{text[better]}"
    elif remark and remark.after.value in VERDICT_WORDS:
        yield text[VERDICT_WORDS[remark.after.value]]
    if line and not shown:
        yield text["key_end"]
        yield text["key_how"]
    else:
        yield " ".join((text["key_moves"], text["key_end"]))
        if shown in {0, len(line)}:
            yield text["key_mistakes"]
