"""The levels: their policies, and what none of them ever does. Their strength: test_engine_strength.py."""

import random
from functools import cache

import pytest
from solved_games import reachable, winning

from engine import LEVELS, Board, Misere, Table, Vanishing, casual, search
from engine.levels import TrapSearch

NAMES = list(LEVELS)
OPEN = [board for board in reachable(Board(), symmetry=True) if not board.terminal]


@cache
def policy(name, board):
    return LEVELS[name].policy(board)


@pytest.mark.parametrize("name", NAMES)
def test_a_policy_is_a_mixture_of_legal_moves(name):
    rng, position = random.Random(7), Board.parse("x../.o./..x")
    assert {LEVELS[name].choose(position, rng) for _ in range(120)} == set(policy(name, position))
    for board in OPEN[::5]:
        chances = policy(name, board)
        assert abs(sum(chances.values()) - 1) < 1e-9
        assert set(chances) <= set(board.moves())
    with pytest.raises(ValueError, match="over"):
        LEVELS[name].choose(Board.parse("xxx/oo./..."), rng)


@pytest.mark.parametrize("name", NAMES)
def test_only_the_levels_that_play_any_move_pass_up_a_win(name):
    boards = [board for board in OPEN if winning(board)]
    assert len(OPEN) == 627
    assert all(set(policy(name, board)) <= set(winning(board)) for board in boards) == (
        name in {"hard", "perfect"}
    )


def test_perfect_never_gives_away_value():
    table = Table()
    for board in OPEN:
        found = search(board, every=True, table=table)
        for move in policy("perfect", board):
            assert found.moves[move].value == found.value
            if found.value == "win":
                assert found.moves[move].distance == found.distance


@pytest.mark.parametrize(
    ("start", "results"), [(Misere(), {"x", "draw"}), (Vanishing(), {"x"})], ids=["misere", "vanishing"]
)
def test_perfect_keeps_the_value_of_the_other_rules(start, results):
    """From the empty board, against random moves."""
    rng = random.Random(3)
    for _ in range(3):
        position = start
        while not position.terminal and position.ply < 30:
            own = position.to_move == "x"
            position = position.play(
                LEVELS["perfect"].choose(position, rng) if own else rng.choice(position.moves())
            )
        assert position.outcome in results


def test_casual():
    assert casual(Board.parse("xx./oo./...")) == [2]
    assert casual(Board.parse("xx./o../...")) == [2]
    assert sorted(casual(Board.parse("x../.o./..."))) == [1, 2, 3, 5, 6, 7, 8]
    # Against two threats it blocks one of them.
    assert sorted(casual(Board.parse("x.x/.o./x.o"))) == [1, 3]
    # In misère it completes no line unless it must.
    assert 2 not in casual(Misere.parse("xx./oo./..."))
    assert casual(Misere.parse("xox/xox/o.o", to_move="o")) == [7]
    assert casual(Vanishing().play(0).play(4).play(1).play(8)) == [2]


def test_perfect_keeps_the_value_when_it_is_stopped():
    polls = []

    def stop():
        polls.append(1)
        return len(polls) > 4

    # After x in the centre every corner draws; there is no time to find which one traps a casual player.
    assert TrapSearch(stop).best(Board().play(4)) == [0, 2, 6, 8]
    assert len(polls) > 4


@pytest.mark.parametrize(("position", "moves"), [
    (Board.parse("xo./.../..."), [3, 4, 6]),
    (Board(8, 8, 5), [27, 28, 35, 36]),
], ids=["won", "unknown"])  # fmt: skip
def test_traps_are_not_searched_for_where_none_can_help(position, moves, monkeypatch):
    """All winning moves are equally good, and in an unproven position there is no value to keep."""
    searched = []
    monkeypatch.setattr("engine.levels.NODES", 400)
    monkeypatch.setattr("engine.levels.search", lambda *a, **k: searched.append(a) or search(*a, **k))
    assert TrapSearch().best(position) == moves
    assert len(searched) == 1
