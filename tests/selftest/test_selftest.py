"""The self-test over the simulated box: pins, bus, display, the table and the command."""

import errno
import re
import signal
from contextlib import closing

import pytest
from gpiozero import Device
from hypothesis import given
from hypothesis import strategies as st
from selftest_box import COLUMNS, FAILED, OK, OPEN, ROWS, WHERE, Box, bad, fails

from appliance import cli
from appliance.commands import selftest as command
from appliance.config import Config, DisplayConfig
from appliance.devices.access import Refused
from appliance.devices.keypad import Keypad
from appliance.devices.pinout import GpioChip
from appliance.errors import UserError
from appliance.selftest import rig
from appliance.selftest.checks import checks, run
from appliance.selftest.report import Row, Verdict, table
from appliance.simulator.chips import Sh1106, Ssd1306

FOREIGN = Config(display=DisplayConfig(driver="luma.core.device:dummy"))


def test_a_good_box():
    box = Box()
    rows = box.run()
    assert bad(rows) == []
    assert [row.what for row in rows] == [
        "GPIO: gpiochip0 (simulated, 28 lines)",
        "keypad pins: rows BCM 17, 27 and 22, columns BCM 5, 6 and 13",
        "I2C bus 1: works",
        "display answers at 0x3c",
        "display chip: SSD1306 or compatible (status 0x46)",
        "all pixels lit",
        "all pixels dark",
        "keys at rest: all open",
        "keys 1 to 9: each answers alone, as itself",
    ]
    assert re.findall(r"press key (\d) .* ok\n", box.terminal) == list("123456789")


# The display


class Odd(Ssd1306):
    """A chip with another status byte, or none."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    def status(self):
        if self.answer is None:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        return self.answer


def sh1106(*settings):
    what = "display chip: SH1106 or compatible (status 0x48), not SSD1306"
    return [(what, f"set {' and '.join(settings)} under display: in box.yaml")]


NONE = "no display answers at 0x3c or 0x3d"
UNLIT = ("all pixels lit, all pixels dark", "")
NO_WIRES = "check its wires: SDA is BCM 2 (pin 3), SCL is BCM 3 (pin 5); power, ground"
SSD1306 = "display chip: SSD1306 or compatible (status 0x46), not SH1106"
ADDRESS = ("display answers at 0x3d, not at 0x3c", 'set "address: 0x3d" under display: in box.yaml')

# The configuration, the chip, its address; then the rows that are not "ok".
DISPLAYS = {
    "at the other address": ({}, Ssd1306(), 0x3D, [ADDRESS]),
    "at an address of its own": ({"address": 0x3E}, Ssd1306(), 0x3E, []),
    "not there": ({}, Ssd1306(), 0x20, [(NONE, NO_WIRES), UNLIT]),
    "not there, on another bus": (
        {"port": 7},
        Ssd1306(),
        0x20,
        [(NONE, "check its wires: check the pins of bus 7; power, ground"), UNLIT],
    ),
    "an sh1106": ({}, Sh1106(), 0x3C, sh1106('"driver: sh1106"')),
    "an sh1106 for 128x32": ({"height": 32}, Sh1106(), 0x3C, sh1106('"driver: sh1106"', '"height: 64"')),
    "an ssd1306": (
        {"driver": "sh1106"},
        Ssd1306(),
        0x3C,
        [(SSD1306, 'set "driver: ssd1306" under display: in box.yaml')],
    ),
    "128x32": ({"height": 32}, Ssd1306(height=32), 0x3C, []),
    "of another kind": ({}, Odd(0x07), 0x3C, [("display chip: unknown (status 0x07)", "")]),
    "write-only": ({}, Odd(None), 0x3C, [("display chip: sends no status", "")]),
}


@pytest.mark.parametrize(("settings", "chip", "address", "reported"), DISPLAYS.values(), ids=DISPLAYS)
def test_what_a_display_is_called(settings, chip, address, reported):
    rows = Box(Config(display=DisplayConfig(**settings)), chip, address).run()
    assert bad(rows) == reported
    assert Row("keys 1 to 9: each answers alone, as itself", OK) in rows, "the keys are tested all the same"
    if UNLIT not in reported:
        assert Row("all pixels lit", OK) in rows


def test_a_display_of_another_class_is_no_fault():
    rows = [row for row in Box(FOREIGN, address=0x20).run() if row.verdict is not OK]
    assert [row.verdict for row in rows] == [OPEN, FAILED], "the display in front of the person stays dark"
    assert rows[0].what == "no display answers at 0x3c or 0x3d"
    box = Box(FOREIGN)
    box.change(open_bus=fails(OSError(errno.ENOENT, "No such file or directory")))
    assert [row.verdict for row in box.run(None) if row.what.startswith("I2C")] == [OPEN]


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
    box.change(open_bus=fails(error))
    [(reported, how), unlit, _walk] = bad(box.run(None))
    assert (reported, unlit) == (what, UNLIT)
    assert remedy in how


def test_a_bus_that_this_user_may_not_open():
    box = Box()
    box.change(open_bus=fails(PermissionError("permission denied: be in the group i2c")))
    with pytest.raises(UserError, match=r"^permission denied: be in the group i2c$"):
        list(checks(box.rig, None))
    box = Box(FOREIGN)
    box.change(open_bus=fails(PermissionError("be in the group i2c")))
    [row] = [row for row in box.run(None) if row.what.startswith("I2C")]
    assert row == Row("I2C bus 1: /dev/i2c-1 may not be opened", OPEN, "be in the group i2c")


class Wires:
    """An I2C bus by the errors of each address, first of a quick write, then of a read."""

    def __init__(self, quick, read):
        self.quick, self.read = quick, read
        self.closed = False

    def write_quick(self, address):
        self._fail(self.quick.get(address, errno.EREMOTEIO))

    def read_byte(self, address):
        self._fail(self.read.get(address, errno.ENXIO))
        return 0x46

    def _fail(self, code):
        if code:
            raise OSError(code, "the adapter's message")

    def close(self):
        self.closed = True


NOT_KNOWN, BUSY = errno.EOPNOTSUPP, errno.EBUSY
HELD = "display at 0x3c: a kernel driver holds it"
BUSES = {
    "an adapter without quick write": ({0x3C: NOT_KNOWN, 0x3D: NOT_KNOWN}, {0x3C: 0}, None),
    "the same, and nobody there": ({0x3C: NOT_KNOWN, 0x3D: NOT_KNOWN}, {}, NONE),
    "without any probe": (
        dict.fromkeys((0x3C, 0x3D), NOT_KNOWN),
        dict.fromkeys((0x3C, 0x3D), NOT_KNOWN),
        NONE,
    ),
    "held by the kernel": ({0x3C: BUSY, 0x3D: 0}, {0x3D: 0}, HELD),
    "the other address held by the kernel": ({0x3C: 0, 0x3D: BUSY}, {0x3C: 0}, None),
    "hangs": ({0x3C: errno.ETIMEDOUT}, {}, "I2C bus 1: the adapter's message"),
}


@pytest.mark.parametrize(("quick", "read", "what"), BUSES.values(), ids=BUSES)
def test_buses(quick, read, what):
    box, wires = Box(), Wires(quick, read)
    box.change(open_bus=lambda: wires)
    found = [row.what for row in box.run(None) if row.verdict is FAILED]
    assert found == ([what] if what else [])
    assert wires.closed


@pytest.mark.parametrize(("answer", "verdict"), [(True, OK), (False, FAILED), (None, OPEN)])
def test_what_the_person_says_of_the_pixels(answer, verdict):
    box, asked = Box(), []
    began = box.person.time

    def ask(_question):
        asked.append(box.chip.picture().data)
        return answer

    box.change(ask=ask)
    rows = [row for row in box.run(None) if row.what.startswith("all pixels")]
    assert [row.verdict for row in rows] == [verdict] * 2
    assert asked == [b"\xff" * 1024, bytes(1024)]
    assert (box.person.time - began >= 2.0) == (answer is None), "shown for a second each"


def test_a_display_that_is_lost_on_the_way(caplog):
    box = Box()

    def ask(_question):
        box.bus.unplug()
        return True

    box.change(ask=ask)
    assert [what for what, _ in bad(box.run())] == ["all pixels dark: the display does not answer"]
    assert caplog.records == []


# The pins


class LgpioError(Exception):
    """As lgpio's own."""


def test_pins_in_use_are_refused_before_anything_is_touched():
    box = Box()
    with (
        closing(Keypad(ROWS, COLUMNS, box.network.factory)),
        pytest.raises(UserError, match="stop the service first: sudo systemctl stop tictactoe"),
    ):
        list(checks(box.rig, 20.0))
    assert box.bus.bytes == 0


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (LgpioError("'GPIO busy'"), "sudo systemctl stop"),
        (OSError(errno.EBUSY, ""), "sudo systemctl stop"),
        (Refused("be in the group gpio"), "^be in the group gpio$"),
    ],
)
def test_pins_that_end_the_test_with_a_sentence(error, message):
    box = Box()
    box.change(open_keypad=fails(error))
    with pytest.raises(UserError, match=message):
        list(checks(box.rig, 20.0))
    assert box.bus.bytes == 0


@pytest.mark.parametrize(
    ("error", "what", "remedy"),
    [
        (UserError("no lgpio here"), "keypad pins: out of reach", "no lgpio here"),
        (LgpioError("bad pin"), "keypad pins: bad pin", "check rows and columns under keypad: in box.yaml"),
        (LgpioError(), "keypad pins: LgpioError", "check rows and columns under keypad: in box.yaml"),
    ],
)
def test_pins_that_cannot_be_claimed(error, what, remedy):
    box = Box()
    box.change(open_keypad=fails(error))
    assert bad(box.run()) == [(what, remedy), ("the keys", "")]


@pytest.mark.parametrize(
    ("error", "why"), [(LgpioError("no reply"), "no reply"), (LgpioError(), "LgpioError")]
)
def test_pins_that_stop_working(error, why):
    box = Box()
    keypad = box.rig.open_keypad()
    keypad.poll = fails(error)
    box.change(open_keypad=lambda: keypad)
    [(what, _)] = bad(box.run())
    assert what == f"the pins stopped working: {why}"


@pytest.mark.parametrize(
    ("chips", "verdict", "what"),
    [
        ([], FAILED, "GPIO: no chip can be opened"),
        (
            [GpioChip(0, "sim", 8), GpioChip(1, "ich", 4)],
            OPEN,
            "GPIO: gpiochip0 (sim, 8 lines) and gpiochip1 (ich, 4 lines): not the header of a Raspberry Pi",
        ),
    ],
)
def test_a_machine_without_the_header_of_a_pi(chips, verdict, what):
    box = Box()
    box.change(header=lambda: None, chips=lambda: iter(chips))
    assert box.run(None)[0][:2] == (what, verdict)


# What the person sees


def test_the_exit_status_and_the_table():
    box = Box()
    assert run(box.rig, keys=True, seconds=2.0, width=100) == 0
    assert box.terminal.endswith("\nno check failed\n")
    box = Box(wiring={4: ()})
    assert run(box.rig, keys=True, seconds=2.0, width=120) == 1
    remedy = "check the button and its joints to row 2 and column 2"
    assert re.search(rf"\nkey 5: no contact +failed +{remedy}\n", box.terminal)
    assert box.terminal.endswith("\n1 of 10 checks failed\n")


def test_without_the_walk_a_stuck_key_is_found_all_the_same():
    box = Box()
    box.network.stick(0)
    assert run(box.rig, keys=False, seconds=2.0, width=100) == 1
    assert re.search(r"\nkey 1: down, and nobody presses +failed", box.terminal)
    assert re.search(r"\nthe nine-key walk +not judged\n", box.terminal)
    assert "press key" not in box.terminal


@pytest.mark.parametrize(
    ("moment", "reported"),
    [
        (
            "press key 4",
            [
                r"keys 1 and 3: each answers alone, as itself +ok",
                r"key 2: no contact +failed",
                r"keys 4, 5, 6, 7, 8 and 9: not tried +not judged",
            ],
        ),
        ("Hands off", [r"all pixels dark +ok"]),
    ],
)
def test_ctrl_c_reports_what_was_found(moment, reported):
    box = Box(wiring={1: ()})

    def say(text):
        box.person.say(text)
        if moment in text:
            raise KeyboardInterrupt

    box.change(say=say)
    assert run(box.rig, keys=True, seconds=2.0, width=100) == 1
    for line in (*reported, r"the rest: interrupted +not judged"):
        assert re.search(f"\n{line}", box.terminal)
    box.check_all_is_released()


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
        count = sum((row.what + row.remedy).count(letter) for row in rows)
        assert sum(re.sub("not judged|failed", "", line).count(letter) for line in lines[2:]) == count


# The command


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """This computer with gpiozero's mock pins, and a configuration with a bus that it does not have."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setenv("LG_WD", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "120")  # the table is as wide as the terminal
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr(rig, "header_chip", lambda: GpioChip(0, "pinctrl-bcm2711", 58))
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    path = tmp_path / "box.yaml"
    path.write_text("display: {port: 99}\n")
    yield path
    for number, handler in before.items():
        signal.signal(number, handler)


def test_the_command_on_a_machine_without_a_display(machine, capsys):
    assert cli.main(["selftest", "--config", str(machine), "--no-keys", "--yes"]) == 1
    printed = capsys.readouterr().out
    assert "GPIO: gpiochip0 (pinctrl-bcm2711, 58 lines)" in printed
    assert "there is no /dev/i2c-99" in printed
    assert re.search(r"keys at rest: all open +ok", printed)
    assert signal.getsignal(signal.SIGTERM) is command._end
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
    ask = rig.real_rig(Config(), WHERE, asks=True).ask
    assert [ask("Well?"), ask("Well?"), ask("Well?")] == [True, False, None]
    assert capsys.readouterr().out == "\n"
    assert rig.real_rig(Config(), WHERE, asks=False).ask("Well?") is None


@pytest.mark.parametrize(("encoding", "lines"), [("utf-8", 16), ("ascii", 32)])
def test_the_simulated_self_test(monkeypatch, capsys, encoding, lines):
    monkeypatch.setattr(command, "default_paths", list)
    monkeypatch.setattr(command, "_encoding", lambda: encoding)
    assert cli.main(["selftest", "--simulate"]) == 0
    printed = capsys.readouterr().out
    assert printed.isascii() == (encoding == "ascii")
    assert "Is the whole display lit, without a gap? [y/n] y\n" in printed
    picture = printed[printed.index("press key 5") : printed.index("press key 6")].splitlines()[1:-2]
    assert len(picture) == lines
    assert printed.endswith("no check failed\n")


def test_the_simulated_self_test_asks_nothing_with_yes(monkeypatch, capsys):
    monkeypatch.setattr(command, "default_paths", list)
    assert cli.main(["selftest", "--simulate", "--yes", "--no-keys", "--seconds", "5"]) == 0
    assert len(re.findall(r"all pixels (?:lit|dark): shown +not judged", capsys.readouterr().out)) == 2


@pytest.mark.parametrize("seconds", ["soon", "0", "nan", "1e9"])
def test_seconds_that_are_none(seconds, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["selftest", "--seconds", seconds])
    assert ended.value.code == 2
    assert f"{seconds} is not a number of seconds from 0.5 to 3600" in capsys.readouterr().err
