"""The learned values of ultimate tic-tac-toe: the tables against the file, and their symmetries."""

import random
import subprocess
import sys

import pytest
import ultimate_values
from effort import amount
from ultimate_values import EXCHANGE, MIRROR, TURN, number, status

from engine import PROVEN
from engine.ultimate.classes import CLASS, POWERS
from engine.ultimate.values import survey


def big_of(cells):
    return "".join(status(cells[board * 9 : board * 9 + 9]) for board in range(9))


def positions(games, seed=1):
    """Yield each position of random games: the cells, the board to play in, the side to move."""
    chance = random.Random(seed)
    for _ in range(games):
        cells, active, side = "." * 81, None, "x"
        while True:
            big = big_of(cells)
            free = [
                m for m in range(81) if cells[m] == "." and big[m // 9] == "." and active in (None, m // 9)
            ]
            if status(big) != "." or not free:
                break
            yield cells, active, side
            move = chance.choice(free)
            cells = cells[:move] + side + cells[move + 1 :]
            active = move % 9 if big_of(cells)[move % 9] == "." else None
            side = "o" if side == "x" else "x"


def value(cells, active, side):
    """Return what the tables say, for x."""
    big = big_of(cells)
    found = survey(big)
    classes = [CLASS[board][number(cells[board * 9 : board * 9 + 9])] for board in range(9)]
    mover = "xo".index(side)
    return (
        found.base
        + sum(found.boards[board][classes[board]] for board in range(9) if big[board] == ".")
        + (found.free[mover] if active is None else found.turns[mover][active][classes[active]])
    )


@pytest.mark.more
def test_the_tables_say_what_the_file_says():
    for cells, active, side in positions(amount(5, 20)):
        slowly = ultimate_values.evaluate(cells, active, side)
        assert value(cells, active, side) == (slowly if side == "x" else -slowly)


def test_exchanging_x_and_o_negates_each_value():
    for cells, active, side in positions(20):
        assert value(cells.translate(EXCHANGE), active, "xo"[side == "x"]) == -value(cells, active, side)


@pytest.mark.parametrize("image", [TURN, MIRROR])
def test_a_turned_or_mirrored_position_is_worth_the_same(image):
    for cells, active, side in positions(20):
        moved = "".join(cells[board * 9 + cell] for board in image for cell in image)
        there = None if active is None else image.index(active)
        assert value(moved, there, side) == value(cells, active, side)


def test_no_value_is_near_a_proven_one():
    terms = [abs(each) for each in ultimate_values.file()]
    assert 21 * max(terms) < PROVEN  # for nine boards and the side to move two, and the big board


def test_the_two_values_of_a_board_add_up_to_a_byte():
    """Else their sum would change the next state's."""
    contexts = ultimate_values.CONTEXTS * len(ultimate_values.classes())
    places = 2 * len(ultimate_values.places())
    by_class, by_place = (
        max(map(abs, ultimate_values.file()[first:end]))
        for first, end in ((0, contexts), (contexts, contexts + places))
    )
    assert by_class + by_place <= 127


def test_a_board_nearly_won_is_worth_more_than_an_empty_one_and_more_to_the_side_to_move():
    found = survey("." * 9)
    two = POWERS[2] + POWERS[4]  # in board 0; after cell 4 of the centre the opponent would have a mark there
    assert found.boards[0][CLASS[0][two]] > found.boards[0][CLASS[0][0]] == 0
    assert found.turns[0][0][CLASS[0][two]] > 0 > found.turns[1][0][CLASS[0][2 * two]]


def test_the_file_is_small_and_is_read_only_for_this_game():
    assert ultimate_values.FILE.stat().st_size <= 110_000
    code = (
        "import sys, engine; print([name for name in sys.modules if 'values' in name or 'ultimate' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
