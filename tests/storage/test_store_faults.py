"""The store under harm: files cut short, a disk that is full, calls that fail, and SIGKILL at any moment.

Whatever happens, what is found afterwards is the state before the move or the state after it, never another.
The slow and complete forms of these tests are in `power_cuts.py`.
"""

import random
import resource
import shutil

import pytest
from power_tools import found_in, kill_at_random
from store_world import World, as_picture, laid_out

from appliance.storage import database
from appliance.storage.copies import both
from appliance.storage.database import NAME


@pytest.mark.parametrize("which", [0, 1])
def test_a_database_cut_short_at_any_length_is_read_from_the_other_copy(memory, which):
    world = World(memory / "complete")
    world.drive(random.Random(5), 60)
    last = world.look()[0]
    files, name = world.files(), both(world.file)[which].name
    data = files[name]
    about_pages = {page + offset for page in range(2048, len(data) - 1, 2048) for offset in (-1, 0, 1)}
    for length in sorted({*range(0, 101, 25), *range(0, len(data), 509), *about_pages, len(data)}):
        one = laid_out(memory / "short", {**files, name: data[:length]})
        assert found_in(one.path, damaged=True) == last
        assert name in one.files()


def test_a_log_cut_short_at_any_length_gives_an_earlier_state(memory):
    world = World(memory / "complete")
    steps = world.drive(random.Random(5), 25)
    data, log = world.file.read_bytes(), world.log.read_bytes()
    used = len(log.rstrip(b"\0"))
    used += -(used - 32) % (512 + 24)  # a frame may end with zeros of its own
    world.store.cut()
    pictures, newest = [None, *steps], 0
    frames = {32 + at + offset for at in range(0, used, 2 * (512 + 24)) for offset in (-1, 0, 24)}
    for length in sorted({0, 1, 31, *frames, used}):
        store = laid_out(memory / "short", {NAME: data, f"{NAME}-wal": log[:length]}).open()
        found = as_picture(store)
        assert found in pictures[newest:]
        newest = pictures.index(found, newest)  # a longer log never gives an older state
        store.cut()
    assert found == steps[-1]


def test_a_disk_full_at_any_length_keeps_the_move_before_or_after_and_heals(memory, monkeypatch):
    monkeypatch.setattr(database, "LOG_FRAMES", 8)
    faults, (soft, hard) = 0, resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in [*range(0, 4500, 501), *range(4500, 9000, 1201), 32_767, 40_000]:
        world = World(memory / str(limit))
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))  # a longer write is cut short, or fails
        try:
            steps = world.drive(random.Random(limit), 1)
            while not (fault := world.store.retry_at is not None) and len(steps) < 20:
                steps += world.drive_on(1)
            faults += fault
            store = world.copied(memory / f"{limit}copy").open()
            assert as_picture(store) in [*steps[-1 - fault :], *[None] * (len(steps) < 2)]
            store.cut()
            steps += world.drive_on(6)  # on in memory
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        steps += world.drive_on(6)  # and now there is room
        assert world.look()[0] == steps[-1]
        assert len(world.played()) == steps[-1]["games"]
    assert faults > 8


@pytest.mark.parametrize("gone", ["database", "log", "directory"])
def test_files_that_are_taken_away_are_made_again(memory, gone):
    world = World(memory / "box")
    world.drive(random.Random(6), 10)
    if gone == "directory":
        shutil.rmtree(world.path)
    else:
        (world.file if gone == "database" else world.log).unlink()
    steps = world.drive_on(10)
    world.rest()
    assert world.conditions() == [("damaged", True)] * (gone != "directory")
    assert world.look()[0] == steps[-1]


def test_sigkill_at_random_moments_loses_nothing_that_was_shown(memory):
    moves = sum(kill_at_random(memory / "box", seed, longest=0.25) for seed in range(4))
    assert moves > 20
