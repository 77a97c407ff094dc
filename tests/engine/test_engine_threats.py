"""Threat search: no win that it reports is false, and larger boards are solved."""

import random
from functools import cache
from unittest.mock import patch

import pytest
from effort import amount

from engine import WIN, Board, Limit, Table, search
from engine.alphabeta import FOREVER, AlphaBeta
from engine.deepening import _Root
from engine.threats import ThreatSearch, undominated


def lines(rows, columns, k):
    """Every line as a tuple of cells, found without the engine."""
    steps = (0, 1), (1, 0), (1, 1), (1, -1)
    found = [
        [(row + down * i, column + right * i) for i in range(k)]
        for row in range(rows)
        for column in range(columns)
        for down, right in steps
    ]
    inside = [line for line in found if all(0 <= r < rows and 0 <= c < columns for r, c in line)]
    return [tuple(r * columns + c for r, c in line) for line in inside]


class Solver:
    """Plain minimax of an m,n,k game, which knows no threats."""

    def __init__(self, rows, columns, k):
        every = lines(rows, columns, k)
        self.through = [[line for line in every if cell in line] for cell in range(rows * columns)]
        self.solve = cache(self.solve)

    def solve(self, cells, mover):
        """(1, 0 or -1 for `mover`, plies to the end, 0 for a draw)."""
        other, best = "xo"["ox".index(mover)], None
        for cell, mark in enumerate(cells):
            if mark == ".":
                after = cells[:cell] + mover + cells[cell + 1 :]
                if any(all(after[each] == mover for each in line) for line in self.through[cell]):
                    return 1, 1
                value, plies = self.solve(after, other)
                result = (-value, plies + 1 if value else 0)
                if best is None or rank(result) > rank(best):
                    best = result
        return best or (0, 0)


def rank(result):
    value, plies = result
    return value, -value * plies


def engine_for(kind):
    return kind(Table(), proofs=True, max_nodes=FOREVER, deadline=FOREVER, clock=lambda: 0, stop=None)


def positions(rows, columns, k, empty, count):
    """Random unfinished positions with `empty` cells at most, in which nobody can win at once."""
    rng, found = random.Random(rows * 100 + columns * 10 + k), []
    while len(found) < count:
        board = Board(rows, columns, k)
        while not board.terminal and board.horizon > empty:
            board = board.play(rng.choice(board.moves()))
        if not board.terminal and not board._own_threats & ~(board._own | board._other):
            found.append(board)
    return found


def best_cells(board, through):
    """The empty cells, without those whose open lines all have another one, but for the first of equals."""
    marks = board.cells
    lines = {
        cell: [set(line) for line in through[cell] if len({marks[each] for each in line} - {"."}) < 2]
        for cell in board.moves()
    }
    above = {
        cell: {each for each in lines if each != cell and all(each in line for line in lines[cell])}
        for cell in lines
    }
    return [
        cell
        for cell in lines
        if all(cell in above[each] for each in above[cell]) and cell == min({cell, *above[cell]})
    ]


GAMES = [
    (3, 3, 3, 7, 300),
    (4, 4, 3, 9, amount(150, 300)),
    (4, 4, 4, 9, amount(75, 300)),
    (5, 5, 4, 8, amount(150, 600)),
]


@pytest.mark.more
@pytest.mark.parametrize(("rows", "columns", "k", "empty", "count"), GAMES)
def test_no_chain_is_false_and_its_zone_holds_all_that_matters(rows, columns, k, empty, count):
    solver, chains, beside = Solver(rows, columns, k), 0, 0
    for board in positions(rows, columns, k, empty, count):
        found = engine_for(ThreatSearch)
        if chain := found.chain(board._own, board._other, board.shape):
            plies, _ = chain
            chains += 1
            value, fastest = solver.solve(board.cells, board.to_move)
            assert value == 1, board
            assert fastest <= plies, board
        if len(board.candidates()) == board.horizon:  # the opponent's chain, after a pass
            chain = found.chain(board._other, board._own, board.shape)
            for move in board.moves() if chain else ():
                plies, zone = chain
                if not zone >> move & 1:
                    beside += 1
                    child = board.play(move)
                    value, fastest = solver.solve(child.cells, child.to_move)
                    assert value == 1, (board, move)
                    assert fastest <= plies, (board, move)
    assert (chains and beside) or k == rows  # where only a whole side wins, chains are rare


CHAIN = "...x. / xo..o / ...x. / .x... / ...oo"


def test_what_a_chain_tells_and_costs():
    """x takes 8, so that o must take 18, then 12, where o would win, and has 4 and 20."""
    board = Board.parse(CHAIN, k=4)
    found = engine_for(ThreatSearch)
    plies, zone = found.chain(board._own, board._other, board.shape)
    chain, lines_of_o = {8, 18, 12, 4, 20}, {7, 8, 12, 18, 14, 19, 21, 22, 0}
    assert (plies, {cell for cell in range(25) if zone >> cell & 1}) == (5, chain | lines_of_o)
    assert found.nodes == 1 + 3
    assert found.chain(board._own, board._other, board.shape)
    assert found.nodes == 1 + 3  # it is remembered


def test_one_move_stands_for_all_that_a_chain_refutes():
    """After o's move at ply 8 the chain ends at ply 14."""
    board, found = Board.parse(CHAIN, k=4, to_move="o"), engine_for(ThreatSearch)
    _, zone = found.chain(board._other, board._own, board.shape)
    every = board.horizon - zone.bit_count()
    for found.alpha, count in (0, 1), (14 - WIN, 1), (13 - WIN, every):
        outside = [low for move, _, low, _ in found.children(board, 9, WIN) if not zone >> move & 1]
        assert outside == [WIN - 14] * count


@pytest.mark.more
@pytest.mark.parametrize(("rows", "columns", "k", "empty", "count"), GAMES)
def test_values_distances_and_cells_left_out(rows, columns, k, empty, count):
    solver, left_out = Solver(rows, columns, k), 0
    for board in positions(rows, columns, k, empty, count // 3):
        value, distance = solver.solve(board.cells, board.to_move)
        root = _Root(engine_for(ThreatSearch), board, every=False)
        root.iterate(board.horizon)
        assert root.best()[1].score == (value * (WIN - board.ply - distance) if value else 0), board
        after = {
            move: solver.solve(board.play(move).cells, board.play(move).to_move) for move in board.moves()
        }
        best = min(map(rank, after.values()))
        kept = undominated(board, board.moves())
        left_out += len(after) - len(kept)
        assert kept == best_cells(board, solver.through)
        assert min(rank(after[move]) for move in kept) == best, board
    assert left_out > 0


def test_larger_boards_are_solved_in_few_positions():
    for board, value, distance, most in (
        (Board(5, 5, 4), "draw", None, 40_000),
        (Board(5, 6, 4), "win", 11, 50_000),
        (Board(6, 6, 4), "win", 11, 60_000),
    ):
        found = search(board)
        assert (found.value, found.distance) == (value, distance)
        assert len(found.pv) == distance or value == "draw"
        assert found.nodes < most
    plain = engine_for(AlphaBeta)
    _Root(plain, Board(5, 6, 4), every=False).iterate(11)
    assert plain.nodes > 50_000


@pytest.mark.parametrize(("sizes", "interruptible", "wanted"), [
    ((3, 6, 3), True, False),
    ((4, 5, 4), True, True),
    ((4, 5, 4), False, False),
    ((4, 6, 4), False, True),
    ((7, 7, 5), True, True),
    ((5, 10, 5), True, False),
])  # fmt: skip
def test_threats_are_looked_for_where_they_pay(sizes, interruptible, wanted):
    with patch("engine.threats.ThreatSearch", wraps=ThreatSearch) as kind:
        search(Board(*sizes), Limit(depth=1, nodes=9 if interruptible else None))
    assert kind.called == wanted
