"""The texts of games.html and of reviews: a file of templates for each language, and the display's words."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from appliance.core.english import capital, listed, ordinal
from appliance.core.words import words
from engine import SOLVED

SideNames = Mapping[str, str]
"""Who plays x and o: "you", "box", or the mark itself if two people play or nobody does."""


class Speech:
    """What is said in a language, by its code."""

    def __init__(self, language: str) -> None:
        self.language = language
        file = Path(__file__).parent / "words" / f"{language}.json"
        self.texts = json.loads(file.read_text(encoding="utf-8"))

    def say(self, key: str, side: str | None = None, /, **values: object) -> str:
        """Return a text; a `side` chooses that about "you", the "box" or a mark."""
        kind = "" if side is None else f".{side if side in ('you', 'box') else 'mark'}"
        text: str = self.texts[key + kind]
        return text.format(**values)

    def sentence(self, key: str, side: str | None = None, /, **values: object) -> str:
        """Return a text as a sentence begins: with a capital, except for the marks x and o."""
        return capital(self.say(key, side, **values))

    def count(self, key: str, number: int) -> str:
        """Return a number with its noun in the form that the language has for it."""
        few = number % 10 in {2, 3, 4} and (
            number < 5 or (self.language == "pl" and number % 100 not in {12, 13, 14})
        )
        forms = self.texts[key]
        one = number == 1 or (number == 0 and self.language == "fr")
        return str(forms[0] if one else forms[1] if few else forms[-1]).format(number=number)

    def noun(self, key: str) -> str:
        """Return the noun of `count` for many, without the number."""
        return self.texts[key][-1].replace("{number} ", "")  # type: ignore[no-any-return]  # a list of strings

    def listed(self, items: Iterable[object], last: str = "and") -> str:
        """Return a list in a sentence; `last` names the word before its last item."""
        return listed(items, self.say(last))

    def cells(self, cells: Iterable[int], last: str = "and") -> str:
        """Return cells from 0 as a list of their numbers."""
        return self.listed((cell + 1 for cell in cells), last)

    def nth(self, number: int) -> str:
        """Return an ordinal."""
        return (
            ordinal(number)
            if self.language == "en"
            else self.say("first" if number == 1 else "nth", number=number)
        )

    def name(self, who: str) -> str:
        """Return who plays: you, the box, or a mark."""
        return str(self.texts.get(who, who))

    def rule(self, rule: str) -> str:
        """Return a rule's name: in English that of the configuration, else the display's."""
        return rule if self.language == "en" else words(self.language).get(rule, rule)

    def level(self, level: str, rule: str = "classic") -> str:
        """Return a level's name; the best is only the strongest where nobody knows perfect play."""
        if self.language == "en":
            return level
        strongest = level == "perfect" and rule not in SOLVED
        return words(self.language).get("strongest" if strongest else level, level)


@cache
def speech(language: str = "en") -> Speech:
    """Return what is said in a language, by its code."""
    return Speech(language)
