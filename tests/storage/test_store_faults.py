"""The store under harm: files cut short, a disk that is full, calls that fail, and SIGKILL at any moment.

Whatever happens, what is found afterwards is the state before the move or the state after it, never another.
The slow and complete forms of these tests are in `power_cuts.py`.
"""

import os
import random
import resource
import shutil
import tempfile
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from power_tools import allowed_after, expected_steps, kill_at_random
from store_world import MEMORY, World, as_picture, close_all

from appliance.storage import database


@pytest.fixture
def home():
    with tempfile.TemporaryDirectory(dir=MEMORY) as path:
        yield Path(path)
    close_all()


@contextmanager
def no_file_longer_than(limit):
    """A disk that is full: a write beyond `limit` bytes is cut short, or fails."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def lengths(size, every):
    """Return lengths to cut a file of `size` bytes to: all short ones, those about pages, and a sample."""
    about_pages = {page + offset for page in range(0, size, 2048) for offset in (-1, 0, 1)}
    some = {*range(0, 101, 9), *range(0, size, every), *about_pages, size}
    return sorted(length for length in some if 0 <= length <= size)


def test_a_database_cut_short_at_any_length_is_whole_or_set_aside(home):
    world = World(home / "whole")
    world.drive(random.Random(5), 60)
    last = world.stop()
    whole = world.file.read_bytes()
    for length in lengths(len(whole), 61):
        one = World(home / str(length))
        one.path.mkdir()
        one.file.write_bytes(whole[:length])
        store = one.open()
        found = as_picture(store)
        if length == len(whole):
            assert found == last
        else:
            assert found is None or found["rule"] == last["rule"]  # what can be read is recovered
            assert bool(length) == bool(one.aside())
        store.cut()
        shutil.rmtree(one.path)


def test_a_log_cut_short_at_any_length_gives_an_earlier_state(home):
    world = World(home / "whole")
    steps = world.drive(random.Random(5), 25)
    data, log = world.file.read_bytes(), world.log.read_bytes()
    used = len(log.rstrip(b"\0"))
    used += -(used - 32) % (512 + 24)  # a frame may end with zeros of its own
    world.store.cut()
    pictures = [None, *steps]
    newest = 0
    for length in lengths(used, 11):
        one = World(home / str(length))
        one.path.mkdir()
        one.file.write_bytes(data)
        one.log.write_bytes(log[:length])
        store = one.open()
        found = as_picture(store)
        assert found in pictures[newest:]
        newest = pictures.index(found, newest)  # a longer log never tells less
        store.cut()
        shutil.rmtree(one.path)
    assert found == steps[-1]


def test_a_disk_full_at_any_length_keeps_the_move_before_or_after_and_heals(home, monkeypatch):
    monkeypatch.setattr(database, "LOG_FRAMES", 8)
    faults = 0
    for limit in [*range(0, 4500, 167), *range(4500, 9000, 599), 32_767, 40_000]:
        world = World(home / str(limit))
        with no_file_longer_than(limit):
            steps = world.drive(random.Random(limit), 30, stop_at_fault=True)
            fault = world.store.due() is not None
            faults += fault
            copy = world.copied(home / "copy")
        store = copy.open()
        assert as_picture(store) in allowed_after(steps, fault=fault)
        store.cut()
        shutil.rmtree(copy.path)
        with no_file_longer_than(limit):
            steps += world.drive_on(10)  # on in memory
        steps += world.drive_on(10)  # and now there is room
        assert world.stop() == steps[-1]
        assert len(world.played()) == steps[-1]["games"]
        shutil.rmtree(world.path)
    assert faults > 20


@pytest.mark.parametrize("call", ["fsync", "open"])
def test_each_call_of_our_own_may_fail(home, monkeypatch, call):
    monkeypatch.setattr(database, "LOG_FRAMES", 8)
    real, number, failed = getattr(os, call), 0, True
    while failed:
        number += 1
        failed, calls = False, 0

        def failing(*args, number=number, **kwargs):
            nonlocal failed, calls
            calls += 1
            if calls == number:
                failed = True
                raise OSError(5, "Input/output error")
            return real(*args, **kwargs)

        world = World(home / f"{call}{number}")
        with monkeypatch.context() as patch:
            patch.setattr(os, call, failing)
            steps = world.drive(random.Random(number), 12, stop_at_fault=True)
        fault = world.store.due() is not None
        copy = world.copied(home / f"{call}{number}copy")
        store = copy.open()
        assert as_picture(store) in allowed_after(steps, fault=fault)
        store.cut()
        steps += world.drive_on(12)
        assert world.stop() == steps[-1]
        assert len(world.played()) == steps[-1]["games"]
    assert number > 1


@pytest.mark.parametrize("gone", ["database", "log", "directory"])
def test_files_that_are_taken_away_are_made_again(home, gone):
    world = World(home / "box")
    world.drive(random.Random(6), 10)
    if gone == "directory":
        shutil.rmtree(world.path)
    else:
        (world.file if gone == "database" else world.log).unlink()
    steps = world.drive_on(10)
    damaged = [("damaged", True)] if gone == "database" else []  # a log without its database
    assert world.conditions() == [("unsaved", True), *damaged, ("unsaved", False)]
    assert world.stop() == steps[-1]


def test_another_programs_file_in_the_place_is_left_alone_while_the_box_plays(home):
    world = World(home / "box")
    world.drive(random.Random(6), 10)
    shutil.rmtree(world.path)
    world.file.mkdir(parents=True)
    steps = world.drive_on(10)
    assert world.file.is_dir()
    assert world.conditions() == [("unsaved", True)]
    world.file.rmdir()
    steps += world.drive_on(10)
    assert world.conditions() == [("unsaved", True), ("unsaved", False)]
    assert world.stop() == steps[-1]


@pytest.mark.untraced
def test_sigkill_at_random_moments_loses_nothing_that_was_shown(home):
    moves = sum(kill_at_random(home / "box", seed, longest=0.25) for seed in range(8))
    assert moves > 200


def test_the_player_does_all_that_changes_what_is_kept(home):
    """The tests above are worth what their player does."""
    steps = expected_steps(None, 0, random.Random(11), 3000)
    assert {step["rule"] for step in steps} == {"classic", "misere", "vanishing"}
    assert {step["settings"]["players"] for step in steps} == {0, 1, 2}
    assert {step["settings"]["turned"] for step in steps} == {False, True}
    assert any(len(after["moves"]) < len(before["moves"]) for before, after in pairwise(steps))
    assert steps[-1]["games"] > 100
