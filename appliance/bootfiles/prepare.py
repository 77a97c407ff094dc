"""The changes that prepare a card, and those that undo it: each a list that is complete before any write.

Our lines for config.txt are in a separate file, tictactoe.txt, which config.txt includes at its end.
"""

import re
from typing import NamedTuple

from appliance.bootfiles.check import CONFIG_TXT
from appliance.bootfiles.file_table import boot_text
from appliance.bootfiles.partition import Card, Change, encode
from appliance.config.unset import empty_sections

INCLUDED, SETTINGS = "tictactoe.txt", "tictactoe.yaml"

# Remove the [all] above our line only at the file's end: lines added below must still apply to all models.
_OURS = re.compile(
    r"^(?:\[all\]\r?\n(?=include tictactoe\.txt\s*\Z))?include tictactoe\.txt[ \t]*(?:\r?\n|\Z)", re.MULTILINE
)


class Plan(NamedTuple):
    """The changes in order, and notes for the report."""

    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()


def plan_prepare(card: Card, settings: str) -> Plan:
    """Return the changes that prepare a card, config.txt last; none if it is already prepared.

    `settings` is the text of tictactoe.yaml. Raise `UserError` for a card without a config.txt.
    """
    if not card.has(CONFIG_TXT):
        raise card.error("", f"has no {CONFIG_TXT}; restore it, or re-flash the card")
    wanted = {INCLUDED: boot_text(INCLUDED), SETTINGS: settings, CONFIG_TXT: include(card.text(CONFIG_TXT))}
    notes = []
    if empty_sections(card.text(SETTINGS)) is None:
        del wanted[SETTINGS]
        notes.append(f"{SETTINGS}: left as it is, with your changes")
    changes = [Change(name, encode(content)) for name, content in wanted.items()]
    return Plan(tuple(one for one in changes if card.read(one.name) != one.content), tuple(notes))


def plan_remove(card: Card) -> Plan:
    """Return the changes that remove this box from a card; none if the card has nothing of it."""
    config, ours, notes = card.text(CONFIG_TXT), [INCLUDED, SETTINGS], []
    if empty_sections(card.text(SETTINGS)) is None:
        ours.remove(SETTINGS)
        notes.append(f"{SETTINGS}: left there, with your changes")
    changes = [Change(name, None) for name in ours if card.has(name)]
    if (rest := _OURS.sub("", config)) != config:
        changes.insert(0, Change(CONFIG_TXT, encode(rest)))
    return Plan(tuple(changes), tuple(notes) if changes else ())


def include(config: str) -> str:
    """Return config.txt with our include line at its end, for all models; unchanged if it has that line."""
    if _OURS.search(config):
        return config
    newline = "\r\n" if "\r\n" in config else "\n"
    end = newline if config and not config.endswith("\n") else ""
    return f"{config}{end}[all]{newline}include {INCLUDED}{newline}"
