"""The dimensions in hardware/dimensions.scad: what the panel, the drawings and the desk need of them."""

import ast
import re
from pathlib import Path
from typing import Any, NamedTuple

from appliance.config.schema import CHIPS, ChipFacts

FILE = Path(__file__).with_name("dimensions.scad")  # in a checkout a link to the file in hardware/


def read_dimensions(text: str) -> dict[str, Any]:
    """Return the values by name; a list becomes a tuple.

    >>> read_dimensions("panel = [90, 140]; // mm")
    {'panel': (90, 140)}
    """
    code = re.sub(r"//.*", "", text)
    found = re.findall(r"^(\w+) = ([^;]+);", code, flags=re.MULTILINE)
    return {name: _frozen(ast.literal_eval(value.strip())) for name, value in found}


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


class Display(NamedTuple):
    """A common display: its lit area, and the size of its circuit board behind the panel."""

    inches: str
    lit: tuple[float, float]
    board: tuple[float, float]


_ALL = read_dimensions(FILE.read_text())
PANEL = _ALL["panel"]
PITCH = _ALL["pitch"]
HOLE = _ALL["hole"]
KEYS_Y = _ALL["keys_y"]
DISPLAY_Y = _ALL["display_y"]
SCREW = _ALL["screw"]
SCREW_EDGE = _ALL["screw_edge"]
DISPLAYS = tuple(Display(*each) for each in _ALL["displays"])
MARGIN = _ALL["margin"]
BOARDS = tuple(each[0] for each in _ALL["boards"])


def key_centre(key: int) -> tuple[float, float]:
    """Return the centre of a button (0 to 8), from the panel's upper left corner as seen from the front."""
    row, column = divmod(key, 3)
    return PANEL[0] / 2 + (column - 1) * PITCH, KEYS_Y + row * PITCH


def panel_for(driver: str, height: int) -> dict[str, Any]:
    """Return a box's panel as a page draws it; the display is the usual one with this chip and height."""
    usual = "0.91" if height == 32 else CHIPS.get(driver, ChipFacts()).inches
    display = next(each for each in DISPLAYS if each.inches == usual)
    return {
        "width": PANEL[0],
        "height": PANEL[1],
        "lit": display.lit,
        "board": display.board,
        **{name: _ALL[name] for name in ("pitch", "hole", "keys_y", "display_y", "screw", "screw_edge")},
    }
