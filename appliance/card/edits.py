"""Our part of files that are not ours, as pure text: a line of config.txt, words of cmdline.txt, user-data.

Lines of ours in user-data stand between two comments:

    # >>> tictactoe boot prepare replaces the lines down to <<<
    runcmd: ...
    # <<< tictactoe boot prepare

On cards that version 0.1.0 prepared, config.txt has such a part too.
"""

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from appliance.card.partition import lines_of, newline_of
from appliance.card.table import render
from appliance.config.yamlfile import Node, parse
from appliance.core.errors import UserError

INCLUDED = "tictactoe.txt"
COPY = ".before-tictactoe"

_BEGIN = "# >>> tictactoe boot prepare replaces the lines down to <<<"
_END = "# <<< tictactoe boot prepare"
_INCLUDE = f"include {INCLUDED}"
_BOM = "\ufeff"


class Edited(NamedTuple):
    """A file that is not ours: its text, its copy without our lines if there is one, its name in errors."""

    text: str
    copy: str | None
    file: str


def original(edited: Edited) -> str:
    """Return config.txt or user-data without lines of ours: its copy if nothing else has changed."""
    text, copy, file = edited
    rest = _undo(text, file)
    if copy is None:
        return rest
    ended = copy + newline_of(copy)  # a last line without an end got one
    return copy if rest in (copy, ended, _undo(include(Edited(copy, None, file)), file)) else rest


def include(edited: Edited) -> str:
    """Return config.txt with our include line under [all]: in place of a marked part, or at the end.

    A text that has it already is returned as it is.
    """
    text, _, file = edited
    rest, lines = _undo(text, file), lines_of(text)
    begin = next((at for at, line in enumerate(lines) if _begins(line)), None)
    if begin is None and any(_includes(line) and _unfiltered(lines[:at]) for at, line in enumerate(lines)):
        return text
    head = _undo("".join(lines[:begin]), file)
    tail = rest[len(head) :]
    newline = newline_of(text)
    if head and not head.endswith("\n"):
        head += newline
    section = "" if _unfiltered(lines_of(head)) else f"[all]{newline}"
    return f"{head}{section}{_INCLUDE}{newline}{tail}"


def _undo(text: str, file: str) -> str:
    """Return a text without our marked parts and include lines. Raise `UserError` for a part with no end."""
    kept = []
    begin = 0
    for number, line in enumerate(lines_of(text), 1):
        if _begins(line):
            begin = number
        elif line.strip().startswith(_END) and begin:
            begin = 0
        elif not begin and not _includes(line):
            kept.append(line)
    if begin:
        name = PurePath(file).name
        remedy = f"remove this box's lines, or rename {name}{COPY} to {name}, and run this again"
        raise UserError(f'{file}:{begin}: no line "{_END}" follows; {remedy}')
    return "".join(kept)


def _begins(line: str) -> bool:
    return line.strip().startswith("# >>> tictactoe")


def _includes(line: str) -> bool:
    return line.lower().split() == _INCLUDE.split()


def _unfiltered(lines: Sequence[str]) -> bool:
    """Return whether no [filter] is in force below these lines. Another included file may set one."""
    for line in reversed(lines):
        content = line.strip().lower()
        if content.startswith(("[", "include")):
            return content.startswith("[all]")
    return True


def words(text: str) -> list[str]:
    """Return the words of a kernel command line, which is the first line."""
    return text.partition("\n")[0].split()


def our_words() -> list[str]:
    """Return the words that may be added to a command line."""
    return render("cmdline.txt", {}).split()


def command_line(edited: Edited, wanted: Sequence[str]) -> str:
    """Return a command line with those of our words that are wanted, and without the others of ours."""
    line, newline, below = edited.text.partition("\n")
    for word in _added(line, edited.copy):
        if word not in wanted:
            line = re.sub(rf"\s{re.escape(word)}(?=\s|$)", "", line)
    end = len(line.rstrip())
    lacking = "".join(f" {word}" for word in wanted if word not in words(line))
    return line[:end] + lacking + line[end:] + newline + below


def _added(line: str, copy: str | None) -> list[str]:
    """Return which words of a command line were added: those that its copy lacks.

    Without a copy, `systemd.run=` of our script; and its companions unless another `systemd.run=` needs them.
    """
    there = words(line)
    ours = [word for word in our_words() if word in there]
    if copy is not None:
        return [word for word in ours if word not in words(copy)]
    run = [word for word in there if word.startswith("systemd.run=")]
    if not any(word in ours for word in run):
        return []
    return [word for word in ours if word.startswith("systemd.") and (word in run or len(run) == 1)]


def user_data(edited: Edited, ours: str) -> str:
    """Return cloud-init's user-data with our part, and else as it is.

    Raspberry Pi Imager writes this file too: a person's user, password and network. `ours` is cloud-config:
    paragraphs, each with one top-level key, its lists in block style. A key that is there keeps its value:
    our `users` are left out, our `runcmd` goes first, and anything else must have the same value.
    Raise `UserError` if the text is no cloud-config, or ours cannot be added.
    """
    text, file = original(edited), edited.file
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
        combined += ("" if combined.endswith("\n") else newline) + _mark(added[2:].split("\n"), newline)
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
            return "".join(lines[:number]) + _mark(body, newline_of(text), item[1]) + "".join(lines[number:])
        if line.strip() and not line.strip().startswith("#"):
            break
    raise commands.error('expected a list with one "- command" a line; write it so, or remove it')


def _mark(lines: Iterable[str], newline: str, indent: str = "") -> str:
    """Return these lines, marked and indented, as text."""
    return "".join(f"{indent}{line}".rstrip() + newline for line in (_BEGIN, *lines, _END))


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
