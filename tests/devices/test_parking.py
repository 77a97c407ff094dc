"""Parking: when it starts, what ends it, what is never missed, and what faults do to it."""

import errno
import logging
from unittest.mock import Mock

import pytest
from effort import amount
from gpio_chip import FALLING, INPUT, OUTPUT, UP, Chip, error
from hypothesis import given, settings
from hypothesis import strategies as st
from key_rig import COLUMN_PINS, ROW_PINS, TestRig, names

from appliance.core.keys.key_events import Press, Tap
from appliance.devices import keypad
from appliance.devices.kernelpins import LineError
from appliance.devices.keypad import BUSY, PARK_AFTER, PARKED


@pytest.fixture
def parked(rig):
    rig.run(PARK_AFTER + 0.1)
    assert rig.keypad.parked
    return rig


def spike(network, key=4):
    network.press(key)
    network.release(key)


def test_when_it_parks_and_what_it_does_then(chip, rig):
    rig.run(PARK_AFTER - 0.05)
    assert not rig.keypad.parked
    held = [chip.lines[column].fd for column in COLUMN_PINS]
    rig.run(0.1)
    assert rig.keypad.parked
    assert rig.delays[-1] == PARKED
    assert [chip.lines[column].flags for column in COLUMN_PINS] == [INPUT | FALLING | UP] * 3
    assert [(chip.lines[row].flags & OUTPUT, chip.lines[row].value) for row in ROW_PINS] == [
        (OUTPUT, False)
    ] * 3
    polls, calls = len(rig.delays), len(chip.changes)
    rig.run(3600)
    assert (len(rig.delays), len(chip.changes)) == (polls, calls)
    rig.tap(4)
    assert [chip.lines[column].flags for column in COLUMN_PINS] == [INPUT | UP] * 3
    assert [chip.lines[column].fd for column in COLUMN_PINS] == held, "never released"


@pytest.mark.parametrize(
    "act",
    [spike, lambda network: network.factory.wake(), lambda network: network.press(4)],
    ids=["an edge that is over", "a wake-up", "a key"],
)
def test_what_ends_it_is_a_poll_and_no_press(chip, parked, act):
    act(parked.network)
    assert parked.run(0) == []
    assert not parked.keypad.parked
    assert chip.watched == set()
    assert parked.delays[-1] == BUSY
    parked.network.release(4)
    assert parked.run(PARK_AFTER + 0.1) == []
    assert parked.keypad.parked


@pytest.mark.parametrize("every", [0.01, 0.3, PARK_AFTER + 0.1])
def test_a_loose_contact_does_not_make_it_park_more_than_once_a_quiet_time(chip, rig, every):
    times = round(5 / every)
    for _ in range(times):
        spike(rig.network)
        rig.run(every)
    assert sum(bool(flags & FALLING) for _, flags, _ in chip.changes) <= 3 * times * every / PARK_AFTER


@pytest.mark.parametrize("key", [0, 4, 8])
def test_a_key_that_closes_before_its_column_is_watched_is_not_missed(chip, rig, key):
    chip.before_config = lambda flags: rig.network.press(key) if flags & FALLING else None
    assert names(rig.run(PARK_AFTER + 0.1))[0] == (Press, key)


@pytest.mark.parametrize("meanwhile", [False, True])
def test_a_wake_up_alone_differs_from_a_key_that_closes(parked, meanwhile):
    if meanwhile:
        parked.network.press(4)
    parked.keypad.wake()
    assert parked.keypad.wait() is meanwhile
    assert parked.keypad.parked
    parked.keypad.close()
    assert parked.keypad.wait(), "not parked"


def test_a_key_whose_edge_was_lost_is_missed(chip, parked, monkeypatch):
    assert not parked.keypad.missed()
    monkeypatch.setattr(chip, "edge", lambda *_: None)
    parked.network.press(4)
    assert parked.run(20.0) == []
    assert parked.keypad.missed()
    parked.keypad.close()
    assert not parked.keypad.missed()


def test_closing_wakes_the_waiting_thread_when_it_has_nothing_left_to_wait_for(parked, monkeypatch):
    parked_when_woken = []
    factory = parked.keypad.pin_factory
    monkeypatch.setattr(factory, "wake", lambda: parked_when_woken.append(parked.keypad.parked))
    parked.keypad.close()
    assert parked_when_woken == [False]


def test_an_edge_that_cannot_be_read_is_an_error_of_the_waiting(parked, monkeypatch):
    parked.network.press(1)
    with monkeypatch.context() as patch:
        patch.setattr("os.read", Mock(side_effect=error(5)))
        with pytest.raises(LineError, match=r"Input/output error.*line 6"):
            parked.keypad.wait()


# Faults

POLLED = "the keys are polled: their pins cannot be watched"


@pytest.mark.parametrize("others", range(9))  # three levels read, three columns watched, three levels read
def test_a_fault_of_parking_heals(chip, rig, others):
    rig.run(PARK_AFTER - 0.01)
    chip.fail_after = others
    if others in range(3, 6):
        rig.run(0.1)
    else:
        with pytest.raises(OSError, match="Input/output"):
            rig.run(0.1)
        assert rig.functions() == ["input"] * 6
    assert not rig.keypad.parked
    assert names(rig.tap(5)) == [(Press, 5), (Tap, 5)]
    assert chip.watched == set()
    rig.run(PARK_AFTER + 0.1)
    assert rig.keypad.parked


def test_columns_that_cannot_be_watched_are_polled_until_they_can(chip, rig, caplog):
    caplog.set_level(logging.INFO)

    def refuse(flags):
        if flags & FALLING:
            raise error(errno.ENXIO)

    for faults in (1, 2):
        chip.before_config = refuse
        rig.run(5 * PARK_AFTER)
        assert names(rig.tap(5)) == [(Press, 5), (Tap, 5)]
        assert not rig.keypad.parked
        chip.before_config = lambda _flags: None
        rig.run(PARK_AFTER + 0.1)
        assert rig.keypad.parked
        rig.tap(5)
        assert [message.partition(" ([Errno 6]")[0] for message in caplog.messages] == [POLLED] * faults


@pytest.mark.parametrize("rest", [0.1, PARK_AFTER + 0.1], ids=["polled", "parked"])
@pytest.mark.parametrize("away", [0, 3])
def test_a_chip_that_goes_and_comes_back_gives_new_lines(chip, rig, rest, away):
    rig.run(rest)
    chip.unplug()
    with pytest.raises(LineError, match="No such device"):
        rig.run(0.1)
    for _ in range(away):
        with pytest.raises(LineError, match="No such"):
            rig.keypad.poll(rig.now)
    chip.plug()
    rig.due = rig.now
    for _ in range(2):  # a pin that has not been used since notices only now that its line is gone
        try:
            rig.run(0.1)
        except LineError:
            rig.due = rig.now
    assert names(rig.tap(5)) == [(Press, 5), (Tap, 5)]
    rig.run(PARK_AFTER + 0.1)
    assert rig.keypad.parked
    assert names(rig.tap(3)) == [(Press, 3), (Tap, 3)]
    assert chip.held() == {*ROW_PINS, *COLUMN_PINS}


def test_a_chip_that_is_gone_can_be_closed(chip, rig):
    rig.run(PARK_AFTER + 0.1)
    chip.unplug()
    rig.keypad.close()


keys = st.integers(0, 8)
actions = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["press", "release", "stick", "unstick", "spike"]), keys),
        st.tuples(st.just("wait"), st.sampled_from([0.003, 0.05, 0.2, 0.5])),
        st.tuples(st.just("fail"), st.integers(0, 40)),
        st.just(("wake", ())),
        st.tuples(st.just("rest"), st.tuples(st.booleans())),
    ),
    max_size=25,
)


@pytest.mark.more
@settings(max_examples=amount(20, 100))
@given(actions)
def test_whatever_happens_the_next_press_counts(actions):
    """Keys, spikes, faults of any call, wake-ups: no pin is harmed, and everything recovers."""
    with pytest.MonkeyPatch.context() as patch, Chip.in_place() as chip:
        patch.setattr(keypad, "PARK_AFTER", 0.15)
        rig = TestRig(chip.network)
        network = rig.network

        def run(seconds):
            end = rig.now + seconds
            while rig.now < end:
                try:
                    rig.run(end - rig.now)
                except OSError:
                    assert rig.functions() == ["input"] * 6
                    rig.due = rig.now + 0.25
                if rig.keypad.parked and not rig.woken:
                    assert chip.watched == set(COLUMN_PINS)
                    assert [network.level(pin) for pin in network.pins] == [False] * 3 + [True] * 3

        for what, value in actions:
            match what:
                case "spike":
                    spike(network, value)
                case "wait":
                    run(value)
                case "fail":
                    chip.fail_after = value
                case "wake" | "rest":
                    getattr(rig.keypad, what)(*value)
                case _:
                    getattr(network, what)(value)
        chip.fail_after = float("inf")
        for key in range(9):
            network.release(key)
            network.unstick(key)
        run(2.0)
        assert rig.keypad.parked
        assert names(rig.tap(4)) == [(Press, 4), (Tap, 4)]
        rig.keypad.close()
        rig.check_pins_were_spared()
