"""A Markov chain over words: sentences that nobody wrote, from sentences that somebody did.

Source: Shannon, A mathematical theory of communication (Bell System Technical Journal 27, 1948), section 3.
"""

import random
from collections.abc import Sequence

TRIES = 60
LENGTHS = ((4, 8), (9, 13), (14, 18), (19, 28))  # words of a sentence, from and to
WEIGHTS = (3, 5, 4, 1)  # how often each is drawn
JOINTS = {"and", "because", "but", "so", "that", "which", "who"}
LEAPS = 2  # from one written sentence to another, in one new sentence
STRIDE = 3  # words between leaps, and after the last: shorter pieces seldom mean anything
NEAR = 1  # words between two places that are alike
COMMA = ","


class Chain:
    """A chain of the third order: each word is drawn from those that somewhere follow the three before it.

    After `JOINTS` it is of the second order: there a sentence may go on in many ways and still be one. A walk
    is thrown away if it leaps too often, elsewhere than to a like place of another sentence, or if it ends
    unlike the sentence that it began with.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        self.sentences = tuple(sentences)
        self._written = frozenset(sentences)
        # The words that follow, each with its sentence and its place there.
        self._next: dict[tuple[str, ...], list[tuple[str, int, int]]] = {}
        for source, sentence in enumerate(sentences):
            words = ["", "", "", *sentence.replace(COMMA, f" {COMMA}").split(), ""]
            for at in range(3, len(words)):
                self._next.setdefault(context(words[:at]), []).append((words[at], source, at))

    def sentence(self, rng: random.Random) -> str:
        """Return a sentence whose length is drawn from a distribution.

        A new one if a few tries find one of that length, otherwise one that was written.
        """
        low, high = rng.choices(LENGTHS, WEIGHTS)[0]
        for _ in range(TRIES):
            words = self._walk(rng, high)
            if len(words) >= low and (text := joined(words)) not in self._written:
                return text
        return rng.choice(self.sentences)

    def _walk(self, rng: random.Random, most: int) -> list[str]:
        """Return the words from a start to an end; none if the walk was no good."""
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
            alike = words[-1] in JOINTS or abs(there[2] - along[2]) <= NEAR
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
