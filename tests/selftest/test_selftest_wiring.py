"""No good part is accused, whatever the fault of the keypad, nor for random pairs of faults.

The keypad here is a list of what is joined, made from the drawing of the matrix and not from the product: a
row that is driven low pulls down every column that it is joined to, and every other pin is pulled up.
"""

import random
import re
from itertools import combinations

import pytest

from appliance.core.keys import walk as walking
from appliance.core.keys.diagnosis import FAILED, OK, Matrix

GROUND = "ground"
ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)  # BCM numbers: the pins, and so the wires on them
PINS = ROWS + COLUMNS
NEIGHBOURS = [(key, key + step) for key in range(9) for step in (1, 3) if key + step < 9]
NEIGHBOURS = [pair for pair in NEIGHBOURS if pair[1] - pair[0] == 3 or pair[1] % 3]
SINGLE = [
    *(("swapped", *pair) for pair in combinations(PINS, 2)),
    *(("bridged", *pair) for pair in combinations(PINS, 2)),
    *(("off", pin) for pin in PINS),  # broken, or on a pin that the keypad does not use: that drives nothing
    *(("to ground", pin) for pin in PINS),
    *(("dead", key) for key in range(9)),
    *(("stuck", key) for key in range(9)),
]
BUTTONS = {"dead", "stuck", "contacts bridged"}
TOGETHER = [("contacts bridged", *pair) for pair in NEIGHBOURS]


def joints_of(faults, pressed):
    """Return the pairs that are joined: pins, lines of the matrix (strings), ground."""
    leads = {pin: f"row {row}" for row, pin in enumerate(ROWS)}
    leads |= {pin: f"column {column}" for column, pin in enumerate(COLUMNS)}
    joints, closed, dead = [], set(pressed), set()
    for kind, *what in faults:
        if kind == "swapped":
            one, other = what
            leads[one], leads[other] = leads[other], leads[one]
        elif kind == "bridged":
            joints.append(what)
        elif kind == "to ground":
            joints.append((*what, GROUND))
        elif kind == "contacts bridged" and closed & set(what):
            closed |= set(what)
    for kind, *what in faults:
        if kind == "dead":
            dead.add(what[0])
        elif kind == "stuck":
            closed.add(what[0])
    off = {what[0] for kind, *what in faults if kind == "off"}
    joints += [(pin, line) for pin, line in leads.items() if pin not in off]
    return joints + [(f"row {key // 3}", f"column {key % 3}") for key in closed - dead]


def scan(faults, *pressed):
    joints, keys = joints_of(faults, pressed), 0
    for row, driven in enumerate(ROWS):
        low, left = set(), {driven, GROUND}
        while left:
            low |= left
            left = {end for pair in joints if low & set(pair) for end in pair} - low
        keys |= sum(1 << row * 3 + column for column, pin in enumerate(COLUMNS) if pin in low)
    return keys


def diagnose(faults):
    """Walk over the keys of such a keypad; return the report's rows."""
    walk, now = walking.begin(2.0, 0.0), 0.0
    keys = {key: scan(faults, *key) for key in [(), *((key,) for key in range(9))]}
    while not walk.over:
        walk = walking.advance(walk, keys[() if walk.pressed or walk.key < 0 else (walk.key,)], now)
        now += 0.025
    return list(walking.rows(walk, Matrix(ROWS, COLUMNS, "box.yaml")))


def accused(row):
    """Return the pins and the buttons (from 0) that a sentence of the report sends a person to."""
    sentence = f"{row.what} - {row.remedy}"
    pins = {int(bcm) for bcm in re.findall(r"BCM (\d+)", sentence)}
    named = re.search(r"(keys? [\d, and]+) (is stuck|makes? no contact)", row.what)
    if "check the button and its joints" in row.remedy:
        return (pins if row.what.startswith("either") else set()), numbers(named[1] if named else row.what)
    if "makes no contact" in row.what:
        return set(PINS), set(range(9))
    if "it causes ghosts" in row.remedy or "they cause ghosts" in row.remedy:
        return set(), set()  # those blame nothing
    buttons = re.findall(
        r"the contacts of (keys? [\d, and]+)|(keys? [\d, and]+)(?:: down|: stayed| is stuck| stuck)", sentence
    )
    return pins, numbers(" ".join(map("".join, buttons)))


def numbers(text):
    return {int(number) - 1 for number in re.findall(r"\d", text)}


def false_accusations(faults):
    rows = [row for row in diagnose(faults) if row.verdict == FAILED]
    assert rows, "not noticed"
    pins = {pin for kind, *what in faults if kind not in BUTTONS for pin in what}
    buttons = {key for kind, *what in faults if kind in BUTTONS for key in what}
    found = []
    for row in rows:
        accused_pins, accused_buttons = accused(row)
        if (accused_pins or accused_buttons) and not (pins & accused_pins or buttons & accused_buttons):
            found.append(row.what)
    return found


@pytest.mark.parametrize("fault", [*SINGLE, *TOGETHER], ids=lambda fault: " ".join(map(str, fault)))
def test_a_single_fault_is_noticed_and_nothing_else_is_accused(fault):
    assert false_accusations([fault]) == []


def test_a_good_keypad_is_not_accused():
    assert {row.verdict for row in diagnose([])} == {OK}


def test_two_faults_are_noticed_and_nothing_else_is_accused():
    pairs = random.Random(22).sample(list(combinations(SINGLE, 2)), 60)
    assert {pair: wrong for pair in pairs if (wrong := false_accusations(pair))} == {}


ROW_1, ROW_2 = "row 1 (BCM 17, pin 11)", "row 2 (BCM 27, pin 13)"
COLUMN_1, COLUMN_2 = "column 1 (BCM 5, pin 29)", "column 2 (BCM 6, pin 31)"
SWAPPED = (f"the wires of {ROW_1} and {COLUMN_1} are swapped", "swap these two wires")
MOVES = f"from {ROW_1} to {COLUMN_1}, from {COLUMN_1} to {ROW_2} and from {ROW_2} to {ROW_1}"
# What the report says of faults that its other sentences cannot name.
SAID = {
    (("swapped", 17, 5),): [SWAPPED],
    (("swapped", 17, 27), ("swapped", 17, 5)): [
        (
            f"the wires of {ROW_1}, {COLUMN_1} and {ROW_2} are swapped",
            f"move the wires: {MOVES}",
        )
    ],
    (("swapped", 17, 5), ("off", 27)): [
        SWAPPED,
        (f"{ROW_2}: no contact", f"check the wire to {ROW_2}"),
    ],
    (("swapped", 17, 5), ("to ground", 27)): [
        SWAPPED,
        (f"{ROW_2} is shorted to ground", f"look for a short from the wire of {ROW_2} to ground"),
    ],
    (("swapped", 17, 5), ("bridged", 17, 6)): [
        SWAPPED,
        (f"{ROW_1} and {COLUMN_2} are bridged", f"look for a bridge between {ROW_1} and {COLUMN_2}"),
    ],
    (("swapped", 17, 5), ("dead", 8)): [
        SWAPPED,
        ("key 9 makes no contact", "check the button and its joints"),
    ],
    (("swapped", 17, 27), ("stuck", 3)): [
        (f"the wires of {ROW_1} and {ROW_2} are swapped", "swap these two wires"),
        (
            f"either {ROW_1} and {COLUMN_1} are bridged; or key 4 is stuck",
            "the readings do not show which: check each, and test again",
        ),
    ],
}


@pytest.mark.parametrize("faults", SAID, ids=str)
def test_what_explains_everything_is_named(faults):
    assert [(row.what, row.remedy) for row in diagnose(faults) if row.verdict == FAILED] == SAID[faults]


def test_a_walk_that_was_not_finished_is_not_explained():
    """Too many faults would explain the keys that were tried."""
    walk = walking.begin(2.0, 0.0)
    for now, keys in ((0.0, 0), (0.31, 0), (1.0, 1), (1.1, 1), (1.2, 0), (1.3, 0), (3.4, 0)):
        walk = walking.advance(walk, keys, now)
    rows = list(walking.rows(walk, Matrix(ROWS, COLUMNS, "box.yaml")))
    assert [row.what for row in rows if row.verdict == FAILED] == ["key 2: no contact"]
