"""The other rules on nine cells, compared with solvers that do not use the engine."""

import random

import pytest
from solved_games import (
    LATE,
    LINES,
    forced,
    reachable,
    solve_board,
    solve_vanishing,
    successors,
    vanishing_games,
    vanishing_state,
)

from engine import RULES, SOLVED, WIN, Board, Misere, Table, Vanishing, search

WORDS = {1: "win", 0: "draw", -1: "loss"}


def played(game, *moves):
    for move in moves:
        game = game.play(move)
    return game


def test_the_rules_by_name():
    assert list(SOLVED) == [name for name, rule in RULES.items() if rule.solved]
    for start in SOLVED.values():
        game = start()
        assert (game.cells, game.to_move, game.outcome, game.line, game.ply) == ("." * 9, "x", None, (), 0)
        assert game.fading is None
        assert str(game) == "...\n...\n..."
        assert game == start()
        assert hash(game) == hash(start())
    assert len({start() for start in SOLVED.values()}) == len(SOLVED)


@pytest.mark.parametrize("name", list(RULES))
def test_what_is_public_of_a_position_cannot_be_changed(name):
    game = RULES[name].start().play(4)
    for attribute in [each for each in dir(game) if not each.startswith("_")]:
        before = getattr(game, attribute)
        for change in (lambda each: setattr(game, each, 5), lambda each: delattr(game, each)):
            with pytest.raises(AttributeError):
                change(attribute)
        assert callable(before) or getattr(game, attribute) == before
    with pytest.raises(AttributeError):
        game.comment = "good"


def test_vanishing_prints_the_ages_of_its_marks():
    game = played(Vanishing(), 4, 3, 0, 1, 7, 6, 2)
    assert repr(game) == "<Vanishing, ply 7, oldest mark first: x (0, 7, 2), o (3, 1, 6)>"
    assert repr(game.play(4)) == "<Vanishing, ply 8, oldest mark first: x (0, 7, 2), o (1, 6, 4)>"


@pytest.mark.parametrize("name", [name for name in SOLVED if not RULES[name].recurs])
def test_every_position(name):
    """A rule of which `Rule` does not say all needs a solver of its own."""
    rule, table, plain = RULES[name], Table(), Table()
    for number, game in enumerate(reachable(rule.start())):
        value, distance = solve_board(game.cells, game.to_move, not rule.loses, rule.alike)
        low, high = game.bounds()
        assert low <= value * (WIN - game.ply - distance) <= high
        if game.terminal:
            loser = "xo"[game.to_move == "x"]
            assert game.outcome == {1: game.to_move, 0: "draw", -1: loser}[value]
            assert bool(game.line) == bool(value)
            assert game.candidates() == game.moves() == []
        elif number % 3 == 0:
            found = search(game, table=table)
            assert (found.value, found.distance or 0) == (WORDS[value], distance)
            assert search(game, proofs=False, table=plain).score == found.score


def test_misere_in_words():
    assert search(Misere()).move == 4
    # Moves that complete a line are only searched if all do; centre and corners come first.
    assert Misere.parse("xx./oo./...").candidates() == [6, 8, 5, 7]
    assert Misere.parse("xox/xox/o.o", to_move="o").candidates() == [7]
    lost = played(Misere(), 0, 8, 1, 7, 2)
    assert (lost.outcome, lost.line, lost.candidates()) == ("o", (0, 1, 2), [])
    assert repr(Misere()) == "Misere.parse('.../.../...', k=3, to_move='x')"
    assert Misere() != Board()
    assert isinstance(Misere.parse("x../.o./..."), Misere)


def random_game(rng, plies):
    """Return an unfinished random game of fewer than `plies` moves."""
    game = Vanishing()
    for _ in range(rng.randrange(plies)):
        after = game.play(rng.choice(game.moves()))
        if after.terminal:
            break
        game = after
    return game


def test_the_solution_of_vanishing():
    solved = solve_vanishing()
    assert solved.states == 73_450
    assert solved.of(((), ())) == (1, 13)
    openings = {cell: solved.of(state) for cell, state in successors(((), ())).items()}
    assert openings == {cell: (-1, 12) if cell % 2 else (0, 0) for cell in range(9)}
    assert max(distance for value, distance in solved.values.values() if value == 1) == 17
    assert max(distance for value, distance in solved.values.values() if value == -1) == 16


def test_every_position_of_vanishing():
    """The moves are the solver's, and the bounds and candidates are correct."""
    solved, games = solve_vanishing(), vanishing_games()
    assert len(games) == 9190
    for game in games:
        state = vanishing_state(game)
        value, distance = solved.of(state)
        low, high = game.bounds()
        assert low <= value * (WIN - game.ply - distance) <= high
        assert game.terminal == (tuple(sorted(state[1])) in LINES)
        if not game.terminal:
            after = successors(state)
            assert {move: vanishing_state(game.play(move)) for move in game.moves()} == after
            assert set(game.candidates()) <= set(after)
            assert max(-solved.of(after[move])[0] for move in game.candidates()) == value


def test_a_search_of_vanishing_agrees_with_the_solution():
    """Both sides play best moves along the principal variation; `make bench` follows all of them."""
    rng, solved = random.Random(5), solve_vanishing()
    for options in ({}, {"every": True}, {"proofs": False}) * 16:
        game = random_game(rng, 60)
        found = search(game, **options)
        state = vanishing_state(game)
        value, distance = solved.of(state)
        assert (found.value, found.distance or 0) == (WORDS[value], distance)
        assert solved.best_play(game, found.pv)
        for move, verdict in found.moves.items():
            value, distance = solved.of(successors(state)[move])
            assert (verdict.value, verdict.distance or 0) == (WORDS[-value], distance + bool(value))


def test_a_drawn_line_of_vanishing_ends_where_it_stops_being_best_play():
    rng, solved = random.Random(6), solve_vanishing()
    games = [game for game in vanishing_games() if not game.terminal]
    drawn = [game for game in games if not solved.of(vanishing_state(game))[0]]
    for game in rng.sample(drawn, 40):
        assert solved.best_play(game, search(game).pv)


def test_marks_vanish():
    game = Vanishing()
    for move in (0, 4, 1, 8, 5, 2):
        assert game.fading is None
        game = game.play(move)
    assert (game.cells, game.fading, game.to_move) == ("xxo.ox..o", 0, "x")
    with pytest.raises(ValueError, match="cell 0 cannot be played"):
        game.play(0)
    game = game.play(3)
    assert (str(game), game.fading) == (".xo\nxox\n..o", 4)
    assert game != "xox"


def test_a_line_counts_only_without_the_mark_that_vanishes():
    # x has 0, 1 and 5; playing 2 would complete the row 0, 1, 2, but 0 vanishes.
    assert played(Vanishing(), 0, 4, 1, 8, 5, 7, 2).outcome is None
    won = played(Vanishing(), 0, 1, 4, 2, 8)
    assert (won.outcome, won.line, won.fading, won.bounds()) == ("x", (0, 4, 8), None, (5 - WIN, 5 - WIN))


# Each side cycles through four cells; no three consecutive ones are a line.
ROUND = [((0, 1, 5, 6), (2, 4, 3, 8))[ply % 2][ply // 2 % 4] for ply in range(40)]


def test_the_third_repetition_is_a_draw():
    game, met = Vanishing(), {}
    for move in ROUND:
        game = game.play(move)
        met[vanishing_state(game), game.to_move] = met.get((vanishing_state(game), game.to_move), 0) + 1
        assert game.terminal == (max(met.values()) == 3)
        if game.terminal:
            break
    assert game.outcome == "draw"
    assert (game.line, game.moves(), game.candidates(), game.evaluate(), game.horizon) == ((), [], [], 0, 0)
    assert game.bounds() == (0, 0)
    with pytest.raises(ValueError, match="over"):
        game.play(7)


def test_a_past_that_matters_is_part_of_the_key():
    fresh, repeated = played(Vanishing(), *ROUND[:8]), played(Vanishing(), *ROUND[:16])
    assert vanishing_state(fresh) == vanishing_state(repeated)
    assert fresh != repeated
    assert fresh.key() != repeated.key()
    # Mirror images share a key as long as the past does not matter.
    assert len({played(Vanishing(), corner, 4).key() for corner in (0, 2, 6, 8)}) == 1
    assert search(repeated).move in repeated.moves()


@pytest.mark.parametrize(("cells", "expected"), [(LATE[0], ("draw", None)), (LATE[1], ("win", 11))])
def test_a_third_repetition_can_save_a_side_that_blocks_nothing(cells, expected):
    for moves in (cells, cells[:-1], cells[:-2], cells[:-3]):
        game = played(Vanishing(), *(int(cell) - 1 for cell in moves))
        found, (value, distance) = search(game), forced(game, 5)
        assert (found.value, found.distance) == (WORDS[value], distance) or not value
        if moves == cells:
            assert value == 0
            assert (found.value, found.distance) == expected
