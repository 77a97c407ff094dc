"""What each kind of people can expect against the levels, exactly.

tables.py writes them into `engine.people.POINTS`, for the adaptive level, and into docs/engine.md, for the
fixed ones. Where every game ends by itself, chances are added up over all positions. At vanishing positions
recur: the positions, of mirror images one, and who is to move are the states of a finite Markov chain that
ends in a win of either side, and its expectation is found by iteration. The draw by a third repetition
depends on the whole game; here a game that circles for ever is drawn.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from solved_games import images, reachable, solve_vanishing, vanishing_games, vanishing_state

from engine import KINDS, RULES, SOLVED, Level, adaptive, casual
from engine.levels import TrapSearch, anything
from engine.people import LOOK, STRENGTH_STEP, STRONGEST, PersonKind, good_moves, shares

CLOSE = 1e-6  # the change in an iteration that is the last

Row = tuple[tuple[int, float], ...]  # number of the state after a move, and how likely that is


class Verdict(NamedTuple):
    """What perfect play at vanishing needs of a verdict, from the game's solution instead of a search."""

    value: str
    score: int
    distance: int | None
    moves: dict


class Solved(TrapSearch):
    """Perfect play at vanishing, from its solution."""

    def verdicts(self, position):
        solution = solve_vanishing()
        own, other = solution.of(vanishing_state(position)), {}
        for move in position.moves():
            value, distance = solution.of(vanishing_state(position.play(move)))
            other[move] = _verdict(-value, distance + 1, {})
        return _verdict(*own, other)

    def choices(self, position):
        """Return the same as `people.good_moves`."""
        found, safe = self.verdicts(position), casual(position)
        if found.value == "win" and found.distance == 1:
            return safe, safe, safe
        near = {move: found.moves[move] for move in safe if (found.moves[move].distance or LOOK + 1) <= LOOK}
        worth = {
            move: {"loss": 0, "win": 2}[near[move].value] if move in near else 1
            for move in safe
        }  # fmt: skip
        return (), safe, [move for move in safe if worth[move] == max(worth.values())]


def _verdict(value: int, distance: int, moves: dict) -> Verdict:
    return Verdict(
        ("draw", "win", "loss")[value], value * (1000 - distance), distance if value else None, moves
    )


class Model:
    """The positions of a rule, of mirror images one, and who may play which moves there."""

    def __init__(self, rule: str) -> None:
        self.recurs = RULES[rule].recurs
        if self.recurs:
            positions, traps = vanishing_games(), Solved()
            self.key, look = lambda position: min(images(vanishing_state(position))), traps.choices
        else:
            positions, traps = reachable(SOLVED[rule](), symmetry=True), TrapSearch()
            self.key, look = lambda position: position.key(), good_moves
        positions = self.positions = sorted(positions, key=lambda position: -position.ply)
        number = self.number = {self.key(position): number for number, position in enumerate(positions)}
        self.start = len(positions) - 1
        self.ends: dict[int, int] = {}  # state -> result for the side to move
        self.moves: list[tuple[Sequence[int], ...]] = []  # after any move, a perfect one, and `good_moves`
        for position in positions:
            if position.terminal:
                self.ends[len(self.moves)] = position.evaluate()
            after = {move: number[self.key(position.play(move))] for move in position.moves()}
            sets = () if position.terminal else (position.moves(), traps.best(position), *look(position))
            self.moves.append(tuple([after[move] for move in moves] for moves in sets))

    def points(self, kind: PersonKind, strength: int) -> float:
        """Return the expected points of a person of this kind, 1 for a win and 1/2 for a draw."""
        return self.expected(kind, adaptive(strength), _half)

    def odds(self, kind: PersonKind, level: Level) -> tuple[float, float, float]:
        """Return how often a person of this kind wins, draws and loses against a level."""
        won = self.expected(kind, level, lambda result: float(result > 0))
        lost = self.expected(kind, level, lambda result: float(result < 0))
        return won, 1 - won - lost, lost

    def expected(self, kind: PersonKind, level: Level, worth: Callable[[int], float]) -> float:
        """Return the expected worth of a game, the mean of moving first and second.

        `worth` is of a result above, at or below 0: the person's win, a draw and a loss.
        """
        rows: list[tuple[int, Row, Row]] = []
        for state, moves in enumerate(self.moves):
            if moves:
                every, best, wins, safe, ahead = moves
                if level.depth is not None:
                    found = level.best(self.positions[state])
                    best = [self.number[self.key(self.positions[state].play(move))] for move in found]
                errors = every if level.errors is anything else safe
                play = 1 - level.wild - level.mistakes
                box = (level.wild, every), (level.mistakes, errors), (play, best)
                rows.append((state, _row(shares(kind, every, wins, safe, ahead)), _row(box)))
        results = [self.ends.get(state, 0) for state in range(len(self.moves))]
        mine = [worth(result) for result in results]  # the person to move
        theirs = [worth(-result) for result in results]
        change = 1.0
        while change > CLOSE:
            change = 0.0
            for state, person, box in rows:
                own = sum([chance * theirs[after] for after, chance in person])
                other = sum([chance * mine[after] for after, chance in box])
                change = max(change, abs(own - mine[state]), abs(other - theirs[state]))
                mine[state], theirs[state] = own, other
            if not self.recurs:
                break
        return (mine[self.start] + theirs[self.start]) / 2


def _half(result: int) -> float:
    return 0.5 + 0.5 * ((result > 0) - (result < 0))


def _row(weighted: Iterable[tuple[float, Sequence[int]]]) -> Row:
    found: dict[int, float] = {}
    for share, states in weighted:
        for state in states if share else ():
            found[state] = found.get(state, 0.0) + share / len(states)
    return tuple(found.items())


def table(rule: str) -> list[list[int]]:
    """Return the rows of `POINTS` for a rule, in per cent."""
    model = Model(rule)
    return [
        [round(100 * model.points(kind, strength)) for strength in range(0, STRONGEST + 1, STRENGTH_STEP)]
        for kind in KINDS.values()
    ]


def level_rows(rule: str, odds: Callable[[PersonKind, Level], Sequence[float]]) -> list[str]:
    """Return the rows of a rule in docs/engine.md: how often each kind wins, draws and loses, per cent."""
    return [
        f"| {rule}, {name} | {' | '.join(cell(odds(kind, level)) for kind in KINDS.values())} |"
        for name, level in RULES[rule].levels.items()
    ]


def cell(odds: Sequence[float]) -> str:
    """Return odds in per cent."""
    return " / ".join(f"{abs(100 * chance):.0f}" for chance in odds)
