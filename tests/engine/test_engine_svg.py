"""The drawings for notebooks: well-formed, and with all that the board or the tree has."""

from xml.etree import ElementTree as ET

import pytest

from engine import SOLVED, Board, Misere, Tree, Vanishing
from engine.svg import CELL, GAP, MARKS
from engine.ultimate import Ultimate

SVG = "{http://www.w3.org/2000/svg}"


def drawn(shown):
    root = ET.fromstring(shown._repr_svg_())  # noqa: S314 - our own
    assert root.tag == f"{SVG}svg"
    assert not list(root.iter(f"{SVG}style"))  # several drawings share a page
    assert not [element for element in root.iter() if "id" in element.attrib]
    return root


def marks(root):
    """Return mark -> the middles of the cells that have one, and those that are faint."""
    found, faint = {mark: [] for mark in MARKS}, []
    for path in root.iter(f"{SVG}path"):
        for mark, (colour, shape) in MARKS.items():
            if path.get("stroke") == colour:
                middle = path.get("d").removesuffix(shape)
                x, y = map(int, middle.removeprefix("M").split())
                found[mark].append((x, y))
                faint += [(x, y)] if "opacity" in path.attrib else []
    return found, faint


def middle(cell, columns):
    return cell % columns * CELL + CELL // 2, cell // columns * CELL + CELL // 2


@pytest.mark.parametrize("game", [
    *(start() for start in SOLVED.values()),
    Board.parse("xo. / .x. / o.x"),
    Misere.parse("xxx / oo. / ..."),
    Board.parse("xoxoo / ..... / x..x.", k=4),
    Board(1, 1, 1),
])  # fmt: skip
def test_a_board_has_its_marks_in_their_cells_and_its_line_shaded(game):
    root, columns = drawn(game), len(str(game).split("\n")[0])
    cells = {mark: [cell for cell, one in enumerate(game.cells) if one == mark] for mark in "xo"}
    assert marks(root) == ({mark: [middle(cell, columns) for cell in cells[mark]] for mark in cells}, [])
    corners = [(int(rect.get("x")), int(rect.get("y"))) for rect in root.iter(f"{SVG}rect")]
    assert corners == [(cell % columns * CELL, cell // columns * CELL) for cell in game.line]
    size = columns * CELL, len(game.cells) // columns * CELL
    assert (int(root.get("width")), int(root.get("height"))) == size


def test_the_mark_that_vanishes_next_is_faint():
    game = Vanishing()
    for cell in (4, 3, 0, 1, 7, 6):
        game = game.play(cell)
    assert marks(drawn(game))[1] == [middle(4, 3)]


@pytest.mark.parametrize(("game", "title"), [
    (Board(), "... / ... / ..., x to move"),
    (Board.parse("xx. / oo. / x.."), "xx. / oo. / x.., o to move"),
    (Misere.parse("xxx / oo. / ..."), "xxx / oo. / ..., o won"),
    (Board.parse("xox/xox/oxo"), "xox / xox / oxo, drawn"),
])  # fmt: skip
def test_a_drawing_says_what_it_shows(game, title):
    assert drawn(game).find(f"{SVG}title").text == title


def test_a_rule_may_print_itself_in_any_characters():
    class Odd(Board):
        def __str__(self):
            return "<&>"

    assert drawn(Odd()).find(f"{SVG}title").text == "<&>, x to move"


def test_nine_boards_stand_in_a_square_with_gaps_and_those_to_play_in_are_shaded():
    root = drawn(Ultimate().play(40).play(36))
    pitch = 3 * CELL + GAP
    groups = list(root.iter(f"{SVG}g"))
    assert [group.get("transform") for group in groups] == [
        f"translate({column * pitch} {row * pitch})" for row in range(3) for column in range(3)
    ]
    assert [len(list(group.iter(f"{SVG}rect"))) for group in groups] == [9, 0, 0, 0, 0, 0, 0, 0, 0]
    (found, faint), size = marks(groups[4]), str(3 * pitch - GAP)
    assert (found, faint) == ({"x": [middle(4, 3)], "o": [middle(0, 3)]}, [])
    assert (root.get("width"), root.get("height")) == (size, size)


def values(root):
    """Return the numbers of a tree row by row, from left to right; no two may overlap."""
    places = sorted((int(t.get("y")), float(t.get("x")), t.text) for t in root.iter(f"{SVG}text"))
    rows = {}
    for y, x, text in places:
        half = 4 * len(text)
        assert half <= x <= int(root.get("width")) - half
        assert y < int(root.get("height"))
        row = rows.setdefault(y, [])
        assert all(abs(x - other) > 4 * (len(text) + len(one)) for other, one in row)
        row.append((x, text))
    return [[text for _, text in row] for row in rows.values()]


def test_a_tree_has_the_value_of_each_position():
    tree = Tree(((2, 7), (1, 8)))
    root = drawn(tree)
    assert tree.evaluated == []  # what searches have evaluated
    assert values(root) == [["2"], ["2", "1"], ["2", "7", "1", "8"]]
    assert root.find(f"{SVG}title").text == "a game tree of 7 positions, worth 2 to Max"


def test_leaves_may_be_uneven_and_numbers_long():
    rows = values(drawn(Tree((((3, -12), (5,)), ((1000, 2), -40004)))))
    # A leaf stands higher than the numbers in the triangles beside it.
    assert rows == [["3"], ["3", "-40004"], ["-40004"], ["3", "5", "1000"], ["3", "-12", "5", "1000", "2"]]


def test_below_the_root_min_may_be_to_move():
    assert values(drawn(Tree(((2, 7), (1, 8))).play(1))) == [["1"], ["1", "8"]]
    assert values(drawn(Tree(((2, 7), (1, 8))).play(1).play(1))) == [["8"]]


def test_a_part_of_a_tree_is_as_high_as_that_part_and_its_links_lie_below_the_triangles():
    part, alone = drawn(Tree(((2, 7), (1, 8))).play(1)), drawn(Tree((1, 8)))
    assert part.get("height") == alone.get("height")
    assert ["opacity" in path.attrib for path in part.iter(f"{SVG}path")] == [True, False]
