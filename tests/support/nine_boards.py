"""Ultimate tic-tac-toe again, slowly, from its rules alone, to judge the engine's and the opponent's.

Nothing is kept from move to move but the marks and the last cell: all else is looked up anew each time.
"""

from functools import cache
from typing import NamedTuple

from solved_games import LINES


class Slow(NamedTuple):
    """A position. A move is 9 * board + cell, both from 0 in reading order."""

    cells: str = "." * 81  # board after board
    last: int | None = None  # the last move

    @property
    def ply(self):
        return 81 - self.cells.count(".")

    @property
    def to_move(self):
        return "xo"[self.ply % 2]

    @property
    def boards(self):
        """Who has won each board: x, o, - if it is full and nobody has, . while it is open."""
        return "".join(owner(self.cells[start : start + 9]) for start in range(0, 81, 9))

    @property
    def active(self):
        """The board to play in, None if it may be any."""
        if self.last is None:
            return None
        board = self.last % 9
        return board if self.boards[board] == "." else None

    @property
    def line(self):
        """The boards of the line that has won."""
        boards = self.boards
        won = [line for line in LINES if "".join(boards[board] for board in line) in ("xxx", "ooo")]
        return tuple(sorted(set(sum(won, ()))))

    @property
    def outcome(self):
        boards = self.boards
        if self.line:
            return boards[self.line[0]]
        possible = [
            line for line in LINES for mark in "xo" if all(boards[board] in (mark, ".") for board in line)
        ]
        return None if possible and "." in boards else "draw"

    @property
    def terminal(self):
        return self.outcome is not None

    def moves(self):
        if self.terminal:
            return []
        allowed = [self.active] if self.active is not None else range(9)
        return [
            9 * board + cell
            for board in allowed
            for cell in range(9)
            if self.boards[board] == "." and self.cells[9 * board + cell] == "."
        ]

    def play(self, move):
        return Slow(self.cells[:move] + self.to_move + self.cells[move + 1 :], move)


@cache
def owner(nine):
    """Return x or o for a won board, - for a full one, . for an open one."""
    for mark in "xo":
        if any(all(nine[cell] == mark for cell in line) for line in LINES):
            return mark
    return "." if "." in nine else "-"


def perft(position, depth):
    """How many sequences of so many moves there are."""
    if depth == 0:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in position.moves())


def random_game(rng):
    """Every position of a game played at random, the first and the last too."""
    positions = [Slow()]
    while moves := positions[-1].moves():
        positions.append(positions[-1].play(rng.choice(moves)))
    return positions


def solve(position, known):
    """(1, 0 or -1 for the side to move, plies to the end of a won or lost game), by playing all moves."""
    if position.terminal:
        return -(position.outcome == "xo"[1 - "xo".index(position.to_move)]), 0
    key = position.cells, position.active
    if key not in known:
        after = [solve(position.play(move), known) for move in position.moves()]
        best = max(-value for value, _ in after)
        plies = [distance + 1 for value, distance in after if -value == best]
        known[key] = best, (min(plies) if best > 0 else max(plies) if best else 0)
    return known[key]
