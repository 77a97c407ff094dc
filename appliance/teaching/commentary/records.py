"""The season so far: its games, and the claims that they support."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from appliance.teaching.commentary import memories
from appliance.teaching.commentary.claims import Claim, MissesWin
from appliance.teaching.commentary.observe import Observed
from appliance.teaching.commentary.players import Player
from appliance.teaching.commentary.season import DAYS, MATCHDAY, Fixture, season_table

INTRODUCED_AFTER = 3  # games of a season after which a player needs no introduction
ALIKE = (4, 6)  # numbers of moves after which to recall an earlier game with the same moves


class Season:
    """The games of a season in order, and the facts that follow from them."""

    def __init__(self, players: Mapping[str, Player]) -> None:
        self.players = players
        self.games: list[Fixture] = []  # finished
        self.missed = Counter[str]()  # immediate wins that a player did not take

    def note(self, move: Observed) -> None:
        """Count a win that a move missed."""
        self.missed.update(action.who for action in move.actions if isinstance(action, MissesWin))

    def of(self, name: str) -> list[Fixture]:
        """Return the games of a player."""
        return [game for game in self.games if name in (game.x, game.o)]

    def before(self, game: Fixture) -> Iterator[Claim]:
        """Yield the claims about two players before their game."""
        pair = (game.x, game.o)
        rows = season_table(self.games, list(self.players))
        for who, rival in (pair, pair[::-1]):
            row = next(row for row in rows if row.name == who)
            if row.played:
                place = 1 + sum(other.points > row.points for other in rows)
                yield memories.Standing(who, rival, place, row.points, row.played)
                last = self.of(who)[-1]
                other = last.o if last.x == who else last.x
                yield memories.LastGame(who, rival, last.result(who), last.day, other)
            if row.played < INTRODUCED_AFTER:
                yield memories.Profile(who, rival, self.players[who].trait)
        met = [game.result(pair[0]) for game in self.of(pair[0]) if pair[1] in (game.x, game.o)]
        if met:
            yield memories.Meetings(*pair, met.count("won"), met.count("drawn"), met.count("lost"))
        elif self.games:
            yield memories.FirstMeeting(*pair)

    def of_a_move(self, game: Fixture, move: Observed) -> Iterator[Claim]:
        """Yield the memories that a move of `game` brings back. Call `note` afterwards."""
        action, count = move.actions[-1], move.after.ply
        who, rival = action.who, action.rival
        if count == 1:
            begun = [old.moves[0] for old in self.games if old.x == game.x]
            if begun and begun[-1] == action.cell:
                yield memories.OpensAgain(who, rival, action.cell, begun.count(action.cell) + 1)
        if count in ALIKE and not move.after.terminal:
            for old in reversed(self.games):
                if old.rule == game.rule and old.moves[:count] == game.moves[:count]:
                    yield memories.Seen(
                        who, rival, old.day, count, old.x, old.o, old.players.get(old.outcome, "")
                    )
                    break
        if isinstance(move.actions[0], MissesWin) and self.missed[who]:
            yield memories.MissedBefore(who, rival, self.missed[who] + 1)

    def after(self, game: Fixture) -> Iterator[Claim]:
        """Yield the claims after a game, which must be the last one added."""
        earlier = [old for old in self.games[:-1] if old.rule == game.rule]
        if len(earlier) >= MATCHDAY - 1:
            lengths = [len(old.moves) for old in earlier]
            if len(game.moves) < min(lengths):
                yield memories.Shortest(game.x, game.o, len(game.moves), len(earlier))
            if len(game.moves) > max(lengths):
                yield memories.Longest(game.x, game.o, len(game.moves), len(earlier))
        for who, rival in ((game.x, game.o), (game.o, game.x)):
            yield from self._runs(who, rival, game)

    def _runs(self, who: str, rival: str, game: Fixture) -> Iterator[Claim]:
        own = self.of(who)
        results = [old.result(who) for old in own]
        result, nth = results[-1], run(results)
        if nth > 1:
            yield memories.Streak(who, rival, result, nth)
        side = "x" if game.x == who else "o"
        nth_as = run([old.result(who) for old in own if old.players[side] == who])
        if nth_as > max(nth, 1):
            yield memories.StreakAs(who, rival, result, side, nth_as)
        if result != "lost" and (lost := run(results[:-1], "lost")) > 1:
            yield memories.StreakEnds(who, rival, lost)
        if result == "won" and results.count("won") == 1 and len(results) > 2:
            yield memories.FirstWin(who, rival, len(results) - 1)
        if "lost" not in results and len(results) > 2:
            yield memories.Unbeaten(who, rival, len(results))

    def of_the_table(self) -> Iterator[Claim]:
        """Yield the claims about the current table."""
        first, second, *_, third, last = season_table(self.games, list(self.players))
        if len(self.games) == MATCHDAY * DAYS and (first.points, first.won) > (second.points, second.won):
            yield memories.Champion(first.name, second.name, first.points, first.won, first.played)
        elif first.points > second.points:
            yield memories.Leads(first.name, second.name, first.points, first.points - second.points)
        if last.played and last.points < third.points:
            yield memories.Trails(last.name, first.name, last.points, first.points - last.points)


def run(results: Sequence[str], kind: str | None = None) -> int:
    """Return the number of equal results at the end; of `kind`, or by default like the last."""
    wanted = kind or results[-1]
    return len(list(takewhile(lambda result: result == wanted, reversed(results))))
