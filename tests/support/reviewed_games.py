"""Every position of games in which a line wins or loses, solved without the engine, and games through all."""

import random
from functools import cache

from solved_games import LINES, solve_board

OTHER = {"x": "o", "o": "x"}
START = "." * 9


@cache
def mover(cells):
    return "xo"[cells.count("x") - cells.count("o")]


def after(cells, move, side):
    return cells[:move] + side + cells[move + 1 :]


@cache
def has_line(cells, side):
    return any(all(cells[cell] == side for cell in line) for line in LINES)


@cache
def empty(cells):
    return [cell for cell in range(9) if cells[cell] == "."]


@cache
def wins(cells, side):
    """Return the cells on which `side`, if it were to move, would complete a line."""
    return tuple(cell for cell in empty(cells) if has_line(after(cells, cell, side), side))


@cache
def over(cells):
    return has_line(cells, "x") or has_line(cells, "o") or "." not in cells


@cache
def paths():
    """Return board -> the moves of a shortest way to it."""
    path = {START: ()}
    for cells in (todo := [START]):
        for cell in [] if over(cells) else empty(cells):
            child = after(cells, cell, mover(cells))
            if child not in path:
                path[child] = (*path[cells], cell)
                todo.append(child)
    return path


@cache
def solution(*, line_wins):
    """Return board -> (1, 0 or -1 for the side to move, plies to a win or loss)."""
    return {cells: solve_board(cells, mover(cells), line_wins) for cells in paths()}


def covering():
    """Yield complete games that together make every move of every position."""
    rng, path = random.Random(1), paths()
    left = {(cells, cell) for cells in path if not over(cells) for cell in empty(cells)}
    for edge in sorted(left, key=lambda edge: (len(path[edge[0]]), edge)):
        if edge in left:
            cells, *moves = START, *path[edge[0]], edge[1]
            for ply in range(9):
                if ply == len(moves):
                    new = [cell for cell in empty(cells) if (cells, cell) in left]
                    moves.append(rng.choice(new or empty(cells)))
                left.discard((cells, moves[ply]))
                cells = after(cells, moves[ply], mover(cells))
                if over(cells):
                    break
            yield tuple(moves)
