"""The full test's checks of the keys: a good stand-in passes, and each fault fails its own check alone."""

import os
import re
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from appliance.boardtest.report import parse_report

ALL_INPUTS = 0b111111
COMMAND = Path(sys.executable).with_name("tictactoe")


@pytest.fixture
def tried(drive):
    return lambda what: drive(what, "boardtest.py")


def verdicts(found):
    return {int(number): verdict for number, (verdict, _) in found["rows"].items()}


def table(results):
    """Return the figures that show each fault."""
    lines = ["fault | fails check | figures"]
    for name, found in results.items():
        failed = {
            number: figures for number, (verdict, figures) in found["rows"].items() if verdict == "failed"
        }
        lines.append(f"{name} | {' '.join(failed) or 'none'} | {' '.join(map(str, failed.values()))}")
    return "\n".join(lines)


@pytest.mark.parametrize("pins", [""], ids=["our pins"])
def test_each_fault_fails_its_own_check_and_no_other(tried):
    results = tried("faults")
    print(f"{results['none']['report']}\n{table(results)}")  # noqa: T201 - figures, for -rP
    assert len(results) > 20
    for name, found in results.items():
        failed = [number for number, verdict in verdicts(found).items() if verdict == "failed"]
        assert failed == ([found["check"]] if found["check"] else []), name
        if not found["check"]:
            assert set(verdicts(found).values()) == {"ok"}, name
        assert found["inputs"] == ALL_INPUTS, "all pins are inputs at the end"
        assert found["spared"], "nothing was shorted, and no row driven high"
        assert found["seconds"] < 200
        asked = re.findall(r"^ {4}\w.*", found["said"].replace("\r", "\n"), re.MULTILINE)
        assert max(map(len, asked)) <= 80


@pytest.mark.parametrize("pins", [""], ids=["our pins"])
def test_no_board_that_the_datasheets_allow_is_accused(tried):
    results = tried("boards")
    assert len(results) == 36
    for board, found in results.items():
        assert set(verdicts(found).values()) == {"ok"}, board


def test_a_wire_at_3_3_v_is_named_before_any_row_is_driven(tried):
    """On both kinds of pins; and no other board is accused of it."""
    results = tried("high")
    names = dict(zip((17, 27, 22, 5, 6, 13), product(("row", "column"), (1, 2, 3)), strict=True))
    for pin, (kind, number) in names.items():
        line = rf"{kind} {number} \(BCM {pin}, pin \d+\)"
        for board in (str(pin), f"behind resistors {pin}"):
            found = results.pop(board)
            assert re.fullmatch(rf"{line}: at 3.3 V", found["rows"]["1"][1]["which"]), board
            assert re.search(r"- look for a short to 3.3 V \(header pins 1 and 17\)", found["said"])
            assert found["rows"].get("3", ["not run"])[0] == "not run"
            assert (found["spared"], found["inputs"]) == (True, ALL_INPUTS)
    assert len(results) == 39
    assert [board for board, found in results.items() if verdicts(found) != {1: "ok"}] == []


@pytest.mark.parametrize("pins", [""], ids=["our pins"])
def test_each_check_runs_by_itself(tried):
    for number, found in tried("alone").items():
        assert verdicts(found) == {int(number): "ok"}


@pytest.mark.parametrize("pins", [""], ids=["our pins"])
def test_pins_that_stop_working_fail_the_check_and_are_released(tried):
    for number, found in tried("lost_pins").items():
        verdict, figures = found["rows"][number]
        assert verdict == "failed"
        assert "Input/output error" in figures["reason"]
        assert found["inputs"] == ALL_INPUTS


@pytest.mark.parametrize("pins", [""], ids=["our pins"])
def test_the_service_must_be_stopped(tried):
    assert "stop the service first: sudo systemctl stop tictactoe" in tried("service")


def command(chip, directory, *arguments):
    """Start the real command on the stand-in, with the real clock, and nobody at the keys."""
    environment = {**os.environ, "LD_PRELOAD": str(chip), "HOME": str(directory)}
    return subprocess.Popen(
        # A shell's background job, which this may run in, ignores SIGINT.
        ["env", "--default-signal=INT", COMMAND, "selftest", *arguments],
        cwd=directory, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def test_the_command_writes_a_report_that_the_reader_understands(chip, tmp_path):
    process = command(chip, tmp_path, "--only", "5", "6")
    printed, _ = process.communicate()
    (path,) = tmp_path.glob("device-report-*.txt")
    assert f"The report is {path.name}: please attach it to an issue." in printed
    assert "Traceback" not in printed
    report = parse_report(path.read_text())
    assert {row.number: row.verdict for row in report.rows} == {5: "failed", 6: "ok"}, printed
    assert report.rows[0].measured()["access"] == "unknown", "the stand-in has no device file"
    assert process.returncode == 1
    read = subprocess.run([COMMAND, "selftest", "--read", path], capture_output=True, text=True, check=False)
    assert "5 chip: access = unknown, expected access is gpio rw" in read.stdout
    assert read.returncode == 1


def test_ctrl_c_at_the_command_leaves_the_report_so_far(chip, tmp_path):
    process = command(chip, tmp_path, "--only", "5", "10", "11")
    for line in process.stdout:
        if line.startswith("2/3 "):  # which waits for somebody to press
            process.send_signal(signal.SIGINT)
            break
    process.communicate()
    (path,) = tmp_path.glob("device-report-*.txt")
    rows = parse_report(path.read_text()).rows
    assert [row.verdict for row in rows] == ["failed", "not run", "not run"]
    assert rows[1].measured() == {"reason": "interrupted"}
