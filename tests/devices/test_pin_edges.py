"""Edges of gpiozero's pins on the kernel's GPIO chip: how they are switched on, delivered, and waited for."""

import errno
import threading

import gpio_chip
import pytest
from gpio_chip import FALLING, INPUT, OUTPUT, RISING, UP, Chip

from appliance.devices.kernelpins import KernelFactory
from appliance.devices.keypad import Keypad
from appliance.devices.lines import LineError

ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)
EDGES = {"none": 0, "rising": RISING, "falling": FALLING, "both": RISING | FALLING}
EIO = gpio_chip.error(errno.EIO)


def fail(*_):
    raise EIO


@pytest.fixture
def chip(monkeypatch, tmp_path):
    with Chip(tmp_path / "gpiochip0").in_place(monkeypatch) as chip:
        yield chip


@pytest.fixture
def factory(chip):
    factory = KernelFactory(0, chip.path.parent)
    yield factory
    factory.close()


class Watcher:
    def __init__(self, pin, edges="both"):
        self.seen = []
        pin.edges = edges
        pin.when_changed = self.changed

    def changed(self, ticks, state):
        self.seen.append((ticks, state))


@pytest.mark.parametrize("edges", EDGES)
def test_edges_are_switched_on_without_releasing_the_line(chip, factory, edges):
    pin = factory.pin(5)
    pin.input_with_pull("up")
    held = chip.lines[5].fd
    watcher = Watcher(pin, edges)
    assert chip.lines[5].flags == INPUT | UP | EDGES[edges]
    chip.drive(5, False, at=1.5)
    chip.drive(5, True, at=1.75)
    factory.wake()
    factory.dispatch()
    expected = {"falling": [(1.5, False)], "rising": [(1.75, True)], "none": []}
    assert watcher.seen == expected.get(edges, [(1.5, False), (1.75, True)])
    pin.edges = "both"
    assert chip.lines[5].flags == INPUT | UP | RISING | FALLING
    pin.when_changed = None
    assert chip.lines[5].flags == INPUT | UP
    assert chip.lines[5].fd == held


def test_edges_follow_a_pin_through_what_it_becomes(chip, factory):
    pin = factory.pin(5)
    watcher = Watcher(pin, "falling")
    pin.output_with_state(True)
    assert chip.lines[5].flags == OUTPUT
    pin.when_changed = None
    assert (chip.lines[5].flags, pin.state) == (OUTPUT, True)
    pin.when_changed = watcher.changed
    assert (chip.lines[5].flags, pin.state) == (OUTPUT, True)
    pin.input_with_pull("up")
    assert chip.lines[5].flags == INPUT | UP | FALLING
    pin.close()
    assert pin.when_changed is None
    pin.input_with_pull("up")
    assert chip.lines[5].flags == INPUT | UP
    pin.close()
    Watcher(pin)
    assert chip.lines[5].flags & (RISING | FALLING), "watching takes the line again"


def test_an_edge_from_before_is_not_delivered_later(chip, factory):
    pin = factory.pin(5)
    watcher = Watcher(pin)
    chip.drive(5, True)
    pin.when_changed = None
    pin.when_changed = watcher.changed
    factory.wake()
    factory.dispatch()
    assert watcher.seen == []
    chip.drive(5, False)
    del watcher
    factory.dispatch()
    assert pin.when_changed is None, "gpiozero keeps a weak reference"


@pytest.mark.parametrize("ends", ["wake", "close"])
def test_another_thread_ends_the_waiting(chip, factory, ends):
    keypad = park(Keypad(ROWS, COLUMNS, factory))
    thread = threading.Thread(target=keypad.wait)
    thread.start()
    getattr(keypad, ends)()
    thread.join()
    if ends == "close":
        assert chip.held() == set()
        keypad.wake()
        keypad.wait()
    keypad.close()


@pytest.mark.parametrize("call", ["request", "config", "events"])
def test_watching_that_fails_can_be_tried_again(chip, factory, monkeypatch, call):
    pin = factory.pin(5)
    if call == "request":
        pin.close()
    chip.fails[call] = EIO
    with monkeypatch.context() as patch:
        if call == "events":
            patch.setattr("os.read", fail)
        with pytest.raises(LineError):
            Watcher(pin)
    pin.when_changed = None
    watcher = Watcher(pin)
    chip.drive(5, True)
    factory.dispatch()
    assert [state for _, state in watcher.seen] == [True]
    chip.fails["config"] = EIO
    with pytest.raises(LineError):
        pin.when_changed = None
    chip.fails.clear()
    watcher = Watcher(pin)
    chip.drive(5, False)
    factory.dispatch()
    assert [state for _, state in watcher.seen] == [False]


def test_an_edge_that_cannot_be_read_is_an_error_of_the_waiting(chip, factory, monkeypatch):
    keypad = park(Keypad(ROWS, COLUMNS, factory))
    chip.drive(6, False)

    with monkeypatch.context() as patch:
        patch.setattr("os.read", fail)
        with pytest.raises(LineError, match=r"Input/output error.*line 6"):
            keypad.wait()
    keypad.close()


def park(keypad):
    now = 0.0
    while not keypad.parked:
        assert keypad.poll(now)[0] == ()
        now += 0.02
    assert now < 1.5
    return keypad


def test_the_keypad_on_it_parks_and_is_woken(chip, factory):
    """What a key does to the wires is for the stand-in that has wires: tests/chip."""
    keypad = Keypad(ROWS, COLUMNS, factory)
    held = [chip.lines[column].fd for column in COLUMNS]
    park(keypad)
    assert [chip.lines[column].flags for column in COLUMNS] == [INPUT | FALLING | UP] * 3
    assert [(chip.lines[row].flags, chip.lines[row].level) for row in ROWS] == [(OUTPUT, False)] * 3
    chip.drive(6, False)  # a key of the middle column
    keypad.wait()
    keypad.poll(2.0)
    assert not keypad.parked
    assert keypad.value == 0b010_010_010, "no wires: each row reads it"
    assert [chip.lines[column].flags for column in COLUMNS] == [INPUT | UP] * 3
    assert [chip.lines[column].fd for column in COLUMNS] == held
    keypad.close()
    assert chip.held() == set()
