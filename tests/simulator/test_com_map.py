"""From the chip's memory to the glass: which row lights which."""

from hypothesis import given
from hypothesis import strategies as st

from appliance.core.canvas import Frame
from appliance.simulator.com_map import Scan, pixels, rows_shown


def test_com_pins_as_tabulated():
    # Multiplex 56, offset 8, after the datasheet's table of the COM pins: 8 to 55, eight idle, 0 to 7.
    scan = Scan(multiplex=56, offset=8, alternative=False)
    assert [scan.row(pad) for pad in range(64)] == [*range(8, 56), *[None] * 8, *range(8)]
    scan = Scan(multiplex=56, start_line=8, alternative=False)
    assert [scan.row(pad) for pad in range(64)] == [*range(8, 64), *[None] * 8]
    # Alternative: even lines on one half of the pads, odd ones on the other; swapped: the halves exchanged.
    assert [Scan().row(pad) for pad in (0, 1, 31, 32, 63)] == [0, 2, 62, 1, 63]
    assert [Scan(swapped=True).row(pad) for pad in (0, 1, 31, 32, 63)] == [1, 3, 63, 0, 62]


@given(
    st.builds(
        Scan,
        multiplex=st.integers(16, 64),
        start_line=st.integers(0, 63),
        offset=st.integers(0, 63),
        reversed=st.booleans(),
        alternative=st.booleans(),
        swapped=st.booleans(),
    ),
    st.sampled_from([32, 64]),
    st.booleans(),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_pixels_are_what_a_loop_over_them_says(scan, height, inverted, all_on, rng):
    pages = [rng.randbytes(5) for _ in range(8)]
    rows = rows_shown(scan, height)
    picture = Frame(5, height, pixels(pages, rows, inverted=inverted, all_on=all_on))
    for y, row in enumerate(rows):
        for x in range(5):
            bit = row is not None and (all_on or bool(pages[row // 8][x] >> row % 8 & 1) is not inverted)
            assert picture.pixel(x, y) is bit


def test_every_driven_row_is_shown_once():
    for swapped in (False, True):
        for reverse in (False, True):
            assert sorted(rows_shown(Scan(reversed=reverse, swapped=swapped), 64)) == list(range(64))
