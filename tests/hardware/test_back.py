"""The drawing of the back, as a person reads it: which leg is joined to which pin, and what is mirrored."""

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise
from math import dist
from pathlib import Path

import pytest

from appliance.bootfiles.wiring import wires
from appliance.config.schema import Config
from appliance.core.keys.pins import HEADER
from appliance.desk.dimensions import PANEL, key_centre
from tools.back import svg

HARDWARE = Path(__file__).parents[2] / "hardware"
SVG = "{http://www.w3.org/2000/svg}"
ROOT = ET.fromstring((HARDWARE / "back.svg").read_text())  # noqa: S314  # our own
KEYPAD = Config().keypad
A4 = (210, 297)


def spots(kind):
    """Return the centres of the circles of a class."""
    return [
        (float(each.get("cx")), float(each.get("cy")))
        for each in ROOT.iter(f"{SVG}circle")
        if each.get("class") == kind
    ]


def texts():
    """Return the texts: words, where they are anchored, the element."""
    return [
        (each.text, (float(each.get("x")), float(each.get("y"))), each) for each in ROOT.iter(f"{SVG}text")
    ]


def number_near(spot, reach=2.6):
    """Return the number that is written at a place."""
    [number] = [int(words) for words, place, _ in texts() if words.isdecimal() and dist(place, spot) < reach]
    return number


WIRES = {
    path.get("stroke"): [tuple(map(float, point.split(","))) for point in path.get("d")[1:].split(" L")]
    for path in ROOT.iter(f"{SVG}path")
    if path.get("class") == "wire"
}


def on(spot, wire):
    """Whether a wire passes through a place; all its stretches are level or upright."""
    return any(
        min(a[0], b[0]) - 0.01 <= spot[0] <= max(a[0], b[0]) + 0.01
        and min(a[1], b[1]) - 0.01 <= spot[1] <= max(a[1], b[1]) + 0.01
        for a, b in pairwise(wire)
    )


def pin_of(spot):
    """Return the number of the header pin at the end of the one wire through a place."""
    [wire] = [wire for wire in WIRES.values() if on(spot, wire)]
    [end] = [pin for pin in spots("pin") if on(pin, wire)]
    assert end == wire[-1]
    return number_near(end, 1.5)


def keys():
    """Return where each key's number is written on the panel, by the number."""
    return {int(words): place for words, place, each in texts() if each.get("font-size") == "4.2"}


def test_the_committed_drawing_is_what_the_tool_draws():
    assert (HARDWARE / "back.svg").read_text() == svg(), "make pictures"


def test_the_legs_of_each_key_lead_to_the_pins_of_its_row_and_its_column():
    assert sorted(keys()) == list(range(1, 10))
    for number, place in keys().items():
        two = [leg for leg in spots("leg") if dist(leg, place) < 7]
        assert len(two) == 2
        row, column = divmod(number - 1, 3)
        pins = {HEADER[pin_of(leg) - 1] for leg in two}
        assert pins == {KEYPAD.rows[row], KEYPAD.columns[column]}, number


def test_the_panel_is_mirrored_at_full_size():
    [panel] = [
        each for each in ROOT.iter(f"{SVG}rect") if (each.get("width"), each.get("height")) == ("90", "140")
    ]
    left, top = float(panel.get("x")), float(panel.get("y"))
    assert tuple(float(panel.get(side)) for side in ("width", "height")) == PANEL
    for number, (x, y) in keys().items():
        from_front = key_centre(number - 1)
        assert (left + PANEL[0] - x, y - top) == pytest.approx(from_front, abs=2)
    assert ROOT.get("viewBox").split()[2:] == [ROOT.get(side)[:-2] for side in ("width", "height")]
    assert all(float(ROOT.get(side)[:-2]) <= most for side, most in zip(("width", "height"), A4, strict=True))


def test_the_displays_pads_lead_to_its_pins():
    names = {words: place for words, place, each in texts() if each.get("transform")}
    pins = {wire.terminal: wire.pin for wire in wires(Config()) if wire.part == "display"}
    assert len(spots("pad")) == 4
    for pad in spots("pad"):
        [name] = [name for name, place in names.items() if dist(pad, place) < 2.2]
        assert pin_of(pad) == pins.pop(name)
    assert not pins


def test_each_wire_has_the_colour_that_it_has_in_the_other_drawing():
    other = (HARDWARE / "wiring.svg").read_text()
    for colour, wire in WIRES.items():
        x = 66 + 44 * (number_near(wire[-1], 1.5) // 2)
        assert re.search(rf'd="M{x},172 [^"]*" stroke="{colour}" stroke-width="3.5"', other)
    assert len(WIRES) == len(wires(Config()))


def test_no_two_wires_lie_on_each_other_and_none_passes_another_ones_joint():
    joints = spots("leg") + spots("pad") + spots("pin")
    for one, other in combinations(WIRES.values(), 2):
        assert not any(on(joint, one) and on(joint, other) for joint in joints)
        for corner in one:
            assert not on(corner, other)
    for wire in WIRES.values():
        assert sum(on(pin, wire) for pin in spots("pin")) == 1


def test_each_wire_of_the_keys_has_a_resistor_in_its_way():
    boxes = [each for each in ROOT.iter(f"{SVG}rect") if each.get("class") == "resistor"]
    for box in boxes:
        x, y, width, height = (float(box.get(name)) for name in ("x", "y", "width", "height"))
        wire = WIRES[box.get("stroke")]
        assert wire[-2][0] < x < x + width < wire[-1][0]
        assert y + height / 2 == pytest.approx(wire[-1][1])
    ends = {HEADER[number_near(WIRES[box.get("stroke")][-1], 1.5) - 1] for box in boxes}
    assert ends == {*KEYPAD.rows, *KEYPAD.columns}


def area(words, place, element):
    """Return where a text is: left, top, right, bottom, in a wide sans-serif."""
    size = float(element.get("font-size"))
    width = 0.55 * size * len(words)
    x, y = place
    if element.get("transform"):  # turned to the left, and it ends at its place
        return x - 0.75 * size, y, x, y + width
    left = x - width * {"start": 0, "middle": 0.5, "end": 1}[element.get("text-anchor")]
    return left, y - 0.75 * size, left + width, y + 0.2 * size


def meet(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_no_text_meets_another_one_or_a_wire_and_all_are_legible_in_print():
    areas = {each: area(*each) for each in texts()}
    for (one, where), (other, there) in combinations(areas.items(), 2):
        assert not meet(where, there), (one[0], other[0])
    for (words, _, element), where in areas.items():
        assert 0 < where[0] < where[2] < A4[0], words
        assert float(element.get("font-size")) >= 2.4  # millimetres: 7 points
        on_a_symbol = words == "470" or any(dist(pin, centre(where)) < 1 for pin in spots("pin"))
        for wire in WIRES.values():
            for a, b in pairwise(wire):
                line = (min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))
                assert on_a_symbol or not meet(where, line), words


def centre(where):
    return (where[0] + where[2]) / 2, (where[1] + where[3]) / 2
