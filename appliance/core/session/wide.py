"""The picture of a game on nine boards: the overview, the way to the next board, and when there are words.

The left square has the board that is played, or the boards to choose from. Words take its place only where
nobody has to look at it. What must be said meanwhile is a banner in it: why a press does nothing, that
somebody may choose a board, and how to choose another one. Otherwise the overview says whose turn it is: the
active board is lit for a person, and has the box's face while it thinks.
"""

from appliance.core.picture.scene import SLIDE_FRAMES, BoardScene, Overview, Tile
from appliance.core.session import slide
from appliance.core.session.score import face
from appliance.core.session.state import Phase, Session
from appliance.core.words import Words


def arrange(session: Session, scene: BoardScene, side: Overview, text: Words) -> BoardScene:
    """Return the scene of a match with its overview `side`, and with either its words or its tiles."""
    if session.phase is Phase.THINKING:
        side = side._replace(face=face(session))
    elif session.phase is Phase.PLACED:
        side = _before(side, session.match.moves[-1])
    elif session.phase is Phase.GAME_OVER:
        side = side._replace(last=session.match.moves[-1])
    scene = scene._replace(side=side)
    if _covered(session):
        # The words on an empty board, which explain the rule, need the room of the score.
        explains = not (session.match.moves or session.sleeps or session.greets)
        return scene._replace(score=()) if explains else scene
    # The person's own mark does not change from turn to turn, which saves bytes on the bus.
    marks = {0: "", 1: session.match.human, 2: scene.mark}
    return scene._replace(
        tiles=_tiles(session, side, scene.tiles),
        line=_line(session, side),
        headline="",
        mark=marks[session.settings.players],
        notes=_banner(session, side, scene, text),
        score=(),
        bar=None,
    )


def _before(side: Overview, move: int) -> Overview:
    """Return the overview before a move: until the move is final, only the large board shows it.

    Then the board is sent again anyway.
    """
    cells = f"{side.cells[:move]}.{side.cells[move + 1 :]}"
    boards = f"{side.boards[: move // 9]}.{side.boards[move // 9 + 1 :]}"
    return side._replace(cells=cells, boards=boards)


def _covered(session: Session) -> bool:
    """Return whether words are shown instead of the tiles."""
    if session.progress is not None or session.notice.cell is not None or session.notice.word:
        return session.progress is not None or session.notice.cell is None
    match session.phase:
        case Phase.YOUR_TURN:
            return not session.match.moves and session.picked is None and session.hint is None
        case Phase.GAME_OVER:
            return session.slide < SLIDE_FRAMES  # the board just played stays for a moment
    return False


def _banner(session: Session, side: Overview, scene: BoardScene, text: Words) -> tuple[str, ...]:
    """Return the words of the banner, if any.

    They say why a press did nothing, who may choose a board, or how to choose another.
    """
    if session.notice.word:
        return scene.notes[:1]
    if session.picked is not None:
        return (text["hold_back"],)
    if side.active is not None or session.phase is Phase.GAME_OVER:
        return ()
    if session.phase is Phase.THINKING:
        return (text["box_turn"],)
    return () if session.slide else (text["which_board"],)


def _awaited(session: Session, side: Overview) -> bool:
    """Return whether the box is about to choose a board: until then, the one just played stays."""
    return session.phase is Phase.THINKING and side.active is None and bool(session.match.moves)


def _line(session: Session, side: Overview) -> tuple[int, int] | None:
    """Return the line of a board that has just been won, while it stays.

    The overview's larger mark alone is easily missed: eyes are on the cell that was pressed.
    """
    stays = session.slide == SLIDE_FRAMES or _awaited(session, side)
    return session.form.won(session.match.game, session.match.moves[-1]) if stays else None


def _tiles(session: Session, side: Overview, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return the tiles, or while the next board opens those between it and the board just played."""
    if _awaited(session, side):
        last = session.match.moves[-1]
        return session.form.tiles(session.match.game, session.form.home(last), None)
    return slide.between(session, tiles) if session.slide else tiles
