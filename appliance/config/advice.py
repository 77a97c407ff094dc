"""What a person probably meant by an invalid value or an unknown key. Imported only for a mistake.

A value is rewritten as people write such things: in capitals or quotes, with a unit or a comma, in the
words of the display. The first rewriting that its kind accepts is the remedy. A key is looked for in all
sections. The message around a remedy is made by `Kind.read`, and by `reading` for a key.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from appliance.config.yamlfile import YamlNode, suggestion
from appliance.core.errors import UserError
from appliance.core.keys.pins import HEADER
from appliance.core.words import LANGUAGES, words

_UNITS = {"ms": 0.001, "s": 1, "sec": 1, "seconds": 1, "min": 60, "minutes": 60, "h": 3600, "hours": 3600}


def remedy(
    node: YamlNode, accept: Callable[[YamlNode], object], choices: Sequence[str], *, header: bool
) -> str:
    """Return the remedy for a value that is not of the kind with these fields, "" if none is known."""
    if not isinstance(node.value, str):
        return ""
    for meant in _rewritten(node, node.value):
        with suppress(ValueError, UserError):
            accept(meant)
            return f"write {meant.written}"
    return (header and _header_pin(node.value)) or suggestion(node.value, choices)


def elsewhere(name: str, section: str, sections: Mapping[str, Iterable[str]]) -> str:
    """Return where a key belongs that this section does not have, "" if nowhere.

    `sections` are the keys of each; "" is the top level.
    """
    if section and name in sections:
        return f'write "{name}:" at the margin'
    wanted = name.lower()
    found = {at: key for at, keys in sections.items() for key in keys if wanted in (key, f"{at}.{key}")}
    if "" in found:
        return f'write "{wanted}:" at the margin'
    under = " or ".join(f'"{at}:"' for at in found)
    return f'write "{wanted.rpartition(".")[2]}:" indented under {under}' if found else ""


def _rewritten(node: YamlNode, text: str) -> Iterator[YamlNode]:
    """Yield what a value may mean, the likeliest first."""
    text = text.strip(" \t\"'“”„,;.()").lower()
    for meant in (text, *_as_number(text), *_spoken(text)):
        yield node._replace(value=meant, quoted=False)
    parts = tuple(node._replace(value=part, quoted=False) for part in re.split("[ ,;]+", text))
    yield node._replace(value=parts, quoted=False)


def _as_number(text: str) -> Iterator[str]:
    """Yield the number in a text: `10 min` is 600 seconds, `0,5` is 0.5, `GPIO24` is 24, `3c` is 0x3c."""
    if re.fullmatch("[0-9][a-f]", text):
        yield f"0x{text}"
    found = re.fullmatch(r"(?:gpio|bcm)? *([0-9]{1,9})(?:[.,]([0-9]{1,2}))? *([a-z]*)", text)
    if found and (scale := _UNITS.get(found[3] or "s")):
        yield f"{round(float(f'{found[1]}.{found[2] or 0}') * scale, 3):g}"


def _spoken(text: str) -> Iterator[str]:
    """Yield what a word of the display stands for, in any language: `schwer` is hard, `deutsch` is de."""
    if text[2:3] in {"_", "-"}:
        yield text[:2]  # a locale: en_GB
    for language in LANGUAGES:
        for name, word in words(language).items():
            if word.lower() == text:
                yield language if name == "name" else name


def _header_pin(text: str) -> str:
    """Return the remedy for a position on the header; those up to 27 are BCM numbers, too."""
    if not re.fullmatch("2[89]|3[0-9]|40", text):
        return ""
    bcm, known = HEADER[int(text) - 1], f"header pin {text} is"
    return f"write {bcm}: {known} BCM {bcm}" if isinstance(bcm, int) else f"{known} {bcm}"
