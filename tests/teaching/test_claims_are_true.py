"""The commentators' claims about games and the season are true, by independent checks."""

import random
from dataclasses import replace

import pytest
from told_games import Marks, true_of_game, true_of_move, true_of_season

from appliance.teaching.commentary import claims, memories
from appliance.teaching.commentary.booth import SpokenLine
from appliance.teaching.commentary.observe import observe
from appliance.teaching.commentary.script import Heading, Result, Standings, perform
from appliance.teaching.commentary.season import DAYS, MATCHDAY, Fixture, League, season_table
from appliance.teaching.taught import TAUGHT
from engine import Table

GAME = {"Turned", "Flawless", "Slips"}
VERDICTS = {"GivesAway", "OnlyMove", "ForcesWin", "LostCause", "Dawdles", "Even", "Traps"}
SEASON = {name for name, one in vars(memories).items() if isinstance(one, type)} & {
    one.__name__ for one in claims.Claim.__subclasses__()
}


def broadcast(seed, games=MATCHDAY * DAYS + 2):
    """Return a broadcast's players, games and script."""
    rng = random.Random(seed)
    league = League(rng)
    source = league.games()
    played = [next(source) for _ in range(games)]
    return league.players, played, list(perform(played, league.players, rng, seed))


@pytest.fixture(scope="module")
def said():
    """Return the claims in a broadcast of a season and two games: (claim, earlier games, game, ply)."""
    found, earlier, game, ply = [], [], None, 0
    _, games, items = broadcast(1)
    coming = iter(games)
    for item in items:
        if isinstance(item, Heading) and item.level == 3 and " - " in item.text:
            game, ply = next(coming), 0
            earlier = [old for old in earlier if old.season == game.season]
        elif isinstance(item, SpokenLine):
            for claim in item.claims:
                ply += isinstance(claim, claims.Action)
                found.append((claim, tuple(earlier), game, ply))
        elif isinstance(item, Result):
            assert item.game == game
            assert ply == len(game.moves)  # each move was reported once
            earlier.append(game)
        elif isinstance(item, Standings):
            assert list(item.rows) == season_table(earlier, [row.name for row in item.rows])
    return found


def replayed(game):
    """Yield (position, move, positions so far, whether all of them differ) for each move."""
    position, seen = Marks(game.rule), []
    for move in game.moves:
        seen.append((position.own, position.other))
        yield position, move, list(seen), len(set(seen)) == len(seen)
        position = position.play(move)


def holds(claim, earlier, game, ply):
    kind = type(claim).__name__
    assert {claim.who, claim.rival} <= {game.x, game.o} or kind in {"Leads", "Trails", "Champion"}
    if kind in SEASON:
        # After a game `earlier` includes it; a claim about it must not count it twice.
        after = bool(earlier) and earlier[-1] is game
        whole = after and kind not in {"Leads", "Trails", "Champion"}
        return true_of_season(claim, earlier[:-1] if whole else earlier, game, ply)
    *_, (_, _, _, once) = steps = list(replayed(game))
    if kind in GAME:
        return true_of_game(claim, game) if once else True
    before, move, seen, once = steps[ply - 1]
    if kind in VERDICTS and not once:
        return True  # a repetition may end the game, and the independent solver ignores the past
    assert claim.who == game.players["xo"[(ply - 1) % 2]]
    return true_of_move(claim, before, move, seen)


def test_each_claim_is_true(said):
    wrong = [entry for entry in said if not holds(*entry)]
    assert not wrong[:3]
    assert len(said) > 1000


def test_nearly_every_kind_of_claim_is_made(said):
    """The missing ones are rare: a third repetition, one of many wins turned into a loss."""
    kinds = {type(entry[0]).__name__ for entry in said}
    assert len(kinds) >= 37, sorted(SEASON - kinds)


def test_a_wrong_claim_is_found(said):
    """The independent checks reject slightly changed claims."""
    changes = {"cells": (), "moves": 99, "count": 99, "nth": 99, "points": 99, "games": 99, "target": 99}
    changed = 0
    for entry in [entry for entry in said if entry[2].rule != "vanishing"][::7]:  # all of these are checked
        claim = entry[0]
        for name, value in changes.items():
            if hasattr(claim, name):
                assert not holds(replace(claim, **{name: value}), *entry[1:]), claim
                changed += 1
    assert changed > 50


@pytest.mark.parametrize("rule", TAUGHT)
def test_every_claim_that_could_be_made_is_true(rule):
    """Random games also give claims that the commentators rarely choose."""
    rng, known = random.Random(rule), Table()
    for _ in range(8 if rule == "vanishing" else 30):
        position, moves = TAUGHT[rule](), []
        while not position.terminal and len(moves) < 30:
            moves.append(rng.choice(position.moves()))
            position = position.play(moves[-1])
        if not position.terminal:
            continue
        game = Fixture(1, 1, rule, "Ann", "Bob", tuple(moves), position.outcome)
        observed, summary = observe(TAUGHT[rule](), moves, game.players, known)
        for ply, move in enumerate(observed, 1):
            for claim in (*move.actions, *move.verdicts):
                assert holds(claim, (), game, ply), (claim, moves)
        for claim in summary:
            assert holds(claim, (), game, len(moves)), (claim, moves)
