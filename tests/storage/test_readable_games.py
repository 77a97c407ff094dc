"""What is read of a history with damaged pages: each game that a query for its number finds."""

import random
import sqlite3
from contextlib import closing, suppress

import pytest
from store_world import GAME, fill, numbered

from appliance.storage.database import NAME, PAGE, open_read_only
from appliance.storage.repair import _known_pages
from appliance.storage.salvage import readable_games

GAMES = 30_000


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the bytes of a database, and its pages: those that have games, and those that lead to them."""
    box = tmp_path_factory.mktemp("box")
    fill(box, numbered([GAME] * GAMES))
    data = (box / NAME).read_bytes()
    kinds = {at: data[at] for at in range(PAGE * max(_known_pages(0)), len(data), PAGE)}
    return data, [at for at in kinds if kinds[at] == 13], [at for at in kinds if kinds[at] == 5]


def one_by_one(source):
    """Yield the numbers that can be read when each is asked for alone."""
    for number in range(1, GAMES + 1):
        with suppress(sqlite3.DatabaseError):
            yield from source.execute("SELECT id FROM game WHERE id = ?", (number,)).fetchone() or ()


@pytest.mark.parametrize("seed", range(6))
def test_only_games_in_damaged_pages_are_lost(whole, tmp_path, seed):
    data, leaves, _ = whole
    damaged, rng = bytearray(data), random.Random(seed)
    for at in [leaves[0], leaves[-1], *rng.sample(leaves, 9)]:
        damaged[at : at + PAGE] = rng.choice((bytes(PAGE), b"\xff" * PAGE, rng.randbytes(PAGE)))
    (tmp_path / NAME).write_bytes(damaged)
    with closing(open_read_only(tmp_path / NAME)) as source:
        damages = []
        found = [row[0] for row in readable_games(source, damages)]
        assert found == list(one_by_one(source))
    assert GAMES - 11 * 12 <= len(found) < GAMES
    assert damages


def test_behind_a_page_of_the_tree_the_games_go_on(whole, tmp_path):
    data, _, inner = whole
    for at in (inner[0], inner[-1], *random.Random(1).sample(inner, 4)):
        damaged = bytearray(data)
        damaged[at : at + PAGE] = b"\xff" * PAGE
        (tmp_path / NAME).write_bytes(damaged)
        with closing(open_read_only(tmp_path / NAME)) as source:
            found = [row[0] for row in readable_games(source, [])]
            there = list(one_by_one(source))
        assert found == sorted(found)
        assert len(there) - 0.1 * (GAMES - len(there)) <= len(found) <= len(there)
