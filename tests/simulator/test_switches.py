"""The switch network: levels, shorts and floating wires, as a meter on the pins would show them."""

import pytest
from gpiozero import LED, PinFixedPull, PinInvalidFunction, PinInvalidPull, PinSetInput, TonalBuzzer
from hypothesis import given
from hypothesis import strategies as st

from appliance.simulator.switches import FloatingPin, ShortCircuit, SwitchNetwork

ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)


@pytest.fixture
def network():
    return SwitchNetwork(ROWS, COLUMNS)


@pytest.fixture
def pins(network):
    return {number: network.factory.pin(number) for number in network.pins}


@pytest.mark.parametrize("pull", [None, "floating", "both"])
def test_a_wire_without_a_level_cannot_be_read(network, pins, pull):
    if pull == "both":  # two pulls against each other
        pins[5].input_with_pull("up")
        pins[17].input_with_pull("down")
        network.press(0)
    elif pull:
        pins[5].input_with_pull(pull)
    with pytest.raises(FloatingPin, match="GPIO5 is read"):
        _ = pins[5].state


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


def test_an_output_without_a_level_drives_high(network, pins):
    pins[17].function = "output"
    assert pins[17].state
    assert network.driven_high == {17}
    pins[17].state = 0
    pins[17].function = "output"  # it is one already
    assert not pins[17].state


def test_output_with_state_has_no_glitch(network, pins):
    pins[17].input_with_pull("up")
    pins[17].output_with_state(0)
    assert not pins[17].state
    assert pins[17].function == "output"
    assert network.driven_high == set()


def test_a_stuck_key_stays_closed_whatever_the_finger_does(network):
    network.press(4)
    network.stick(4)
    network.stick(7)
    network.release(4)
    assert network.contacts == 1 << 4 | 1 << 7
    assert network.pressed == frozenset()
    network.press(7)
    network.unstick(7)
    network.unstick(4)
    assert network.pressed == {7}
    assert network.contacts == 1 << 7
    network.release(7)
    assert network.contacts == 0


@pytest.mark.parametrize("key", [-1, 9])
def test_there_are_nine_keys(network, key):
    with pytest.raises(ValueError, match="there is no key"):
        network.press(key)


def test_pins_refuse_what_real_ones_refuse(network, pins):
    with pytest.raises(PinSetInput):
        pins[5].state = 1
    with pytest.raises(PinInvalidFunction):
        pins[5].function = "alt0"
    with pytest.raises(PinInvalidPull):
        pins[5].pull = "sideways"
    pins[5].output_with_state(0)
    with pytest.raises(PinFixedPull):
        pins[5].pull = "up"


def test_a_closed_pin_is_an_input(network, pins):
    pins[17].output_with_state(0)
    pins[17].close()
    assert pins[17].function == "input"


def test_a_pin_can_be_asked_for_by_name_and_is_the_same(network, pins):
    assert network.factory.pin("GPIO17") is pins[17]


def test_other_devices_share_the_factory(network):
    with LED(20, pin_factory=network.factory) as led, TonalBuzzer(21, pin_factory=network.factory) as buzzer:
        led.on()
        assert led.is_lit
        buzzer.play("A4")
        assert buzzer.is_active
    assert network.driven_high == set()


def test_networks_are_independent(network, pins):
    other = SwitchNetwork(ROWS, COLUMNS)
    pins[5].input_with_pull("up")
    pins[17].output_with_state(0)
    network.press(0)
    theirs = other.factory.pin(5)
    theirs.input_with_pull("up")
    assert theirs is not pins[5]
    assert theirs.state
    assert other.pressed == frozenset()


levels = st.sampled_from(["low", "high", "up", "down", "floating"])


@given(st.lists(levels, min_size=6, max_size=6), st.integers(0, 511))
def test_levels_are_those_of_the_wires_for_any_pins_and_keys(modes, contacts):
    """Against a model that spreads levels over closed keys until nothing changes any more."""
    network = SwitchNetwork(ROWS, COLUMNS)
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
    caught = False
    for key in range(9):
        if contacts >> key & 1:
            try:
                network.press(key)
            except ShortCircuit:
                caught = True
    assert caught == shorted == bool(network.shorts)
    assert network.driven_high == {network.pins[at] for at, mode in enumerate(modes) if mode == "high"}
    for pin, each in zip(pins, reached, strict=True):
        if "low" in each:
            assert not pin.state
        elif "high" in each:
            assert pin.state
        elif ("up" in each) == ("down" in each):
            with pytest.raises(FloatingPin, match="is read, but nothing drives"):
                _ = pin.state
        else:
            assert pin.state == ("up" in each)
