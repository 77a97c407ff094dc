"""The remedies for keys in the wrong place or by another name. Imported only for a mistake.

A key is looked for in all sections, under its own name and under other common ones.
"""

import re
from collections.abc import Mapping

from appliance.config.advice import accepts
from appliance.config.schema import SECTIONS, Key
from appliance.config.yamlfile import Node, one_of, shown, slip

NAMES = {  # a name for a key: the key's path, or a section
    "difficulty": "game.level",
    "buttons": "keypad",
    "cols": "keypad.columns",
    "oled": "display",
    "screen": "display",
    "chip": "display.driver",
    "model": "display.driver",
    "controller": "display.driver",
    "bus": "display.port",
    "addr": "display.address",
    "rotation": "display.rotate",
    "offset": "display.column",
    "brightness": "display.contrast",
    "sleep": "rest.off",
    "demo": "rest.attract",
    "buzzer": "sound.pin",
    "lang": "language",
}


def explain(node: Node, section: str) -> None:
    """Raise an error with a remedy for a section with unknown keys, if one is known; "" is the whole file."""
    keys = SECTIONS[section][1]
    if isinstance(node.value, Mapping):
        _rejoin(node.value, keys)
        known = {*keys, *(() if section else SECTIONS)}
        for name, entry in node.value.items():
            if name not in known and (where := _elsewhere(name, section)):
                raise entry.error(where)
    elif section and not node.empty:
        fitting = [key.name for key in keys.values() if accepts(key.kind.accept, node)]
        remedy = f'write "{section}: {{{fitting[0]}: {shown(node.written)}}}"' if len(fitting) == 1 else ""
        word = re.match(r"\w*", node.plain or "")
        line = node.plain if node.plain and word and word[0] in keys else ""
        raise node.unexpected(f"{one_of(keys)} indented below it", remedy or slip(line))


def _rejoin(entries: Mapping[str, Node], keys: Mapping[str, Key]) -> None:
    """Raise the error for a value with a comma in braces: in `{pause: 0,5}` YAML reads a key `5`."""
    joined: dict[str, Node] = {}
    for name, entry in entries.items():
        last = next(reversed(joined), "")
        if last in keys and entry.empty and re.fullmatch("[0-9]+", name):
            joined[last] = joined[last]._replace(value=f"{joined[last].written},{name}")
        else:
            joined[name] = entry
    for name, entry in joined.items():
        if name in keys and entry != entries[name]:
            keys[name].kind.read(entry)


def _elsewhere(name: str, section: str) -> str:
    """Return where a key belongs that is not one of this section, "" if nowhere."""
    wanted = NAMES.get(name.lower(), name.lower())
    if wanted and wanted in SECTIONS:
        return f'write "{wanted}:" at the margin' if section else f'write "{wanted}:" instead'
    found = [key for _, keys in SECTIONS.values() for key in keys.values() if wanted in (key.path, key.name)]
    if any(key.section == section for key in found):
        return f'write "{found[0].name}:" instead'
    if found and not found[0].section:
        return f'write "{found[0].name}:" at the margin, not under "{section}:"'
    under = " or ".join(f'"{key.section}:"' for key in found)
    return f'write "{found[0].name}:" indented under {under}' if found else ""
