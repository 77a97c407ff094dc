"""The keys: walk over all nine, and ask for each on the terminal."""

from collections.abc import Iterator

from appliance.core.keys import walk as walking
from appliance.core.keys.diagnosis import FAILED, Check, Matrix, named
from appliance.core.keys.scan import COLUMNS
from appliance.core.keys.walk import Walk
from appliance.devices.keypad import Keypad
from appliance.selftest.rig import Rig

_ROWS = ("top row", "middle row", "bottom row")
_COLUMNS = ("left", "middle", "right")


class _PinsFailed(Exception):  # noqa: N818 - says what happened, as gpiozero's own do
    """The pins stopped working; the message is the backend's."""


def check_keys(rig: Rig, keypad: Keypad, seconds: float) -> Iterator[Check]:
    """Check the keys, with this time for each, and yield what is found.

    The walk's findings so far are also yielded when an exception ends it.
    """
    matrix = Matrix(rig.config.keypad.rows, rig.config.keypad.columns, rig.where)
    rig.say("Hands off the keys for a moment.\n")
    walk = walking.begin(seconds, rig.now())
    try:
        try:
            while not walk.over:
                raw, delay = _poll(keypad, rig.now())
                before, walk = walk, walking.advance(walk, raw, rig.now())
                if walk.key >= 0:
                    rig.say(_said(before, walk))
                rig.wait(delay)
        finally:
            yield from walking.rows(walk, matrix)
    except _PinsFailed as error:
        remedy = "run it again; if it happens again, read dmesg"
        yield Check(f"the pins stopped working: {error}", FAILED, remedy)


def _poll(keypad: Keypad, now: float) -> tuple[int, float]:
    """Return the raw scan, and the seconds until the next one is due."""
    try:
        _events, delay = keypad.poll(now)
    except Exception as error:
        # Each backend has its own errors, and lgpio's derive from nothing but Exception.
        raise _PinsFailed(str(error) or type(error).__name__) from error
    return keypad.value, delay


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
        text = f"; press key {walk.key + 1} again ... "
    if walk.over or walk.key == before.key:
        return text
    if before.key < 0:
        text = f"Press each key when it is asked for, within {walk.limit:g} s.\n"
    row, column = divmod(walk.key, COLUMNS)
    return f"{text}  press key {walk.key + 1} ({_ROWS[row]}, {_COLUMNS[column]}) ... "
