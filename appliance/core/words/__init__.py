"""What the box says, in six languages; a file each, loaded when it is first spoken."""

from functools import cache
from importlib import import_module

from appliance.core.words.vocabulary import KEYS, Words

__all__ = ["KEYS", "LANGUAGES", "Words", "words"]

LANGUAGES = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "pl": "Polski",
    "cs": "Čeština",
}
"""The code of each language to its name in its own tongue."""


@cache
def words(language: str) -> Words:
    """Return what the box says in the language of this code; in English when it does not speak that one."""
    if language not in LANGUAGES:
        language = "en"
    # A box speaks one language at a time: the other five need not be read when it starts.
    spoken: Words = import_module(f"{__name__}.{language}").WORDS
    return spoken
