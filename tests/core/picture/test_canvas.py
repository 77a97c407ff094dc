"""The canvas against a model of single pixels."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.core.picture.canvas import Canvas, columns, strips

WIDTH, HEIGHT = 24, 16
place = st.integers(-6, 28)
extent = st.integers(0, 30)
step = st.tuples(st.sampled_from(["fill", "clear", "invert"]), place, place, extent, extent)


def lit(canvas):
    frame = canvas.frame()
    return {(x, y) for x in range(frame.width) for y in range(frame.height) if frame.pixel(x, y)}


def inside(points):
    return {(x, y) for x, y in points if 0 <= x < WIDTH and 0 <= y < HEIGHT}


@given(st.lists(step, max_size=4))
@settings(max_examples=40)
def test_rectangles_agree_with_a_set_of_pixels(steps):
    canvas, model = Canvas(WIDTH, HEIGHT), set()
    for name, x, y, width, height in steps:
        area = inside((column, row) for column in range(x, x + width) for row in range(y, y + height))
        if name == "invert":
            canvas.invert(x, y, width, height)
        else:
            canvas.fill(x, y, width, height, on=name == "fill")
        model = {"invert": model ^ area, "fill": model | area, "clear": model - area}[name]
    assert lit(canvas) == model


@given(place, place, st.lists(st.integers(0, 255), max_size=12))
@settings(max_examples=40)
def test_a_picture_is_drawn_at_its_place_and_clipped(x, y, picture):
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.fill(0, 0, 1, 1)
    canvas.blit(tuple(picture), x, y)
    inked = {
        (x + column, y + row) for column, bits in enumerate(picture) for row in range(8) if bits >> row & 1
    }
    assert lit(canvas) == inside(inked) | {(0, 0)}


@pytest.mark.parametrize(("right", "down"), [(0, 0), (2, 1), (18, 0), (19, 10), (24, 0), (0, 16), (30, 20)])
def test_a_shift_moves_everything_and_drops_what_leaves(right, down):
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.fill(5, 5, 1, 1)
    canvas.fill(0, 0, 1, 1)
    canvas.shift(right, down)
    assert lit(canvas) == inside({(right, down), (right + 5, down + 5)})


def test_drawings_become_pictures():
    assert columns(["#.", "##", ".."]) == (0b011, 0b010)
    assert strips("\na bb\n# .#\n. #.\n\nc\n#\n") == {"a": (1,), "bb": (2, 1), "c": (1,)}


@pytest.mark.parametrize("text", ["a b\n#\n", "a\n# #\n", "a\n##\n#\n", "a\n#x\n"])
def test_a_ragged_drawing_is_rejected(text):
    with pytest.raises(ValueError, match=r"zip|invalid literal"):
        strips(text)
