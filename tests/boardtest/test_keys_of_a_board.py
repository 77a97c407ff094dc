"""Checks 5 to 12 with a simulated person, without voltages; tests/chip has them, and a table of faults."""

import io
import os
import re
import signal
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from device_person import KEYS, Finger, PersonRig

from appliance import cli
from appliance.boardtest import gpio_lines, runner
from appliance.boardtest import rig as rig_module
from appliance.boardtest.gpio_lines import HANDS_OFF
from appliance.boardtest.machine import HeaderChip
from appliance.boardtest.plan import chosen
from appliance.boardtest.prompts import question_picture
from appliance.boardtest.report import parse_report
from appliance.boardtest.rig import Rig
from appliance.boardtest.runner import report, run
from appliance.config.schema import Config
from appliance.core.errors import UserError
from appliance.core.keys.scan import CENTRE
from appliance.core.words import words
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import Ssd1306


def tried(rig, only=KEYS):
    return {row.number: row for row in run(rig, chosen(only), lambda _rows: None)}


def test_a_good_board_passes(board):
    rig = board()
    rows = tried(rig)
    assert [(number, row.verdict, row.figures) for number, row in rows.items() if row.verdict != "ok"] == []
    figures = {name: value for row in rows.values() for name, value in row.figures}
    assert (figures["presses"], figures["woken"], figures["taps"]) == (100, 20, 90)
    assert rig.chip_stand_in.held() == set()
    assert rig.chip_stand_in.network.shorts == []
    assert rig.chip_stand_in.network.driven_high == set()


@pytest.mark.parametrize(("number", "after"), [(9, 4.0), (11, 0.5), (12, 0.5)])
def test_whoever_holds_the_centre_ends_the_checks_of_the_games_keypad(board, monkeypatch, number, after):
    monkeypatch.setattr(PersonRig, "planned", lambda _rig, _request, at: [(at + after, 1 << CENTRE)])
    found = tried(board(), (number, 17))
    assert {row.measured()["reason"] for row in found.values()} == {"interrupted"}


@pytest.mark.parametrize(("finger", "only", "number", "figure", "value"), [
    (Finger(answers={4: 0}), (8,), 8, "reason", "key 5 did not close within 20 s, no key did: see check 3"),
    (Finger(answers={4: 1}), (7,), 7, "reason", "key 5 did not close within 20 s, key 1 did: see check 3"),
    (Finger(answers=dict.fromkeys(range(9), 0)), (10,), 10, "reason", "nobody tapped a button"),
    (Finger(answers=dict.fromkeys(range(9), 0)), (11,), 11, "reason", "nobody pressed a button"),
    (Finger(answers=dict.fromkeys(range(9), 0)), (12,), 12, "reason", "nobody tapped a button"),
    (Finger(stuck=1), (6,), 6, "lines", "5-17"),
    (Finger(stuck=1), (12,), 12, "reason", "the keypad does not park: is a button down?"),
])  # fmt: skip
def test_what_a_board_with_other_contacts_gets(board, finger, only, number, figure, value):
    assert tried(board(finger), only)[number].measured()[figure] == value


def test_another_holder_is_named_and_the_service_must_be_stopped(board):
    rig = board()
    rig.holders = {17: "spi0 CS0", 5: ""}
    assert tried(rig, (5,))[5].measured()["holders"] == "17 spi0 CS0, 5 the kernel"
    rig.holders = {6: "tictactoe"}
    with pytest.raises(UserError, match="stop the service first: sudo systemctl stop tictactoe"):
        report(rig, chosen((5,)), None)


def test_a_board_without_a_chip(board, monkeypatch):
    rig = board()
    rig.chip_stand_in.path.unlink()
    with pytest.raises(UserError, match="has no GPIO pins: run it on the Raspberry Pi"):
        report(rig, chosen((5, 6, 7)), None)
    monkeypatch.setattr(runner, "board_name", lambda: "Raspberry Pi 3 Model B Rev 1.2")
    rows = tried(rig, (5, 6, 7))
    assert [row.verdict for row in rows.values()] == ["failed", "failed", "not run"]
    assert rows[5].measured()["reason"].endswith("gpiochip0: No such file or directory")
    rig.chip_stand_in.path.touch()


@pytest.mark.parametrize(("number", "waits"), [(6, 2), (8, 30), (10, 30), (11, 30), (12, 150)])
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
    rows = tried(rig, (10, 11, 12))
    assert [row.verdict for row in rows.values()] == ["not run", "not run", "failed"]
    assert rows[10].measured()["reason"] == "a button closes, and no edge arrives: see check 12"
    assert rows[11].measured()["reason"] == "no edge arrives: see check 12"
    assert rows[12].measured() == {"woken": 0, "missed": 3}


def test_a_brush_wakes_the_keypad_and_does_not_count(board):
    rig = board()
    tapped, brushes = rig.tapped, iter([True, True])

    def brush(key, at):
        return [(at, 1 << key), (at + 0.002, 0)] if next(brushes, False) else tapped(key, at)

    rig.tapped = brush
    assert tried(rig, (12,))[12].measured()["woken"] == 20


def test_buttons_that_are_let_go_too_early_are_asked_for_again(board, monkeypatch):
    monkeypatch.setattr(gpio_lines, "_wait_until_held", lambda *_: None)
    reason = tried(board(Finger(answers={4: 0})), (8,))[8].measured()["reason"]
    assert reason == "key 5 did not stay down"


def test_a_line_that_is_taken_meanwhile_stops_the_check_alone(board):
    rig = board()
    rig.chip_stand_in.lines[22].fd = 99
    row = tried(rig, (6,))[6]
    assert row.verdict == "not run"
    assert row.measured()["reason"].endswith("gpiochip0 line 22: see check 5")
    rig.chip_stand_in.lines[22].fd = None


# The display, and the machine itself


@pytest.fixture
def display(monkeypatch):
    chip, bus = Ssd1306(), SimulatedBus()
    bus.attach(0x3C, chip)
    monkeypatch.setattr(PersonRig, "open_bus", lambda _self: bus)
    return chip


def test_what_is_asked_and_each_press_are_on_the_display(board, display, monkeypatch):
    monkeypatch.setattr(PersonRig, "show", Rig.show)
    monkeypatch.setattr(PersonRig, "flash", Rig.flash)
    rig, shown = board(), []
    rig.ask(HANDS_OFF)
    assert display.picture() == rig.render(question_picture(HANDS_OFF, words("en")))
    flash = rig.flash
    rig.flash = lambda frame: flash(frame) and not shown.append(display.picture())
    figures = tried(rig, (11,))[11].measured()
    assert figures["event_p99_ms"] <= figures["shown_p99_ms"] < 60
    assert len(shown) == 1 + 100, "the request, and each press"
    assert all(before != after for before, after in pairwise(shown)), "each press changes the picture"
    rig.close()
    rig.close()
    assert not display.lit


def test_without_a_display_the_terminal_asks_alone():
    rig = Rig(Config(display=Config().display._replace(driver="no.such:Class")), "box.yaml")
    rig.out = io.StringIO()
    rig.ask(HANDS_OFF)
    assert rig.flash(rig.render(question_picture(HANDS_OFF, words("en")))) is False
    assert rig.out.getvalue().startswith("\n    Hands off the buttons, please.")
    rig.close()


def test_the_machine_itself(tmp_path):
    rig = Rig(Config(), "box.yaml", tmp_path)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", rig.today())
    before = rig.usage()
    rig.wait(0.001)
    assert rig.usage().sleeps > before.sleeps
    chip = HeaderChip(0, "pinctrl-rp1")
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
    monkeypatch.setattr(rig_module, "Rig", lambda _config, _where: rig)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    return rig


def test_the_command_writes_a_report_and_never_over_another(board, tmp_path, monkeypatch, capsys):
    rig = in_the_command(board(), tmp_path, monkeypatch)
    monkeypatch.setattr(rig, "out", sys.stdout)
    for number in ("5", "6"):
        assert cli.main(["selftest", "--config", "box.yaml", "--only", number]) == 0
    printed = capsys.readouterr().out
    first, second = sorted(tmp_path.glob("device-report-none-*.txt"), key=lambda path: len(path.name))
    assert second.name == f"{first.stem}-2.txt"
    assert [row.number for path in (first, second) for row in parse_report(path.read_text()).rows] == [5, 6]
    assert printed.startswith("1 check, about 1 min.")
    assert f"\nRESULT 1/1. The report is {second.name}: please attach it to an issue.\n" in printed


def test_a_folder_that_cannot_be_written_is_refused_at_once(board, tmp_path, monkeypatch, capsys):
    rig = in_the_command(board(), tmp_path, monkeypatch)
    monkeypatch.setattr(Path, "write_text", Mock(side_effect=OSError(30, "Read-only file system")))
    assert cli.main(["selftest", "--config", "box.yaml", "--full"]) == 2
    sentence = r"tictactoe: device-report-none-\S+.txt: Read-only file system; change to a folder .*\n"
    assert re.fullmatch(sentence, capsys.readouterr().err)
    assert rig.out.getvalue() == ""


@pytest.mark.parametrize("path", ["", ".", "/dev/null"])
def test_a_report_that_would_replace_no_file_is_refused_at_once(board, tmp_path, monkeypatch, capsys, path):
    rig = in_the_command(board(), tmp_path, monkeypatch)
    assert cli.main(["selftest", "--config", "box.yaml", "--full", "--report", path]) == 2
    assert capsys.readouterr().err == f"tictactoe: {Path(path)}: cannot be written: it is no file\n"
    assert rig.out.getvalue() == ""
    assert Path(os.devnull).is_char_device()


def test_a_report_goes_where_it_is_asked_for_and_over_the_one_before(board, tmp_path, monkeypatch):
    in_the_command(board(), tmp_path, monkeypatch)
    path = tmp_path / "elsewhere/device-report.txt"
    path.parent.mkdir()
    path.write_text("of last year")
    asked = ["--only", "5", "--report", str(path)]
    assert cli.main(["selftest", "--config", "box.yaml", *asked]) == 0
    assert [row.number for row in parse_report(path.read_text()).rows] == [5]
