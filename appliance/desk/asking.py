"""The messages that the page may send. Any other is an error, in one sentence.

JSON is YAML, too, so they are read like a scenario, and what is wrong is said in the same words.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from appliance.config.kinds import BOOLEAN, choice, integer
from appliance.config.yamlfile import YamlNode, parse_yaml
from appliance.core.keys.scan import KEYS
from appliance.simulator.key_faults import FAULT

SPEEDS = (0, 0.25, 1, 4, 16)
LISTS = ("bus", "pins", "journal")


class Command(NamedTuple):
    """What a page asks for: one of `PAGE_COMMANDS`, and its value."""

    name: str
    value: Any


def _lists(node: YamlNode) -> frozenset[str]:
    return frozenset(map(choice(*LISTS).read, node.items()))


def _story(node: YamlNode) -> str | None:
    if node.plain == "null":
        return None
    if not isinstance(node.value, str) or not node.quoted:
        raise node.unexpected("the text of a scenario, or null")
    return node.value


_KEY = integer(0, KEYS - 1, "a key").read

PAGE_COMMANDS: Mapping[str, Callable[[YamlNode], Any]] = {
    **dict.fromkeys(("down", "up", "stick", "unstick"), _KEY),
    **dict.fromkeys(("plug", "cable", "record"), BOOLEAN.read),
    "fault": FAULT.read,
    "speed": choice(*SPEEDS).read,
    "watch": _lists,
    "scenario": _story,
    **dict.fromkeys(("next", "games"), choice("true").read),
}


def command_in(text: str) -> Command:
    """Return what a message asks for. Raise `UserError`, one sentence, if it is malformed."""
    name, node = parse_yaml(text, "message").entry(PAGE_COMMANDS)
    return Command(name, PAGE_COMMANDS[name](node))
