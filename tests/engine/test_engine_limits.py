"""Limits and interruptions: a stopped search still returns a legal move, and misses no immediate win."""

import random
from itertools import count
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solved_games import reachable, winning

from engine import (
    LEVELS,
    STRONGEST,
    Board,
    Level,
    Limit,
    Misere,
    Table,
    Vanishing,
    adaptive,
    alpha_beta,
    alpha_beta_as_printed,
    casual,
    minimax,
    negamax,
    search,
    trace,
)
from engine.alphabeta import CHECK
from engine.montecarlo import montecarlo

STARTS = [Board(), Board(4, 4, 3), Board(5, 5, 4), Board(2, 8, 2), Misere(), Vanishing()]


@st.composite
def games(draw):
    position = draw(st.sampled_from(STARTS))
    for _ in range(draw(st.integers(0, 14))):
        after = position.play(draw(st.sampled_from(position.moves())))
        if after.terminal:
            break
        position = after
    return position


NAN, INF = float("nan"), float("inf")
NOT_WHOLE = [2.5, 2.0, True, NAN, INF, "2"]  # the first once searched without a limit
BELOW_ONE, BELOW_ZERO, NO_SHARE = [0, -1, *NOT_WHOLE], [-1, *NOT_WHOLE], [-0.1, 1.1, NAN]
SHARES = "are not probabilities"


def whole(name, least):
    return f"{name} must be a whole number from {least} on, not {{!r}}"


@pytest.mark.parametrize(("call", "values", "sentence"), [
    (lambda value: Limit(depth=value), BELOW_ONE, whole("the limit depth", 1)),
    (lambda value: Limit(nodes=value), BELOW_ONE, whole("the limit nodes", 1)),
    (lambda value: Level("none", value, 0.0, casual), BELOW_ONE, whole("the limit depth", 1)),
    (lambda value: Level("none", None, 0.0, casual, nodes=value), BELOW_ONE, whole("the limit nodes", 1)),
    (lambda value: montecarlo(Board(), value, random.Random(1)), BELOW_ONE, whole("the playouts", 1)),
    *((lambda value, function=function: function(Board(), value), BELOW_ZERO, whole("the depth", 0))
      for function in (minimax, alpha_beta, alpha_beta_as_printed, negamax, trace)),
    (Table, BELOW_ZERO, whole("the entries of a table", 0)),
    (lambda value: Limit(seconds=value), [0, -1, NAN, True, False, "1"],
     "seconds must be a number above zero, not {!r}"),
    (lambda value: montecarlo(Board(), 9, random.Random(1), explore=value), [-1, NAN, INF],
     "must be a finite number from 0 on"),
    (lambda share: Level("none", 1, share, casual, wild=0.0), NO_SHARE, SHARES),
    (lambda share: Level("none", 1, 0.0, casual, wild=share), NO_SHARE, SHARES),
    (lambda share: Level("none", 1, share, casual, wild=0.5), [0.6], SHARES),
    (adaptive, [-1, STRONGEST + 1, *(share * STRONGEST for share in NO_SHARE)], SHARES),
])  # fmt: skip
def test_a_number_that_makes_no_sense_is_refused(call, values, sentence):
    for value in values:
        with pytest.raises(ValueError, match=sentence.format(value)):
            call(value)


@pytest.mark.parametrize("sizes", [(3.0, 3, 3), (3, 3.0, 3), (3, 3, 3.0), (3, True, 1)])
def test_the_sizes_of_a_board_are_whole(sizes):
    assert Board(3, 3, 3) != Board(3, 1, 1)  # which are known from now on
    with pytest.raises(
        ValueError, match=r"(rows|columns|k) must be a whole number from 1 on, not (3\.0|True)"
    ):
        Board(*sizes)


@settings(max_examples=60)
@given(games(), st.integers(1, 300))
def test_a_limit_of_nodes_is_kept(position, nodes):
    found = search(position, Limit(nodes=nodes))
    assert found.nodes <= nodes
    assert found.move in (winning(position) or position.moves())
    assert found.pv[0] == found.move


@settings(max_examples=60)
@given(games(), st.integers(1, 12), st.booleans(), st.booleans())
def test_a_limit_of_time_is_kept(position, readings, every, proofs):
    """Each reading of the clock advances it by a second."""
    found = search(position, Limit(seconds=readings), clock=count().__next__, every=every, proofs=proofs)
    assert found.nodes <= 2 + CHECK * readings
    assert found.move in (winning(position) or position.moves())
    assert set(found.moves) <= set(position.moves())


@settings(max_examples=60)
@given(games(), st.sampled_from(list(LEVELS)), st.integers(0, 40), st.integers(0, 1000))
def test_a_stopped_level_still_moves(position, name, polls, seed):
    left = iter(range(polls if position.horizon <= 9 else polls // 2))
    move = LEVELS[name].choose(position, random.Random(seed), lambda: next(left, None) is None)
    assert move in position.moves()
    if name in {"hard", "perfect"} and winning(position):
        assert move in winning(position)


def test_an_interrupted_search_claims_only_what_its_move_keeps():
    rng, table = random.Random(1), Table()
    positions = [
        board for board in reachable(Board()) if not board.terminal and (board.ply % 2 or board.ply > 4)
    ]
    for _ in range(150):
        board = Board(*rng.choice([(3, 4, 3), (4, 4, 3), (4, 4, 4), (3, 5, 4)]))
        while not board.terminal:
            positions += [board] if board.horizon <= 9 else []
            board = board.play(rng.choice(board.moves()))
    for board in positions:
        found = search(board, Limit(nodes=rng.randrange(1, 8)))
        if found.value != "unknown":
            true = search(board, every=True, table=table).moves[found.move]
            assert found.value == true.value, (board, found)
            assert found.distance in (None, true.distance)


@pytest.mark.parametrize(("text", "k", "mover", "limit", "expected"), [
    # A draw is claimed if the move keeps it.
    (".....xooo.x..xx.", 4, "o", Limit(nodes=1), (15, "draw", None)),
    # A win proven by bounds is preferred to the best move searched so far.
    (".o.../.o..x/...../....x/..xo.", 4, "x", Limit(nodes=2), (14, "win", None)),
    # A win beyond the depth has no distance: there may be a shorter one.
    ("o.../..x./.x../.x../o..o", 4, "x", Limit(depth=1), (5, "win", None)),
    ("x.o./..../...x", 3, "o", Limit(depth=3), (3, "win", None)),
])  # fmt: skip
def test_what_a_stopped_search_claims(text, k, mover, limit, expected):
    found = search(Board.parse(text, k=k, to_move=mover), limit)
    assert (found.move, found.value, found.distance) == expected


def test_a_losing_move_is_not_played_while_another_is_untried():
    board = Board.parse("x../.o./..x")  # the corners, searched first, lose for o
    moves = [search(board, Limit(nodes=nodes)).move for nodes in range(1, search(board).nodes + 1)]
    assert list(dict.fromkeys(moves)) == [2, 6, 1]


def test_a_move_that_is_settled_is_not_searched_again():
    board = Board.parse("xxx../oo.../...../...../.....", k=4)  # o must block in cell 3
    with patch.multiple("engine.deepening", QUICK=0, UNTHREATENED=0):  # one ply and then two; against two
        found, second = (search(board, Limit(2, nodes), every=True) for nodes in (100_000, None))
    assert (found.value, found.depth) == ("unknown", 2)
    settled = sum(verdict.value == "loss" for verdict in found.moves.values())
    first = 1 + len(board.moves())
    assert (settled, found.nodes) == (19, first + second.nodes - 1 - settled)


def test_an_interrupted_iteration_still_counts():
    board = Board(5, 5, 4)
    full = search(board, Limit(depth=3)).nodes
    for nodes in range(full + 1, full + 400, 40):
        found = search(board, Limit(nodes=nodes))
        assert found.value == "unknown"
        assert found.depth >= 1
    # If every move needs a verdict, the last complete iteration is better than half of the next.
    assert sorted(search(board, Limit(nodes=500), every=True).moves) == board.moves()


def test_an_interrupted_iteration_makes_no_estimate_a_verdict():
    """What it settles for good replaces the estimate of the iteration before."""
    for seed in range(100):
        rng, board = random.Random(seed), Board(5, 5, 4)
        for _ in range(rng.randint(2, 9)):
            if not board.terminal:
                board = board.play(rng.choice(board.moves()))
        if not board.terminal:
            for nodes in (50, 100, 200):
                found = search(board, Limit(nodes=nodes), every=True)
                assert {each.value for each in found.moves.values()} <= {"win", "draw", "loss", "unknown"}
