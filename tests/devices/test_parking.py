"""Parking: when it begins, what ends it, what is never missed, and what faults do to it."""

import logging
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from key_rig import ROWS, TestRig

from appliance.core.events import Press, Tap
from appliance.devices.keypad import PARKED, QUIET, RETRY
from appliance.simulator.switches import SwitchNetwork


@pytest.fixture
def rig():
    rig = TestRig(parks=True)
    yield rig
    rig.keypad.close()
    rig.check_pins_were_spared()


def names(events):
    return [(type(event), event.key) for event in events]


def test_when_it_parks_and_what_it_does_then(rig):
    rig.run(QUIET - 0.05)
    assert not rig.keypad.parked
    rig.run(0.1)
    assert rig.keypad.parked
    assert rig.network.watched == 3
    assert rig.delays[-1] == PARKED == math.inf
    assert rig.functions() == ["output"] * 3 + ["input"] * 3
    looks = len(rig.delays)
    rig.run(3600)
    assert len(rig.delays) == looks


def test_a_keypad_whose_pins_cannot_be_watched_never_parks():
    rig = TestRig()
    rig.run(3 * QUIET)
    assert not rig.keypad.parked
    assert set(rig.delays) == {0.02}
    rig.keypad.wait()  # returns
    rig.keypad.wake()
    rig.keypad.close()


@pytest.mark.parametrize("key", range(9))
@pytest.mark.parametrize("asleep", [False, True])
def test_a_press_while_parked_is_accepted_by_the_second_sample_after_the_edge(rig, key, asleep):
    rig.keypad.rest(asleep)
    for _ in range(3):
        rig.run(1.2345)
        assert rig.keypad.parked
        began = rig.now
        events = rig.tap(key)
        assert not rig.keypad.parked
        assert names(events) == [(Press, key), (Tap, key)]
        assert events[0].at == pytest.approx(began + 0.005)


def spike(network):
    network.press(4)
    network.release(4)


ENDS = {  # what ends the parking, and the seconds until the next look
    "an edge that is over": (spike, 0.005),
    "a wake-up": (lambda network: network.factory.wake(), 0.005),
    "a key": (lambda network: network.press(4), 0.005),
}


@pytest.mark.parametrize("end", ENDS)
def test_what_ends_it_is_a_look_and_no_press(rig, end):
    rig.run(1.5)
    act, delay = ENDS[end]
    act(rig.network)
    assert rig.run(0) == []
    assert not rig.keypad.parked
    assert rig.network.watched == 0
    assert rig.delays[-1] == delay
    rig.network.release(4)
    assert rig.run(QUIET + 0.1) == []
    assert rig.keypad.parked


def test_looking_while_it_is_parked_ends_that(rig):
    rig.run(1.5)
    rig.network.press(2)
    assert rig.keypad.poll(rig.now) == ((), 0.005)
    assert repr(rig.keypad.poll(rig.now + 0.005)[0]) == repr((Press(rig.now + 0.005, 2),))


def test_the_quiet_time_begins_when_the_keys_are_at_rest(rig):
    rig.run(0.5)
    rig.network.press(3)
    rig.run(5.0)
    assert not rig.keypad.parked
    rig.network.release(3)
    rig.run(0.02 + QUIET)
    assert not rig.keypad.parked
    rig.run(0.1)
    assert rig.keypad.parked


@pytest.mark.parametrize("every", [0.01, 0.3, QUIET + 0.1])
def test_a_loose_contact_does_not_make_it_park_more_than_once_a_quiet_time(rig, every):
    times = round(30 / every)
    for _ in range(times):
        spike(rig.network)
        rig.run(every)
    assert rig.network.arms <= 3 * times * every / QUIET


@pytest.mark.parametrize("key", [0, 4, 8])
def test_a_key_that_closes_before_its_column_is_watched_is_not_missed(rig, key):
    rig.network.meanwhile = lambda: rig.network.press(key)
    assert names(rig.run(QUIET + 0.1))[0] == (Press, key)


def test_with_a_stuck_key_it_polls_and_parks_when_that_works_again(rig):
    rig.run(1.5)
    rig.network.stick(3)
    rig.run(40)
    assert not rig.keypad.parked
    assert rig.delays[-1] == 0.02
    rig.network.unstick(3)
    assert [event.keys for event in rig.run(5)] == [()]
    assert rig.keypad.parked


def test_closing_while_parked(rig):
    rig.run(1.5)
    rig.keypad.close()
    assert not rig.keypad.parked
    assert rig.network.ready, "whoever waits is woken"
    assert rig.network.watched == 0
    assert rig.functions() == ["input"] * 6
    rig.keypad.close()
    rig.keypad.wait()


# --- faults: an operation on a column fails


@pytest.mark.parametrize("others", range(9))  # three levels read, three columns watched, three levels read
def test_where_the_columns_cannot_be_watched_they_are_polled_and_it_is_tried_again(rig, caplog, others):
    caplog.set_level(logging.INFO)
    for _ in range(2):
        rig.run(RETRY + 0.1)
        assert rig.keypad.parked
        rig.keypad.wake()
        rig.run(QUIET - 0.01)
        rig.network.fail_after(others)
        if others in range(3, 6):
            rig.run(0.1)
        else:
            with pytest.raises(OSError, match="Input/output"):
                rig.run(0.1)
            assert rig.functions() == ["input"] * 6
        assert not rig.keypad.parked
        assert names(rig.tap(5)) == [(Press, 5), (Tap, 5)]
        assert rig.delays[-1] == 0.02
        assert rig.network.watched == 0
    failed = "the keys are polled: their pins cannot be watched ([Errno 5] Input/output error)"
    assert [record.message for record in caplog.records] == [failed] * (others in range(3, 6))


def test_it_is_not_tried_again_at_once_not_even_after_a_press(rig):
    rig.run(QUIET - 0.05)
    rig.network.fail_after(10)
    rig.run(RETRY / 2)
    assert rig.network.arms == 1
    assert names(rig.tap(6)) == [(Press, 6), (Tap, 6)]
    rig.run(RETRY / 2 - 1)
    assert rig.network.arms == 1
    rig.run(2)
    assert rig.keypad.parked


@pytest.mark.parametrize("others", range(9))  # three columns watched no more; a look; a scan
def test_unparking_that_fails_heals(rig, others):
    rig.run(1.5)
    rig.network.press(4)
    rig.network.fail_after(others)
    with pytest.raises(OSError, match="Input/output"):
        rig.run(0.1)
    assert rig.functions() == ["input"] * 6
    assert not rig.keypad.parked
    events = names(rig.run(0.1))
    rig.network.release(4)
    assert [(Press, 4), (Tap, 4)] == events + names(rig.run(QUIET - 0.1))
    assert rig.network.watched == 0
    rig.run(0.2)
    assert rig.keypad.parked


actions = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["press", "release", "stick", "unstick"]), st.integers(0, 8)),
        st.tuples(st.just("spike"), st.integers(0, 8)),
        st.tuples(st.just("wait"), st.sampled_from([0.003, 0.05, 0.2, 1.1, 1.5, 70.0])),
        st.tuples(st.just("fail"), st.integers(0, 25)),
        st.tuples(st.just("wake"), st.none()),
        st.tuples(st.just("rest"), st.booleans()),
        st.tuples(st.just("meanwhile"), st.integers(0, 8)),
    ),
    max_size=25,
)


@pytest.mark.untraced
@settings(max_examples=100)
@given(actions)
def test_whatever_happens_it_parks_in_the_end_and_the_next_press_counts(actions):
    """Keys, spikes, faults at any operation on a column, wake-ups: the pins are spared, and all heals."""
    rig = TestRig(parks=True)
    network, keypad = rig.network, rig.keypad

    def run(seconds):
        end = rig.now + seconds
        while rig.now < end:
            try:
                rig.run(end - rig.now)
            except OSError:
                assert rig.functions() == ["input"] * 6
                rig.due = rig.now + 0.25
            if keypad.parked and not network.ready:
                assert network.watched == 3
                levels = [SwitchNetwork.level(network, pin) for pin in network.pins]  # without a fault
                assert levels == [False] * 3 + [True] * 3

    for what, value in actions:
        match what:
            case "press" | "release" | "stick" | "unstick":
                getattr(network, what)(value)
            case "spike":
                network.press(value)
                network.release(value)
            case "wait":
                run(value)
            case "fail":
                network.fail_after(value)
            case "wake":
                keypad.wake()
            case "rest":
                keypad.rest(value)
            case "meanwhile":
                network.meanwhile = lambda key=value: network.press(key)
    network.meanwhile = lambda: None
    network.fail_after(math.inf)
    for key in range(9):
        network.release(key)
        network.unstick(key)
    run(RETRY + 5)
    assert keypad.parked
    assert names(rig.tap(4)) == [(Press, 4), (Tap, 4)]
    assert all(network.factory.pin(pin).pull == "up" for pin in network.pins if pin not in ROWS)
    keypad.close()
    rig.check_pins_were_spared()
    assert rig.functions() == ["input"] * 6


@pytest.mark.parametrize("meanwhile", [False, True])
def test_a_wake_up_alone_is_told_apart_from_a_key_that_closes(meanwhile):
    rig = TestRig(parks=True)
    rig.run(3 * QUIET)
    assert rig.keypad.parked
    if meanwhile:
        rig.network.press(4)
    rig.keypad.wake()
    assert rig.keypad.wait() is meanwhile
    assert rig.keypad.parked
    rig.keypad.close()
    assert rig.keypad.wait(), "not parked"
