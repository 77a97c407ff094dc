"""The levels of a game that nobody has solved, and what a move tells there."""

import random
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
import ratings
from solved_games import winning

from engine import KINDS, RULES, STRONGEST, Board, Limit, casual, search
from engine.levels import GLANCE, OPENING, STRONGEST_NODES, near, parts
from engine.people import FEWEST, MANY, POINTS, STRENGTH_STEP, evidence, good_moves

RULE = RULES["ultimate"]
START = RULE.start()
STRONG = RULE.levels["perfect"]


@cache
def positions():
    """Return the positions of games between players of whom now one is careless, now the other."""
    rng, found = random.Random(1), []
    for _ in range(12):
        position = START
        while not position.terminal:
            found.append(position)
            position = position.play(rng.choice(rng.choice([casual(position), position.moves()])))
    return found


def taking(position):
    """Return the moves that win a small board."""
    own = position.boards.count(position.to_move)
    return [move for move in position.moves() if position.play(move).boards.count(position.to_move) > own]


def test_a_part_is_a_small_board_and_nine_cells_have_none():
    for position in positions()[::7]:
        assert sorted(parts(position)) == taking(position)
    assert parts(Board()) is None


def test_casual_wins_the_game_then_a_board_and_else_leaves_as_little_as_it_can():
    seen = set()
    for position in positions()[::5]:
        left = {}
        for move in position.moves():
            child = position.play(move)
            left[move] = len(winning(child)), 0 if winning(child) else len(taking(child))
        careful = [move for move in left if left[move] == min(left.values())]
        assert sorted(casual(position)) == (winning(position) or taking(position) or careful)
        seen.add((bool(winning(position)), bool(taking(position))))
    assert seen >= {(True, True), (False, True), (False, False)}


# The levels


def test_a_level_searches_no_more_positions_than_it_has(monkeypatch):
    found, searched = [], []
    monkeypatch.setattr("engine.levels.search", lambda *a, **k: searched.append((a, k)) or search(*a, **k))
    for level in RULE.levels.values():
        level.best(positions()[20])
        (_, limit), options = searched.pop()
        found.append(limit.nodes)
        assert limit.seconds == 5
        assert not options.get("every")
    assert found == sorted(found)
    assert found[-1] == STRONGEST_NODES


def test_its_first_moves_vary_and_the_same_seed_plays_the_same_game():
    level = RULE.adaptive(500)
    assert played(level, 1) == played(level, 1)
    assert len({played(STRONG, seed, plies=OPENING) for seed in range(12)}) > 10


def played(level, seed, plies=20):
    rng, position, found = random.Random(seed), START, ()
    for _ in range(plies):
        found = (*found, level.choose(position, rng))
        position = position.play(found[-1])
    return found


def test_what_comes_close_is_not_lost_where_the_best_is_not():
    for position in positions()[::9]:
        children = [position.play(move) for move in near(position, Limit(depth=GLANCE))]
        if not winning(position) and any(not winning(position.play(move)) for move in position.moves()):
            assert not [child for child in children if winning(child)]
        elif winning(position):
            assert {child.outcome for child in children} == {position.to_move}


def test_a_stopped_level_moves_all_the_same():
    for ply in (0, 30):
        assert STRONG.choose(positions()[ply], random.Random(1), lambda: True) in positions()[ply].moves()


def test_strength_is_positions_and_mistakes():
    weakest, strongest = RULE.adaptive(0), RULE.adaptive(STRONGEST)
    assert (weakest.nodes, weakest.wild, weakest.mistakes) == (FEWEST, 1, 0)
    assert (strongest.nodes, strongest.wild, strongest.mistakes) == (MANY, 0, 0)
    efforts = [RULE.adaptive(strength).nodes for strength in range(0, STRONGEST + 1, STRENGTH_STEP)]
    assert efforts == sorted(efforts)


@pytest.mark.long
def test_a_child_wins_more_than_half_against_easy_and_each_level_is_harder():
    """The table of all kinds of people: `python tests/support/ratings.py`."""
    kind, rng = KINDS["child who completes lines"], random.Random(5)
    found = [ratings.points(kind, level, 100, rng) for level in list(RULE.levels.values())[:3]]
    assert found[0] > 0.55
    assert all(stronger < weaker for weaker, stronger in pairwise(found))


def test_casual_play_has_no_chance_against_the_strongest():
    """A twentieth of its positions do."""
    rng = random.Random(2)
    casually = KINDS["casual player, who wins and blocks"]
    assert ratings.points(casually, replace(STRONG, nodes=1000), 10, rng) <= 0.1


# What a move tells


def test_chances_of_all_moves_add_up_to_one_and_nothing_is_impossible():
    for position in positions()[::11]:
        found = [evidence(position, move) for move in position.moves()]
        for chances in zip(*found, strict=True):
            assert sum(chances) == pytest.approx(1)
            assert min(chances) > 0


def test_a_board_that_is_won_or_left_tells_who_plays():
    position = next(each for each in positions() if taking(each) and not winning(each))
    wins, safe, _ = good_moves(position)
    assert wins == safe == taking(position)
    other = next(
        move for move in position.moves() if move not in good_moves(position)[2] and move not in wins
    )
    for move, more, less in (
        (wins[0], "child who completes lines", "anybody who presses at random"),
        (other, "anybody who presses at random", "child who completes lines"),
    ):
        found = dict(zip(KINDS, evidence(position, move), strict=True))
        assert found[more] > 1.1 * found[less]


# The table


def test_the_fit_finds_the_ratings_that_made_the_results():
    rows, columns = [1.0, 2.0, 8.0], [0.5, 1.0, 4.0]
    shares = [[own / (own + other) for other in columns] for own in rows]
    found = ratings.table(shares)
    for row, expected in zip(found, shares, strict=True):
        assert row[::2] == pytest.approx([100 * share for share in expected], abs=2)


@pytest.mark.parametrize(("kind", "strength"), [(2, 300), (4, 500)])
def test_a_sample_of_the_table_is_what_is_played(kind, strength):
    """`python tests/support/ratings.py` plays all of it, in minutes."""
    name = list(KINDS)[kind]
    found = ratings.points(KINDS[name], RULE.adaptive(strength), 60, random.Random(4))
    assert abs(100 * found - POINTS["ultimate"][kind][strength // STRENGTH_STEP]) < 20
