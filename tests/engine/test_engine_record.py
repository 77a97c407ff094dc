"""A game that changes: moves, undo and result, over any game."""

import copy
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import RULES, Board, GameRecord, Misere, Tree, review

RESULTS = {None: "*", "x": "1-0", "o": "0-1", "draw": "1/2-1/2"}


@given(st.sampled_from(sorted(RULES)), st.randoms(use_true_random=False))
def test_it_follows_the_positions_move_by_move_and_back(rule, rng):
    start = RULES[rule].start()
    game, positions, moves = GameRecord(start), [start], []
    for _ in range(60):
        assert (game.position, game.moves, game.start) == (positions[-1], tuple(moves), start)
        assert game.result() == RESULTS[positions[-1].outcome]
        if moves and (game.position.terminal or rng.random() < 0.3):
            positions.pop()
            assert game.pop() == moves.pop()
        else:
            moves.append(rng.choice(game.position.moves()))
            positions.append(positions[-1].play(moves[-1]))
            game.push(moves[-1])


def test_an_illegal_move_changes_nothing():
    game = GameRecord(Board())
    game.push(4)
    whole = "a move must be a whole number from 0 on"
    for move, message in ((4, "cell 4 is taken"), (9, "no cell 9"), (True, whole), ("0", whole)):
        with pytest.raises(ValueError, match=message):
            game.push(move)
    assert (game.moves, game.position) == ((4,), Board().play(4))
    assert game.pop() == 4
    with pytest.raises(IndexError, match="there is no move to take back"):
        game.pop()
    assert game.position == Board()


def test_the_first_number_of_a_result_is_of_x_whoever_began():
    game = GameRecord(Board.parse("oo. / xx. / x..", to_move="o"))
    game.push(2)
    assert game.result() == "0-1"
    game = GameRecord(Misere.parse("xx. / oo. / ..."))
    game.push(2)
    assert (game.position.outcome, game.result()) == ("o", "0-1")


def test_the_first_number_is_of_who_began_where_there_is_no_x():
    for leaf, result in ((3, "1-0"), (0, "1/2-1/2"), (-3, "0-1")):
        game = GameRecord(Tree(((leaf, 9), 9)))
        for move in (0, 0):
            game.push(move)
        assert game.result() == result


def test_an_interpreter_shows_its_start_and_moves():
    game = GameRecord(Misere())
    game.push(4)
    assert repr(game) == "<GameRecord, moves (4,) from Misere.parse('.../.../...', k=3, to_move='x')>"


@pytest.mark.parametrize("again", [
    GameRecord.copy, copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game)),  # noqa: S301
])  # fmt: skip
def test_a_copy_is_equal_and_then_goes_its_own_way(again):
    game = GameRecord(Board())
    game.push(4)
    other = again(game)
    assert other == game
    other.push(0)
    assert game.pop() == 4
    assert ([*game], len(game), game.position) == ([], 0, game.start)
    assert ([*other], len(other), other.position) == ([4, 0], 2, Board().play(4).play(0))
    assert (other.pop(), other.pop(), other == game) == (0, 4, True)


def test_records_are_equal_by_their_start_and_moves():
    game, order, start = (GameRecord(Board()) for _ in range(3))
    for move in (4, 0, 8):
        game.push(move)
    for move in (8, 0, 4):
        order.push(move)
    start.start = start.position = game.position
    assert game.position == order.position == start.position
    assert game not in (order, start, game.position, game.moves)


def test_it_can_be_reviewed():
    game, rng = GameRecord(Board()), random.Random(1)
    while game.result() == "*":
        game.push(rng.choice(game.position.moves()))
    assert len(review(game.start, game.moves)) == len(game.moves)
