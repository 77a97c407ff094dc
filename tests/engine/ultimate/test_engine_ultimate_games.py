"""Ultimate against its slow generator: every position of random games, and the ends of games solved.

The ordinary run takes a hundred and fifty; `make test-ultimate` takes ten thousand.
"""

import os
from random import Random

import pytest
from nine_boards import Slow, perft, random_game, solve
from solved_games import MIRRORS

from engine import PROVEN, WIN, Limit, casual, search
from engine.montecarlo import montecarlo
from engine.ultimate import MIRRORED, Ultimate

GAMES = int(os.environ.get("ULTIMATE_GAMES", "40"))
PARTS = 10
PERFT = [1, 81, 720, 6336, 55080, 473256, 4020960]


def played(moves):
    game = Ultimate()
    for move in moves:
        game = game.play(move)
    return game


def late_games(count, empty):
    """Return games with so few cells empty, each with the generator's position; not over."""
    found = []
    for seed in range(10 * count):
        positions = random_game(Random(f"late {seed}"))
        late = next((slow for slow in positions if slow.cells.count(".") <= empty), positions[-1])
        if not late.terminal:
            found.append((played(slow.last for slow in positions[1 : late.ply + 1]), late))
    return found[:count]


def test_the_generator_itself():
    assert [perft(Slow(), depth) for depth in range(5)] == PERFT[:5]


def engine_perft(game, depth):
    moves = game.moves()
    return len(moves) if depth == 1 else sum(engine_perft(game.play(move), depth - 1) for move in moves)


def test_the_engine_counts_the_same_sequences_of_moves():
    assert [engine_perft(Ultimate(), depth) for depth in range(1, 5)] == PERFT[1:5]


@pytest.mark.skipif(GAMES < 1000, reason="`make test-ultimate` takes the minute")
def test_both_count_the_same_sequences_of_five_and_six_moves():
    assert perft(Slow(), 5) == PERFT[5]
    assert [engine_perft(Ultimate(), depth) for depth in (5, 6)] == PERFT[5:]


def agree(game, slow):
    """Compare all that the engine says of a position with the generator."""
    assert (game.cells, game.ply, game.to_move) == (slow.cells, slow.ply, slow.to_move)
    assert (game.boards, game.outcome, game.line) == (slow.boards, slow.outcome, slow.line)
    assert (list(game.moves()), game.terminal, game.fading) == (slow.moves(), slow.terminal, None)
    low, high = game.bounds()
    if slow.terminal:
        value = 0 if slow.outcome == "draw" else slow.ply - WIN
        assert (low, high, game.evaluate(), game.horizon) == (value, value, value, 0)
        assert list(game.candidates()) == []
    else:
        assert game.active == slow.active
        assert low <= high
        assert abs(game.evaluate()) < PROVEN
        assert len(slow.moves()) <= game.horizon <= slow.cells.count(".")
        wins = [move for move in slow.moves() if slow.play(move).outcome == slow.to_move]
        assert sorted(game.candidates()) == (wins or slow.moves())


@pytest.mark.parametrize("part", range(PARTS))
def test_every_position_of_random_games(part):
    for number in range(part, GAMES, PARTS):
        game = Ultimate()
        for slow in random_game(Random(number)):
            if slow.last is not None:
                game = game.play(slow.last)
            agree(game, slow)


@pytest.mark.parametrize("part", range(PARTS))
def test_a_move_that_is_not_legal_is_refused(part):
    for number in range(part, max(5, GAMES // 50), PARTS):
        positions = random_game(Random(number))
        game = Ultimate()
        for slow in positions:
            game = game if slow.last is None else game.play(slow.last)
            for move in {-1, *range(82)} - set(slow.moves()):
                with pytest.raises(ValueError, match="over" if slow.terminal else r"board|moves count"):
                    game.play(move)


def mirrored(move, mirror):
    return 9 * mirror[move // 9] + mirror[move % 9]


@pytest.mark.parametrize("mirror", MIRRORS)
def test_mirror_images_are_worth_the_same(mirror):
    """They may share a key, and must not differ in value."""
    for number in range(20):
        moves = [slow.last for slow in random_game(Random(number))[1:]]
        game = image = Ultimate()
        for move in moves:
            game, image = game.play(move), image.play(mirrored(move, mirror))
            assert image.outcome == game.outcome
            assert image.evaluate() == game.evaluate()
            assert image.bounds() == game.bounds()
            assert sorted(image.moves()) == sorted(mirrored(one, mirror) for one in game.moves())
            if game.ply <= MIRRORED:
                assert image.key() == game.key()


def test_positions_that_differ_by_more_than_a_mirror_have_different_keys():
    """All that the rest of the game depends on, and the ply, is in the key."""
    seen = {}
    for number in range(GAMES // 2):
        game = Ultimate()
        for slow in random_game(Random(number))[1:]:
            game = game.play(slow.last)
            if not game.terminal:
                images = {
                    (
                        "".join(slow.cells[mirrored(move, mirror)] for move in range(81)),
                        mirror.index(slow.active) if slow.active is not None else None,
                    )
                    for mirror in MIRRORS
                }
                same = min(images, key=str)
                assert seen.setdefault(game.key(), same) == same


def test_bounds_and_search_agree_with_the_end_of_games_solved():
    """Bounds hold what perfect play gives; the search finds it, and with it the distance."""
    settled = 0
    for game, late in late_games(max(12, GAMES // 20), 14):
        value, distance = solve(late, known := {})
        score = value * (WIN - late.ply - distance)
        low, high = game.bounds()
        assert low <= score <= high, late.cells
        settled += low == high
        found = search(game)
        assert (found.score, found.value) == (score, {1: "win", 0: "draw", -1: "loss"}[value]), late.cells
        assert -solve(late.play(found.move), known)[0] == value
        assert search(game, proofs=False).value == found.value
        # A move that is left out is no better than one that is not.
        after = {move: -solve(late.play(move), known)[0] for move in late.moves()}
        assert max(after[move] for move in game.candidates()) == value
    assert settled > 2


def test_monte_carlo_plays_the_end_of_games():
    right = 0
    games = late_games(10, 14)
    for game, late in games:
        value, _ = solve(late, known := {})
        found = montecarlo(game, 1000, Random(1))
        assert found.move in late.moves()
        right += -solve(late.play(found.move), known)[0] == value
    assert right >= 0.9 * len(games)


def test_what_search_and_casual_answer_is_legal():
    for number in range(10):
        positions = random_game(Random(number))[:-1]
        for slow in positions[::5]:
            game = played(before.last for before in positions[1 : slow.ply + 1])
            assert search(game, Limit(nodes=300)).move in slow.moves()
            assert set(casual(game)) <= set(slow.moves())
