"""`tictactoe run`: the daemon as the service starts it, with the pins and the bus replaced underneath."""

import os
import signal
import socket
import threading
import time

import pytest
from gpiozero import Device

from appliance.cli import main
from appliance.commands import run as command
from appliance.config import Config
from appliance.core.frame import Frame
from appliance.devices import i2c, pinout
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.ssd1306 import Ssd1306
from appliance.simulator.switches import SwitchNetwork

DEADLINE = 20


@pytest.fixture
def hardware(monkeypatch):
    """A network of switches and a bus with a display, where the daemon looks for the real ones."""
    keypad = Config().keypad
    network, bus, chip = SwitchNetwork(keypad.rows, keypad.columns), SimulatedBus(), Ssd1306()
    bus.attach(0x3C, chip)
    monkeypatch.setattr(pinout, "make_factory", lambda: network.factory)
    monkeypatch.setattr(i2c, "open_smbus", lambda port: bus if port == 1 else None)
    monkeypatch.setattr("appliance.devices.panel.open_smbus", lambda _port: bus, raising=False)
    return network, bus, chip


@pytest.fixture
def manager(tmp_path, monkeypatch):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(str(tmp_path / "notify"))
        receiver.settimeout(DEADLINE)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "400000")
        yield receiver


def test_it_is_ready_after_the_first_picture_plays_and_says_goodbye_on_sigterm(hardware, manager, tmp_path):
    network, _, chip = hardware
    told, seen = [], {}

    def person():
        told.append(manager.recv(4096).decode())
        seen["ready"] = chip.lit and chip.picture()
        network.press(0)
        end = time.monotonic() + DEADLINE
        while not any("board x" in message for message in told) and time.monotonic() < end:
            told.append(manager.recv(4096).decode())
        network.release(0)
        os.kill(os.getpid(), signal.SIGTERM)

    watcher = threading.Thread(target=person)
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]
    watcher.start()
    try:
        assert main(["run", "--state", str(tmp_path / "kept")]) == 0
    finally:
        signal.signal(signal.SIGTERM, before[0])
        signal.signal(signal.SIGINT, before[1])
    watcher.join(DEADLINE)
    assert told[0].startswith("READY=1\nWATCHDOG=1\nSTATUS=")
    assert seen["ready"] != Frame.blank()
    assert any("board x" in message for message in told)
    assert chip.lit, "the goodbye stays"
    assert all(network.factory.pin(pin).function == "input" for pin in network.pins)
    assert list((tmp_path / "kept").iterdir())


def test_a_mistake_in_the_configuration_is_shown_and_told_in_one_line(hardware, tmp_path, capfd):
    file = tmp_path / "box.yaml"
    file.write_text("game: {level: hrad}\n")
    assert main(["run", "--config", str(file)]) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert "box.yaml:1: game.level" in err
    assert hardware[2].lit
    assert hardware[2].picture() != Frame.blank()


def test_without_pins_it_says_what_to_do(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nonesuch")
    assert main(["run", "--state", str(tmp_path / "kept")]) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert "nonesuch" in err
    assert "tictactoe simulate" in err


def test_any_of_gpiozeros_factories_can_be_named(monkeypatch):
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setattr(Device, "pin_factory", None)
    factory = pinout.make_factory()
    assert type(factory).__name__ == "MockFactory"
    factory.reset()


def test_without_chips_there_is_no_header(tmp_path):
    assert pinout.header_chip(tmp_path) is None
    (tmp_path / "gpiochip0").write_text("no chip")
    (tmp_path / "gpiochip1").mkdir()
    (tmp_path / "gpiochipx").write_text("")
    assert list(pinout.gpio_chips(tmp_path)) == []


def test_lines_for_the_journal_have_a_priority(monkeypatch):
    import logging  # noqa: PLC0415 - only here

    record = logging.LogRecord("tictactoe", logging.WARNING, "", 0, "two\nlines", (), None)
    assert command.Journal("%(message)s").format(record) == "two\nlines"
    monkeypatch.setenv("JOURNAL_STREAM", "8:1")
    assert command.Journal("%(message)s").format(record) == "<4>two\n<4>lines"
