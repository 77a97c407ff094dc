import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.bootfiles import wiring
from appliance.bootfiles.wiring import wires
from appliance.config.schema import BUZZERS, Config, DisplayConfig, KeypadConfig
from appliance.core.keys.pins import HEADER

DRAWING = Path(__file__).parents[2] / "hardware/wiring.svg"
SVG = "{http://www.w3.org/2000/svg}"


@st.composite
def configs(draw):
    port = draw(st.sampled_from([0, 1, 3]))
    free = [pin for pin in range(28) if pin not in {0: (0, 1), 1: (2, 3)}.get(port, ())]
    pins = draw(st.lists(st.sampled_from(free), min_size=8, max_size=8, unique=True))
    return Config(
        keypad=KeypadConfig(rows=tuple(pins[:3]), columns=tuple(pins[3:6])),
        buzzer=draw(st.sampled_from([None, pins[6]])),
        buzzer_kind=draw(st.sampled_from(BUZZERS)),
        led=draw(st.sampled_from([None, pins[7]])),
        display=DisplayConfig(port=port),
    )


def test_the_header_is_that_of_every_board():
    assert sorted(pin for pin in HEADER if isinstance(pin, int)) == list(range(28))
    assert [HEADER.index(pin) + 1 for pin in (2, 3, 17, 27, 22, 5, 6, 13)] == [3, 5, 11, 13, 15, 29, 31, 33]
    power = [name for name in HEADER if isinstance(name, str)]
    assert power == ["3V3", "5V", "5V", "GND", "GND", "GND", "3V3", "GND", "GND", "GND", "GND", "GND"]


DEFAULT = """\
header pin 9 (GND) to display GND;
header pin 1 (3V3) to display VCC;
header pin 5 (GPIO 3) to display SCL;
header pin 3 (GPIO 2) to display SDA;
header pin 11 (GPIO 17) to keys row 1;
header pin 13 (GPIO 27) to keys row 2;
header pin 15 (GPIO 22) to keys row 3;
header pin 29 (GPIO 5) to keys column 1;
header pin 31 (GPIO 6) to keys column 2;
header pin 33 (GPIO 13) to keys column 3"""


def test_the_drawing_shows_the_default_wiring():
    net = wires(Config())
    described = [f"header pin {w.pin} ({w.signal}) to {w.part} {w.terminal}" for w in net]
    assert ";\n".join(described) == DEFAULT
    root = ET.fromstring(DRAWING.read_text())  # noqa: S314  # our own
    assert root.find(f"{SVG}desc").text == DEFAULT
    texts = [text.text for text in root.iter(f"{SVG}text")]
    for wire in net:
        assert {wire.signal, f"pin {wire.pin}", wire.terminal.replace("column", "col")} <= set(texts)
    assert f"I2C bus {Config().display.port}" in texts


def test_the_drawing_has_a_resistor_in_each_wire_of_the_keys():
    root = ET.fromstring(DRAWING.read_text())  # noqa: S314  # our own
    rects = [rect.attrib for rect in root.iter(f"{SVG}rect")]
    paths = [(path.get("stroke"), path.get("d")) for path in root.iter(f"{SVG}path")]
    drawn = set()
    for box in [rect for rect in rects if (rect.get("width"), rect.get("height")) == ("14", "40")]:
        x, y = int(box["x"]) + 7, int(box["y"])
        [wire] = [line for stroke, line in paths if stroke == box["stroke"] and re.match(r"M\d+,172 ", line)]
        points = [tuple(map(int, point[1:].split(","))) for point in wire.split()]
        assert any(
            one[0] == other[0] == x and one[1] < y < y + 40 < other[1] for one, other in pairwise(points)
        )
        drawn.add(points[0][0])
    keys = {wire.pin for wire in wires(Config()) if wire.part == "keys"}
    assert drawn == {66 + 44 * (pin // 2) for pin in keys}
    assert {"470 ohms", "recommended"} <= {text.text for text in root.iter(f"{SVG}text")}


@given(configs())
def test_no_header_pin_has_two_wires_and_every_wire_is_in_the_table(config):
    net = wires(config)
    assert len({wire.pin for wire in net}) == len(net)
    assert {wire.signal for wire in net if wire.terminal in ("GND", "-")} == {"GND"}
    rows = [line.split() for line in wiring.lines(config)]
    for wire in net:
        assert [str(wire.pin), *wire.signal.split(), wire.part, *wire.terminal.split()] in rows


def test_the_table_is_that_of_a_configuration(tmp_path, boot):
    note = "-- SDA and SCL: on the pins that the overlay of I2C bus 3 selects"
    usual = boot("wiring")[1]
    assert usual[0].split() == ["header", "pin", "signal", "goes", "to"]
    assert "    11      GPIO 17   keys row 1" in usual
    assert "      row 1:  1  2  3     (columns 1, 2, 3 from the left)" in usual
    assert note not in usual
    assert any("optional: 470 ohms in series with each of these six wires" in line for line in usual)
    (tmp_path / "c.yaml").write_text("keypad:\n  rows: [4, 27, 22]\nsound: {pin: 18}\ndisplay: {port: 3}\n")
    lines = boot("wiring", "--config", tmp_path / "c.yaml")[1]
    assert {"     7      GPIO 4    keys row 1", "    14      GND       buzzer -", note} <= set(lines)


@pytest.mark.parametrize(("kind", "terminals", "says"), [
    ("passive", {"+": "GPIO 24", "-": "GND"}, "a piezo, directly to the pins"),
    ("active", {"signal": "GPIO 24", "VCC": "3V3", "GND": "GND"}, "NPN transistor"),
    ("active-low", {"signal": "GPIO 24", "VCC": "3V3", "GND": "GND"}, "at 5V it never falls silent"),
])  # fmt: skip
def test_each_kind_of_buzzer_has_its_wires(kind, terminals, says):
    """A pin gives 16 mA, and an active buzzer may take 30: it is fed by 3V3, and the pin only switches it."""
    config = Config(buzzer=24, buzzer_kind=kind)
    assert {wire.terminal: wire.signal for wire in wires(config) if wire.part == "buzzer"} == terminals
    text = "\n".join(wiring.lines(config))
    assert says in text
    assert max(map(len, text.split("\n"))) <= 110
