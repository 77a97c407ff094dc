"""Parking: when the columns are handed over, what ends it, what is never missed, and what faults do to it."""

import logging
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from key_bench import COLUMNS, ROWS, Bench, Edges, WatchedNetwork

from appliance.core.events import Press, Tap
from appliance.devices.keypad import Keypad
from appliance.devices.parking import AGAIN, PARKED, QUIET, Parking


@pytest.fixture
def bench():
    bench = Bench(parks=True)
    yield bench
    bench.keypad.close()
    bench.check_pins_were_spared()


def names(told):
    return [(type(event), event.key) for event in told]


def press_and_release(bench, key):
    bench.network.press(key)
    told = bench.run(0.1)
    bench.network.release(key)
    return names(told + bench.run(0.1))


def test_when_it_parks_and_what_it_does_then(bench):
    bench.run(QUIET - 0.05)
    assert not bench.keypad.parked
    bench.run(0.1)
    assert bench.keypad.parked
    assert bench.network.taken
    assert bench.delays[-1] == PARKED == math.inf
    assert bench.functions()[:3] == ["output"] * 3
    looks = len(bench.delays)
    bench.run(3600)
    assert len(bench.delays) == looks


def test_a_keypad_without_edges_never_parks():
    bench = Bench()
    bench.run(3 * QUIET)
    assert not bench.keypad.parked
    assert set(bench.delays) == {0.02}
    bench.keypad.wait()  # returns
    bench.keypad.wake()
    bench.keypad.close()


@pytest.mark.parametrize("key", range(9))
@pytest.mark.parametrize("asleep", [False, True])
def test_a_press_while_parked_is_accepted_by_the_second_sample_after_the_edge(bench, key, asleep):
    bench.keypad.rest(asleep)
    for _ in range(3):
        bench.run(1.2345)
        assert bench.keypad.parked
        bench.network.press(key)
        began = bench.now
        told = bench.run(0.1)
        assert not bench.keypad.parked
        bench.network.release(key)
        told += bench.run(0.1)
        assert names(told) == [(Press, key), (Tap, key)]
        assert told[0].at == pytest.approx(began + 0.005)


def test_the_quiet_time_begins_when_the_keys_are_at_rest(bench):
    bench.run(0.5)
    bench.network.press(3)
    bench.run(5.0)
    assert not bench.keypad.parked, "a key that is down is looked at"
    bench.network.release(3)
    bench.run(0.02 + QUIET)
    assert not bench.keypad.parked
    bench.run(0.1)
    assert bench.keypad.parked


def test_a_spike_ends_it_is_looked_for_soon_and_is_no_press(bench):
    bench.run(1.5)
    bench.network.press(4)
    bench.network.release(4)
    assert bench.run(0) == []
    assert not bench.keypad.parked
    assert bench.delays[-1] == 0.005, "it may be the first of a press"
    assert bench.run(QUIET + 0.1) == []
    assert bench.keypad.parked


@pytest.mark.parametrize("every", [0.01, 0.3, QUIET + 0.1])
def test_a_loose_contact_does_not_make_it_park_more_than_once_a_quiet_time(bench, every):
    times = round(30 / every)
    for _ in range(times):
        bench.network.press(8)
        bench.network.release(8)
        bench.run(every)
    assert bench.edges.arms <= times * every / QUIET


def test_a_key_that_closes_before_the_kernel_watches_is_not_missed(bench):
    bench.edges.meanwhile = lambda: bench.network.press(7)
    told = bench.run(QUIET + 0.1)
    assert names(told)[0] == (Press, 7)
    assert bench.edges.arms == 1


def test_who_looks_while_it_is_parked_ends_that(bench):
    bench.run(1.5)
    bench.network.press(2)
    assert bench.keypad.poll(bench.now) == ((), 0.005)
    assert bench.keypad.poll(bench.now + 0.005)[0] == (Press(bench.now + 0.005, 2),)


def test_with_a_stuck_key_it_polls_and_once_that_is_well_it_parks(bench):
    bench.run(1.5)
    bench.network.stick(3)
    bench.run(40)
    assert not bench.keypad.parked
    assert bench.delays[-1] == 0.02
    bench.network.unstick(3)
    assert [event.keys for event in bench.run(5)] == [()]
    assert bench.keypad.parked


def test_a_wake_up_is_a_look(bench):
    bench.run(1.5)
    bench.keypad.wake()
    looks = len(bench.delays)
    assert bench.run(0) == []
    assert len(bench.delays) == looks + 1
    assert not bench.keypad.parked


def test_closing_while_parked(bench):
    bench.run(1.5)
    bench.keypad.close()
    assert bench.edges.closed
    assert not bench.keypad.parked
    assert not bench.network.taken
    assert bench.functions() == ["input"] * 6
    bench.keypad.close()


def test_the_pins_are_let_go_whatever_happens(bench, monkeypatch):
    bench.run(0.5)
    monkeypatch.setattr(bench.edges, "close", lambda: 1 / 0)
    bench.keypad.close()
    assert bench.functions() == ["input"] * 6


@pytest.mark.parametrize("others", range(5))  # three columns given back; the request; the levels
def test_where_the_columns_cannot_be_watched_they_are_polled_and_it_is_tried_again(bench, caplog, others):
    caplog.set_level(logging.INFO)
    for _ in range(2):
        bench.run(AGAIN + 0.1)
        assert bench.keypad.parked
        bench.edges.wake()
        bench.run(QUIET - 0.01)
        bench.edges.arm = refuse(bench.edges, others)
        bench.run(0.1)
        del bench.edges.arm
        assert not bench.keypad.parked
        assert not bench.network.taken
        assert bench.delays[-1] == 0.02
        assert press_and_release(bench, 5) == [(Press, 5), (Tap, 5)]
    assert [record.message for record in caplog.records] == [
        "the keys are polled all the time: no edges (OSError: [Errno 5] Input/output error)"
    ]


def refuse(edges, others):
    def arm():
        edges.network.fail_after(others)
        Edges.arm(edges)

    return arm


def test_it_is_not_tried_again_at_once_not_even_after_a_press(bench):
    bench.edges.arm = refuse(bench.edges, 3)
    bench.run(QUIET + AGAIN / 2)
    del bench.edges.arm
    assert press_and_release(bench, 6) == [(Press, 6), (Tap, 6)]
    bench.run(AGAIN / 2 - 1)
    assert bench.edges.arms == 0
    bench.run(2)
    assert bench.keypad.parked


def test_columns_that_cannot_be_claimed_again_heal(bench):
    for others in range(3):
        bench.run(1.5)
        assert bench.keypad.parked
        bench.network.press(4)
        bench.network.fail_after(others)
        with pytest.raises(OSError, match="Input/output"):
            bench.run(0.1)
        assert bench.functions() == ["input"] * 6
        assert names(bench.run(0.1)) == [(Press, 4)]
        bench.network.release(4)
        assert names(bench.run(QUIET - 0.1)) == [(Tap, 4)]
        assert not bench.keypad.parked


def test_columns_that_can_neither_be_watched_nor_claimed_heal(bench, monkeypatch):
    bench.run(QUIET - 0.05)
    with monkeypatch.context() as patch:
        patch.setattr(bench.edges, "arm", lambda: 1 / 0)
        patch.setattr(bench.network, "lose_pulls", lambda *_: None)
        patch.setattr(bench.network, "pull", refused)
        with pytest.raises(PermissionError):
            bench.run(0.1)
    assert bench.functions() == ["input"] * 6
    bench.run(0.1)
    assert bench.functions() == ["output"] * 3 + ["input"] * 3


def refused(*_):
    raise PermissionError(1, "Operation not permitted")


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
def test_whatever_happens_it_parks_in_the_end_and_the_next_press_is_told(actions):
    """Keys, spikes, faults at any operation on a column, wake-ups: the pins are spared, and all heals."""
    bench = Bench(WatchedNetwork(), parks=True)
    network, keypad = bench.network, bench.keypad

    def run(seconds):
        told, end = [], bench.now + seconds
        while bench.now < end:
            try:
                told += bench.run(end - bench.now)
            except OSError as error:
                assert "Input/output" in str(error), "two owners of a column"  # noqa: PT017 - any other is a bug
                assert bench.functions() == ["input"] * 6
                assert not network.taken
                bench.due = bench.now + 0.25
            if keypad.parked:
                assert network.taken
                assert network._low == network.nodes(ROWS)
                assert network._up == network.nodes(COLUMNS)
            else:
                assert not network.taken
        return told

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
                bench.edges.meanwhile = lambda key=value: network.press(key)
    bench.edges.meanwhile = lambda: None
    network._others = None
    for key in range(9):
        network.release(key)
        network.unstick(key)
    run(AGAIN + 5)
    assert keypad.parked
    assert press_and_release(bench, 4) == [(Press, 4), (Tap, 4)]
    keypad.close()
    bench.check_pins_were_spared()
    assert bench.functions() == ["input"] * 6


def test_parking_alone():
    network = WatchedNetwork()
    claims = []
    parking = Parking(Edges(network), lambda: claims.append(True))
    parking.touch(10.0)
    assert not parking.begin(10.0 + QUIET - 1e-6)
    assert not parking.end()
    assert parking.begin(10.0 + QUIET)
    assert parking.end()
    assert claims == [True]


def test_a_keypad_that_was_never_open_leaves_the_edges_alone():
    network = WatchedNetwork()
    edges = Edges(network)
    with pytest.raises(ValueError, match="pin"):
        Keypad((1, 1, 1), COLUMNS, network.factory, edges=edges)
    assert not edges.closed
