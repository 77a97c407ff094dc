"""The keypad over the switch network: every key state, any chatter, faults, and what it does to the pins."""

from itertools import count

import pytest
from gpiozero import LED, DeviceClosed, GPIOPinInUse
from hypothesis import given, settings
from hypothesis import strategies as st
from key_rig import COLUMNS, ROWS, TestRig, reads

from appliance.core.events import Blocked, Press, Stuck, Tap
from appliance.core.matrix import accept, keys_of
from appliance.devices.keypad import PARKED, Keypad, Sampling
from appliance.simulator.switches import ShortCircuit, SwitchNetwork


@pytest.fixture
def rig():
    rig = TestRig()
    assert rig.run(0.1) == []
    yield rig
    rig.keypad.close()
    rig.check_pins_were_spared()


@pytest.mark.untraced
@pytest.mark.parametrize("parks", [False, True])
def test_every_state_of_the_keys_gives_no_short_and_no_ghost(parks):
    ambiguous = 0
    rest = 1.5 if parks else 0.2
    for contacts in range(512):
        rig = TestRig(parks=parks)
        rig.run(rest)
        assert rig.keypad.parked == parks
        rig.close_keys(contacts)
        events = rig.run(0.2)
        assert rig.keypad.value == reads(contacts)
        keys = {
            key
            for event in events
            for key in ((event.key,) if isinstance(event, Press | Tap) else event.keys)
        }
        assert keys <= set(keys_of(contacts)), f"{contacts:09b}"
        if accept(reads(contacts)) is None:
            ambiguous += 1
            assert repr(events) == repr([Blocked(events[0].at, ())])
        elif contacts:
            assert isinstance(events[0], Press)
            assert events[0].key == keys_of(contacts)[0]
        rig.close_keys(0)
        rig.run(rest)
        assert rig.keypad.value == 0
        assert rig.delays[-1] == (PARKED if parks else Sampling().awake)
        rig.keypad.close()
        rig.check_pins_were_spared()
    assert ambiguous == 512 - sum(accept(reads(contacts)) is not None for contacts in range(512)) > 200


@pytest.mark.parametrize("asleep", [False, True])
@pytest.mark.parametrize("key", [0, 4, 8])
def test_a_contact_is_a_press_within_one_look_and_one_sample(rig, key, asleep):
    rig.keypad.rest(asleep)
    rig.run(0.1)
    worst = 0.0
    for offset in range(41):
        rig.run(offset / 1000)
        began = rig.now
        rig.network.press(key)
        events = rig.run(0.08)
        assert isinstance(events[0], Press)
        worst = max(worst, events[0].at - began)
        rig.network.release(key)
        rig.run(0.2)
    assert worst <= (0.045 if asleep else 0.025) + 1e-9
    assert worst > 0.02


def test_how_often_it_looks(rig):
    assert rig.delays[-1] == 0.02
    rig.keypad.rest(asleep=True)
    rig.run(0.1)
    assert rig.delays[-1] == 0.04
    rig.network.press(2)
    rig.run(0.1)
    assert rig.delays[-1] == 0.005
    rig.network.release(2)
    rig.run(0.1)
    assert rig.delays[-1] == 0.04
    rig.keypad.rest(asleep=False)
    rig.run(0.1)
    assert rig.delays[-1] == 0.02


def test_a_contact_that_opens_between_the_look_and_the_scan_is_looked_at_again_soon(rig, monkeypatch):
    rig.network.press(0)
    scan = rig.keypad._scan

    def too_late(low):
        rig.network.release(0)
        return scan(low)

    monkeypatch.setattr(rig.keypad, "_scan", too_late)
    assert rig.keypad.poll(rig.now) == ((), 0.005)
    assert rig.keypad.poll(rig.now + 0.005) == ((), 0.02)


def test_a_stuck_key_costs_no_fast_sampling_and_the_rest_works(caplog):
    rig = TestRig()
    rig.network.stick(3)
    assert repr(rig.run(0.1)) == repr([Stuck(0.0, (3,))])
    assert rig.delays[-1] == 0.02
    for key in (0, 4, 8):
        rig.network.press(key)
        began = rig.now
        events = rig.run(0.1)
        assert isinstance(events[0], Press)
        assert events[0].key == key
        assert events[0].at - began <= 0.03
        rig.network.release(key)
        assert not any(isinstance(event, Press) for event in rig.run(0.1))
    rig.network.unstick(3)
    assert [event.keys for event in rig.run(1)] == [()]
    rig.keypad.close()
    rig.check_pins_were_spared()


def test_a_column_that_is_held_low_is_reported_and_not_waited_for():
    rig = TestRig()
    rig.network.drive(COLUMNS[1], level=False)  # a wire that touches ground
    assert repr(rig.run(0.1)) == repr([Stuck(0.0, (1, 4, 7))])
    assert rig.delays[-1] == 0.02
    rig.network.drive(COLUMNS[1], level=None)
    assert [event.keys for event in rig.run(1)] == [()]


class SlowWires(SwitchNetwork):
    """Wires that take their time: once low, a column reads low some more times after it has been let go."""

    LAG = 20

    def __init__(self, rows, columns):
        super().__init__(rows, columns)
        self.lag = dict.fromkeys(columns, 0)

    def level(self, pin):
        level = super().level(pin)
        if not level:
            self.lag[pin] = self.LAG
        elif self.lag.get(pin):
            self.lag[pin] -= 1
            return False
        return level


@pytest.mark.parametrize("contacts", [1 << key for key in range(9)] + [0b000000111, 0b001001001, 0b100010001])
def test_a_row_does_not_echo_in_the_next_one(contacts):
    rig = TestRig(SlowWires(ROWS, COLUMNS))
    rig.run(0.1)
    rig.close_keys(contacts)
    for _ in range(12):
        rig.run(0.005)
        assert rig.keypad.value in {0, contacts}
    assert rig.keypad.value == contacts


strokes = st.lists(
    st.tuples(
        st.integers(0, 8),
        st.lists(st.floats(0, 0.02), max_size=8),
        st.floats(0.06, 0.2),
        st.lists(st.floats(0, 0.02), max_size=8),
        st.floats(0.1, 0.2) | st.floats(0.9, 1.5),
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.untraced
@settings(max_examples=60)
@given(strokes, st.lists(st.floats(0, 0.008), min_size=1, max_size=10), st.booleans(), st.booleans())
def test_chatter_is_never_a_double_a_false_or_a_lost_press(strokes, lateness, asleep, parks):
    """Each stroke: a key, its chatter on closing, the time it is down, its chatter on opening, a pause."""
    rig = TestRig(parks=parks)
    rig.keypad.rest(asleep)
    lates = count()

    def late():
        return lateness[next(lates) % len(lateness)]

    events = rig.run(0.1, late)
    for key, closing, down, opening, up in strokes:
        for times, closed, pause in ((closing, True, down), (opening, False, up)):
            was = closed
            at = 0.0
            (rig.network.press if closed else rig.network.release)(key)
            for toggle in sorted(times):
                events += rig.run(toggle - at, late)
                at, was = toggle, not was
                (rig.network.press if was else rig.network.release)(key)
            (rig.network.press if closed else rig.network.release)(key)
            events += rig.run(pause, late)
    rig.keypad.close()
    rig.check_pins_were_spared()
    assert [(type(event), event.key) for event in events] == [
        (kind, key) for key, *_ in strokes for kind in (Press, Tap)
    ]


@pytest.mark.untraced
@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(1, 40), st.integers(0, 8)), max_size=60))
def test_contacts_that_move_in_the_middle_of_a_scan_harm_nothing(toggles):
    """Keys change after any number of reads: no short, never a row driven high, and it comes to rest."""
    network = SwitchNetwork(ROWS, COLUMNS)
    todo, level = list(toggles), network.level
    reads_left = todo[0][0] if todo else 0

    def read(pin):
        nonlocal reads_left
        reads_left -= 1
        while todo and reads_left <= 0:
            _, key = todo.pop(0)
            (network.release if network.contacts >> key & 1 else network.press)(key)
            reads_left = todo[0][0] if todo else 0
        return level(pin)

    network.level = read
    rig = TestRig(network)
    rig.run(2.0)
    rig.close_keys(0)
    rig.run(1.0)
    assert rig.delays[-1] == Sampling().awake
    assert network.shorts == []
    assert network.driven_high == set()


def test_pins_at_rest(rig):
    assert rig.functions() == ["output"] * 3 + ["input"] * 3
    assert [rig.network.level(pin) for pin in ROWS] == [False] * 3
    assert all(rig.network.factory.pin(pin).when_changed is None for pin in rig.network.pins)


@pytest.mark.parametrize("contacts", [0, 0b000010000, 0b110110000])
def test_every_pin_is_an_input_after_close(rig, contacts):
    rig.close_keys(contacts)
    rig.run(0.05)
    rig.keypad.close()
    assert rig.functions() == ["input"] * 6
    assert rig.keypad.closed
    rig.keypad.close()
    with pytest.raises(DeviceClosed):
        rig.keypad.poll(rig.now)
    Keypad(ROWS, COLUMNS, rig.network.factory).close()  # the pins are free again


def test_a_with_block_closes_it(rig):
    with rig.keypad as keypad:
        assert not keypad.closed
    assert keypad.closed


def test_close_lets_the_other_pins_go_when_one_fails(rig, monkeypatch):
    def fail(*_):
        raise OSError(5, "Input/output error")

    for pin in (ROWS[0], COLUMNS[2]):
        monkeypatch.setattr(rig.network.factory.pin(pin), "close", fail)
    monkeypatch.setattr(rig.network.factory, "release_all", fail)
    rig.keypad.close()
    assert rig.functions() == ["input"] * 6


def test_a_pin_that_another_device_uses_is_refused(rig):
    rig.keypad.close()
    with LED(20, pin_factory=rig.network.factory):
        with pytest.raises(GPIOPinInUse):
            Keypad((17, 27, 20), COLUMNS, rig.network.factory)
        assert rig.functions() == ["input"] * 6
    Keypad((17, 27, 20), COLUMNS, rig.network.factory).close()


def test_set_up_that_fails_leaves_inputs(monkeypatch):
    network = SwitchNetwork(ROWS, COLUMNS)
    monkeypatch.setattr(network.factory.pin(ROWS[2]), "output_with_state", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Keypad(ROWS, COLUMNS, network.factory)
    assert [network.factory.pin(pin).function for pin in network.pins] == ["input"] * 6
    with pytest.raises(TypeError):
        Keypad(ROWS)
    assert network.driven_high == set()


@pytest.mark.parametrize("contacts", [0, 0b000010000])
@pytest.mark.parametrize(
    ("culprit", "call"),
    [(pin, "output_with_state") for pin in ROWS] + [(pin, "_get_state") for pin in COLUMNS],
)
def test_a_failing_pin_leaves_inputs_and_heals(rig, monkeypatch, contacts, culprit, call):
    rig.close_keys(contacts)
    rig.run(0.2)

    def fail(*_):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(rig.network.factory.pin(culprit), call, fail)
        rig.network.press(0)
        with pytest.raises(OSError, match="Input/output"):
            rig.run(0.1)
        assert rig.functions() == ["input"] * 6
    rig.close_keys(0)
    rig.run(0.2)
    assert rig.functions() == ["output"] * 3 + ["input"] * 3
    rig.network.press(8)
    assert [(type(event), event.key) for event in rig.run(0.1)] == [(Press, 8), (Tap, 8)]


def test_a_row_that_cannot_be_let_go_does_not_keep_the_others(rig, monkeypatch):
    first = rig.network.factory.pin(ROWS[0])

    def fail(_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(first, "_set_function", fail)
    monkeypatch.setattr(first, "_get_state", fail)
    rig.network.press(4)
    with pytest.raises(OSError, match="Input/output"):
        rig.keypad.poll(rig.now)
    assert rig.functions()[1:3] == ["input"] * 2


def test_a_short_is_not_hidden(rig):
    rig.network.factory.pin(COLUMNS[0]).output_with_state(1)  # somebody else's mistake
    with pytest.raises(ShortCircuit):
        rig.network.press(0)
    rig.network.shorts.clear()
    rig.network.driven_high.clear()
