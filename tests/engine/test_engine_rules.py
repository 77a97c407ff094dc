"""The other rules on nine cells, against solvers that know nothing of the engine."""

import random
from functools import cache

import pytest
from vanishing_solution import LINES, aligned, follows_best_play, positions, solve, state_of, successors

from engine import RULES, WIN, Board, Misere, Vanishing, search

OPPOSITE = {"x": "o", "o": "x"}


def test_the_rules_by_name():
    assert list(RULES) == ["classic", "misere", "vanishing"]
    for start in RULES.values():
        game = start()
        assert (game.cells, game.to_move, game.outcome, game.line, game.ply) == ("." * 9, "x", None, (), 0)
        assert game.fading is None
        assert game == start()
        assert hash(game) == hash(start())
    assert len({start() for start in RULES.values()}) == 3


@pytest.mark.parametrize("rule", RULES)
def test_a_game_is_saved_as_its_moves(rule):
    rng = random.Random(2)
    for _ in range(20):
        game, moves = RULES[rule](), []
        while not game.terminal and len(moves) < 40:
            moves.append(rng.choice(game.moves()))
            before, game = game, game.play(moves[-1])
            assert game != before
            assert game.ply == len(moves)
        again = RULES[rule]()
        for move in moves:
            again = again.play(move)
        assert again == game
        assert (str(again), again.cells, again.outcome) == (str(game), game.cells, game.outcome)


# ---------------------------------------------------------------------------------------------- misère


@cache
def misere_truth(cells, mark, other):
    """(value, distance), with three in a row a loss."""
    if any(all(cells[cell] == other for cell in line) for line in LINES):
        return 1, 0
    if "." not in cells:
        return 0, 0
    results = []
    for cell in range(9):
        if cells[cell] == ".":
            value, distance = misere_truth(cells[:cell] + mark + cells[cell + 1 :], other, mark)
            results.append((-value, distance + 1))
    best = max(value for value, _ in results)
    distances = [distance for value, distance in results if value == best]
    return best, {1: min, 0: lambda _: 0, -1: max}[best](distances)


@pytest.mark.untraced
def test_every_position_of_misere():
    seen, todo = set(), [Misere()]
    while todo:
        game = todo.pop()
        if game.cells in seen:
            continue
        seen.add(game.cells)
        value, distance = misere_truth(game.cells, game.to_move, OPPOSITE[game.to_move])
        low, high = game.bounds()
        assert low <= value * (WIN - game.ply - distance) <= high
        if game.terminal:
            assert game.outcome == {1: game.to_move, 0: "draw"}[value]
            assert bool(game.line) == bool(value)
            assert game.candidates() == game.moves() == []
            continue
        todo += [game.play(move) for move in game.moves()]
        if len(seen) % 4 == 0:
            found = search(game)
            assert found.value == {1: "win", 0: "draw", -1: "loss"}[value]
            assert (found.distance or 0) == distance
            assert search(game, proofs=False).score == found.score
    assert len(seen) == 5478


def test_misere_in_words():
    assert search(Misere()).move == 4
    lost = Misere().play(0).play(8).play(1).play(7).play(2)
    assert (lost.outcome, lost.line, lost.candidates()) == ("o", (0, 1, 2), [])
    assert repr(Misere()) == "Misere.parse('.../.../...', k=3, to_move='x')"
    assert Misere() != Board()
    assert isinstance(Misere.parse("x../.o./..."), Misere)


# ------------------------------------------------------------------------------------------- vanishing


@pytest.fixture(scope="module")
def solved():
    return solve()


@pytest.mark.untraced
def test_the_solution_of_vanishing(solved):
    assert solved[(), ()] == (1, 13)
    openings = {cell: solved.get(state) for cell, state in successors(((), ())).items()}
    assert openings == {
        1: (-1, 12),
        3: (-1, 12),
        5: (-1, 12),
        7: (-1, 12),
        0: None,
        2: None,
        4: None,
        6: None,
        8: None,
    }
    assert max(distance for value, distance in solved.values() if value == 1) == 17
    assert max(distance for value, distance in solved.values() if value == -1) == 16


@pytest.mark.untraced
def test_vanishing_knows_its_own_rules(solved):
    """The engine and the solver walk through the same positions; what is plain is true."""
    count = 0
    for game in positions():
        count += 1
        state = state_of(game)
        value, distance = solved.get(state, (0, 0))
        low, high = game.bounds()
        assert low <= value * (WIN - game.ply - distance) <= high
        assert game.terminal == aligned(state[1])
        if game.terminal:
            continue
        assert set(game.candidates()) <= set(game.moves())
        best = max(-solved.get(successors(state)[move], (0, 0))[0] for move in game.candidates())
        assert best == value
        children = [game.play(move) for move in game.moves()]
        assert {
            move: state_of(child) for move, child in zip(game.moves(), children, strict=True)
        } == successors(state)
    assert count == 73450


@pytest.mark.untraced
def test_vanishing_is_searched_to_the_truth(solved):
    rng = random.Random(5)
    for _ in range(40):
        game = Vanishing()
        for _ in range(rng.randrange(12)):
            after = game.play(rng.choice(game.moves()))
            if after.terminal:
                break
            game = after
        found = search(game, every=True)
        value, distance = solved.get(state_of(game), (0, 0))
        assert (found.value, found.distance or 0) == ({1: "win", 0: "draw", -1: "loss"}[value], distance)
        for move, verdict in found.moves.items():
            value, distance = solved.get(successors(state_of(game))[move], (0, -1))
            assert (verdict.value, verdict.distance or 0) == (
                {1: "loss", 0: "draw", -1: "win"}[value],
                distance + 1,
            )


@pytest.mark.untraced
@pytest.mark.parametrize("options", [{}, {"every": True}, {"proofs": False}, {"deepen": False}], ids=str)
def test_both_sides_play_their_best_along_the_principal_variation(solved, options):
    """Some positions that are won or lost in five plies or more; `make bench` follows all of them."""
    rng, long = random.Random(6), []
    while len(long) < 40:
        game = Vanishing()
        for _ in range(rng.randrange(60)):
            game = game.play(rng.choice(game.moves()))
            if game.terminal:
                break
        if not game.terminal and solved.get(state_of(game), (0, 0))[1] >= 5:
            long.append(game)
    for game in long:
        assert follows_best_play(solved, game, search(game, **options).pv)


@pytest.mark.untraced
def test_symmetry_and_proofs_change_no_value_of_vanishing():
    game = Vanishing().play(4).play(0).play(1).play(7)
    plain = search(game, symmetry=False)
    assert (plain.value, plain.distance) == (search(game).value, search(game).distance)
    assert plain.nodes > search(game).nodes
    assert search(Vanishing().play(1), proofs=False).distance == 12


def test_marks_vanish():
    game = Vanishing()
    for move in (0, 4, 1, 8, 5, 2):
        assert game.fading is None
        game = game.play(move)
    assert (game.cells, game.fading, game.to_move) == ("xxo.ox..o", 0, "x")
    with pytest.raises(ValueError, match="cell 0 cannot be played"):
        game.play(0)
    game = game.play(3)
    assert (game.cells, game.fading) == (".xoxox..o", 4)
    assert str(game) == ".xo\nxox\n..o"
    assert game != "xox"


def test_no_line_is_made_with_a_mark_that_vanishes():
    game = Vanishing()
    for move in (0, 4, 1, 8, 5, 7):
        game = game.play(move)
    # x has 0, 1 and 5; with 2 the row 0, 1, 2 would be full, but 0 vanishes.
    assert game.play(2).outcome is None


def test_three_that_stay_win():
    game = Vanishing()
    for move in (0, 1, 4, 2, 8):
        game = game.play(move)
    assert (game.outcome, game.line, game.fading, game.bounds()) == ("x", (0, 4, 8), None, (5 - WIN, 5 - WIN))


def test_the_third_repetition_is_a_draw():
    # Each side goes round four cells of which no three, in that order, are a line.
    x, o = (0, 1, 5, 6), (2, 4, 3, 8)
    game, seen = Vanishing(), {}
    for ply in range(200):
        ring = (x, o)[ply % 2]
        game = game.play(ring[ply // 2 % 4])
        seen[state_of(game), game.to_move] = seen.get((state_of(game), game.to_move), 0) + 1
        if game.terminal:
            break
    assert game.outcome == "draw"
    assert (game.line, game.moves(), game.candidates(), game.evaluate(), game.horizon) == ((), [], [], 0, 0)
    assert game.bounds() == (0, 0)
    assert max(seen.values()) == 3
    with pytest.raises(ValueError, match="over"):
        game.play(7)


def test_a_past_that_matters_is_part_of_the_key():
    x, o = (0, 1, 5, 6), (2, 4, 3, 8)
    fresh = repeated = Vanishing()
    for ply in range(16):
        repeated = repeated.play((x, o)[ply % 2][ply // 2 % 4])
        if ply < 8:
            fresh = repeated
    assert state_of(fresh) == state_of(repeated)
    assert fresh != repeated
    assert fresh.key() != repeated.key()
    assert search(repeated).move in repeated.moves()
