"""The levels of a game that nobody has solved, and what a move tells there."""

import random
from dataclasses import replace
from functools import cache

import pytest
import ratings
from solved_games import winning

from engine import KINDS, RULES, STRONGEST, Board, Limit, casual, search
from engine.levels import GLANCE, OPENING, STRONGEST_NODES, near, parts
from engine.people import FEWEST, MANY, POINTS, STRENGTH_STEP, TORN, evidence, good_moves, shares
from engine.shape import LINES

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


def test_what_blocks_a_board_is_where_the_other_side_has_two_of_a_line():
    for position in positions()[::7]:
        other, blocks = "ox"[position.to_move == "o"], []
        for move in position.moves():
            cells = position.cells[move - move % 9 :][:9]
            lines = [line for line in LINES if move % 9 in line]
            if any(sum(cells[cell] == other for cell in line) == 2 for line in lines):
                blocks.append(move)
        assert sorted(parts(position, other=True)) == blocks


def test_casual_wins_the_game_then_a_board_and_else_leaves_as_little_as_it_can():
    seen = set()
    for position in positions()[::5]:
        left = {}
        for move in position.moves():
            child = position.play(move)
            left[move] = len(winning(child)), 0 if winning(child) else len(taking(child))
        careful = [move for move in left if left[move] == min(left.values())]
        blocks = [move for move in careful if move in parts(position, other=True)]
        assert sorted(casual(position)) == (winning(position) or taking(position) or blocks or careful)
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


def test_casual_play_has_no_chance_against_the_strongest():
    """A twentieth of its positions do."""
    casually = KINDS["casual player, who wins and blocks"]
    assert ratings.points("ultimate", casually, replace(STRONG, nodes=1000), 10) <= 0.1


# What a move tells


def test_chances_of_all_moves_add_up_to_one_and_nothing_is_impossible():
    for position in positions()[::11]:
        found = [evidence(position, move) for move in position.moves()]
        for chances in zip(*found, strict=True):
            assert sum(chances) == pytest.approx(1)
            assert min(chances) > 0


def test_a_board_that_is_won_or_left_tells_who_plays():
    position = next(each for each in positions() if taking(each) and not winning(each))
    wins = good_moves(position)[0]
    assert wins == taking(position)
    other = next(
        move for move in position.moves() if move not in good_moves(position)[2] and move not in wins
    )
    for move, more, less in (
        (wins[0], "child who completes lines", "anybody who presses at random"),
        (other, "anybody who presses at random", "child who completes lines"),
    ):
        found = dict(zip(KINDS, evidence(position, move), strict=True))
        assert found[more] > 1.1 * found[less]


def test_who_prevents_losses_is_torn_where_to_take_a_board_lets_the_other_side_take_one():
    kind = KINDS["casual player, who wins and blocks"]
    for takes, safe, share in (((1, 2), (2, 3), 1), ((1, 2), (3,), TORN)):
        found = shares(kind, range(9), takes, safe, ())
        assert [share for share, _ in found] == pytest.approx([0, share, 1 - share, 0])
    child = shares(KINDS["child who completes lines"], range(9), (1, 2), (3,), ())
    assert [share for share, _ in child] == [0, 1, 0, 0]


# The table


def test_the_fit_keeps_an_even_slope_and_evens_out_what_chance_does():
    slope = [0.9 - 0.08 * place for place in range(len(ratings.GRID))]
    chance = [share + 0.04 * (-1) ** place for place, share in enumerate(slope)]
    found = ratings.fitted([slope, slope, chance, slope])
    assert found[0][::2] == found[1][::2] == [round(100 * share) for share in slope]
    assert found[0][1] == 86
    assert found[2][2:-2:2] == pytest.approx([100 * share for share in slope[1:-1]], abs=1)
    assert all(one <= other for one, other in zip(found[2], found[3], strict=True))


@pytest.mark.parametrize(("kind", "strength"), [(2, 200), (4, 400)])
def test_a_sample_of_the_table_is_what_is_played(kind, strength):
    """`make tables RULES=ultimate` plays all of it."""
    found = ratings.points("ultimate", list(KINDS.values())[kind], RULE.adaptive(strength), 100)
    assert abs(100 * found - POINTS["ultimate"][kind][strength // STRENGTH_STEP]) < 12
