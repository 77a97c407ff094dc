"""The picture of a game on nine boards: the overview, the way to the next board, and when there are words.

The left square has the board that is played, or the boards to choose from. Words take its place only where
nobody has to look at it. What must be said meanwhile is a banner in it: why a press does nothing, and that a
board is to be chosen. Whose turn it is shows in the overview: the active board is lit for a person, and has
the box's face while it thinks.
"""

from appliance.core.picture.scene import SLIDE_FRAMES, BoardScene, Overview, Tile, unfold
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
    if _covered(session, side):
        return scene
    note = scene.notes[:1] if session.notice else ()
    if side.active is None and session.phase is Phase.YOUR_TURN and not session.slide:
        note = note or (text["which_board"],)
    # The person's own mark does not change from turn to turn, which saves bytes on the bus.
    marks = {0: "", 1: session.match.human, 2: scene.mark}
    return scene._replace(
        tiles=_unfolding(session, scene.tiles),
        headline="",
        mark=marks[session.settings.players],
        notes=note,
        score=(),
        bar=None,
    )


def _before(side: Overview, move: int) -> Overview:
    """Return the overview before a move: while it may be taken back, only the large board shows it.

    When it is final, that board is sent anyway.
    """
    cells = f"{side.cells[:move]}.{side.cells[move + 1 :]}"
    boards = f"{side.boards[: move // 9]}.{side.boards[move // 9 + 1 :]}"
    return side._replace(cells=cells, boards=boards)


def _covered(session: Session, side: Overview) -> bool:
    """Return whether words are shown instead of the tiles."""
    if session.progress is not None or (session.notice and session.flash is None):
        return True
    if session.slide == SLIDE_FRAMES:  # the board just played stays for a moment
        return False
    if session.phase is Phase.THINKING:
        return side.active is None  # the face has no place in the overview
    greets = session.mood == "hello" and not session.match.moves
    return greets or session.phase is Phase.GAME_OVER


def _unfolding(session: Session, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return the tiles, or while the next board opens those between it and the board just played."""
    if not session.slide:
        return tiles
    board, cell = divmod(session.match.moves[-1], 9)
    before = session.form.tiles(session.match.game, board, None)
    return unfold(before, tiles, cell, 1 - session.slide / SLIDE_FRAMES)
