"""The texts of the display, a file for each language, imported when first used.

The comments are in en.py; the other files have the same keys in the same order. `{keys}` in a text stands
for the numbers of buttons, and `|` comes before a shorter wording for where the first has no room.
"""

from functools import cache
from importlib import import_module

LANGUAGES = ("en", "de", "fr", "es", "pl", "cs")
"""The code of each language, which is the name of its file, in the order of the menu."""

Words = dict[str, str]


def numbers(keys: tuple[int, ...]) -> str:
    """Return the numbers of keys or cells, counted from 1."""
    return ", ".join(str(key + 1) for key in keys)


@cache
def words(language: str, *, brief: bool = False) -> Words:
    """Return the texts of a language, by its code; if `brief`, in the shorter wordings that there are."""
    spoken: Words = import_module(f"{__name__}.{language}").WORDS
    return {key: text.split("|")[-1 if brief else 0] for key, text in spoken.items()}
