"""cloud-init's user-data on the card: our part, added without a change to what is there. Pure over text.

Raspberry Pi Imager writes this file too: a person's user, password and network. Ours needs a command to run,
and some user to exist: without one the first boot waits for a keyboard.
"""

import re
import textwrap
from collections.abc import Mapping
from typing import Any

from appliance.card.edits import mark
from appliance.card.partition import lines_of, newline_of
from appliance.config.yamlfile import Node, parse
from appliance.core.errors import UserError

_BOM = "\ufeff"


def combine(text: str, ours: str, file: str) -> str:
    """Return user-data with our part added; `file` is its name in errors.

    `ours` is cloud-config: paragraphs, each with one top-level key, its lists in block style. A key that is
    there keeps its value: our `users` are left out, our `runcmd` goes before the others, and anything else
    must have the same value. Raise `UserError` if the text is no cloud-config, or ours cannot be added.
    """
    if not re.match(rf"{_BOM}?#cloud-config\s*(\n|$)", text):
        raise UserError(f'{file}:1: expected "#cloud-config" as the first line; re-flash the card')
    there, wanted = _entries(text, file), _entries(ours, file)
    expected = {key: _plain(node) for key, node in {**wanted, **there}.items()}
    combined, added = text, ""
    for paragraph in re.split(r"\n{2,}", ours.strip("\n")):
        key = re.findall(r"^(\w+):", paragraph, re.MULTILINE)[0]
        if key not in there:
            added += f"\n\n{paragraph}"
        elif key == "runcmd":
            combined = _put_first(text, there[key], paragraph)
            expected[key] = _plain(wanted[key]) + expected[key]
        elif key != "users" and expected[key] != (value := _plain(wanted[key])):
            raise there[key].error(f'has another value; write "{value}" here, or omit --{key}')
    if added:
        newline = newline_of(text)
        combined += ("" if combined.endswith("\n") else newline) + mark(added[2:].split("\n"), newline)
    # The lines below could belong to a block of text above: look at what the result means.
    if {key: _plain(node) for key, node in _entries(combined, file).items()} != expected:
        raise UserError(f"{file}: this box's lines cannot be added; re-flash the card")
    return combined


def _put_first(text: str, commands: Node, ours: str) -> str:
    """Return the text with our commands marked before the first of a list in block style."""
    lines = lines_of(text)
    body = textwrap.dedent("\n".join(line for line in ours.split("\n") if line.startswith(" "))).split("\n")
    for number, line in enumerate(lines[commands.line :], commands.line):
        item = re.match(r"( *)- ", line)
        if item and isinstance(commands.value, tuple):
            return "".join(lines[:number]) + mark(body, newline_of(text), item[1]) + "".join(lines[number:])
        if line.strip() and not line.strip().startswith("#"):
            break
    raise commands.error('expected a list with one "- command" a line; write it so, or remove it')


def _entries(text: str, file: str) -> Mapping[str, Node]:
    tree = parse(text.removeprefix(_BOM), file)
    if not tree.empty and not isinstance(tree.value, Mapping):
        raise tree.unexpected('a mapping ("key: value")')
    return tree.value if isinstance(tree.value, Mapping) else {}


def _plain(node: Node) -> Any:
    if isinstance(node.value, Mapping):
        return {key: _plain(value) for key, value in node.value.items()}
    if isinstance(node.value, tuple):
        return [_plain(item) for item in node.value]
    return node.value
