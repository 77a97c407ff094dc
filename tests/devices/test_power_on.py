"""The pins' state before the driver starts, and the pull-up that a row always has."""

from contextlib import suppress

import pytest
from gpio_chip import INPUT, OUTPUT, UP, Chip
from key_rig import COLUMN_PINS, ROW_PINS

from appliance.devices.keypad import PARK_AFTER, Keypad
from appliance.simulator.switches import SwitchNetwork, boot_pull


def before_us(state):
    """Return what each pin drives before the driver requests it."""
    match state:
        case "killed in play":  # kill -9: the lines keep what they drive
            return dict.fromkeys(ROW_PINS, False)
        case "killed in a scan":
            return {ROW_PINS[2]: False}
        case "GPIO 6 is an output":  # as in upstream's device tree of a Zero 2 W
            return {6: True}
        case "alternate functions":  # a UART's TX and a PWM's output, for example
            return {ROW_PINS[0]: True, COLUMN_PINS[2]: False}
    return {}


STATES = ("power-on", "killed in play", "killed in a scan", "GPIO 6 is an output", "alternate functions")


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("key", range(9))
def test_whatever_the_pins_were_the_first_poll_reads_right_and_shorts_nothing(state, key):
    with Chip.in_place() as chip:
        for pin, level in before_us(state).items():
            chip.boot(pin, level)
        with suppress(RuntimeError):  # a short that existed before the driver
            chip.network.press(key)
        chip.network.shorts.clear()
        keypad = Keypad(ROW_PINS, COLUMN_PINS, chip.network.factory)
        assert all(line.fd is None or line.flags & (OUTPUT | UP) for line in chip.lines)
        keypad.poll(0.0)
        assert keypad.value == 1 << key
        keypad.close()
        assert (chip.network.shorts, chip.network.driven_high) == ([], set())


def test_a_row_is_pulled_up_in_every_state_and_before_the_first_is_driven(chip, rig):
    """Even if a failing call interrupts the scan, parking or closing."""
    first = next(at for at, (_, flags, _) in enumerate(chip.changes) if flags & OUTPUT)
    assert {line for line, flags, _ in chip.changes[:first] if flags & UP} == {*ROW_PINS, *COLUMN_PINS}
    released = [flags for line, flags, _ in chip.changes[first:] if line in ROW_PINS and flags & INPUT]
    rig.run(PARK_AFTER + 0.1)
    rig.tap(4)
    for others in range(40):
        chip.fail_after = others
        with suppress(OSError):
            rig.tap(others % 9)
        rig.due = rig.now
        assert {chip.pull(pin) for pin in (*ROW_PINS, *COLUMN_PINS)} == {"up"}
    chip.fail_after = float("inf")
    rig.keypad.close()
    released += [flags for line, flags, _ in chip.changes[first:] if line in ROW_PINS and flags & INPUT]
    assert set(released) == {INPUT | UP}
    assert {chip.pull(pin) for pin in (*ROW_PINS, *COLUMN_PINS)} == {"up"}, "kept by whoever comes next"


# The stand-ins themselves


def test_the_stand_ins_start_with_the_pulls_of_the_power_on(chip):
    assert [pin for pin in range(28) if boot_pull(pin) == "up"] == [*range(9)]
    assert [chip.pull(pin) for pin in (*ROW_PINS, *COLUMN_PINS)] == ["down"] * 3 + ["up", "up", "down"]
    network = SwitchNetwork(ROW_PINS, COLUMN_PINS)
    assert [network.factory.pin(pin).pull for pin in network.pins] == ["down"] * 3 + ["up", "up", "down"]
