"""The power fails at any moment of an update: the card starts, and the update is completed."""

import random
import shutil
import tempfile
from pathlib import Path

import pytest
from imagecard import CutCard, PowerCut, System, complete, fill, make_box, update_box
from store_world import MEMORY

from appliance.card import slots, update
from appliance.commands import image
from appliance.service import mistake


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
        (box.data / "failed").write_text("b it did not start three times\n")
    return box


def stopped(root, limit, before):
    """Update a card, with a power cut after so many effects; return the card, and whether there was none."""
    box = prepare(root, before)
    with pytest.MonkeyPatch.context() as patch:
        card = CutCard(root, patch, limit)
        try:
            image.update(box)
        except PowerCut:
            return card, False
    return card, True


def completed(box):
    return (
        slots.in_force(box.boot) == "b"
        and slots.installed(box.boot, "b").version == "0.2.0"
        and complete(box.boot, "b")
        and complete(box.boot, "a")
        and not (box.boot / "update.box").exists()
    )


@pytest.mark.parametrize("before", [False, True])
def test_a_cut_at_any_effect_leaves_a_card_that_starts_and_an_update_that_goes_on(memory, before):
    outcomes, done, limit = set(), False, 0
    while not done:
        shutil.rmtree(memory / "cut", ignore_errors=True)
        card, done = stopped(memory / "cut", limit, before)
        for seed in range(3):
            root = memory / "found"
            card.after_a_cut(random.Random(3 * limit + seed), root)
            box = image.Box(root / "boot", root / "data", System(), lambda _: None, root / "tree")
            letter = slots.in_force(box.boot)
            there = (box.boot / "update.box").exists()
            outcomes.add((letter, there))
            assert complete(box.boot, letter), limit
            for one in "ab":  # nobody is advised to go back to an incomplete slot
                assert complete(box.boot, one) or slots.installed(box.boot, one) is None, limit
            if letter == "b":
                assert (box.data / "trial").read_text() == "b\n", limit
                image.update(box)  # while it is on trial, the only slot that has ever started is not touched
                assert complete(box.boot, "a")
                image.settle(box)
            else:
                assert (box.boot / "update.box").read_bytes() == update_box(), limit
            image.update(box)
            assert completed(box), limit
            assert ("systemctl reboot" in box.run.calls) == (letter == "a")
        limit += 1
    assert limit > 40
    assert outcomes == {("a", True), ("b", True), ("b", False)}


def test_an_update_writes_one_byte_of_config_txt_and_nothing_of_the_slot_in_force(tmp_path):
    box = prepare(tmp_path, before=True)
    before = (box.boot / "config.txt").read_bytes()
    inode = (box.boot / "config.txt").stat().st_ino
    image.update(box)
    assert completed(box)
    assert (box.boot / "config.txt").read_bytes() == before.replace(b"os_prefix=a/", b"os_prefix=b/")
    assert (box.boot / "config.txt").stat().st_ino == inode
    assert not (box.data / "failed").exists()
    remount = ["mount -o remount,rw", "mount -o remount,ro"]
    assert box.run.calls == [*remount, *remount, "systemctl reboot"]
