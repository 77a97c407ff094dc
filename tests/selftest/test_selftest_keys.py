"""The keys: each fault that a hand-wired matrix may have, and its name in the report."""

import re
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selftest_box import COLUMNS, FAILED, OK, ROWS, WHERE, Box, bad, bits

from appliance.config import Config, KeypadConfig
from appliance.core.scan import keys_of
from appliance.selftest import rig
from appliance.selftest.diagnosis import Found, Matrix, after_walk, at_rest
from appliance.selftest.keys import Walk
from appliance.selftest.report import Row

MATRIX = Matrix(ROWS, COLUMNS, WHERE)
ROW_1, ROW_2, ROW_3 = "row 1 (BCM 17, pin 11)", "row 2 (BCM 27, pin 13)", "row 3 (BCM 22, pin 15)"
COLUMN_1, COLUMN_2, COLUMN_3 = (
    "column 1 (BCM 5, pin 29)",
    "column 2 (BCM 6, pin 31)",
    "column 3 (BCM 13, pin 33)",
)
COLUMNS_1_2 = f"{COLUMN_1} and {COLUMN_2}"
NO_ROW_2 = f"{ROW_2}: no contact (keys 4, 5 and 6)", "check the wire from BCM 27, pin 13, to row 2"
NO_ROW_3 = f"{ROW_3}: no contact (keys 7, 8 and 9)", "check the wire from BCM 22, pin 15, to row 3"
NO_COLUMN_3 = f"{COLUMN_3}: no contact (keys 3, 6 and 9)", "check the wire from BCM 13, pin 33, to column 3"


def dead(number):
    row, column = divmod(number - 1, 3)
    remedy = f"check the button and its joints to row {row + 1} and column {column + 1}"
    return f"key {number}: no contact", remedy


def bridged(answers, lines, keys, short=""):
    return f"key {answers}", f"look for a bridge between {lines}, or between the contacts of {keys}{short}"


def exchanged(number, answer):
    return f"key {number} answers as {answer}", f"follow the wires of keys {number} and {answer}"


TO_GROUND = "; or for a short from a row's wire to ground"

# What is wrong with the wiring: which contacts (from 0) a key closes; then the rows that are not "ok".
FAULTS = {
    "a dead key": ({4: ()}, [dead(5)]),
    "a dead column": ({2: (), 5: (), 8: ()}, [NO_COLUMN_3]),
    "a dead row, a dead column and a dead key": (
        dict.fromkeys((0, 1, 2, 3, 6, 8), ()),
        [
            (f"{ROW_1}: no contact (keys 1, 2 and 3)", "check the wire from BCM 17, pin 11, to row 1"),
            (f"{COLUMN_1}: no contact (keys 1, 4 and 7)", "check the wire from BCM 5, pin 29, to column 1"),
            dead(9),
        ],
    ),
    "no keypad": (
        dict.fromkeys(range(9), ()),
        [("no key makes contact", "check the keypad's plug, and rows and columns under keypad: in box.yaml")],
    ),
    "two keys exchanged": ({3: (5,), 5: (3,)}, [exchanged(4, 6), exchanged(6, 4)]),
    # With two rows dead, nobody can say where the other rows' wires are.
    "a key that several exchanges explain": (
        {0: (4,)} | dict.fromkeys(range(1, 9), ()),
        [
            NO_ROW_2,
            NO_ROW_3,
            (f"{COLUMN_2}: no contact (keys 2, 5 and 8)", "check the wire from BCM 6, pin 31, to column 2"),
            NO_COLUMN_3,
            exchanged(1, 5),
        ],
    ),
    "two keys bridged": (
        {0: (0, 1), 1: (0, 1)},
        [
            bridged(
                "1 answers as keys 1 and 2 and 2 as keys 1 and 2",
                COLUMNS_1_2,
                "keys 1 and 2",
            )
        ],
    ),
    "two contacts across": (
        {0: (0, 4)},
        [bridged("1 answers as keys 1 and 5", f"{ROW_1}, {ROW_2}, {COLUMN_1} and {COLUMN_2}", "key 1")],
    ),
    "rows joined and a key of them dead": (
        {key: (key % 3 + 3, key % 3 + 6) for key in range(3, 8)} | {8: ()},
        [
            dead(9),
            bridged(
                "4 answers as keys 4 and 7, 5 as keys 5 and 8, 6 as keys 6 and 9, 7 as keys 4 and 7 "
                "and 8 as keys 5 and 8",
                f"{ROW_2} and {ROW_3}",
                "keys 4, 5, 6, 7 and 8",
                TO_GROUND,
            ),
        ],
    ),
    "a row at ground": (
        {key: (key, key + 3, key + 6) for key in range(3)},
        [
            bridged(
                "1 answers as keys 1, 4 and 7, 2 as keys 2, 5 and 8 and 3 as keys 3, 6 and 9",
                f"{ROW_1}, {ROW_2} and {ROW_3}",
                "keys 1, 2 and 3",
                TO_GROUND,
            )
        ],
    ),
    "two bridges": (
        {0: (0, 1), 8: (5, 8)},
        [
            bridged("1 answers as keys 1 and 2", COLUMNS_1_2, "key 1"),
            bridged("9 answers as keys 6 and 9", f"{ROW_2} and {ROW_3}", "key 9", TO_GROUND),
        ],
    ),
}


@pytest.mark.parametrize(("wiring", "reported"), FAULTS.values(), ids=FAULTS)
def test_each_fault_of_the_wiring_is_named(wiring, reported):
    rows = Box(wiring=wiring).run()
    assert bad(rows) == reported
    good = [key + 1 for key in range(9) if key not in wiring]
    well = [row.what for row in rows if "each answers alone" in row.what]
    assert [int(digit) for digit in re.findall(r"\d", "".join(well))] == good


def readings(answers):
    """What a walk finds: key (from 0) -> the keys (bits) that it reads as, 0 for no contact."""
    return [Found(key, (keys,) if keys else ()) for key, keys in answers.items()]


def test_any_exchanged_wires_are_put_right_by_the_remedy():
    orders = list(permutations(range(3)))
    for kinds, first, second in product([(ROWS, COLUMNS), (COLUMNS, ROWS)], orders, orders):
        rows, columns = tuple(kinds[0][i] for i in first), tuple(kinds[1][i] for i in second)
        reads = {frozenset((rows[key // 3], columns[key % 3])): 1 << key for key in range(9)}
        answers = {key: reads[frozenset((ROWS[key // 3], COLUMNS[key % 3]))] for key in range(9)}
        reported = bad(after_walk(readings(answers), 0, Matrix(rows, columns, WHERE)))
        if (rows, columns) == (ROWS, COLUMNS):
            assert reported == []
            continue
        [(what, remedy)] = reported
        assert re.match(r"key \d answers as \d", what)
        for name, right, now in (("rows", ROWS, rows), ("columns", COLUMNS, columns)):
            assert (f'"{name}: {list(right)}"' in remedy) == (right != now)
        assert remedy.endswith("under keypad: in box.yaml")


def test_exchanged_wires_over_the_pins():
    box = Box(Config(keypad=KeypadConfig(rows=COLUMNS, columns=ROWS)))
    [(what, remedy)] = bad(box.run())
    assert what == "key 2 answers as 4, 3 as 7, 4 as 2, 6 as 8, 7 as 3 and 8 as 6"
    assert '"rows: [17, 27, 22]" and "columns: [5, 6, 13]"' in remedy
    again = "press key 2 (top row, middle) ... answers as key 4; press key 2 once more ... answers as key 4\n"
    assert again in box.terminal


@settings(max_examples=50)
@given(
    st.dictionaries(st.integers(0, 8), st.integers(0, 511)),
    st.sampled_from([0, *(1 << key for key in range(9))]),
)
def test_each_key_has_its_place_in_the_table(answers, rest):
    """Whatever was read: a key is called good exactly if it is, and every other key is named in a row."""
    found = readings({key: keys for key, keys in answers.items() if not rest >> key & 1})
    rows = list(after_walk(found, rest, MATRIX))
    good = [row.what for row in rows if row.verdict is OK]
    others = " ".join(row.what for row in rows if row.verdict is not OK)
    assert len(good) <= 1
    if "no key makes" in others:
        assert len(found) == 9
        return
    for key in keys_of(511 & ~rest):
        is_good = answers.get(key) == 1 << key
        assert (str(key + 1) in re.findall(r"\d+", "".join(good)) or "1 to 9" in "".join(good)) == is_good
        assert is_good or re.search(rf"\b{key + 1}\b", others) or "1 to 9" in others


# Keys that are down though nobody presses them

FREE = "free the button, or look for a bridge between its contacts"


def test_a_stuck_key():
    box = Box()
    box.network.stick(2)
    assert bad(box.run()) == [("key 3: down, and nobody presses", FREE)]
    assert re.findall(r"press key (\d) .* ok\n", box.terminal) == list("12456789")


def test_a_bridge_beside_a_stuck_key_is_not_claimed():
    box = Box(wiring={0: (0, 1)})
    box.network.stick(3)
    ghosts = ("key 1 answers as keys 1, 2 and 5", "free the stuck key first: it makes ghosts")
    assert bad(box.run()) == [("key 4: down, and nobody presses", FREE), ghosts]


def test_two_stuck_keys_make_ghosts_so_that_there_is_no_walk():
    box = Box()
    for key in (0, 1, 3):
        box.network.stick(key)
    ghosts = "keys 1, 2, 4 and 5: down, and nobody presses (one or more may be a ghost of the others)"
    untried = ("keys 3, 6, 7, 8 and 9: not tried", "free the stuck keys first: they make ghosts")
    assert bad(box.run()) == [(ghosts, FREE), untried]
    assert "press key" not in box.terminal


def test_a_key_that_stays_down():
    box = Box()
    box.stays_down = {4}
    rows = box.run()
    assert bad(rows) == [("key 5: down, and not up again", FREE)]
    assert "press key 5 (middle row, middle) ... ok, and stays down\n" in box.terminal
    assert Row("keys 1, 2, 3, 4, 6, 7, 8 and 9: each answers alone, as itself", OK) in rows


def test_a_second_key_that_stays_down_ends_the_walk():
    box = Box()
    box.stays_down = {0, 4}
    untried = ("keys 6, 7, 8 and 9: not tried", "free the stuck keys first: they make ghosts")
    assert bad(box.run()) == [("keys 1 and 5: down, and not up again", FREE), untried]


def test_a_column_held_low():
    remedy = "look for a short from its wire to ground or to a row, or for keys 2, 5 and 8 stuck"
    assert list(at_rest(bits(2, 5, 8), bits(2, 5, 8), MATRIX)) == [
        Row(f"{COLUMN_2}: held low", FAILED, remedy)
    ]


@pytest.mark.parametrize("times", [(0.1, 0.2), (0.25, 0.31)], ids=["at first", "at last"])
def test_a_loose_contact(times):
    box, (down, up) = Box(), times
    box.at((down, lambda: box.network.press(6)), (up, lambda: box.network.release(6)))
    assert bad(box.run()) == [
        ("key 7: now down, now up, and nobody presses", "look for a loose contact, and keep the wires short")
    ]


# The walk over scans: from which ms on which keys (bits) read as closed, and what is printed when, for key 1
WALKS = {
    "slip": (
        [(600, bits(2)), (700, 0), (900, bits(1)), (1000, 0)],
        [(620, "answers as key 2"), (720, "; press key 1 once more ... "), (920, "ok"), (1020, "\n")],
    ),
    "bounce": (
        [(0, 1), (5, 0), (15, 1), (20, 0), (25, 1), (100, 0), (110, 1), (115, 0), (130, 1), (140, 0)],
        [(45, "ok"), (160, "\n")],
    ),
    "silent": ([], [(2000, "no contact\n")]),
    "not steady at the limit": ([(1990, bits(1))], [(2000, "no contact\n")]),
    "a slip, then nothing": (
        [(100, bits(2)), (200, 0)],
        [(120, "answers as key 2"), (220, "; press key 1 once more ... "), (2220, "no contact\n")],
    ),
    "held": (
        [(0, bits(1)), (2100, bits(1, 2)), (2200, bits(1))],
        [
            (20, "ok"),
            (2020, ", and stays down"),
            (2020, "\n"),
            (2020, "  press key 2 (top row, middle) ... "),
            (2120, "ok"),
            (2220, "\n"),
        ],
    ),
    "two other answers": (
        [(100, bits(2)), (200, 0), (600, bits(3)), (700, 0)],
        [
            (120, "answers as key 2"),
            (220, "; press key 1 once more ... "),
            (620, "answers as key 3"),
            (720, "\n"),
        ],
    ),
}


def walk_over(scans, rest=0, every=1, run=Walk.run):
    """Return the walk over these scans, polled at intervals of so many ms, and what was printed when."""
    clock, printed = [0], []

    class Keypad:
        def poll(self, _now):
            self.value = next((keys for at, keys in reversed(scans) if at <= clock[0]), rest)
            return [], every

    def wait(ms):
        clock[0] += ms

    scanned = rig.TestRig(
        config=None,
        where=WHERE,
        open_keypad=None,
        open_bus=None,
        now=lambda: clock[0] / 1000,
        wait=wait,
        say=lambda text: printed.append((clock[0], text)),
        ask=None,
    )
    walk = Walk(scanned, Keypad(), None, rest, 2.0)
    run(walk)
    return walk, printed


@pytest.mark.parametrize(("scans", "printed"), WALKS.values(), ids=WALKS)
def test_a_walk_step_by_step(scans, printed):
    found = walk_over(scans)[1][2 : 2 + len(printed)]
    assert [text for _, text in found] == [text for _, text in printed]
    late = [at - wanted for (at, _), (wanted, _) in zip(found, printed, strict=True)]
    assert set(late) <= {0, 1}  # a scan later where 0.12 - 0.1 is less than 0.02


def test_the_last_reading_counts():
    found = walk_over(WALKS["slip"][0])[0].found[0]
    assert (found.readings, found.good) == ((bits(2), bits(1)), True)


def test_a_stuck_key_that_comes_off_no_longer_counts():
    walk, _ = walk_over([(100, 0), (300, bits(1)), (400, 0)], rest=bits(9))
    assert (walk.rest, walk.found[0].good, walk.found[8].good) == (0, True, False)


@settings(max_examples=40)
@given(
    st.lists(st.integers(1, 4), max_size=5),
    st.lists(st.integers(1, 4), max_size=5),
    st.integers(45, 500),
    st.sampled_from([4, 5, 6, 7]),
)
def test_no_bounce_makes_another_reading(before, after, down, every):
    """Contacts bounce for at most 20 ms each way: the ms from one change to the next."""
    scans, level = [], 1
    for index, bounces in enumerate((before, after)):
        at = 100 + index * (20 + down)
        for wait in bounces:
            scans.append((at, level))
            level = not level
            at += wait
        level = not index
        scans.append((at, int(level)))
        level = 0
    found = []
    walk_over(scans, every=every, run=lambda walk: found.append(walk._try(0)))
    assert found == [Found(0, (1,))]
