"""Optional parts: a buzzer and a lamp. Without a configured pin they are functions that do nothing."""

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

log = logging.getLogger("tictactoe.extras")

Tune = tuple[tuple[str | None, float], ...]

# Each signal as tones (None is silence) and seconds. All are over before a person's next move.
TUNES: Mapping[str, Tune] = {
    "press": (("A5", 0.03),),
    "refuse": (("A3", 0.12),),
    "menu": (("E5", 0.04), ("A5", 0.04)),
    "win": (("C5", 0.1), ("E5", 0.1), ("G5", 0.1), ("C6", 0.2)),
    "loss": (("E4", 0.15), ("C4", 0.15), ("A3", 0.3)),
    "draw": (("A4", 0.1), (None, 0.05), ("A4", 0.1)),
}


class Buzzer(threading.Thread):
    """Plays tunes in order on a thread of its own, so that nothing waits for a sound.

    `device` has `play` and `stop` of gpiozero's `TonalBuzzer`; `sleep` waits for a number of seconds.
    """

    def __init__(self, device: Any, sleep: Callable[[float], object]) -> None:
        super().__init__(name="buzzer", daemon=True)
        self._device = device
        self._sleep = sleep
        self._tunes: SimpleQueue[str | None] = SimpleQueue()

    def beep(self, signal: str) -> None:
        """Queue a signal's tune."""
        self._tunes.put(signal)

    def stop(self) -> None:
        """End the thread after the queued tunes."""
        self._tunes.put(None)

    def run(self) -> None:
        """Play until stopped. A buzzer that fails is logged once, and is silent from then on."""
        while (signal := self._tunes.get()) is not None:
            try:
                self.play(TUNES[signal])
            except Exception as error:  # noqa: BLE001 - lgpio's errors have no common parent
                log.warning("the buzzer does not work (%s); the game goes on without sound", error)
                return

    def play(self, tune: Tune) -> None:
        """Play one tune."""
        try:
            for tone, seconds in tune:
                if tone is None:
                    self._device.stop()
                else:
                    self._device.play(tone)
                self._sleep(seconds)
        finally:
            self._device.stop()


def make_beeper(pin: int | None, factory: Any) -> Callable[[str], None]:
    """Return a function that plays a signal on the buzzer at a BCM pin."""
    if pin is None:
        return lambda _signal: None
    import time  # noqa: PLC0415 - only where there is a buzzer

    from gpiozero import TonalBuzzer  # noqa: PLC0415 - likewise
    from gpiozero.tones import Tone  # noqa: PLC0415 - likewise

    from appliance.devices.pinout import sounding  # noqa: PLC0415 - likewise

    try:
        device = TonalBuzzer(pin, mid_tone=Tone("C5"), octaves=2, pin_factory=sounding(factory))
        buzzer = Buzzer(device, time.sleep)
    except Exception as error:  # noqa: BLE001 - lgpio's errors have no common parent
        log.warning("the buzzer at pin %d is unavailable (%s); the game goes on without sound", pin, error)
        return lambda _signal: None
    buzzer.start()
    return buzzer.beep


def make_lamp(pin: int | None, factory: Any) -> Callable[[bool], None]:
    """Return a function that switches the LED at a BCM pin on or off."""
    if pin is None:
        return lambda _on: None
    from gpiozero import LED  # noqa: PLC0415 - only where there is one

    try:
        led = LED(pin, pin_factory=factory)
    except Exception as error:  # noqa: BLE001 - lgpio's errors have no common parent
        log.warning("the lamp at pin %d is unavailable (%s); the game goes on without it", pin, error)
        return lambda _on: None

    def light(on: bool) -> None:
        with suppress(Exception):  # the game goes on without it, and without a message at each move
            led.value = on

    return light
