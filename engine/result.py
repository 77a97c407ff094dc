"""What a search has found out."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.position import PROVEN, WIN


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a position, or of a move in it, for the side that is to move there.

    - `score`: on the scale of `engine.position`.
    - `bound`: what the score is for the depth searched: "exact", or only a "lower" or "upper" bound.
    - `value`: "win", "draw" or "loss" where that is proven for perfect play, otherwise "unknown".
    - `distance`: in plies, to the end of a game that is won or lost, by the fastest win against the slowest
      loss; None where it is not proven, and for a draw.
    """

    score: int
    bound: str
    value: str
    distance: int | None

    @classmethod
    def of(cls, score: int, bound: str, *, ply: int, depth: int, final: bool) -> "Verdict":
        """Return the verdict on a score from a search of `depth` plies at `ply`.

        `final` says that no guess is in it. A win or a loss needs no such assurance, only its distance
        does: no faster one is missed if it lies within the depth.
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
    """What a search returns: its verdict on the position, and how it came by it.

    - `move`: the move to play; always a legal one.
    - `pv`: the principal variation, best play of both sides, `move` first. With a table of its own, a search
      that proves a win or a loss follows it to the end; a table that is small, or has served other searches,
      may not remember it whole. No guess is followed deeper than `depth`.
    - `depth`: in plies, of the last iteration that contributed; 0 if not even the first did.
    - `nodes`: positions visited, the root and those settled at a glance included.
    - `seconds`: by the search's clock.
    - `moves`: the verdict on each legal move for the side that makes it, if all were asked for.
    """

    move: int
    pv: tuple[int, ...]
    depth: int
    nodes: int
    seconds: float
    moves: Mapping[int, Verdict] = field(default_factory=dict)
