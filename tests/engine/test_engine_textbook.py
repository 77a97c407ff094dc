"""The textbook's functions: the published examples, and agreement with each other."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Board, Tree, alpha_beta, backtrack, minimax, negamax
from engine.position import PROVEN
from engine.textbook import Found, result

FUNCTIONS = [minimax, alpha_beta, negamax]
TREES = st.recursive(st.integers(-9, 9), lambda nodes: st.lists(nodes, min_size=1, max_size=3).map(tuple))


def by_hand(node, greatest=True):
    if isinstance(node, int):
        return node
    values = [by_hand(child, not greatest) for child in node]
    return max(values) if greatest else min(values)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_example_tree(function):
    tree = Tree(((2, 7), (1, 8)))
    assert function(tree, 2)[:2] == (2, 0)
    assert (8 in tree.seen) == (function is minimax)


@pytest.mark.parametrize("function", FUNCTIONS)
@given(TREES)
def test_any_tree(function, node):
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


@pytest.mark.parametrize(("function", "nodes"), [(alpha_beta, 18297), (negamax, 18297)])
def test_the_empty_board(function, nodes):
    assert function(Board(), 9, result) == Found(0, 0, nodes)


@pytest.mark.untraced
def test_backtracking():
    assert backtrack(Board()) == Found(0, 0, 18297)
    start = Board().play(0).play(8)
    assert backtrack(start, pruned=False).move == backtrack(start).move
    assert backtrack(start, pruned=False).nodes == minimax(start, 9, result).nodes


@pytest.mark.untraced
def test_the_whole_tree():
    """549,946 positions: the empty board, and below it four corners, four sides, the middle."""
    corner, side, middle = (minimax(Board().play(move), 9, result).nodes for move in (0, 1, 4))
    assert 1 + 4 * corner + 4 * side + middle == 549_946


@pytest.mark.parametrize("function", [alpha_beta, negamax])
def test_the_four_by_four_position(function):
    board = Board.parse("xxx. / ooo. / x... / ....", k=4, to_move="o")
    assert function(board, 9).move == 7


def test_a_position_from_the_omnibus():
    board = Board.parse("___ / _x_ / o__")
    assert {function(board, 9, result).value for function in FUNCTIONS} == {backtrack(board).value} == {0}


@settings(max_examples=40)
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
    with pytest.raises(ValueError, match="no move 2"):
        Tree((1, 2)).play(2)
    with pytest.raises(ValueError, match="no move 0"):
        Tree(1).play(0)
