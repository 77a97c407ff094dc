"""The review of games, compared with tables computed from the rules alone, without the engine."""

import random
from collections import Counter

import pytest
from reviewed_games import OTHER, after, covering, empty, has_line, mover, over, solution, wins
from solved_games import LATE, LINES, forced, solve_vanishing, successors, vanishing_state

from engine import SOLVED, Board, Misere, Table, Vanishing, casual, mistakes, review

WORDS = {1: "win", 0: "draw", -1: "loss"}
VALUES = {word: value for value, word in WORDS.items()}


@pytest.fixture
def quick(monkeypatch):
    """Search each position only once, however many games reach it."""
    found, real = {}, mistakes.search

    def search(position, *args, **options):
        key = position, "table" in options  # a line has a table of its own
        if key not in found:
            found[key] = real(position, *args, **options)
        return found[key]

    monkeypatch.setattr(mistakes, "search", search)


def remarks_on(rule, games):
    """Return (board, move) -> remark, which must not depend on the game, and the number of moves reviewed."""
    table, found, met = Table(), {}, 0
    for moves in games:
        cells = "." * 9
        for remark in review(SOLVED[rule](), moves, table):
            assert found.setdefault((cells, remark.move), remark) == remark
            met += 1
            cells = after(cells, remark.move, remark.side)
        assert over(cells)
    return found, met


def verdict(value, distance):
    return WORDS[value], distance if value else None


def check_worth(remark, value, distance, worth):
    """Check a remark's values; `worth` is what each move leaves to the other side, and for how long."""
    left, plies = worth[remark.move]
    assert (remark.before.value, remark.before.distance) == verdict(value, distance)
    assert (remark.after.value, remark.after.distance) == verdict(-left, plies + 1)
    assert remark.kept == tuple(cell for cell in sorted(worth) if -worth[cell][0] == value)
    assert remark.best == min(remark.kept, key=lambda cell: value * worth[cell][1])
    assert {remark.side, remark.foe} == {"x", "o"}
    assert remark.changed == (-left != value)
    assert bool(remark.reasons) == bool(remark.better)
    assert ("not_at_once" in remark.reasons) == (bool(remark.missed) and not remark.changed)
    assert ("missed_win" in remark.reasons) == (value == 1 != -left)
    return left, plies


def check_values(cells, remark, values):
    """Check that a remark's values are those of the table."""
    side = mover(cells)
    assert (remark.ply, remark.side) == (9 - cells.count("."), side)
    left, _ = check_worth(
        remark, *values[cells], {cell: values[after(cells, cell, side)] for cell in empty(cells)}
    )
    assert (remark.reply is None) == (left != 1 or over(after(cells, remark.move, side)))
    if remark.reply is not None:
        child = after(cells, remark.move, side)
        replies = {cell: values[after(child, cell, OTHER[side])] for cell in empty(child)}
        assert remark.reply == min(
            (cell for cell in replies if replies[cell][0] == -1), key=lambda cell: replies[cell][1]
        )


def check_classic(cells, remark):
    """Check that the reasons are true by the rules of classic tic-tac-toe."""
    side, foe = mover(cells), OTHER[mover(cells)]
    child = after(cells, remark.move, side)
    assert (remark.before.distance == 1) == (remark.best in wins(cells, side))
    forks = {}
    for cell in [] if over(child) else empty(child):
        threats = wins(after(child, cell, foe), foe)
        if len(threats) > 1 and not wins(after(child, cell, foe), side):
            forks[cell] = threats
    won = wins(cells, side)
    assert remark.missed == (() if remark.move in won else won)
    lost = remark.changed and remark.after.value == "loss"
    assert ("missed_block" in remark.reasons) == (lost and bool(wins(child, foe)))
    assert ("gave_fork" in remark.reasons) == (lost and not wins(child, foe) and bool(forks))
    assert ("trap" in remark.reasons) == (lost and not wins(child, foe) and not forks)
    assert "own_line" not in remark.reasons
    if "missed_block" in remark.reasons:
        assert remark.reply in wins(cells, foe)
        assert remark.before.value == "win" or wins(cells, foe) == remark.kept == (remark.reply,)
    assert remark.threats == (forks[remark.reply] if remark.after.distance == 4 else ())


def forces_a_line(cells, cell, side):
    """Return whether a move completes no line, and each reply completes one."""
    child = after(cells, cell, side)
    return cell not in wins(cells, side) and "." in child and list(wins(child, OTHER[side])) == empty(child)


def check_misere(cells, remark):
    """Check that the reasons are true by the rules of misère, where `wins` returns the losing cells."""
    side, foe = mover(cells), OTHER[mover(cells)]
    child = after(cells, remark.move, side)
    own_line = remark.changed and remark.move in wins(cells, side)
    forced = [cell for cell in empty(cells) if forces_a_line(cells, cell, side)]
    assert remark.missed == (() if remark.move in forced else tuple(forced))
    assert ("own_line" in remark.reasons) == own_line
    assert ("trap" in remark.reasons) == (remark.changed and remark.after.value == "loss" and not own_line)
    assert not {"missed_block", "gave_fork"} & set(remark.reasons)
    assert not remark.threats
    if remark.after.distance == 3 and remark.reply is not None:
        left = after(child, remark.reply, foe)
        assert list(wins(left, side)) == empty(left)


def check_lines(found, values, start):
    """Check that each line of a review is best play to the end; check one of several mirror images."""
    seen = set()
    for (cells, move), remark in found.items():
        game = start.parse(cells)
        assert bool(remark.best_line) == ("missed_win" in remark.reasons)
        assert bool(remark.reply_line) == (remark.changed and remark.reply is not None)
        for before, line, cell, distance in (
            (game, remark.best_line, remark.best, remark.before.distance),
            (game.play(move), remark.reply_line, remark.reply, (remark.after.distance or 0) - 1),
        ):
            if line and (before.key(), cell) not in seen:
                seen.add((before.key(), cell))
                board = before.cells
                assert (line[0], len(line)) == (cell, distance)
                for ply, one in enumerate(line):
                    assert values[board] == ((-1) ** ply, distance - ply)
                    board = after(board, one, mover(board))
                assert over(board)
    return len(seen)


def walk(steps, cells, worth, decided, missed, counts):
    """Walk all games from a board and return their number; `worth` is the board's to x, with best play.

    `steps` has each board's moves: the worth before, the board and the worth after, and the remark's reason.
    `counts` gets, over all games, the moves with each reason ("moves"), the games by the reason of the last
    move that changed the result ("decided"), and the games in which an immediate win was missed and the win
    kept ("missed").
    """
    if cells not in steps:
        assert worth == has_line(cells, "x") - has_line(cells, "o")
        counts["decided", decided] += 1
        counts["missed"] += missed
        return 1
    games = 0
    for before, child, left, reason in steps[cells]:
        assert before == worth
        last = decided if before == left else reason
        below = walk(steps, child, left, last, missed or reason == "not_at_once", counts)
        counts["moves", reason] += below
        games += below
    return games


@pytest.mark.long
def test_every_game_of_classic_tic_tac_toe(quick):
    """Check each move of each position, then count all games by these remarks."""
    values = solution(line_wins=True)
    found, met = remarks_on("classic", covering())
    assert (len(values), len(found), met) == (5478, 16167, 37849)
    for (cells, _), remark in found.items():
        check_values(cells, remark, values)
        check_classic(cells, remark)
    assert Counter(remark.reasons for remark in found.values()) == {
        (): 7667,
        ("not_at_once",): 1196,
        ("missed_win",): 1384,
        ("missed_win", "missed_block"): 3460,
        ("missed_win", "gave_fork"): 268,
        ("missed_win", "trap"): 88,
        ("missed_block",): 1544,
        ("gave_fork",): 452,
        ("trap",): 108,
    }
    assert check_lines(found, values, Board) > 100
    steps, counts = {}, Counter()
    for (cells, move), remark in found.items():
        side = mover(cells)
        before, left = (
            VALUES[worth.value] * (1 if side == "x" else -1) for worth in (remark.before, remark.after)
        )
        steps.setdefault(cells, []).append((before, after(cells, move, side), left, remark.reason))
    assert walk(steps, "." * 9, 0, "", False, counts) == 255_168
    assert counts == {
        ("moves", ""): 1_133_288,
        ("moves", "not_at_once"): 84_576,
        ("moves", "missed_win"): 498_000,
        ("moves", "missed_block"): 133_656,
        ("moves", "gave_fork"): 70_560,
        ("moves", "trap"): 186_208,
        ("decided", ""): 3_584,
        ("decided", "missed_win"): 163_864,
        ("decided", "missed_block"): 58_360,
        ("decided", "gave_fork"): 11_552,
        ("decided", "trap"): 17_808,
        "missed": 77_376,
    }


def test_misere(quick):
    """Check each move of a tenth of the covering games."""
    values = solution(line_wins=False)
    found, _ = remarks_on("misere", list(covering())[::10])
    for (cells, _), remark in found.items():
        check_values(cells, remark, values)
        check_misere(cells, remark)
    assert {reason for remark in found.values() for reason in remark.reasons} == {
        "own_line",
        "missed_win",
        "trap",
        "not_at_once",
    }
    assert check_lines(found, values, Misere) > 100


def test_vanishing():
    """Check random games without repetitions: the solver knows their positions."""
    rng, solved, table, reasons = random.Random(12), solve_vanishing(), Table(), Counter()
    for _ in range(5):
        game, games, moves = Vanishing(), [], []
        while not game.terminal and len({vanishing_state(one) for one in games}) == len(games) < 24:
            games.append(game)
            moves.append(rng.choice(casual(game) if rng.random() < 0.7 else game.moves()))
            game = game.play(moves[-1])
        for one, remark in zip(games, review(Vanishing(), moves, table), strict=True):
            check_vanishing(solved, vanishing_state(one), remark)
            reasons.update(remark.reasons)
            if "missed_win" in remark.reasons and remark.before.distance > 1:
                assert solved.best_play(one, remark.best_line)
    assert set(reasons) == {"missed_win", "missed_block", "trap", "not_at_once"}


@pytest.mark.parametrize("cells", LATE)
def test_vanishing_with_a_past(cells):
    """One table serves a whole game, although positions that have occurred twice change values."""
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
    """Return the cells on which the side to move completes a line."""
    own, _ = state
    return tuple(cell for cell in successors(state) if tuple(sorted((*own[-2:], cell))) in LINES)


def check_vanishing(solved, state, remark):
    """Check a remark against the solver, and its reasons against the rules."""
    own, other = state
    worth = {cell: solved.of(child) for cell, child in successors(state).items()}
    left, plies = check_worth(remark, *solved.of(state), worth)
    child = successors(state)[remark.move]
    if remark.reply is not None:
        replies = {cell: solved.of(after) for cell, after in successors(child).items()}
        assert replies[remark.reply] == (-1, plies - 1)
    won = completes(state)
    assert remark.missed == (() if remark.move in won else won)
    unblocked = remark.changed and left == 1 and set(completes((other, own))) & set(completes(child))
    assert ("missed_block" in remark.reasons) == bool(unblocked)
    if unblocked:
        assert unblocked == {remark.reply}
    assert ("trap" in remark.reasons) == (remark.changed and left == 1 and not unblocked)
    assert not {"own_line", "gave_fork"} & set(remark.reasons)
    # The side to move cannot block a cell that this very move empties of its own oldest mark.
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
