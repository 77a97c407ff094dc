"""The device test in the service's place, the person's answers by button, and the machine it measures."""

import errno
import os
import signal
import time

import pytest
from display_board import Board

from appliance import cli
from appliance.commands import devicetest as command
from appliance.config import lenient
from appliance.config.schema import Config
from appliance.core.errors import UserError
from appliance.core.keys.scan import CENTRE
from appliance.core.picture.scene import BoardScene, PageScene, PatternScene, Tile
from appliance.core.words import words
from appliance.devices.systemd import Notifier
from appliance.devicetest import session
from appliance.devicetest.answers import AGAIN, NO, YES, choices, pressed, question
from appliance.devicetest.box import BoxRig
from appliance.devicetest.chip import Chip
from appliance.devicetest.machine import Machine
from appliance.devicetest.plan import chosen
from appliance.devicetest.report import Report, parse
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import Ssd1306
from appliance.storage import files


def press(board, at, key, seconds=0.1):
    board.plans += [
        (at, lambda: board.network.press(key)),
        (at + seconds, lambda: board.network.release(key)),
    ]


@pytest.mark.parametrize("answer", [YES, AGAIN, NO])
def test_the_person_answers_with_the_top_row_and_other_buttons_are_no_answer(answer):
    board = Board()
    board.person = False  # no other than these fingers
    for at, key in ((1, 7), (2, CENTRE), (3, answer)):
        press(board, at, key)
    assert question(board, "Well?", "ask_lit", "1/6") == answer
    assert 3 < board.time < 3.2


def test_any_button_but_the_centre_goes_on_and_nobody_is_waited_for_for_ever():
    board = Board()
    press(board, 1, CENTRE)
    press(board, 2, 8)
    assert pressed(board) == 8
    assert pressed(board, 5.0) is None


def test_whoever_holds_the_centre_ends_the_test():
    board = Board()
    press(board, 1, CENTRE, 3.0)
    with pytest.raises(KeyboardInterrupt):
        pressed(board)


def test_without_pins_there_are_answers_on_the_terminal():
    board = Board()

    def keypad(**_):
        raise OSError(16, "busy")

    board.keypad = keypad
    board.typed = lambda: "yes" if board.time > 2 else None
    assert question(board, "Well?", "ask_lit", "1/6") == YES
    assert board.time < 3


@pytest.fixture
def rig(manager, monkeypatch):
    """The rig of a box, its display and the socket that systemd listens on."""

    notifier = Notifier({"NOTIFY_SOCKET": manager.getsockname()})

    def make(*, turned=False):
        rig = BoxRig(Config(), "", notifier, turned=turned)
        rig.chip_shown, bus = Ssd1306(), SimulatedBus()
        bus.attach(0x3C, rig.chip_shown)
        rig.open_bus = lambda: bus
        return rig

    yield make
    notifier.close()


def test_the_watchdog_is_fed_at_most_once_a_second_by_whatever_looks_at_the_clock(rig, manager, monkeypatch):
    times = iter([100.0, 100.5, 101.1, 101.2])
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    board = rig()
    for _ in range(4):
        board.now()
    monkeypatch.undo()
    assert manager.recv(4096).decode().split("\n") == ["READY=1", "WATCHDOG=1", "STATUS=device test"]
    assert manager.recv(4096) == b"WATCHDOG=1"
    with pytest.raises(BlockingIOError):
        manager.recv(4096)
    board.wait(0.0)
    assert board.typed() is None


def test_a_box_upside_down_shows_each_button_where_the_person_sees_it(rig):
    tiles = (Tile("yes"), Tile("=2"), *(Tile(),) * 7)
    upright, turned = rig(), rig(turned=True)
    turned.show(BoardScene(tiles, "1/6"))
    upright.show(BoardScene((*(Tile(),) * 7, Tile("=8"), Tile("yes")), "1/6"))
    seen, stands = turned.chip_shown.picture(), upright.chip_shown.picture()
    assert seen.rows() == [row[::-1] for row in stands.rows()[::-1]]
    assert turned.render(BoardScene(tiles)) != upright.render(BoardScene(tiles))
    for scene in (PageScene("a", "b"), PatternScene(edges=True)):
        assert turned.render(scene) == upright.render(scene)


def test_a_question_that_is_asked_again_is_shown_again(rig):
    board, scene = rig(), choices(words("en"), "ask_lit", "1/6")
    board.show(scene)
    asked = board.chip_shown.picture()
    board.flash(board.render(PatternScene(edges=False)))
    assert board.chip_shown.picture() != asked
    board.show(scene)
    assert board.chip_shown.picture() == asked


def test_in_the_sandbox_what_this_user_may_counts_and_not_whose_the_device_is(rig, tmp_path):
    board = rig()
    board.devices = tmp_path
    (tmp_path / "gpiochip0").touch()
    assert board.access(Chip(0, "", ())) == "gpio rw"
    assert board.access(Chip(1, "", ())) == "none"


def test_what_a_machine_says_of_itself(tmp_path):
    machine = Machine(tmp_path)
    (tmp_path / "name").write_text("rpi_volt\n")
    assert machine.text("no/such/file") == ""
    assert machine.texts("n*") == {"name": "rpi_volt"}
    assert machine.run("echo", "a") == "a"
    assert machine.run("false") == machine.run("no-such-program") == ""


def test_it_loads_the_cores():
    with Machine().busy() as cores:
        assert cores == len(os.sched_getaffinity(0))


@pytest.fixture
def in_service(tmp_path, monkeypatch):
    """A board whose device test has taken the service's place. Its report is for `tmp_path`."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    board = Board()
    board.in_service = True
    return board


def test_a_process_that_is_killed_leaves_the_checks_before(in_service, tmp_path, monkeypatch):
    read = []

    def killed(_rig):
        read.append((tmp_path / session.SO_FAR).read_text())
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "MEASURES", {**session.MEASURES, "power": killed})
    report = session.run(in_service, chosen((10, 14)))
    assert [row.number for row in parse(read[0]).rows] == [10]
    assert [path.name for path in tmp_path.iterdir()] == [session.REPORT]
    assert parse((tmp_path / session.REPORT).read_text()) == report


def test_a_box_that_cannot_keep_a_report_says_so_before_the_first_check(in_service, monkeypatch):
    shown = []

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, "replace", full)
    monkeypatch.setattr(in_service, "show", shown.append)
    with pytest.raises(UserError, match="No space left"):
        session.run(in_service, chosen((14,)))
    assert [scene.text for scene in shown] == ["That did not work."]


@pytest.mark.parametrize(("hurried", "seconds"), [(False, session.READ), (True, 0.0)])
def test_a_box_that_is_switched_off_during_the_test_is_not_kept_waiting(
    in_service, tmp_path, monkeypatch, hurried, seconds
):
    def ended(rig):
        rig.hurried = hurried
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "MEASURES", {**session.MEASURES, "power": ended})
    session.run(in_service, chosen((14,)))
    assert seconds <= in_service.time < seconds + 1.0
    assert (tmp_path / session.REPORT).exists()


@pytest.mark.parametrize(("option", "status"), [("--box", 0), ("--only", 2)])
def test_a_mistake_on_the_card_stops_the_test_no_more_than_the_game(tmp_path, monkeypatch, option, status):
    file = tmp_path / "tictactoe.yaml"
    file.write_text("game: {level: hrad}\ndisplay: {port: 3}\n")
    ports = []
    monkeypatch.setattr(lenient, "ON_CARD", file)
    monkeypatch.setattr(command, "default_paths", lambda: [file])
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(
        session, "run", lambda rig, *_: ports.append(rig.config.display.port) or Report((), ())
    )
    assert cli.main(["device-test", option, *["1"] * (option == "--only")]) == status
    assert ports == [3] * (status == 0)
