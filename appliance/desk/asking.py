"""The page's messages: what it may ask for. Whatever else comes is one sentence of an error."""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from appliance.core.errors import UserError, printable
from appliance.core.keys.scan import KEYS
from appliance.simulator.faults import FAULTS

SPEEDS = (0, 0.25, 1, 4, 16)
LISTS = ("bus", "pins", "journal")
PULLS = ("up", "down", "floating")
HIGHEST_PIN = 27


class Command(NamedTuple):
    """What a page asks for: one of `COMMANDS`, and its value."""

    name: str
    value: Any


def _key(value: Any) -> Any:
    return _one_of(value, range(KEYS))


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError  # noqa: TRY004 - one error for whatever is wrong
    return value


def _one_of(value: Any, choices: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value not in choices:
        raise ValueError
    return value


def _or_none(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError  # noqa: TRY004 - see above
    return value


def _pulls(value: Any) -> dict[int, str]:
    if not isinstance(value, dict):
        raise ValueError  # noqa: TRY004 - see above
    pins = {str(pin): pin for pin in range(HIGHEST_PIN + 1)}
    return {pins[_one_of(pin, pins)]: _one_of(pull, PULLS) for pin, pull in value.items()}


def _lists(value: Any) -> frozenset[str]:
    if not isinstance(value, list):
        raise ValueError  # noqa: TRY004 - see above
    return frozenset(_one_of(name, LISTS) for name in value)


COMMANDS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "down": ("a key, 0 to 8", _key),
    "up": ("a key, 0 to 8", _key),
    "stick": ("a key, 0 to 8, beside on: true or false", _key),
    "plug": ("true or false", _boolean),
    "cable": ("true or false", _boolean),
    "fault": ("the name of a fault of the wiring, or null", _or_none(lambda name: _one_of(name, FAULTS))),
    "pulls": ("a pull (up, down, floating) by pin, or null", _or_none(_pulls)),
    "speed": ("one of 0, 0.25, 1, 4, 16", lambda speed: _one_of(speed, SPEEDS)),
    "watch": ("a list out of bus, pins, journal", _lists),
    "record": ("true or false", _boolean),
    "scenario": ("the text of a scenario, or null", _or_none(_text)),
    "next": ("true", _boolean),
}


def command_in(text: str) -> Command:
    """Return what a message asks for. Raise `UserError`, one sentence, if it is malformed."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise UserError("the message is not valid JSON") from None
    if not isinstance(message, dict):
        raise UserError("the message is no mapping")
    name = next(iter(message), "")
    if name not in COMMANDS or set(message) != ({name, "on"} if name == "stick" else {name}):
        names = ", ".join(printable(str(key)[:40]) for key in list(message)[:4])
        raise UserError(f"the message is none that the box knows: {names or 'it is empty'}")
    expected, read = COMMANDS[name]
    try:
        value = read(message[name])
        return Command(name, (value, _boolean(message["on"])) if name == "stick" else value)
    except ValueError:
        raise UserError(f"{name}: expected {expected}") from None
