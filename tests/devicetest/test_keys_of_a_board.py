"""Checks 1 to 8 with a simulated person, without voltages; tests/chip has them, and a table of faults."""

import io
import re
import signal
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from device_person import CHECKS, Finger, PersonRig

from appliance import cli
from appliance.config.schema import Config
from appliance.core.errors import UserError
from appliance.core.keys.scan import CENTRE
from appliance.core.words import words
from appliance.devicetest import margins, runner
from appliance.devicetest import rig as rig_module
from appliance.devicetest.asking import picture
from appliance.devicetest.chip import Chip
from appliance.devicetest.lines import HANDS_OFF
from appliance.devicetest.measures import MEASURES
from appliance.devicetest.plan import chosen
from appliance.devicetest.report import parse
from appliance.devicetest.rig import BoardRig
from appliance.devicetest.runner import run
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import Ssd1306
from appliance.storage import files


def tried(rig, only=CHECKS):
    return {row.number: row for row in run(rig, chosen(only), MEASURES, lambda _rows: None)}


def test_a_good_board_passes(board):
    rig = board()
    rows = tried(rig)
    assert [(number, row.verdict, row.figures) for number, row in rows.items() if row.verdict != "ok"] == []
    figures = {name: value for row in rows.values() for name, value in row.figures}
    assert (figures["presses"], figures["woken"], figures["taps"]) == (100, 20, 90)
    assert rig.chip_stand_in.held() == set()
    assert rig.chip_stand_in.network.shorts == []
    assert rig.chip_stand_in.network.driven_high == set()


@pytest.mark.parametrize(("number", "after"), [(5, 4.0), (7, 0.5), (8, 0.5)])
def test_whoever_holds_the_centre_ends_the_checks_of_the_games_keypad(board, monkeypatch, number, after):
    monkeypatch.setattr(PersonRig, "_planned", lambda _rig, _request, at: [(at + after, 1 << CENTRE)])
    found = tried(board(), (number, 15))
    assert {row.measured()["reason"] for row in found.values()} == {"interrupted"}


@pytest.mark.parametrize(("finger", "only", "number", "figure", "value"), [
    (Finger(answers={4: 0}), (4,), 4, "reason", "key 5 did not close within 20 s, no key did: see check 6"),
    (Finger(answers={4: 1}), (3,), 3, "reason", "key 5 did not close within 20 s, key 1 did: see check 6"),
    (Finger(answers=dict.fromkeys(range(9), 0)), (6,), 6, "missing", 9),
    (Finger(answers=dict.fromkeys(range(9), 0)), (7,), 7, "reason", "nobody pressed a button"),
    (Finger(answers=dict.fromkeys(range(9), 0)), (8,), 8, "reason", "nobody tapped a button"),
    (Finger(stuck=1), (2,), 2, "lines", "5-17"),
    (Finger(stuck=1), (8,), 8, "reason", "the keypad does not park: is a button down?"),
])  # fmt: skip
def test_what_a_board_with_other_contacts_gets(board, finger, only, number, figure, value):
    assert tried(board(finger), only)[number].measured()[figure] == value


def test_another_holder_is_named_and_the_service_must_be_stopped(board):
    rig = board()
    rig.holders = {17: "spi0 CS0", 5: ""}
    assert tried(rig, (1,))[1].measured()["holders"] == "17 spi0 CS0, 5 the kernel"
    rig.holders = {6: "tictactoe"}
    with pytest.raises(UserError, match="stop the service first: sudo systemctl stop tictactoe"):
        tried(rig, (1,))


def test_a_board_without_a_chip(board, monkeypatch):
    rig = board()
    rig.chip_stand_in.path.unlink()
    with pytest.raises(UserError, match="has no GPIO pins: run the device test on the Raspberry Pi"):
        tried(rig, (1, 2, 3))
    monkeypatch.setattr(runner, "board", lambda: "Raspberry Pi 3 Model B Rev 1.2")
    rows = tried(rig, (1, 2, 3))
    assert [row.verdict for row in rows.values()] == ["failed", "failed", "not run"]
    assert rows[1].measured()["reason"].endswith("gpiochip0: No such file or directory")
    rig.chip_stand_in.path.touch()


@pytest.mark.parametrize(("number", "waits"), [(2, 2), (4, 30), (6, 30), (7, 30), (8, 150)])
def test_a_chip_that_disappears_in_a_check(board, number, waits):
    rig = board()
    wait, left = rig.wait, iter(range(waits))

    def pull(seconds):
        wait(seconds)
        if next(left, None) == waits - 1:
            rig.chip_stand_in.unplug()

    rig.wait = pull
    row = tried(rig, (number,))[number]
    assert (row.verdict, row.measured()["reason"][-14:]) == ("failed", "No such device")
    rig.chip_stand_in.plug()


def test_without_edges_only_their_own_check_fails(board):
    rig = board()
    rig.chip_stand_in.edge = lambda *_: None
    rows = tried(rig, (6, 7, 8))
    assert [row.verdict for row in rows.values()] == ["not run", "not run", "failed"]
    assert rows[6].measured()["reason"] == "a button closes, and no edge arrives: see check 8"
    assert rows[7].measured()["reason"] == "no edge arrives: see check 8"
    assert rows[8].measured() == {"woken": 0, "missed": 3}


def test_a_brush_wakes_the_keypad_and_does_not_count(board):
    rig = board()
    taps, brushes = rig._taps, iter([True, True])

    def brush(keys, at, apart):
        return [(at, 1 << keys[0]), (at + 0.002, 0)] if next(brushes, False) else taps(keys, at, apart)

    rig._taps = brush
    assert tried(rig, (8,))[8].measured()["woken"] == 20


def test_buttons_that_are_let_go_too_early_are_asked_for_again(board, monkeypatch):
    monkeypatch.setattr(margins, "_wait_until_held", lambda *_: None)
    reason = tried(board(Finger(answers={4: 0})), (4,))[4].measured()["reason"]
    assert reason == "key 5 did not stay down"


def test_a_line_that_is_taken_meanwhile_stops_the_check_alone(board):
    rig = board()
    rig.chip_stand_in.lines[22].fd = 99
    row = tried(rig, (2,))[2]
    assert row.verdict == "not run"
    assert row.measured()["reason"].endswith("gpiochip0 line 22: see check 1")
    rig.chip_stand_in.lines[22].fd = None


# The display, and the machine itself


@pytest.fixture
def display(monkeypatch):
    chip, bus = Ssd1306(), SimulatedBus()
    bus.attach(0x3C, chip)
    monkeypatch.setattr(BoardRig, "open_bus", lambda _self: bus)
    return chip


def test_what_is_asked_and_each_press_are_on_the_display(board, display, monkeypatch):
    monkeypatch.setattr(PersonRig, "show", BoardRig.show)
    monkeypatch.setattr(PersonRig, "flash", BoardRig.flash)
    rig, shown = board(), []
    rig.ask(HANDS_OFF)
    assert display.picture() == rig.render(picture(HANDS_OFF, words("en")))
    flash = rig.flash
    rig.flash = lambda frame: flash(frame) and not shown.append(display.picture())
    figures = tried(rig, (7,))[7].measured()
    assert figures["event_p99_ms"] <= figures["shown_p99_ms"] < 60
    assert len(shown) == 1 + 100, "the request, and each press"
    assert all(before != after for before, after in pairwise(shown)), "each press changes the picture"
    rig.close()
    rig.close()
    assert not display.lit


def test_without_a_display_the_terminal_asks_alone():
    rig = BoardRig(Config(display=Config().display._replace(driver="no.such:Class")), "box.yaml")
    rig.out = io.StringIO()
    rig.ask(HANDS_OFF)
    assert rig.flash(rig.render(picture(HANDS_OFF, words("en")))) is False
    assert rig.out.getvalue().startswith("\n    Hands off the buttons, please.")
    rig.close()


def test_the_machine_itself(tmp_path):
    rig = BoardRig(Config(), "box.yaml", tmp_path)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", rig.today())
    before = rig.usage()
    rig.wait(0.001)
    assert rig.usage().sleeps > before.sleeps
    chip = Chip(0, "pinctrl-rp1", ())
    assert rig.access(chip) == "unknown"
    device = tmp_path / "gpiochip0"
    device.touch(mode=0o600)
    assert re.fullmatch(r"\S+ ", rig.access(chip))
    device.chmod(0o660)
    assert rig.access(chip).endswith(" rw")
    keypad = SimpleNamespace(wait=lambda seconds: seconds == 0.5)
    assert rig.block(keypad, 0.5)


def in_the_command(rig, folder, monkeypatch):
    """Let the command run in this folder, on this board, with box.yaml as its configuration."""
    monkeypatch.chdir(folder)
    Path("box.yaml").write_text("")
    monkeypatch.setattr(rig_module, "BoardRig", lambda _config, _where: rig)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    return rig


def test_the_command_writes_a_report_and_never_over_another(board, tmp_path, monkeypatch, capsys):
    rig = in_the_command(board(), tmp_path, monkeypatch)
    monkeypatch.setattr(rig, "out", sys.stdout)
    for number in ("1", "2"):
        assert cli.main(["device-test", "--config", "box.yaml", "--only", number]) == 0
    printed = capsys.readouterr().out
    first, second = sorted(tmp_path.glob("device-report-none-*.txt"), key=lambda path: len(path.name))
    assert second.name == f"{first.stem}-2.txt"
    assert [row.number for path in (first, second) for row in parse(path.read_text()).rows] == [1, 2]
    assert printed.startswith("1 check, about 1 min.")
    assert f"\nRESULT 1/1. The report is {second.name}: please attach it to an issue.\n" in printed


def test_a_folder_that_cannot_be_written_is_refused_at_once(board, tmp_path, monkeypatch, capsys):
    rig = in_the_command(board(), tmp_path, monkeypatch)
    monkeypatch.setattr(files, "store", Mock(side_effect=OSError(30, "Read-only file system")))
    assert cli.main(["device-test", "--config", "box.yaml"]) == 2
    sentence = r"tictactoe: device-report-none-\S+.txt: Read-only file system; change to a folder .*\n"
    assert re.fullmatch(sentence, capsys.readouterr().err)
    assert rig.out.getvalue().count("\n") == 1
