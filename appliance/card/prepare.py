"""What preparing a card changes on it, and what undoes that: a list of changes, complete before any write.

Our lines for config.txt are a file of their own (tictactoe.txt), which one include line inserts. config.txt
is copied (`.before-tictactoe`) before its first change.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from appliance.card.check import CMDLINE, CONFIG
from appliance.card.partition import Card, Change, encode, lines_of, newline_of
from appliance.card.table import render

INCLUDED, SETTINGS = "tictactoe.txt", "tictactoe.yaml"
COPY = ".before-tictactoe"

_INCLUDE = f"include {INCLUDED}"

# What earlier versions left on a card: its first start ran a script, which installed packages.
_OLD_FILE = re.compile(r"tictactoe/(first-boot\.(sh|log)|prepared\.json|[^/]*\.deb)")
_OLD_PART = re.compile(
    r"^[ \t]*# >>> tictactoe(?:(?!# >>> ).)*?# <<< tictactoe boot prepare[^\n]*\n?", re.MULTILINE | re.DOTALL
)
_OLD_RUN = re.compile(r"\ssystemd\.run=\S*/tictactoe/first-boot\.sh(?=\s|$)")
_OLD_REST = re.compile(r"\ssystemd\.(run_success_action=reboot|unit=kernel-command-line\.target)(?=\s|$)")


class Plan(NamedTuple):
    """The changes in the order in which to make them, and what else to report."""

    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()


def plan_prepare(card: Card, settings: str, pins: Mapping[str, int | None]) -> Plan:
    """Return what prepares a card: no changes if it is prepared.

    `settings` is the text of tictactoe.yaml, `pins` fill in tictactoe.txt. The copy comes first, config.txt
    last. Raise `UserError` for a card that this cannot prepare.
    """
    if not card.has(CONFIG):
        raise card.error("", f"has no {CONFIG}; restore it, or re-flash the card")
    if card.has(INCLUDED) and not _is_ours(card):
        raise card.error(INCLUDED, "was not written by this program; rename it, and run this again")
    text = card.text(CONFIG)
    config, notes = include(text), []
    wanted = {INCLUDED: render(INCLUDED, pins), SETTINGS: settings, CONFIG: config}
    if config != text and not card.has(CONFIG + COPY):
        wanted = {CONFIG + COPY: without_ours(text), **wanted}
    if not _sets_nothing(card.text(SETTINGS)):
        del wanted[SETTINGS]
        notes.append(f"{SETTINGS}: left as it is, with your changes")
    changes = [Change(name, encode(content)) for name, content in wanted.items()]
    return Plan(tuple(one for one in changes if card.read(one.name) != one.content), tuple(notes))


def plan_remove(card: Card) -> Plan:
    """Return what restores a card: no changes if nothing of this box is on it.

    A file that was edited since loses our lines and keeps the others, and its copy stays.
    """
    changes: list[Change] = []
    notes: list[str] = []
    for name in (CONFIG, CMDLINE, "user-data"):
        text, copy = card.text(name), card.text(name + COPY)
        rest = _without_script(text) if name == CMDLINE else without_ours(text)
        kept = rest in (copy, without_ours(include(copy)))  # [all], or a last line's end, may be ours
        original = copy if kept and card.has(name + COPY) else rest
        if original != text:
            changes.append(Change(name, encode(original)))
        if kept:
            changes += _delete(card, [name + COPY])
        elif card.has(name + COPY):
            notes.append(f"{name}{COPY}: left there, because {name} has changed since")
    if _sets_nothing(card.text(SETTINGS)):
        changes += _delete(card, [SETTINGS])
    else:
        notes.append(f"{SETTINGS}: left there, with your changes")
    if _is_ours(card):
        changes += _delete(card, [INCLUDED])
    changes += _delete(card, filter(_OLD_FILE.fullmatch, card.names))
    return Plan(tuple(changes), tuple(notes) if changes else ())


def include(text: str) -> str:
    """Return config.txt with our include line under [all] at its end, or as it is if it has that line."""
    lines = lines_of(text)
    if any(_includes(line) and _unfiltered(lines[:at]) for at, line in enumerate(lines)):
        return text
    rest, newline = without_ours(text), newline_of(text)
    end = newline if rest and not rest.endswith("\n") else ""
    section = "" if _unfiltered(lines_of(rest)) else f"[all]{newline}"
    return f"{rest}{end}{section}{_INCLUDE}{newline}"


def without_ours(text: str) -> str:
    """Return config.txt or user-data without our include line, and an earlier version's marked part."""
    return "".join(line for line in lines_of(_OLD_PART.sub("", text)) if not _includes(line))


def _includes(line: str) -> bool:
    return line.lower().split() == _INCLUDE.split()


def _unfiltered(lines: Sequence[str]) -> bool:
    """Return whether no [filter] is in force below these lines. Another included file may set one."""
    for line in reversed(lines):
        content = line.strip().lower()
        if content.startswith(("[", "include")):
            return content.startswith("[all]")
    return True


def _without_script(text: str) -> str:
    """Return a command line that does not run an earlier version's script, which --remove deletes."""
    line, newline, below = text.partition("\n")
    line, found = _OLD_RUN.subn("", line)
    if found and "systemd.run=" not in line:  # Raspberry Pi Imager's own script needs the same words
        line = _OLD_REST.sub("", line)
    return line + newline + below


def _delete(card: Card, names: Iterable[str]) -> list[Change]:
    return [Change(name, None) for name in names if card.has(name)]


def _is_ours(card: Card) -> bool:
    """Return whether the card's tictactoe.txt begins as our template does."""
    first = render(INCLUDED, {}).partition("\n")[0]
    return card.text(INCLUDED).partition("\n")[0].strip() == first


def _sets_nothing(settings: str) -> bool:
    """Return whether a tictactoe.yaml is as it was written: comments, and keys without a value."""
    return all(re.fullmatch(r"\s*(#.*|\w+:)?\s*", line) for line in settings.split("\n"))
