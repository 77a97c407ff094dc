"""The drawing surface against a model of single pixels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.canvas import Canvas, columns, strips

WIDTH, HEIGHT = 24, 16
place = st.integers(-6, 28)
extent = st.integers(0, 30)


def lit(canvas):
    frame = canvas.frame()
    return {(x, y) for x in range(frame.width) for y in range(frame.height) if frame.pixel(x, y)}


def rectangle(x, y, width, height):
    inside = {(column, row) for column in range(x, x + width) for row in range(y, y + height)}
    return {(column, row) for column, row in inside if 0 <= column < WIDTH and 0 <= row < HEIGHT}


@given(
    st.lists(
        st.tuples(st.sampled_from(["fill", "clear", "invert"]), place, place, extent, extent), max_size=6
    )
)
def test_rectangles_are_what_a_set_of_pixels_says(steps):
    canvas, model = Canvas(WIDTH, HEIGHT), set()
    for name, *where in steps:
        area = rectangle(*where)
        if name == "invert":
            canvas.invert(*where)
            model ^= area
        else:
            canvas.fill(*where, on=name == "fill")
            model = model | area if name == "fill" else model - area
    assert lit(canvas) == model


@given(place, place, st.lists(st.integers(0, 255), max_size=12))
def test_a_picture_lands_where_it_is_put_and_what_is_outside_is_cut_off(x, y, picture):
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.fill(0, 0, 1, 1)
    canvas.blit(tuple(picture), x, y)
    inked = {
        (x + column, y + row) for column, bits in enumerate(picture) for row in range(8) if bits >> row & 1
    }
    assert lit(canvas) == (inked & rectangle(0, 0, WIDTH, HEIGHT)) | {(0, 0)}


@given(st.integers(0, 23), st.integers(0, 15), st.integers(0, 23), st.integers(0, 15))
def test_a_line_joins_its_ends_without_a_gap(x0, y0, x1, y1):
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.line(x0, y0, x1, y1)
    points = lit(canvas)
    assert {(x0, y0), (x1, y1)} <= points
    assert len(points) == max(abs(x1 - x0), abs(y1 - y0)) + 1
    for x, y in points:  # no pixel is further than half a pixel from the true line
        assert abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) * 2 <= max(abs(x1 - x0), abs(y1 - y0))


def test_a_thick_line_is_that_thick_and_can_be_taken_away():
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.fill(0, 0, WIDTH, HEIGHT)
    canvas.line(4, 8, 20, 8, thick=3, on=False)
    assert lit(canvas) == rectangle(0, 0, WIDTH, HEIGHT) - rectangle(3, 7, 19, 3)


def test_a_box_is_hollow():
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.box(2, 3, 10, 7)
    assert lit(canvas) == rectangle(2, 3, 10, 7) - rectangle(3, 4, 8, 5)


@given(st.integers(0, 30), st.integers(0, 20))
def test_a_shift_moves_everything_and_loses_what_leaves(right, down):
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.fill(5, 5, 1, 1)
    canvas.fill(0, 0, 1, 1)
    canvas.shift(right, down)
    assert lit(canvas) == {(right, down), (right + 5, down + 5)} & rectangle(0, 0, WIDTH, HEIGHT)


def test_drawings_are_read_as_they_look():
    assert columns(["#.", "##", ".."]) == (0b011, 0b010)
    assert dict(strips("\na bb\n# .#\n. #.\n\nc\n#\n")) == {"a": (1,), "bb": (2, 1), "c": (1,)}


@pytest.mark.parametrize("text", ["a b\n#\n", "a\n# #\n", "a\n##\n#\n", "a\n#x\n"])
def test_a_drawing_with_a_slip_is_refused(text):
    with pytest.raises(ValueError, match=r"zip|invalid literal"):
        list(strips(text))
