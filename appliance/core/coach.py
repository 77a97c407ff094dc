"""The coach: before a person moves, each empty cell shows what that move is worth under perfect play.

A game that it has watched changes neither score, records nor strength.
"""

from appliance.core.events import Draw, Effect, Judge, Judged
from appliance.core.scene import Tile
from appliance.core.state import Phase, Session, Step, save

SIGNS = {"win": "smile", "draw": "plain", "loss": "frown"}
"""Value of a move -> its icon. What is not proven has none."""

WORDS = {"win": "wins", "draw": "draws", "loss": "loses"}
"""Value of a move -> the key of the words for its sign."""


def ask(session: Session) -> Step:
    """Ask what each move is worth that a person may now make, if the coach is on; note that it watches."""
    if not session.settings.coach:
        return session, ()
    kept: tuple[Effect, ...] = ()
    if not session.match.coached:
        session = session._replace(match=session.match._replace(coached=True))
        kept = (save(session),)
    session = session._replace(job=session.job + 1)
    return session, (*kept, Judge(session.job, session.match))


def show(session: Session, event: Judged) -> Step:
    """Show the signs. A press that may yet be taken back is not disturbed."""
    if event.job != session.job:
        return session, ()
    session = session._replace(signs=tuple(SIGNS.get(value, "") for value in event.worth))
    return session, (Draw(),) if session.phase is Phase.YOUR_TURN else ()


def tiles(session: Session, board: list[Tile]) -> list[Tile]:
    """Return the board's tiles with the signs in its empty cells."""
    if not session.signs:
        return board
    return [
        tile if tile.glyph else tile._replace(glyph=sign)
        for tile, sign in zip(board, session.signs, strict=True)
    ]
