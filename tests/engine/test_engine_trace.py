"""The tree of alpha-beta: the one that the textbook's function walks, cuts and all."""

import doctest
import importlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Board, Misere, Tree, alpha_beta, minimax, trace
from engine.textbook import result

NODES = st.recursive(st.integers(-9, 9), lambda nodes: st.lists(nodes, min_size=1, max_size=4).map(tuple))


def walk(visit):
    yield visit
    for child in visit.children:
        yield from walk(child)


def value_of(node, maximizing):
    if isinstance(node, int):
        return node
    values = [value_of(child, not maximizing) for child in node]
    return max(values) if maximizing else min(values)


@given(NODES)
def test_it_is_the_tree_of_alpha_beta(node):
    ours, theirs = Tree(node), Tree(node)
    root, found = trace(ours, 99), alpha_beta(theirs, 99)
    assert ours.seen == theirs.seen
    assert (root.value, root.nodes, root.bound) == (found.value, found.nodes, "exact")
    assert root.nodes == len(list(walk(root)))


@given(NODES)
def test_what_it_says_of_every_position_is_true(node):
    def check(visit, node, alpha, beta):
        maximizing = visit.ply % 2 == 0
        true = value_of(node, maximizing)
        assert (visit.alpha, visit.beta) == (alpha, beta)
        assert {"exact": visit.value == true, "upper": true <= visit.value, "lower": true >= visit.value}[
            visit.bound
        ]
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

    root = trace(Tree(node), 99)
    check(root, node, root.alpha, root.beta)


@settings(deadline=None, max_examples=40)
@given(st.sampled_from([Board, Misere]), st.lists(st.integers(0, 8), max_size=8), st.integers(0, 3))
def test_it_is_the_tree_of_a_game(rule, moves, depth):
    board = rule()
    for move in moves:
        if move in board.moves():
            board = board.play(move)
    root, found = trace(board, depth), alpha_beta(board, depth)
    assert (root.value, root.nodes) == (found.value, found.nodes)
    assert root.value == minimax(board, depth).value
    if found.move is not None:
        assert next(child.move for child in root.children if child.value == root.value) == found.move


def test_the_whole_game():
    assert trace(Board(), 9, result).nodes == 18_297


@pytest.mark.parametrize("name", ["board", "levels", "search", "textbook", "trace", "tree", "vanishing"])
def test_the_examples_are_true(name):
    failed, tried = doctest.testmod(importlib.import_module(f"engine.{name}"))
    assert failed == 0
    assert tried > 0
