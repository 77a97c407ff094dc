"""`tictactoe run`: the daemon as the service starts it, with the pins and the bus replaced underneath."""

import logging
import os
import random
import signal
import sqlite3
import threading
from contextlib import closing
from types import SimpleNamespace
from unittest.mock import MagicMock, Mock

import pytest
from damaged_values import damaged_values
from gpiozero import GPIOZeroError

from appliance.boardtest import rig
from appliance.cli import main
from appliance.config.schema import Config
from appliance.core.errors import UserError
from appliance.core.picture.canvas import Frame
from appliance.devices import panel, pinout
from appliance.devices.access import NoAccess
from appliance.service import health, mistake, start
from appliance.service.daemon import Service, Stalled, first_session
from appliance.simulator.virtual import Hardware
from appliance.storage.copies import Copies
from appliance.storage.database import NAME, lock
from appliance.storage.rows import VERSION


@pytest.fixture
def desk(monkeypatch):
    """Switches and a bus with a display, where the daemon looks for the real ones."""
    desk = Hardware(Config(), lambda: 0.0)
    monkeypatch.setattr(pinout, "make_factory", lambda: desk.network.factory)
    monkeypatch.setattr(panel, "open_smbus", lambda _port: desk.bus)
    return desk


@pytest.fixture
def notified(manager, monkeypatch):
    manager.setblocking(True)
    monkeypatch.setenv("NOTIFY_SOCKET", manager.getsockname())
    monkeypatch.setenv("WATCHDOG_USEC", "10000000")
    return lambda: manager.recv(4096).decode()


@pytest.fixture(autouse=True)
def signals(monkeypatch):
    """Stand in for `appliance.service.signals.Signals`: this process has threads that block no signal."""
    made = MagicMock()
    made.__enter__.return_value = made
    monkeypatch.setattr(start, "Signals", lambda: made)
    return made


def run_beside(person, kept, text="language: en\n"):
    """Run the box until `person`, in a thread of its own, has ended it as SIGTERM does."""
    config = kept.with_suffix(".yaml")
    config.write_text(text)  # without a language a new box asks which
    watcher = threading.Thread(target=person, daemon=True)
    watcher.start()
    assert main(["run", "--config", str(config), "--state", str(kept)]) == 0
    watcher.join()


def fix_while_it_waits(monkeypatch, fix):
    monkeypatch.setattr(mistake.wait, "__defaults__", (lambda _seconds: fix(),))


def test_it_is_ready_after_the_first_picture_plays_and_says_goodbye_on_sigterm(
    desk, notified, tmp_path, signals, monkeypatch
):
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    network, chip = desk.network, desk.chip
    messages, pictures = [], []

    def person():
        messages.append(notified())
        pictures.append(chip.lit and chip.picture())
        network.press(0)
        while "board x" not in messages[-1]:
            messages.append(notified())
        network.release(0)
        signals.handler(signal.SIGTERM)

    run_beside(person, tmp_path / "kept")
    assert messages[0].startswith("READY=1\nWATCHDOG=1\nSTATUS=")
    assert pictures[0] not in {False, Frame.blank()}
    assert chip.lit, "the goodbye stays"
    assert all(network.factory.pin(pin).function == "input" for pin in network.pins)
    assert list((tmp_path / "kept").iterdir())
    assert not (tmp_path / health.HEALTH_FILE).exists()


def test_trouble_of_the_store_stalls_the_service():
    keeper = SimpleNamespace(trouble=lambda _now: "the store's thread has ended")
    parts = Hardware(Config(), lambda: 0.0).parts(keeper)
    service = Service(first_session(Config()), parts, lambda: 0.0, random.Random(0))
    with pytest.raises(Stalled, match="the store's thread has ended"):
        service.check()
    parts.keypad.close()


def test_a_mistake_in_the_configuration_is_reported_in_one_line(desk, tmp_path, capfd):
    file = tmp_path / "box.yaml"
    file.write_text("game: {level: hrad}\n")
    assert main(["run", "--config", str(file)]) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert "box.yaml:1: game.level" in err
    assert not desk.chip.lit, "it may be the display of a box that runs"


def test_under_systemd_a_mistake_is_reported_and_waited_for_until_it_is_fixed(
    desk, notified, tmp_path, capfd, monkeypatch
):
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    file = tmp_path / "box.yaml"
    file.write_text("game: {level: hrad}\ndisplay: {port: 49}\n")
    fix_while_it_waits(monkeypatch, lambda: file.write_text("game: {level: hard}\n"))
    assert main(["run", "--config", str(file)]) == 2
    sentence = capfd.readouterr().err
    assert sentence.startswith(f"tictactoe: {file}:1: game.level: ")
    assert sentence.count("\n") == 1
    message = notified()
    assert message.split("\n")[0] == "STATUS=" + sentence.removeprefix("tictactoe: ").rstrip("\n")
    assert "EXTEND_TIMEOUT_USEC=" in message
    assert "READY" not in message
    assert desk.chip.picture() != Frame.blank()
    assert "i2c-49" in (tmp_path / "absent").read_text().split()


def test_under_systemd_pins_in_use_are_waited_for_until_they_are_free(desk, notified, tmp_path, monkeypatch):
    """Not for those that the kernel holds, nor for one that is taken meanwhile."""
    held = iter([{5, 17, 40}, {5, 17, 40}, {5, 6, 17, 40}, {17, 40}])
    monkeypatch.setattr("appliance.devices.pinout.held", lambda: next(held))
    monkeypatch.setattr(start, "real_parts", Mock(side_effect=GPIOZeroError("'GPIO busy'")))
    file = tmp_path / "box.yaml"
    file.touch()
    fix_while_it_waits(monkeypatch, lambda: None)
    assert main(["run", "--config", str(file), "--state", str(tmp_path / "kept")]) == 2
    assert list(held) == [], "it waited as long as it had to"
    assert "the pins cannot be used ('GPIO busy')" in notified()


def store_of_a_newer_version(directory):
    directory.mkdir()
    file = directory / NAME
    Copies(file).close()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE medal (name)")
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")


def ready(notified):
    """Return the message that the service is ready; those about pages before it say how long they take."""
    while not (message := notified()).startswith("READY=1"):
        assert "EXTEND_TIMEOUT_USEC=" in message
    return message


def test_under_systemd_a_mistake_on_the_card_and_a_newer_store_are_shown_and_played_past(
    desk, notified, tmp_path, monkeypatch, signals, caplog
):
    card, kept, slept, shown, messages = tmp_path / "tictactoe.yaml", tmp_path / "tictactoe", [], [], []
    monkeypatch.setattr(start, "ON_CARD", card)
    monkeypatch.setattr(mistake, "show", lambda text, _, title: shown.append((title, text)))
    monkeypatch.setattr(start.time, "sleep", slept.append)
    store_of_a_newer_version(kept)

    def person():
        messages.append(ready(notified))
        signals.handler(signal.SIGTERM)

    run_beside(person, kept, "game: {level: hrad, first: box}\n")
    about, (note, begin), (_, rest) = shown
    [newer] = [message for message in caplog.messages if "written by a newer version" in message]
    assert "".join(f"{begin}{rest}".split()) == "".join(newer.split()), "on two pages"
    assert about == ("tictactoe.yaml:1", '"hrad" in game.level: did you mean "hard"?')
    assert note == "note"
    assert slept == [mistake.SHOWN_FOR] * 3
    assert messages[0].startswith("READY=1\n")
    assert f"; {newer}; {card}:1: game.level: " in messages[0]
    assert [caplog.text.count(sentence) for sentence in (f"{card}:1: game.level: ", newer)] == [1, 1]


def test_under_systemd_each_mistake_on_the_card_is_shown_logged_and_a_problem_of_its_own(
    desk, notified, tmp_path, monkeypatch, signals, caplog
):
    card, found, shown = tmp_path / "tictactoe.yaml", [], []
    monkeypatch.setattr(start, "ON_CARD", card)
    monkeypatch.setattr(start.time, "sleep", lambda _seconds: None)
    monkeypatch.setattr(mistake, "show", lambda text, _, title: shown.append((title, text.partition(":")[0])))
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))

    def person():
        ready(notified)
        found.extend(health.read(tmp_path))
        signals.handler(signal.SIGTERM)

    run_beside(person, tmp_path / "tictactoe", "language: es\ngame: {level: hrad}\nexhibit: ja\nlog: x\n")
    assert shown == [(f"tictactoe.yaml:{line}", f"{line - 1} de 3") for line in (2, 3, 4)]
    assert [(one.part, one.reason.split(": ")[0]) for one in found] == [
        ("configuration", f"{card}:{line}") for line in (2, 3, 4)
    ]
    assert all(caplog.text.count(f"{card}:{line}: ") == 1 for line in (2, 3, 4))


def test_under_systemd_a_rule_that_cannot_be_played_is_told(desk, notified, tmp_path, signals, caplog):
    messages = []

    def person():
        messages.append(notified())
        signals.handler(signal.SIGTERM)

    with damaged_values():
        run_beside(person, tmp_path / "kept", "game: {rule: ultimate}\n")
    [sentence] = [one for one in caplog.messages if one.startswith("ultimate cannot be played: ")]
    assert messages[0].startswith("READY=1\n")
    assert f"; {sentence}" in messages[0]


@pytest.mark.parametrize(("kind", "silent"), [("passive", True), ("active", False)])
def test_a_buzzer_that_cannot_sound_is_reported_and_the_menu_offers_no_sound(
    desk, tmp_path, monkeypatch, kind, silent
):
    """As on the image, which has no lgpio: an active one sounds there."""
    monkeypatch.setattr(pinout, "sounding", Mock(side_effect=ImportError("no lgpio")))
    service = start.prepare(Config(buzzer=24, buzzer_kind=kind), tmp_path / "kept")
    try:
        sentence = "the buzzer at pin 24 is silent: no lgpio"
        assert service.status(service.problems).endswith(f"; {sentence}") == silent
        assert service.loop.session.box.buzzer != silent
    finally:
        service.loop.close()


@pytest.mark.parametrize(
    "error", [UserError("permission denied on /dev/gpiochip0"), GPIOZeroError("'GPIO busy'")]
)
def test_under_systemd_unusable_pins_are_waited_for_and_the_state_is_unlocked(
    desk, notified, tmp_path, capfd, monkeypatch, error
):
    monkeypatch.setattr(pinout, "make_factory", Mock(side_effect=error))
    fix_while_it_waits(monkeypatch, lambda: os.close(lock(tmp_path / "kept")))
    assert main(["run", "--state", str(tmp_path / "kept")]) == 2
    assert str(error) in notified()
    assert capfd.readouterr().err.count("\n") == 1
    assert desk.chip.lit


def test_without_permission_only_the_sentence_is_printed_at_a_terminal(desk, tmp_path, monkeypatch, capfd):
    sentence = "permission denied on /dev/gpiochip0: be in the group gpio"
    for module in pinout, rig:
        monkeypatch.setattr(module, "make_factory", Mock(side_effect=NoAccess(sentence)))
    assert main(["run", "--state", str(tmp_path / "kept")]) == 2
    assert capfd.readouterr().err == f"tictactoe: {sentence}\n"
    monkeypatch.setenv("LG_WD", str(tmp_path))
    monkeypatch.setattr("signal.signal", lambda *_: None)
    assert main(["selftest"]) == 2
    assert capfd.readouterr().err == f"tictactoe: {sentence}\n"


def test_a_bus_without_permission_is_logged_once_and_the_game_goes_on(
    desk, notified, tmp_path, monkeypatch, caplog, signals
):
    denied = PermissionError("permission denied on /dev/i2c-1: be in the group i2c")
    monkeypatch.setattr(panel, "open_smbus", Mock(side_effect=denied))
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(health, "write", Mock(wraps=health.write))
    messages, found = [], []

    def person():
        messages.append(notified())
        found.extend(health.read(tmp_path))
        desk.network.press(0)
        while "board x" not in messages[-1]:
            messages.append(notified())
        signals.handler(signal.SIGTERM)

    run_beside(person, tmp_path / "kept")
    problem = f"the display (ssd1306 at 0x3c on bus 1) does not answer ({denied})"
    assert messages[0] == f"READY=1\nWATCHDOG=1\nSTATUS=your turn, board .........; {problem}"
    assert [str(one) for one in found] == [problem], "it is there once the service is ready"
    assert health.write.call_count == 1, "a turn that changes no problem writes nothing"
    lines = [record.getMessage() for record in caplog.records if "i2c" in record.getMessage()]
    assert lines == [f"{problem}; the game goes on without it"]


def test_without_pins_it_says_what_to_do(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nonesuch")
    assert main(["run", "--state", str(tmp_path / "kept")]) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert "nonesuch" in err
    assert "tictactoe simulate" in err


def test_lines_for_the_journal_have_a_priority(monkeypatch):
    record = logging.LogRecord("tictactoe", logging.WARNING, "", 0, "two\nlines\x1b", (), None)
    assert start.Journal("%(message)s").format(record) == "two\nlines\\x1b"
    monkeypatch.setenv("JOURNAL_STREAM", "8:1")
    assert start.Journal("%(message)s").format(record) == "<4>two\n<4>lines\\x1b"
