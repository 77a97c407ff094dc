"""The remedies for invalid values. Imported only for a mistake.

A value is rewritten in the ways in which people write such things (with a unit, a comma, in capitals, in
their own language), and the first rewriting that its kind accepts is the remedy.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from appliance.config.yamlfile import Node, suggestion
from appliance.core.errors import UserError
from appliance.core.keys.pins import HEADER
from appliance.core.words import LANGUAGES, words

Accept = Callable[[Node], object]
"""Returns the value of a node, or raises `ValueError` or `UserError`."""

_UNITS = {  # as people write them in the six languages: what one is, in the configuration's own
    "|°|px|players?": 1,
    "ms": 0.001,
    "s|se[ckg].*": 1,
    "m|min.*": 60,
    "h|hours?|std|stunden?|heures?|horas?|godz.*|hod.*": 3600,
    "d|days?|tage?|jours?|d[ií]as?|dzień|dni|den|dny": 86_400,
}
_NO = ("no", "off", "false", "none", "null", "~", "never", "0", "n", "nein", "non", "nie", "ne")
_YES = ("yes", "y", "on", "true", "always", "1", "ja", "oui", "si", "sí", "tak", "ano")
MEANT = {  # a word: the values that may be meant
    "english": ("en",),
    "german": ("de",),
    "french": ("fr",),
    "spanish": ("es",),
    "polish": ("pl",),
    "czech": ("cs",),
    "cz": ("cs",),
    "expert": ("perfect",),
    "impossible": ("perfect",),
    "beginner": ("easy",),
    "normal": ("medium", "classic"),
    "standard": ("classic",),
    "difficult": ("hard",),
    "auto": ("adaptive",),
    "me": ("you",),
    "human": ("you",),
    "player": ("you",),
    "computer": ("box",),
    "pi": ("box",),
    "random": ("alternate",),
    "verbose": ("debug",),
}


def remedy(node: Node, accept: Accept, choices: Sequence[str], about: str) -> str:
    """Return the remedy for a value that is not of the kind with these fields, "" if none is known."""
    for meant in _rewritten(node):
        if accepts(accept, meant):
            return f"write {meant.written}"
    if about:
        return ABOUT[about](node.plain or "", choices)
    return suggestion(node.value, choices) if isinstance(node.value, str) else ""


def accepts(accept: Accept, node: Node) -> bool:
    """Return whether a kind accepts a node."""
    try:
        accept(node)
    except (ValueError, UserError):
        return False
    return True


def _rewritten(node: Node) -> Iterator[Node]:
    """Yield what a value may mean, the likeliest first."""
    if not isinstance(node.value, str):
        return
    text = node.value.strip(" \t\"'“”„,;.()").lower()
    for meant in (text, *MEANT.get(text, ()), *_as_number(text), *_as_truth(text), *_spoken(text)):
        yield node._replace(value=meant, quoted=False)
    parts = tuple(node._replace(value=part, quoted=False) for part in re.split("[ ,;]+", text))
    yield node._replace(value=parts, quoted=False)


def _as_number(text: str) -> Iterator[str]:
    """Yield the number in a text: `10 min` is 600 seconds, `0,5` is 0.5, `GPIO24` is 24, `3c` is 0x3c.

    `1,800` is 1800 or, where that is too much, 1.8.
    """
    if re.fullmatch("[1-9][0-9]{0,2},[0-9]{3}", text):
        yield text.replace(",", "")
    if re.fullmatch("[0-9][a-f]", text):
        yield f"0x{text}"
    found = re.fullmatch(r"(?:gpio|bcm)?\s*([0-9]{1,9})(?:[.,]([0-9]{1,9}))?\s*([^0-9 ]*)", text)
    for unit, scale in _UNITS.items():
        if found and re.fullmatch(unit, found[3]):
            value = float(f"{found[1]}.{found[2] or 0}")
            yield f"{round(value * scale, 3):g}"


def _as_truth(text: str) -> Iterator[str]:
    if text in _NO:
        yield from ("no", "none", "0")
    if text in _YES:
        yield "yes"


def _spoken(text: str) -> Iterator[str]:
    """Yield what a word of one of the languages stands for: `schwer` is hard, `deutsch` is de."""
    if text[2:3] in {"_", "-"}:
        yield text[:2]
    for language in LANGUAGES:
        for name, word in words(language).items():
            if word.lower() == text:
                yield language if name == "name" else name


def _header_pin(text: str, _: Sequence[str]) -> str:
    """Return the remedy for a position on the header; those up to 27 are BCM numbers, too."""
    if not re.fullmatch("2[89]|3[0-9]|40", text):
        return ""
    bcm, known = HEADER[int(text) - 1], f"header pin {text} is"
    return f"write {bcm}: {known} BCM {bcm}" if isinstance(bcm, int) else f"{known} {bcm}"


def _percentage(text: str, _: Sequence[str]) -> str:
    found = re.fullmatch("([0-9]{1,2}|100) *%", text)
    return f"write {round(int(found[1]) * 2.55)}" if found else ""


_NO_I2C = "take another display: this one has no I2C"
_TALL = "take another display: luma drives this one with 128 rows, the box draws 64 or 32"
_LETTERS = "take another display: this one shows letters only"
CONTROLLERS = {  # controllers that people have, after their datasheets and luma.oled's source
    "ssd1305": "write luma.oled.device:ssd1305, which needs luma.oled 3.15",
    "ssd1307": "take another display: this one has at most 39 rows, and luma has no driver",
    "ssd1322": _NO_I2C,
    "ssd1327": _TALL,
    "ssd1331": _NO_I2C,
    "ssd1351": _NO_I2C,
    "sh1107": _TALL,
    "st7735": _NO_I2C,
    "st7789": _NO_I2C,
    "ili9341": _NO_I2C,
    "pcd8544": _NO_I2C,
    "hd44780": _LETTERS,
    "lcd1602": _LETTERS,
}


def _controller(text: str, choices: Sequence[str]) -> str:
    """Return what is known of a display's controller. Other digits are another controller, no misspelling."""
    name = re.sub("[ _-]", "", text.lower())
    digits = sorted(re.findall("[0-9]", name))
    near = [chip for chip in choices if digits == sorted(re.findall("[0-9]", chip))]
    return CONTROLLERS.get(name) or suggestion(name, near)


ABOUT = {"pin": _header_pin, "contrast": _percentage, "driver": _controller}
