"""The keys: each fault that a hand-wired matrix may have, and its name in the report."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selftest_box import COLUMN_PINS, ROW_PINS, WHERE, Box, bad

from appliance.boardtest.keys import check_keys
from appliance.boardtest.rig import Rig
from appliance.config.schema import Config
from appliance.core.english import listed
from appliance.core.keys.diagnosis import OK, Matrix, Tried, after_walk
from appliance.core.keys.scan import keys_of

MATRIX = Matrix(ROW_PINS, COLUMN_PINS, WHERE)
PINS = {"row 1": "17, pin 11", "row 2": "27, pin 13", "row 3": "22, pin 15"}
PINS |= {"column 1": "5, pin 29", "column 2": "6, pin 31", "column 3": "13, pin 33"}
LINE = ROW_1, ROW_2, ROW_3, COLUMN_1, COLUMN_2, COLUMN_3 = [
    f"{name} (BCM {pin})" for name, pin in PINS.items()
]
COLUMNS_1_2, ROWS_2_3 = f"{COLUMN_1} and {COLUMN_2}", f"{ROW_2} and {ROW_3}"
TO_GROUND = "; or for a short from a row's wire to ground"
FREE_FIRST = "free the stuck keys first: they cause ghosts"


def dead(number):
    row, column = divmod(number - 1, 3)
    return (
        f"key {number}: no contact",
        f"check the button and its joints to {LINE[row]} and {LINE[3 + column]}",
    )


def off(name, keys):
    pin = PINS[name]
    remedy = f"check the wire to {name} (BCM {pin}): it is off, or at 3.3 V (header pins 1 and 17)"
    return f"{name} (BCM {pin}): no contact (keys {keys})", remedy


def bridged(answers, lines, keys, short=""):
    return f"key {answers}", f"look for a bridge between {lines}, or between the contacts of {keys}{short}"


def free(*lines):
    return f"free the button, or look for a bridge between {listed(lines)}"


def swapped(number, answer, *lines):
    remedy = f"trace the wires of keys {min(number, answer)} and {max(number, answer)}: {listed(lines)}"
    return f"key {number} answers as key {answer}", remedy


# The contacts (from 0) that a key closes, or the keys that are down; then the rows that are not "ok".
# fmt: off
WIRINGS = {
    "a dead key": ({4: ()}, [dead(5)]),
    "a dead column": ({2: (), 5: (), 8: ()}, [off("column 3", "3, 6 and 9")]),
    "a dead row, a dead column and a dead key": (
        dict.fromkeys((0, 1, 2, 3, 6, 8), ()),
        [off("row 1", "1, 2 and 3"), off("column 1", "1, 4 and 7"), dead(9)]),
    "no keypad": (
        dict.fromkeys(range(9), ()),
        [("no key makes contact",
          "check the keypad's plug, and rows and columns under keypad: in box.yaml")]),
    "two keys swapped": (
        {3: (5,), 5: (3,)}, [swapped(number, 10 - number, ROW_2, COLUMN_1, COLUMN_3) for number in (4, 6)]),
    # With two rows dead, the other row's wire cannot be located.
    "a key that several swaps explain": (
        {0: (4,)} | dict.fromkeys(range(1, 9), ()),
        [off("row 2", "4, 5 and 6"), off("row 3", "7, 8 and 9"), off("column 2", "2, 5 and 8"),
         off("column 3", "3, 6 and 9"), swapped(1, 5, ROW_1, ROW_2, COLUMN_1, COLUMN_2)]),
    "two keys bridged": (
        {0: (0, 1), 1: (0, 1)},
        [bridged(f"{key} answers as keys 1 and 2", COLUMNS_1_2, "keys 1 and 2") for key in (1, 2)]),
    "two contacts across": (
        {0: (0, 4)},
        [bridged("1 answers as keys 1 and 5", f"{ROW_1}, {ROW_2}, {COLUMNS_1_2}", "keys 1 and 5")]),
    "two bridges": (
        {0: (0, 1), 8: (5, 8)},
        [bridged("1 answers as keys 1 and 2", COLUMNS_1_2, "keys 1 and 2"),
         bridged("9 answers as keys 6 and 9", ROWS_2_3, "keys 6 and 9", TO_GROUND)]),
}
OTHERS = {
    "a stuck key": ({"stuck": {2}}, [("key 3: down with nobody pressing", free(ROW_1, COLUMN_3))]),
    "a bridge beside a stuck key": (
        {"stuck": {3}, "wiring": {0: (0, 1)}},
        [("key 4: down with nobody pressing", free(ROW_2, COLUMN_1)),
         ("key 1 answers as keys 1, 2 and 5", "free the stuck key first: it causes ghosts")]),
    "stuck keys that cause ghosts": (
        {"stuck": {0, 1, 3}},
        [("keys 1, 2, 4 and 5: down with nobody pressing (some may be ghosts of the others)",
          free(ROW_1, ROW_2, COLUMN_1, COLUMN_2)),
         ("keys 3, 6, 7, 8 and 9: not tried", FREE_FIRST)]),
    "a column held low": (
        {"stuck": {1, 4, 7}},
        [(f"{COLUMN_2}: held low",
          "look for a short from its wire to ground or to a row, or for keys 2, 5 and 8 stuck"),
         ("keys 1, 3, 4, 6, 7 and 9: not tried", FREE_FIRST)]),
    "a key that stays down": (
        {"stays_down": {4}}, [("key 5: stayed down", free(ROW_2, COLUMN_2))]),
    "a second key that stays down": (
        {"stays_down": {0, 4}},
        [("keys 1 and 5: stayed down", free(ROW_1, ROW_2, COLUMN_1, COLUMN_2)),
         ("keys 6, 7, 8 and 9: not tried", FREE_FIRST)]),
}
# fmt: on
FAULTS = {name: ({"wiring": wiring}, rows) for name, (wiring, rows) in WIRINGS.items()} | OTHERS


@pytest.mark.parametrize(("parts", "reported"), FAULTS.values(), ids=FAULTS)
def test_each_fault_is_named(parts, reported):
    box = Box(**parts)
    rows = box.run()
    assert bad(rows) == reported
    good = [row.what for row in rows if "read correctly" in row.what]
    tried = re.findall(r"press key (\d) [^;\n]* ok\n", box.terminal)
    assert re.findall(r"\d", "".join(good)) == tried
    if set(parts) == {"wiring"}:
        assert tried == [str(key + 1) for key in range(9) if key not in parts["wiring"]]


@settings(max_examples=50)
@given(
    st.dictionaries(st.integers(0, 8), st.integers(0, 511)),
    st.sampled_from([0, *(1 << key for key in range(9))]),
)
def test_each_key_has_its_place_in_the_table(answers, rest):
    """Whatever was read, a key is reported as good exactly if it is, and every other key is in some row."""
    found = [Tried(key, (keys,) * bool(keys)) for key, keys in answers.items() if not rest >> key & 1]
    rows = list(after_walk(found, rest, MATRIX))
    good = [row.what for row in rows if row.verdict == OK]
    others = " ".join(row.what for row in rows if row.verdict != OK)
    assert len(good) <= 1
    if "no key makes" in others:
        assert len(found) == 9
        return
    for key in keys_of(511 & ~rest):
        is_good = answers.get(key) == 1 << key
        assert (str(key + 1) in re.findall(r"\d+", "".join(good)) or "1 to 9" in "".join(good)) == is_good
        assert is_good or re.search(rf"\b{key + 1}\b", others) or "1 to 9" in others


@pytest.mark.parametrize("times", [(0.1, 0.2), (0.25, 0.31)], ids=["at first", "at last"])
def test_a_loose_contact(times):
    box, (down, up) = Box(), times
    box.at = [(down, lambda: box.network.press(6)), (up, lambda: box.network.release(6))]
    assert bad(box.run()) == [
        (
            "key 7: flickering with nobody pressing",
            f"look for a loose contact at {ROW_3} and {COLUMN_1}, and keep the wires short",
        )
    ]


# Walks over scans: (ms, the keys (bits) that read as closed from then on); (ms, what is printed), for key 1
# fmt: off
WALKS = {
    "slip": (
        [(600, 2), (700, 0), (900, 1), (1000, 0)],
        [(620, "answers as key 2"), (720, "; press key 1 again ... "), (920, "ok"), (1020, "\n")]),
    "bounce": (
        [(0, 1), (5, 0), (15, 1), (20, 0), (25, 1), (100, 0), (110, 1), (115, 0), (130, 1), (140, 0)],
        [(45, "ok"), (160, "\n")]),
    "silent": ([], [(2000, "no contact\n")]),
    "not steady at the limit": ([(1990, 1)], [(2000, "no contact\n")]),
    "a slip, then nothing": (
        [(100, 2), (200, 0)],
        [(120, "answers as key 2"), (220, "; press key 1 again ... "), (2220, "no contact\n")]),
    "held": (
        [(0, 1), (2100, 3), (2200, 1)],
        [(20, "ok"), (2020, ", and stays down\n  press key 2 (top row, middle) ... "), (2120, "ok"),
         (2220, "\n")]),
    "two other answers": (
        [(100, 2), (200, 0), (600, 4), (700, 0)],
        [(120, "answers as key 2"), (220, "; press key 1 again ... "), (620, "answers as key 3"),
         (720, "\n")]),
}
# fmt: on


class Scans(Rig):
    """A box whose keypad reads these scans, polled each ms; it records what is printed and when."""

    def __init__(self, scans, rest=0):
        super().__init__(Config(), WHERE)
        self.ms, self.printed, self.scans, self.rest = -300, [], scans, rest  # at rest until 0

    def poll(self, _now):
        self.value = next((keys for at, keys in reversed(self.scans) if at <= self.ms), self.rest)
        return [], 1

    def now(self):
        return self.ms / 1000

    def wait(self, ms):
        self.ms += ms

    def say(self, text):
        if text and self.ms > 0:
            self.printed.append((self.ms, text))

    def present(self, _prompt):
        pass

    def rows(self):
        return [row.what for row in check_keys(self, self, 2.0)]


@pytest.mark.parametrize(("scans", "printed"), WALKS.values(), ids=WALKS)
def test_a_walk_step_by_step(scans, printed):
    box = Scans(scans)
    box.rows()
    for (at, text), (wanted, beginning) in zip(box.printed, printed, strict=False):
        assert text.startswith(beginning)
        assert at - wanted in {0, 1}  # a scan later where 0.12 - 0.1 is less than 0.02


def test_the_last_reading_counts():
    assert "key 1: read correctly" in Scans(WALKS["slip"][0]).rows()


def test_a_stuck_key_that_comes_off_no_longer_counts():
    rows = Scans([(100, 0), (300, 1), (400, 0)], rest=1 << 8).rows()
    assert rows[:2] == ["key 9: down with nobody pressing", "key 1: read correctly"]
    assert rows[-1] == f"{COLUMN_3}: no contact (keys 3, 6 and 9)", "key 9 was tried"
