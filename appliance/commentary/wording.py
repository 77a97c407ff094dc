"""Claims -> sentences: the phrase book, and a speaker who repeats nobody."""

import random
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path

from appliance.commentary.claims import Claim
from appliance.commentary.players import Player

FOLDER = Path(__file__).parent
MAX, MINNIE = "MAX", "MINNIE"
VOICES = (MAX, MINNIE)
SIGNS = {"+": (MAX,), "-": (MINNIE,), "*": VOICES}  # whose a line of a file is
MEMORY = 40  # sentences in which none is said again

PLACES = tuple(
    f"the {place}"
    for place in (
        *("top left corner", "top edge", "top right corner"),
        *("left edge", "centre", "right edge"),
        *("bottom left corner", "bottom edge", "bottom right corner"),
    )
)
KINDS = {(0, 2, 6, 8): "corner", (1, 3, 5, 7): "edge"}
NUMBERS = (
    "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen", "twenty",
)  # fmt: skip
ORDINALS = (
    "no", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
    "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
    "seventeenth", "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip


@cache
def sections(name: str) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return what a file holds: section -> voice -> lines.

    A section begins with [its name]; + is a line of Max's, - of Minnie's, * of either. # begins a remark.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), {voice: [] for voice in VOICES})
        elif line and not line.startswith("#"):
            for voice in SIGNS[line[0]]:
                section[voice].append(line[2:])
    return {key: {voice: tuple(of) for voice, of in section.items()} for key, section in found.items()}


def number(value: int) -> str:
    """Return a number in words, up to twenty."""
    return NUMBERS[value] if value < len(NUMBERS) else str(value)


def ordinal(value: int) -> str:
    """Return an ordinal in words, up to the twentieth."""
    if value < len(ORDINALS):
        return ORDINALS[value]
    ending = "th" if value // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{ending}"


def amount(value: int, thing: str) -> str:
    """Return so many things in words."""
    return f"{number(value) if value else 'no'} {thing}{'' if value == 1 else 's'}"


def sentences(text: str) -> list[str]:
    """Return the sentences of a line."""
    return re.split(r"(?<=[.!?])[\"']?\s+", text)


def facts(claim: Claim, voice: str, players: Mapping[str, Player]) -> dict[str, str]:
    """Return the words for the fields of a claim. Max names the cells, Minnie counts them from 1."""

    def place(cell: int) -> str:
        return PLACES[cell] if voice == MAX else str(cell + 1)

    def places(cells: tuple[int, ...], word: str) -> str:
        if voice == MAX and cells in KINDS:
            return f"{'any' if word == 'or' else 'every'} {KINDS[cells]}"
        *most, last = map(place, cells)
        return f"{', '.join(most)} {word} {last}" if most else last

    words: dict[str, str] = {}
    for prefix, name in (("", claim.who), ("r", claim.rival)):
        words |= zip((f"{prefix}he", f"{prefix}him", f"{prefix}his"), players[name].pronouns, strict=True)
        words[f"{prefix}call"] = capital(name.removeprefix("the "))  # as one calls to them
    for field in fields(claim):
        value = getattr(claim, field.name)
        match field.name:
            case "cells" | "threats" if value:
                words[field.name] = places(value, "or")
                words[f"all_{field.name}"] = places(value, "and")
            case "cell" | "target" | "gone" | "reply" if value is not None:
                words[field.name] = place(value)
            case "moves" | "fewer":
                words[field.name] = amount(value, "move")
            case "games":
                words[field.name] = amount(value, "game")
            case "points" | "ahead" | "behind":
                words[field.name] = amount(value, "point")
            case "nth" | "place":
                words[field.name] = ordinal(value)
            case _:
                words[field.name] = number(value) if isinstance(value, int) else str(value)
    return words


def capital(text: str) -> str:
    """Let each sentence begin with a capital."""
    return re.sub(r"(^|[.!?]\s+|[:,] \")([a-z])", lambda found: found[1] + found[2].upper(), text)


class Speaker:
    """Words for claims and for chat, dealt so that no sentence is among the last `MEMORY` if that can be."""

    def __init__(self, players: Mapping[str, Player], rng: random.Random) -> None:
        self.players, self.rng = players, rng
        self._said: deque[str] = deque(maxlen=MEMORY)
        self._decks: dict[tuple[str, str], list[str]] = {}

    def fresh(self, text: str, memory: int = MEMORY) -> bool:
        """Return whether no sentence of a line was among the last `memory`, nor is in it twice."""
        new, said = sentences(text), list(self._said)[-memory:]
        return len(set(new)) == len(new) and not set(new) & set(said)

    def remember(self, text: str) -> str:
        """Count the sentences of a line as said; return it."""
        self._said.extend(sentences(text))
        return text

    def phrase(
        self, voice: str, section: str, claim: Claim | None = None, memory: int = MEMORY
    ) -> str | None:
        """Return a line for a claim or of chat, None if each would repeat one."""
        lines = sections("phrases.txt")[section][voice]
        words = facts(claim, voice, self.players) if claim else {}
        deck = self._decks.setdefault((section, voice), [])
        for refilled in (False, True):
            if refilled:
                deck[:] = self.rng.sample(lines, len(lines))
            for line in reversed(deck):
                text = capital(line.format_map(words))
                if self.fresh(text, memory):
                    deck.remove(line)
                    return text
        return None
