"""The levels: how strong each is, exactly, and what none of them ever does."""

import random
from collections import Counter
from functools import cache
from itertools import pairwise

import pytest

from engine import LEVELS, Board, Misere, Table, Vanishing, casual, search
from engine.odds import MODELS, Odds, odds
from engine.traps import Traps

NAMES = list(LEVELS)
SEATS = [(model, first) for model in MODELS for first in (True, False)]


def classes():
    """The 627 open positions of 3x3 up to symmetry."""
    found, todo = {}, [Board()]
    while todo:
        board = todo.pop()
        if found.setdefault(board.key(), board) is board:
            todo += [board.play(move) for move in board.moves()]
    return [board for board in found.values() if not board.terminal]


OPEN = classes()


def wins(board):
    return [move for move in board.moves() if board.play(move).outcome == board.to_move]


@cache
def table(name, model, first):
    return odds(LEVELS[name], model, Board(), first=first)


@pytest.mark.untraced
@pytest.mark.parametrize("seat", SEATS)
def test_strength_rises_with_the_level(seat):
    rows = [table(name, *seat) for name in NAMES]
    assert all(abs(sum(row) - 1) < 1e-9 for row in rows)
    for weaker, stronger in pairwise(rows):
        assert weaker.points < stronger.points - 0.005
        assert weaker.win < stronger.win
        assert weaker.loss > stronger.loss


def test_a_casual_player_beats_easy():
    assert table("easy", "casual", True).loss >= 0.4
    assert table("easy", "casual", False).loss >= 0.4


def test_perfect_reaches_what_can_be_reached():
    """The greatest share of wins against the casual player for play that never gives away value."""
    assert round(100 * table("perfect", "casual", True).win, 1) == 92.7
    assert round(100 * table("perfect", "casual", False).win, 1) == 26.0
    assert {table("perfect", *seat).loss for seat in SEATS} == {0}


def test_points():
    assert Odds(0.5, 0.25, 0.25).points == 0.625


def test_policies_are_mixtures_of_legal_moves():
    for board in OPEN[::7]:
        for level in LEVELS.values():
            policy = level.policy(board)
            assert abs(sum(policy.values()) - 1) < 1e-9
            assert set(policy) <= set(board.moves())


@pytest.mark.parametrize("name", NAMES[1:])
def test_no_level_but_easy_passes_up_a_win(name):
    assert len(OPEN) == 627
    for board in OPEN:
        if wins(board):
            assert set(LEVELS[name].policy(board)) <= set(wins(board))


def test_easy_does():
    assert not set(LEVELS["easy"].policy(Board.parse("xx./oo./..."))) <= {2}


@pytest.mark.untraced
def test_perfect_never_gives_away_value():
    table = Table()
    for board in OPEN:
        found = search(board, every=True, table=table)
        for move in LEVELS["perfect"].policy(board):
            assert found.moves[move].value == found.value
            if found.value == "win":
                assert found.moves[move].distance == found.distance


def test_perfect_sets_traps():
    # After x in a corner only the middle holds. Before, a corner is what a casual player answers worst.
    assert LEVELS["perfect"].policy(Board().play(0)) == {4: 1.0}
    assert LEVELS["perfect"].policy(Board()) == {0: 0.25, 2: 0.25, 6: 0.25, 8: 0.25}


@pytest.mark.untraced
def test_choose_draws_from_the_policy():
    rng = random.Random(7)
    for name, level in LEVELS.items():
        board = Board().play(4)
        drawn = Counter(level.choose(board, rng) for _ in range(120))
        assert set(drawn) == set(level.policy(board)), name


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_chosen_when_the_game_is_over(name):
    with pytest.raises(ValueError, match="over"):
        LEVELS[name].choose(Board.parse("xxx/oo./..."), random.Random(0))


@pytest.mark.untraced
def test_levels_play_every_game():
    rng = random.Random(1)
    for start in (Board(), Misere(), Vanishing(), Board(4, 4, 3)):
        for name, level in LEVELS.items():
            position = start
            while not position.terminal and position.ply < 12:
                position = position.play(level.choose(position, rng))
            assert position.ply >= 5, name


def test_perfect_keeps_the_value_of_the_other_rules():
    """Beginning from the empty board, against whatever is played, it never loses."""
    rng, perfect = random.Random(3), LEVELS["perfect"]
    for start in (Misere(), Vanishing()):
        for _ in range(3):
            position = start
            while not position.terminal and position.ply < 30:
                own = position.to_move == "x"
                move = perfect.choose(position, rng) if own else rng.choice(position.moves())
                position = position.play(move)
            assert position.outcome in (("x", "draw") if isinstance(start, Misere) else ("x",))


def test_casual():
    assert casual(Board.parse("xx./oo./...")) == [2]
    assert casual(Board.parse("xx./o../...")) == [2]
    assert sorted(casual(Board.parse("x../.o./..."))) == [1, 2, 3, 5, 6, 7, 8]
    # Two threats: one of them is blocked.
    assert sorted(casual(Board.parse("x.x/.o./x.o"))) == [1, 3]
    # Misère: a line is not completed while there is something else, and then anywhere.
    assert 2 not in casual(Misere.parse("xx./oo./..."))
    assert casual(Misere.parse("xox/xox/o.o", to_move="o")) == [7]
    assert casual(Vanishing().play(0).play(4).play(1).play(8)) == [2]


def test_perfect_keeps_the_value_when_it_is_hurried():
    asked = []

    def stop():
        asked.append(1)
        return len(asked) > 4

    # After x in the middle every corner holds. There is no time to find out where the casual player errs.
    assert Traps(stop).best(Board().play(4)) == [0, 2, 6, 8]
    assert len(asked) > 4


def test_perfect_does_its_best_where_nothing_is_proven(monkeypatch):
    monkeypatch.setattr("engine.traps.NODES", 400)
    board = Board(8, 8, 5)
    best = Traps().best(board)
    assert set(best) <= {27, 28, 35, 36}
    assert LEVELS["perfect"].choose(board, random.Random(0)) in best
