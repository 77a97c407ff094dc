"""Boards: parsing, playing and printing, and the published numbers of positions."""

import pickle
from collections import Counter
from itertools import combinations, combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solved_games import reachable, winning

from engine import PROVEN, WIN, Board, Limit, Misere, search
from engine.alphabeta import CHECK
from engine.notation import parse_rows
from engine.shape import MAX_SIDE, _lines, ends
from engine.textbook import result


@st.composite
def boards(draw, largest=4):
    """Draw a position reached by legal moves, on a board of up to `largest` rows and columns."""
    rows, columns = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    board = Board(rows, columns, draw(st.integers(1, max(rows, columns))))
    for _ in range(draw(st.integers(0, rows * columns))):
        if board.terminal:
            break
        board = board.play(draw(st.sampled_from(board.moves())))
    return board


@pytest.mark.parametrize(("text", "cells"), [
    ("\n    x..\n    .o.\n    ...\n    ", "x...o...."),
    ("x../.o./...", "x...o...."),
    ("x.. .o. ...", "x...o...."),
    ("x...o....", "x...o...."),
    ("X__/_O_/___", "x...o...."),
    (" ___ / _x_ / o__ ", "....x.o.."),
    ("x . .\n. o .\n. . .", "x...o...."),
    ("x  \n o \n   ", "x...o...."),
    ("x  / o /   ", "x...o...."),
    ("x   o    ", "x...o...."),
    ("x. / o_/._.", "x...o...."),
    ("xoxo oxox", "xoxo.oxox"),
])  # fmt: skip
def test_reads_boards_as_people_write_them(text, cells):
    assert Board.parse(text).cells == cells


def test_reads_other_shapes():
    board = Board.parse("xxx./ooo./x.../....", k=4, to_move="o")
    assert (board.shape.rows, board.shape.columns, board.shape.k) == (4, 4, 4)
    assert parse_rows("x.. o..") == (2, 3, "x..o..")
    assert Board.parse("x...............", k=4).moves() == list(range(1, 16))


@pytest.mark.parametrize(("text", "options", "message"), [
    ("x..\n.?.\n...", {}, r"'\?' in row 2, column 2"),
    ("x..\n..\n...", {}, "the rows differ in length: 3, 2, 3"),
    ("", {}, "no board at all"),
    ("  \n", {}, "no board at all"),
    ("x....", {}, "a run of 5 characters"),
    ("xx.......", {}, "2 x and 0 o cannot be"),
    ("o........", {}, "0 x and 1 o cannot be"),
    ("xxxooo...", {}, "both x and o have"),
    ("xxxoo.o..", {}, "x has completed a line"),
    ("xx.ooo.xx", {}, "o has completed a line"),
    ("x........", {"to_move": "y"}, "to_move is 'y'"),
    (".........", {"k": 4}, "k=4 is out of range"),
    (".........", {"k": 0}, "k=0 is out of range"),
    ("." * 256, {}, "16x16 is out of range"),
])  # fmt: skip
def test_names_the_mistake_in_a_text(text, options, message):
    with pytest.raises(ValueError, match=message):
        Board.parse(text, **options)


def test_with_a_side_to_move_any_counts_are_a_position():
    board = Board.parse("xx../..../..../....", k=4, to_move="o")
    assert board.to_move == "o"
    assert board.play(2).to_move == "x"
    won = Board.parse("xxx/.../...", to_move="x")
    assert (won.outcome, won.evaluate()) == ("x", WIN - 3)


def test_an_evaluation_is_never_taken_for_a_win():
    """No board of any size has more hope: each of its lines lacks one mark."""
    sizes = range(1, MAX_SIDE + 1)
    most = {
        (rows, columns, k): len(_lines(rows, columns, k)) << k - 1
        for rows, columns in combinations_with_replacement(sizes, 2)
        for k in range(1, columns + 1)
    }
    assert max(most.values()) < PROVEN
    # Each row, column and diagonal lacks one.
    rows = [7 if row == 7 else row // 8 * 8 + (row % 8 + 1) % 7 for row in range(15)]
    text = "/".join("x" * hole + "." + "x" * (14 - hole) for hole in rows)
    for side, sign in (("x", 1), ("o", -1)):
        board = Board.parse(text, k=15, to_move=side)
        assert board.evaluate() == sign * most[15, 15, 15]
        assert result(board) == 0


def test_five_in_a_row_on_the_largest_board():
    """A search finds the open three, which wins in three plies, and every limit still ends it."""
    board = Board(15, 15, 5)
    for move in (112, 0, 113, 14, 114, 210):
        board = board.play(move)
    found = search(board, Limit(depth=5))
    assert (found.move, found.value, found.distance) == (111, "win", 3)
    for limit in (Limit(nodes=3000), Limit(depth=1)):
        assert search(Board(15, 15, 5), limit).move in range(225)
    polls = iter(range(5))
    assert search(Board(15, 15, 5), stop=lambda: next(polls, None) is None).nodes < 6 * CHECK


def test_rejects_illegal_moves():
    for move, message in (0, "cell 0 is taken"), (-1, "no cell -1"), (9, "no cell 9: .* from 0 to 8"):
        with pytest.raises(ValueError, match=message):
            Board().play(0).play(move)


def test_the_ends_are_those_of_a_line_that_is_there():
    lines = {(0, 2), (3, 5), (6, 8), (0, 6), (1, 7), (2, 8), (0, 8), (2, 6)}
    for size in range(10):
        for cells in combinations(range(9), size):
            there = {line for line in lines if {*line, sum(line) // 2} <= {*cells}}
            assert ends(cells) in (there or {None})


def test_a_game_that_is_over():
    board = Board.parse("xxx/oo./...")
    assert (board.outcome, board.line, board.moves(), board.candidates()) == ("x", (0, 1, 2), [], [])
    with pytest.raises(ValueError, match="over"):
        board.play(5)
    assert Board.parse("xox/xox/oxo").outcome == "draw"
    assert Board.parse("xxx/xoo/xoo", to_move="o").line == (0, 1, 2, 3, 6)


@given(boards())
def test_text_round_trips(board):
    shape = board.shape
    # Without a slash, a single row would be parsed as a square.
    text = str(board) if shape.rows > 1 else "/" + str(board)
    again = Board.parse(text, k=shape.k, to_move=board.to_move)
    assert again == board
    assert hash(again) == hash(board)
    assert eval(repr(board)) == board  # noqa: S307  # what it promises
    assert pickle.loads(pickle.dumps(board)) == board  # noqa: S301  # our own bytes


def test_a_board_prints_as_the_call_that_makes_it():
    """A row alone ends in a slash, since a run without one is a square."""
    assert repr(Misere().play(4)) == "Misere.parse('.../.x./...', k=3, to_move='o')"
    assert repr(Board(2, 3, 2)) == "Board.parse('.../...', k=2, to_move='x')"
    assert repr(Board(1, 4, 3)) == "Board.parse('..../', k=3, to_move='x')"


@given(boards(5))
def test_play_updates_every_field_as_a_new_board_computes_it(board):
    shape = board.shape
    x, o = (sum(1 << cell for cell, mark in enumerate(board.cells) if mark == side) for side in "xo")
    fresh = Board.__new__(Board)
    fresh._fill(shape, x, o, "xo".index(board.to_move))
    for field in Board.__slots__:
        if "threats" not in field:
            assert getattr(fresh, field) == getattr(board, field), field
    if not board.terminal:
        for side in ("_own_threats", "_other_threats"):
            assert not (getattr(board, side) ^ getattr(fresh, side)) & shape.full & ~(x | o)


@given(boards(), st.integers(0, 7))
def test_mirror_images_share_a_key(board, symmetry):
    rows, columns = board.shape.rows, board.shape.columns
    grid = [list(board.cells[start : start + columns]) for start in range(0, rows * columns, columns)]
    if symmetry & 1:
        grid.reverse()
    if symmetry & 2:
        grid = [row[::-1] for row in grid]
    if symmetry & 4 and rows == columns:
        grid = [list(row) for row in zip(*grid, strict=True)]
    text = "/" + "/".join("".join(row) for row in grid)
    image = Board.parse(text, k=board.shape.k, to_move=board.to_move)
    assert image.key() == board.key()
    assert (image == board) == (image.cells == board.cells)


def test_different_games_never_share_a_key():
    empty = [
        game(rows, columns, k)
        for game in (Board, Misere)
        for rows, columns in product((1, 2, 3, 8, 15), repeat=2)
        for k in range(1, max(rows, columns) + 1)
    ]
    assert len({board.key() for board in empty}) == len(empty)
    assert len({Board.parse("x" + "." * 8, to_move=side).key() for side in "xo"}) == 2
    assert Board() != "........."
    assert Board() != Misere()


def test_the_positions_of_three_in_a_row():
    positions = reachable(Board())
    assert len(positions) == 5478
    plies = Counter(board.ply for board in positions)
    assert [plies[ply] for ply in range(10)] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    outcomes = Counter(board.outcome for board in positions)
    assert outcomes == {None: 4520, "x": 626, "o": 316, "draw": 16}
    classes = {board.key(): board.terminal for board in positions}
    assert (len(classes), sum(classes.values())) == (765, 138)
    assert sum(bool(winning(board)) for board in positions) == 2358


def perft(board, depth, known=None):
    """Return the number of sequences of `depth` moves; `known` caches them by position, up to symmetry."""
    if depth == 0:
        return 1
    key = (board.key(), depth)
    if known is None or key not in known:
        total = sum(perft(board.play(move), depth - 1, known) for move in board.moves())
        if known is None:
            return total
        known[key] = total
    return known[key]


def test_perft():
    """The counts are the published ones; those of 3x3 to depth 5 are computed without symmetry."""
    assert [perft(Board(), depth) for depth in range(6)] == [1, 9, 72, 504, 3024, 15120]
    known = {}
    assert [perft(Board(), depth, known) for depth in (6, 7, 8, 9)] == [54720, 148176, 200448, 127872]
    counts = [perft(Board(4, 4, 4), depth, known) for depth in range(1, 6)]
    assert counts == [16, 240, 3360, 43680, 524160]
