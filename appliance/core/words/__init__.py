"""What the box says, in six languages: a file each, imported when it is first needed.

English explains each part; the other files have the same keys in the same order. A text with
`{keys}` in it is formatted with the numbers of buttons.
"""

from functools import cache
from importlib import import_module

LANGUAGES = ("en", "de", "fr", "es", "pl", "cs")
"""The code of each language: the name of its file, in the order of the menu."""

Words = dict[str, str]


def numbers(keys: tuple[int, ...]) -> str:
    """Return the numbers of keys, or of cells, as people count them."""
    return ", ".join(str(key + 1) for key in keys)


@cache
def words(language: str) -> Words:
    """Return what the box says in the language of this code."""
    spoken: Words = import_module(f"{__name__}.{language}").WORDS
    return spoken
