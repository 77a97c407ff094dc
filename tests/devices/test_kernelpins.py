"""gpiozero's pins on the kernel's GPIO chip: each change is one call, byte by byte; faults; edges."""

import errno
from contextlib import nullcontext
from unittest.mock import Mock

import gpio_chip
import pytest
from gpio_chip import DISABLED, DOWN, FALLING, INPUT, OUTPUT, RISING, UP
from gpiozero.exc import (
    PinEdgeDetectUnsupported,
    PinFixedPull,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinPWMUnsupported,
    PinSetInput,
)

from appliance.devices import kernelpins
from appliance.devices.extras import make_lamp
from appliance.devices.kernelpins import LineError

EDGES = {"none": 0, "rising": RISING, "falling": FALLING, "both": RISING | FALLING}
EIO = gpio_chip.error(errno.EIO)
PIN = 16  # not wired to the keys


@pytest.fixture
def pin(factory):
    return factory.pin(PIN)


def test_the_structures_and_calls_are_those_of_linux_gpio_h():
    numbers = [0x1000 + number for number in range(9)]
    offset, *config, lines, buffer_size, descriptor = numbers
    request = kernelpins.REQUEST.pack(offset, b"name", *config, lines, buffer_size, descriptor)
    places = [request.index(number.to_bytes(2, "little")) for number in numbers]
    assert (places, request.index(b"name")) == ([0, 288, 296, 320, 328, 336, 560, 564, 588], 256)
    assert (request[288:560], len(request)) == (kernelpins.CONFIG.pack(*config), 592)
    assert kernelpins.EVENT.pack(1, 2) == b"\1" + bytes(7) + b"\2" + bytes(39)
    calls = (kernelpins.GET_LINE, kernelpins.SET_CONFIG, kernelpins.GET_VALUES, kernelpins.SET_VALUES)
    sizes = ((592, 0x07), (272, 0x0D), (16, 0x0E), (16, 0x0F))
    assert calls == tuple(3 << 30 | size << 16 | 0xB4 << 8 | number for size, number in sizes)


CHANGES = [  # what is called or set on a new pin, what the kernel is asked for, what the pin is then
    ("close", (), [(INPUT, False)], ("input", "floating", False)),
    ("output_with_state", (0,), [(OUTPUT, False)], ("output", "floating", False)),
    ("output_with_state", (True,), [(OUTPUT, True)], ("output", "floating", True)),
    ("input_with_pull", ("up",), [(INPUT | UP, False)], ("input", "up", True)),
    ("input_with_pull", ("down",), [(INPUT | DOWN, False)], ("input", "down", False)),
    ("pull", "floating", [(INPUT | DISABLED, False)], ("input", "floating", False)),
    ("function", "output", [(OUTPUT, False)], ("output", "floating", False)),
    ("when_changed", print, [(INPUT | RISING | FALLING, False)], ("input", "floating", False)),
]


@pytest.mark.parametrize(("name", "value", "requested", "becomes"), CHANGES)
def test_each_change_is_one_call(chip, factory, pin, name, value, requested, becomes):
    assert chip.changes == [(PIN, INPUT, False)], "an input whose bias is left alone"
    if isinstance(value, tuple):
        getattr(pin, name)(*value)
    else:
        setattr(pin, name, value)
    assert chip.changes[1:] == [(PIN, *call) for call in requested]
    assert (pin.function, pin.pull, pin.state) == becomes
    assert factory.pin(PIN) is pin


@pytest.mark.parametrize(
    ("attribute", "value", "error"),
    [
        ("state", True, PinSetInput),
        ("pull", "sideways", PinInvalidPull),
        ("function", "analogue", PinInvalidFunction),
        ("edges", "sharp", PinInvalidEdges),
        ("frequency", 440, PinPWMUnsupported),
        ("bounce", 0.1, PinEdgeDetectUnsupported),
    ],
)
def test_an_invalid_setting_is_rejected_before_the_kernel_is_asked(chip, pin, attribute, value, error):
    chip.changes.clear()
    with pytest.raises(error):
        setattr(pin, attribute, value)
    pin.frequency = pin.when_changed = pin.bounce = None
    assert chip.changes == []
    pin.function = "output"
    with pytest.raises(PinFixedPull, match="output"):
        pin.pull = "up"


@pytest.mark.parametrize("faults", [set(), {kernelpins.SET_CONFIG}])
def test_a_closed_pin_is_released_even_if_it_cannot_be_made_an_input(chip, pin, faults):
    pin.output_with_state(True)
    chip.fails.update(faults)
    with pytest.raises(LineError) if faults else nullcontext():
        pin.close()
    assert chip.held() == set()
    pin.close()
    assert not pin.state, "used again"
    assert chip.pull(PIN) == "down", "as at the power-on"
    assert chip.held() == {PIN}


@pytest.mark.parametrize(
    ("fault", "call"),
    [
        (kernelpins.SET_CONFIG, lambda pin: pin.output_with_state(True)),
        (kernelpins.GET_VALUES, lambda pin: pin.state),
        (kernelpins.SET_VALUES, lambda pin: setattr(pin, "state", 1)),
    ],
)
def test_a_fault_names_chip_and_line_and_the_line_is_still_held(chip, pin, fault, call):
    pin.output_with_state(False)
    chip.fails.add(fault)
    with pytest.raises(LineError, match=rf"Input/output error.*gpiochip0 line {PIN}"):
        call(pin)
    call(pin)
    assert chip.held() == {PIN}


@pytest.mark.parametrize("pull", ["up", "down", "floating"])
def test_a_pull_is_kept_until_another_is_asked_for(chip, pin, pull):
    pin.input_with_pull(pull)
    flag = chip.changes[-1][1]
    pin.output_with_state(False)
    pin.function = "input"
    assert (pin.pull, chip.changes[-1]) == (pull, (PIN, flag, False))
    pin.output_with_state(False)
    pin.close()
    assert (chip.pull(PIN), chip.changes[-1]) == (pull, (PIN, flag, False))
    pin.when_changed = print
    assert (pin.pull, chip.changes[-1]) == (pull, (PIN, flag | RISING | FALLING, False))


def test_a_line_that_is_in_use_or_missing_is_named(chip, factory):
    chip.lines[PIN].fd = 99  # another program's
    with pytest.raises(LineError, match=rf"busy.*line {PIN}"):
        factory.pin(PIN)
    chip.lines[PIN].fd = None
    chip.path.unlink()
    with pytest.raises(LineError, match=r"No such file.*line 5"):
        factory.pin(5)


def test_the_lamp_is_lit_and_put_out(chip, factory):
    light = make_lamp(25, factory)
    light(True)
    assert chip.level(25)
    light(False)
    assert not chip.level(25)
    factory.close()
    assert not chip.lines[25].flags & OUTPUT


# Edges


class Watcher:
    def __init__(self, pin, edges="both"):
        self.edges = []
        pin.edges = edges
        pin.when_changed = self.changed

    def changed(self, ticks, state):
        self.edges.append((ticks, state))


@pytest.mark.parametrize("edges", EDGES)
def test_edges_are_switched_on_without_releasing_the_line(chip, factory, pin, edges):
    pin.input_with_pull("up")
    held = chip.lines[PIN].fd
    watcher = Watcher(pin, edges)
    assert chip.lines[PIN].flags == INPUT | UP | EDGES[edges]
    chip.drive(PIN, False, at=1.5)
    chip.drive(PIN, True, at=1.75)
    factory.wake()
    factory.dispatch()
    expected = {"falling": [(1.5, False)], "rising": [(1.75, True)], "none": []}
    assert watcher.edges == expected.get(edges, [(1.5, False), (1.75, True)])
    pin.edges = "both"
    assert chip.lines[PIN].flags == INPUT | UP | RISING | FALLING
    pin.when_changed = None
    assert chip.lines[PIN].flags == INPUT | UP
    assert chip.lines[PIN].fd == held


def test_an_edge_from_before_is_not_delivered_later(chip, factory, pin):
    watcher = Watcher(pin)
    chip.drive(PIN, True)
    pin.when_changed = None
    pin.when_changed = watcher.changed
    factory.wake()
    factory.dispatch()
    assert watcher.edges == []
    chip.drive(PIN, False)
    del watcher
    factory.dispatch()
    assert pin.when_changed is None, "gpiozero keeps a weak reference"


@pytest.mark.parametrize("call", [kernelpins.GET_LINE, kernelpins.SET_CONFIG, "events"])
def test_watching_that_fails_can_be_tried_again(chip, factory, pin, monkeypatch, call):
    if call == kernelpins.GET_LINE:
        pin.close()
    chip.fails.add(call)
    with monkeypatch.context() as patch:
        if call == "events":
            patch.setattr("os.read", Mock(side_effect=EIO))
        with pytest.raises(LineError, match=rf"Input/output error.*line {PIN}"):
            Watcher(pin)
    for level in (True, False):
        chip.fails.clear()
        watcher = Watcher(pin)
        chip.drive(PIN, level)
        factory.dispatch()
        assert [state for _, state in watcher.edges] == [level]
        chip.fails.add(kernelpins.SET_CONFIG)
        with pytest.raises(LineError):
            pin.when_changed = None
    chip.fails.clear()


def test_a_pin_is_watched_while_it_is_an_input(chip, pin):
    line = chip.lines[PIN]
    watcher = Watcher(pin, "falling")
    pin.output_with_state(True)
    pin.edges = "rising"
    assert pin.edges == "rising"
    assert (pin.function, pin.state, line.flags) == ("output", True, OUTPUT | DOWN), (
        "the pull of the power-on"
    )
    pin.input_with_pull("up")
    assert (pin.pull, line.flags) == ("up", INPUT | UP | RISING)
    pin.output_with_state(False)
    pin.when_changed = None
    pin.when_changed = watcher.changed
    assert not line.flags & (RISING | FALLING), "an output is not watched"
    pin.when_changed = None
    assert (pin.pull, line.flags) == ("up", OUTPUT | UP), "an output keeps its pull"
    pin.function = "input"
    assert line.flags == INPUT | UP
    pin.when_changed = watcher.changed
    pin.close()
    assert (pin.pull, pin.state) == ("up", True), "an input again, with its pull"
    assert (pin.when_changed, line.flags & (RISING | FALLING)) == (None, 0)
