"""The self-test over the simulated switches and bus: each fault a box may have, and what it is called."""

import errno
import re
import signal
from contextlib import closing
from dataclasses import replace
from itertools import permutations, product

import pytest
from gpiozero import Device
from hypothesis import given
from hypothesis import strategies as st

from appliance import cli
from appliance.commands import selftest as command
from appliance.config import Config, DisplayConfig, KeypadConfig
from appliance.core.matrix import keys_of
from appliance.core.raster import Layout
from appliance.devices.access import Refused
from appliance.devices.keypad import Keypad
from appliance.devices.pinout import GpioChip
from appliance.errors import UserError
from appliance.selftest import real
from appliance.selftest.checks import checks
from appliance.selftest.conduct import conduct
from appliance.selftest.diagnosis import Matrix, after_walk, at_rest
from appliance.selftest.display import survey
from appliance.selftest.rehearsal import Rehearsal, rehearsal_bench
from appliance.selftest.report import Row, Verdict, table
from appliance.selftest.walk import Found, Reading, Walk, begin, interpret, reads_as, step
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.sh1106 import Sh1106
from appliance.simulator.ssd1306 import Ssd1306
from appliance.simulator.switches import SwitchNetwork

ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)
MATRIX = Matrix(ROWS, COLUMNS, "box.yaml")
OK, FAILED, OPEN = Verdict.OK, Verdict.FAILED, Verdict.OPEN
WHERE = "box.yaml"


def bits(*numbers):
    """Keys as people count them, as bits."""
    return sum(1 << number - 1 for number in numbers)


class Box:
    """A box on the desk, and a person. It is wired as ROWS and COLUMNS say, whatever `config` does."""

    def __init__(self, config=None, chip=None, address=0x3C, wiring=None, contacts=None):
        self.config = config or Config()
        self.network = SwitchNetwork(ROWS, COLUMNS)
        self.chip = chip or Ssd1306()
        self.bus = SimulatedBus(lambda: self.person.time)
        self.bus.attach(address, self.chip)
        self.said = []
        self.person = Rehearsal(contacts or self.network, self.chip.picture, self.said.append, wiring)
        self.bench = rehearsal_bench(self.config, WHERE, self.person, self.network.factory, self.bus)

    def run(self, seconds=2.0):
        rows = list(checks(self.bench, seconds))
        self.check_all_is_let_go()
        return rows

    def check_all_is_let_go(self):
        assert not self.chip.lit
        assert {self.network.factory.pin(pin).function for pin in self.network.pins} == {"input"}
        assert self.network.shorts == []
        assert self.network.driven_high == set()

    @property
    def terminal(self):
        return "".join(self.said)


def bad(rows):
    return [(row.what, row.remedy) for row in rows if row.verdict is not OK]


def test_a_box_that_is_well():
    box = Box()
    rows = box.run()
    assert bad(rows) == []
    assert [row.what for row in rows] == [
        "GPIO: gpiochip0 (simulated, 28 lines)",
        "keypad pins: rows BCM 17, 27 and 22, columns BCM 5, 6 and 13",
        "I2C bus 1: works",
        "display answers at 0x3c",
        "display chip: SSD1306 or alike (status 0x46)",
        "all pixels lit",
        "all pixels dark",
        "keys at rest: all open",
        "keys 1 to 9: each answers alone, as itself",
    ]
    assert re.findall(r"press key (\d) .* ok\n", box.terminal) == list("123456789")


def lit_cell(picture, turned=False):
    """Return the cell, counted from 1, of which more is lit than not; None unless there is exactly one.

    `turned` looks at the display upside down.
    """
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
    seen = []

    def say(text):
        if asked := re.search(r"press key (\d)", text):
            seen.append((int(asked[1]), lit_cell(box.chip.picture(), turned=rotate == 180)))
        box.person.say(text)

    box.bench = replace(box.bench, say=say)
    assert bad(box.run()) == []
    assert seen == [(number, number) for number in range(1, 10)]


JOINED_COLUMNS = {key: (key // 3 * 3, key // 3 * 3 + 1) for key in (0, 1, 3, 4, 6, 7)}
JOINED_ROWS = {key: (key % 3 + 3, key % 3 + 6) for key in range(3, 9)}
GROUNDED_ROW = {key: (key, key + 3, key + 6) for key in range(3)}
WIRE = "check the wire from BCM"
BUTTON = "check the button and its two joints"

# What is wrong with the wiring: which contacts a key closes; then the rows of the table that are not "ok".
FAULTS = {
    "a dead key": ({4: ()}, [("key 5: no contact", BUTTON)]),
    "two dead keys of a row": (
        {3: (), 4: ()},
        [("key 4: no contact", BUTTON), ("key 5: no contact", BUTTON)],
    ),
    "a dead row": (
        {3: (), 4: (), 5: ()},
        [("row 2, BCM 27: no contact (keys 4, 5 and 6)", f"{WIRE} 27 to row 2")],
    ),
    "a dead column": (
        {2: (), 5: (), 8: ()},
        [("column 3, BCM 13: no contact (keys 3, 6 and 9)", f"{WIRE} 13 to column 3")],
    ),
    "a dead row, a dead column and a dead key": (
        dict.fromkeys((0, 1, 2, 3, 6, 8), ()),
        [
            ("row 1, BCM 17: no contact (keys 1, 2 and 3)", f"{WIRE} 17 to row 1"),
            ("column 1, BCM 5: no contact (keys 1, 4 and 7)", f"{WIRE} 5 to column 1"),
            ("key 9: no contact", BUTTON),
        ],
    ),
    "no keypad": (
        dict.fromkeys(range(9), ()),
        [
            (
                "no key makes contact",
                "check the keypad's plug, and rows and columns under keypad: in box.yaml",
            )
        ],
    ),
    "two keys exchanged": (
        {3: (5,), 5: (3,)},
        [
            ("key 4 answers as 6", "follow the wires of keys 4 and 6"),
            ("key 6 answers as 4", "follow the wires of keys 6 and 4"),
        ],
    ),
    "two keys bridged": (
        {0: (0, 1), 1: (0, 1)},
        [
            ("key 1 answers as keys 1 and 2", "look for a bridge between the contacts of keys 1 and 2"),
            ("key 2 answers as keys 1 and 2", "look for a bridge between the contacts of keys 1 and 2"),
        ],
    ),
    "one key that closes two contacts across": (
        {0: (0, 4)},
        [("key 1 answers as keys 1 and 5", "look for a bridge between the contacts of keys 1 and 5")],
    ),
    "one key that closes two others": (
        {0: (1, 2)},
        [("key 1 answers as keys 2 and 3", "look for a bridge between the contacts of keys 1, 2 and 3")],
    ),
    "columns joined": (
        JOINED_COLUMNS,
        [
            (
                "column 1, BCM 5 and column 2, BCM 6 are joined (keys 1, 2, 4, 5, 7 and 8)",
                "look for a bridge between their wires",
            )
        ],
    ),
    "rows joined": (
        JOINED_ROWS,
        [
            (
                "row 2, BCM 27 and row 3, BCM 22 are joined (keys 4, 5, 6, 7, 8 and 9)",
                "look for a bridge between their wires",
            )
        ],
    ),
    "a row at ground": (
        GROUNDED_ROW,
        [
            (
                "row 1, BCM 17: held low (keys 1, 2 and 3 each answer as a whole column)",
                "look for a short from its wire to ground",
            )
        ],
    ),
    "columns joined and a key of them dead": (
        JOINED_COLUMNS | {0: ()},
        [
            ("key 1: no contact", BUTTON),
            (
                "column 1, BCM 5 and column 2, BCM 6 are joined (keys 2, 4, 5, 7 and 8)",
                "look for a bridge between their wires",
            ),
        ],
    ),
    "two keys of a row that each answer as a column": (
        {0: (0, 3, 6), 1: (1, 4, 7)},
        [
            ("key 1 answers as keys 1, 4 and 7", "look for a bridge between the contacts of keys 1, 4 and 7"),
            ("key 2 answers as keys 2, 5 and 8", "look for a bridge between the contacts of keys 2, 5 and 8"),
        ],
    ),
}


@pytest.mark.parametrize(("wiring", "told"), FAULTS.values(), ids=FAULTS)
def test_what_is_said_of_a_wiring(wiring, told):
    box = Box(wiring=wiring)
    rows = box.run()
    assert bad(rows) == told
    assert {row.verdict for row in rows} == {OK, FAILED}
    well = [key + 1 for key in range(9) if key not in wiring]
    named = [row.what for row in rows if "each answers alone" in row.what]
    assert [int(digit) for digit in re.findall(r"\d", "".join(named))] == well


ORDERS = list(permutations(range(3)))


@pytest.mark.parametrize("kind", [(ROWS, COLUMNS), (COLUMNS, ROWS)], ids=["in their groups", "crossed"])
def test_any_wires_exchanged_are_put_right_by_the_remedy(kind):
    for first, second in product(ORDERS, ORDERS):
        rows, columns = tuple(kind[0][i] for i in first), tuple(kind[1][i] for i in second)
        reads = {frozenset((rows[key // 3], columns[key % 3])): key for key in range(9)}
        found = [
            Found(key, (Reading(1 << reads[frozenset((ROWS[key // 3], COLUMNS[key % 3]))]),))
            for key in range(9)
        ]
        walk = Walk(0, 1.0, (), 0.0, 0, 0.0, found=tuple(found))
        told = bad(after_walk(walk, Matrix(rows, columns, WHERE)))
        if (rows, columns) == (ROWS, COLUMNS):
            assert told == []
            continue
        [(what, remedy)] = told
        assert re.match(r"key \d answers as \d", what)
        for name, right, now in (("rows", ROWS, rows), ("columns", COLUMNS, columns)):
            assert (f'"{name}: {list(right)}"' in remedy) == (right != now)
        assert remedy.endswith("under keypad: in box.yaml")


def test_rows_and_columns_exchanged():
    box = Box(Config(keypad=KeypadConfig(rows=COLUMNS, columns=ROWS)))
    [(what, remedy)] = bad(box.run())
    assert what == "key 2 answers as 4, 3 as 7, 4 as 2, 6 as 8, 7 as 3 and 8 as 6"
    assert '"rows: [17, 27, 22]" and "columns: [5, 6, 13]"' in remedy


def test_one_key_alone_does_not_make_two_lines_joined():
    found = [Found(0, (Reading(bits(1, 2)),)), *(Found(key, ()) for key in (1, 3, 4, 6, 7))]
    told = bad(after_walk(Walk(0, 1.0, (), 0.0, 0, 0.0, found=tuple(found)), MATRIX))
    assert ("key 1 answers as keys 1 and 2", "look for a bridge between the contacts of keys 1 and 2") in told


def test_wires_that_several_exchanges_explain():
    """With two rows dead, three keys are left, and nobody can say where the other rows' wires are."""
    found = (Found(0, (Reading(bits(5)),)), *(Found(key, ()) for key in range(1, 9)))
    told = bad(after_walk(Walk(0, 1.0, (), 0.0, 0, 0.0, found=found), MATRIX))
    assert told[-1] == ("key 1 answers as 5", "follow the wires of keys 1 and 5")


def test_two_rows_exchanged():
    box = Box(Config(keypad=KeypadConfig(rows=(27, 17, 22))))
    [(what, remedy)] = bad(box.run())
    assert what == "key 1 answers as 4, 2 as 5, 3 as 6, 4 as 1, 5 as 2 and 6 as 3"
    assert remedy == (
        'the wires are exchanged: put them right, or set "rows: [17, 27, 22]" under keypad: in box.yaml'
    )
    assert (
        "press key 1 (top row, left) ... answers as key 4; press key 1 once more ... answers as key 4\n"
        in (box.terminal)
    )


def test_a_stuck_key():
    box = Box()
    box.network.stick(2)
    told = bad(box.run())
    assert told == [
        (
            "key 3: down, and nobody presses",
            "free the button, or look for a bridge between its contacts",
        )
    ]
    assert re.findall(r"press key (\d) .* ok\n", box.terminal) == list("12456789")


def test_stuck_keys_that_make_ghosts():
    box = Box()
    for key in (0, 1, 3):
        box.network.stick(key)
    rows = box.run()
    told = dict(bad(rows))
    assert "keys 1, 2, 4 and 5: down, and nobody presses (one or more may be a ghost of the others)" in told
    # Rows 1 and 2 are one now, and columns 1 and 2: only key 9 is by itself.
    assert "key 9: each answers alone, as itself" in [row.what for row in rows]
    free = "free the stuck keys first: they make ghosts"
    assert told["key 3: answers as keys 3 or 6"] == free
    assert told["key 7: answers as keys 7 or 8"] == free
    assert {row.verdict for row in rows if row.remedy == free} == {OPEN}


def test_a_wrong_key_behind_ghosts():
    box = Box(wiring={8: (2,)})
    for key in (0, 1, 3):
        box.network.stick(key)
    rows = box.run()
    assert (
        Row("key 9 answers as keys 3 or 6", FAILED, "free the stuck keys first, then look at the wires")
        in rows
    )


class Sticking:
    """Contacts of which one never opens again."""

    def __init__(self, key):
        self.key = key
        self.network = None

    def press(self, key):
        self.network.press(key)

    def release(self, key):
        if key != self.key:
            self.network.release(key)


def test_a_key_that_stays_down():
    contacts = Sticking(4)
    box = Box(contacts=contacts)
    contacts.network = box.network
    rows = box.run()
    assert bad(rows) == [
        ("key 5: down, and not up again", "free the button, or look for a bridge between its contacts")
    ]
    assert "press key 5 (middle row, middle) ... ok, and stays down\n" in box.terminal
    assert Row("keys 1, 2, 3, 4, 6, 7, 8 and 9: each answers alone, as itself", OK) in rows


def test_a_column_held_low():
    assert list(at_rest(bits(2, 5, 8), bits(2, 5, 8), MATRIX)) == [
        Row(
            "column 2, BCM 6: held low",
            FAILED,
            "look for a short from its wire to ground or to a row, or for keys 2, 5 and 8 stuck",
        )
    ]
    # With that column at ground, and no key closed, the rows are not joined: each other key reads as itself.
    assert interpret(bits(2, 5, 8, 1), bits(2, 5, 8)) == Reading(bits(1))


def as_time_goes(box, *plans):
    """Let things happen at the first look at the clock after their times."""
    left = list(plans)

    def wait(seconds):
        box.person.wait(seconds)
        while left and left[0][0] <= box.person.time:
            left.pop(0)[1]()

    box.bench = replace(box.bench, wait=wait)


@pytest.mark.parametrize("times", [(0.1, 0.2), (0.25, 0.31)], ids=["at first", "at last"])
def test_a_loose_contact(times):
    box = Box()
    down, up = times
    as_time_goes(box, (down, lambda: box.network.press(6)), (up, lambda: box.network.release(6)))
    assert bad(box.run()) == [
        ("key 7: now down, now up, and nobody presses", "look for a loose contact, and keep the wires short")
    ]


# Time in milliseconds, the scan, and after it: the key asked for, how many readings, whether it is to open.
SLIP = [
    (0, 0, 1, 0, False),
    (600, bits(2), 1, 0, False),
    (615, bits(2), 1, 0, False),
    (620, bits(2), 1, 1, True),
    (700, 0, 1, 1, True),
    (720, 0, 1, 1, False),
    (900, bits(1), 1, 1, False),
    (920, bits(1), 1, 2, True),
    (1000, 0, 1, 2, True),
    (1015, 0, 1, 2, True),
    (1020, 0, 2, 0, False),
]
CHATTER = [
    (0, bits(1), 1, 0, False),
    (5, 0, 1, 0, False),
    (15, bits(1), 1, 0, False),
    (20, 0, 1, 0, False),
    (25, bits(1), 1, 0, False),
    (44, bits(1), 1, 0, False),
    (46, bits(1), 1, 1, True),
    (100, 0, 1, 1, True),
    (110, bits(1), 1, 1, True),
    (115, 0, 1, 1, True),
    (130, bits(1), 1, 1, True),
    (140, 0, 1, 1, True),
    (161, 0, 2, 0, False),
]
SILENT = [(0, 0, 1, 0, False), (1999, 0, 1, 0, False), (2000, 0, 2, 0, False), (3999, 0, 2, 0, False)]
HELD = [
    (0, bits(1), 1, 0, False),
    (20, bits(1), 1, 1, True),
    (2019, bits(1), 1, 1, True),
    (2020, bits(1), 2, 0, False),
    (2100, bits(1, 2), 2, 0, False),
    (2120, bits(1, 2), 2, 1, True),
    (2200, bits(1), 2, 1, True),
    (2220, bits(1), 3, 0, False),
]


@pytest.mark.parametrize("table", [SLIP, CHATTER, SILENT, HELD], ids=["slip", "chatter", "silent", "held"])
def test_a_walk_step_by_step(table):
    walk = begin(0, 2.0, 0.0)
    for at, raw, number, readings, letting_go in table:
        walk = step(walk, raw, at / 1000)
        assert (walk.target + 1, len(walk.readings), walk.letting_go) == (number, readings, letting_go), at


def test_what_a_slip_of_the_finger_leaves():
    walk = begin(0, 2.0, 0.0)
    for at, raw, *_ in SLIP:
        walk = step(walk, raw, at / 1000)
    assert walk.found == (Found(0, (Reading(bits(2)), Reading(bits(1)))),)
    assert walk.found[0].well


def test_three_different_answers_are_enough():
    walk = begin(0, 2.0, 0.0)
    for index, number in enumerate((2, 3, 4)):
        for at, raw in ((0.1, bits(number)), (0.15, bits(number)), (0.2, 0), (0.25, 0)):
            walk = step(walk, raw, index + at)
    assert [reading.keys for reading in walk.found[0].readings] == [bits(2), bits(3), bits(4)]
    assert not walk.found[0].well


def test_a_stuck_key_that_comes_off_no_longer_counts():
    walk = begin(bits(9), 2.0, 0.0)
    walk = step(step(walk, 0, 0.1), 0, 0.2)
    assert walk.rest == 0
    assert step(step(walk, bits(1), 0.3), bits(1), 0.4).readings == (Reading(bits(1)),)


def test_a_walk_that_is_over_stays_so():
    walk = begin(bits(*range(1, 10)), 2.0, 0.0)
    assert walk.target is None
    assert step(walk, 0, 9.0) is walk


@given(
    st.integers(0, 8),
    st.lists(st.integers(1, 4), max_size=8),
    st.lists(st.integers(1, 4), max_size=8),
    st.integers(45, 500),
    st.sampled_from([4, 5, 6, 7]),
)
def test_no_chatter_makes_another_reading(key, before, after, down, every):
    """Contacts chatter for at most 20 ms each way, told in ms from one change to the next."""
    changes, level = [], True
    for index, chatter in enumerate((before, after)):
        at = 100 + index * (20 + down)
        for wait in chatter[:5]:
            changes.append((at, level))
            level = not level
            at += wait
        level = not index
        changes.append((at, level))
        level = False
    walk = replace(begin(0, 2.0, 0.0), keys=(key,))
    for now in range(0, 1200, every):
        closed = [level for at, level in changes if at <= now]
        walk = step(walk, 1 << key if closed and closed[-1] else 0, now / 1000)
    assert walk.found == (Found(key, (Reading(1 << key),)),)


def test_a_matrix_reads_as_the_network_does():
    network = SwitchNetwork(ROWS, COLUMNS)
    keypad = Keypad(ROWS, COLUMNS, network.factory)
    now = 0.0
    for closed in range(512):
        for key in range(9):
            (network.press if closed >> key & 1 else network.release)(key)
        for _ in range(2):
            now += 0.005
            keypad.poll(now)
        assert reads_as(closed) == keypad.value
    keypad.close()


@given(st.integers(0, 511), st.integers(0, 8))
def test_a_press_beside_stuck_keys_is_never_taken_for_another(stuck, key):
    rest = reads_as(stuck)
    if rest >> key & 1:
        return
    reading = interpret(reads_as(rest | 1 << key), rest)
    assert reading.keys >> key & 1
    assert reading.doubtful or reading.keys == 1 << key


@given(st.dictionaries(st.integers(0, 8), st.integers(0, 511)), st.integers(0, 511))
def test_each_key_has_its_place_in_the_table(answers, rest):
    """Whatever was read: keys are called well exactly if they are, and every other key is named in a row."""
    found = tuple(
        Found(key, (interpret(keys, 0),) if keys else ())
        for key, keys in answers.items()
        if not rest >> key & 1
    )
    walk = Walk(rest, 1.0, (), 0.0, 0, 0.0, found=found)
    rows = list(after_walk(walk, MATRIX))
    well = [row.what for row in rows if row.verdict is OK]
    others = " ".join(row.what for row in rows if row.verdict is not OK)
    assert len(well) <= 1
    if "no key makes" in others:
        assert len(found) == 9
        return
    for key in keys_of(511 & ~rest):
        is_well = answers.get(key) == 1 << key
        assert (str(key + 1) in re.findall(r"\d+", "".join(well)) or "1 to 9" in "".join(well)) == is_well
        assert is_well or re.search(rf"\b{key + 1}\b", others) or "1 to 9" in others


# The display


def display_rows(box):
    return [
        (row.what, row.verdict, row.remedy)
        for row in box.run(None)
        if re.match("I2C|disp|also|no d|all", row.what)
    ]


SEEN = [("all pixels lit", OK, ""), ("all pixels dark", OK, "")]
WORKS = ("I2C bus 1: works", OK, "")
SSD1306 = ("display chip: SSD1306 or alike (status 0x46)", OK, "")


def test_a_display_at_the_other_address():
    remedy = 'set "address: 0x3d" under display: in box.yaml'
    told = ("display answers at 0x3d, not at 0x3c", FAILED, remedy)
    assert display_rows(Box(address=0x3D)) == [WORKS, told, SSD1306, *SEEN]


def test_two_displays_and_others():
    box = Box()
    box.bus.attach(0x3D, Ssd1306())
    box.bus.attach(0x50, Ssd1306())
    box.bus.attach(0x68, Ssd1306())
    others = ("also on the bus: 0x3d, 0x50 and 0x68", OK, "")
    assert display_rows(box) == [WORKS, ("display answers at 0x3c", OK, ""), others, SSD1306, *SEEN]


def test_a_display_at_an_address_of_its_own():
    config = Config(display=DisplayConfig(address=0x3E))
    assert display_rows(Box(config, address=0x3E))[1] == ("display answers at 0x3e", OK, "")


@pytest.mark.parametrize(
    ("port", "wires"),
    [(1, "SDA is BCM 2 (pin 3), SCL is BCM 3 (pin 5)"), (7, "check the pins of bus 7")],
)
def test_no_display(port, wires):
    box = Box(Config(display=DisplayConfig(port=port)), address=0x20)
    told = ("no display answers at 0x3c or 0x3d", FAILED, f"check its wires: {wires}; power, ground")
    rows = display_rows(box)
    assert rows[1:] == [
        told,
        ("also on the bus: 0x20", OK, ""),
        ("all pixels lit, all pixels dark", OPEN, ""),
    ]
    assert len(bad(box.run())) == 2, "the keys are tried all the same"


@pytest.mark.parametrize(
    ("display", "chip", "what", "remedy"),
    [
        (
            DisplayConfig(),
            Sh1106(),
            "display chip: SH1106 or alike (status 0x48), not SSD1306",
            'set "driver: sh1106" under display: in box.yaml',
        ),
        (
            DisplayConfig(height=32),
            Sh1106(),
            "display chip: SH1106 or alike (status 0x48), not SSD1306",
            'set "driver: sh1106" and "height: 64" under display: in box.yaml',
        ),
        (
            DisplayConfig(driver="sh1106"),
            Ssd1306(),
            "display chip: SSD1306 or alike (status 0x46), not SH1106",
            'set "driver: ssd1306" under display: in box.yaml',
        ),
    ],
)
def test_another_chip_than_configured_is_driven_as_what_it_is(display, chip, what, remedy):
    rows = display_rows(Box(Config(display=display), chip))
    assert rows[2:] == [(what, FAILED, remedy), *SEEN]


def test_a_small_display():
    box = Box(Config(display=DisplayConfig(height=32)), Ssd1306(height=32))
    assert bad(box.run()) == []


class Mute(Ssd1306):
    """A chip whose status byte is another's."""

    answer = 0x07

    def status(self):
        if self.answer is None:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        return self.answer


@pytest.mark.parametrize(
    ("answer", "what"),
    [(0x07, "display chip: of no known kind (status 0x07)"), (None, "display chip: tells no status")],
)
def test_a_chip_that_does_not_tell(answer, what):
    chip = Mute()
    chip.answer = answer
    assert display_rows(Box(chip=chip)) == [
        WORKS,
        ("display answers at 0x3c", OK, ""),
        (what, OPEN, ""),
        *SEEN,
    ]


def test_a_display_of_another_class_is_no_fault():
    config = Config(display=DisplayConfig(driver="luma.core.device:dummy"))
    box = Box(config, address=0x20)
    rows = [row for row in box.run() if row.verdict is not OK]
    assert [row.verdict for row in rows] == [OPEN, FAILED], "the glass before the person stays dark"
    assert rows[0].what == "no display answers at 0x3c or 0x3d"
    box = Box(config)
    box.bench = replace(box.bench, open_bus=fails(OSError(errno.ENOENT, "No such file or directory")))
    assert [row.verdict for row in box.run(None) if row.what.startswith("I2C")] == [OPEN]


def fails(error):
    def call(*_):
        raise error

    return call


@pytest.mark.parametrize(
    ("error", "what", "remedy"),
    [
        (
            FileNotFoundError(errno.ENOENT, "No such file"),
            "I2C bus 1: there is no /dev/i2c-1",
            "dtparam=i2c_arm=on",
        ),
        (OSError("gone"), "I2C bus 1: gone", "SDA is BCM 2"),
    ],
)
def test_a_bus_that_cannot_be_opened(error, what, remedy):
    box = Box()
    box.bench = replace(box.bench, open_bus=fails(error))
    [(told, _, how), (_, verdict, _)] = display_rows(box)
    assert told == what
    assert remedy in how
    assert verdict is OPEN


def test_a_bus_that_this_person_may_not_open_is_told_in_a_sentence():
    box = Box()
    box.bench = replace(box.bench, open_bus=fails(PermissionError("permission denied: be in the group i2c")))
    with pytest.raises(UserError, match=r"^permission denied: be in the group i2c$"):
        list(checks(box.bench, None))
    box = Box(Config(display=DisplayConfig(driver="luma.core.device:dummy")))
    box.bench = replace(box.bench, open_bus=fails(PermissionError("be in the group i2c")))
    [row] = [row for row in box.run(None) if row.what.startswith("I2C")]
    assert row == Row("I2C bus 1: /dev/i2c-1 may not be opened", OPEN, "be in the group i2c")


class Wires:
    """An I2C bus by the errors that each address makes; others are not there."""

    def __init__(self, quick, read=None, error=errno.EREMOTEIO):
        self.quick, self.read, self.error = quick, read or {}, error
        self.asked = []
        self.closed = False

    def write_quick(self, address):
        self._ask("quick", address, self.quick)

    def read_byte(self, address):
        self._ask("read", address, self.read)
        return 0x46

    def _ask(self, how, address, known):
        self.asked.append((how, address))
        if code := known.get(address, self.error):
            raise OSError(code, "told by the adapter")

    def close(self):
        self.closed = True


def test_no_address_is_written_to_where_memories_live():
    wires = Wires({0x3C: 0}, {0x50: 0})
    assert survey(wires, (0x3C, 0x3D)) == ((0x3C, 0x50), ())
    assert {how for how, address in wires.asked if 0x50 <= address < 0x60 or 0x30 <= address < 0x38} == {
        "read"
    }
    assert {address for _, address in wires.asked} == set(range(0x08, 0x78))


def test_an_adapter_without_quick_write():
    wires = Wires({}, {0x3C: 0, 0x50: 0, 0x68: 0}, errno.EOPNOTSUPP)
    wires.read |= {address: errno.ENXIO for address in range(0x80) if address not in wires.read}
    assert survey(wires, (0x3C, 0x3D)) == ((0x3C, 0x50), ())
    assert ("read", 0x68) not in wires.asked


def test_an_adapter_without_quick_write_for_which_the_kernel_answers_first():
    wires = Wires({0x3C: errno.EBUSY}, {0x3D: 0}, errno.EOPNOTSUPP)
    wires.read |= {address: errno.ENXIO for address in range(0x80) if address not in wires.read}
    assert survey(wires, (0x3C, 0x3D)).answered == (0x3D,)


def test_addresses_that_the_kernel_keeps():
    busy = {0x3C: errno.EBUSY, 0x3D: errno.EBUSY}
    assert survey(Wires(busy), (0x3C, 0x3D)).taken == (0x3C, 0x3D)
    box = Box()
    box.bench = replace(box.bench, open_bus=lambda: Wires({0x3C: errno.EBUSY, 0x3D: 0}))
    told = ("display at 0x3c: kept by a driver of the kernel's", FAILED)
    rows = display_rows(box)
    assert rows[1][:2] == told
    assert rows[2][0] == "also on the bus: 0x3d and 0x3c (kept by a driver of the kernel's)"


def test_a_bus_that_hangs_is_given_up_at_once():
    wires = Wires({}, error=errno.ETIMEDOUT)
    box = Box()
    box.bench = replace(box.bench, open_bus=lambda: wires)
    [(what, verdict, _), _] = display_rows(box)
    assert (what, verdict) == ("I2C bus 1: told by the adapter", FAILED)
    assert len(wires.asked) == 2
    assert wires.closed


@pytest.mark.parametrize(("answer", "verdict"), [(True, OK), (False, FAILED), (None, OPEN)])
def test_what_the_person_says_of_the_pixels(answer, verdict):
    box = Box()
    began = box.person.time
    asked = []

    def ask(_question):
        asked.append(box.chip.picture().data)
        return answer

    box.bench = replace(box.bench, ask=ask)
    rows = [row for row in box.run(None) if row.what.startswith("all pixels")]
    assert [row.verdict for row in rows] == [verdict] * 2
    assert asked == [b"\xff" * 1024, bytes(1024)]
    assert (box.person.time - began >= 2.0) == (answer is None), "shown for a second each"


def test_a_display_that_is_lost_on_the_way(caplog):
    box = Box()

    def ask(_question):
        box.bus.unplug()
        return True

    box.bench = replace(box.bench, ask=ask)
    rows = [row for row in box.run() if row.verdict is not OK]
    assert [row.what for row in rows] == ["all pixels dark: the display does not answer"]
    assert caplog.records == []


def test_a_display_that_comes_back_shows_the_key_that_is_waited_for():
    box = Box(wiring={0: (), 1: ()})
    seen = []
    look = lambda: seen.append(lit_cell(box.chip.picture()))  # noqa: E731 - said in one line
    # Key 2 is asked for from 2.3 s to 4.3 s.
    as_time_goes(box, (0.5, look), (1.0, box.bus.unplug), (2.5, look), (3.0, box.bus.plug), (4.0, look))
    box.run(2.0)
    assert seen == [1, None, 2]


# The pins


def test_pins_that_are_in_use_are_refused_before_anything_is_touched():
    box = Box()
    with (
        closing(Keypad(ROWS, COLUMNS, box.network.factory)),
        pytest.raises(UserError, match="stop the service first: sudo systemctl stop tictactoe"),
    ):
        list(checks(box.bench, 20.0))
    assert box.bus.bytes == 0


class LgpioError(Exception):
    """lgpio's own, as far as it matters."""


@pytest.mark.parametrize("error", [LgpioError("'GPIO busy'"), OSError(errno.EBUSY, "")])
def test_what_being_in_use_looks_like(error):
    box = Box()
    box.bench = replace(box.bench, open_keypad=fails(error))
    with pytest.raises(UserError, match="sudo systemctl stop"):
        list(checks(box.bench, 20.0))


def test_pins_that_this_person_may_not_open_are_told_in_a_sentence():
    box = Box()
    box.bench = replace(box.bench, open_keypad=fails(Refused("be in the group gpio")))
    with pytest.raises(UserError, match=r"^be in the group gpio$"):
        list(checks(box.bench, None))
    assert box.bus.bytes == 0


@pytest.mark.parametrize(
    ("error", "what", "remedy"),
    [
        (UserError("no lgpio here"), "keypad pins: out of reach", "no lgpio here"),
        (LgpioError("bad pin"), "keypad pins: bad pin", "check rows and columns under keypad: in box.yaml"),
        (LgpioError(), "keypad pins: LgpioError", "check rows and columns under keypad: in box.yaml"),
    ],
)
def test_pins_that_cannot_be_had(error, what, remedy):
    box = Box()
    box.bench = replace(box.bench, open_keypad=fails(error))
    assert bad(box.run()) == [(what, remedy), ("the keys", "")]


@pytest.mark.parametrize(
    ("error", "told"), [(LgpioError("no reply"), "no reply"), (LgpioError(), "LgpioError")]
)
def test_pins_that_stop_working(error, told):
    box = Box()
    keypad = box.bench.open_keypad()
    keypad.poll = fails(error)
    box.bench = replace(box.bench, open_keypad=lambda: keypad)
    [(what, _)] = bad(box.run())
    assert what == f"the pins stopped working: {told}"


@pytest.mark.parametrize(
    ("chips", "verdict", "told"),
    [
        ([], FAILED, "no chip that may be opened"),
        (
            [GpioChip(0, "gpio-sim", 8), GpioChip(1, "ich", 4)],
            OPEN,
            "gpiochip0 (gpio-sim, 8 lines) and gpiochip1",
        ),
    ],
)
def test_a_machine_without_the_header_of_a_pi(chips, verdict, told):
    box = Box()
    box.bench = replace(box.bench, header=lambda: None, chips=lambda: iter(chips))
    row = box.run(None)[0]
    assert row.verdict is verdict
    assert told in row.what


# As a person sees it


def test_the_exit_status_and_the_table():
    box = Box()
    assert conduct(box.bench, keys=True, seconds=2.0, width=100) == 0
    assert box.terminal.endswith("\nno check failed\n")
    box = Box(wiring={4: ()})
    assert conduct(box.bench, keys=True, seconds=2.0, width=100) == 1
    assert re.search(r"\nkey 5: no contact +failed +check the button and its two joints\n", box.terminal)
    assert box.terminal.endswith("\n1 of 10 checks failed\n")


def test_without_the_walk_a_stuck_key_is_found_all_the_same():
    box = Box()
    box.network.stick(0)
    assert conduct(box.bench, keys=False, seconds=2.0, width=100) == 1
    assert re.search(r"\nkey 1: down, and nobody presses +failed", box.terminal)
    assert re.search(r"\nthe nine-key walk +not judged\n", box.terminal)
    assert "press key" not in box.terminal


def interrupts_at(box, text):
    def say(told):
        box.person.say(told)
        if text in told:
            raise KeyboardInterrupt

    box.bench = replace(box.bench, say=say)


def test_ctrl_c_in_the_walk_tells_what_was_found():
    box = Box(wiring={1: ()})
    interrupts_at(box, "press key 4")
    assert conduct(box.bench, keys=True, seconds=2.0, width=100) == 1
    for told in (
        r"keys 1 and 3: each answers alone, as itself +ok",
        r"key 2: no contact +failed",
        r"keys 4, 5, 6, 7, 8 and 9: not tried +not judged",
        r"the rest: broken off +not judged",
    ):
        assert re.search(f"\n{told}", box.terminal)
    box.check_all_is_let_go()


def test_ctrl_c_before_the_keys():
    box = Box()
    interrupts_at(box, "Hands off")
    assert conduct(box.bench, keys=True, seconds=2.0, width=100) == 1
    assert "all pixels dark" in box.terminal
    assert box.terminal.endswith("\nno check failed\n")
    box.check_all_is_let_go()


def test_a_table():
    rows = [
        Row("first", OK),
        Row("another thing that is looked at", FAILED, "do this, then do that and something else"),
        Row("last", OPEN, "wait"),
    ]
    assert list(table(rows, 64)) == [
        "check                      result      remedy",
        "-------------------------  ----------  ------",
        "first                      ok",
        "another thing that is      failed      do this, then do that and",
        "  looked at                            something else",
        "last                       not judged  wait",
    ]
    assert len(list(table([], 80))) == 2


WORDS = st.text("ab ", max_size=120)


@given(st.lists(st.builds(Row, WORDS, st.sampled_from(Verdict), WORDS)), st.integers(1, 200))
def test_no_line_of_a_table_is_too_long_and_no_word_is_lost(rows, width):
    lines = list(table(rows, width))
    assert all(len(line) <= max(width, 54) for line in lines)
    for letter in "ab":
        told = sum((row.what + row.remedy).count(letter) for row in rows)
        assert sum(re.sub("not judged|failed", "", line).count(letter) for line in lines[2:]) == told


# The command


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """This computer as one whose pins are gpiozero's mock, and a configuration with a bus that it has not."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setenv("LG_WD", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "120")  # the table is as wide as the terminal
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr(real, "header_chip", lambda: GpioChip(0, "pinctrl-bcm2711", 58))
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    path = tmp_path / "box.yaml"
    path.write_text("display: {port: 99}\n")
    yield path
    for number, handler in before.items():
        signal.signal(number, handler)


def test_the_command_on_a_machine_without_a_display(machine, capsys):
    assert cli.main(["selftest", "--config", str(machine), "--no-keys", "--yes"]) == 1
    told = capsys.readouterr().out
    assert "GPIO: gpiochip0 (pinctrl-bcm2711, 58 lines)" in told
    assert "there is no /dev/i2c-99" in told
    assert re.search(r"keys at rest: all open +ok", told)
    assert signal.getsignal(signal.SIGTERM) is command._end


def test_a_bench_without_a_person():
    assert real.real_bench(Config(), WHERE, asks=False).ask("Well?") is None


def test_being_ended_is_an_ordinary_way_out():
    with pytest.raises(SystemExit) as ended:
        command._end(signal.SIGTERM, None)
    assert ended.value.code == 143


def test_what_is_typed_for_an_answer(monkeypatch, capsys):
    typed = iter(["", "perhaps", " Yes ", "n"])

    def read(question):
        assert question == "Well? [y/n] "
        if (answer := next(typed, None)) is None:
            raise EOFError
        return answer

    monkeypatch.setattr("builtins.input", read)
    assert [real._ask("Well?"), real._ask("Well?"), real._ask("Well?")] == [True, False, None]
    assert capsys.readouterr().out == "\n"


@pytest.mark.parametrize(("encoding", "lines"), [("utf-8", 16), ("ascii", 32)])
def test_the_simulated_self_test(monkeypatch, capsys, encoding, lines):
    monkeypatch.setattr(command, "default_paths", list)
    monkeypatch.setattr(command, "_encoding", lambda: encoding)
    assert cli.main(["selftest", "--simulate"]) == 0
    told = capsys.readouterr().out
    assert told.isascii() == (encoding == "ascii")
    assert "Is the whole display lit, without a gap? [y/n] y\n" in told
    picture = told[told.index("press key 5") : told.index("press key 6")].splitlines()[1:-2]
    assert len(picture) == lines
    assert told.endswith("no check failed\n")


def test_the_simulated_self_test_asks_nothing_when_told_so(monkeypatch, capsys):
    monkeypatch.setattr(command, "default_paths", list)
    assert cli.main(["selftest", "--simulate", "--yes", "--no-keys", "--seconds", "5"]) == 0
    assert len(re.findall(r"all pixels (?:lit|dark): shown +not judged", capsys.readouterr().out)) == 2


@pytest.mark.parametrize("seconds", ["soon", "0", "nan", "1e9"])
def test_seconds_that_are_none(seconds, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["selftest", "--seconds", seconds])
    assert ended.value.code == 2
    assert f"{seconds} is no number of seconds from 0.5 to 3600" in capsys.readouterr().err
