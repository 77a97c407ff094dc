"""Minimax and alpha-beta after their texts: examples, agreement with each other, and alpha-beta's tree."""

import random
import re
from collections import Counter
from functools import reduce
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solved_games import reachable, solve_board

import engine
from engine import (
    Board,
    Misere,
    Tree,
    Vanishing,
    alpha_beta,
    alpha_beta_as_printed,
    backtrack,
    minimax,
    negamax,
    trace,
)
from engine.position import PROVEN
from engine.textbook import Found, result

FUNCTIONS = [minimax, alpha_beta, negamax]
PAGE = (Path(engine.__file__).parents[1] / "docs/engine.md").read_text()
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


def nodes_of_minimax(below):
    """Return the positions of the whole tree, by those below one position of each symmetry class at ply 3."""
    after = [reduce(Board.play, moves, Board()) for moves in permutations(range(9), 3)]
    images, boards = Counter(board.key() for board in after), {board.key(): board for board in after}
    return 1 + 9 + 72 + sum(images[key] * below(board).nodes for key, board in boards.items())


def test_minimax_visits_549_946():
    assert nodes_of_minimax(lambda board: minimax(board, 6, result)) == 549_946


def test_the_page_has_the_positions_of_each_round_of_the_python_text():
    """The person plays cells 5, 3, 4, 8 against a computer that begins, and else 1, 2, 7, 6."""
    printed = [
        [int(number.replace(",", "")) for number in row.split(" | ")]
        for row in re.findall(r"^\| the computer is .*?\| (.*?) (?:\| )?\|$", PAGE, re.MULTILINE)
    ]
    counted = []
    for replies, begins in ((4, 2, 3, 7), True), ((0, 1, 6, 5), False):
        board, plain, pruned = Board(), [], []
        for reply in (None, *replies) if begins else replies:
            board = board if reply is None else board.play(reply)
            found = backtrack(board)
            pruned.append(found.nodes)
            plain.append(
                backtrack(board, pruned=False).nodes
                if board.ply
                else nodes_of_minimax(lambda each: backtrack(each, pruned=False))
            )
            board = board.play(found.move)
        counted += [plain, pruned]
    assert [row[: len(wanted)] for row, wanted in zip(printed, counted, strict=True)] == counted


def test_alpha_beta_as_printed_is_wrong():
    """It is never too low, since all that it forgets is a lower reply. The page has the figures."""
    assert alpha_beta_as_printed(Tree(((2, 7), (1, 8))), 2) == 8
    rng = random.Random(1)

    def grown(height):
        if not height or rng.random() < 0.2:
            return rng.randint(-9, 9)
        return tuple(grown(height - 1) for _ in range(rng.randint(1, 3)))

    trees = [grown(4) for _ in range(1000)]
    above = [alpha_beta_as_printed(Tree(node), 9) - by_hand(node) for node in trees]
    assert min(above) == 0
    assert f"{sum(map(bool, above))} of 1,000 random trees" in " ".join(PAGE.split())


def test_alpha_beta_as_printed_stops_where_it_is_told():
    assert alpha_beta_as_printed(Tree(((2, 7), 5)), 0) == 0
    assert alpha_beta_as_printed(Tree(((2, 7), 5)), 1) == 5
    assert alpha_beta_as_printed(Tree(7), 3) == 7


def test_nothing_is_cut_at_the_root_of_negamax():
    """Its text says that of this position two moves are evaluated, not five: the first wins at once."""
    board = Board.parse("xx./oo./...")
    assert negamax(board, 9).move == 2
    root = trace(board, 9)
    assert ([child.move for child in root.children], root.cut) == ([2, 5, 6, 7, 8], ())
    assert negamax(board, 9).nodes == root.nodes


def test_backtracking_knows_that_a_line_loses_at_misere():
    rng = random.Random(2)
    for board in rng.sample(reachable(Misere()), 60):
        if not board.terminal:
            value, _ = solve_board(board.cells, board.to_move, line_wins=False)
            found = backtrack(board)
            child = board.play(found.move)
            assert found.value == value
            assert solve_board(child.cells, child.to_move, line_wins=False)[0] == -value


@pytest.mark.parametrize("position", [Vanishing(), Tree(((2, 7), (1, 8)))])
def test_backtracking_needs_a_board(position):
    with pytest.raises(TypeError, match=re.escape(f"a Board, which {position!r} is not")):
        backtrack(position)


def test_backtracking_without_pruning_is_minimax():
    start = Board().play(0).play(8).play(2)
    plain = backtrack(start, pruned=False)
    assert plain.move == backtrack(start).move
    assert plain.nodes == minimax(start, 9, result).nodes


@pytest.mark.parametrize("function", [alpha_beta, negamax])
def test_the_four_by_four_position(function):
    board = Board.parse("xxx. / ooo. / x... / ....", k=4, to_move="o")
    assert function(board, 9).move == 7


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
    wrong = (
        ((), "()"),
        (((2.5, 7),), "2.5"),
        ((1, (2, ())), "()"),
        ((1, [2, 3]), "[2, 3]"),
        ((1, True), "True"),
    )
    for node, what in wrong:
        with pytest.raises(ValueError, match=re.escape(f"{what} in a tree is neither")):
            Tree(node)
    for node, move in ((1, 2), 2), (1, 0):
        with pytest.raises(ValueError, match=f"no move {move}"):
            Tree(node).play(move)


def test_a_tree_is_as_high_as_its_longest_branch():
    tree = Tree((1, (2, (3, 4)), 5))
    assert [each.horizon for each in (tree, tree.play(1), tree.play(1).play(1), tree.play(0))] == [3, 2, 1, 0]


def test_a_tree_prints_as_the_call_that_makes_it():
    assert repr(Tree(((2, 7), (1, 8)))) == "Tree(((2, 7), (1, 8)))"
    assert repr(Tree(((2, 7), (1, 8))).play(1)) == "Tree((1, 8), (1,))"


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
