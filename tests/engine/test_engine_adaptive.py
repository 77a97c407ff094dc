"""The adaptive level: what it never does, and how its strength changes. test_bench.py: where it settles."""

import pytest
from solved_games import reachable, vanishing_games, winning

from engine import LEVELS, START, STRONGEST, Board, adapt, adaptive, casual
from engine.strength import GUARDED, NEAR

OPEN = [board for board in reachable(Board(), symmetry=True) if not board.terminal]
POSITIONS = [*OPEN[::3], *vanishing_games()[::400]]


@pytest.mark.parametrize("strength", [GUARDED, START, 500])
def test_from_a_low_strength_on_it_takes_an_open_three_and_blocks_one(strength):
    level = adaptive(strength)
    for position in POSITIONS:
        if position.terminal:
            continue
        moves, wins = set(level.errors(position, None)), winning(position)
        assert moves <= set(casual(position))
        assert not wins or moves <= set(wins)


def test_below_that_it_plays_anything():
    board = Board.parse("xx./oo./...")
    assert set(adaptive(GUARDED - 1).policy(board)) == set(board.moves())


def test_a_blunder_gives_the_game_away_where_a_look_ahead_is_needed_to_see_it():
    blunders = adaptive(START).errors
    assert blunders(Board().play(0), None) == [1, 2, 3, 5, 6, 7, 8]
    assert blunders(Board.parse("x../.o./..x"), None) == [2, 6]


def test_at_the_end_of_the_scale_it_is_perfect():
    for board in OPEN[::20]:
        assert adaptive(STRONGEST).policy(board) == LEVELS["perfect"].policy(board)


def test_a_win_adds_twice_what_any_other_result_takes_away():
    """So below NEAR any player comes to win a third of the games, except at the ends of the scale."""
    for strength in range(25, NEAR):
        up, *down = (adapt(strength, result) - strength for result in ("win", "draw", "loss"))
        assert (up, down) == (50, [-25, -25])


def test_draws_and_wins_lead_to_the_perfect_box_and_losses_away_from_it():
    strength = NEAR
    for _ in range(30):
        strength = adapt(strength, "draw")
    assert strength == STRONGEST == adapt(strength, "draw") == adapt(strength, "win")
    for _ in range(4):
        strength = adapt(strength, "loss")
    assert strength < NEAR
    assert {adapt(0, result) for result in ("draw", "loss")} == {0}
