"""What the box says, in six languages: a file each, imported when it is first needed."""

from functools import cache
from importlib import import_module

from appliance.core.words.vocabulary import KEYS, Words

__all__ = ["KEYS", "LANGUAGES", "Words", "words"]

LANGUAGES = ("en", "de", "fr", "es", "pl", "cs")
"""The code of each language: the name of its file, in the order of the menu."""


@cache
def words(language: str) -> Words:
    """Return what the box says in the language of this code, in English for an unknown code."""
    if language not in LANGUAGES:
        language = "en"
    spoken: Words = import_module(f"{__name__}.{language}").WORDS
    return spoken
