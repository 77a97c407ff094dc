"""Monte-Carlo tree search: it finds what can be found, comes close to minimax, and counts what it visits."""

from math import log, sqrt
from random import Random

import pytest
from solved_games import forced, reachable, solve_board, winning

from engine import LEVELS, Board, Misere, Tree, Vanishing, minimax
from engine.montecarlo import Node, Sampled, montecarlo


def sampled(position, playouts=1000, seed=1, **options):
    return montecarlo(position, playouts, Random(seed), **options)


@pytest.mark.parametrize(
    ("text", "move"),
    [("xx. / oo. / ...", 2), ("xx. / o.. / ...", 2), ("x.. / .x. / .o.", 8), ("oo. / x.. / x..", 2)],
)
def test_it_wins_and_blocks(text, move):
    assert sampled(Board.parse(text)).move == move


@pytest.mark.parametrize("boards", [
    [board for board in reachable(Board(), symmetry=True) if not board.terminal][::9],
    [Misere.parse("xx. / oo. / ...")],
])  # fmt: skip
def test_it_takes_a_win_or_keeps_the_value(boards):
    """By either rule: whoever wins at misère avoids a line."""
    for board in boards:
        line_wins = not isinstance(board, Misere)
        value, _ = solve_board(board.cells, board.to_move, line_wins)
        child = board.play(sampled(board, 3000).move)
        assert -solve_board(child.cells, child.to_move, line_wins)[0] == value, board.cells


@pytest.mark.parametrize("start", [Board(), Misere().play(4)])
def test_it_converges_to_the_draw(start):
    values = [abs(sampled(start, playouts).value) for playouts in (30, 30_000)]
    assert values[1] < 0.1 < values[0] + 0.1


def test_games_that_circle_end():
    """A playout of vanishing goes on until a line or a third repetition."""
    found = sampled(Vanishing(), 300)
    assert found.move in range(9)
    assert found.nodes > 300 * 6
    game = Vanishing()
    for move in (4, 3, 0, 1):
        game = game.play(move)
    assert sampled(game).move in winning(game)
    after = game.play(2)
    value, _ = forced(after, 4)
    assert value == -forced(after.play(sampled(after, 5000).move), 3)[0]


def test_a_tree_of_numbers():
    for node in (((2, 7), (1, 8)), ((3, 12, 8), (2, 4, 6), (14, 5, 2)), (1, (5, 9), ((0, 2), 9))):
        tree = Tree(node)
        found = montecarlo(tree, 5000, Random(3), Tree.evaluate, explore=10)
        best = minimax(tree, 9)
        assert found.move == best.move
        assert abs(found.value - best.value) < 0.5


def test_it_counts_playouts_and_positions():
    found = sampled(Board.parse("xox / oxx / o.."), 50)  # two moves to its end, whatever is played
    assert sum(found.visits.values()) == 50
    assert (found.nodes, found.move, found.visits.keys()) == (1 + 50 * 2, 8, {7, 8})


def test_a_finished_game_has_no_move():
    assert sampled(Board.parse("xxx / oo. / ...")) == Sampled(-1, None, 1, {})


def test_the_same_seed_finds_the_same():
    assert sampled(Board(), 500) == sampled(Board(), 500)
    assert sampled(Board(), 500).visits != sampled(Board(), 500, seed=2).visits


def test_selection_is_ucb1():
    parent = Node(Board())
    parent.visits = 100
    for move, (visits, total) in enumerate([(50, 10), (40, 12), (10, -1)]):
        child = Node(Board().play(move), move)
        child.visits, child.total = visits, total
        parent.children.append(child)
    for explore in (0.0, 0.5, 1.0, 5.0):
        scores = {
            child.move: child.total / child.visits + explore * sqrt(log(100) / child.visits)
            for child in parent.children
        }
        assert parent.select(explore).move == max(scores, key=scores.get)
    assert parent.select(0.0).move == 1
    assert parent.select(5.0).move == 2


def test_it_beats_easy():
    rng, points = Random(5), 0
    for number in range(20):
        board = Board()
        while not board.terminal:
            mine = (board.to_move == "x") == (number % 2 == 0)
            board = board.play(
                montecarlo(board, 300, rng).move if mine else LEVELS["easy"].choose(board, rng)
            )
        points += {"draw": 0.5}.get(board.outcome, (board.outcome == "x") == (number % 2 == 0))
    assert points > 14
