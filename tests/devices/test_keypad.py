"""The keypad on the kernel's GPIO chip: every key state, any bounce, faults, and what it does to the pins.

A few tests run on gpiozero's mock pins, which cannot wait for edges: there the keypad never parks.
"""

from itertools import accumulate, cycle

import pytest
from gpio_chip import INPUT, OUTPUT, UP, Chip
from gpiozero import LED, DeviceClosed, GPIOPinInUse
from hypothesis import given, settings
from hypothesis import strategies as st
from key_rig import COLUMN_PINS, ROW_PINS, TestRig, keys_in, names, reads

from appliance.core.keys.key_events import Blocked, Press, Stuck, Tap
from appliance.core.keys.scan import accept, keys_of
from appliance.devices import keypad
from appliance.devices.keypad import ASLEEP, AWAKE, BUSY, PARK_AFTER, PARKED, Keypad
from appliance.simulator.switches import SwitchNetwork


def fail(*_):
    raise OSError(5, "Input/output error")


def test_every_state_of_the_keys_ends_the_parking_with_no_short_and_no_ghost(rig, monkeypatch):
    monkeypatch.setattr(keypad, "PARK_AFTER", 0.1)
    rig.keypad.rest(True)  # even at the slowest poll it is sampled fast after an edge
    for contacts in range(512):
        rig.run(0.25)
        assert rig.keypad.parked
        rig.close_keys(contacts)
        began = rig.now
        events = rig.run(0.05)
        assert [event.at for event in events[:1]] == pytest.approx([began + BUSY] * bool(contacts))
        assert rig.keypad.parked is (contacts == 0)
        assert rig.keypad.value == reads(contacts)
        assert keys_in(events) <= set(keys_of(contacts)), f"{contacts:09b}"
        if accept(reads(contacts)) is None:
            assert repr(events) == repr([Blocked(events[0].at, ())])
        elif contacts:
            assert names(events[:1]) == [(Press, keys_of(contacts)[0])]
        rig.close_keys(0)


@pytest.mark.parametrize(("asleep", "delay"), [(False, AWAKE), (True, ASLEEP)])
@pytest.mark.parametrize("key", [0, 4, 8])
def test_a_press_is_accepted_within_one_poll_and_one_sample(rig, key, asleep, delay):
    rig.keypad.rest(asleep)
    rig.run(0.1)
    worst = 0.0
    for offset in range(41):
        rig.run(offset / 1000)
        assert rig.delays[-1] == delay
        began = rig.now
        events = rig.tap(key)
        assert names(events) == [(Press, key), (Tap, key)]
        worst = max(worst, events[0].at - began)
    assert 0.02 < worst <= delay + BUSY + 1e-9
    rig.network.press(key)
    rig.run(0.1)
    assert rig.delays[-1] == BUSY


def test_a_contact_that_opens_between_poll_and_scan_is_polled_again_soon(rig, monkeypatch):
    rig.run(0.1)
    rig.network.press(0)
    scan = rig.keypad._scan

    def too_late(low):
        rig.network.release(0)
        return scan(low)

    monkeypatch.setattr(rig.keypad, "_scan", too_late)
    assert rig.keypad.poll(rig.now) == ((), BUSY)
    assert rig.keypad.poll(rig.now + BUSY) == ((), AWAKE)


def test_a_stuck_key_costs_no_fast_sampling_and_the_others_work(rig):
    rig.network.stick(3)
    assert repr(rig.run(0.1)) == repr([Stuck(0.0, (3,), at_start=True)])
    assert rig.delays[-1] == AWAKE
    for key in (0, 4, 8):
        began = rig.now
        events = rig.tap(key)
        assert names(events[:1]) == [(Press, key)]
        assert events[0].at - began <= 0.03
    rig.run(2.0)
    assert not rig.keypad.parked
    rig.network.unstick(3)
    assert [event.keys for event in rig.run(2.0)] == [()]
    assert rig.keypad.parked


def test_a_column_that_is_held_low_is_reported_and_not_waited_for(rig):
    rig.network.drive(COLUMN_PINS[1], level=False)  # a wire shorted to ground
    assert repr(rig.run(0.1)) == repr([Stuck(0.0, (1, 4, 7), at_start=True)])
    assert rig.delays[-1] == AWAKE
    rig.network.drive(COLUMN_PINS[1], level=None)
    assert [event.keys for event in rig.run(1)] == [()]


@pytest.mark.parametrize("contacts", [1 << key for key in range(9)] + [0b000000111, 0b001001001, 0b100010001])
def test_a_row_does_not_echo_in_the_next_one(rig, monkeypatch, contacts):
    """Once low, a column reads low 20 more times after it is released."""
    lag, level = dict.fromkeys(COLUMN_PINS, 0), rig.network.level

    def slow(pin):
        lag[pin] = lag[pin] - 1 if level(pin) else 20
        return lag[pin] < 0

    monkeypatch.setattr(rig.network, "level", slow)
    rig.run(0.1)
    rig.close_keys(contacts)
    for _ in range(12):
        rig.run(BUSY)
        assert rig.keypad.value in {0, contacts}
    assert rig.keypad.value == contacts


gaps = st.lists(st.floats(0, 0.005), max_size=4)  # seconds from toggle to toggle, 20 ms in all
strokes = st.tuples(st.integers(0, 8), gaps, st.floats(0.06, 0.2), gaps, st.floats(0.1, 0.5))


@settings(max_examples=40)
@given(
    st.lists(strokes, min_size=1, max_size=4),
    st.lists(st.floats(0, 0.008), min_size=1, max_size=10),
    st.booleans(),
)
def test_chatter_is_never_a_double_a_false_or_a_lost_press(strokes, lateness, asleep):
    """Each stroke: a key, its bounces on closing, the time it is down, its bounces on opening, a pause."""
    with pytest.MonkeyPatch.context() as patch, Chip.in_place() as chip:
        patch.setattr(keypad, "PARK_AFTER", 0.3)  # so that some pauses are long enough to park
        rig, late = TestRig(chip.network), cycle(lateness).__next__
        press, release = rig.network.press, rig.network.release
        rig.keypad.rest(asleep)
        events = rig.run(0.1, late)
        for key, closing, down, opening, up in strokes:
            for gaps, move, back, pause in ((closing, press, release, down), (opening, release, press, up)):
                for gap, toggle in zip(gaps, cycle((move, back)), strict=False):
                    toggle(key)
                    events += rig.run(gap, late)
                move(key)
                events += rig.run(pause, late)
        rig.keypad.close()
        rig.check_pins_were_spared()
    assert names(events) == [(kind, key) for key, *_ in strokes for kind in (Press, Tap)]


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(1, 40), st.integers(0, 8)), max_size=60))
def test_contacts_that_move_in_the_middle_of_a_scan_harm_nothing(toggles):
    """Keys change after any number of reads: no short, no row driven high, and it returns to rest."""
    network = SwitchNetwork(ROW_PINS, COLUMN_PINS)
    level, now = network.level, 0
    due = dict(zip(accumulate(reads for reads, _ in toggles), toggles, strict=True))

    def read(pin):
        nonlocal now
        now += 1
        if now in due:
            key = due.pop(now)[1]
            (network.release if network.contacts >> key & 1 else network.press)(key)
        return level(pin)

    network.level = read
    rig = TestRig(network)
    rig.run(0.5)
    due.clear()
    rig.close_keys(0)
    rig.run(0.3)
    assert rig.delays[-1] == AWAKE
    rig.check_pins_were_spared()


@pytest.mark.parametrize("contacts", [0, 0b000010000, 0b110110000])
def test_the_pins_at_rest_and_after_close(chip, rig, contacts):
    rig.run(0.1)
    assert rig.functions() == ["output"] * 3 + ["input"] * 3
    assert [rig.network.level(pin) for pin in ROW_PINS] == [False] * 3
    rig.close_keys(contacts)
    rig.run(0.05)
    with rig.keypad:
        assert not rig.keypad.closed
    assert rig.keypad.closed
    assert chip.held() == set()
    rig.keypad.close()
    with pytest.raises(DeviceClosed):
        rig.keypad.poll(rig.now)
    Keypad(ROW_PINS, COLUMN_PINS, rig.network.factory).close()  # the pins are free again
    assert chip.changes[-6:] == [(pin, INPUT | UP, False) for pin in (*ROW_PINS, *COLUMN_PINS)]


def test_close_lets_the_other_pins_go_when_one_fails(rig, monkeypatch):
    with monkeypatch.context() as patch:
        for pin in (ROW_PINS[0], COLUMN_PINS[2]):
            patch.setattr(rig.network.factory.pin(pin), "close", fail)
        patch.setattr(rig.network.factory, "release_all", fail)
        rig.keypad.close()
    assert rig.functions() == ["input"] * 6


def test_a_pin_that_another_device_uses_is_rejected(factory):
    with LED(20, pin_factory=factory), pytest.raises(GPIOPinInUse):
        Keypad((17, 27, 20), COLUMN_PINS, factory)
    Keypad((17, 27, 20), COLUMN_PINS, factory).close()


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ((17, 27), COLUMN_PINS),
        ((17, 27, 22, 4), COLUMN_PINS),
        (ROW_PINS, (5, 6)),
        (ROW_PINS, (5, 6, 6)),
        (ROW_PINS, (5, 6, 22)),
    ],
)
def test_pins_that_cannot_be_a_keypad_are_refused_before_one_is_touched(chip, factory, rows, columns):
    with pytest.raises(ValueError, match="not 3 rows and 3 columns on different pins"):
        Keypad(rows, columns, factory)
    assert chip.changes == []
    Keypad(ROW_PINS, COLUMN_PINS, factory).close()


@pytest.mark.parametrize("others", range(15))  # six requests, six pulls, three rows driven
def test_set_up_that_fails_leaves_inputs(chip, factory, others):
    chip.fail_after = others
    with pytest.raises(OSError, match="Input/output"):
        Keypad(ROW_PINS, COLUMN_PINS, factory)
    assert not any(line.flags & OUTPUT for line in chip.lines)
    with pytest.raises(TypeError):
        Keypad(ROW_PINS)
    Keypad(ROW_PINS, COLUMN_PINS, factory).close()
    assert chip.network.driven_high == set()


@pytest.mark.parametrize("others", range(25))  # three columns unwatched and read; the scan
@pytest.mark.parametrize("scanning", [False, True])
def test_a_call_that_fails_in_a_scan_leaves_inputs_and_heals(chip, rig, scanning, others):
    rig.run(PARK_AFTER + 0.1)
    assert rig.keypad.parked
    rig.network.press(4)
    events = rig.run(0.02) if scanning else []
    chip.fail_after = others
    with pytest.raises(OSError, match="Input/output"):
        rig.run(0.1)
    assert rig.functions() == ["input"] * 6
    assert not rig.keypad.parked
    events += rig.run(0.1)
    rig.network.release(4)
    assert names(events + rig.run(PARK_AFTER - 0.1)) == [(Press, 4), (Tap, 4)]
    assert rig.functions() == ["output"] * 3 + ["input"] * 3
    assert chip.watched == set()
    rig.run(0.2)
    assert rig.keypad.parked
    assert names(rig.tap(8)) == [(Press, 8), (Tap, 8)]


def test_a_row_that_cannot_be_made_an_input_does_not_keep_the_others_low(rig, monkeypatch):
    rig.run(0.1)
    first = rig.network.factory.pin(ROW_PINS[0])
    with monkeypatch.context() as patch:
        for call in ("input_with_pull", "_get_state", "output_with_state"):
            patch.setattr(first, call, fail)
        patch.setattr(rig.network.factory.pin(COLUMN_PINS[0]), "_get_state", fail)
        with pytest.raises(OSError, match="Input/output"):
            rig.keypad.poll(rig.now)
    assert rig.functions()[:3] == ["output", "input", "input"]


def test_on_pins_without_edges_it_never_parks():
    rig = TestRig()
    rig.run(3.0)
    assert not rig.keypad.parked
    assert set(rig.delays) == {AWAKE}
    assert rig.keypad.wait(), "returns at once"
    rig.keypad.wake()
    assert names(rig.tap(5)) == [(Press, 5), (Tap, 5)]
    assert PARKED not in rig.delays
    rig.keypad.close()
    assert rig.functions() == ["input"] * 6
    rig.check_pins_were_spared()
