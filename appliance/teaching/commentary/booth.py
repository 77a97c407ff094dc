"""The commentators' booth: which claims they make, who makes them, and their small talk."""

import random
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from appliance.teaching.commentary import claims, memories
from appliance.teaching.commentary.chain import Chain
from appliance.teaching.commentary.claims import Claim
from appliance.teaching.commentary.observe import Observed
from appliance.teaching.commentary.players import Player
from appliance.teaching.commentary.season import Fixture
from appliance.teaching.commentary.wording import MAX, MEMORY, MINNIE, VOICES, Speaker, sections

CHANCES: Mapping[type[Claim], float] = {
    claims.GivesAway: 1.0,
    memories.Seen: 1.0,
    memories.MissedBefore: 0.9,
    memories.OpensAgain: 0.8,
    claims.OnlyMove: 0.7,
    claims.Dawdles: 0.7,
    claims.ForcesWin: 0.6,
    claims.Traps: 0.35,
    claims.LostCause: 0.4,
    claims.Vanished: 0.4,
    claims.Fades: 0.3,
    claims.Even: 0.25,
}
"""The probability of a remark that is true and was not made recently; the most important first."""

ALWAYS = (claims.GivesAway, memories.Seen)
# Sometimes reported as plain moves.
QUIET = (claims.Blocks, claims.BlocksAndThreatens, claims.Threatens, claims.Mirrors)
DRAWS = 10  # to draw a sentence that is new in this broadcast
REMARK_INTERVAL = 3  # moves before a remark of the same kind is made again


class SpokenLine(NamedTuple):
    """A line of one commentator, and the claims in it; an aside has none."""

    voice: str
    text: str
    claims: tuple[Claim, ...] = ()


class Booth:
    """Max and Minnie, and their memory of what they said. All their randomness is from `rng`."""

    def __init__(self, players: Mapping[str, Player], rng: random.Random) -> None:
        self.rng = rng
        self.speaker = Speaker(players, rng)
        self.chains = {
            (section, voice): Chain(lines)
            for section, voices in sections("asides.txt").items()
            for voice, lines in voices.items()
        }
        self.last = MINNIE
        self.words = 0  # spoken so far
        self.drawn_before: set[str] = set()
        self.remarked: deque[set[type[Claim]]] = deque(maxlen=REMARK_INTERVAL)

    def welcome(self) -> Iterator[SpokenLine]:
        """Yield the opening of the broadcast."""
        for voice in VOICES:
            yield from self.chat("welcome", voice)
        yield from self.aside()

    def farewell(self) -> Iterator[SpokenLine]:
        """Yield the end of the broadcast."""
        for voice in VOICES:
            yield from self.chat("farewell", voice)

    def introduce(self, game: Fixture, season: Iterable[Claim]) -> Iterator[SpokenLine]:
        """Yield the introduction of a game, with up to two of the season's claims."""
        self.remarked.clear()
        yield from self.about(memories.Pairing(game.x, game.o, game.rule))
        known = list(season)
        for claim in self.rng.sample(known, min(len(known), 2)):
            yield from self.about(claim)
        if self.chance(0.6):
            yield from self.aside()

    def move(self, move: Observed, recalled: Iterable[Claim]) -> Iterator[SpokenLine]:
        """Yield the lines about a move, and those before the next."""
        line = self.report(move)
        remarks = self.remarks(move, recalled)
        if remarks and self.chance(0.4):
            line = self.joined(line, remarks)
        yield self.spoken(line)
        for claim in remarks:
            yield from self.about(claim)
        if any(isinstance(claim, claims.GivesAway) for claim in (*line.claims, *remarks)):
            if self.chance(0.5):
                yield from self.chat("gasp")
        elif not move.after.terminal and self.chance(0.18):
            yield from self.aside()

    def discuss(
        self, summary: Iterable[Claim], season: Iterable[Claim], winner: str, loser: str
    ) -> Iterator[SpokenLine]:
        """Yield the lines after a game: what decided it, two of the season's claims, perhaps an interview."""
        for place, claim in enumerate(summary):
            if place == 0 or self.chance(0.4):
                yield from self.about(claim)
        known = list(season)
        for claim in self.rng.sample(known, min(len(known), 2)):
            yield from self.about(claim)
        if self.chance(0.4):
            yield from self.interview(*((winner, loser) if self.chance(0.6) else (loser, winner)))
        elif self.chance(0.4):
            yield from self.aside()

    def about(self, claim: Claim) -> Iterator[SpokenLine]:
        """Yield a line with one claim; none if every phrase for it was used recently."""
        for speaking in (self.other(), self.last):
            text = self.speaker.phrase(speaking, claim.key, claim)
            if text:
                yield self.spoken(SpokenLine(speaking, text, (claim,)))
                return

    def aside(self) -> Iterator[SpokenLine]:
        """Yield a sentence or two from the chain, and perhaps a retort."""
        voice = self.other()
        yield from self.drawn("asides", voice, 2 if self.chance(0.35) else 1)
        other = MAX if voice == MINNIE else MINNIE
        if self.chance(0.6):
            yield from self.chat("retort", other)
        elif self.chance(0.4):
            yield from self.drawn("asides", other, 1)

    def interview(self, who: str, rival: str) -> Iterator[SpokenLine]:
        """Yield what a player said: anything but about the game."""
        claim = Claim(who, rival)
        voice = self.other()
        asked = self.speaker.phrase(voice, "interview", claim)
        said = self.new_sentence("interviews", voice)
        if asked and said:
            yield self.spoken(SpokenLine(voice, f'{asked} "{said}"'))
            yield from self.chat("retort")

    def chat(self, section: str, voice: str | None = None) -> Iterator[SpokenLine]:
        """Yield a line without a claim."""
        speaking = voice or self.other()
        text = self.speaker.phrase(speaking, section)
        if text:
            yield self.spoken(SpokenLine(speaking, text))

    def drawn(self, section: str, voice: str, count: int) -> Iterator[SpokenLine]:
        """Yield a line of up to `count` sentences from a chain."""
        found = [text for _ in range(count) if (text := self.new_sentence(section, voice))]
        unlike = {text.split()[-1]: text for text in found}  # sentences with the same end are one joke
        if unlike:
            yield self.spoken(SpokenLine(voice, " ".join(unlike.values())))

    def new_sentence(self, section: str, voice: str) -> str | None:
        """Return a sentence from a chain, usually a new one; None if it was said recently."""
        chain = self.chains[section, voice]
        text = next(
            (text for _ in range(DRAWS) if (text := chain.sentence(self.rng)) not in self.drawn_before), ""
        )
        self.drawn_before.add(text)
        return text if text and self.speaker.fresh(text) else None

    def report(self, move: Observed) -> SpokenLine:
        """Return the line that reports a move."""
        telling, plain = move.actions[0], move.actions[-1]
        chosen = plain if isinstance(telling, QUIET) and self.chance(0.15) else telling
        # Each claim has several phrases: with a memory of 1 there is always another.
        for memory in (MEMORY, 1):
            for claim in (chosen, plain):
                for speaking in (self.other(), self.last):
                    if text := self.speaker.phrase(speaking, claim.key, claim, memory):
                        return SpokenLine(speaking, text, (claim,))
        raise AssertionError(f"no phrase for {plain}")

    def remarks(self, move: Observed, recalled: Iterable[Claim]) -> list[Claim]:
        """Return at most two remarks that are due, the most important first."""
        told = set[type[Claim]]().union(*self.remarked)
        due = []
        for claim in (*recalled, *move.verdicts):
            kind, final = type(claim), move.after.terminal
            if kind in ALWAYS or (kind not in told and not final and self.chance(CHANCES[kind])):
                due.append(claim)
        chosen = sorted(due, key=lambda claim: list(CHANCES).index(type(claim)))[:2]
        self.remarked.append({type(claim) for claim in chosen})
        return chosen

    def joined(self, line: SpokenLine, remarks: list[Claim]) -> SpokenLine:
        """If that repeats nothing, join the line with the first remark, and remove that from the list."""
        text = self.speaker.phrase(line.voice, remarks[0].key, remarks[0])
        if text and self.speaker.fresh(f"{line.text} {text}"):
            return SpokenLine(line.voice, f"{line.text} {text}", (*line.claims, remarks.pop(0)))
        return line

    def spoken(self, line: SpokenLine) -> SpokenLine:
        """Record a line as said, and return it."""
        self.speaker.remember(line.text)
        self.last = line.voice
        self.words += len(line.text.split())
        return line

    def other(self) -> str:
        """Return the voice that did not speak last."""
        return MAX if self.last == MINNIE else MINNIE

    def chance(self, probability: float) -> bool:
        """Return True with this probability."""
        return self.rng.random() < probability
