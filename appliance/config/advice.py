"""What a person probably meant by an invalid value or an unknown key. Imported only for a mistake.

A value is rewritten as people write such things: in capitals or quotes, with a unit or a comma, in the
words of the display. The first rewriting that its kind accepts is the remedy. A key is looked for in all
sections. The message around a remedy is made by `Kind.read`, and by `reading` for a key.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress

from appliance.config.yamlfile import YamlNode, suggestion
from appliance.core.english import NUMBER_WORDS
from appliance.core.errors import UserError
from appliance.core.keys.pins import HEADER
from appliance.core.words import LANGUAGES, words

_UNITS = {"": 1, "ms": 0.001, "s": 1, "sec": 1, "sek": 1, "min": 60, "h": 3600, "hou": 3600}  # three letters


def meant(node: YamlNode, accept: Callable[[YamlNode], object]) -> YamlNode | None:
    """Return the value that a wrong one leaves no doubt about, None if it does."""
    for guess in _rewritten(node):
        with suppress(ValueError, UserError):
            accept(guess)
            return guess
    return None


def remedy(
    node: YamlNode, accept: Callable[[YamlNode], object], choices: Sequence[str], *, header: bool
) -> str:
    """Return the remedy for a value that is not of the kind with these fields, "" if none is known."""
    if clear := meant(node, accept):
        return f"write {clear.written}"
    if not isinstance(node.value, str):
        return ""
    return (header and _header_pin(node.value)) or suggestion(node.value, choices)


def elsewhere(name: str, section: str, paths: Collection[str]) -> tuple[str, list[str]]:
    """Return the remedy for a key that this section does not have but others do, and where they have it.

    `paths` are those of all keys. The remedy is "" for a name that no section has.
    """
    wanted = name.lower()
    found = [path for path in paths if wanted in (path, path.rpartition(".")[2])]
    nested = section and any(path.startswith(f"{wanted}.") for path in paths)
    if nested or any(path == wanted and "." not in path for path in found):
        return f'write "{wanted}:" at the margin', found
    if not found:
        return "", found
    under = " or ".join(f'"{path.partition(".")[0]}:"' for path in found)
    return f'write "{wanted.rpartition(".")[2]}:" indented under {under}', found


def _rewritten(node: YamlNode) -> Iterator[YamlNode]:
    """Yield what a value may mean, the likeliest first."""
    if isinstance(node.value, Mapping):
        return
    items = node.value if isinstance(node.value, tuple) else (node,)
    text = " ".join(item.value for item in items if isinstance(item.value, str))
    text = text.strip(" \t\"'“”„,;.()").lower()
    first = re.findall("^[a-z]+[0-9]*(?= )", text)  # SH1106 (1.3 inch)
    for guess in (text, *_as_number(text), *_spoken(text), *first) if items == (node,) else ():
        yield node._replace(value=guess, quoted=False)
    parts = [node._replace(value=part.lstrip("gpiobcm"), quoted=False) for part in re.split("[ ,;]+", text)]
    yield node._replace(value=tuple(parts), quoted=False)


def _as_number(text: str) -> Iterator[str]:
    """Yield the number in a text: `10 min` is 600 seconds, `0,5` is 0.5, `GPIO24` is 24, `3c` is 0x3c."""
    if re.fullmatch("[0-9][a-f]", text):
        yield f"0x{text}"
    found = re.fullmatch(r"(?:gpio|bcm|(?:/dev/)?i2c-?)? *([0-9]{1,9})(?:[.,]([0-9]{1,2}))? *([a-z]*)", text)
    if found and (scale := _UNITS.get(found[3][:3])):
        yield f"{round(float(f'{found[1]}.{found[2] or 0}') * scale, 3):g}"
    if re.fullmatch("[1-9][0-9]+ ?[x*] ?[0-9]+", text):  # 128x64
        yield from re.split("[x*]", text.replace(" ", ""))
    if text in NUMBER_WORDS:
        yield str(NUMBER_WORDS.index(text))


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
