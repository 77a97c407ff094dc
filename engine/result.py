"""The results of a search."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.position import PROVEN, WIN


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a position, or on a move in it, for the side to move there.

    - `score`: on the scale of `engine.position`.
    - `bound`: whether the score is "exact" for the depth searched, or a "lower" or "upper" bound.
    - `value`: "win", "draw" or "loss" if proven for perfect play, otherwise "unknown".
    - `distance`: plies to the end of a won or lost game, by the fastest win against the slowest loss; None
      for a draw and if not proven.
    """

    score: int
    bound: str
    value: str
    distance: int | None

    @classmethod
    def of(cls, score: int, bound: str, *, ply: int, depth: int, final: bool) -> "Verdict":
        """Return the verdict on a score from a search of `depth` plies at `ply`.

        `final`: no static evaluation influenced it. A win or a loss holds even so; its distance does only if
        it is within the depth.
        """
        size = abs(score)
        if size >= PROVEN and bound != ("upper" if score > 0 else "lower"):
            distance = WIN - size - ply
            sure = bound == "exact" and (final or distance <= depth)
            return cls(score, bound, "win" if score > 0 else "loss", distance if sure else None)
        if final and bound == "exact":
            return cls(score, bound, "win" if score > 0 else "loss" if score < 0 else "draw", None)
        return cls(score, bound, "unknown", None)


@dataclass(frozen=True, slots=True)
class SearchResult(Verdict):
    """The verdict on the position searched, and how it was found.

    - `move`: the move to play; always legal.
    - `pv`: the principal variation, best play by both sides, `move` first. With a new table, a search that
      proves a win or a loss follows it to the end; a small or used table may cut it short. If the value is
      unknown it is no longer than `depth`.
    - `depth`: plies of the last iteration that contributed; 0 if none did.
    - `nodes`: positions visited, the root and those that bounds settled included.
    - `seconds`: by the search's clock.
    - `moves`: the verdict on each legal move, for the side that makes it, if `every` was set.
    """

    move: int
    pv: tuple[int, ...]
    depth: int
    nodes: int
    seconds: float
    moves: Mapping[int, Verdict] = field(default_factory=dict)
