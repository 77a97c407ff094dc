"""The review of games, against tables made from the rules alone, without the engine."""

import random
from collections import Counter
from functools import cache
from importlib import import_module

import pytest
from solved_games import LATE, LINES, forced, solve_vanishing, successors, vanishing_state

from engine import RULES, Board, Table, Vanishing, casual, review

REVIEW = import_module("engine.review")  # the package has the function under this name
WORDS = {1: "win", 0: "draw", -1: "loss"}
VALUES = {word: value for value, word in WORDS.items()}
OTHER = {"x": "o", "o": "x"}


@cache
def mover(cells):
    return "xo"[cells.count("x") - cells.count("o")]


def after(cells, move, side):
    return cells[:move] + side + cells[move + 1 :]


@cache
def has_line(cells, side):
    return any(all(cells[cell] == side for cell in line) for line in LINES)


@cache
def empty(cells):
    return [cell for cell in range(9) if cells[cell] == "."]


@cache
def wins(cells, side):
    """The cells on which `side`, if it were to move, would complete a line."""
    return tuple(cell for cell in empty(cells) if has_line(after(cells, cell, side), side))


@cache
def solution(*, line_wins):
    """Retrograde: board -> (1, 0 or -1 for the side to move, plies to the end of a won or lost game)."""
    levels = [{"." * 9}]
    for _ in range(9):
        levels.append(
            {
                after(cells, cell, mover(cells))
                for cells in levels[-1]
                if not has_line(cells, OTHER[mover(cells)])
                for cell in empty(cells)
            }
        )
    values = {}
    for level in reversed(levels):
        for cells in level:
            side = mover(cells)
            if has_line(cells, OTHER[side]):
                values[cells] = (-1 if line_wins else 1), 0
            elif "." not in cells:
                values[cells] = 0, 0
            else:
                replies = [values[after(cells, cell, side)] for cell in empty(cells)]
                best = max(-value for value, _ in replies)
                plies = [distance + 1 for value, distance in replies if -value == best]
                values[cells] = best, (max if best < 0 else min)(plies) if best else 0
    return values


@cache
def over(cells):
    return has_line(cells, "x") or has_line(cells, "o") or "." not in cells


def covering():
    """Games from the empty board that together make every move of every position, each to its end."""
    rng, path = random.Random(1), {"." * 9: ()}
    for cells in (todo := ["." * 9]):
        for cell in [] if over(cells) else empty(cells):
            child = after(cells, cell, mover(cells))
            if child not in path:
                path[child] = (*path[cells], cell)
                todo.append(child)
    left = {(cells, cell) for cells in path if not over(cells) for cell in empty(cells)}
    for edge in sorted(left, key=lambda edge: (len(path[edge[0]]), edge)):
        if edge in left:
            cells, *moves = ".........", *path[edge[0]], edge[1]
            for ply in range(9):
                if ply == len(moves):
                    new = [cell for cell in empty(cells) if (cells, cell) in left]
                    moves.append(rng.choice(new or empty(cells)))
                left.discard((cells, moves[ply]))
                cells = after(cells, moves[ply], mover(cells))
                if over(cells):
                    break
            yield tuple(moves)


@pytest.fixture
def quick(monkeypatch):
    """Search each position once only, however many games reach it."""
    found, real = {}, REVIEW.search

    def search(position, *args, **options):
        if position not in found:
            found[position] = real(position, *args, **options)
        return found[position]

    monkeypatch.setattr(REVIEW, "search", search)


def remarks_on(rule, games):
    """(board, move) -> its remark, the same however it was reached; and how often one was met."""
    table, found, met = Table(), {}, 0
    for moves in games:
        cells = "." * 9
        for remark in review(RULES[rule](), moves, table):
            assert found.setdefault((cells, remark.move), remark) == remark
            met += 1
            cells = after(cells, remark.move, remark.side)
        assert over(cells)
    return found, met


def verdict(value, distance):
    return WORDS[value], distance if value else None


def check_values(cells, remark, values):
    """What a remark says of the values is what the table says."""
    side = mover(cells)
    worth = {cell: values[after(cells, cell, side)] for cell in empty(cells)}
    value, distance = values[cells]
    assert (remark.ply, remark.side) == (9 - cells.count("."), side)
    assert (remark.before.value, remark.before.distance) == verdict(value, distance)
    left, plies = worth[remark.move]
    assert (remark.after.value, remark.after.distance) == verdict(-left, plies + 1)
    assert remark.kept == tuple(cell for cell in worth if -worth[cell][0] == value)
    assert remark.best == min(remark.kept, key=lambda cell: value * worth[cell][1])
    assert remark.changed == bool(remark.reason) == (-left != value)
    assert (remark.reply is None) == (left != 1 or over(after(cells, remark.move, side)))
    if remark.reply is not None:
        child = after(cells, remark.move, side)
        replies = {cell: values[after(child, cell, OTHER[side])] for cell in empty(child)}
        assert remark.reply == min(
            (cell for cell in replies if replies[cell][0] == -1), key=lambda cell: replies[cell][1]
        )


def check_classic(cells, remark):
    """What a reason claims of classic tic-tac-toe is true by the rules."""
    side, foe = mover(cells), OTHER[mover(cells)]
    child = after(cells, remark.move, side)
    assert (remark.before.distance == 1) == (remark.best in wins(cells, side))
    forks = {}
    for cell in [] if over(child) else empty(child):
        threats = wins(after(child, cell, foe), foe)
        if len(threats) > 1 and not wins(after(child, cell, foe), side):
            forks[cell] = threats
    match remark.reason:
        case "missed_win":
            assert remark.before.value == "win"
        case "missed_block":
            assert wins(cells, foe) == remark.kept == (remark.reply,) == wins(child, foe)
        case "gave_fork":
            assert not wins(child, foe)
            assert remark.threats == forks[remark.reply]
        case "trap":
            assert not wins(child, foe)
            assert not forks
        case _:
            assert not remark.reason
    assert remark.threats == (forks[remark.reply] if remark.after.distance == 4 else ())


def check_misere(cells, remark):
    """What a reason claims of misère is true by the rules, where `wins` are the cells that lose."""
    side, foe = mover(cells), OTHER[mover(cells)]
    child = after(cells, remark.move, side)
    own_line = remark.changed and remark.move in wins(cells, side)
    match remark.reason:
        case "own_line":
            assert own_line
        case "missed_win":
            assert remark.before.value == "win"
        case "trap":
            assert remark.before.value == "draw"
        case _:
            assert not remark.reason
    assert own_line == (remark.reason == "own_line")
    assert not remark.threats
    if remark.before.distance == 2 and remark.before.value == "win":
        best = after(cells, remark.best, side)
        assert list(wins(best, foe)) == empty(best)
    if remark.after.distance == 3 and remark.reply is not None:
        left = after(child, remark.reply, foe)
        assert list(wins(left, side)) == empty(left)


def walk(steps, cells, worth, decided, counts):
    """Walk all games from a board and return how many they are; `worth` is to x, with best play.

    `steps` are, by board, what each move's remark says: the worth before, the board and the worth after, the
    reason. `counts` gets "moves" and each reason, over all games; and "decided" and a reason: the games whose
    last move that changed the result had it.
    """
    if cells not in steps:
        assert worth == has_line(cells, "x") - has_line(cells, "o")
        counts["decided", decided] += 1
        return 1
    games = 0
    for before, child, left, reason in steps[cells]:
        assert before == worth
        below = walk(steps, child, left, reason or decided, counts)
        counts["moves", reason] += below
        games += below
    return games


def test_every_game_of_classic_tic_tac_toe(quick):
    """Each move of each position, whichever game it is met in; then all games, through these remarks."""
    values = solution(line_wins=True)
    found, met = remarks_on("classic", covering())
    assert (len(values), len(found), met) == (5478, 16167, 37849)
    for (cells, _), remark in found.items():
        check_values(cells, remark, values)
        check_classic(cells, remark)
    assert Counter(remark.reason for remark in found.values()) == {
        "": 8863,
        "missed_win": 5200,
        "missed_block": 1544,
        "gave_fork": 452,
        "trap": 108,
    }
    steps, counts = {}, Counter()
    for (cells, move), remark in found.items():
        side = mover(cells)
        before, left = (
            VALUES[worth.value] * (1 if side == "x" else -1) for worth in (remark.before, remark.after)
        )
        steps.setdefault(cells, []).append((before, after(cells, move, side), left, remark.reason))
    assert walk(steps, "." * 9, 0, "", counts) == 255_168
    assert counts == {
        ("moves", ""): 1_217_864,
        ("moves", "missed_win"): 498_000,
        ("moves", "missed_block"): 133_656,
        ("moves", "gave_fork"): 70_560,
        ("moves", "trap"): 186_208,
        ("decided", ""): 3_584,
        ("decided", "missed_win"): 163_864,
        ("decided", "missed_block"): 58_360,
        ("decided", "gave_fork"): 11_552,
        ("decided", "trap"): 17_808,
    }


def test_misere(quick):
    """Each move of a tenth of the positions' games."""
    values = solution(line_wins=False)
    found, _ = remarks_on("misere", list(covering())[::10])
    for (cells, _), remark in found.items():
        check_values(cells, remark, values)
        check_misere(cells, remark)
    reasons = Counter(remark.reason for remark in found.values())
    assert set(reasons) == {"", "own_line", "missed_win", "trap"}


def test_vanishing():
    """Random games without a repetition, whose positions the solver knows."""
    rng, solved, table, reasons = random.Random(3), solve_vanishing(), Table(), Counter()
    for _ in range(5):
        game, games, moves = Vanishing(), [], []
        while not game.terminal and len({vanishing_state(one) for one in games}) == len(games) < 24:
            games.append(game)
            moves.append(rng.choice(casual(game) if rng.random() < 0.7 else game.moves()))
            game = game.play(moves[-1])
        for one, remark in zip(games, review(Vanishing(), moves, table), strict=True):
            check_vanishing(solved, vanishing_state(one), remark)
            reasons[remark.reason] += 1
    assert set(reasons) == {"", "missed_win", "missed_block", "trap"}


@pytest.mark.parametrize("cells", LATE)
def test_vanishing_with_a_past(cells):
    """One table serves a whole game, though a past in which positions have occurred twice changes values."""
    game, solved, moves = Vanishing(), solve_vanishing(), [int(cell) - 1 for cell in cells]
    for remark in review(game, moves):
        child = game.play(remark.move)
        if not game._doubled:
            check_vanishing(solved, vanishing_state(game), remark)
        elif remark.ply > len(moves) - 9:
            left, plies = forced(child, 4)
            for worth, value, distance in (
                (remark.before, *forced(game, 5)),
                (remark.after, -left, plies + 1),
            ):
                if value:
                    assert (worth.value, worth.distance) == verdict(value, distance)
                else:
                    assert worth.distance is None or worth.distance > 5
        game = child


def completes(state):
    """The cells on which the side to move completes a line."""
    own, _ = state
    return tuple(cell for cell in successors(state) if tuple(sorted((*own[-2:], cell))) in LINES)


def check_vanishing(solved, state, remark):
    """What a remark says is what the solver says, and what a reason claims is true by the rules."""
    own, other = state
    worth = {cell: solved.of(child) for cell, child in successors(state).items()}
    value, distance = solved.of(state)
    left, plies = worth[remark.move]
    assert (remark.before.value, remark.before.distance) == verdict(value, distance)
    assert (remark.after.value, remark.after.distance) == verdict(-left, plies + 1)
    assert remark.kept == tuple(cell for cell in sorted(worth) if -worth[cell][0] == value)
    assert remark.best == min(remark.kept, key=lambda cell: value * worth[cell][1])
    assert remark.changed == (-left != value)
    child = successors(state)[remark.move]
    if remark.reply is not None:
        replies = {cell: solved.of(after) for cell, after in successors(child).items()}
        assert replies[remark.reply] == (-1, plies - 1)
    match remark.reason:
        case "missed_win":
            assert value == 1
        case "missed_block":
            assert completes((other, own)) == remark.kept == (remark.reply,) == completes(child)
        case "trap":
            assert value == 0
            assert not completes(child)
        case _:
            assert not remark.reason
    # No cell can be blocked where the oldest mark of the side to move goes with that very move.
    if remark.after.distance == 4 and left == 1:
        defender, attacker = successors(child)[remark.reply]
        assert remark.threats == (defender[0],)
        assert tuple(sorted((*attacker[-2:], defender[0]))) in LINES
    else:
        assert not remark.threats


def test_a_move_that_is_not_legal_is_refused_and_one_that_is_not_proven_gets_no_reason():
    for moves in ((4, 4), (9,), (0, 3, 1, 4, 2, 5)):
        with pytest.raises(ValueError, match=r"taken|no cell 9|over"):
            review(Board(), moves)
    (remark,) = review(Board(6, 6, 4), (0,), stop=lambda: True)
    assert (remark.before.value, remark.after.value) == ("unknown", "unknown")
    assert (remark.kept, remark.best, remark.reason, remark.reply) == ((), None, "", None)
    assert review(Board(), ()) == ()
