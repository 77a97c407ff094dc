"""The coach: before a person moves, each empty cell shows what a move there is worth with perfect play.

Only solved rules have it. A game that it has helped with, even for one turn, does not count: see
`Match.helped`.
"""

from appliance.core.picture.scene import Tile
from appliance.core.session.events import Judge, Judged
from appliance.core.session.state import Session, Step, renew
from engine import SOLVED

VERDICT_FACES = {"win": "smile", "draw": "plain", "loss": "frown"}
"""Value of a move -> its icon. An unproven value has none."""

VERDICT_WORDS = {"win": "wins", "draw": "draws", "loss": "loses"}
"""Value of a move -> the key in `core.words` that explains its icon."""


def ask(session: Session) -> Step:
    """If the coach is on, ask what each legal move is worth, and mark the game as helped."""
    if not session.settings.coach or session.match.rule not in SOLVED:
        return session, ()
    session = renew(session._replace(match=session.match._replace(helped=True)))
    return session, (Judge(session.request.job, session.match),)


def show(session: Session, event: Judged) -> Step:
    """Show the signs."""
    if event.job != session.request.job:
        return session, ()
    return session._replace(signs=tuple(VERDICT_FACES.get(value, "") for value in event.worth)), ()


def tiles(session: Session, board: list[Tile]) -> list[Tile]:
    """Return the board's tiles with the signs in its empty cells."""
    if not session.signs:
        return board
    return [
        tile if tile.glyph else tile._replace(glyph=sign)
        for tile, sign in zip(board, session.signs, strict=True)
    ]
