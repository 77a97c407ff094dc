"""A Markov chain over words: new sentences from written ones.

A long broadcast needs more asides than anybody wants to write. A Markov chain draws each word from those that
follow the same three words somewhere in the written sentences. So nearly any four words in a row are from a
person, but the whole sentence is often new. Less context gives nonsense; more gives copies.

Even so a plain chain wanders from sentence to sentence and loses its grammar. So a walk may leap between
sentences only at a word like "and", or to a similar place in another sentence; at most twice, and with three
words between leaps and before the end. It must end with the punctuation of its first sentence. Bad walks are
dropped, which costs time: up to `MAX_WALKS` walks for a sentence, and then a written one after all.
Source: Shannon, A mathematical theory of communication (Bell System Technical Journal 27, 1948), section 3.
"""

import random
from collections.abc import Sequence

MAX_WALKS = 60
LENGTHS = ((4, 8), (9, 13), (14, 18), (19, 28))  # words of a sentence: at least, at most
LENGTH_WEIGHTS = (3, 5, 4, 1)  # of these lengths
JOINTS = {"and", "because", "but", "so", "that", "which", "who"}
LEAPS = 2  # at most, from one written sentence to another, in a new sentence
STRIDE = 3  # words between leaps, and after the last: shorter pieces rarely make sense
SIMILAR_WITHIN = 1  # words, at most, between places that count as similar
COMMA = ","


class Chain:
    """A chain of order three: each word is drawn from those that follow the same three words.

    After `JOINTS` it is of order two: there a sentence can continue in many ways and still make sense.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        self.sentences = tuple(sentences)
        self._written = frozenset(sentences)
        # context -> the next words, each with its sentence and its index there
        self._next: dict[tuple[str, ...], list[tuple[str, int, int]]] = {}
        for source, sentence in enumerate(sentences):
            words = ["", "", "", *sentence.replace(COMMA, f" {COMMA}").split(), ""]
            for at in range(3, len(words)):
                self._next.setdefault(context(words[:at]), []).append((words[at], source, at))

    def sentence(self, rng: random.Random) -> str:
        """Return a sentence with a random length.

        It is new if `MAX_WALKS` walks find one of that length, otherwise one of the written sentences.
        """
        low, high = rng.choices(LENGTHS, LENGTH_WEIGHTS)[0]
        for _ in range(MAX_WALKS):
            words = self._walk(rng, high)
            if len(words) >= low and (text := joined(words)) not in self._written:
                return text
        return rng.choice(self.sentences)

    def _walk(self, rng: random.Random, most: int) -> list[str]:
        """Return the words of a walk from a start to an end; none if the walk is bad."""
        words, stride, leaps = ["", "", ""], 0, 0
        _, begun, _ = here = rng.choice(self._next["", "", ""])
        while len(words) - 3 < most and here[0]:
            words.append(here[0])
            stride += 1
            following = self._next[context(words)]
            there = rng.choice(following)
            along = (there[0], here[1], here[2] + 1)
            if along in following:
                here = along
                continue
            alike = words[-1] in JOINTS or abs(there[2] - along[2]) <= SIMILAR_WITHIN
            if stride < STRIDE or leaps == LEAPS or not alike:
                return []
            here, stride, leaps = there, 0, leaps + 1
        ended = not here[0] and self.sentences[begun][-1] == words[-1][-1]
        return words[3:] if ended and (stride >= STRIDE or not leaps) else []


def context(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words that the next one depends on."""
    return tuple(words[-2 if words[-1] in JOINTS else -3 :])


def joined(words: Sequence[str]) -> str:
    """Return words and commas as text."""
    return " ".join(words).replace(f" {COMMA}", COMMA)
