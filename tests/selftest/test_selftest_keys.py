"""The keys: each fault that a hand-wired matrix may have, and what it is called."""

import re
from dataclasses import replace
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selftest_box import COLUMNS, FAILED, OK, ROWS, WHERE, Box, bad, bits

from appliance.config import Config, DisplayConfig, KeypadConfig
from appliance.core.matrix import keys_of
from appliance.core.raster import Layout
from appliance.selftest.diagnosis import Found, Matrix, after_walk, at_rest
from appliance.selftest.keys import begin, step
from appliance.selftest.report import Row
from appliance.simulator.chips import Sh1106

MATRIX = Matrix(ROWS, COLUMNS, WHERE)
ROW_1, ROW_2, ROW_3 = "row 1 (BCM 17, pin 11)", "row 2 (BCM 27, pin 13)", "row 3 (BCM 22, pin 15)"
COLUMN_1, COLUMN_2, COLUMN_3 = (
    "column 1 (BCM 5, pin 29)",
    "column 2 (BCM 6, pin 31)",
    "column 3 (BCM 13, pin 33)",
)


def dead(number):
    row, column = divmod(number - 1, 3)
    remedy = f"check the button and its joints to row {row + 1} and column {column + 1}"
    return f"key {number}: no contact", remedy


def bridged(number, answers, contacts):
    remedy = f"look for a bridge between the contacts or the wires of keys {contacts}"
    return f"key {number} answers as keys {answers}", remedy


def exchanged(number, answer):
    return f"key {number} answers as {answer}", f"follow the wires of keys {number} and {answer}"


JOINED_COLUMNS = {key: (key // 3 * 3, key // 3 * 3 + 1) for key in (0, 1, 3, 4, 6, 7)}
JOINED_ROWS = {key: (key % 3 + 3, key % 3 + 6) for key in range(3, 9)}
GROUNDED_ROW = {key: (key, key + 3, key + 6) for key in range(3)}
WIRES = "look for a bridge between their wires"

# What is wrong with the wiring: which contacts (from 0) a key closes; then the rows that are not "ok".
FAULTS = {
    "a dead key": ({4: ()}, [dead(5)]),
    "two dead keys of a row": ({3: (), 4: ()}, [dead(4), dead(5)]),
    "a dead row": (
        {3: (), 4: (), 5: ()},
        [(f"{ROW_2}: no contact (keys 4, 5 and 6)", "check the wire from BCM 27, pin 13, to row 2")],
    ),
    "a dead column": (
        {2: (), 5: (), 8: ()},
        [(f"{COLUMN_3}: no contact (keys 3, 6 and 9)", "check the wire from BCM 13, pin 33, to column 3")],
    ),
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
            (f"{ROW_2}: no contact (keys 4, 5 and 6)", "check the wire from BCM 27, pin 13, to row 2"),
            (f"{ROW_3}: no contact (keys 7, 8 and 9)", "check the wire from BCM 22, pin 15, to row 3"),
            (f"{COLUMN_2}: no contact (keys 2, 5 and 8)", "check the wire from BCM 6, pin 31, to column 2"),
            (f"{COLUMN_3}: no contact (keys 3, 6 and 9)", "check the wire from BCM 13, pin 33, to column 3"),
            exchanged(1, 5),
        ],
    ),
    "two keys bridged": ({0: (0, 1), 1: (0, 1)}, [bridged(n, "1 and 2", "1 and 2") for n in (1, 2)]),
    "two contacts across": ({0: (0, 4)}, [bridged(1, "1 and 5", "1 and 5")]),
    "two contacts, neither its own": ({0: (1, 2)}, [bridged(1, "2 and 3", "1, 2 and 3")]),
    "columns joined": (
        JOINED_COLUMNS,
        [(f"{COLUMN_1} and {COLUMN_2} are joined (keys 1, 2, 4, 5, 7 and 8)", WIRES)],
    ),
    "rows joined": (
        JOINED_ROWS,
        [(f"{ROW_2} and {ROW_3} are joined (keys 4, 5, 6, 7, 8 and 9)", WIRES)],
    ),
    "all columns joined": (
        {key: tuple(range(key // 3 * 3, key // 3 * 3 + 3)) for key in range(9)},
        [(f"{COLUMN_1}, {COLUMN_2} and {COLUMN_3} are joined (keys 1 to 9)", WIRES)],
    ),
    "columns joined and a key of them dead": (
        JOINED_COLUMNS | {0: ()},
        [dead(1), (f"{COLUMN_1} and {COLUMN_2} are joined (keys 2, 4, 5, 7 and 8)", WIRES)],
    ),
    "a row at ground": (
        GROUNDED_ROW,
        [
            (
                f"{ROW_1}: held low (keys 1, 2 and 3 each answer as a whole column)",
                "look for a short from its wire to ground",
            )
        ],
    ),
    # It may be at ground, or joined to the others: neither is claimed.
    "a row at ground, the others dead": (
        GROUNDED_ROW | dict.fromkeys(range(3, 9), ()),
        [
            (f"{ROW_2}: no contact (keys 4, 5 and 6)", "check the wire from BCM 27, pin 13, to row 2"),
            (f"{ROW_3}: no contact (keys 7, 8 and 9)", "check the wire from BCM 22, pin 15, to row 3"),
            *(bridged(n, f"{n}, {n + 3} and {n + 6}", f"{n}, {n + 3} and {n + 6}") for n in (1, 2, 3)),
        ],
    ),
    "two keys of a row that each answer as a column": (
        {0: (0, 3, 6), 1: (1, 4, 7)},
        [bridged(1, "1, 4 and 7", "1, 4 and 7"), bridged(2, "2, 5 and 8", "2, 5 and 8")],
    ),
    # Joined columns would show in one row more: this may be two bad buttons.
    "two keys bridged, and nothing else answers": (
        {0: (0, 1), 1: (0, 1), 2: ()} | dict.fromkeys(range(3, 9), ()),
        [
            (f"{ROW_2}: no contact (keys 4, 5 and 6)", "check the wire from BCM 27, pin 13, to row 2"),
            (f"{ROW_3}: no contact (keys 7, 8 and 9)", "check the wire from BCM 22, pin 15, to row 3"),
            (f"{COLUMN_3}: no contact (keys 3, 6 and 9)", "check the wire from BCM 13, pin 33, to column 3"),
            *(bridged(n, "1 and 2", "1 and 2") for n in (1, 2)),
        ],
    ),
}


@pytest.mark.parametrize(("wiring", "reported"), FAULTS.values(), ids=FAULTS)
def test_what_a_wiring_is_called(wiring, reported):
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


def join(keys, joined):
    """What a scan reads with these keys (bits) closed, and these groups of lines (numbers 0 to 5) joined."""
    edges = [(key // 3, 3 + key % 3) for key in keys_of(keys)]
    edges += [(group[0], line) for group in joined for line in group[1:]]
    parent = list(range(6))
    for one, other in edges * 6:
        parent = [min(parent[one], parent[other]) if p in (parent[one], parent[other]) else p for p in parent]
    return sum(1 << key for key in range(9) if parent[key // 3] == parent[3 + key % 3])


def test_no_wire_fault_is_claimed_of_a_box_that_has_another():
    """Every pair of lines joined, every bad button, every dead line: what is named is what is there."""
    pairs = [(a, b) for a in range(6) for b in range(a + 1, 6) if (a < 3) == (b < 3)]
    lines = [MATRIX.line("row" if line < 3 else "column", line % 3) for line in range(6)]
    for joined, gone in product([(), *((pair,) for pair in pairs)], [(), *((line,) for line in range(6))]):
        answers = {
            key: 0 if {key // 3, 3 + key % 3} & set(gone) else join(1 << key, joined) for key in range(9)
        }
        reported = [what for what, _ in bad(after_walk(readings(answers), 0, MATRIX))]
        for what in reported:
            if "are joined" in what:
                assert joined
                assert what.startswith(" and ".join(lines[line] for line in joined[0]))
            elif what.startswith(("row", "column")):
                assert "no contact" in what
                assert what.startswith(lines[gone[0]])
        assert bool(reported) == bool(joined or gone)


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


# The walk: time in ms, the scan, and after it: the key asked for, how many readings, whether it is open again
WALKS = {
    "slip": [
        (0, 0, 1, 0, True),
        (600, bits(2), 1, 0, True),
        (615, bits(2), 1, 0, True),
        (620, bits(2), 1, 1, False),
        (700, 0, 1, 1, False),
        (720, 0, 1, 1, True),
        (900, bits(1), 1, 1, True),
        (920, bits(1), 1, 2, False),
        (1000, 0, 1, 2, False),
        (1015, 0, 1, 2, False),
        (1020, 0, 2, 0, True),
    ],
    "bounce": [
        (0, bits(1), 1, 0, True),
        (5, 0, 1, 0, True),
        (15, bits(1), 1, 0, True),
        (20, 0, 1, 0, True),
        (25, bits(1), 1, 0, True),
        (44, bits(1), 1, 0, True),
        (46, bits(1), 1, 1, False),
        (100, 0, 1, 1, False),
        (110, bits(1), 1, 1, False),
        (115, 0, 1, 1, False),
        (130, bits(1), 1, 1, False),
        (140, 0, 1, 1, False),
        (161, 0, 2, 0, True),
    ],
    "silent": [(0, 0, 1, 0, True), (1999, 0, 1, 0, True), (2000, 0, 2, 0, True), (3999, 0, 2, 0, True)],
    "held": [
        (0, bits(1), 1, 0, True),
        (20, bits(1), 1, 1, False),
        (2019, bits(1), 1, 1, False),
        (2020, bits(1), 2, 0, True),
        (2100, bits(1, 2), 2, 0, True),
        (2120, bits(1, 2), 2, 1, False),
        (2200, bits(1), 2, 1, False),
        (2220, bits(1), 3, 0, True),
    ],
    "two other answers": [
        (100, bits(2), 1, 0, True),
        (150, bits(2), 1, 1, False),
        (200, 0, 1, 1, False),
        (250, 0, 1, 1, True),
        (600, bits(3), 1, 1, True),
        (650, bits(3), 1, 2, False),
        (700, 0, 1, 2, False),
        (750, 0, 2, 0, True),
    ],
}


@pytest.mark.parametrize("table", WALKS.values(), ids=WALKS)
def test_a_walk_step_by_step(table):
    walk = begin(0, 2.0, 0.0)
    for at, raw, number, count, released in table:
        walk = step(walk, raw, at / 1000)
        assert (walk.target + 1, len(walk.readings), walk.released) == (number, count, released), at
    if table is WALKS["slip"]:
        assert walk.found == (Found(0, (bits(2), bits(1))),)
        assert walk.found[0].good
    if table is WALKS["two other answers"]:
        assert walk.found == (Found(0, (bits(2), bits(3))),)


def test_a_stuck_key_that_comes_off_no_longer_counts():
    walk = step(step(begin(bits(9), 2.0, 0.0), 0, 0.1), 0, 0.2)
    assert walk.rest == 0
    assert step(step(walk, bits(1), 0.3), bits(1), 0.4).readings == (bits(1),)


def test_a_walk_that_is_over_stays_so():
    walk = begin(bits(1, 2), 2.0, 0.0)
    assert walk.target is None
    assert step(walk, 0, 9.0) is walk


@given(
    st.integers(0, 8),
    st.lists(st.integers(1, 4), max_size=8),
    st.lists(st.integers(1, 4), max_size=8),
    st.integers(45, 500),
    st.sampled_from([4, 5, 6, 7]),
)
def test_no_bounce_makes_another_reading(key, before, after, down, every):
    """Contacts bounce for at most 20 ms each way: the ms from one change to the next."""
    changes, level = [], True
    for index, bounces in enumerate((before, after)):
        at = 100 + index * (20 + down)
        for wait in bounces[:5]:
            changes.append((at, level))
            level = not level
            at += wait
        level = not index
        changes.append((at, level))
        level = False
    walk = replace(begin(0, 2.0, 0.0), keys=(key,))
    for now in range(0, 1200, every):
        levels = [level for at, level in changes if at <= now]
        walk = step(walk, 1 << key if levels and levels[-1] else 0, now / 1000)
    assert walk.found == (Found(key, (1 << key,)),)


# What the display shows meanwhile


def lit_cell(picture, turned=False):
    """Return the cell, from 1, of which more is lit than not; None unless there is exactly one."""
    last = (picture.width - 1, picture.height - 1) if turned else (0, 0)
    cells, layout = [], Layout(picture.width, picture.height)
    for key in range(9):
        left, top = layout.cell_at(key)
        size = range(layout.cell)
        lit = sum(picture.pixel(abs(last[0] - left - x), abs(last[1] - top - y)) for x in size for y in size)
        cells += [key + 1] * (lit > layout.cell**2 // 2)
    return cells[0] if len(cells) == 1 else None


@pytest.mark.parametrize("rotate", [0, 180])
def test_the_display_shows_the_key_that_the_terminal_asks_for(rotate):
    box = Box(chip=Sh1106(), config=Config(display=DisplayConfig(driver="sh1106", rotate=rotate)))
    shown = []

    def say(text):
        if asked := re.search(r"press key (\d)", text):
            shown.append((int(asked[1]), lit_cell(box.chip.picture(), turned=rotate == 180)))
        box.person.say(text)

    box.change(say=say)
    assert bad(box.run()) == []
    assert shown == [(number, number) for number in range(1, 10)]


def test_a_display_that_comes_back_shows_the_key_that_is_waited_for():
    box, shown = Box(wiring={0: (), 1: ()}), []
    look = lambda: shown.append(lit_cell(box.chip.picture()))  # noqa: E731 - said in one line
    # Key 2 is asked for from 2.3 s to 4.3 s.
    box.at((0.5, look), (1.0, box.bus.unplug), (2.5, look), (3.0, box.bus.plug), (4.0, look))
    box.run(2.0)
    assert shown == [1, None, 2]
