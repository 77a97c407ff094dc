"""The opponent in C, against the slow generator, and at play. Needs gcc: `make test-ultimate` runs it."""

import random

import pytest
from nine_boards import Slow, perft, random_game, solve
from opponent import Opponent, build


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return build(tmp_path_factory.mktemp("uct"))


@pytest.fixture(scope="module")
def opponent(program):
    with Opponent(program, 20_000) as running:
        yield running


def test_it_counts_the_sequences_of_moves(opponent):
    expected = [1, 81, 720, 6336, 55080, 473256, 4020960, 33782544]
    assert [opponent.perft(depth) for depth in range(len(expected))] == expected


def test_it_knows_the_rules_in_every_position_of_random_games(opponent):
    for seed in range(500):
        moves = []
        for slow in random_game(random.Random(seed)):
            moves += [] if slow.last is None else [slow.last]
            winner, active, boards, legal = opponent.show(moves)
            outcome = {".": None, "-": "draw"}.get(winner, winner)
            assert (outcome, boards, legal) == (slow.outcome, slow.boards, slow.moves()), moves
            assert active == slow.active, moves


def test_it_counts_like_the_generator_late_in_games(opponent):
    for seed in range(20):
        positions = random_game(random.Random(seed))
        late = positions[-8]
        moves = [slow.last for slow in positions[1:-7]]
        assert opponent.perft(5, moves) == perft(late, 5)


def test_late_in_games_it_plays_as_well_as_can_be(opponent):
    for seed in range(30):
        positions = random_game(random.Random(seed))
        late = next(slow for slow in positions if slow.terminal or slow.cells.count(".") < 16)
        if not late.terminal:
            value, _ = solve(late, known := {})
            move = opponent.move([slow.last for slow in positions[1 : late.ply + 1]], late.moves())
            assert -solve(late.play(move), known)[0] == value


def test_more_playouts_are_stronger(program):
    """A hundred times the playouts win most of a dozen games."""
    points = 0
    with Opponent(program, 3000) as strong, Opponent(program, 30) as weak:
        for number in range(12):
            rng, slow, moves = random.Random(number), Slow(), []
            while not slow.terminal:
                player = strong if (slow.to_move == "x") == (number % 2 == 0) else weak
                legal = slow.moves()
                moves.append(rng.choice(legal) if slow.ply < 2 else player.move(moves, legal))
                slow = slow.play(moves[-1])
            points += {"draw": 0.5}.get(slow.outcome, (slow.outcome == "x") == (number % 2 == 0))
    assert points >= 10


def test_the_same_seed_plays_the_same(program):
    games = []
    for seed in (1, 1, 2):
        with Opponent(program, 200, seed) as running:
            games.append([running.move([40, 36], range(9)) for _ in range(30)])
    assert games[0] == games[1] != games[2]
