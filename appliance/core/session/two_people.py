"""Two people at the box: who holds which mark, and their match: first to three, five or seven wins.

Their marks change hands after each game, so the display names a person by number and mark: "1x". The first
person is who began the first game, or played the box before the second came.

A match counts the games of two people by any rule, and waits while one of them plays the box. A draw counts
for nobody, and neither does a game with help. The wins are kept with the score. Nothing clears them when a
match is decided: the last game shows them, and the next one that counts begins at 0 : 0.
"""

from appliance.core.keys.scan import CENTRE
from appliance.core.picture.scene import BoardScene, Tile
from appliance.core.session.match import Match
from appliance.core.session.settings import Tally
from appliance.core.session.state import LINE_FRAMES, Phase, Session

RING = (0, 1, 2, 5, 8, 7, 6, 3)  # the tiles round the centre, clockwise
RING_FRAMES = len(RING) - 1  # of the celebration, after those of the winning line


def person(match: Match, mark: str) -> str:
    """Return the number of the person who holds a mark, and the mark."""
    return f"{1 if mark == match.human else 2}{match.mark(mark)}"


def people(match: Match) -> tuple[str, str]:
    """Return both people, the first one first."""
    return person(match, match.human), person(match, "o" if match.human == "x" else "x")


def running(tally: Tally, wins: int) -> Tally:
    """Return the tally of a match that `wins` decide, to which the next game adds."""
    return tally if max(tally.first, tally.second) < wins else Tally()


def won(session: Session) -> bool:
    """Return whether the game that has ended has decided the match."""
    match, settings, tally = session.match, session.settings, session.scores.series
    outcome = match.game.outcome
    if settings.players != 2 or not match.counted or match.helped or outcome == "draw":
        return False
    return 0 < settings.series == (tally.first if outcome == match.human else tally.second)


def standing(session: Session) -> Tally:
    """Return the wins in the match; once it is decided, those at its end until the next game begins."""
    tally = session.scores.series
    return tally if won(session) else running(tally, session.settings.series)


def line_drawn(session: Session) -> float:
    """Return the part of the winning line that is drawn, 0 to 1: of two people's match a ring follows it."""
    if session.phase is not Phase.GAME_OVER:
        return 1
    return 1 - max(0, session.frames - RING_FRAMES * won(session)) / LINE_FRAMES


def celebrates(session: Session) -> bool:
    """Return whether the winner of a match is celebrated: the winning line has been shown."""
    return won(session) and not session.slide and session.frames < RING_FRAMES


def celebration(session: Session, scene: BoardScene) -> BoardScene:
    """Return the scene with a cup on its board, round which the winner's marks close a ring."""
    mark = session.match.mark(str(session.match.game.outcome))
    tiles = {place: Tile(mark) for place in RING[: len(RING) - session.frames]}
    tiles[CENTRE] = Tile("stats")
    return scene._replace(tiles=tuple(tiles.get(cell, Tile()) for cell in range(9)), strike=None)
