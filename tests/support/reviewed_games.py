"""Every position of games in which a line wins or loses, solved by retrograde analysis without the engine."""

import random
from functools import cache

from solved_games import LINES

OTHER = {"x": "o", "o": "x"}


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
def solution(*, line_wins):
    """Return, by retrograde analysis, board -> (1, 0 or -1 for the side to move, plies to a win or loss)."""
    levels = [{"." * 9}]
    for _ in range(9):
        levels.append(
            {
                after(cells, cell, mover(cells))
                for cells in levels[-1]
                if not has_line(cells, OTHER[mover(cells)])
                for cell in empty(cells)
            }
        )
    values = {}
    for level in reversed(levels):
        for cells in level:
            side = mover(cells)
            if has_line(cells, OTHER[side]):
                values[cells] = (-1 if line_wins else 1), 0
            elif "." not in cells:
                values[cells] = 0, 0
            else:
                replies = [values[after(cells, cell, side)] for cell in empty(cells)]
                best = max(-value for value, _ in replies)
                plies = [distance + 1 for value, distance in replies if -value == best]
                values[cells] = best, (max if best < 0 else min)(plies) if best else 0
    return values


@cache
def over(cells):
    return has_line(cells, "x") or has_line(cells, "o") or "." not in cells


def covering():
    """Yield complete games that together make every move of every position."""
    rng, path = random.Random(1), {"." * 9: ()}
    for cells in (todo := ["." * 9]):
        for cell in [] if over(cells) else empty(cells):
            child = after(cells, cell, mover(cells))
            if child not in path:
                path[child] = (*path[cells], cell)
                todo.append(child)
    left = {(cells, cell) for cells in path if not over(cells) for cell in empty(cells)}
    for edge in sorted(left, key=lambda edge: (len(path[edge[0]]), edge)):
        if edge in left:
            cells, *moves = ".........", *path[edge[0]], edge[1]
            for ply in range(9):
                if ply == len(moves):
                    new = [cell for cell in empty(cells) if (cells, cell) in left]
                    moves.append(rng.choice(new or empty(cells)))
                left.discard((cells, moves[ply]))
                cells = after(cells, moves[ply], mover(cells))
                if over(cells):
                    break
            yield tuple(moves)
