"""The buzzer and the lamp, on gpiozero's mock pins."""

import pytest
from gpiozero import TonalBuzzer
from gpiozero.pins.mock import MockFactory, MockPWMPin
from gpiozero.tones import Tone

from appliance.devices import pinout
from appliance.devices.extras import TUNES, Buzzer, make_beeper, make_lamp


@pytest.fixture
def factory():
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()


class Device:
    def __init__(self, fails=False):
        self.log = []
        self.fails = fails

    def play(self, tone):
        if self.fails:
            raise RuntimeError("no PWM")
        self.log.append(tone)

    def stop(self):
        self.log.append("stop")


@pytest.mark.parametrize("signal", sorted(TUNES))
def test_each_tune_is_short_ends_in_silence_and_can_be_played(signal, factory):
    assert sum(seconds for _, seconds in TUNES[signal]) <= 0.6
    slept = []
    with TonalBuzzer(24, mid_tone=Tone("C5"), octaves=2, pin_factory=factory) as device:
        Buzzer(device, slept.append).play(TUNES[signal])
        assert slept == [seconds for _, seconds in TUNES[signal]]
        assert not device.is_active


def test_every_signal_of_the_session_has_a_tune():
    assert set(TUNES) == {"press", "refuse", "menu", "win", "loss", "draw"}


def test_tunes_are_played_in_order_and_a_stop_waits_for_them():
    device = Device()
    buzzer = Buzzer(device, lambda _seconds: None)
    buzzer.beep("press")
    buzzer.beep("menu")
    buzzer.stop()
    buzzer.run()
    assert device.log == ["A5", "stop", "E5", "A5", "stop"]


def test_a_buzzer_that_fails_is_logged_once(caplog):
    buzzer = Buzzer(Device(fails=True), lambda _seconds: None)
    buzzer.beep("press")
    buzzer.beep("press")
    buzzer.run()
    assert len(caplog.records) == 1


def test_the_lamp_is_lit_and_put_out(factory):
    light = make_lamp(25, factory)
    light(True)
    assert factory.pin(25).state == 1
    light(False)
    assert factory.pin(25).state == 0


def test_without_a_pin_nothing_happens(factory):
    make_beeper(None, factory)("win")
    make_lamp(None, factory)(True)
    assert not factory.pins


def test_pins_that_are_unavailable_are_survived(caplog):
    plain = MockFactory()  # whose pins know no PWM
    make_beeper(24, plain)("win")
    make_lamp(25, Broken())(True)
    assert len(caplog.records) == 2


class Broken:
    def __getattr__(self, name):
        raise RuntimeError("gone")


def test_a_buzzer_without_lgpio_names_the_remedy(factory, monkeypatch, caplog):
    def none(_factory):
        raise ImportError("no lgpio here; a tone needs lgpio: sudo apt install python3-lgpio")

    monkeypatch.setattr(pinout, "sounding", none)
    make_beeper(24, factory)("win")
    assert "the buzzer at pin 24 is unavailable (no lgpio here; a tone needs lgpio: sudo apt" in caplog.text
    assert "the game goes on without sound" in caplog.text


def test_a_buzzer_that_works_is_a_thread_that_takes_signals(factory, monkeypatch):
    started = []
    monkeypatch.setattr(Buzzer, "start", lambda buzzer: started.append(buzzer))  # noqa: PLW0108 - a method
    beep = make_beeper(24, factory)
    beep("press")
    (buzzer,) = started
    slept = []
    monkeypatch.setattr(buzzer, "_sleep", slept.append)
    buzzer.stop()
    buzzer.run()
    assert slept == [seconds for _, seconds in TUNES["press"]]
