"""gpiozero's pins on the kernel's GPIO chip: what gpiozero promises of a pin, each in one call."""

import errno
import os
import tempfile
from collections import defaultdict
from pathlib import Path

import pytest
from gpio_chip import DISABLED, DOWN, FALLING, INPUT, OUTPUT, UP, Chip
from gpiozero import LED, PWMLED, Button, GPIOPinInUse
from gpiozero.exc import (
    PinEdgeDetectUnsupported,
    PinFixedPull,
    PinInvalidFunction,
    PinInvalidPull,
    PinPWMUnsupported,
    PinSetInput,
    PinUnknownPi,
)
from gpiozero.pins.local import LocalPiFactory
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from appliance.devices import lines
from appliance.devices.edges import edges_of
from appliance.devices.kernelpins import KernelFactory
from appliance.devices.keypad import Keypad
from appliance.devices.lines import LineError

PI_3B = 0xA02082
ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)
BIASES = {"up": UP, "down": DOWN, "floating": DISABLED}


def first_of_its_process(patch):
    """Let the next factory be the first one, on a Pi: they share their pins and reservations."""
    patch.setattr(LocalPiFactory, "pins", {})
    patch.setattr(LocalPiFactory, "_reservations", defaultdict(list))
    patch.setattr(KernelFactory, "_get_revision", lambda _self: PI_3B)


@pytest.fixture
def chip(monkeypatch, tmp_path):
    first_of_its_process(monkeypatch)
    with Chip(tmp_path / "gpiochip0").in_place(monkeypatch) as chip:
        yield chip


@pytest.fixture
def factory(chip):
    factory = KernelFactory(0, chip.path.parent)
    yield factory
    factory.close()


def test_where_there_is_no_pi_the_factory_says_so(monkeypatch):
    def unknown(_self):
        raise PinUnknownPi("no revision")

    monkeypatch.setattr(KernelFactory, "_get_revision", unknown)
    with pytest.raises(PinUnknownPi, match="no revision"):
        KernelFactory(0)


def test_a_pin_is_an_input_at_first_whose_bias_is_left_alone(chip, factory):
    pin = factory.pin(17)
    assert chip.told == [(17, INPUT, False)]
    assert (pin.function, pin.pull, pin.state) == ("input", "floating", False)
    assert factory.pin(17) is pin


@pytest.mark.parametrize("state", [0, 1, False, True])
def test_an_output_has_its_level_at_once(chip, factory, state):
    pin = factory.pin(17)
    chip.told.clear()
    pin.output_with_state(state)
    assert chip.told == [(17, OUTPUT, bool(state))]
    assert (pin.function, pin.state) == ("output", bool(state))
    pin.state = not state
    assert pin.state is not bool(state)


@pytest.mark.parametrize("pull", BIASES)
def test_an_input_has_its_pull_at_once(chip, factory, pull):
    pin = factory.pin(5)
    chip.told.clear()
    pin.input_with_pull(pull)
    assert chip.told == [(5, INPUT | BIASES[pull], False)]
    assert (pin.function, pin.pull) == ("input", pull)


def test_what_a_pin_cannot_be_is_refused_before_the_kernel_is_asked(chip, factory):
    pin = factory.pin(5)
    chip.told.clear()
    with pytest.raises(PinSetInput):
        pin.state = True
    with pytest.raises(PinInvalidPull, match="sideways"):
        pin.pull = "sideways"
    with pytest.raises(PinInvalidFunction, match="analogue"):
        pin.function = "analogue"
    with pytest.raises(PinPWMUnsupported):
        pin.frequency = 440
    with pytest.raises(PinEdgeDetectUnsupported):
        pin.when_changed = print
    pin.when_changed = None
    pin.frequency = None
    assert chip.told == []
    pin.function = "output"
    with pytest.raises(PinFixedPull, match="output"):
        pin.pull = "up"


@pytest.mark.parametrize("number", [2, 3])
def test_the_pull_ups_on_the_board_cannot_be_taken_off(factory, number):
    pin = factory.pin(number)
    pin.pull = "up"
    for pull in ("down", "floating"):
        with pytest.raises(PinFixedPull, match=f"GPIO{number}"):
            pin.pull = pull


def test_a_closed_pin_is_an_input_and_nobodys_and_can_be_used_again(chip, factory):
    pin = factory.pin(17)
    pin.output_with_state(True)
    pin.close()
    assert chip.told[-1] == (17, INPUT, False), "a line that is given back may stay what it is"
    assert chip.held() == set()
    pin.close()
    assert not pin.state
    assert chip.held() == {17}


def test_a_pin_that_cannot_be_made_an_input_is_given_back_all_the_same(chip, factory):
    pin = factory.pin(17)
    chip.fails["config"] = OSError(errno.EIO, os.strerror(errno.EIO))
    with pytest.raises(LineError):
        pin.close()
    assert chip.held() == set()


def test_a_line_that_another_program_has(chip, factory):
    factory.pin(17)
    factory.pins.clear()  # as the pins of another program
    with pytest.raises(LineError, match=r"busy.*line 17"):
        factory.pin(17)
    for fd in list(chip.requests):
        chip.close(fd)


def test_a_line_let_go_is_as_it_was_and_for_others_to_take(chip, factory):
    factory.pin(5).input_with_pull("up")
    factory.let_go(5)
    factory.let_go(5)
    assert chip.held() == set()
    assert chip.lines[5].flags == INPUT | UP
    taken = lines.Lines(factory.path, (5,), INPUT)
    with pytest.raises(LineError, match="busy"):
        factory.pin(5).input_with_pull("up")
    taken.close()
    factory.pin(5).input_with_pull("up")
    assert factory.pin(5).state


def test_gpiozero_s_own_devices_work_on_it(chip, factory):
    led = LED(25, pin_factory=factory)
    led.on()
    assert chip.lines[25].level
    with pytest.raises(GPIOPinInUse):
        LED(25, pin_factory=factory)
    led.close()
    assert not chip.lines[25].flags & OUTPUT
    with pytest.raises(PinPWMUnsupported):
        PWMLED(12, pin_factory=factory)
    with pytest.raises(PinEdgeDetectUnsupported):
        Button(16, pin_factory=factory)


def test_the_keypad_on_it_parks_and_is_woken(chip, factory):
    """What a key does to the wires is for the stand-in that knows them: tests/chip."""
    keypad = Keypad(ROWS, COLUMNS, factory, edges=edges_of(factory, COLUMNS))
    now = 0.0
    while not keypad.parked:
        assert keypad.poll(now)[0] == ()
        now += 0.02
    assert now < 1.5
    assert len({chip.lines[column].fd for column in COLUMNS}) == 1, "one request, which watches"
    assert [chip.lines[column].flags for column in COLUMNS] == [INPUT | FALLING | UP] * 3
    assert [(chip.lines[row].flags, chip.lines[row].level) for row in ROWS] == [(OUTPUT, False)] * 3
    chip.lines[6].outside = False  # a key of the middle column
    chip.fall(6)
    keypad.wait()
    events, _delay = keypad.poll(now)
    assert not keypad.parked
    assert keypad.value == 0b010_010_010, "no wires: each row reads it"
    assert len({chip.lines[column].fd for column in COLUMNS}) == 3
    assert [chip.lines[column].flags for column in COLUMNS] == [INPUT | UP] * 3
    assert events == ()
    keypad.close()
    assert chip.held() == set()


class Pins(RuleBasedStateMachine):
    """Three pins, used in any order: what a pin says of itself is what the line is, whatever came before."""

    def __init__(self):
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        first_of_its_process(self.patch)
        self.directory = tempfile.TemporaryDirectory()
        chip = Chip(Path(self.directory.name) / "gpiochip0")
        self.place = chip.in_place(self.patch)
        self.chip = self.place.__enter__()
        self.factory = KernelFactory(0, chip.path.parent)

    def teardown(self):
        self.factory.close()
        self.place.__exit__(None, None, None)
        self.patch.undo()
        self.directory.cleanup()

    pins = st.sampled_from([5, 17, 22])

    @rule(number=pins, state=st.booleans())
    def output(self, number, state):
        self.factory.pin(number).output_with_state(state)
        assert self.chip.lines[number].value == state

    @rule(number=pins, pull=st.sampled_from(list(BIASES)))
    def pulled(self, number, pull):
        self.factory.pin(number).input_with_pull(pull)
        assert self.chip.lines[number].flags == INPUT | BIASES[pull]

    @rule(number=pins, function=st.sampled_from(["input", "output"]))
    def function(self, number, function):
        self.factory.pin(number).function = function

    @rule(number=pins, state=st.booleans())
    def drive(self, number, state):
        pin = self.factory.pin(number)
        if pin.function == "output":
            pin.state = state
            assert self.chip.lines[number].value == state
        else:
            with pytest.raises(PinSetInput):
                pin.state = state

    @rule(number=pins, level=st.sampled_from([None, False, True]))
    def outside(self, number, level):
        self.chip.lines[number].outside = level

    @rule(number=pins, how=st.sampled_from(["close", "let_go"]))
    def end(self, number, how):
        getattr(self.factory.pin(number), how)()
        assert number not in self.chip.held()

    @rule(number=pins, what=st.sampled_from(["request", "config"]))
    def fault(self, number, what):
        pin = self.factory.pin(number)
        self.chip.fails[what] = OSError(errno.EIO, os.strerror(errno.EIO))
        if (number in self.chip.held()) == (what == "config"):
            with pytest.raises(LineError):
                pin.output_with_state(False)
            pin.output_with_state(False)
        self.chip.fails.clear()

    @invariant()
    def a_pin_is_what_it_says(self):
        for pin in self.factory.pins.values():
            line = self.chip.lines[pin._number]
            if line.fd is None:
                continue
            assert pin.function == ("output" if line.flags & OUTPUT else "input")
            assert pin.state == line.level


TestPins = Pins.TestCase
TestPins.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
