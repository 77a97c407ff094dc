"""The words of a lesson: scores, and for each step a sentence with the reason."""

from collections.abc import Sequence
from typing import NamedTuple

from appliance.core.english import capital, listed, number, plural
from appliance.teaching.lesson.outline import Outline
from engine import PROVEN, WIN, Visit

MINUS = "\u2212"
SIGNS = {"exact": "", "upper": "\u2264 ", "lower": "\u2265 "}
PHRASES = {"exact": "", "upper": "at most ", "lower": "at least "}
FLIPPED = {"exact": "exact", "upper": "lower", "lower": "upper"}


class Held(NamedTuple):
    """A bound: the score, and the branch that secured it, None while the window is open on that side."""

    score: int
    branch: int | None = None


class Words:
    """The words of one lesson. Scores are passed in for Max; negamax shows them for the side to move."""

    def __init__(self, outline: Outline, algorithm: str) -> None:
        self.outline, self.algorithm = outline, algorithm

    def mover(self, node: int) -> str:
        """Return the name of the side to move."""
        return self.outline.players[self.outline.nodes[node].ply % 2]

    def seen(self, score: int, node: int) -> int:
        """Return a score with the sign that is shown at `node`."""
        return -score if self.algorithm == "negamax" and self.outline.nodes[node].ply % 2 else score

    def score(self, score: int, node: int) -> str:
        """Return a score in words for `node`: `win in 3`, `draw`, `+4`; distances count from the root."""
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
        """Return the value of a visited node with its bound: `\u2264 draw`."""
        return f"{SIGNS[self._bound(visit, node)]}{self.score(visit.value, node)}"

    def window(self, alpha: int, beta: int, node: int) -> tuple[str, str]:
        """Return alpha and beta in words for `node`."""
        ends = (alpha, beta) if self.seen(1, node) > 0 else (beta, alpha)
        return self.score(ends[0], node), self.score(ends[1], node)

    def _window(self, alpha: int, beta: int, node: int) -> tuple[str, str]:
        """Return the same for use in a sentence: `a win in 3`."""
        low, high = self.window(alpha, beta, node)
        return _article(low), _article(high)

    def enter(self, node: int, alpha: int, beta: int) -> str:
        """Return the sentence for entering `node`."""
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
                f"{turn} for itself. The window from above, negated and its ends swapped, is {low} to {high}."
            )
        return f"{turn}. From above, alpha is {low} and beta {high}."

    def back(
        self, node: int, child: int, visit: Visit, best: int, ends: tuple[Held, Held], change: str
    ) -> str:
        """Return the sentences for a value returned by `child` that changes "nothing", "best" or "window"."""
        mover, shown = self.mover(node), self._a(best, node)
        value, lead = self._phrase(visit, node), ""
        if self.algorithm == "negamax":
            returned = self._phrase(visit, child)
            lead = f"{self._name(child)} returns {returned}; negated, that is {value} for {mover}. "
        elif self.outline.nodes[child].value is None:
            lead = f"{self._name(child)} returns {value}. "
        if change == "nothing":
            other = self.mover(child)
            held = f"has {shown}" if self._raises(node) else f"holds {other} to {shown}"
            return f"{lead}{mover} {held} here already: nothing changes."
        news = f"{lead}{capital(shown)} is the {self._goal(node)} so far"
        if self.algorithm == "minimax":
            return f"{news}."
        low, high = self._window(ends[0].score, ends[1].score, node)
        if self._raises(node):
            end = f"no more than alpha: alpha stays {low}" if change == "best" else f"alpha rises to {low}"
        else:
            end = f"no less than beta: beta stays {high}" if change == "best" else f"beta falls to {high}"
        return f"{news}, but {end}." if change == "best" else f"{news}: {end}."

    def complete(self, node: int, visit: Visit) -> str:
        """Return the sentence for the end of `node`'s branches."""
        if node == 0:
            return "No branch is left."
        return f"No branch is left: this position returns {self._phrase(visit, node)}."

    def cut(self, node: int, best: int, ends: tuple[Held, Held], cut: Sequence[int]) -> str:
        """Return what is cut, and why: what the mover can reach here, and the other side elsewhere."""
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
        return f"{capital(reason)}, so {self.branches(cut)} {plural(len(cut), 'is', 'are')} never looked at."

    def done(self, visit: Visit, best: int, seen: int) -> str:
        """Return the result of the search: the root's visit, its best child and the positions visited."""
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
        """Return the question which branch is cut next, asked just before `child` returns its value."""
        low, high = self._window(alpha, beta, node)
        verb = "returns" if self.outline.nodes[child].value is None else "is worth"
        path = self.outline.nodes[node].path
        above = f"the position after {path}" if node and self.outline.rule else path
        return (
            f"{self._name(child)} {verb} {self._phrase(visit, child)}. Its parent is {above}: "
            f"{self.mover(node)} is to move, alpha is {low}, beta {high}. Which branch is cut next?"
        )

    def still_open(self, node: int, ends: tuple[Held, Held]) -> str:
        """Return the answer when nothing is cut, and why."""
        low, high = self._window(ends[0].score, ends[1].score, node)
        return f"No branch is cut yet: alpha, now {low}, is still below beta, {high}."

    def branches(self, nodes: Sequence[int]) -> str:
        """Return branches of one position for a sentence: `x's moves 7 and 9`, `the 8`."""
        named = [self.outline.nodes[node] for node in nodes]
        if not self.outline.rule:
            return listed(node.label for node in named)
        moves = listed((node.move or 0) + 1 for node in named)
        return f"{named[0].label[0]}'s {plural(len(named), 'move')} {moves}"

    def _leaf(self, node: int) -> str:
        one, (hero, villain) = self.outline.nodes[node], self.outline.players
        value = one.value or 0
        shown, eyes = self._a(value, node), f" for {hero}"
        if self.algorithm == "negamax":
            eyes = f" for {self.mover(node)}, who would move next"
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
                else "the last two marks share a line for both sides or for neither"
            )
        elif value and self.outline.rule == "misere":
            what = (
                f"the open lines of {behind} count {abs(value)} more than those of {ahead}, and a line loses"
            )
        elif value:
            what = f"the open lines of {ahead} count {abs(value)} more than those of {behind}"
        used = f"{self._arrival(node)} The depth limit is reached before the game ends"
        return f"{used}, so {shown}{eyes} is a guess: {what}."

    def _arrival(self, node: int) -> str:
        one = self.outline.nodes[node]
        if one.parent is None:
            return "The search begins."
        if not self.outline.rule:
            return f"{self._name(node)} is next."
        return f"{one.label[0]} plays {(one.move or 0) + 1}."

    def _elsewhere(self, node: int, held: Held) -> str:
        """Return where a bound was secured: another move of an ancestor."""
        branch = self.outline.nodes[held.branch or 0]
        if not self.outline.rule:
            return f"in {branch.path}"
        higher = self.outline.nodes[node].ply - branch.ply + 1
        return f"by playing {(branch.move or 0) + 1} " + (
            "instead" if higher == 1 else f"{number(higher)} moves earlier"
        )

    def _phrase(self, visit: Visit, node: int) -> str:
        return f"{PHRASES[self._bound(visit, node)]}{self._a(visit.value, node)}"

    def _bound(self, visit: Visit, node: int) -> str:
        return visit.bound if self.seen(1, node) > 0 else FLIPPED[visit.bound]

    def _a(self, score: int, node: int) -> str:
        return _article(self.score(score, node))

    def _goal(self, node: int) -> str:
        return "highest" if self._raises(node) else "lowest"

    def _raises(self, node: int) -> bool:
        """Return whether the side to move takes the highest value, and so raises alpha."""
        return self.algorithm == "negamax" or self.outline.nodes[node].ply % 2 == 0

    def _name(self, node: int) -> str:
        one = self.outline.nodes[node]
        return "The leaf" if one.reason == "number" else capital(one.label)


def _article(shown: str) -> str:
    return f"a {shown}" if shown[0] in "wld" else shown
