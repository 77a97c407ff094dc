"""The report names the cause of every fault of the keypad, and of pairs of faults, and accuses no good part.

The keypad here is a list of what is joined, made from the drawing of the matrix and not from the product: a
row that is driven low pulls down every column that it is joined to, and every other pin is pulled up.
"""

import re
from collections import Counter
from itertools import combinations, islice, permutations, product

import pytest
from effort import amount

from appliance.core.keys import walk as walking
from appliance.core.keys.causes import explained
from appliance.core.keys.diagnosis import DEAD, FAILED, JOINED, OK, STUCK, UNCLEAR, Matrix, Tried, after_walk
from appliance.core.keys.pins import COLUMN_PINS, ROW_PINS

GROUND = "ground"
PINS = ROW_PINS + COLUMN_PINS
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
    leads = {pin: f"row {row}" for row, pin in enumerate(ROW_PINS)}
    leads |= {pin: f"column {column}" for column, pin in enumerate(COLUMN_PINS)}
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
    for row, driven in enumerate(ROW_PINS):
        low, left = set(), {driven, GROUND}
        while left:
            low |= left
            left = {end for pair in joints if low & set(pair) for end in pair} - low
        keys |= sum(1 << row * 3 + column for column, pin in enumerate(COLUMN_PINS) if pin in low)
    return keys


def walked(scans):
    """Walk over the keys of a keypad that reads like this, by the key that is pressed; -1 is none."""
    walk, now = walking.start(2.0, 0.0), 0.0
    while not walk.over:
        keys = scans[-1 if walk.pressed else walk.key]
        walk = walking.advance(walk, keys, now)
        now += 0.1 if walk.pressed or keys else 1.0
    return list(walking.rows(walk, Matrix(ROW_PINS, COLUMN_PINS, "box.yaml")))


def diagnose(faults):
    """Return the report's rows for a keypad with these faults."""
    return walked({key: scan(faults, *([key] if key >= 0 else [])) for key in range(-1, 9)})


def failed(rows):
    return [row for row in rows if row.verdict == FAILED]


def accused(row):
    """Return the pins and the buttons (from 0) that a sentence of the report sends a person to."""
    sentence = f"{row.what}; {row.remedy}"
    if "no key makes contact" in sentence:
        return set(PINS), set(range(9))
    if "it causes ghosts" in sentence or "they cause ghosts" in sentence:
        return set(), set()  # those blame nothing
    joints = "check the button and its joints" in sentence  # the pins only say where these are
    pins = set() if joints else {int(bcm) for bcm in re.findall(r"BCM (\d+)", sentence)}
    buttons = re.findall(
        r"the contacts of (keys? [\d, and]+)|(keys? [\d, and]+)(?:: down|: stayed|: no contact| stuck)",
        sentence,
    )
    return pins, {int(number) - 1 for number in re.findall(r"\d", "".join(map("".join, buttons)))}


def judged(faults):
    """Return what the report gives for such faults. Fail if it is nothing, or if a row accuses good parts."""
    rows = diagnose(faults)
    pins = {pin for kind, *what in faults if kind not in BUTTONS for pin in what}
    buttons = {key for kind, *what in faults if kind in BUTTONS for key in what}
    assert failed(rows), (faults, "not noticed")
    for row in failed(rows):
        accused_pins, accused_buttons = accused(row)
        nothing = not accused_pins and not accused_buttons
        assert nothing or pins & accused_pins or buttons & accused_buttons, (faults, row)
        assert all((row.fault, row.keys, row.lines)), "the display has a page for it"
    said = " ".join(row.what for row in rows)
    found = ("not tried", "not finished"), ("answers as", "symptoms"), ("either", "either"), ("", "one cause")
    return next(name for words, name in found if words in said)


def test_a_good_keypad_is_not_accused():
    assert {row.verdict for row in diagnose([])} == {OK}


def test_a_single_fault_has_one_cause_and_nothing_else_is_accused():
    """But for a column at ground: three keys are down, where the walk stops."""
    assert Counter(judged([fault]) for fault in SINGLE) == {"one cause": 57, "not finished": 3}
    assert {judged([fault]) for fault in TOGETHER} == {"symptoms"}


@pytest.mark.parametrize("quarter", [0, 1])
def test_of_a_panel_mounted_turned_the_easy_cure_comes_first(quarter):
    """The other one moves all six wires."""
    answers = [[6, 3, 0, 7, 4, 1, 8, 5, 2], [2, 5, 8, 1, 4, 7, 0, 3, 6]][quarter]
    tried = [Tried(key, (1 << answer,)) for key, answer in enumerate(answers)]
    matrix = Matrix(where="box.yaml")
    (row,) = failed(explained(list(after_walk(tried, 0, matrix)), tried, 0, matrix))
    sentence = f"{row.what}; {row.remedy}"
    assert sentence.startswith('six wires are swapped; set "rows: [')
    assert sentence.index("under keypad: in box.yaml") < 130


@pytest.mark.more
def test_two_faults_have_one_cause_and_nothing_else_is_accused():
    """Where a row and a column make no contact, they may be swapped too, but no key shows it."""
    pairs = islice(combinations(SINGLE, 2), 0, None, amount(7, 1))
    found = Counter(judged(pair) for pair in pairs)
    assert found == amount({"one cause": 185, "not finished": 68}, {"one cause": 1362, "not finished": 408})


SETTINGS = 'or set "rows: {}" and "columns: {}" under keypad: in box.yaml'
TURNED = [("swapped", 17, 13), ("swapped", 27, 6), ("swapped", 22, 5)]  # a plug of all six wires
TURNED_ROUND = (
    "the wires of row 1 and column 3, and of row 2 and column 2, and of row 3 and column 1 are swapped",
    f"swap the two wires of each pair, {SETTINGS.format([13, 6, 5], [22, 27, 17])}",
)
OFF = ": it is off, or at 3.3 V (header pins 1 and 17)"
ROW_2 = ("row 2: no contact (keys 4, 5 and 6)", f"check the wire to row 2{OFF}")
ROW_3 = ("row 3: no contact (keys 7, 8 and 9)", f"check the wire to row 3{OFF}")
COLUMN_1 = ("column 1: no contact (keys 1, 4 and 7)", f"check the wire to column 1{OFF}")
MOVES = "from row 1 to column 1, from column 1 to row 2 and from row 2 to row 1"
KEY_4 = (
    "key 4: down with nobody pressing",
    "free the button, or look for a bridge between row 1 and column 1",
)
KEY_9 = ("key 9: no contact", "check the button and its joints to row 3 and column 3")
ACROSS = (
    "the wires of row 1 and column 1 are swapped",
    f"swap these two wires, {SETTINGS.format([5, 27, 22], [17, 6, 13])}",
)
IN_ROWS = (
    "the wires of row 1 and row 2 are swapped",
    'swap these two wires, or set "rows: [27, 17, 22]" under keypad: in box.yaml',
)
# What the report says, without the pins.
SAID = [
    ([("swapped", 17, 27)], [IN_ROWS]),
    ([("swapped", 17, 5)], [ACROSS]),
    ([("swapped", 17, 27), ("swapped", 17, 5)], [
        ("three wires are swapped",
         f"{SETTINGS.format([27, 5, 22], [17, 6, 13]).removeprefix('or ')}, or move the wires: {MOVES}")]),
    ([*TURNED, ("dead", 8)], [TURNED_ROUND, KEY_9]),
    ([("swapped", 17, 5), ("dead", 8)], [ACROSS, KEY_9]),
    ([("swapped", 17, 5), ("off", 27)], [
        ACROSS, ROW_2]),
    ([("swapped", 17, 27), ("off", 17)], [
        IN_ROWS, ("row 1: no contact (keys 4, 5 and 6)", f"check the wire to row 1{OFF}")]),  # row 2's
    ([("swapped", 27, 5), ("off", 27)], [ROW_2, COLUMN_1]),
    ([("off", 22), ("off", 5)], [ROW_3, COLUMN_1]),
    *(([("off", 27), ("off", 22), ("dead", key)], [
        ROW_2, ROW_3,
        (f"either key {key + 1}: no contact; or column {key + 1}: no contact (keys {keys})",
         "the readings do not show which: check each, and test again")])
      for key, keys in enumerate(["1, 4 and 7", "2, 5 and 8", "3, 6 and 9"])),
    ([("to ground", 27)], [("row 2 is shorted to ground", "look for a short from row 2 to ground")]),
    ([("to ground", 17), ("bridged", 17, 27)], [
        ("row 1 and row 2 are shorted to ground", "look for a short from row 1 and row 2 to ground")]),
    ([("bridged", 17, 27)], [("row 1 and row 2 are bridged", "look for a bridge between row 1 and row 2")]),
    ([("stuck", 3), ("swapped", 17, 27)], [IN_ROWS, KEY_4]),
    ([("bridged", 17, 5), ("swapped", 17, 27)], [IN_ROWS, KEY_4]),
    ([("stuck", 3), ("swapped", 17, 5)], [
        ACROSS,
        ("row 1 and row 2 are bridged", "look for a bridge between row 1 and row 2, or for key 4 stuck")]),
    ([("bridged", 17, 5), ("off", 17)], [
        ("row 1 and column 1 are bridged", "look for a bridge between row 1 and column 1"),  # nor is it key 1
        ("row 1: no contact (keys 1, 2 and 3)", f"check the wire to row 1{OFF}")]),
]  # fmt: skip


@pytest.mark.parametrize(("faults", "said"), SAID, ids=str)
def test_what_explains_everything_is_named(faults, said):
    rows = [(row.what, row.remedy) for row in failed(diagnose(faults))]
    assert [tuple(re.sub(r" \(BCM \d+, pin \d+\)", "", text) for text in row) for row in rows] == said


def test_the_remedy_corrects_any_swapped_wires():
    reads = {frozenset((ROW_PINS[key // 3], COLUMN_PINS[key % 3])): 1 << key for key in range(9)}
    for halves in permutations((ROW_PINS, COLUMN_PINS)):
        for rows, columns in product(*map(permutations, halves)):
            scans = {key: reads[frozenset((rows[key // 3], columns[key % 3]))] for key in range(9)}
            found = failed(walked({-1: 0} | scans))
            settings = re.findall(r'"(\w+): \[(.*?)\]"', "".join(row.remedy for row in found))
            wired = [("rows", rows, ROW_PINS), ("columns", columns, COLUMN_PINS)]
            assert settings == [(name, ", ".join(map(str, pins))) for name, pins, own in wired if pins != own]
            assert len(found) == bool(settings)


def test_keys_that_nobody_pressed_are_nothing_but_keys_without_contact():
    for left, stuck in product(range(9), (0, *(1 << key for key in range(9)))):
        rows = failed(walked({key: stuck | (1 << key if 0 <= key < left else 0) for key in range(-1, 9)}))
        assert {row.fault for row in rows} <= {DEAD, UNCLEAR} | ({STUCK, JOINED} if stuck else set())


def test_more_than_four_alternatives_would_help_nobody():
    rows = diagnose([("swapped", 27, 13), ("off", 22), ("off", 6)])
    assert not any("either" in row.what for row in rows)


GOOD = [1 << key if key != 4 else 0 for key in range(9)]  # but for key 5


@pytest.mark.parametrize(("scans", "said"), [
    ([(1.2, 0), (1.3, 0), (3.4, 0)], []),  # nobody may have been there when key 2 was asked for
    ([(1.2, 0), (1.3, 0), (3.4, 4), (3.5, 4), (3.6, 0), (3.7, 0)], ["key 2: no contact"]),
    ([(3.2, 1), (3.3, 0), *(
        (3 + key + 2 * (key > 4) + after, keys) for key in range(1, 9)
        for after, keys in [(0, GOOD[key]), (0.1, GOOD[key]), (0.2, 0), (0.3, 0)]
    )], ["key 5: no contact", "key 1: stayed down"]),
])  # fmt: skip
def test_a_walk_that_was_not_finished_and_a_key_that_stays_down_have_symptoms(scans, said):
    """Too many faults would explain the first; the second may be a finger."""
    walk = walking.start(2.0, 0.0)
    for now, keys in [(0.0, 0), (0.31, 0), (1.0, 1), (1.1, 1), *scans]:
        walk = walking.advance(walk, keys, now)
    found = [row.what for row in failed(walking.rows(walk, Matrix(ROW_PINS, COLUMN_PINS, "box.yaml")))]
    assert found == said
