"""What is left of a file with mistakes, and what its unknown keys mean. Imported only for a mistake."""

import re
from collections.abc import Collection
from itertools import takewhile
from pathlib import Path

from appliance.config.advice import meant, spoken
from appliance.config.schema import KEYS, SECTIONS, Key
from appliance.config.slips import CHECK, ENTRY, corrected, indent
from appliance.config.yamlfile import YamlNode, invalid, parse_yaml, read_text, suggestion
from appliance.core.english import listed, plural
from appliance.core.errors import UserError, printable

TRIES = 10  # tries to read it; each costs a Pi Zero milliseconds
_CLOSED = "exhibit: yes"  # in place of a line about it that cannot be read
_NO_ENTRY = rf"(?!{ENTRY}| *-( |$)) *[^\s#]"
_WRITE = "write a key, a colon and a value, or put # before it"
_NAMES = {part for path in KEYS for part in path.split(".")}


def salvage(path: Path) -> tuple[YamlNode, list[UserError]]:
    """Return the tree of a file with its slips corrected; an error for each kind of slip, and broken block.

    A line that cannot be corrected is left out, with the lines below that belong to it.
    """
    file, errors, places = printable(str(path)), dict[object, UserError](), dict[str, list[int]]()
    try:
        text = read_text(path)
    except UserError as error:
        errors[""] = error
        text = read_text(path, "replace") if error.line else ""
    written, lines = text.splitlines(), text.splitlines()
    for remedy, place in corrected(lines, is_key):
        places.setdefault(remedy, []).append(place)
    for remedy, (place, *others) in places.items():
        also = listed([one + 1 for one in others[:20]] or [0]) + ", ..." * (len(others) > 20)
        full = f"{remedy}; also {plural(len(others), 'line')} {also}" if others else remedy
        errors[remedy] = invalid(file, place, written[place], full)
    for _ in range(TRIES):
        try:
            return parse_yaml("\n".join(lines), file), [*errors.values()]
        except UserError as error:
            place = error.line - 1
            if CHECK in str(error):  # a line above may be to blame, if it is no entry
                block = next((one for one in range(place - 1, 0, -1) if re.match(r"\w", lines[one])), 0)
                for odd in [one for one in range(block, place + 1) if re.match(_NO_ENTRY, lines[one])]:
                    place, error = odd, invalid(file, odd, lines[odd], _WRITE)
            errors.setdefault(sum(bool(re.match(r"\w", line)) for line in written[: place + 1]), error)
            closed = _CLOSED if "exhibit" in lines[place].lower() and lines[place] != _CLOSED else ""
            deeper = (not one.strip() or indent(one) > indent(lines[place]) for one in lines[place + 1 :])
            below = sum(takewhile(bool, deeper))
            lines[place : place + 1 + below] = [closed, *[""] * below]
    return YamlNode(file, 1, "", ""), [*errors.values()]


def _called(name: str) -> str:
    """Return the key or section that a person means by a name, "" if none is known."""
    name = name.lower()
    return name if name in _NAMES else next((one for one in spoken(name) if one in _NAMES), "")


def is_key(line: str) -> bool:
    """Return whether a line begins with what looks like a key."""
    name = re.split("[^\\w.]", line.strip("[ "), maxsplit=1)[0].rpartition(".")[2]
    return bool(_called(name) or suggestion(name, _NAMES, 0.8))


def inside(node: YamlNode, section: str) -> tuple[str, list[tuple[Key, YamlNode]]]:
    """Return the remedy for a value in the place of a section's keys, and the key that it is for with it."""
    keys = SECTIONS[section][1].values() if section and isinstance(node.value, str) else ()
    fits = [(key, found) for key in keys if (found := meant(node, key.kind.accept))]
    exact = [(key, found) for key, found in fits if key.kind.write(key.kind.accept(found)) == found.value]
    for key, found in next((one for one in (exact, fits) if len(one) == 1), []):
        return f'write "{key.name}: {found.written}" indented under "{section}:"', [(key, found)]
    return "", [(key, node._replace(value=key.kind.write(key.wary))) for key in keys if key.wary is not None]


def elsewhere(node: YamlNode, written: str, names: Collection[str]) -> tuple[str, list[UserError]]:
    """Return which key is meant by one that a section does not have, and the error.

    It is one of `names`, which the section has, or the path of another section's; "" if there is doubt.
    """
    name = _called(written) or written.lower()
    found = [path for path in KEYS if name in (path, path.rpartition(".")[2])]
    if name not in (*names, *SECTIONS) and not found:  # rather an exhibit by mistake than none
        return "exhibit" if suggestion(name, ["exhibit"]) else "", [node.unknown(name, names)]
    where = " indented under " + " or ".join(f'"{path.partition(".")[0]}:"' for path in found)
    where = "" if name in names else " at the margin" if name in (*SECTIONS, *SECTIONS[""][1]) else where
    told = where == "" and name in SECTIONS and node.plain  # by what is said of the value
    errors = [] if told else [node.error(f'write "{name.rpartition(".")[2]}:"{where}')]
    return name if where == "" else found[0] if len(found) == 1 else "", errors
