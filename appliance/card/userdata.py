"""cloud-init's user-data on the card: our part, added without a change to what is there. Pure over text.

Raspberry Pi Imager writes this file too: a person's user, password and network. Ours needs a command to run,
and some user to exist: without one the first boot waits for a keyboard.
"""

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from appliance.card.edits import mark
from appliance.card.partition import lines_of, newline_of
from appliance.errors import UserError
from appliance.yamlfile import Node, parse

_BOM = "\ufeff"


def combine(text: str, ours: str, file: str) -> str:
    """Return user-data with our part added; `file` is its name in errors.

    `ours` is cloud-config: paragraphs, each with one top-level key, its lists in block style. A key that is
    there keeps its value: our `users` are left out, our `runcmd` goes before the others, and anything else
    must have the same value. Raise `UserError` if the text is no cloud-config, or ours cannot be added.
    """
    if not re.match(rf"{_BOM}?#cloud-config\s*(\n|$)", text):
        raise UserError(f'{file}:1: expected "#cloud-config" as the first line; re-flash the card')
    there = _entries(text, file)
    wanted = _paragraphs(ours)
    added: list[str] = []
    for key, lines in wanted.items():
        if key not in there:
            added += ["", *lines] if added else lines
        elif key not in ("users", "runcmd"):
            value = _plain(_entries("\n".join(lines), file)[key])
            if _plain(there[key]) != value:
                raise there[key].error(f'has another value; write "{value}" here, or omit --{key}')
    combined = text
    if "runcmd" in there and "runcmd" in wanted:
        combined = _put_first(text, there["runcmd"], wanted["runcmd"])
    if added:
        newline = newline_of(text)
        combined += ("" if combined.endswith("\n") else newline) + mark(added, newline)
    _check(there, combined, wanted, file)
    return combined


def _put_first(text: str, commands: Node, ours: Sequence[str]) -> str:
    """Return the text with our commands marked before the first of a list in block style."""
    lines = lines_of(text)
    body = textwrap.dedent("\n".join(line for line in ours if line.startswith(" "))).split("\n")
    for number, line in enumerate(lines[commands.line :], commands.line):
        item = re.match(r"( *)- ", line)
        if item:
            return "".join(lines[:number]) + mark(body, newline_of(text), item[1]) + "".join(lines[number:])
        if line.strip() and not line.strip().startswith("#"):
            break
    raise commands.error('expected a list with one "- command" a line; write it so, or remove it')


def _check(there: Mapping[str, Node], combined: str, wanted: Mapping[str, Sequence[str]], file: str) -> None:
    """Raise `UserError` unless the combined text has the values that were there, and ours."""
    now = _entries(combined, file)
    fine = {*wanted, *there} <= set(now)
    for key, node in there.items():
        before, after = _plain(node), _plain(now.get(key, node))
        fine &= after == before or (key == "runcmd" and after[-len(before) :] == before)
    if not fine:
        raise UserError(f"{file}: this box's lines cannot be added; re-flash the card")


def _entries(text: str, file: str) -> Mapping[str, Node]:
    tree = parse(text.removeprefix(_BOM), file)
    if tree.empty:
        return {}
    if not isinstance(tree.value, Mapping):
        raise tree.unexpected('a mapping ("key: value")')
    return tree.value


def _paragraphs(text: str) -> Mapping[str, list[str]]:
    """Return the paragraphs by their top-level key, each with the comments above it."""
    parts = [part.split("\n") for part in re.split(r"\n{2,}", text.strip("\n"))]
    keys = [
        next(line.partition(":")[0] for line in part if not line.startswith(("#", " "))) for part in parts
    ]
    return dict(zip(keys, parts, strict=True))


def _plain(node: Node) -> Any:
    if isinstance(node.value, Mapping):
        return {key: _plain(value) for key, value in node.value.items()}
    if isinstance(node.value, tuple):
        return [_plain(item) for item in node.value]
    return node.value
