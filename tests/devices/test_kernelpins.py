"""gpiozero's pins on the kernel's GPIO chip: each change is one call, byte by byte; faults; edges."""

import errno
from contextlib import nullcontext
from unittest.mock import Mock

import gpio_chip
import pytest
from gpio_chip import DISABLED, DOWN, FALLING, INPUT, OUTPUT, UP
from gpiozero.exc import PinInvalidPull, PinPWMUnsupported, PinSetInput

from appliance.devices import kernelpins
from appliance.devices.extras import make_lamp
from appliance.devices.kernelpins import LineError

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
    assert gpio_chip.EVENT.pack(1, 2, 3) == b"\1" + bytes(7) + b"\2" + bytes(7) + b"\3" + bytes(31)
    assert 16 * gpio_chip.EVENT.size == kernelpins.EVENTS
    calls = (kernelpins.GET_LINE, kernelpins.SET_CONFIG, kernelpins.GET_VALUES, kernelpins.SET_VALUES)
    sizes = ((592, 0x07), (272, 0x0D), (16, 0x0E), (16, 0x0F))
    assert calls == tuple(3 << 30 | size << 16 | 0xB4 << 8 | number for size, number in sizes)


CHANGES = [  # a call on a new pin, the request to the kernel, the pin's state afterwards
    ("close", (), [(INPUT, False)], ("input", False)),
    ("output_with_state", (0,), [(OUTPUT, False)], ("output", False)),
    ("output_with_state", (True,), [(OUTPUT, True)], ("output", True)),
    ("input_with_pull", ("up",), [(INPUT | UP, False)], ("input", True)),
    ("input_with_pull", ("down",), [(INPUT | DOWN, False)], ("input", False)),
    ("input_with_pull", ("floating",), [(INPUT | DISABLED, False)], ("input", False)),
    ("watch", (), [(INPUT | FALLING, False)], ("input", False)),
]


@pytest.mark.parametrize(("name", "values", "requested", "becomes"), CHANGES)
def test_each_change_is_one_call(chip, factory, pin, name, values, requested, becomes):
    assert chip.changes == [(PIN, INPUT, False)], "an input whose bias is left alone"
    getattr(pin, name)(*values)
    assert chip.changes[1:] == [(PIN, *call) for call in requested]
    assert (pin.function, pin.state) == becomes
    assert factory.pin(PIN) is pin


def test_an_invalid_setting_is_rejected_before_the_kernel_is_asked(chip, pin):
    chip.changes.clear()
    with pytest.raises(PinSetInput):
        pin.state = True
    with pytest.raises(PinInvalidPull):
        pin.input_with_pull("sideways")
    with pytest.raises(PinPWMUnsupported):
        pin.frequency = 440
    pin.unwatch()
    assert chip.changes == []


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


@pytest.mark.parametrize(("fault", "call"), [
    (kernelpins.SET_CONFIG, lambda pin: pin.output_with_state(True)),
    (kernelpins.GET_VALUES, lambda pin: pin.state),
    (kernelpins.SET_VALUES, lambda pin: setattr(pin, "state", 1)),
])  # fmt: skip
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
    pin.close()
    assert (chip.pull(PIN), chip.changes[-1]) == (pull, (PIN, flag, False))
    pin.watch()
    assert chip.changes[-1] == (PIN, flag | FALLING, False)


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


def edge(factory):
    """Return whether `wait` tells of an edge that has been."""
    factory.wake()
    return factory.wait()


def test_falling_edges_are_watched_without_releasing_the_line(chip, factory, pin):
    pin.input_with_pull("up")
    held = chip.lines[PIN].fd
    pin.watch()
    assert chip.lines[PIN].flags == INPUT | UP | FALLING
    assert not edge(factory)
    chip.drive(PIN, False)
    assert edge(factory)
    assert not edge(factory), "once"
    chip.drive(PIN, True)
    assert not edge(factory), "rising"
    pin.unwatch()
    chip.drive(PIN, False)
    assert not edge(factory)
    assert (chip.lines[PIN].flags, chip.lines[PIN].fd) == (INPUT | UP, held)


def test_an_edge_from_before_is_not_told_later(chip, factory, pin):
    pin.input_with_pull("up")
    pin.watch()
    chip.drive(PIN, False)
    pin.unwatch()
    pin.watch()
    assert not edge(factory)


@pytest.mark.parametrize("call", [kernelpins.GET_LINE, kernelpins.SET_CONFIG, "events"])
def test_watching_that_fails_can_be_tried_again(chip, factory, pin, monkeypatch, call):
    pin.input_with_pull("up")
    if call == kernelpins.GET_LINE:
        pin.close()
    chip.fails.add(call)
    with monkeypatch.context() as patch:
        if call == "events":
            patch.setattr("os.read", Mock(side_effect=EIO))
        with pytest.raises(LineError, match=rf"Input/output error.*line {PIN}"):
            pin.watch()
    for _ in range(2):
        chip.fails.clear()
        pin.watch()
        chip.drive(PIN, True)
        chip.drive(PIN, False)
        assert edge(factory)
        chip.fails.add(kernelpins.SET_CONFIG)
        with pytest.raises(LineError):
            pin.unwatch()
    chip.fails.clear()


def test_a_watched_pin_that_is_closed_is_watched_no_longer(chip, factory, pin):
    pin.input_with_pull("up")
    pin.watch()
    pin.close()
    assert not chip.lines[PIN].flags & FALLING
    pin.unwatch()
    assert not edge(factory)
    pin.watch()
    chip.drive(PIN, False)
    assert edge(factory)
