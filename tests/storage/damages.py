"""The slow tests of damaged databases: every bit of the header, and a small card that is damaged ten times.

They print their figures: `make test-power`. The quick forms are in `test_schema.py` and
`test_store_damage.py`.
"""

import logging
import os
import random
import subprocess

import pytest
from flipped_bits import HEADER_BITS, lost, played_on, schema_bits
from power_tools import report
from store_world import World, at_random, close_all, fill, finish

from appliance.storage.rows import Played

SCHEMA_BITS = 400


@pytest.mark.parametrize("log", [False, True])
def test_no_wrong_bit_in_header_or_schema_loses_anything(memory, log, caplog):
    caplog.set_level(logging.CRITICAL, "tictactoe")  # a line for each bit
    files = played_on(World(memory / "box"), log)
    missing = [
        [outcome for bit in bits if (outcome := lost(memory / "flipped", files, bit))]
        for bits in (range(HEADER_BITS), schema_bits(files, 1, SCHEMA_BITS))
    ]
    report(
        f"wrong bits {'beside a log' if log else 'alone'}: of {HEADER_BITS} in the header {len(missing[0])} "
        f"lost anything, of {SCHEMA_BITS} in the schema {len(missing[1])}"
    )
    assert missing == [[], []]


@pytest.fixture
def small_card(tmp_path):
    """A file system of 32 MB, as the partition for games on the oldest cards."""
    if os.geteuid() != 0:
        pytest.skip("needs root to mount a file system")
    image, card = tmp_path / "image", tmp_path / "card"
    card.mkdir()
    with image.open("wb") as file:
        file.truncate(32 << 20)
    subprocess.run(["mke2fs", "-q", "-F", "-t", "ext4", "-m", "0", str(image)], check=True)
    subprocess.run(["mount", "-o", "loop", str(image), str(card)], check=True)
    yield card
    close_all()
    subprocess.run(["umount", str(card)], check=True)


@pytest.mark.parametrize(("rule", "count"), [("classic", 100_000), ("ultimate", 50_000)])
def test_a_small_card_saves_after_ten_damages(small_card, rule, count):
    world, rng = World(small_card / "state"), random.Random(1)
    games = [at_random(rule, rng) for _ in range(100)]
    for first in range(1, count, 5000):
        fill(world.path, [Played(number, None, games[number % 100]) for number in range(first, first + 5000)])
    finish(world.open())
    for won in range(1, 11):
        world.store.close()
        world.harm("UPDATE progress SET elapsed = 9e999")
        store = world.open()
        assert (store.retry_at, store.load().scores.box.first) == (None, won)
        finish(store, won + 1)
        assert world.numbers()[-1] == count + won + 1
        assert len(world.aside()) >= 1
    report(
        f"a card of 32 MB with {count} games of {rule} saved after {won} damages; "
        f"{len(world.aside())} damaged databases were kept beside {world.file.stat().st_size >> 20} MB"
    )
