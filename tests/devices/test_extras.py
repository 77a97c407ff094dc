"""The buzzer and the lamp: on gpiozero's mock pins, and on our own over a stand-in for the chip."""

import re
import sys
from queue import SimpleQueue
from types import SimpleNamespace
from unittest.mock import Mock, call

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from appliance.config.schema import BUZZERS, Config
from appliance.devices import extras, pinout
from appliance.devices.extras import (
    TUNES,
    Sounder,
    beeper,
    make_lamp,
    open_sounder,
    play,
    start_buzzer,
    waves,
)

PIN = 24


@pytest.fixture
def mock():
    """A factory whose pins make tones."""
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()


def made(pin, kind, factory):
    return beeper(Config(buzzer=pin), lambda pin: start_buzzer(pin, kind, factory))


def levels(chip, kind, signal):
    """Play a signal on the kernel's pins; return at which millisecond the pin takes which level."""
    found, passed = [], 0.0

    def note():
        if not found or found[-1][1] != chip.level(PIN):
            found.append((round(passed * 1000), int(chip.level(PIN))))

    def sleep(seconds):
        nonlocal passed
        note()
        passed += seconds

    sounder = open_sounder(PIN, kind, chip.network.factory)
    silent = int(chip.level(PIN))
    sounder.play(signal, sleep)
    note()
    sounder.close()
    assert found[-1][1] == silent == int(chip.level(PIN))
    return found


# What comes out of the pin, and at which millisecond. On an active buzzer a tone that another follows at once
# sounds for half its time, so that it can be counted.
# fmt: off
ACTIVE = {
    "press": [(0, 1), (30, 0)],
    "refuse": [(0, 1), (120, 0)],
    "menu": [(0, 1), (20, 0), (40, 1), (80, 0)],
    "win": [(0, 1), (50, 0), (100, 1), (150, 0), (200, 1), (250, 0), (300, 1), (500, 0)],
    "loss": [(0, 1), (75, 0), (150, 1), (225, 0), (300, 1), (600, 0)],
    "draw": [(0, 1), (100, 0), (150, 1), (250, 0)],
}
PASSIVE = {
    "press": [(0, 880), (30, None)],
    "refuse": [(0, 220), (120, None)],
    "menu": [(0, 659), (40, 880), (80, None)],
    "win": [(0, 523), (100, 659), (200, 784), (300, 1047), (500, None)],
    "loss": [(0, 330), (150, 262), (300, 220), (600, None)],
    "draw": [(0, 440), (100, None), (150, 440), (250, None)],
}
# fmt: on


@pytest.mark.parametrize("signal", TUNES)
def test_each_signal_is_a_rhythm_of_levels_on_the_pins_of_the_image(chip, signal):
    """An active buzzer needs no tone, so our own pins are enough; a low level trigger takes the opposite."""
    assert levels(chip, "active", signal) == ACTIVE[signal]
    assert levels(chip, "active-low", signal) == [(at, 1 - level) for at, level in ACTIVE[signal]]


@pytest.mark.parametrize("signal", TUNES)
def test_each_signal_is_a_tune_on_pins_that_make_tones(mock, signal):
    found, passed = [], 0.0
    pin = mock.pin(PIN)

    def sleep(seconds):
        nonlocal passed
        found.append((round(passed * 1000), round(pin.frequency) if pin.frequency else None))
        passed += seconds

    sounder = open_sounder(PIN, "passive", mock)
    sounder.play(signal, sleep)
    sleep(0)
    assert found == PASSIVE[signal]


def test_no_two_rhythms_are_alike_and_each_ends_before_a_person_can_move_again():
    assert ACTIVE.keys() == PASSIVE.keys() == TUNES.keys()
    assert len({str(rhythm) for rhythm in ACTIVE.values()}) == len(TUNES)
    for table in (ACTIVE, PASSIVE):
        assert all(rhythm[-1][0] <= 600 and rhythm[-1][1] in {0, None} for rhythm in table.values())


@pytest.mark.parametrize("kind", BUZZERS)
def test_the_desk_sounds_as_the_box_does(kind):
    for signal, tune in waves(kind).items():
        at, found = 0.0, []
        for hertz, seconds in tune:
            found.append((round(at * 1000), hertz or None))
            at += seconds
        found.append((round(at * 1000), None))
        rhythm = [(at, 2300 if level else None) for at, level in ACTIVE[signal]]
        assert found == (PASSIVE[signal] if kind == "passive" else rhythm)


@pytest.mark.parametrize(("kind", "level"), [("active", 0), ("active-low", 1)])
@pytest.mark.parametrize("pin", [7, PIN])  # at power-on pulled up, and pulled down
def test_a_buzzer_is_silent_while_no_program_drives_its_pin(chip, kind, level, pin):
    """A closed pin is an input: on a pull-down a low level trigger would sound until the plug is pulled."""
    sounder = open_sounder(pin, kind, chip.network.factory)
    sounder.sound("A5")
    assert chip.level(pin) != level
    sounder.close()
    assert pin not in chip.held()
    assert chip.level(pin) == level


def test_a_signal_waits_for_the_one_before_it_and_a_buzzer_that_fails_is_logged_once(caplog, monkeypatch):
    monkeypatch.setattr(extras.time, "sleep", lambda _seconds: None)
    device = Mock()
    sounder = Sounder("passive", device.sound, device.hush, device.close)
    signals = SimpleNamespace(get=iter(["press", "menu"]).__next__)
    with pytest.raises(StopIteration):
        play(sounder, signals)
    assert device.mock_calls == [
        call.sound("A5"),
        call.hush(),
        call.sound("E5"),
        call.sound("A5"),
        call.hush(),
    ]
    device.sound.side_effect = RuntimeError("no PWM")
    play(sounder, SimpleNamespace(get=iter(["press", "press"]).__next__))
    assert device.mock_calls[5:] == [call.sound("A5"), call.hush()]
    assert caplog.messages == ["the buzzer does not work (no PWM); the game goes on without sound"]


def test_without_a_pin_nothing_happens(mock):
    beep, silence = made(None, "passive", mock)
    beep("win")
    make_lamp(None, mock)(True)
    assert silence is None
    assert not mock.pins


def test_pins_that_are_unavailable_are_survived(caplog):
    plain = MockFactory()  # its pins have no PWM
    beep, silence = made(PIN, "passive", plain)
    beep("win")
    make_lamp(25, object())(True)
    plain.reset()  # gpiozero 1.6 would keep its pins for the next factory
    buzzer, lamp = caplog.messages
    assert re.fullmatch(r"the buzzer at pin 24 is silent: .*; the game goes on without sound", buzzer)
    assert buzzer.startswith(str(silence))
    assert re.fullmatch(r"the lamp at pin 25 is unavailable \(.*\); the game goes on without it", lamp)


def test_a_pin_that_another_program_holds_is_named(chip):
    chip.lines[PIN].fd = 99
    _, silence = made(PIN, "active", chip.network.factory)
    chip.lines[PIN].fd = None
    assert str(silence) == f"the buzzer at pin 24 is silent: {chip.path} line 24: Device or resource busy"


def test_a_passive_buzzer_on_the_image_is_told_which_one_would_sound(chip, monkeypatch):
    monkeypatch.setitem(sys.modules, "lgpio", None)
    _, silence = made(PIN, "passive", chip.network.factory)
    assert re.sub(r"\(.*?\)", "(...)", str(silence)) == (
        "the buzzer at pin 24 is silent: a passive one needs lgpio (...): "
        "on Raspberry Pi OS, install python3-lgpio; "
        'on the image, use an active one, and write "kind: active" under "sound:"'
    )


def test_signals_are_played_on_a_thread_of_their_own_and_on_pins_that_sound(mock, monkeypatch, caplog):
    played, silent = SimpleQueue(), object()
    monkeypatch.setattr(pinout, "sounding", {silent: mock}.__getitem__)
    monkeypatch.setattr(extras, "play", lambda sounder, signals: played.put((signals.get(), sounder.close())))
    beep, silence = made(PIN, "passive", silent)
    beep("press")
    assert silence is None
    assert not caplog.messages, "there is a buzzer, and so a thread"
    assert played.get() == ("press", None)


def test_what_cannot_sound_in_time_is_left_out(mock, monkeypatch):
    """A child presses faster than the box can refuse, and a buzzer that has failed takes nothing."""
    taken, silent = SimpleQueue(), object()
    monkeypatch.setattr(pinout, "sounding", {silent: mock}.__getitem__)
    monkeypatch.setattr(extras, "play", lambda sounder, signals: taken.put((signals, sounder.close())))
    beep, _ = made(PIN, "passive", silent)
    signals, _ = taken.get()
    for signal in (*["refuse"] * 36_000, "win"):
        beep(signal)
    assert (signals.qsize(), signals.get(), signals.get()) == (2, "refuse", "win")
