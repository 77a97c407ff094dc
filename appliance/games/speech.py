"""The texts of games.html and of reviews: a file of templates for each language, and the display's words."""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from pathlib import Path

from appliance.core.english import capital, listed, ordinal
from appliance.core.words import words
from engine import SOLVED

SideNames = Mapping[str, str]
"""Who plays x and o: "you" and the "box", "1" and "2" of two people, or the mark where that is unknown."""
FORMS_OF = {"1": "person", "2": "person", "x": "mark", "o": "mark"}  # of the sides that share a name's forms


class Name:
    """Who plays, in the forms that a template asks for: {mark}, {mark:of}, {mark:whom}, {mark:to}."""

    def __init__(self, forms: Mapping[str, str], who: str) -> None:
        self.forms = {case: form.format(who=who) for case, form in forms.items()}

    def __format__(self, case: str) -> str:
        return self.forms.get(case, self.forms[""])


class Speech:
    """What is said in a language, by its code."""

    def __init__(self, language: str) -> None:
        self.language = language
        file = Path(__file__).parent / "words" / f"{language}.json"
        self.texts = json.loads(file.read_text(encoding="utf-8"))

    def say(self, key: str, side: str = "", foe: str = "", /, **values: object) -> str:
        """Return a text. A `side` chooses that about "you" or another, who is its {mark}, against {foe}."""
        names = {name: self.name(who) for name, who in (("mark", side), ("foe", foe)) if who}
        special = f"{key}.{side}"
        text: str = self.texts[special if special in self.texts else f"{key}.other" if side else key]
        return text.format(**names, **values)

    def sentence(self, key: str, side: str = "", foe: str = "", /, **values: object) -> str:
        """Return a text as a sentence begins: with a capital, except for the marks x and o."""
        return capital(self.say(key, side, foe, **values))

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

    def day(self, day: date | None, key: str = "date") -> str:
        """Return a day as the language writes it, or its month; None is an unknown one."""
        if day is None:
            return self.say("unknown_day")
        month = self.texts["months"][day.month - 1]
        return self.say(key, day=day.day, month=month, number=day.month, year=day.year)

    def name(self, side: str) -> Name:
        """Return the name of one of `SideNames`."""
        return Name(self.texts[FORMS_OF.get(side, side)], side)

    def person(self, number: int) -> str:
        """Return one of two people as the display does."""
        return words(self.language)["person"].format(number=number)

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
