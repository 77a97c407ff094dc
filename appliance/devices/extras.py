"""Optional parts: a buzzer and a lamp. Without a configured pin they are functions that do nothing."""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from appliance.config.schema import Config
from appliance.core.problems import Problem
from appliance.devices.access import message

log = logging.getLogger("tictactoe.extras")

PlaySignal = Callable[[str], None]  # sounds a signal, a key of `TUNES`
Tune = Sequence[tuple[str | None, float]]  # tones, None for silence, each with its seconds

# All end before a person can move again.
TUNES: Mapping[str, Tune] = {
    "press": (("A5", 0.03),),
    "refuse": (("A3", 0.12),),
    "menu": (("E5", 0.04), ("A5", 0.04)),
    "win": (("C5", 0.1), ("E5", 0.1), ("G5", 0.1), ("C6", 0.2)),
    "loss": (("E4", 0.15), ("C4", 0.15), ("A3", 0.3)),
    "draw": (("A4", 0.1), (None, 0.05), ("A4", 0.1)),
}
ACTIVE_HZ = 2300  # the tone of a common active buzzer


def tune_for(kind: str, signal: str) -> Tune:
    """Return a signal's tune for a kind of buzzer (`sound.kind`).

    An active one has a single tone. So that its tones can be counted, one that another follows at once sounds
    for half its time.
    """
    tune = TUNES[signal]
    if kind == "passive":
        return tune
    rhythm: list[tuple[str | None, float]] = []
    for (tone, seconds), (following, _) in zip(tune, (*tune[1:], (None, 0.0)), strict=True):
        halves = (tone, None) if tone and following else (tone,)
        rhythm += [(half, seconds / len(halves)) for half in halves]
    return rhythm


def waves(kind: str) -> dict[str, list[tuple[float, float]]]:
    """Return each signal as a kind of buzzer sounds it: frequencies in hertz, 0 for silence, and seconds."""
    from gpiozero.tones import Tone  # noqa: PLC0415 - only where there is a buzzer

    def hertz(tone: str | None) -> float:
        return 0 if tone is None else round(Tone(tone).frequency) if kind == "passive" else ACTIVE_HZ

    return {signal: [(hertz(tone), seconds) for tone, seconds in tune_for(kind, signal)] for signal in TUNES}


class Sounder(NamedTuple):
    """A buzzer of a kind: `sound` starts a tone, `hush` ends it, `close` releases the pin."""

    kind: str
    sound: Callable[[str], object]
    hush: Callable[[], object]
    close: Callable[[], object]

    def play(self, signal: str, sleep: Callable[[float], object] = time.sleep) -> None:
        """Play a signal's tune to its end. The errors of the pins propagate."""
        for tone, seconds in tune_for(self.kind, signal):
            if tone is None:
                self.hush()
            else:
                self.sound(tone)
            sleep(seconds)
        self.hush()


def open_sounder(pin: int, kind: str, factory: Any) -> Sounder:
    """Open the buzzer at a BCM pin. The backend's errors propagate; some have no common parent.

    Raise `ImportError`, with the remedy, for a passive one on pins that cannot make tones.
    """
    if kind == "passive":
        from gpiozero import TonalBuzzer  # noqa: PLC0415 - only where there is a buzzer
        from gpiozero.tones import Tone  # noqa: PLC0415 - as above

        from appliance.devices.pinout import sounding  # noqa: PLC0415 - as above

        tonal = TonalBuzzer(pin, mid_tone=Tone("C5"), octaves=2, pin_factory=sounding(factory))
        return Sounder(kind, tonal.play, tonal.stop, tonal.close)
    from gpiozero import Buzzer  # noqa: PLC0415 - as above

    low = kind == "active-low"
    # An input keeps its pull, so the buzzer is silent before and after the program, too.
    factory.pin(pin).input_with_pull("up" if low else "down")
    buzzer = Buzzer(pin, active_high=not low, pin_factory=factory)
    return Sounder(kind, lambda _tone: buzzer.on(), buzzer.off, buzzer.close)


def play(sounder: Sounder, signals: SimpleQueue[str]) -> None:
    """Play `signals` in order, forever. The buzzer's first failure is logged and ends the loop."""
    while True:
        signal = signals.get()
        try:
            sounder.play(signal)
        except Exception as error:  # noqa: BLE001 - lgpio's errors have no common parent
            log.warning("the buzzer does not work (%s); the game goes on without sound", error)
            with suppress(Exception):
                sounder.hush()
            return


def start_buzzer(pin: int, kind: str, factory: Any) -> PlaySignal:
    """Return what plays a signal on a thread of its own. Raise as `open_sounder` does."""
    sounder = open_sounder(pin, kind, factory)
    signals: SimpleQueue[str] = SimpleQueue()

    def beep(signal: str) -> None:
        if signals.qsize() > 1:  # fast hands would be heard long after, and a buzzer that failed takes none
            with suppress(Empty):
                signals.get_nowait()
        signals.put(signal)

    threading.Thread(target=play, args=(sounder, signals), name="buzzer", daemon=True).start()
    return beep


def beeper(config: Config, start: Callable[[int], PlaySignal]) -> tuple[PlaySignal, Problem | None]:
    """Return what sounds a signal of a box with this configuration, and why its buzzer is silent.

    Real and simulated boxes differ in `start`, which returns what plays at a BCM pin; whether to sound is
    decided here.
    """
    pin, problem = config.buzzer, None
    if pin is not None:
        try:
            return start(pin), None
        except Exception as error:  # noqa: BLE001 - lgpio's errors have no common parent
            problem = Problem("buzzer", "silent", name=f"pin {pin}", reason=message(error))
            log.warning("%s; the game goes on without sound", problem)
    return lambda _signal: None, problem


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
