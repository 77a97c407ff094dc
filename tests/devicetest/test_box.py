"""The device test in the service's place, the person's answers by button, and the machine it measures."""

import os
import signal
import time
from pathlib import Path

import pytest
from display_board import Board

from appliance import cli
from appliance.commands import devicetest as command
from appliance.config import lenient
from appliance.config.schema import Config
from appliance.core.keys.scan import CENTRE
from appliance.core.picture.scene import BoardScene, PageScene, PatternScene, Tile
from appliance.core.words import words
from appliance.devices.systemd import Notifier
from appliance.devicetest import box, session
from appliance.devicetest.answers import AGAIN, NO, YES, choices, pressed, question
from appliance.devicetest.box import BoxRig
from appliance.devicetest.chip import Chip
from appliance.devicetest.machine import Machine, folder
from appliance.devicetest.report import Report
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import Ssd1306


def press(board, at, key, seconds=0.1):
    board.plans += [
        (at, lambda: board.network.press(key)),
        (at + seconds, lambda: board.network.release(key)),
    ]


@pytest.mark.parametrize("answer", [YES, AGAIN, NO])
def test_the_person_answers_with_the_top_row_and_other_buttons_are_no_answer(tmp_path, answer):
    board = Board(tmp_path)
    board.person = False  # no other than these fingers
    for at, key in ((1, 7), (2, CENTRE), (3, answer)):
        press(board, at, key)
    assert question(board, "Well?", "ask_lit", "1/6") == answer
    assert 3 < board.time < 3.2


def test_any_button_but_the_centre_goes_on_and_nobody_is_waited_for_for_ever(tmp_path):
    board = Board(tmp_path)
    press(board, 1, CENTRE)
    press(board, 2, 8)
    assert pressed(board) == 8
    assert pressed(board, 5.0) is None


def test_whoever_holds_the_centre_ends_the_test(tmp_path):
    board = Board(tmp_path)
    press(board, 1, CENTRE, 3.0)
    with pytest.raises(KeyboardInterrupt):
        pressed(board)


def test_without_pins_there_are_answers_on_the_terminal(tmp_path):
    board = Board(tmp_path)

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


def test_a_process_that_hangs_has_asked_for_a_short_watchdog_and_for_a_way_out(rig, manager, monkeypatch):
    done = []
    monkeypatch.setattr(box.subprocess, "Popen", lambda words: done.append(words[-1]))
    monkeypatch.setattr(box.os, "kill", lambda *words: done.append(words))
    rig().hang()
    assert b"WATCHDOG_USEC=5000000" in manager.recv(4096)
    assert done[0] == f"sleep 60; kill -CONT {os.getpid()}"
    assert done[1][0] == os.getpid()


def test_what_a_machine_says_of_itself(tmp_path):
    machine = Machine(tmp_path)
    assert machine.boot
    assert machine.text("no/such/file") == ""
    assert set(machine.texts("proc/self/stat*")) >= {"proc/self/stat", "proc/self/status"}
    assert machine.run("echo", "a") == "a"
    assert machine.run("false") == machine.run("no-such-program") == ""
    with (tmp_path / "open").open("w"):
        assert machine.holder(str(tmp_path / "open")) == Path("/proc/self/comm").read_text().strip()
    assert machine.holder(str(tmp_path / "open")) == ""
    assert machine.root_rights == (os.geteuid() == 0)


def test_it_loads_the_cores_and_writes_to_the_card(tmp_path):
    machine = Machine(tmp_path)
    with machine.busy() as cores:
        assert cores == len(os.sched_getaffinity(0))
    target = tmp_path / "target"
    target.write_text("root's")
    (tmp_path / "device-test.block").symlink_to(target)  # where it once wrote
    assert machine.sync() > 0
    assert target.read_text() == "root's"
    assert len(list(tmp_path.iterdir())) == 2


def test_it_measures_the_card_that_games_are_saved_on(tmp_path, monkeypatch):
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    assert folder(str(tmp_path)) == tmp_path
    assert folder(str(tmp_path / "absent")) == Path()
    monkeypatch.setenv("STATE_DIRECTORY", f"{tmp_path}:/elsewhere")
    assert folder(None) == tmp_path


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
