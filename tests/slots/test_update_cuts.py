"""The power fails at any point of an update: the firmware starts a complete slot, and the update resumes."""

import random
import shutil
import tempfile
from pathlib import Path

import pytest
from imagecard import SET_FLAG, PowerCut, System, complete, fill, make_box, started, stopped, update_box
from store_world import MEMORY

from appliance.service import mistake
from appliance.slots import jobs, pair, trial, update
from appliance.slots.box import Box


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    """Many writes, and no display."""
    monkeypatch.setattr(update, "_CHUNK", 1000)
    monkeypatch.setattr(mistake, "show", lambda *_: None)


@pytest.fixture
def memory():
    with tempfile.TemporaryDirectory(dir=MEMORY) as directory:
        yield Path(directory)


def prepare(root, before):
    box = make_box(root)
    (box.boot / "update.box").write_bytes(update_box())
    if before:
        fill(box.boot / "b", "0.0.9")
        (box.data / "failed").write_text("b its root.erofs cannot be read\n")
    return box


def found(card, seed, root):
    """Return the box with a card as the cut may have left it."""
    card.after_a_cut(random.Random(seed), root)
    return Box(root / "boot", root / "data", System(), lambda _: None, root / "tree")


def completed(box):
    return (
        pair.in_force(box.boot) == "b"
        and pair.installed(box.boot, "b").version == "0.2.0"
        and complete(box.boot, "b")
        and complete(box.boot, "a")
        and not (box.boot / "update.box").exists()
    )


def sound(box):
    """Return whether each slot that counts as installed is complete."""
    return all(complete(box.boot, one) or pair.installed(box.boot, one) is None for one in "ab")


@pytest.mark.parametrize("before", [False, True])
def test_a_cut_at_any_effect_leaves_the_old_version_and_an_update_that_goes_on(memory, before):
    done, limit = False, 0
    while not done:
        shutil.rmtree(memory / "cut", ignore_errors=True)
        card, done = stopped(prepare(memory / "cut", before), limit, jobs.update)
        for seed in range(3):
            box = found(card, 3 * limit + seed, memory / "found")
            assert started(box, tryboot=False) == "a", limit
            assert complete(box.boot, "a"), limit
            assert sound(box), limit
            assert (box.boot / "update.box").read_bytes() == update_box(), limit
            jobs.update(box)
            assert box.run.calls[-2:] == [SET_FLAG, "systemctl reboot"]
            assert started(box, tryboot=True) == "b", limit
            jobs.update(box)  # only the active slot has ever started
            assert complete(box.boot, "a")
            jobs.settle(box)
            assert completed(box), limit
        limit += 1
    assert limit > 30


def test_a_cut_at_any_effect_of_settling_leaves_a_whole_slot(memory):
    outcomes, done, limit = set(), False, 0
    while not done:
        shutil.rmtree(memory / "cut", ignore_errors=True)
        box = prepare(memory / "cut", before=True)
        jobs.update(box)
        assert started(box, tryboot=True) == "b"
        card, done = stopped(box, limit, jobs.settle)
        for seed in range(9):
            box = found(card, 9 * limit + seed, memory / "found")
            letter = started(box, tryboot=False)
            outcomes.add((letter, (box.boot / "update.box").exists()))
            assert complete(box.boot, letter), limit
            assert sound(box), limit
            if (box.boot / "update.box").exists():
                jobs.update(box)
            if letter == "a":
                assert started(box, tryboot=True) == "b", limit
                jobs.settle(box)
            assert completed(box), limit
        limit += 1
    assert outcomes == {("a", True), ("b", True), ("b", False)}


def test_a_cut_never_frees_an_update_from_being_counted(memory):
    """The flag is set after the count is on the card: otherwise an update that hangs is retried forever."""
    box = prepare(memory / "cut", before=False)
    for count in range(trial.STARTS):

        def cut(*words, run=box.run):
            if words[0] == "busybox":
                raise PowerCut
            return run(*words)

        card, done = stopped(box._replace(run=cut), 10_000, jobs.update)
        assert not done
        box = found(card, count, memory / f"found{count}")
        assert trial.starts(box.boot, "b") == count + 1
    jobs.update(box)
    assert (box.boot / "update.bad").exists()


def test_an_update_writes_one_byte_of_config_txt_and_nothing_of_the_slot_in_force(tmp_path):
    box = prepare(tmp_path, before=True)
    before = (box.boot / "config.txt").read_bytes()
    inode = (box.boot / "config.txt").stat().st_ino
    jobs.update(box)
    assert (box.boot / "config.txt").read_bytes() == before
    started(box, tryboot=True)
    jobs.settle(box)
    assert completed(box)
    assert (box.boot / "config.txt").read_bytes() == before.replace(b"os_prefix=a/", b"os_prefix=b/")
    assert (box.boot / "config.txt").stat().st_ino == inode
    assert not (box.data / "failed").exists()
    remount = ["mount -o remount,rw", "mount -o remount,ro"]
    assert box.run.calls == [*remount, *remount, SET_FLAG, "systemctl reboot", *remount, *remount]
