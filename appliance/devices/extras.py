"""Optional parts: a buzzer and a lamp. Without a configured pin they are functions that do nothing."""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

log = logging.getLogger("tictactoe.extras")

# Each signal as tones (None is silence) and seconds. All end before a person can move again.
TUNES: Mapping[str, Sequence[tuple[str | None, float]]] = {
    "press": (("A5", 0.03),),
    "refuse": (("A3", 0.12),),
    "menu": (("E5", 0.04), ("A5", 0.04)),
    "win": (("C5", 0.1), ("E5", 0.1), ("G5", 0.1), ("C6", 0.2)),
    "loss": (("E4", 0.15), ("C4", 0.15), ("A3", 0.3)),
    "draw": (("A4", 0.1), (None, 0.05), ("A4", 0.1)),
}


def play(device: Any, signals: SimpleQueue[str], sleep: Callable[[float], object] = time.sleep) -> None:
    """Play the tunes of `signals` in order, forever.

    `device` has `play` and `stop` of gpiozero's `TonalBuzzer`. Its first failure is logged and ends the loop.
    """
    while True:
        tune = TUNES[signals.get()]
        try:
            for tone, seconds in tune:
                if tone is None:
                    device.stop()
                else:
                    device.play(tone)
                sleep(seconds)
            device.stop()
        except Exception as error:  # noqa: BLE001 - lgpio's errors have no common parent
            log.warning("the buzzer does not work (%s); the game goes on without sound", error)
            with suppress(Exception):
                device.stop()
            return


def make_beeper(pin: int | None, factory: Any) -> Callable[[str], None]:
    """Return a function that plays a signal on the buzzer at a BCM pin, on a thread of its own."""
    if pin is None:
        return lambda _signal: None
    from gpiozero import TonalBuzzer  # noqa: PLC0415 - only where there is a buzzer
    from gpiozero.tones import Tone  # noqa: PLC0415 - as above

    from appliance.devices.pinout import sounding  # noqa: PLC0415 - as above

    try:
        device = TonalBuzzer(pin, mid_tone=Tone("C5"), octaves=2, pin_factory=sounding(factory))
    except Exception as error:  # noqa: BLE001 - lgpio's errors have no common parent
        log.warning("the buzzer at pin %d is unavailable (%s); the game goes on without sound", pin, error)
        return lambda _signal: None
    signals: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=play, args=(device, signals), name="buzzer", daemon=True).start()
    return signals.put


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
        with suppress(Exception):  # the game goes on without it, and without a log line at each move
            led.value = on

    return light
