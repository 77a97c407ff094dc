"""The games on nine cells, solved without the engine, and games that reach their positions."""

import random
from collections import deque
from functools import cache

from engine import Vanishing

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
QUARTER, FLIP = (6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 1, 0, 5, 4, 3, 8, 7, 6)
MIRRORS = [tuple(range(9))]
for _ in range(3):
    MIRRORS.append(tuple(QUARTER[cell] for cell in MIRRORS[-1]))
MIRRORS += [tuple(FLIP[cell] for cell in mirror) for mirror in MIRRORS]


def reachable(start, *, symmetry=False):
    """Every position after `start`; with `symmetry`, one of each set of mirror images."""
    found, todo = {}, [start]
    while todo:
        position = todo.pop()
        if found.setdefault(position.key() if symmetry else position, position) is position:
            todo += [position.play(move) for move in position.moves()]
    return list(found.values())


def winning(position):
    """The moves that win at once."""
    return [move for move in position.moves() if position.play(move).outcome == position.to_move]


@cache
def solve_board(cells, mover, line_wins=True, alike=False):
    """(1, 0 or -1 for `mover`, plies to the end of a won or lost game, 0 for a draw); all x if `alike`."""
    other = "xo"["ox".index(mover)]
    mine, its = "xx" if alike else (mover, other)
    if any(all(cells[cell] == its for cell in line) for line in LINES):
        return (-1 if line_wins else 1), 0
    results = []
    for cell in range(9):
        if cells[cell] == ".":
            value, distance = solve_board(cells[:cell] + mine + cells[cell + 1 :], other, line_wins, alike)
            results.append((-value, distance + 1))
    best = max((value for value, _ in results), default=0)
    distances = [distance for value, distance in results if value == best]
    return best, {1: min, 0: lambda _: 0, -1: max}[best](distances)


def forced(game, depth):
    """(1, 0 or -1 for the side to move, plies to the end) by playing all moves, `depth` plies deep."""
    if game.terminal or not depth:
        return -(game.outcome in ("x", "o")), 0
    after = [forced(game.play(move), depth - 1) for move in game.moves()]
    best = max(-value for value, _ in after)
    plies = [distance + 1 for value, distance in after if -value == best]
    return best, (max if best < 0 else min)(plies) if best else 0


LATE = (
    "5237641923576189325614893256148932",
    "9836257948631275864132975863294187356419873564198735",
)
"""Games of vanishing, cells from 1, after which a third repetition saves a side without blocking."""


def vanishing_state(game):
    """(the marks of the side to move, of the other), each oldest first."""
    return game._own, game._other


def successors(state):
    """Move -> the state after it."""
    own, other = state
    return {cell: (other, (*own, cell)[-3:]) for cell in range(9) if cell not in own and cell not in other}


def images(state):
    """Return the mirror images of a state."""
    own, other = state
    return [(tuple(m[cell] for cell in own), tuple(m[cell] for cell in other)) for m in MIRRORS]


class VanishingSolution:
    """Vanishing, solved by retrograde analysis of its states up to symmetry."""

    def __init__(self):
        start = ((), ())
        order, before, left = [start], {start: []}, {}
        self.values = {}
        for state in order:
            if tuple(sorted(state[1])) in LINES:
                self.values[state] = (-1, 0)
                continue
            after = [min(images(child)) for child in successors(state).values()]
            left[state] = len(after)
            for child in after:
                if child not in before:
                    before[child] = []
                    order.append(child)
                before[child].append(state)
        self.states = sum(len(set(images(state))) for state in order)
        queue = deque(self.values)
        while queue:
            state = queue.popleft()
            value, distance = self.values[state]
            for parent in before[state]:
                if parent in self.values:
                    continue
                left[parent] -= 1
                if value == -1 or not left[parent]:
                    self.values[parent] = (-value, distance + 1)
                    queue.append(parent)

    def of(self, state):
        """Like `solve_board`."""
        return self.values.get(min(images(state)), (0, 0))

    def best_play(self, game, line):
        """Whether each move of `line` keeps the draw, wins soonest or loses latest, to the end."""
        state = vanishing_state(game)
        value, distance = self.of(state)
        for move in line:
            state = successors(state)[move]
            value, distance = -value, distance - bool(value)
            if self.of(state) != (value, distance):
                return False
        return distance == 0


@cache
def solve_vanishing():
    """The solution, computed once per process."""
    return VanishingSolution()


@cache
def vanishing_games():
    """A game for each state; of mirror images one at random.

    Each takes a shortest path, since a game remembers its past.
    """
    rng, found, todo = random.Random(4), {}, deque([Vanishing()])
    while todo:
        game = todo.popleft()
        if found.setdefault(min(images(vanishing_state(game))), game) is game:
            todo += [game.play(move) for move in rng.sample(game.moves(), len(game.moves()))]
    return list(found.values())
