"""The quick test over the simulated box: pins, what the terminal shows, the command."""

import errno
import re
import signal
from contextlib import closing
from unittest.mock import Mock, patch

import pytest
from gpiozero import Device
from selftest_box import COLUMN_PINS, ROW_PINS, Box, bad

from appliance import cli
from appliance.boardtest import keys as keys_module
from appliance.boardtest.plan import QUICK
from appliance.boardtest.runner import run
from appliance.commands import selftest as command
from appliance.config.schema import Config, DisplayConfig, KeypadConfig
from appliance.core.errors import UserError
from appliance.devices.access import NoAccess
from appliance.devices.keypad import Keypad

# The pins


class LgpioError(Exception):
    """As lgpio's own."""


STOP_IT = "stop the service first: sudo systemctl stop tictactoe"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (None, STOP_IT),  # what gpiozero raises for pins that the box itself holds
        (LgpioError("'GPIO busy'"), STOP_IT),
        (OSError(errno.EBUSY, ""), STOP_IT),
        (NoAccess("be in the group gpio"), "^be in the group gpio$"),
    ],
)
def test_pins_that_are_refused_end_the_test_before_it_touches_anything(error, message):
    box = Box()
    with closing(Keypad(ROW_PINS, COLUMN_PINS, box.network.factory)):
        if error:
            box.open_factory = Mock(side_effect=error)
        with pytest.raises(UserError, match=message):
            run(box, QUICK)
    assert box.bus.bytes == 0


CHECK = "check rows and columns under keypad: in box.yaml"
AGAIN = "run it again; if it happens again, read dmesg"


@pytest.mark.parametrize(
    ("error", "claimed", "stopped"),
    [
        (UserError("no lgpio here"), ("keypad pins: out of reach", "no lgpio here"), "no lgpio here"),
        (LgpioError("bad pin"), ("keypad pins: bad pin", CHECK), "bad pin"),
        (LgpioError(), ("keypad pins: LgpioError", CHECK), "LgpioError"),
    ],
)
def test_pins_that_cannot_be_claimed_or_stop_working(error, claimed, stopped):
    box = Box()
    with patch.object(Keypad, "poll", side_effect=error):
        assert bad(box.run()) == [(f"the pins stopped working: {stopped}", AGAIN)]
    box.open_factory = Mock(side_effect=error)
    assert bad(keys_module.pins(box)) == [claimed]
    assert [row.verdict for row in run(box, QUICK)] == ["failed", "ok", "not run", "ok"]


@pytest.mark.parametrize(("pin", "name"), [(22, "row 3 (BCM 22, pin 15)"), (5, "column 1 (BCM 5, pin 29)")])
def test_a_line_at_3_3_v_is_named_and_no_row_is_driven_against_it(pin, name):
    """tests/chip has all six, with the voltages."""
    box = Box()
    level = box.network.level
    box.network.level = lambda number: number == pin or level(number)
    with patch.object(Keypad, "__init__", side_effect=AssertionError):
        assert bad(keys_module.pins(box)) == [
            (f"{name}: at 3.3 V", "look for a short to 3.3 V (header pins 1 and 17)")
        ]


def test_pull_ups_of_a_bus_are_not_taken_for_3_3_v():
    keypad = KeypadConfig(rows=(2, 3, 4))
    box = Box(Config(keypad=keypad, display=DisplayConfig(port=0)))
    assert [row.verdict for row in keys_module.pins(box)] == ["ok"]


# What the terminal shows


def test_a_stuck_key_is_reported_with_its_remedy():
    box = Box(stuck={0})
    run(box, QUICK)
    remedy = (
        "free the button, or look for a bridge between row 1 (BCM 17, pin 11) and column 1 (BCM 5, pin 29)"
    )
    assert f"\nfailed      key 1: down with nobody pressing\n            - {remedy}\n" in box.terminal
    assert box.terminal.endswith("\n1 of 4 checks failed\n")
    assert "press key 1" not in box.terminal


WALKED = ["ok          keys 1 and 3: read correctly", "failed      key 2: no contact"]
WALKED += ["not judged  keys 4, 5, 6, 7, 8 and 9: not tried"]
UNTRIED = "not judged  keys 1 to 9: not tried"
ENDED = "interrupted after 2 of 4 checks: no check failed"


@pytest.mark.parametrize(("dead", "moment", "reported"), [
    ([1], "press key 4", [*WALKED, ENDED]),
    (range(9), "press key 4", ["ok          keys at rest: all open", UNTRIED, ENDED]),
    ([1], "Hands off", ["ok          display answers at 0x3c"]),
])  # fmt: skip
def test_ctrl_c_reports_what_was_found(dead, moment, reported):
    """Of the keys after the last press it says nothing: perhaps nobody was there."""
    box = Box(wiring=dict.fromkeys(dead, ()))
    print_it = box.say

    def say(text):
        print_it(text)
        if moment in text:
            raise KeyboardInterrupt

    box.say = say
    rows = run(box, QUICK)
    assert [row.verdict for row in rows] == ["ok", "ok", "not run", "not run"]
    for line in (*reported, "not run     walk: interrupted", "not run     picture: interrupted"):
        assert f"\n{line}\n" in box.terminal
    assert sum("failed  " in line for line in box.terminal.splitlines()) == (WALKED[1] in reported)
    box.check_all_is_released()


def test_the_walk_asks_on_the_display_too_where_nobody_has_a_terminal():
    box, asked = Box(wiring={1: (0,)}), []
    shown = box.show
    box.show = lambda scene: asked.append((scene.notes[0], scene.headline)) or shown(scene)
    list(keys_module.walk(box))
    once = [("Press this button", f"{number}/9") for number in range(1, 10)]
    assert asked == [("Hands off the buttons", ""), *once[:2], ("Once more", "2/9"), *once[2:]]


# The command


def test_the_command_on_a_machine_without_a_display(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setenv("LG_WD", str(tmp_path))
    monkeypatch.setattr(Device, "pin_factory", None)
    handlers = {}
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)
    path = tmp_path / "box.yaml"
    path.write_text("display: {port: 49}\n")
    monkeypatch.setattr(keys_module, "KEY_PATIENCE", 0.01)
    assert cli.main(["selftest", "--config", str(path)]) == 1
    printed = capsys.readouterr().out
    assert "there is no /dev/i2c-49" in printed
    assert "ok          keys at rest: all open" in printed
    assert set(handlers) == {signal.SIGTERM, signal.SIGHUP}
    with pytest.raises(KeyboardInterrupt):
        handlers[signal.SIGTERM](signal.SIGTERM, None)


PINS = "row 1 (BCM 17, pin 11), row 2 (BCM 27, pin 13), row 3 (BCM 22, pin 15), "
PINS += "column 1 (BCM 5, pin 29), column 2 (BCM 6, pin 31) and column 3 (BCM 13, pin 33)"


def test_the_self_test_of_a_good_box(monkeypatch, capsys):
    monkeypatch.setattr(command, "default_paths", list)
    assert cli.main(["selftest", "--simulate"]) == 0
    printed = capsys.readouterr().out
    assert re.findall(r"press key (\d) .* ok\n", printed) == list("123456789")
    assert [line for line in printed.splitlines() if line.startswith("ok")] == [
        f"ok          keypad pins: {PINS}",
        "ok          I2C bus 1: works",
        "ok          display answers at 0x3c",
        "ok          display chip: SSD1306 or compatible (status 0x46)",
        "ok          display takes a picture",
        "ok          keys at rest: all open",
        "ok          keys 1 to 9: read correctly",
        "ok          picture: lit yes, dark yes, frame yes, upright yes, ramp yes, steady yes",
    ]
    assert printed.endswith("\n\nno check failed\n")


@pytest.mark.parametrize(("fault", "failed"), [
    ("dead:5", "key 5: no contact"), ("dead:row1", "row 1 (BCM 17, pin 11): no contact (keys 1, 2 and 3)"),
    ("dead:column3", "column 3 (BCM 13, pin 33): no contact (keys 3, 6 and 9)"),
    ("stuck:3", "key 3: down with nobody pressing"),
    ("swapped", "the wires of row 1 (BCM 17, pin 11) and row 2 (BCM 27, pin 13) are swapped"),
    ("bridge", "column 1 (BCM 5, pin 29) and column 2 (BCM 6, pin 31) are bridged"),
])  # fmt: skip
def test_a_fault_of_the_simulated_box_is_found_and_nothing_else(fault, failed, monkeypatch, capsys):
    monkeypatch.setattr(command, "default_paths", list)
    assert cli.main(["selftest", "--simulate", "--fault", fault]) == 1
    assert re.findall(r"^failed +(.*)$", capsys.readouterr().out, re.MULTILINE) == [failed]


def test_checks_and_faults_add_up(monkeypatch, capsys):
    monkeypatch.setattr(command, "default_paths", list)
    faults = ["--fault", "dead:5", "--fault", "stuck:3"]
    assert cli.main(["selftest", "--simulate", "--only", "1", "--only", "3", *faults]) == 1
    printed = capsys.readouterr().out
    assert re.findall(r"Check (\d+)", printed) == ["1", "3"]
    assert re.findall(r"^failed +(.*)$", printed, re.MULTILINE) == [
        "key 3: down with nobody pressing", "key 5: no contact",
    ]  # fmt: skip


@pytest.mark.parametrize(("arguments", "sentence"), [
    (["--simulate", "--fault", "dead:10"], "--fault: expected dead:5, dead:row1, .* found 'dead:10'\n"),
    (["--simulate", "--fault", ""], "--fault: expected .* found ''\n"),
    (["--fault", "dead:5"], "--fault needs --simulate: a real box has its own faults\n"),
    (["--simulate", "--report", "x.txt"], "--report needs a real board: .*\n"),
    (["--read", "x.txt", "--full"], "--read runs no test: leave out --full\n"),
    (
        ["--read", "x", "--simulate", "--only", "7", "--report", "y", "--fault", "swapped"],
        "--read runs no test: leave out --only, --report, --simulate and --fault\n",
    ),
])  # fmt: skip
def test_arguments_that_make_no_sense(arguments, sentence, capsys):
    assert cli.main(["selftest", *arguments]) == 2
    assert re.fullmatch(f"tictactoe: {sentence}", capsys.readouterr().err)
