"""Running the checks: which are not run and why, what is kept, and what the terminal shows."""

from unittest.mock import patch

import pytest

from appliance.boardtest import runner
from appliance.boardtest.plan import CHECKS, CannotRunError, chosen
from appliance.boardtest.prompts import Prompt
from appliance.boardtest.report import Report
from appliance.boardtest.runner import run
from appliance.devices.access import NoAccess

GOOD = {"label": "pinctrl-rp1", "held": 0, "access": "gpio rw", "holders": ""}
PULLS = {"up_reads_low": 0, "down_reads_high": 0, "joined": 0}


def raising(error):
    def measure(_rig):
        raise error

    return measure


def tried(board, **measures):
    rig, kept = board(), []
    measures = {"chip": lambda _rig: GOOD, "pulls": lambda _rig: PULLS} | measures
    checks = [check for check in CHECKS if check.name in measures]
    with patch.dict(runner.MEASURES, measures):
        rows = run(rig, checks, kept.append)
    assert kept[-1] == rows
    assert all(len(one) == count for count, one in enumerate(kept[:-1], 1)), "kept from the first check on"
    return [(row.name, row.verdict, dict(row.figures).get("reason", "")) for row in rows], rig.out.getvalue()


def test_a_check_that_needs_one_that_failed_is_not_run(board):
    never = raising(AssertionError)
    rows, _ = tried(board, pulls=lambda _rig: PULLS | {"joined": 1}, margin=never, settling=never)
    assert rows == [
        ("chip", "ok", ""), ("pulls", "failed", ""),
        ("margin", "not run", "needs check 6, which failed"),
        ("settling", "not run", "needs check 6, which failed"),
    ]  # fmt: skip


def test_by_itself_a_check_needs_no_other(board):
    margin = {"up_low": 0, "off_low": 0, "two_up_low": 0, "two_off_low": 0, "up_us": 5}
    with patch.dict(runner.MEASURES, {"margin": lambda _rig: margin}):
        rows = run(board(), chosen((7,)))
    assert Report((), rows).result == "1/1"


@pytest.mark.parametrize(("error", "row"), [
    (CannotRunError("nobody pressed a button"), ("bounce", "not run", "nobody pressed a button")),
    (OSError(19, "No such device", "line 5"), ("bounce", "failed", "line 5: No such device")),
    (ZeroDivisionError(), ("bounce", "failed", "ZeroDivisionError")),
])  # fmt: skip
def test_a_check_that_cannot_run_or_breaks_says_why_and_the_rest_goes_on(board, error, row):
    rows, said = tried(board, bounce=raising(error), presses=raising(CannotRunError("no button")))
    assert rows[2:] == [row, ("presses", "not run", "no button")]
    assert f"\n{row[1]:<10}  bounce: {row[2]}\n" in said


def test_ctrl_c_keeps_what_was_found(board):
    rows, _ = tried(board, bounce=raising(KeyboardInterrupt), presses=raising(AssertionError))
    assert rows[1:] == [
        ("pulls", "ok", ""), ("bounce", "not run", "interrupted"), ("presses", "not run", "interrupted"),
    ]  # fmt: skip


def test_what_the_terminal_shows(board):
    _, said = tried(board, pulls=lambda _rig: PULLS | {"joined": 1})
    assert said == (
        "2 checks, about 1 min. Ctrl-C ends the test.\n"
        "\n1/2 Check 5, chip, about 1 s: the chip of the header is known, and its lines are free.\n"
        "ok          chip: label pinctrl-rp1, held 0, access gpio rw\n"
        "\n2/2 Check 6, pulls, about 3 s: each line follows its pull, and no two are joined."
        " You: hands off the buttons.\n"
        "failed      pulls: up_reads_low 0, down_reads_high 0, joined 1\n"
        "            - expected joined <= 0\n"
        "\n1 of 2 checks failed\n"
    )


def test_at_a_terminal_lines_are_broken_between_words(board, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    rig = board()
    rig.out.isatty = lambda: True
    with patch.dict(runner.MEASURES, {"pulls": lambda _rig: PULLS | {"left": "1" * 9, "joined": 1}}):
        run(rig, chosen((6,)))
    rig.ask(Prompt("Was there a thin frame, unbroken on all four sides?", "ask_frame", done="3/6"))
    assert rig.out.getvalue() == (
        "1 check, about 1 min. Ctrl-C ends the test.\n"
        "\n1/1 Check 6, pulls, about 3 s: each line follows its pull,\n"
        "    and no two are joined. You: hands off the buttons.\n"
        "failed      pulls: up_reads_low 0, down_reads_high 0,\n"
        "              joined 1, left 111111111\n"
        "            - expected joined <= 0\n"
        "\n1 of 1 check failed\n"
        "\n    Was there a thin frame, unbroken on all four sides? 3/6 "
    )


def test_no_reason_names_the_user(board, monkeypatch):
    monkeypatch.setenv("SUDO_USER", "jim")
    rows, said = tried(
        board,
        bounce=raising(NoAccess("jim is not in the group gpio")),
        presses=raising(CannotRunError("jim")),
    )
    assert [row[2] for row in rows[2:]] == ["USER is not in the group gpio", "USER"]
    assert "jim" not in said
