"""The keys: which read as closed at rest, then the walk over all nine, on the display and the terminal."""

from collections.abc import Iterator

from appliance.core.matrix import KEYS
from appliance.core.scene import Light, Picture
from appliance.devices.keypad import Keypad
from appliance.devices.panel import Panel
from appliance.selftest.bench import Bench
from appliance.selftest.diagnosis import Matrix, after_walk, at_rest
from appliance.selftest.report import Row, Verdict
from appliance.selftest.walk import Walk, begin, scene, step
from appliance.selftest.wording import narrate, prompt

LOOK = 0.3  # seconds that the keys are looked at while nobody presses any


class PinsFailed(Exception):  # noqa: N818 - it says what happened, as gpiozero's own do
    """The pins worked, and then did not. `str(error)` is what the backend said."""


def check_keys(bench: Bench, keypad: Keypad, panel: Panel | None, seconds: float | None) -> Iterator[Row]:
    """Yield what is found of the keys. `seconds` is how long each is waited for, None for no walk.

    Raises `PinsFailed`. What the walk has shown is yielded when a `KeyboardInterrupt` ends it, too.
    """
    config = bench.config.keypad
    matrix = Matrix(config.rows, config.columns, bench.where)
    bench.say("Hands off the keys for a moment.\n")
    always, sometimes = _look(bench, keypad)
    yield from at_rest(always, sometimes, matrix)
    if seconds is None:
        yield Row("the nine-key walk", Verdict.OPEN)
        return
    bench.say(
        f"Press each key when it is asked for, here and on the display, within {seconds:g} s; let go.\n"
    )
    walk = begin(always, seconds, bench.now())
    _show(bench, panel, walk)
    bench.say(prompt(walk))
    try:
        while walk.target is not None:
            raw, delay = _poll(keypad, bench.now())
            before, walk = walk, step(walk, raw, bench.now())
            _show(bench, panel, walk)
            bench.say(narrate(before, walk))
            bench.wait(delay)
    except KeyboardInterrupt:
        bench.say("\n")
        yield from after_walk(walk, matrix)
        raise
    yield from after_walk(walk, matrix)


def _show(bench: Bench, panel: Panel | None, walk: Walk) -> None:
    if panel is not None:
        panel.show(Picture(scene(walk), Light(contrast=bench.config.display.contrast)), bench.now())
        panel.service(bench.now())


def _look(bench: Bench, keypad: Keypad) -> tuple[int, int]:
    """Return the keys (bits) that read as closed in every scan, and those that did in any."""
    always, sometimes = (1 << KEYS) - 1, 0
    end = bench.now() + LOOK
    while bench.now() < end:
        raw, delay = _poll(keypad, bench.now())
        always &= raw
        sometimes |= raw
        bench.wait(delay)
    return always, sometimes


def _poll(keypad: Keypad, now: float) -> tuple[int, float]:
    """Return the raw scan, and the seconds until the next one is due."""
    try:
        _events, delay = keypad.poll(now)
    except Exception as error:
        # Each backend has its own errors, and lgpio's derive from nothing but Exception.
        raise PinsFailed(str(error) or type(error).__name__) from error
    return keypad.value, delay
