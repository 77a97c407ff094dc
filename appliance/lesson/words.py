"""What a lesson says: scores, and a sentence for each step with its reason."""

from collections.abc import Sequence
from typing import NamedTuple

from appliance.lesson.outline import Outline
from engine import PROVEN, WIN, Visit

MINUS = "\u2212"
SIGNS = {"exact": "", "upper": "\u2264 ", "lower": "\u2265 "}
PHRASES = {"exact": "", "upper": "at most ", "lower": "at least "}
FLIPPED = {"exact": "exact", "upper": "lower", "lower": "upper"}


class Held(NamedTuple):
    """A bound: the score, and the branch that secured it; None for an open window."""

    score: int
    branch: int | None = None


class Words:
    """The words of one lesson. Every score given is Max's; negamax shows it as the side to move sees it."""

    def __init__(self, outline: Outline, algorithm: str) -> None:
        self.outline, self.algorithm = outline, algorithm

    def mover(self, node: int) -> str:
        """Return who is to move."""
        return self.outline.players[self.outline.nodes[node].ply % 2]

    def seen(self, score: int, node: int) -> int:
        """Return a score as it is shown at `node`."""
        return -score if self.algorithm == "negamax" and self.outline.nodes[node].ply % 2 else score

    def score(self, score: int, node: int) -> str:
        """Return a score as shown at `node`: `win in 3`, `draw`, `+4`; distances count from the root."""
        score = self.seen(score, node)
        if abs(score) > WIN:
            return "+\u221e" if score > 0 else f"{MINUS}\u221e"
        if abs(score) >= PROVEN:
            return f"{'win' if score > 0 else 'loss'} in {WIN - abs(score) - self.outline.start}"
        if not self.outline.rule:
            return str(score).replace("-", MINUS)
        if not score:
            return "0" if self.outline.guessed else "draw"
        return f"{score:+}".replace("-", MINUS)

    def bound(self, visit: Visit, node: int) -> str:
        """Return the value of a visited position with the sign of its bound: `\u2264 draw`."""
        return f"{SIGNS[self._bound(visit, node)]}{self.score(visit.value, node)}"

    def window(self, alpha: int, beta: int, node: int) -> tuple[str, str]:
        """Return alpha and beta as they are shown at `node`."""
        ends = (alpha, beta) if self.seen(1, node) > 0 else (beta, alpha)
        return self.score(ends[0], node), self.score(ends[1], node)

    def _window(self, alpha: int, beta: int, node: int) -> tuple[str, str]:
        """Return the same for a sentence: `a win in 3`."""
        low, high = self.window(alpha, beta, node)
        return _article(low), _article(high)

    def enter(self, node: int, alpha: int, beta: int) -> str:
        """Say that the search comes to `node`."""
        one, mover = self.outline.nodes[node], self.mover(node)
        if one.value is not None:
            return self._leaf(node)
        low, high = self._window(alpha, beta, node)
        turn = f"{self._arrival(node)} {mover} is to move and takes the {self._goal(node)} value"
        if self.algorithm == "minimax":
            return f"{turn}."
        if one.parent is None:
            return f"{turn}. Nothing is known yet: alpha is {low}, beta {high}."
        if self.algorithm == "negamax":
            return (
                f"{turn} in its own eyes. The window from above, negated, its ends swapped: {low} to {high}."
            )
        return f"{turn}. From above, alpha is {low} and beta {high}."

    def back(
        self, node: int, child: int, visit: Visit, best: int, ends: tuple[Held, Held], change: str
    ) -> str:
        """Say that the value of `child` has come back, and what it changes: "nothing", "best" or "window"."""
        mover, shown = self.mover(node), self._a(best, node)
        value, lead = self._phrase(visit, node), ""
        if self.algorithm == "negamax":
            lead = f"{self._name(child)} returns {self._phrase(visit, child)}; negated, {value} for {mover}. "
        elif self.outline.nodes[child].value is None:
            lead = f"{self._name(child)} returns {value}. "
        if change == "nothing":
            other = self.mover(child)
            held = f"has {shown}" if self._raises(node) else f"holds {other} to {shown}"
            return f"{lead}{mover} {held} here already: nothing changes."
        news = f"{lead}{_capital(shown)} is the {self._goal(node)} so far"
        if self.algorithm == "minimax":
            return f"{news}."
        low, high = self._window(ends[0].score, ends[1].score, node)
        if self._raises(node):
            end = f"no more than alpha: alpha stays {low}" if change == "best" else f"alpha rises to {low}"
        else:
            end = f"no less than beta: beta stays {high}" if change == "best" else f"beta falls to {high}"
        return f"{news}, but {end}." if change == "best" else f"{news}: {end}."

    def complete(self, node: int, visit: Visit) -> str:
        """Say that no branch of `node` is left."""
        if node == 0:
            return "No branch is left."
        return f"No branch is left: this position returns {self._phrase(visit, node)}."

    def cut(self, node: int, best: int, ends: tuple[Held, Held], cut: Sequence[int]) -> str:
        """Say what is cut, and why: what the mover can reach here, and what the other side has elsewhere."""
        mover, other = self.mover(node), self.mover(self.outline.nodes[node].children[0])
        maximizing = self.outline.nodes[node].ply % 2 == 0
        held = ends[1] if maximizing else ends[0]
        here, there = self._a(best, node), self._a(held.score, node)
        equal, elsewhere = best == held.score, self._elsewhere(node, held)
        if self._raises(node):
            reason = f"{mover} can reach {here} here, " + (
                f"and {other} allows no more {elsewhere}"
                if equal
                else f"but {other} allows only {there} {elsewhere}"
            )
        else:
            reason = f"{mover} can hold {other} to {here} here, " + (
                f"and {other} has as much {elsewhere}" if equal else f"but {other} has {there} {elsewhere}"
            )
        return (
            f"{_capital(reason)}, so {self.branches(cut)} {'is' if len(cut) == 1 else 'are'} never looked at."
        )

    def done(self, visit: Visit, best: int, seen: int) -> str:
        """Say what the whole search found: the root's visit, its best child, and the positions visited."""
        who = self.outline.players[0]
        found = (
            f"{who} plays {(self.outline.nodes[best].move or 0) + 1}"
            if self.outline.rule
            else (f"{who} takes {self.outline.nodes[best].path}")
        )
        total = self.outline.nodes[0].size
        count = (
            f"{seen:,} of {total:,} positions were visited"
            if seen < total
            else f"all {total:,} positions were visited"
        )
        return f"The search is over. {found}, which is worth {self._a(visit.value, 0)}; {count}."

    def question(self, node: int, child: int, visit: Visit, alpha: int, beta: int) -> str:
        """Ask which branch is cut next, when the value of `child` is about to come back."""
        low, high = self._window(alpha, beta, node)
        verb = "returns" if self.outline.nodes[child].value is None else "is worth"
        path = self.outline.nodes[node].path
        above = f"the position after {path}" if node and self.outline.rule else path
        return (
            f"{self._name(child)} {verb} {self._phrase(visit, child)}. Its parent is {above}: "
            f"{self.mover(node)} is to move, alpha is {low}, beta {high}. Which branch is cut next?"
        )

    def still_open(self, node: int, ends: tuple[Held, Held]) -> str:
        """Say that no branch is cut now, and why."""
        low, high = self._window(ends[0].score, ends[1].score, node)
        return f"No branch is cut yet: alpha, now {low}, is still below beta, {high}."

    def branches(self, nodes: Sequence[int]) -> str:
        """Name branches of one position in a sentence: `x's moves 7 and 9`, `the 8`."""
        named = [self.outline.nodes[node] for node in nodes]
        if not self.outline.rule:
            return _listed([node.label for node in named])
        moves = _listed([str((node.move or 0) + 1) for node in named])
        return f"{named[0].label[0]}'s move{'s' if len(named) > 1 else ''} {moves}"

    def _leaf(self, node: int) -> str:
        one, (hero, villain) = self.outline.nodes[node], self.outline.players
        value = one.value or 0
        shown, eyes = self._a(value, node), f" for {hero}"
        if self.algorithm == "negamax":
            eyes = f" for {self.mover(node)}, who would be next"
        if one.reason == "number":
            return f"This leaf is worth {shown}{eyes}."
        if one.reason == "drawn":
            why = (
                "the position has occurred three times"
                if self.outline.rule == "vanishing"
                else "the board is full"
            )
            return f"{self._arrival(node)[:-1]}: {why}. A draw counts 0."
        if one.reason == "won":
            ends = "loses" if self.outline.rule == "misere" else "wins"
            return f"{self._arrival(node)[:-1]}, completes a line and {ends}: {shown}{eyes}."
        ahead, behind = (hero, villain) if value > 0 else (villain, hero)
        what = "the open lines of both count the same"
        if self.outline.rule == "vanishing":
            what = (
                f"the last two marks of {ahead} share a line"
                if value
                else "neither side, or each, has its last two marks in a line"
            )
        elif value and self.outline.rule == "misere":
            what = (
                f"the open lines of {behind} count {abs(value)} more than those of {ahead}, and are a danger"
            )
        elif value:
            what = f"the open lines of {ahead} count {abs(value)} more than those of {behind}"
        used = f"{self._arrival(node)} The depth is used up while the game is on"
        return f"{used}, so {shown}{eyes} is a guess: {what}."

    def _arrival(self, node: int) -> str:
        one = self.outline.nodes[node]
        if one.parent is None:
            return "The search begins."
        if not self.outline.rule:
            return f"{self._name(node)} is next."
        return f"{one.label[0]} plays {(one.move or 0) + 1}."

    def _elsewhere(self, node: int, held: Held) -> str:
        """Say where a bound was secured: by another move at an ancestor."""
        branch = self.outline.nodes[held.branch or 0]
        if not self.outline.rule:
            return f"in {branch.path}"
        higher = self.outline.nodes[node].ply - branch.ply + 1
        return f"by playing {(branch.move or 0) + 1} " + (
            "instead" if higher == 1 else f"{_count(higher)} moves earlier"
        )

    def _phrase(self, visit: Visit, node: int) -> str:
        return f"{PHRASES[self._bound(visit, node)]}{self._a(visit.value, node)}"

    def _bound(self, visit: Visit, node: int) -> str:
        return visit.bound if self.seen(1, node) > 0 else FLIPPED[visit.bound]

    def _a(self, score: int, node: int) -> str:
        return _article(self.score(score, node))

    def _goal(self, node: int) -> str:
        return "greatest" if self._raises(node) else "least"

    def _raises(self, node: int) -> bool:
        """Whether the side to move takes the greatest value: it raises alpha."""
        return self.algorithm == "negamax" or self.outline.nodes[node].ply % 2 == 0

    def _name(self, node: int) -> str:
        one = self.outline.nodes[node]
        return "The leaf" if one.reason == "number" else _capital(one.label)


def _article(shown: str) -> str:
    return f"a {shown}" if shown[0] in "wld" else shown


def _capital(text: str) -> str:
    """Return a text with a capital first letter; x and o are names, and stay as they are."""
    return text if text[:2] in {"x ", "o "} else text[:1].upper() + text[1:]


def _count(number: int) -> str:
    return {3: "three", 5: "five", 7: "seven"}.get(number, str(number))


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
