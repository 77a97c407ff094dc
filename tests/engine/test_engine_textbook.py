"""Minimax and alpha-beta as published: examples, agreement with each other, and alpha-beta's tree."""

import random
import re
from collections import Counter
from functools import reduce
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solved_games import reachable, solve_board

import engine
from engine import Board, Misere, Tree, alpha_beta, backtrack, minimax, negamax, trace
from engine.position import PROVEN
from engine.textbook import Found, result

FUNCTIONS = [minimax, alpha_beta, negamax]
TREES = st.recursive(st.integers(-9, 9), lambda nodes: st.lists(nodes, min_size=1, max_size=4).map(tuple))


def by_hand(node, *, maximizing=True):
    if isinstance(node, int):
        return node
    values = [by_hand(child, maximizing=not maximizing) for child in node]
    return max(values) if maximizing else min(values)


@given(TREES)
def test_any_tree(node):
    for function in FUNCTIONS:
        tree = Tree(node)
        found = function(tree, 99)
        assert found.value == by_hand(node)
        if tree.terminal:
            assert found == Found(node, None, 1)
        else:
            assert -function(tree.play(found.move), 99).value == found.value


@pytest.mark.parametrize("function", FUNCTIONS)
def test_depth_limits(function):
    tree = Tree(((2, 7), 5))
    assert function(tree, 0) == Found(0, None, 1)
    assert function(tree, 1)[:2] == (5, 1)
    root = trace(tree, 1)
    assert (root.value, root.nodes) == (5, 3)


def test_pruning_visits_as_many_positions_of_the_empty_board_as_the_engine_says():
    """It visits fewer if all wins count the same."""
    found = alpha_beta(Board(), 9, result), negamax(Board(), 9, result), backtrack(Board())
    assert set(found) == {Found(0, 0, 18_297)}
    assert {alpha_beta(Board(), 9), negamax(Board(), 9)} == {Found(0, 0, 20_866)}
    assert re.findall(r"\d+,\d+", engine.__doc__) == ["20,866", "18,297"]


def test_minimax_visits_549_946():
    """Count below one position of each symmetry class after three moves."""
    after = [reduce(Board.play, moves, Board()) for moves in permutations(range(9), 3)]
    images, boards = Counter(board.key() for board in after), {board.key(): board for board in after}
    below = sum(images[key] * minimax(board, 6, result).nodes for key, board in boards.items())
    assert 1 + 9 + 72 + below == 549_946


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_negative_depth_is_refused(function):
    with pytest.raises(ValueError, match="not -1"):
        function(Board(), -1)


def test_backtracking_knows_that_a_line_loses_at_misere():
    rng = random.Random(2)
    for board in rng.sample(reachable(Misere()), 60):
        if not board.terminal:
            value, _ = solve_board(board.cells, board.to_move, line_wins=False)
            found = backtrack(board)
            child = board.play(found.move)
            assert found.value == value
            assert solve_board(child.cells, child.to_move, line_wins=False)[0] == -value


def test_backtracking_without_pruning_is_minimax():
    start = Board().play(0).play(8).play(2)
    plain = backtrack(start, pruned=False)
    assert plain.move == backtrack(start).move
    assert plain.nodes == minimax(start, 9, result).nodes


@pytest.mark.parametrize("function", [alpha_beta, negamax])
def test_the_four_by_four_position(function):
    board = Board.parse("xxx. / ooo. / x... / ....", k=4, to_move="o")
    assert function(board, 9).move == 7


def test_a_position_from_the_omnibus():
    board = Board.parse("___ / _x_ / o__")
    assert {function(board, 9, result).value for function in FUNCTIONS} == {backtrack(board).value} == {0}


@settings(max_examples=30)
@given(st.lists(st.integers(0, 8), min_size=4, max_size=8))
def test_they_agree(moves):
    board = Board().play(moves[0])
    for move in (*moves[1:], *range(9)):
        if move in board.moves() and board.ply < max(4, len(moves)):
            board = board.play(move)
    values = {function(board, 9).value for function in FUNCTIONS}
    assert len(values) == 1
    value = values.pop()
    assert backtrack(board).value == (value >= PROVEN) - (value <= -PROVEN)
    assert backtrack(board).value == result(board) or not board.terminal


def test_a_tree_refuses_what_makes_no_sense():
    with pytest.raises(ValueError, match="neither a value nor moves"):
        Tree(())
    for node, move in ((1, 2), 2), (1, 0):
        with pytest.raises(ValueError, match=f"no move {move}"):
            Tree(node).play(move)


@given(TREES)
def test_the_trace_is_the_tree_of_alpha_beta(node):
    """It visits what alpha-beta visits; windows, bounds and cuts are those computed by hand."""

    def check(visit, node, alpha, beta):
        maximizing = visit.ply % 2 == 0
        true = by_hand(node, maximizing=maximizing)
        assert (visit.alpha, visit.beta) == (alpha, beta)
        claims = {"exact": visit.value == true, "upper": true <= visit.value, "lower": true >= visit.value}
        assert claims[visit.bound]
        if visit.children:
            assert {"exact": alpha < true < beta, "upper": true <= alpha, "lower": true >= beta}[visit.bound]
        best = None
        for place, child in enumerate(visit.children):
            assert alpha < beta
            assert (child.move, child.ply) == (place, visit.ply + 1)
            check(child, node[place], alpha, beta)
            best = child.value if best is None else (max if maximizing else min)(best, child.value)
            alpha, beta = (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))
        moves = () if isinstance(node, int) else tuple(range(len(node)))
        assert (*(child.move for child in visit.children), *visit.cut) == moves
        assert (alpha >= beta) == bool(visit.cut) or len(visit.children) == len(moves)

    ours, theirs = Tree(node), Tree(node)
    root, found = trace(ours, 99), alpha_beta(theirs, 99)
    assert ours.evaluated == theirs.evaluated
    assert (root.value, root.nodes, root.bound) == (found.value, found.nodes, "exact")
    check(root, node, root.alpha, root.beta)


@given(TREES)
def test_the_trace_without_pruning_is_the_tree_of_minimax(node):
    def check(visit):
        assert (visit.cut, visit.bound) == ((), "exact")
        assert (visit.alpha, visit.beta) == (root.alpha, root.beta)
        for child in visit.children:
            check(child)

    ours, theirs = Tree(node), Tree(node)
    root, found = trace(ours, 99, pruned=False), minimax(theirs, 99)
    assert (ours.evaluated, root.value, root.nodes) == (theirs.evaluated, found.value, found.nodes)
    check(root)


@given(TREES)
def test_the_trace_is_the_tree_of_negamax(node):
    ours, theirs = Tree(node), Tree(node)
    root, found = trace(ours, 99), negamax(theirs, 99)
    assert (ours.evaluated, root.value, root.nodes) == (theirs.evaluated, found.value, found.nodes)


@pytest.mark.parametrize("depth", range(4))
def test_the_trace_of_a_board(depth):
    board = Board.parse("x../.o./..x")
    for found, root in (
        (minimax(board, depth), trace(board, depth, pruned=False)),
        (alpha_beta(board, depth), trace(board, depth)),
        (negamax(board, depth), trace(board, depth)),
    ):
        assert (root.value, root.nodes) == (found.value, found.nodes)
