import itertools
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance import wiring
from appliance.config import Config, DisplayConfig, KeypadConfig, LedConfig, SoundConfig
from appliance.wiring.net import HEADER, wires
from appliance.wiring.routing import routes

DRAWING = Path(__file__).parent.parent / "boot/wiring.svg"


@st.composite
def configs(draw):
    port = draw(st.sampled_from([0, 1, 3]))
    free = [pin for pin in range(28) if pin not in {0: (0, 1), 1: (2, 3)}.get(port, ())]
    pins = draw(st.lists(st.sampled_from(free), min_size=8, max_size=8, unique=True))
    return Config(
        keypad=KeypadConfig(rows=tuple(pins[:3]), columns=tuple(pins[3:6])),
        sound=SoundConfig(draw(st.sampled_from([None, pins[6]]))),
        led=LedConfig(draw(st.sampled_from([None, pins[7]]))),
        display=DisplayConfig(port=port),
    )


def test_the_header_is_that_of_every_board():
    assert len(HEADER) == 40
    assert sorted(pin for pin in HEADER if isinstance(pin, int)) == list(range(28))
    at = {pin: number for number, pin in enumerate(HEADER, 1) if isinstance(pin, int)}
    assert (at[2], at[3], at[17], at[27], at[22], at[5], at[6], at[13]) == (3, 5, 11, 13, 15, 29, 31, 33)
    assert [number for number, pin in enumerate(HEADER, 1) if pin == "GND"] == [6, 9, 14, 20, 25, 30, 34, 39]
    assert [number for number, pin in enumerate(HEADER, 1) if pin == "3V3"] == [1, 17]
    assert [number for number, pin in enumerate(HEADER, 1) if pin == "5V"] == [2, 4]


def test_the_default_box():
    assert [(wire.pin, wire.signal, wire.part, wire.terminal) for wire in wires(Config())] == [
        (9, "GND", "display", "GND"),
        (1, "3V3", "display", "VCC"),
        (5, "GPIO 3", "display", "SCL"),
        (3, "GPIO 2", "display", "SDA"),
        (11, "GPIO 17", "keys", "row 1"),
        (13, "GPIO 27", "keys", "row 2"),
        (15, "GPIO 22", "keys", "row 3"),
        (29, "GPIO 5", "keys", "column 1"),
        (31, "GPIO 6", "keys", "column 2"),
        (33, "GPIO 13", "keys", "column 3"),
    ]


def test_the_table():
    lines = list(wiring.lines(Config(sound=SoundConfig(18))))
    assert lines[0].split() == ["header", "pin", "signal", "goes", "to"]
    assert "     3      GPIO 2    display SDA" in lines
    assert "    12      GPIO 18   buzzer +" in lines
    assert "    14      GND       buzzer -" in lines
    assert "      row 1:  1  2  3     (columns 1, 2, 3 from the left)" in lines
    told = "-- SDA and SCL: where the overlay puts them that makes the I2C bus 3"
    assert told not in lines
    assert told in wiring.lines(Config(display=DisplayConfig(port=3)))


@given(configs())
def test_no_header_pin_has_two_wires_and_no_wire_lies_on_another(config):
    net = wires(config)
    assert len({wire.pin for wire in net}) == len(net)
    assert [wire.signal for wire in net if wire.kind == "ground"] == ["GND"] * len(
        [wire for wire in net if wire.kind == "ground"]
    )
    pieces = []
    for wire, points in routes(net):
        straight = [
            piece
            for piece in itertools.pairwise(points)
            if piece[0][0] == piece[1][0] or piece[0][1] == piece[1][1]
        ]
        assert len(straight) >= len(points) - 2  # the short way between two pins is the only slanting one
        pieces.append((wire, straight))
    for (one, straight), (other, more) in itertools.combinations(pieces, 2):
        for (a, b), (c, d) in itertools.product(straight, more):
            for along, across in ((0, 1), (1, 0)):
                if a[across] == b[across] == c[across] == d[across]:
                    apart = max(a[along], b[along]) < min(c[along], d[along]) or max(
                        c[along], d[along]
                    ) < min(a[along], b[along])
                    assert apart, (one, other)


@given(configs())
def test_the_drawing_names_every_wire_at_both_ends(config):
    root = ET.fromstring(wiring.svg(config))  # noqa: S314  # our own
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    described = root.find("{http://www.w3.org/2000/svg}desc").text
    for wire in wires(config):
        assert wire.signal in texts
        assert {"keys": wire.terminal.replace("column", "col")}.get(wire.part, wire.terminal) in texts
        assert wire.part in ("buzzer", "lamp") or f"pin {wire.pin}" in texts
        assert f"header pin {wire.pin} ({wire.signal}) to {wire.part} {wire.terminal}" in described
    width, height = (float(value) for value in root.get("viewBox").split()[2:])
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 <= float(text.get("x")) <= width
        assert 0 <= float(text.get("y")) <= height
        if text.get("text-anchor") == "start":  # a letter is about half as wide as it is high
            assert float(text.get("x")) + 0.5 * float(text.get("font-size")) * len(text.text) <= width


def test_the_drawing_in_the_repository_is_current():
    told = "draw it anew: tictactoe boot wiring --svg boot/wiring.svg"
    assert DRAWING.read_text() == wiring.svg(Config()), told


@pytest.mark.parametrize("part", ["buzzer", "lamp"])
def test_small_parts_make_the_drawing_wider(part):
    config = Config(sound=SoundConfig(18)) if part == "buzzer" else Config(led=LedConfig(18))
    assert 'viewBox="0 0 990 ' in wiring.svg(Config())
    assert 'viewBox="0 0 1122 ' in wiring.svg(config)
    assert f">{part}<" in wiring.svg(config)
