"""The level that follows the person: its table, what each move tells, and the strength for that."""

import os
import random
from functools import cache
from itertools import pairwise, product
from operator import le
from pathlib import Path

import pytest
import ratings
from chances import Model, Solved, cell, level_rows, table
from hypothesis import given
from hypothesis import strategies as st
from solved_games import reachable, vanishing_games, winning

from engine import KINDS, LEVELS, RULES, SOLVED, STRONGEST, Belief, Board, Misere, adaptive, casual
from engine.levels import TrapSearch
from engine.people import (
    LOOK,
    MOST,
    POINTS,
    PRIOR,
    RECENT,
    RELIEF,
    STRENGTH_STEP,
    SWITCH,
    TARGET,
    WHOLE,
    evidence,
    good_moves,
    shares,
)

OPEN = [board for board in reachable(Board(), symmetry=True) if not board.terminal]
OTHERS = [board for board in reachable(Misere(), symmetry=True) if not board.terminal]
VANISHING = [game for game in vanishing_games() if not game.terminal]
POSITIONS = [*OPEN[::5], *OTHERS[::9], *VANISHING[::200]]
PAGE = (Path(__file__).parents[2] / "docs/engine.md").read_text()
CELLS = list(product(KINDS, LEVELS))
EVERY = 1 if os.environ.get("LEVELS") == "all" else 9  # of the cells that take long; all take minutes
SETTLED = [rule for rule in SOLVED if not RULES[rule].recurs]  # others take long
LADDER, CHILD = 30, "child who completes lines"
FORESIGHT = {"vanishing": (30, 36, 36), "ultimate": (52, 69, 87)}  # the same to perfect, of who looks ahead
model = cache(Model)
REMEDY = "`make tables RULES=...` writes what is missing"
WEIGHTS = st.lists(st.integers(0, WHOLE), min_size=len(KINDS), max_size=len(KINDS)).filter(any).map(tuple)


# The table


def test_every_rule_has_a_table():
    assert POINTS.keys() == RULES.keys(), REMEDY
    for rows in POINTS.values():
        assert [len(row) for row in rows] == [STRONGEST // STRENGTH_STEP + 1] * len(KINDS)


@pytest.mark.long
@pytest.mark.parametrize("rule", SETTLED)
def test_the_table_is_what_the_kinds_can_expect(rule):
    assert [list(row) for row in POINTS[rule]] == table(rule)


@pytest.mark.long
def test_a_sample_of_the_table_of_vanishing():
    """`make tables RULES=vanishing` makes all of it, in a minute."""
    kinds = list(KINDS.values())
    for kind, strength in ((2, 250), (4, 950)):
        found = model("vanishing").points(kinds[kind], strength)
        assert round(100 * found) == POINTS["vanishing"][kind][strength // STRENGTH_STEP]


def test_the_solution_of_vanishing_plays_and_looks_ahead_as_the_engine_does():
    solved = Solved()
    for position in VANISHING[::400]:
        assert solved.best(position) == TrapSearch().best(position)
        assert solved.choices(position) == good_moves(position)


def test_games_of_vanishing_end_as_the_chain_says():
    """It leaves out the draw by a third repetition, which is too rare to show."""
    rng, kind = random.Random(5), KINDS["child who blocks now and then"]
    wins = games = 0
    for first in (True, False) * 60:
        game, mine = SOLVED["vanishing"](), first
        while not game.terminal:
            found = casual(game), game.moves()
            if mine:
                weighted = shares(kind, game.moves(), winning(game), found[0], found[0])
                moves = rng.choices([moves for _, moves in weighted], [share for share, _ in weighted])[0]
            else:
                level, luck = adaptive(100), rng.random()
                moves = found[luck > level.mistakes]
            game, mine = game.play(rng.choice(moves)), not mine
        games += 1
        wins += game.outcome == "xo"[not first]
    assert abs(wins / games - POINTS["vanishing"][3][2] / 100) < 0.12


@pytest.mark.parametrize("rule", RULES)
def test_what_each_kind_can_expect_falls_evenly_with_the_strength(rule):
    for row in POINTS[rule]:
        steps = [weaker - stronger for weaker, stronger in pairwise(row)]
        assert min(steps) >= 0
        assert max(steps) <= (12 if rule in SOLVED else 20)
    for weaker, stronger in pairwise(POINTS[rule][2:]):  # of the two weakest the second sees lines
        assert all(one <= other for one, other in zip(weaker, stronger, strict=True))


# The fixed levels


def printed(rule):
    """Return what docs/engine.md says of a rule: level -> kind -> games won, drawn and lost, per cent."""
    found = {}
    for name in RULES[rule].levels:
        start = f"| {rule}, {name} | "
        rows = [line.removeprefix(start).strip("| ") for line in PAGE.splitlines() if line.startswith(start)]
        assert len(rows) == 1, f"docs/engine.md has no row {start}: {REMEDY}"
        found[name] = dict(zip(KINDS, rows[0].split(" | "), strict=True))
    return found


@pytest.mark.long
@pytest.mark.parametrize("rule", SETTLED)
def test_the_page_has_what_the_kinds_can_expect_of_the_levels(rule):
    for row in level_rows(rule, model(rule).odds):
        assert row in PAGE, REMEDY


@pytest.mark.long
@pytest.mark.parametrize(("kind", "name"), CELLS[::EVERY])
def test_the_page_has_it_for_vanishing_too(kind, name):
    level = RULES["vanishing"].levels[name]
    assert cell(model("vanishing").odds(KINDS[kind], level)) == printed("vanishing")[name][kind]


@pytest.mark.long
@pytest.mark.parametrize(("kind", "name"), CELLS[::EVERY])
def test_the_page_has_it_for_ultimate_but_for_chance(kind, name):
    """It has more games of each; the same seed gives the same, these first."""
    found = ratings.points(
        "ultimate", KINDS[kind], RULES["ultimate"].levels[name], 5 if name == "perfect" else 50
    )
    won, drawn, _ = map(int, printed("ultimate")[name][kind].split(" / "))
    assert abs(100 * found - won - drawn / 2) < 18, REMEDY


@pytest.mark.parametrize("rule", RULES)
def test_the_levels_are_a_ladder(rule):
    """Only who looks ahead falls by more, from hard to perfect where perfect play does not draw."""
    won = {name: [int(odds.split()[0]) for odds in row.values()] for name, row in printed(rule).items()}
    assert won["easy"][list(KINDS).index(CHILD)] >= (50 if rule in FORESIGHT else 25)
    assert rule in FORESIGHT or max(won["perfect"]) == 0
    for weaker, stronger in pairwise(won):
        falls = [before - after for before, after in zip(won[weaker], won[stronger], strict=True)]
        rare = 0 if rule in SOLVED else 5  # wins of 100 that chance may turn round
        assert all(fall > 0 or before <= rare for fall, before in zip(falls, won[weaker], strict=True))
        last = FORESIGHT.get(rule) if stronger == "perfect" else None
        most = [LADDER] * 5 + list(last or [LADDER] * 3)
        assert all(map(le, falls, most)), "choose other levels in its `Rule`, such as CIRCLING"


# The level at a strength


def test_at_the_ends_of_the_scale_any_move_is_as_likely_and_play_is_perfect():
    for board in OPEN[::20]:
        assert adaptive(STRONGEST).policy(board) == LEVELS["perfect"].policy(board)
        assert adaptive(0).policy(board) == dict.fromkeys(board.moves(), 1 / len(board.moves()))


def test_in_between_it_throws_two_coins():
    board = Board.parse("xx./oo./...")  # casual and perfect play win
    policy = adaptive(300).policy(board)
    assert policy[2] == pytest.approx(1 - 0.49 * 4 / 5)
    rng = random.Random(1)
    chosen = [adaptive(300).choose(board, rng) for _ in range(400)]
    assert abs(chosen.count(2) / 400 - policy[2]) < 0.06


# What a move tells


@pytest.mark.parametrize(("position", "move", "more", "less"), [
    (Board.parse("xx./oo./..."), 2, "child who completes lines", "anybody who presses at random"),
    (Board.parse("xx./oo./..."), 8, "anybody who presses at random", "child who completes lines"),
    (Board.parse("oo./x../..x"), 2, "casual player, who wins and blocks", "child who completes lines"),
    (Board.parse("oo./x../..x"), 4, "child who completes lines", "child who blocks now and then"),
    (Board.parse("x../.o./..x"), 1, "perfect player", "casual player, who wins and blocks"),
    (Board.parse("x../.o./..x"), 2, "casual player, who wins and blocks", "perfect player"),
    (Misere.parse("xx./oo./..."), 2, "child who completes lines", "casual player, who wins and blocks"),
    (Misere.parse("xx./oo./..."), 8, "casual player, who wins and blocks", "child who completes lines"),
])  # fmt: skip
def test_a_move_makes_those_likelier_who_would_play_it(position, move, more, less):
    found = dict(zip(KINDS, evidence(position, move), strict=True))
    assert found[more] > 1.1 * found[less]


def test_chances_of_all_moves_add_up_to_one_and_nothing_is_impossible():
    for position in POSITIONS:
        found = [evidence(position, move) for move in position.moves()]
        for chances in zip(*found, strict=True):
            assert sum(chances) == pytest.approx(1)
            assert min(chances) > 0.01


def test_who_looks_ahead_takes_what_is_within_sight():
    for position in POSITIONS:
        wins, safe, ahead = good_moves(position)
        assert sorted(wins) == winning(position)
        assert set(ahead) <= set(safe) <= set(casual(position))
    assert LOOK == 6
    assert all(good_moves(board)[2] == [4] for board in (Board().play(0), Board().play(8)))


def test_only_the_persons_moves_count_and_of_a_long_game_only_the_latest():
    board, belief = Board(), Belief(2)
    moves = (0, 4, 8, 2, 6)
    one, other = (belief.seen(board, moves, first=first) for first in (True, False))
    assert one == belief.weighed([evidence(board, 0), evidence(board.play(0).play(4), 8),
                                  evidence(board.play(0).play(4).play(8).play(2), 6)])  # fmt: skip
    assert one != other
    assert (one.losses, belief.seen(board, (), first=True)) == (2, belief)
    game, long = SOLVED["vanishing"](), []
    rng = random.Random(1)
    while len(long) < 2 * RECENT + 20:
        move = rng.choice([move for move in game.moves() if not game.play(move).terminal])
        long.append((game, move))
        game = game.play(move)
    recent = [evidence(*pair) for pair in long[::2][-RECENT:]]
    assert belief.seen(SOLVED["vanishing"](), [move for _, move in long], first=True) == belief.weighed(
        recent
    )


# From belief to strength


@given(WEIGHTS, st.integers(0, 9), st.sampled_from(["win", "draw", "loss"]))
def test_somebody_else_may_play_the_next_game(weights, losses, result):
    after = Belief(losses, weights).ended(result)
    assert after.losses == (losses + 1 if result == "loss" else 0)
    assert abs(sum(after.weights) - WHOLE) <= len(KINDS)
    assert all(weight >= round(SWITCH * first) for weight, first in zip(after.weights, PRIOR, strict=True))


@given(WEIGHTS, st.sampled_from(list(RULES)))
def test_losses_in_a_row_only_weaken_it_and_a_rule_without_a_table_counts_as_classic(weights, rule):
    strengths = [Belief(losses, weights).strength(rule) for losses in range(5)]
    assert strengths == sorted(strengths, reverse=True)
    assert set(strengths) <= set(range(0, STRONGEST + 1, STRENGTH_STEP))
    assert Belief(0, weights).strength("another") == Belief(0, weights).strength("classic")


@pytest.mark.parametrize("rule", RULES)
def test_each_kind_is_met_where_it_comes_closest_to_the_target(rule):
    for place, row in enumerate(POINTS[rule][:-1]):
        certain = tuple(WHOLE * (number == place) for number in range(len(KINDS)))
        for losses, target in ((0, TARGET), (1, TARGET + RELIEF), (9, MOST)):
            found = row[Belief(losses, certain).strength(rule) // STRENGTH_STEP]
            assert abs(found - target) == min(abs(points - target) for points in row)
        assert Belief(0, certain).likeliest == list(KINDS)[place]
    perfect = [Belief(losses, (*[0] * (len(KINDS) - 1), WHOLE)) for losses in range(3)]
    assert [belief.strength(rule) == STRONGEST for belief in perfect] == [True, True, False]
    assert perfect[0].likeliest == "perfect player"
