"""From claims to sentences: the phrase book, and a speaker who avoids repetition."""

import random
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path

from appliance.core.english import listed, number_word, ordinal, plural
from appliance.teaching.commentary.claims import Claim
from appliance.teaching.commentary.players import Player

FOLDER = Path(__file__).parent
MAX, MINNIE = "MAX", "MINNIE"
VOICES = (MAX, MINNIE)
VOICES_BY_SIGN = {"+": (MAX,), "-": (MINNIE,), "*": VOICES}  # the first character of a line -> its voices
MEMORY = 40  # sentences before one may be repeated

PLACES = (
    "the top left corner", "the top edge", "the top right corner",
    "the left edge", "the centre", "the right edge",
    "the bottom left corner", "the bottom edge", "the bottom right corner",
)  # fmt: skip
CELL_KINDS = {(0, 2, 6, 8): "corner", (1, 3, 5, 7): "edge"}


@cache
def sections(name: str) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the content of a file: section -> voice -> lines.

    A section starts with its name in brackets. Lines with + are Max's, with - Minnie's, with * for either; #
    starts a comment.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), {voice: [] for voice in VOICES})
        elif line and not line.startswith("#"):
            for voice in VOICES_BY_SIGN[line[0]]:
                section[voice].append(line[2:])
    return {key: {voice: tuple(of) for voice, of in section.items()} for key, section in found.items()}


def amount(value: int, thing: str) -> str:
    """Return a number of things in words."""
    return f"{number_word(value) if value else 'no'} {plural(value, thing)}"


def sentences(text: str) -> list[str]:
    """Return the sentences of a line."""
    return re.split(r"(?<=[.!?])[\"']?\s+", text)


def facts(claim: Claim, voice: str, players: Mapping[str, Player]) -> dict[str, str]:
    """Return the words for a claim's fields. Max names the cells, Minnie numbers them from 1."""

    def place(cell: int) -> str:
        return PLACES[cell] if voice == MAX else str(cell + 1)

    def places(cells: tuple[int, ...], word: str) -> str:
        if voice == MAX and cells in CELL_KINDS:
            return f"{'any' if word == 'or' else 'every'} {CELL_KINDS[cells]}"
        return listed(map(place, cells), word)

    words: dict[str, str] = {}
    for prefix, name in (("", claim.who), ("r", claim.rival)):
        words |= zip((f"{prefix}he", f"{prefix}him", f"{prefix}his"), players[name].pronouns, strict=True)
        words[f"{prefix}call"] = capitalise(name.removeprefix("the "))  # to address them
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
                words[field.name] = number_word(value) if isinstance(value, int) else str(value)
    return words


def capitalise(text: str) -> str:
    """Return the text with a capital at the start of each sentence."""
    return re.sub(r"(^|[.!?]\s+|[:,] \")([a-z])", lambda found: found[1] + found[2].upper(), text)


class Speaker:
    """Phrases for claims and chat, dealt from shuffled decks so that no recent sentence is repeated."""

    def __init__(self, players: Mapping[str, Player], rng: random.Random) -> None:
        self.players, self.rng = players, rng
        self._said: deque[str] = deque(maxlen=MEMORY)
        self._decks: dict[tuple[str, str], list[str]] = {}

    def fresh(self, text: str, memory: int = MEMORY) -> bool:
        """Return whether a line repeats no sentence, neither its own nor any of the last `memory`."""
        new, said = sentences(text), list(self._said)[-memory:]
        return len(set(new)) == len(new) and not set(new) & set(said)

    def remember(self, text: str) -> None:
        """Record the sentences of a line as said."""
        self._said.extend(sentences(text))

    def phrase(
        self, voice: str, section: str, claim: Claim | None = None, memory: int = MEMORY
    ) -> str | None:
        """Return a line for a claim or for chat; None if every phrase would repeat a sentence."""
        lines = sections("phrases.txt")[section][voice]
        words = facts(claim, voice, self.players) if claim else {}
        deck = self._decks.setdefault((section, voice), [])
        for refilled in (False, True):
            if refilled:
                deck[:] = self.rng.sample(lines, len(lines))
            for line in reversed(deck):
                text = capitalise(line.format_map(words))
                if self.fresh(text, memory):
                    deck.remove(line)
                    return text
        return None
