"""Matches between players: openings, points, errors and clocks."""

from functools import reduce
from random import Random
from statistics import mean

import pytest
from matches import OPENING, Contestant, MatchScore, looking, opening, sampling, searching

from engine import Board, Misere


def first_free(game, _moves, _rng):
    return game.moves()[0]


def test_an_opening_leaves_the_game_open_and_is_played_from_both_sides():
    seen = []

    def watch(game, moves, rng):
        seen.append((tuple(moves[:OPENING]), len(moves)))
        return first_free(game, moves, rng)

    match = MatchScore(Contestant("a", watch), Contestant("b", first_free))
    assert len([*match.games(Misere, 40)]) == len(match.points) == 40
    begun = [moves for moves, ply in seen if ply in (OPENING, OPENING + 1)]
    assert len(set(begun)) > 15
    assert {ply for _, ply in seen} >= {OPENING, OPENING + 1}
    for seed in range(50):
        position, moves = opening(Board, Random(seed))
        assert not position.terminal
        assert position == reduce(Board.play, moves, Board())
        assert position.ply == OPENING


def test_a_player_against_itself_is_even():
    match = MatchScore(Contestant("a", first_free), Contestant("b", first_free))
    for _ in match.games(Board, 20):
        pass
    assert match.score == 0.5


def test_the_margin_is_that_of_the_openings_with_one_more_won_and_one_more_lost():
    """Of 1.96 standard errors, those of 1/2, 1, 1 and 0."""
    match = MatchScore(looking(), looking(), [1, 0, 1, 1])
    assert match.score == 0.75
    assert match.margin == pytest.approx(1.96 * (0.6875 / 3 / 4) ** 0.5)


def test_a_match_that_one_side_wins_whole_is_not_certain():
    margins = [MatchScore(looking(), looking(), [1.0] * games).margin for games in (2, 40, 200)]
    assert margins == pytest.approx([0.653, 0.089, 0.019], abs=0.001)


@pytest.mark.long
def test_the_interval_has_the_true_score_in_nineteen_matches_of_twenty():
    """Games of chance: a hundred openings, each won twice, won and lost, or drawn and lost."""
    rng, openings = Random(1), [(1, 1), (1, 0), (0.5, 0)]
    matches = [MatchScore(looking(), looking(), sum(rng.choices(openings, k=100), ())) for _ in range(2000)]
    assert 0.94 < mean(abs(match.score - 1.75 / 3) <= match.margin for match in matches) < 0.965


def test_a_row_has_the_counts_and_the_time_of_each():
    ticks, tocks = iter(range(10**6)), iter(range(0, 10**6, 3))
    one = Contestant("one", searching(1000).choose, lambda: next(ticks) / 1000)
    other = Contestant("other", first_free, lambda: next(tocks) / 1000)
    match = MatchScore(one, other)
    for _ in match.games(Board, 10):
        pass
    won, drawn, lost = (match.points.count(points) for points in (1, 0.5, 0))
    assert f"| one | other | 10 | {won} / {drawn} / {lost} | {100 * match.score:.1f} |" in match.row()
    assert match.row().endswith("| 1.0 | 3.0 |")


def test_the_same_seed_plays_the_same_games():
    def points(seed):
        match = MatchScore(sampling(30), looking())
        for _ in match.games(Board, 20, seed):
            pass
        return match.points

    assert points(1) == points(1) != points(2)


@pytest.mark.parametrize("player", [searching(1000), sampling(300)])
def test_who_searches_beats_who_does_not(player):
    match = MatchScore(player, Contestant("first free", first_free))
    for _ in match.games(Board, 20):
        pass
    assert match.score > 0.6
