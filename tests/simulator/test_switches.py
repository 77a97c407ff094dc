"""The switch network: levels, shorts and floating wires, as measured at the pins."""

from contextlib import suppress

import pytest
from gpiozero import LED, PinFixedPull, PinInvalidFunction, PinInvalidPull, PinSetInput, TonalBuzzer
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.keys.pins import COLUMN_PINS, ROW_PINS
from appliance.simulator.switches import FloatingPin, ShortCircuit, SwitchNetwork


@pytest.fixture
def network():
    return SwitchNetwork(ROW_PINS, COLUMN_PINS)


@pytest.fixture
def pins(network):
    return {number: network.factory.pin(number) for number in network.pins}


def test_a_short_is_recorded_and_raised_whatever_brings_it_about(network, pins):
    pins[17].output_with_state(0)
    pins[27].output_with_state(1)
    network.press(0)
    with pytest.raises(ShortCircuit):
        network.press(3)
    network.release(3)
    assert network.shorts == [frozenset({17, 27, 5})]
    pins[27].state = 0
    network.press(3)
    with pytest.raises(ShortCircuit):
        pins[27].state = 1
    pins[27].function = "input"
    with pytest.raises(ShortCircuit):
        pins[5].output_with_state(1)
    assert len(network.shorts) == 3


def test_an_output_without_a_level_drives_high_and_one_with_a_level_has_no_glitch(network, pins):
    pins[5].input_with_pull("up")
    pins[5].output_with_state(0)
    assert (pins[5].state, pins[5].function, network.driven_high) == (False, "output", set())
    pins[17].function = "output"
    assert pins[17].state
    assert network.driven_high == {17}
    pins[17].state = 0
    pins[17].function = "output"  # it is one already
    assert not pins[17].state
    pins[17].close()
    assert pins[17].function == "input"


def test_a_stuck_key_stays_closed_whatever_the_finger_does(network):
    network.press(4)
    network.stick(4)
    network.stick(7)
    network.release(4)
    assert network.contacts == 1 << 4 | 1 << 7
    network.press(7)
    network.unstick(7)
    network.unstick(4)
    assert network.contacts == 1 << 7
    network.release(7)
    assert network.contacts == 0


def test_a_pin_rejects_what_it_cannot_do(pins):
    with pytest.raises(PinSetInput):
        pins[5].state = 1
    with pytest.raises(PinInvalidFunction):
        pins[5].function = "alt0"
    with pytest.raises(PinInvalidPull):
        pins[5].pull = "sideways"
    pins[5].output_with_state(0)
    with pytest.raises(PinFixedPull):
        pins[5].pull = "up"


def test_networks_are_independent(network, pins):
    theirs = SwitchNetwork(ROW_PINS, COLUMN_PINS).factory.pin(5)
    theirs.input_with_pull("up")
    pins[17].output_with_state(0)
    network.press(0)
    assert theirs.state
    assert network.factory.pin(5) is pins[5] is not theirs


def test_other_devices_share_the_factory(network):
    with LED(20, pin_factory=network.factory) as led, TonalBuzzer(21, pin_factory=network.factory) as buzzer:
        led.on()
        buzzer.play("A4")
        assert (led.is_lit, buzzer.is_active) == (True, True)
    assert network.driven_high == set()


levels = st.sampled_from(["low", "high", "up", "down", "floating"])


@given(st.lists(levels, min_size=6, max_size=6), st.integers(0, 511))
def test_levels_are_those_of_the_wires_for_any_pins_and_keys(modes, contacts):
    """Compare with a model that spreads levels over closed keys until nothing changes."""
    network = SwitchNetwork(ROW_PINS, COLUMN_PINS)
    pins = [network.factory.pin(number) for number in network.pins]
    for pin, mode in zip(pins, modes, strict=True):
        if mode in {"low", "high"}:
            pin.output_with_state(mode == "high")
        else:
            pin.input_with_pull(mode)
    reached = [{mode} for mode in modes]
    for _ in range(6):
        for key in range(9):
            if contacts >> key & 1:
                joined = reached[key // 3] | reached[3 + key % 3]
                reached[key // 3] = reached[3 + key % 3] = joined
    shorted = any({"low", "high"} <= each for each in reached)
    for key in range(9):
        if contacts >> key & 1:
            with suppress(ShortCircuit):
                network.press(key)
    assert shorted == bool(network.shorts)
    assert network.driven_high == {network.pins[at] for at, mode in enumerate(modes) if mode == "high"}
    for pin, each in zip(pins, reached, strict=True):
        if "low" in each:
            assert not pin.state
        elif "high" in each:
            assert pin.state
        elif ("up" in each) == ("down" in each):
            with pytest.raises(FloatingPin, match="is read, but its wire has no level"):
                _ = pin.state
        else:
            assert pin.state == ("up" in each)
