"""Checks 1 to 8 with a simulated person, without voltages; tests/chip has them, and a table of faults."""

import pytest
from device_person import CHECKS, Finger

from appliance.core.errors import UserError
from appliance.devicetest.measures import MEASURES
from appliance.devicetest.plan import chosen
from appliance.devicetest.runner import run


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


def test_a_board_without_a_chip(board):
    rig = board()
    rig.chip_stand_in.path.unlink()
    rows = tried(rig, (1, 2, 3))
    assert [row.verdict for row in rows.values()] == ["failed", "failed", "not run"]
    assert rows[1].measured()["reason"].endswith("gpiochip0: No such file or directory")
    rig.chip_stand_in.path.touch()


def test_a_chip_that_disappears_in_a_check(board):
    rig = board()
    wait = rig.wait

    def pull(seconds):
        wait(seconds)
        if seconds == 0.001:  # the pins are claimed
            rig.wait = wait
            rig.chip_stand_in.unplug()

    rig.wait = pull
    row = tried(rig, (2,))[2]
    assert (row.verdict, row.measured()["reason"][-14:]) == ("failed", "No such device")
    rig.chip_stand_in.plug()
