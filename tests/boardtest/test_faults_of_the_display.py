"""Display and supply: a healthy board passes all their checks; each fault fails its own check alone."""

from itertools import cycle

import pytest
from display_board import Board, Module, lit

from appliance.boardtest import display_bus
from appliance.boardtest.plan import chosen
from appliance.boardtest.report import Report, compose_report
from appliance.boardtest.runner import run
from appliance.config.schema import CHIPS

NUMBERS = (2, 4, 13, 14, 15, 16, 17)
BY_NUMBER = {check.name: check.number for check in chosen(NUMBERS)}


@pytest.fixture(autouse=True)
def shorter(monkeypatch):
    monkeypatch.setattr(display_bus, "UPDATES", 300)
    monkeypatch.setattr(display_bus, "FRAMES", 10)


def outcomes(board, numbers=NUMBERS):
    """Run the checks, print the report for -rP; return the verdict and the figures of each, by its name."""
    rows = run(board, chosen(numbers), lambda _rows: None)
    print(compose_report(Report((("model", "simulated"),), rows)))  # noqa: T201 - see above
    return {row.name: (row.verdict, row.measured()) for row in rows}


def failed(found):
    return {name for name, (verdict, _) in found.items() if verdict == "failed"}


@pytest.mark.parametrize(
    ("driver", "height"), [(chip, rows) for chip in CHIPS for rows in CHIPS[chip].heights]
)
def test_a_healthy_board_passes_all(driver, height):
    found = outcomes(Board(driver, height))
    assert {name: verdict for name, (verdict, _) in found.items()} == dict.fromkeys(BY_NUMBER, "ok"), found
    assert 390 <= found["bus"][1]["scl_khz"] <= 400
    assert found["status"][1]["status"] == "follows"
    assert found["replug"][1]["vcc_noticed"] == found["replug"][1]["sda_noticed"] == "yes"


def sold_as(driver, module, height=64, real_height=64):
    return lambda: Board(driver, height, module=Module(module, real_height))


def with_fault(set_fault):
    def make():
        board = Board()
        set_fault(board)
        return board

    return make


def nack(board):
    board.bus.fault(20_000)


def dying_bus(board):
    for byte in range(20_000, 26_000, 300):
        board.bus.fault(byte)


def lying_status(board):
    lies = cycle((0, 0, 0x40))
    board.bus.reads = lambda byte: byte ^ next(lies)


def sometimes_mute(board):
    silences = cycle((False, False, True))
    board.bus.reads = lambda byte: None if next(silences) else byte


def needs_reset(board):
    board.module.needs_reset = True


def brown_out(board):
    board.interference = board.module.power_on


def glitch(board):
    board.interference = lambda: board.bus.fault(10)


def weak(board):
    """Under load: while every pixel is lit."""
    board.undervoltage = lambda: lit(board.module.eye()) == 128 * 64


def always_weak(board):
    board.undervoltage = lambda: True


FAULTS = {
    "an SH1106 sold as an SSD1306": (sold_as("ssd1306", "sh1106"), "display"),
    "an SSD1306 sold as an SH1106": (sold_as("sh1106", "ssd1306"), "display"),
    "an SSD1306, driven as an SSD1309": (sold_as("ssd1309", "ssd1306"), "picture"),
    "32 rows, driven as 64": (sold_as("ssd1306", "ssd1306", 64, 32), "picture"),
    "64 rows, driven as 32": (sold_as("ssd1306", "ssd1306", 32, 64), "picture"),
    "one byte is not acknowledged": (with_fault(nack), "bus"),
    "a bus that fails again and again": (with_fault(dying_bus), "bus"),
    "a bus at 100 kHz": (lambda: Board(khz=100), "bus"),
    "a status byte that lies now and then": (with_fault(lying_status), "status"),
    "a status byte that sometimes does not come": (with_fault(sometimes_mute), "status"),
    "a display that is dark after its power returns": (with_fault(needs_reset), "replug"),
    "a display that forgets, by a brown-out": (with_fault(brown_out), "noise"),
    "a byte that interference destroys": (with_fault(glitch), "noise"),
    "undervoltage under load": (with_fault(weak), "power"),
    "undervoltage all the time": (with_fault(always_weak), "power"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_fails_its_own_check_and_no_other(fault):
    make, own = FAULTS[fault]
    found = outcomes(make())
    print(f"| {fault} | {BY_NUMBER[own]} {own} |")  # noqa: T201 - the table, for whoever runs this with -rP
    assert failed(found) == {own}, found


@pytest.mark.parametrize("reads", [lambda _byte: None, lambda _byte: 0xFF, lambda _byte: 0x00])
def test_a_module_that_cannot_be_read_is_noted_and_passes(reads):
    board = Board()
    board.bus.reads = reads
    found = outcomes(board)
    assert not failed(found)
    assert found["status"][1]["status"] == "unreadable"


def test_without_a_display_its_checks_are_not_run_and_the_rest_is():
    board = Board()
    board.bus.unplug()
    found = outcomes(board)
    assert {name for name, (verdict, _) in found.items() if verdict == "ok"} == {"power"}
    assert found["display"][0] == "failed"
    assert found["picture"] == ("not run", {"reason": "needs check 2, which failed"})
    assert found["bus"] == ("not run", {"reason": "no display answers at 0x3c (EREMOTEIO)"})


def test_a_display_of_a_luma_class_is_not_looked_for_on_the_bus():
    board = Board()
    display = board.config.display._replace(driver="luma.emulator.device:dummy")
    board.config = board.config._replace(display=display)
    assert outcomes(board, (13,))["bus"][0] == "not run"


def test_without_a_person_what_asks_is_not_run_or_fails_but_ends():
    board = Board()
    board.person = False
    found = outcomes(board)
    assert found["picture"] == ("failed", dict.fromkeys(found["picture"][1], "no answer"))
    assert found["noise"] == ("not run", {"reason": "nobody answered for 60 s"})
    assert failed(found) == {"picture"}
    assert board.now() < 300


def test_a_supply_that_nothing_measures_is_not_judged():
    board = Board()
    board.undervoltage = lambda: None
    assert outcomes(board, (17,))["power"][0] == "not run"
