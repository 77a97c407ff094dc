"""Limits and interruptions: whatever stops a search, there is a legal move, and a win is not missed."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import LEVELS, RULES, Board, Limit, Misere, Table, Vanishing, search
from engine.alphabeta import CHECK


class Clock:
    """Time passes when someone looks: `tick` seconds at a look."""

    def __init__(self, tick=1.0):
        self.now, self.tick, self.looks = 0.0, tick, 0

    def __call__(self):
        self.looks += 1
        self.now += self.tick
        return self.now


@st.composite
def games(draw):
    start = draw(
        st.sampled_from([Board(), Board(4, 4, 3), Board(5, 5, 4), Board(2, 8, 2), Misere(), Vanishing()])
    )
    position = start
    for _ in range(draw(st.integers(0, 14))):
        after = position.play(draw(st.sampled_from(position.moves())))
        if after.terminal:
            break
        position = after
    return position


def winning(position):
    after = {move: position.play(move) for move in position.moves()}
    return [move for move, child in after.items() if child.outcome == position.to_move]


def open_boards():
    """Return every open position of 3x3."""
    found, todo = {}, [Board()]
    while todo:
        board = todo.pop()
        if found.setdefault(board, board) is board and not board.terminal:
            todo += [board.play(move) for move in board.moves()]
    return [board for board in found if not board.terminal]


@pytest.mark.parametrize("name", ["depth", "nodes", "seconds"])
@pytest.mark.parametrize("value", [0, -1, float("nan")])
def test_a_limit_is_above_zero(name, value):
    with pytest.raises(ValueError, match=f"{name}.*above zero"):
        Limit(**{name: value})


@settings(max_examples=150, deadline=None)
@given(games(), st.integers(1, 300))
def test_a_limit_of_nodes_is_kept(position, nodes):
    found = search(position, Limit(nodes=nodes))
    assert found.nodes <= nodes
    assert found.move in (winning(position) or position.moves())
    assert found.pv[0] == found.move


@settings(max_examples=100, deadline=None)
@given(games(), st.integers(1, 12), st.booleans(), st.booleans())
def test_a_limit_of_time_is_kept(position, looks, every, proofs):
    clock = Clock()
    found = search(position, Limit(seconds=looks), clock=clock, every=every, proofs=proofs)
    assert found.nodes <= 2 + CHECK * looks
    assert found.move in (winning(position) or position.moves())
    assert set(found.moves) <= set(position.moves())


def test_the_clock_is_looked_at_often_enough():
    clock = Clock(0.0)
    found = search(Board(5, 5, 4), Limit(depth=4, seconds=1), clock=clock)
    assert clock.looks >= found.nodes // CHECK


@settings(max_examples=60, deadline=None)
@given(games(), st.sampled_from(list(LEVELS)), st.integers(0, 40), st.integers(0, 1000))
def test_a_level_that_is_stopped_moves_all_the_same(position, name, patience, seed):
    asked = 0

    def stop():
        nonlocal asked
        asked += 1
        return asked > patience

    level = LEVELS[name]
    if position.horizon > 9:
        patience = min(
            patience, 20
        )  # the large boards are not for the box: here only their end is of interest
    move = level.choose(position, random.Random(seed), stop)
    assert move in position.moves()
    if name != "easy" and winning(position):
        assert move in winning(position)


def test_stopped_at_once():
    for start in RULES.values():
        found = search(start(), stop=lambda: True)
        assert found.move in start().moves()
        assert (found.depth, found.value, found.bound, found.nodes) == (0, "unknown", "lower", 1)
        assert search(start(), stop=lambda: True, every=True).moves == {}
    settled = search(Board.parse("xx./oo./..."), stop=lambda: True)
    assert (settled.move, settled.value, settled.distance) == (2, "win", 1)


@pytest.mark.parametrize("ordering", [True, False])
def test_a_verdict_is_true_of_the_move_that_is_played(ordering):
    """However early the search ends: what it says of the position is what its move keeps."""
    rng, table = random.Random(1), Table()
    positions = [board for board in open_boards() if board.ply % 2 or board.ply > 4]
    for _ in range(800):
        board = Board(*rng.choice([(3, 4, 3), (4, 4, 3), (4, 4, 4), (3, 5, 4)]))
        while not board.terminal:
            positions += [board] if board.horizon <= 9 else []
            board = board.play(rng.choice(board.moves()))
    for board in positions:
        found = search(board, Limit(nodes=rng.randrange(1, 8)), ordering=ordering)
        if found.value != "unknown":
            true = search(board, every=True, table=table).moves[found.move]
            assert found.value == true.value, (board, found)
            assert found.distance in (None, true.distance)


def test_a_draw_is_claimed_where_the_move_keeps_it():
    found = search(Board.parse(".....xooo.x..xx.", k=4, to_move="o"), Limit(nodes=1))
    assert (found.value, found.move, found.depth) == ("draw", 15, 0)


def test_a_move_that_loses_is_not_played_while_another_is_untried():
    board = Board.parse("o..xx....")  # o must block in cell 5; the others come first or second, and lose
    whole = search(board, Limit(depth=2), ordering=False, proofs=False).nodes
    for nodes in range(1, whole + 1):
        assert search(board, Limit(depth=2, nodes=nodes), ordering=False, proofs=False).move == 5


def test_an_iteration_that_is_broken_off_still_counts():
    board = Board(5, 5, 4)
    whole = search(board, Limit(depth=3))
    for nodes in range(whole.nodes + 1, whole.nodes + 400, 40):
        found = search(board, Limit(nodes=nodes))
        assert found.move in board.moves()
        assert found.value == "unknown"
        assert found.bound in ("lower", "exact")
    # With every move asked for, the last whole iteration is worth more than half of the next.
    found = search(board, Limit(nodes=500), every=True)
    assert sorted(found.moves) == board.moves()
