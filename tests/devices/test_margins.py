"""The keys over the voltages of a real matrix: thresholds, unequal pulls, with and without series resistors.

`python tests/devices/test_margins.py [PRESSES]` prints how many presses were read wrong in each case.
"""

import random
import sys
from contextlib import suppress

import pytest
from gpio_chip import INPUT, OUTPUT, UP, Chip
from key_rig import COLUMNS, ROWS, TestRig, names, reads
from selftest_box import Box, bad
from wires import CORNERS, SUPPLY, Electrics, Wires

from appliance.core.events import Blocked, Press, Stuck
from appliance.core.scan import accept, keys_of
from appliance.devices.keypad import QUIET, Keypad
from appliance.simulator.switches import FloatingPin, boot_pull

V_IL, V_IH = 0.8, 2.0  # the narrowest of all models

corners = pytest.mark.parametrize("electrics", CORNERS, ids=lambda each: "{} V, {}, {} ohms".format(*each))


def stroke(rig, key, chance, times):
    """Press or release a key whose contacts chatter; return the events."""
    events, down = [], bool(rig.network.contacts >> key & 1)
    toggles = [rig.network.release, rig.network.press]
    for _ in range(chance.randrange(4)):
        down = not down
        toggles[down](key)
        events += rig.run(chance.uniform(0, 0.004))
    toggles[times](key)
    return events + rig.run(chance.uniform(0.06, 0.1))


def mistakes(electrics, presses, seed=1):
    """Press at random, half the time beside a jammed key; count presses of wrong keys, and those not seen."""
    chance, wrong, lost = random.Random(seed), 0, 0
    for number in range(presses):
        if number % 10 == 0:
            rig = TestRig(Wires(ROWS, COLUMNS, electrics))
            others = list(range(9))
            if number % 20:
                jammed = others.pop(chance.randrange(9))
                rig.network.stick(jammed)
            rig.run(0.1)
        key = chance.choice(others)
        events = stroke(rig, key, chance, True) + stroke(rig, key, chance, False)
        pressed = [event.key for event in events if isinstance(event, Press)]
        wrong += bool(set(pressed) - {key})
        lost += pressed != [key]
        if number % 10 == 9:
            rig.keypad.close()
            rig.check_pins_were_spared()
    return wrong, lost


@corners
def test_every_press_is_read_as_its_key(electrics):
    """Contacts chatter; the last press is beside a jammed key."""
    assert mistakes(electrics, 11) == (0, 0)


@corners
def test_keys_in_any_state_read_right_and_far_from_both_limits(electrics):
    """Each of the scan's readings: 0.5 V below V_IL, or 1 V above V_IH, on every model."""
    network, seen = Wires(ROWS, COLUMNS, electrics), []
    level = network.level
    network.level = lambda pin: seen.append(network.volts()[pin]) or level(pin)
    rig = TestRig(network)
    for contacts in (*range(0, 512, 7), 511):
        rig.close_keys(contacts)
        rig.keypad.poll(0.0)
        assert rig.keypad.value == reads(contacts)
    assert max(volts for volts in seen if volts < electrics.threshold) < V_IL - 0.5
    assert min(volts for volts in seen if volts >= electrics.threshold) > V_IH + 1.0


@corners
def test_it_parks_and_wakes(electrics):
    with Chip.in_place(electrics) as chip:
        rig = TestRig(chip.network)
        for contacts in (1 << 0, 1 << 4, 1 << 8, 0b000000011, 0b000001001, 0b000011011, 0):
            rig.run(QUIET + 0.1)
            assert rig.keypad.parked
            rig.close_keys(contacts)
            events = rig.run(0.05)
            assert rig.keypad.parked is (contacts == 0)
            assert rig.keypad.value == reads(contacts)
            if accept(contacts) is not None:
                assert names(events[:1]) == [(Press, key) for key in keys_of(contacts)[:1]]
            else:
                assert [type(event) for event in events] == [Blocked]
            rig.close_keys(0)
            rig.run(0.1)
        rig.keypad.close()
        rig.check_pins_were_spared()


@corners
def test_a_jammed_key_and_bridged_columns_are_what_they_are(electrics):
    network = Wires(ROWS, COLUMNS, electrics)
    network.stick(4)
    rig = TestRig(network)
    assert repr(rig.run(0.1)) == repr([Stuck(0.0, (4,), at_start=True)])
    bridged = Wires(ROWS, COLUMNS, electrics)
    bridged.rewire({row + key: (row, row + 1) for row in (0, 3, 6) for key in (0, 1)})
    rig = TestRig(bridged)
    for key in range(9):
        bridged.press(key)
        rig.run(0.05)
        assert rig.keypad.value == reads(bridged.contacts)
        bridged.release(key)
        rig.run(0.05)


class WiredBox(Box):
    """A simulated box whose keys have voltages."""

    def __init__(self, electrics, **more):
        super().__init__(**more)
        wiring, stuck = self.network._rewired, self.network._stuck
        self.network = Wires(ROWS, COLUMNS, electrics)
        self.network.rewire(wiring)
        for key in keys_of(stuck):
            self.network.stick(key)


@pytest.mark.parametrize("electrics", CORNERS[::5], ids=str)
def test_the_selftest_accuses_no_healthy_keypad(electrics):
    assert bad(WiredBox(electrics).run()) == []


@pytest.mark.parametrize("faults", [{"stuck": (4,)}, {"wiring": {0: (0, 1), 1: (0, 1)}}, {"wiring": {4: ()}}])
def test_the_selftest_finds_the_same_faults_whatever_the_threshold(faults):
    found = bad(WiredBox(CORNERS[-1], **faults).run())
    assert found
    assert bad(WiredBox(CORNERS[4 * 3], **faults).run()) == bad(Box(**faults).run()) == found


# What pins have when the driver comes


def before_us(state):
    """Return what each pin drives before the driver has requested it."""
    match state:
        case "killed in play":  # kill -9: the lines keep what they drive
            return dict.fromkeys(ROWS, False)
        case "killed in a scan":
            return {ROWS[2]: False}
        case "GPIO 6 is an output":  # upstream's tree of a Zero 2 W
            return {6: True}
        case "alternate functions":  # a UART's TX and a PWM's output, for example
            return {ROWS[0]: True, COLUMNS[2]: False}
    return {}


STATES = ("power-on", "killed in play", "killed in a scan", "GPIO 6 is an output", "alternate functions")


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("key", range(9))
def test_whatever_the_pins_were_the_first_poll_reads_right_and_shorts_nothing(state, key):
    with Chip.in_place() as chip:
        for pin, level in before_us(state).items():
            chip.boot(pin, level)
        with suppress(RuntimeError):  # a short that was there before us
            chip.network.press(key)
        chip.network.shorts.clear()
        keypad = Keypad(ROWS, COLUMNS, chip.network.factory)
        assert all(line.fd is None or line.flags & (OUTPUT | UP) for line in chip.lines)
        keypad.poll(0.0)
        assert keypad.value == 1 << key
        keypad.close()
        assert (chip.network.shorts, chip.network.driven_high) == ([], set())


@pytest.mark.parametrize("state", STATES)
def test_on_mock_pins_too(state):
    network = Wires(ROWS, COLUMNS)
    for pin, level in before_us(state).items():
        network.drive(pin, level)
    keypad = Keypad(ROWS, COLUMNS, network.factory)
    network.press(7)
    keypad.poll(0.0)
    assert keypad.value == 1 << 7
    keypad.close()
    assert {network.pull_of(pin) for pin in network.pins} == {"up"}
    assert network.shorts == []


def test_a_row_is_pulled_up_in_every_state_and_before_the_first_is_driven(chip, rig):
    """Also when the scan, parking or closing is cut off by a fault of any call."""
    first = next(at for at, (_, flags, _) in enumerate(chip.changes) if flags & OUTPUT)
    assert {line for line, flags, _ in chip.changes[:first] if flags & UP} == {*ROWS, *COLUMNS}
    released = [flags for line, flags, _ in chip.changes[first:] if line in ROWS and flags & INPUT]
    rig.run(QUIET + 0.1)
    rig.tap(4)
    for others in range(40):
        chip.fail_after = others
        with suppress(OSError):
            rig.tap(others % 9)
        rig.due = rig.now
        assert {chip.pull(pin) for pin in (*ROWS, *COLUMNS)} == {"up"}
    chip.fail_after = float("inf")
    rig.keypad.close()
    released += [flags for line, flags, _ in chip.changes[first:] if line in ROWS and flags & INPUT]
    assert set(released) == {INPUT | UP}
    assert {chip.pull(pin) for pin in (*ROWS, *COLUMNS)} == {"up"}, "kept by whoever comes next"


# The stand-ins themselves


def test_the_stand_ins_start_with_the_pulls_of_the_power_on(chip):
    assert [pin for pin in range(28) if boot_pull(pin) == "up"] == [*range(9)]
    assert [chip.pull(pin) for pin in (*ROWS, *COLUMNS)] == ["down"] * 3 + ["up", "up", "down"]
    network = Wires(ROWS, COLUMNS)
    assert [network.factory.pin(pin).pull for pin in network.pins] == ["down"] * 3 + ["up", "up", "down"]


@pytest.mark.parametrize(("ratio", "volts"), [(0.5, 1.1), (1.0, 1.65), (2.0, 2.2)])
@pytest.mark.parametrize("threshold", [1.3, 1.6, 1.8, 2.0])
def test_pulls_that_fight_make_a_voltage(ratio, volts, threshold):
    network = Wires(ROWS, COLUMNS, Electrics(threshold, ratio))
    network.press(0)
    assert network.volts()[COLUMNS[0]] == network.volts()[ROWS[0]] == pytest.approx(volts)
    assert network.level(COLUMNS[0]) is (volts >= threshold)
    network.pull(ROWS[0], "floating")
    assert network.volts()[COLUMNS[0]] == pytest.approx(SUPPLY)
    network.pull(COLUMNS[0], "floating")
    with pytest.raises(FloatingPin):
        network.level(COLUMNS[0])


@pytest.mark.parametrize(
    ("series", "keys", "volts"), [(0, 1, 0.003), (0, 511, 0.016), (470, 1, 0.064), (470, 511, 0.191)]
)
def test_the_low_level_of_a_column_with_and_without_470_ohms_in_each_wire(series, keys, volts):
    """With all keys down, one row sinks the current of five pull-ups."""
    network = Wires(ROWS, COLUMNS, Electrics(series=series))
    for pin in network.pins:
        network.pull(pin, "up")
    network.drive(ROWS[0], level=False)
    for key in keys_of(keys):
        network.press(key)
    assert network.volts()[COLUMNS[0]] == pytest.approx(volts, abs=0.001)


if __name__ == "__main__":
    for electrics in CORNERS:
        count = int(sys.argv[1])
        wrong, lost = mistakes(electrics, count)
        print(*electrics, f"of {count} presses: {wrong} of wrong keys, {lost} not right", flush=True)  # noqa: T201
