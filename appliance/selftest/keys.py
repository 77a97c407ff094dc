"""The keys: the walk over all nine, polled, with what it asks on the terminal and on the display."""

from collections.abc import Iterator

from appliance.core import walk as walking
from appliance.core.diagnosis import FAILED, OPEN, Matrix, Row, named
from appliance.core.scan import COLUMNS, KEYS
from appliance.core.scene import BoardScene, Light, Picture
from appliance.core.walk import Walk
from appliance.devices.keypad import Keypad
from appliance.devices.panel import Panel
from appliance.selftest.rig import Rig

_ROWS = ("top row", "middle row", "bottom row")
_COLUMNS = ("left", "middle", "right")


class _PinsFailed(Exception):  # noqa: N818 - says what happened, as gpiozero's own do
    """The pins stopped working; the message is the backend's."""


def check_keys(rig: Rig, keypad: Keypad, panel: Panel | None, seconds: float | None) -> Iterator[Row]:
    """Yield what is found of the keys. `seconds` is the time for each; None leaves out the walk.

    The walk's findings so far are also yielded when an exception ends it.
    """
    matrix = Matrix(rig.config.keypad.rows, rig.config.keypad.columns, rig.where)
    rig.say("Hands off the keys for a moment.\n")
    walk = walking.begin(seconds or 0.0, rig.now())
    try:
        try:
            while not walk.over:
                raw, delay = _poll(keypad, rig.now())
                before, walk = walk, walking.advance(walk, raw, rig.now())
                if walk.limit and walk.key >= 0:
                    _show(rig, panel, walk)
                    rig.say(_said(before, walk))
                rig.wait(delay)
        finally:
            yield from walking.rows(walk, matrix)
        if seconds is None:
            yield Row("the nine-key walk", OPEN)
    except _PinsFailed as error:
        remedy = "run it again; if it happens again, read dmesg"
        yield Row(f"the pins stopped working: {error}", FAILED, remedy)


def _poll(keypad: Keypad, now: float) -> tuple[int, float]:
    """Return the raw scan, and the seconds until the next one is due."""
    try:
        _events, delay = keypad.poll(now)
    except Exception as error:
        # Each backend has its own errors, and lgpio's derive from nothing but Exception.
        raise _PinsFailed(str(error) or type(error).__name__) from error
    return keypad.value, delay


def _show(rig: Rig, panel: Panel | None, walk: Walk) -> None:
    if panel is not None:
        headline = f"{len(walk.found)}/{KEYS}"
        scene = BoardScene(walking.tiles(walk), headline)
        panel.show(Picture(scene, Light(contrast=rig.config.settings.contrast)), rig.now())
        panel.service(rig.now())


def _said(before: Walk, walk: Walk) -> str:
    """Return what the terminal says when the walk advances."""
    text = ""
    if len(walk.readings) > len(before.readings):
        reading = walk.readings[-1]
        text = "ok" if reading == 1 << walk.key else f"answers as {named(reading)}"
    elif len(walk.found) > len(before.found):
        stays = ", and stays down" if walk.found[-1].stays else ""
        text = f"{stays}\n" if before.pressed else "no contact\n"
    elif before.pressed and not walk.pressed:
        text = f"; press key {walk.key + 1} once more ... "
    if walk.over or walk.key == before.key:
        return text
    if before.key < 0:
        text = f"Press each key when it is asked for, here and on the display, within {walk.limit:g} s.\n"
    row, column = divmod(walk.key, COLUMNS)
    return f"{text}  press key {walk.key + 1} ({_ROWS[row]}, {_COLUMNS[column]}) ... "
