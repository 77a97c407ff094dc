"""Ultimate tic-tac-toe: its rules, what its positions promise the search, and its picture."""

import copy
import gc
import pickle
import random
from xml.etree import ElementTree as ET

import pytest

from engine import PROVEN, WIN, minimax
from engine.svg import MARKS
from engine.ultimate import MIRRORED, MIRRORS, Ultimate
from engine.ultimate.big import Big, big_board

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def played(*moves, start=Ultimate):
    game = start()
    for move in moves:
        game = game.play(move)
    return game


def random_games(count, seed=1):
    """Yield every position of random games, with the moves that led to it."""
    rng = random.Random(seed)
    for _ in range(count):
        game, moves = Ultimate(), []
        yield game, tuple(moves)
        while not game.terminal:
            moves.append(rng.choice(game.moves()))
            game = game.play(moves[-1])
            yield game, tuple(moves)


def perft(game, plies):
    if plies == 1:
        return len(game.moves())
    return sum(perft(game.play(move), plies - 1) for move in game.moves())


def test_the_empty_boards():
    game = Ultimate()
    assert (game.cells, game.boards, game.to_move, game.outcome) == ("." * 81, "." * 9, "x", None)
    assert (game.line, game.fading, game.active, game.ply, game.horizon) == ((), None, None, 0, 81)
    assert game.moves() == list(range(81))
    assert game == Ultimate()
    assert hash(game) == hash(Ultimate())
    assert game != game.play(0)


def test_how_many_games_there_are():
    assert [perft(Ultimate(), plies) for plies in (1, 2, 3, 4)] == [81, 720, 6336, 55_080]


def test_a_cell_sends_the_opponent_to_the_board_of_its_number():
    game = played(40, 36)
    assert (game.active, game.moves(), game.to_move) == (0, list(range(9)), "x")
    with pytest.raises(ValueError, match="board 0, not in board 4"):
        game.play(41)
    game = game.play(4)
    assert game.moves() == [37, 38, 39, 41, 42, 43, 44]
    with pytest.raises(ValueError, match="cell 0 of board 4 is taken"):
        game.play(36)
    for move in (-1, 81):
        with pytest.raises(ValueError, match=f"no move {move}: .* 0 to 80"):
            game.play(move)


WON = (6, 60, 59, 45, 4, 44, 73, 15, 56, 18, 2, 26, 78, 61, 68, 46, 13, 38, 21, 30, 32, 51, 55, 12, 35, 75)
WON += (29, 24, 62)
DRAWN = (59, 52, 71, 79, 67, 42, 54, 3, 28, 17, 76, 44, 78, 57, 35, 75, 31, 43, 64, 14, 46, 11, 23, 47, 18, 6)
DRAWN += (60, 61, 68, 48, 27, 0, 26, 72, 62, 74, 22, 80, 77, 53, 73, 51, 56, 63, 70)


def owner(cells):
    """Return who has a small board, in the words of `boards`."""
    for mark in "xo":
        if any(all(cells[cell] == mark for cell in line) for line in LINES):
            return mark
    return "." if "." in cells else "-"


def test_what_a_position_says_follows_from_its_cells():
    sent_anywhere = 0
    for game, moves in random_games(150):
        boards = [game.cells[start : start + 9] for start in range(0, 81, 9)]
        assert game.boards == "".join(map(owner, boards))
        assert game.ply == len(moves) == 81 - game.cells.count(".")
        full_lines = [line for line in LINES if {game.boards[board] for board in line} in ({"x"}, {"o"})]
        alive = [line for line in LINES if {game.boards[b] for b in line} in ({"."}, {"x", "."}, {"o", "."})]
        if full_lines:
            winner = game.boards[full_lines[0][0]]
            assert (game.outcome, game.line) == (winner, tuple(sorted({b for a in full_lines for b in a})))
        else:
            assert (game.outcome, game.line) == (None if alive else "draw", ())
        if game.terminal:
            assert (game.moves(), game.candidates(), game.horizon) == ([], [], 0)
            with pytest.raises(ValueError, match="over"):
                game.play(0)
        elif moves:
            sent = moves[-1] % 9
            open_boards = [board for board in range(9) if game.boards[board] == "."]
            assert game.active == (sent if sent in open_boards else None)
            allowed = open_boards if game.active is None else [sent]
            assert game.moves() == [
                9 * board + cell for board in allowed for cell in range(9) if boards[board][cell] == "."
            ]
            sent_anywhere += game.active is None
            assert game.horizon >= len(game.moves())
    assert sent_anywhere > 100


def test_a_board_that_is_decided_cannot_be_played():
    game = played(*WON[:11])
    assert (game.boards[0], game.active) == ("x", 2)
    anywhere = next(game for game, _ in random_games(9) if game.ply and game.active is None)
    decided = next(board for board in range(9) if anywhere.boards[board] != ".")
    with pytest.raises(ValueError, match=f"board {decided} is decided"):
        anywhere.play(9 * decided)


def test_three_boards_in_a_row_win_and_no_line_left_is_a_draw():
    game = played(*WON)
    assert (game.outcome, game.line, game.evaluate()) == ("x", (0, 3, 6), 29 - WIN)
    assert game.boards.count(".") > 3
    game = played(*DRAWN)
    assert (game.outcome, game.line, game.evaluate(), game.bounds()) == ("draw", (), 0, (0, 0))
    assert any("." in game.boards for game, _ in random_games(20) if game.outcome == "draw")


def test_the_evaluation_is_known_before_a_move_and_kept_from_move_to_move():
    for game, _ in random_games(60):
        assert game.replies() == {move: -game.play(move).evaluate() for move in game.moves()}
        if not game.terminal:
            assert abs(game.evaluate()) < PROVEN
            assert game._total == game._sum()


def test_candidates_are_all_moves_unless_one_wins_at_once():
    wins = 0
    for game, _ in random_games(150):
        winning = [move for move in game.moves() if game.play(move).outcome == game.to_move]
        assert sorted(game.candidates()) == (winning or game.moves())
        wins += bool(winning)
    assert wins > 50


def test_bounds_hold():
    """Near the end minimax sees everything; anywhere, what it sees of the next plies."""
    near_ends, settled = 0, 0
    for game, _ in random_games(250):
        if game.terminal or game.horizon > 8:
            continue
        low, high = game.bounds()
        value = minimax(game, game.horizon).value
        assert low <= value <= high
        near_ends += 1
        settled += low == high
    assert near_ends > 100
    assert settled > 20


def image(move, mirror):
    return 9 * mirror[move // 9] + mirror[move % 9]


def test_mirror_images_share_a_key_at_first_and_no_others_ever_do():
    keys = {}
    for game, moves in random_games(60, seed=2):
        for mirror in MIRRORS:
            mirrored = played(*(image(move, mirror) for move in moves))
            assert (mirrored.key() == game.key()) or len(moves) > MIRRORED
            assert mirrored.evaluate() == game.evaluate()
            shown = keys.setdefault(mirrored.key(), set())
            shown.add((mirrored.cells, mirrored.active))
    assert max(map(len, keys.values())) <= 8
    assert len({game.play(move).key() for game in [Ultimate()] for move in game.moves()}) == 15


def test_how_it_is_printed():
    game = played(40, 36, 0)
    assert str(game).split("\n") == [
        "x.. ... ...", "... ... ...", "... ... ...", "",
        "... o.. ...", "... .x. ...", "... ... ...", "",
        "... ... ...", "... ... ...", "... ... ...",
    ]  # fmt: skip
    assert repr(game) == f"<Ultimate, ply 3, board 0: {game.cells}>"
    assert "any board" in repr(Ultimate())
    assert game != "x"


def test_a_drawing_shades_where_to_play_and_at_the_end_the_line():
    for game, shaded in ((Ultimate(), 81), (played(40), 9), (played(*WON), 27), (played(*DRAWN), 0)):
        root = ET.fromstring(game._repr_svg_())  # noqa: S314 - our own
        assert len(list(root.iter("{http://www.w3.org/2000/svg}rect"))) == shaded
        drawn = [path.get("stroke") for path in root.iter("{http://www.w3.org/2000/svg}path")]
        assert [drawn.count(MARKS[mark][0]) for mark in "xo"] == [game.cells.count(mark) for mark in "xo"]


def test_memory_is_bounded_however_many_games_are_played():
    """They meet more big boards than are kept. What other tests have left refers to a few more."""
    kept = big_board.cache_info().maxsize
    assert len({game.boards for game, _ in random_games(600)}) > 2 * kept
    assert kept / 2 < sum(isinstance(one, Big) for one in gc.get_objects()) < 1.5 * kept


def test_a_pickled_position_is_small_and_plays_on():
    for game, _ in random_games(3):
        pickled = pickle.dumps(game)
        assert len(pickled) < 1000
        for again in (pickle.loads(pickled), copy.deepcopy(game)):  # noqa: S301 - our own
            assert (again, again.boards, again.moves()) == (game, game.boards, game.moves())
            assert again.replies() == game.replies()
            assert again._big is game._big
