"""Ultimate tic-tac-toe: a position's words, its evaluation, its picture, its size.

test_engine_ultimate_games.py compares the rules, the bounds and the keys with a slow generator.
"""

import copy
import gc
import pickle
import random
from xml.etree import ElementTree as ET

import pytest
from effort import amount

from engine import PROVEN
from engine.svg import MARKS
from engine.ultimate import Ultimate
from engine.ultimate.big import Big, big_board


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


def test_the_board_to_play_in_is_in_the_key():
    """Here the same six marks, in other orders, send the next move to other boards."""
    games, keys = [Ultimate()], {}
    for _ in range(6):
        games = [
            game.play(move) for game in games for move in game.moves() if {*divmod(move, 9)} <= {0, 4, 8}
        ]
    for game in games:
        keys.setdefault(game.cells, {})[game.active] = game.key()
    several = [each for each in keys.values() if len(each) > 1]
    assert several
    assert all(len({*each.values()}) == len(each) for each in several)


def test_the_empty_boards():
    game = Ultimate()
    assert (game.cells, game.boards, game.to_move, game.outcome) == ("." * 81, "." * 9, "x", None)
    assert (game.line, game.fading, game.active, game.ply, game.horizon) == ((), None, None, 0, 81)
    assert game.moves() == list(range(81))
    assert game == Ultimate()
    assert hash(game) == hash(Ultimate())
    assert game != game.play(0)


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


def test_a_board_that_is_decided_cannot_be_played():
    anywhere = next(game for game, _ in random_games(9) if game.ply and game.active is None)
    decided = next(board for board in range(9) if anywhere.boards[board] != ".")
    with pytest.raises(ValueError, match=f"board {decided} is decided"):
        anywhere.play(9 * decided)


def test_the_evaluation_is_known_before_a_move_and_kept_from_move_to_move():
    for game, _ in random_games(20):
        assert game.replies() == {move: -game.play(move).evaluate() for move in game.moves()}
        if not game.terminal:
            assert abs(game.evaluate()) < PROVEN
            assert game._total == game._sum()


def test_how_it_is_printed():
    game = played(40, 36, 0)
    assert str(game).split("\n") == [
        "x.. ... ...", "... ... ...", "... ... ...", "",
        "... o.. ...", "... .x. ...", "... ... ...", "",
        "... ... ...", "... ... ...", "... ... ...",
    ]  # fmt: skip
    assert repr(game) == f"Ultimate.parse({EXAMPLE!r}, active=0)"
    assert repr(Ultimate()).endswith("... ... ...', active=None)")
    assert game != "x"


EXAMPLE = (
    "x.. ... .../... ... .../... ... ...//... o.. .../... .x. .../... ... ...//"
    "... ... .../... ... .../... ... ..."
)


@pytest.mark.more
def test_each_position_is_read_from_what_it_prints():
    for game, _ in random_games(amount(8, 40)):
        for again in (
            Ultimate.parse(str(game), game.active),
            Ultimate.parse(game.cells, game.active),
            eval(repr(game)),  # noqa: S307 - what it promises
            pickle.loads(pickle.dumps(game)),  # noqa: S301 - our own
        ):
            assert repr(again) == repr(game)
            assert all(getattr(again, slot) == getattr(game, slot) for slot in Ultimate.__slots__)


def test_it_reads_what_people_write():
    rows = ["X________", "_________", "_________", "___O_____", "____x____", *["." * 9] * 4]
    for text in ("/".join(rows), "\n".join(rows), "\n\n ".join(" ".join(row) for row in rows)):
        assert Ultimate.parse(text, active=0) == played(40, 36, 0)


def drawn(**boards):
    """Return the text of a position whose boards, such as b4="xx.oo....", have these cells."""
    cells = [boards.get(f"b{board}", "." * 9) for board in range(9)]
    starts = [(row // 3 * 3, row % 3 * 3) for row in range(9)]
    return "\n".join("".join(cells[band + board][at : at + 3] for board in range(3)) for band, at in starts)


WON_X, WON_O = "xxx......", "ooo......"
X_LINE = {"b0": WON_X, "b1": WON_X, "b2": WON_X, "b3": WON_O, "b4": WON_O}
TWO = drawn(b0="x........", b8="o........")


def test_a_game_that_is_over_needs_no_active_board():
    game = Ultimate.parse(drawn(**X_LINE, b8="oo......."))
    assert (game.outcome, game.line, game.moves(), game.active) == ("x", (0, 1, 2), [], None)


@pytest.mark.parametrize(("text", "active", "message"), [
    ("", None, "there is no board at all"),
    ("x" * 81, None, "81 x and 0 o cannot be"),
    ("...\n...\n...", None, "nine rows of nine cells, or one of 81, not 3 of 3"),
    (drawn(b0="?........"), None, r"'\?' in row 1, column 1 is none of x, o"),
    (drawn(b0="xx......."), None, "2 x and 0 o cannot be"),
    (drawn(b0="o........"), 0, "0 x and 1 o cannot be"),
    (drawn(b0="xxxooo..."), None, "both x and o have completed a line in board 0"),
    (drawn(**X_LINE, b5=WON_O), None,
     "x has a line of boards, but by the counts the last move was not theirs"),
    (drawn(**X_LINE, b6=".....x...", b8="oo......o"), 5, "board 5 cannot be active: .* the game is over"),
    (drawn(**X_LINE, b8="ooo......"), None,
     "x has a line of boards, but by the counts the last move was not theirs"),
    (TWO, 9, "there is no board 9: boards count from 0 to 8"),
    *((TWO, no, f"the active board must be a whole number from 0 on, not {no!r}") for no in (-1, True, "0")),
    (drawn(b0="xxx......", b8="oo......."), 0, "board 0 cannot be active: it is decided"),
    (TWO, 8, "board 8 cannot be active: no o is in the cell of its number"),
    (TWO, None, "say which board is active: no o is where it would send to a decided one"),
])  # fmt: skip
def test_what_is_no_position_is_refused(text, active, message):
    with pytest.raises(ValueError, match=message):
        Ultimate.parse(text, active)


def test_a_drawing_shades_where_to_play_and_at_the_end_the_line():
    over = {game.outcome: game for game, _ in random_games(60) if game.terminal}
    ends = [(game, 9 * len(game.line)) for game in over.values()]
    assert over.keys() == {"x", "o", "draw"}
    for game, shaded in ((Ultimate(), 81), (played(40), 9), *ends):
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
