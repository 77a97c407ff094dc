"""Plan, bounds and report: pure parts, and the reader's command."""

import argparse
import hashlib
import os
import re
from pathlib import Path

import pytest
from effort import amount
from hypothesis import given, settings
from hypothesis import strategies as st
from typed_values import fits

from appliance import cli
from appliance.boardtest import report as reader
from appliance.boardtest.plan import (
    CHECKS,
    FAILED,
    NOT_RUN,
    OK,
    QUICK,
    REASON,
    Bound,
    broken,
    chosen,
    expected,
    judge,
    planned,
)
from appliance.boardtest.report import DamagedError, Report, ReportRow, compose_report, parse_report
from appliance.commands import selftest
from appliance.core.english import number_word

ROOT = Path(__file__).resolve().parents[2]
ANY = st.text(st.characters(exclude_categories=["Cs"]))
NAMES = st.from_regex(r"[a-z_0-9]+", fullmatch=True)
FIGURES = st.tuples(NAMES, st.integers() | st.floats(allow_nan=False) | ANY)
ROWS = st.builds(
    ReportRow, st.integers(1, 99), NAMES, st.sampled_from([OK, FAILED, NOT_RUN]),
    st.lists(FIGURES).map(tuple), ANY,
)  # fmt: skip
REPORTS = st.builds(
    Report, st.lists(st.tuples(NAMES, ANY)).map(tuple), st.lists(ROWS).map(tuple)
)  # fmt: skip


def arguments():
    parser = argparse.ArgumentParser()
    selftest.add_arguments(parser)
    return parser._actions


def test_the_plan_takes_the_minutes_that_help_and_page_promise():
    assert [check.number for check in CHECKS] == list(range(1, len(CHECKS) + 1))
    assert len({check.name for check in CHECKS}) == len(CHECKS)
    minutes = number_word(-(-sum(check.seconds for check in CHECKS) // 60))
    (full,) = (action for action in arguments() if action.dest == "full")
    assert f"in {minutes} minutes" in full.help
    assert f"in {minutes} minutes" in (ROOT / "docs/boards.md").read_text()
    assert all(number < check.number for check in CHECKS for number in check.needs)
    assert [check.name for check in chosen((3, 1))] == ["pins", "walk"]
    assert [check.name for check in QUICK] == ["pins", "display", "walk", "picture"]
    for full, checks in ((False, QUICK), (True, CHECKS[:-1])):
        assert planned(full=full, buzzer=False) == checks
        assert planned(full=full, buzzer=True) == (*checks, *chosen((18,)))


def test_every_bound_belongs_to_a_check_and_allows_something():
    assert expected().keys() == {check.name for check in CHECKS}
    for bound in (bound for bounds in expected().values() for bound in bounds):
        assert str(bound).startswith(f"{bound.figure} ")
        assert bound[1:] != (None, None, None)
        assert fits(bound, Bound)
        assert bound.min is None or bound.max is None or bound.min <= bound.max


BOUNDS = (Bound("us", max=50), Bound("woken", min=20, max=20), Bound("label", among=("a", "b")))
GOOD = {"us": 50, "woken": 20, "label": "b", "more": 1}


@pytest.mark.parametrize(("change", "named"), [
    ({}, []), ({"us": 50.1}, ["us <= 50"]), ({"woken": 19}, ["woken >= 20 and <= 20"]),
    ({"us": "50"}, ["us <= 50"]), ({"woken": 21}, ["woken >= 20 and <= 20"]),
    ({"label": "c"}, ["label is a or b"]),
])  # fmt: skip
def test_figures_are_judged_by_their_bounds(change, named):
    figures = GOOD | change
    assert [str(bound) for bound in broken(figures, BOUNDS)] == named
    assert judge(figures, BOUNDS) == (FAILED if named else OK)


def test_a_figure_that_is_missing_or_a_check_that_broke_is_a_failure():
    assert judge({"us": 1, "woken": 20}, BOUNDS) == FAILED
    assert judge(GOOD | {REASON: "the pins stopped working"}, BOUNDS) == FAILED


@pytest.mark.more
@settings(max_examples=amount(10, 100))
@given(REPORTS)
def test_a_report_parses_back(report):
    assert parse_report(compose_report(report)) == report


@pytest.mark.more
@settings(max_examples=amount(10, 100))
@given(REPORTS, st.data())
def test_a_changed_byte_is_found(report, data):
    text = compose_report(report).encode()
    place = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.integers(0, 127).filter(lambda byte: byte != text[place]))
    with pytest.raises(DamagedError):
        parse_report((text[:place] + bytes([other]) + text[place + 1 :]).decode())


FACTS = (("program", "1.0"), ("date", "2026-11-23"), ("model", "Raspberry Pi | Zero"), ("kernel", "6.12"))
FACTS += (("display", "ssd1306 128x64 at 0x3c on bus 1"),)
ROWS_OF_ONE = (
    ReportRow(5, "chip", OK, (("label", "pinctrl-rp1"), ("held", 0), ("access", "gpio rw")), "held <= 0"),
    ReportRow(
        6, "pulls", FAILED, (("up_reads_low", 1), ("down_reads_high", 0), ("joined", 0)), "up_reads_low <= 0"
    ),
    ReportRow(7, "margin", NOT_RUN, ((REASON, "needs check 6, which failed"),), "up_low <= 0"),
)
TEXT = """\
tictactoe device report, format 1
program: 1.0
date: 2026-11-23
model: Raspberry Pi \\u007c Zero
kernel: 6.12
display: ssd1306 128x64 at 0x3c on bus 1

check | verdict | figure | bound
 5 chip | ok | label="pinctrl-rp1" held=0 access="gpio rw" | held <= 0
 6 pulls | failed | up_reads_low=1 down_reads_high=0 joined=0 | up_reads_low <= 0
 7 margin | not run | reason="needs check 6, which failed" | up_low <= 0

RESULT 1/2 sha256:"""


def test_what_a_report_looks_like():
    assert re.sub("(?<=sha256:).*\n", "", compose_report(Report(FACTS, ROWS_OF_ONE))) == TEXT


def test_the_reader_says_what_differs_and_makes_the_table(tmp_path, capsys):
    good, bad, changed = (tmp_path / name for name in ("good.txt", "bad.txt", "changed.txt"))
    good.write_text(compose_report(Report(FACTS, ROWS_OF_ONE[:1])))
    bad.write_text(compose_report(Report(FACTS, ROWS_OF_ONE)))
    changed.write_text(bad.read_text().replace("1/2", "2/2"))
    assert cli.main(["selftest", "--read", str(good)]) == 0
    assert capsys.readouterr().out.startswith(f"{good}: Raspberry Pi | Zero, 1/1 passed\n\n| model | date |")
    assert cli.main(["selftest", "--read", str(good), "--read", str(bad)]) == 1
    capsys.readouterr()
    assert cli.main(["selftest", "--read", *map(str, (good, bad, changed, tmp_path / "none"))]) == 2
    printed, errors = capsys.readouterr()
    assert f"\n{bad}: Raspberry Pi | Zero, 1/2 passed\n" in printed
    assert "\n  6 pulls: up_reads_low = 1, expected up_reads_low <= 0\n" in printed
    assert "\n  7 margin: not run: needs check 6, which failed\n" in printed
    assert errors == (
        f"tictactoe: {changed}: changed since it was written: its hash differs\n"
        f"tictactoe: {tmp_path}/none: cannot be read: there is no such file\n"
    )
    assert printed.endswith(
        "| model | date | kernel | display | result |\n| --- | --- | --- | --- | --- |\n"
        "| Raspberry Pi &#124; Zero | 2026-11-23 | 6.12 | ssd1306 128x64 at 0x3c on bus 1 | 1/1 |\n"
        "| Raspberry Pi &#124; Zero | 2026-11-23 | 6.12 | ssd1306 128x64 at 0x3c on bus 1 | 1/2 |\n"
    )


@pytest.mark.parametrize("mailed", [
    lambda text: text.replace("\n", "\r\n"), lambda text: f"\ufeff{text}", str.strip, "{}\n\n".format,
])  # fmt: skip
def test_what_mail_does_to_a_report_does_no_harm(mailed, tmp_path):
    report = Report(FACTS, ROWS_OF_ONE)
    (tmp_path / "mailed").write_text(mailed(compose_report(report)), newline="")
    assert reader.read_report(tmp_path / "mailed") == report


def test_the_reader_judges_by_todays_bounds():
    row = ROWS_OF_ONE[1]._replace(figures=(("up_reads_low", 0), ("down_reads_high", 0), ("joined", 0)))
    said = "6 pulls: was failed by the bounds of its program: up_reads_low <= 0"
    assert list(reader.differences(Report(FACTS, (row,)))) == [said]


def test_the_reader_names_the_faults_of_the_wires():
    row = ReportRow(3, "walk", FAILED, (("faults", 1), ("which", "key 5: no contact")))
    assert list(reader.differences(Report(FACTS, (row,)))) == ["3 walk: failed: key 5: no contact"]


def test_numbers_that_are_no_checks(capsys):
    last = len(CHECKS)
    assert cli.main(["selftest", "--only", "3", f"{last + 1}"]) == 2
    sentence = f"expected numbers from 1 to {last}, found {last + 1}"
    assert capsys.readouterr().err == f"tictactoe: --only: {sentence}\n"


@pytest.mark.parametrize(
    "figures", ["held=[1]", "held=null", "held=true", 'held={"a": 1}', "held=" + "[" * 99_999]
)
def test_a_forged_figure_is_damage_and_no_traceback(figures):
    text = compose_report(Report((("model", "x"),), (ReportRow(1, "pins", OK, (("held", 0),)),)))
    body = text.replace("held=0", figures).rpartition("sha256:")[0] + "sha256:"
    with pytest.raises(DamagedError, match="it is no report"):
        parse_report(f"{body}{hashlib.sha256(body.encode()).hexdigest()}\n")


def test_a_forged_text_does_not_reach_the_readers_terminal(tmp_path, capsys):
    reason = ((REASON, "\x1b[2Jgone"),)
    (tmp_path / "a").write_text(
        compose_report(Report((("model", "\x1b]0;me\x07"),), (ReportRow(1, "pins", FAILED, reason),)))
    )
    assert cli.main(["selftest", "--read", str(tmp_path / "a")]) == 1
    printed = capsys.readouterr().out
    assert r"1 pins: failed: \x1b[2Jgone" in printed
    assert "\x1b" not in printed


def test_what_is_no_file_or_too_long_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    with (tmp_path / "disk").open("wb") as file:
        file.truncate(1 << 40)
    for name in ("pipe", "folder", "disk"):
        with pytest.raises(DamagedError):
            reader.read_report(tmp_path / name)


def test_a_report_that_cannot_be_read_says_why(tmp_path):
    (tmp_path / "binary").write_bytes(b"\xff")
    for name, why in (("", "it is no file"), ("none", "there is no such file"), ("binary", "it is not text")):
        with pytest.raises(DamagedError, match=f"^cannot be read: {why}$"):
            reader.read_report(tmp_path / name)
