"""What a person probably meant by an invalid value. Imported only for a mistake.

A value is rewritten as people write such things: in capitals or quotes, with a unit or a comma, in the
words of the display. The first rewriting that its kind accepts is the remedy. The message around it is made
by `Kind.read`; keys are the subject of `salvage`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from appliance.config.yamlfile import YamlNode, suggestion
from appliance.core.english import listed
from appliance.core.errors import UserError
from appliance.core.keys.pins import HEADER
from appliance.core.words import LANGUAGES, words

_Accept = Callable[[YamlNode], object]
_UNITS = {"": 1, "ms": 0.001, "s": 1, "sec": 1, "sek": 1, "seg": 1, "m": 60, "min": 60, "px": 1, "°": 1}
_UNITS |= dict.fromkeys(("h", "hou", "stu", "heu", "hor", "god", "hod"), 3600)  # three letters
_MEANINGS = Path(__file__).with_name("meanings.txt").read_text(encoding="utf-8").split("\n")[1:-1]


def meant(node: YamlNode, accept: _Accept, most: int | None = None) -> YamlNode | None:
    """Return the value that a wrong one leaves no doubt about, of at `most` so many; None if it does."""
    for guess in [node, *_rewritten(node)][:most]:
        with suppress(ValueError, UserError):
            accept(guess)
            return guess
    return None


def remedy(node: YamlNode, accept: _Accept, choices: Sequence[str], expected: str) -> str:
    """Return the remedy for a value that is not of the kind with these fields, "" if none is known."""
    if clear := meant(node, accept):
        return f"write {clear.written}"
    text = _text(node)
    if node.path == "display.port" and text.startswith("0x"):
        return f'write "address: {text}" instead'
    # What begins otherwise may be another word, even the opposite: "inactive", "not you".
    near = [one for one in choices if one[0] == text[:1] and "/" not in text]
    return ("BCM" in expected and _header_pins(node)) or suggestion(text if node.plain else "", near)


def spoken(text: str) -> Iterator[str]:
    """Yield what a word stands for, on the display or elsewhere: `schwer` is hard, `deutsch` is de."""
    known = {text.replace(" ", "-"), f"{text[:3]}-"}
    yield from (line.split(": ")[0] for line in _MEANINGS if known & {*line.split()[1:]})
    for language in LANGUAGES:
        for name, word in words(language).items():
            if word.lower() == text:
                yield language if name == "name" else name


def _text(node: YamlNode) -> str:
    """Return the text of a scalar or of a list's items, without what people put around it."""
    items = node.value if isinstance(node.value, tuple) else (node,)
    text = " ".join(item.value for item in items if isinstance(item.value, str))
    return text.partition("#")[0].strip(" \t\"'“”„,;()").rstrip(".!").lower()


def _rewritten(node: YamlNode) -> Iterator[YamlNode]:
    """Yield what a value may mean, the likeliest first."""
    if isinstance(node.value, Mapping):
        return
    text = _text(node)
    joined = re.sub("[ _]", "-", text)  # active low, SH1106 (1.3 inch), en_GB, luma.oled.device.sh1106
    part = re.findall(r"^(active-low|(?!active-l)[a-z]+[0-9]*)-|^[a-z].*\.(\w+)$", joined)
    guesses = (text, *_as_number(text), *spoken(text), joined, text.replace("o", "0"), *map("".join, part))
    for guess in guesses if isinstance(node.value, str) else ():
        yield node._replace(value=guess, quoted=False)
    parts = [node._replace(value=part, quoted=False) for part in re.findall("[0-9]+", text)]  # GPIO17; D27
    yield node._replace(value=tuple(parts), quoted=False)


def _as_number(text: str) -> Iterator[str]:
    """Yield the number in a text: `10 min` is 600 seconds, `0,5` is 0.5, `GPIO24` is 24, `3c` is 0x3c."""
    if not text.isdecimal() and (address := re.fullmatch("x?([0-9][0-9a-f])h?", text)):
        yield f"0x{address[1]}"
    number = r"(?:gpio_?|bcm|d|io|(?:/dev/)?i2c-?)? *([0-9]{1,9})(?:[.,]([0-9]{1,2}))? *([a-z°]*)"
    found = re.fullmatch(number, text)
    if found and (scale := _UNITS.get(found[3][:3])):
        yield f"{round(float(f'{found[1]}.{found[2] or 0}') * scale, 3):g}"
    if re.fullmatch("[1-9][0-9]+ ?[x*] ?[0-9]+", text):  # 128x64
        yield from re.split("[x*]", text.replace(" ", ""))


def _header_pins(node: YamlNode) -> str:
    """Return the remedy for positions on the header, one above 27: up to there they are BCM numbers, too."""
    pins = [int(one) for one in re.findall("[0-9]+", _text(node))]
    if max(pins, default=0) < 28 or not all(0 < pin <= len(HEADER) for pin in pins):
        return ""
    bcm, known = [HEADER[pin - 1] for pin in pins], f"header pin {pins[0]} is"
    if isinstance(node.value, tuple):
        fits = len(pins) == 3 and all(isinstance(pin, int) for pin in bcm)
        return f"write {bcm}: header pins {listed(pins)} are BCM {listed(bcm)}" if fits else ""
    return f"write {bcm[0]}: {known} BCM {bcm[0]}" if isinstance(bcm[0], int) else f"{known} {bcm[0]}"
