"""The messages that the page may send. Any other is an error, in one sentence."""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from appliance.core.errors import UserError, printable
from appliance.core.keys.scan import KEYS
from appliance.simulator.faults import KEY_FAULTS

SPEEDS = (0, 0.25, 1, 4, 16)
LISTS = ("bus", "pins", "journal")


class Command(NamedTuple):
    """What a page asks for: one of `PAGE_COMMANDS`, and its value."""

    name: str
    value: Any


def _one_of(*choices: Any) -> Callable[[Any], Any]:
    """Return a function that accepts these choices. JSON's 1.0 equals 1; true does not."""

    def read(value: Any) -> Any:
        for choice in choices:
            if value == choice and isinstance(value, bool) == isinstance(choice, bool):
                return choice
        raise ValueError

    return read


def _or_none(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


def _is(kind: type, value: Any) -> Any:
    if not isinstance(value, kind):
        raise ValueError  # noqa: TRY004 - one error for whatever is wrong
    return value


_KEY, _BOOLEAN, _LIST = _one_of(*range(KEYS)), _one_of(True, False), _one_of(*LISTS)

PAGE_COMMANDS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "down": ("a key, 0 to 8", _KEY),
    "up": ("a key, 0 to 8", _KEY),
    "stick": ("a key, 0 to 8, beside on: true or false", _KEY),
    "plug": ("true or false", _BOOLEAN),
    "cable": ("true or false", _BOOLEAN),
    "fault": ("the name of a fault of the wiring, or null", _or_none(_one_of(*KEY_FAULTS))),
    "speed": ("one of 0, 0.25, 1, 4, 16", _one_of(*SPEEDS)),
    "watch": ("a list out of bus, pins, journal", lambda value: frozenset(map(_LIST, _is(list, value)))),
    "record": ("true or false", _BOOLEAN),
    "scenario": ("the text of a scenario, or null", _or_none(lambda value: _is(str, value))),
    "next": ("true", _one_of(True)),
}


def command_in(text: str) -> Command:
    """Return what a message asks for. Raise `UserError`, one sentence, if it is malformed."""
    known = f"expected a mapping with one of {', '.join(PAGE_COMMANDS)}"
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise UserError(f"the message is not valid JSON: {known}") from None
    if not isinstance(message, dict):
        raise UserError(f"the message is not a mapping: {known}")
    name = next(iter(message), "")
    if name not in PAGE_COMMANDS or set(message) != ({name, "on"} if name == "stick" else {name}):
        names = ", ".join(printable(str(key)[:40]) for key in list(message)[:4])
        if name in PAGE_COMMANDS:
            raise UserError(f"{name}: expected {PAGE_COMMANDS[name][0]}; the message has {names}")
        raise UserError(f"unknown message: {known}; it has {names or 'nothing'}")
    expected, read = PAGE_COMMANDS[name]
    try:
        value = read(message[name])
        return Command(name, (value, _BOOLEAN(message["on"])) if name == "stick" else value)
    except ValueError:
        raise UserError(f"{name}: expected {expected}") from None
