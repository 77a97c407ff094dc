"""Checks 1 to 8 of the device test: a good stand-in passes, and each fault fails its own check alone."""

import re

import pytest

ALL_INPUTS = 0b111111


@pytest.fixture
def tried(drive):
    return lambda what: drive(what, "devicetest.py")


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
    print(table(results))  # noqa: T201 - figures, for -rP
    assert len(results) > 20
    for name, found in results.items():
        failed = [number for number, verdict in verdicts(found).items() if verdict == "failed"]
        assert failed == ([found["check"]] if found["check"] else []), name
        if not found["check"]:
            assert set(verdicts(found).values()) == {"ok"}, name
        assert found["inputs"] == ALL_INPUTS, "all pins are inputs at the end"
        assert found["spared"], "nothing was shorted, and no row driven high"
        assert found["seconds"] < 200
        assert max(map(len, re.split("[\r\n]", found["said"]))) <= 80


@pytest.mark.parametrize("pins", [""], ids=["our pins"])
def test_no_board_that_the_datasheets_allow_is_accused(tried):
    results = tried("boards")
    assert len(results) == 36
    for board, found in results.items():
        assert set(verdicts(found).values()) == {"ok"}, board


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
