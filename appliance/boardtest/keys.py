"""Checks 1 and 3: the keypad's pins, and a walk over the keys, which asks for each in turn."""

import errno
from collections.abc import Iterator
from contextlib import closing

from appliance.boardtest.gpio_lines import levels
from appliance.boardtest.prompts import Prompt
from appliance.boardtest.rig import Rig
from appliance.core.errors import UserError
from appliance.core.keys import walk as walking
from appliance.core.keys.diagnosis import FAILED, LINES, OK, SUPPLY, Check, Line, Matrix, named
from appliance.core.keys.pins import BUS_PINS
from appliance.core.keys.scan import COLUMNS, KEYS
from appliance.core.keys.walk import Walk
from appliance.devices.access import NoAccess
from appliance.devices.keypad import Keypad

KEY_PATIENCE = 20.0  # seconds for each key

_ROWS = ("top row", "middle row", "bottom row")
_COLUMNS = ("left", "middle", "right")


class _PinsFailed(Exception):  # noqa: N818 - says what happened, as gpiozero's own do
    """The pins stopped working; the message is the backend's."""


def pins(rig: Rig) -> Iterator[Check]:
    """Claim the pins and release them: they are inputs then. None is driven if one is at 3.3 V.

    Raise `UserError` if another process (the service) holds them, or if this user may not open them.
    """
    try:
        for line in (high := _at_supply(rig)):
            yield Check(f"{_matrix(rig).named([line])}: at 3.3 V", FAILED, f"look for a short to {SUPPLY}")
        if not high:
            with rig.game_keypad():
                yield Check(f"keypad pins: {_matrix(rig).named(LINES)}", OK)
    except NoAccess:
        raise
    except UserError as error:
        yield Check("keypad pins: out of reach", FAILED, str(error))
    except Exception as error:
        # Each backend has its own errors, and lgpio's derive from nothing but Exception.
        text = str(error) or type(error).__name__
        if getattr(error, "errno", None) == errno.EBUSY or "busy" in text.lower() or "in use" in text.lower():
            raise in_use(error) from error
        remedy = f"check rows and columns under keypad: in {rig.where}"
        yield Check(f"keypad pins: {text}", FAILED, remedy)


def _at_supply(rig: Rig) -> tuple[Line, ...]:
    """Return the lines that are high although all are pulled down."""
    if not {*BUS_PINS[0], *BUS_PINS[1]}.isdisjoint(rig.numbers):
        return ()  # an I2C bus has pull-ups of its own
    with closing(rig.open_factory()) as factory:
        lines = {number: factory.pin(number) for number in rig.numbers}
        high = levels(rig, lines, "down")
    return tuple(line for line, level in zip(LINES, high.values(), strict=True) if level)


def in_use(why: object) -> UserError:
    """Return the error about pins that another process, usually the service, holds."""
    return UserError(
        f"the keypad's pins are in use ({why}): stop the service first: sudo systemctl stop tictactoe"
    )


def walk(rig: Rig) -> Iterator[Check]:
    """Walk over the keys, and yield what is found. The backend's errors propagate."""
    with rig.game_keypad() as keypad:
        yield from check_keys(rig, keypad, KEY_PATIENCE)


def check_keys(rig: Rig, keypad: Keypad, seconds: float) -> Iterator[Check]:
    """Check the keys, with this time for each, and yield what is found.

    The walk's findings so far are also yielded when an exception ends it.
    """
    rig.say("Hands off the keys for a moment.\n")
    rig.present(Prompt("", "hands_off"))
    walk = walking.start(seconds, rig.now())
    try:
        try:
            while not walk.over:
                raw, delay = _poll(keypad, rig.now())
                before, walk = walk, walking.advance(walk, raw, rig.now())
                if walk.key >= 0:
                    rig.say(_said(before, walk))
                    _present(rig, before, walk)
                rig.wait(delay)
        finally:
            yield from walking.rows(walk, _matrix(rig))
    except _PinsFailed as error:
        remedy = "run it again; if it happens again, read dmesg"
        yield Check(f"the pins stopped working: {error}", FAILED, remedy)


def _present(rig: Rig, before: Walk, walk: Walk) -> None:
    """Show on the display which key is asked for, once more if it has answered as another."""
    again = before.pressed and not walk.pressed
    if not walk.over and (again or walk.key != before.key):
        word = "once_more" if walk.key == before.key else "press_this"
        rig.present(Prompt("", word, 1 << walk.key, f"{walk.key + 1}/{KEYS}"))


def _matrix(rig: Rig) -> Matrix:
    return Matrix(rig.config.keypad.rows, rig.config.keypad.columns, rig.where)


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
