"""The buzzer and the lamp, on gpiozero's mock pins."""

import re
from queue import SimpleQueue
from types import SimpleNamespace
from unittest.mock import Mock, call

import pytest
from gpiozero import TonalBuzzer
from gpiozero.pins.mock import MockFactory, MockPWMPin
from gpiozero.tones import Tone

from appliance.devices import extras, pinout
from appliance.devices.extras import TUNES, make_beeper, make_lamp, play


@pytest.fixture
def factory():
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()


def signals(*names):
    """Return a queue that ends with an error."""
    return SimpleNamespace(get=iter(names).__next__)


@pytest.mark.parametrize("signal", ["press", "refuse", "menu", "win", "loss", "draw"])
def test_each_tune_is_short_ends_in_silence_and_can_be_played(signal, factory):
    assert sum(seconds for _, seconds in TUNES[signal]) <= 0.6
    slept = []
    with TonalBuzzer(24, mid_tone=Tone("C5"), octaves=2, pin_factory=factory) as device:
        with pytest.raises(StopIteration):
            play(device, signals(signal), slept.append)
        assert slept == [seconds for _, seconds in TUNES[signal]]
        assert not device.is_active


def test_tunes_are_played_in_order_and_a_buzzer_that_fails_is_logged_once(caplog):
    device = Mock()
    with pytest.raises(StopIteration):
        play(device, signals("press", "menu"), lambda _seconds: None)
    assert device.mock_calls == [call.play("A5"), call.stop(), call.play("E5"), call.play("A5"), call.stop()]
    device.play.side_effect = RuntimeError("no PWM")
    play(device, signals("press", "press"), lambda _seconds: None)
    assert device.mock_calls[5:] == [call.play("A5"), call.stop()]
    assert caplog.messages == ["the buzzer does not work (no PWM); the game goes on without sound"]


def test_without_a_pin_nothing_happens(factory):
    make_beeper(None, factory)("win")
    make_lamp(None, factory)(True)
    assert not factory.pins


def test_pins_that_are_unavailable_are_survived(caplog):
    plain = MockFactory()  # its pins have no PWM
    make_beeper(24, plain)("win")
    make_lamp(25, object())(True)
    plain.reset()  # gpiozero 1.6 would keep its pins for the next factory
    buzzer, lamp = caplog.messages
    assert re.fullmatch(r"the buzzer at pin 24 is unavailable \(.*\); the game goes on without sound", buzzer)
    assert re.fullmatch(r"the lamp at pin 25 is unavailable \(.*\); the game goes on without it", lamp)


def test_signals_are_played_on_a_thread_of_their_own_and_on_pins_that_sound(factory, monkeypatch, caplog):
    played, silent = SimpleQueue(), object()
    monkeypatch.setattr(pinout, "sounding", {silent: factory}.__getitem__)
    monkeypatch.setattr(extras, "play", lambda device, signals: played.put((signals.get(), device.close())))
    make_beeper(24, silent)("press")
    assert not caplog.messages, "there is a buzzer, and so a thread"
    assert played.get() == ("press", None)
