"""`tictactoe image games`: games.csv and games.html on the boot partition, whatever the card does."""

import errno
import os
import random
import shutil
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from imagecard import System, make_box, stopped
from page_reader import check
from store_world import GAME, MEMORY, World, close_all, fill, numbered

from appliance.cli import main
from appliance.commands import image
from appliance.games.page import contents
from appliance.slots.box import Box
from appliance.slots.publish import publish
from appliance.storage.copies import Copies, both
from appliance.storage.database import NAME
from appliance.storage.history import History
from appliance.storage.owner import as_owner
from appliance.storage.rows import pack_game

REMOUNTS = ["mount -o remount,rw", "mount -o remount,ro"]
NAMES = ["games.csv", "games.html"]
WON = GAME._replace(moves=(0, 3, 1, 4, 2))
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become somebody else")


@pytest.fixture
def played(box, monkeypatch):
    """A box with games."""
    fill(box.data / "tictactoe", numbered([WON, GAME._replace(players=2)]))
    monkeypatch.setattr(image.Box, "__new__", lambda _cls, *_: box)
    yield box
    close_all()


def add_game(box):
    fill(box.data / "tictactoe", numbered([WON]))


def on_card(box):
    return {path.name: path.read_bytes() for path in box.boot.iterdir() if path.name.startswith("games")}


def test_both_files_are_written_once_for_each_game(played):
    assert main(["image", "games"]) == 0
    assert on_card(played) == contents(History(played.data / "tictactoe"), "en")
    check(on_card(played)["games.html"].decode(), played.data / "tictactoe" / NAME)
    assert played.run.calls == REMOUNTS
    assert main(["image", "games"]) == 0
    assert played.run.calls == REMOUNTS  # nothing is new, so nothing is written
    add_game(played)
    assert main(["image", "games"]) == 0
    assert played.run.calls == 2 * REMOUNTS
    assert on_card(played)["games.csv"].count(b"\n") == 4


def test_before_the_first_game_and_after_a_lost_history_nothing_is_written(played):
    (played.boot / "games.html").write_bytes(b"earlier games")
    for file in (played.data / "tictactoe").iterdir():
        file.unlink()
    assert main(["image", "games"]) == 0
    assert (on_card(played), played.run.calls) == ({"games.html": b"earlier games"}, [])


def is_read_only(played, _patch):
    played.run.read_only = True


def is_full(_played, patch):
    found = os.statvfs("/")
    patch.setattr(os, "statvfs", lambda _: os.statvfs_result([*found[:4], 100, *found[5:]]))


def fills_up(_played, patch):
    def store(path, _chunks):
        path.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    patch.setattr("appliance.storage.files.store", store)


def has_a_folder_there(played, _patch):
    (played.boot / "games.csv").unlink()
    (played.boot / "games.csv").mkdir()


@pytest.mark.parametrize(("card", "reason"), [
    (is_read_only, "/boot/firmware: cannot remount read-write, is write-protected"),
    (is_full, "No space left on device"),
    (fills_up, "No space left on device"),
    (has_a_folder_there, "Is a directory"),
])  # fmt: skip
def test_a_card_that_takes_no_files_keeps_the_old_ones(played, monkeypatch, capsys, card, reason):
    """One line in the journal, and no failed unit."""
    main(["image", "games"])
    add_game(played)
    card(played, monkeypatch)
    before = {path: path.is_dir() or path.read_bytes() for path in played.boot.iterdir()}
    assert main(["image", "games"]) == 0
    assert capsys.readouterr() == (f"games.csv and games.html cannot be written: {reason}\n", "")
    assert {path: path.is_dir() or path.read_bytes() for path in played.boot.iterdir()} == before
    if card is fills_up:
        assert played.run.calls[-1:] == REMOUNTS[1:]


def test_a_damaged_game_is_named_once(played, capsys):
    World(played.data / "tictactoe").harm("UPDATE game SET result = 'z' WHERE id = 2", copies=2)
    assert main(["image", "games"]) == 0
    assert capsys.readouterr().out.count("is damaged") == 1
    assert on_card(played)["games.csv"].count(b"\n") == 2


def test_a_box_without_a_data_partition_gets_a_sentence(played, capsys):
    shutil.rmtree(played.data / "tictactoe")
    assert main(["image", "games"]) == 2
    assert "image games: No such file or directory; run it as root" in capsys.readouterr().err


def test_the_replaced_file_stays_open_until_its_name_is_durable(played, monkeypatch):
    """Linux frees its sectors at the last close: FAT has no journal that would put that into order."""
    main(["image", "games"])
    add_game(played)
    old = {path.stat().st_ino for path in played.boot.glob("games.*")}
    held, real = [], os.fsync

    def fsync(handle):
        if Path(f"/proc/self/fd/{handle}").resolve() == played.boot.resolve():
            now = {path.stat().st_ino for path in Path("/proc/self/fd").iterdir() if path.exists()}
            held.append(len(old & now))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    main(["image", "games"])
    assert held == [1, 1]


def test_a_cut_leaves_the_old_files_or_the_new_and_the_next_start_cleans_up():
    old = {name: f"old {name}\n".encode() * 300 for name in NAMES}
    new = {name: f"new {name}\n".encode() * 400 for name in NAMES}
    seen = set()
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        for limit in range(100):
            root = Path(folder) / str(limit)
            box = make_box(root / "card")
            publish(box, old)
            card, finished = stopped(box, limit, lambda box: publish(box, new))
            for seed in range(12):
                card.after_a_cut(random.Random(seed), root / "found")
                after = Box(root / "found/boot", root / "found/data", System(), lambda _: None)
                found = on_card(after)
                for name in NAMES:
                    assert found.pop(name) in (old[name], new[name])
                seen |= found.keys()
                publish(after, new)
                assert on_card(after) == new
            if finished:
                break
    assert seen == {f"{name}.tictactoe-new" for name in NAMES}  # there was something to clean up


@pytest.fixture
def open_to_all(loaded, monkeypatch):
    """A box with games, in folders that every user may enter."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        box = make_box(Path(folder) / "card")
        fill(box.data / "tictactoe", numbered([WON, WON]))
        monkeypatch.setattr(image.Box, "__new__", lambda _cls, *_: box)
        yield box
        close_all()


@AS_ROOT
@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_link_of_the_service_s_user_leads_root_nowhere(open_to_all, link):
    folder = open_to_all.data / "tictactoe"
    secret = open_to_all.data / "secret.db"
    (folder / NAME).rename(secret)
    secret.chmod(0o600)
    os.chown(folder, 65534, 65534)
    for file in both(folder / NAME):
        file.unlink(missing_ok=True)
        link(secret, file)
    assert main(["image", "games"]) == 2
    with as_owner(folder), pytest.raises(PermissionError):
        secret.read_bytes()
    assert (os.geteuid(), os.getegid()) == (0, 0)
    assert on_card(open_to_all) == {}


@AS_ROOT
def test_what_sqlite_makes_belongs_to_the_service_s_user(open_to_all):
    """A log without its index, as a crash leaves it."""
    folder = open_to_all.data / "tictactoe"
    with closing(Copies(folder / NAME)) as daemon:
        daemon.write(None, [pack_game(numbered([WON])[0])], ())
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name, content in files.items():
        (folder / name).write_bytes(content)
        os.chown(folder / name, 65534, 65534)
    os.chown(folder, 65534, 65534)
    (folder / f"{NAME}-shm").unlink()
    assert main(["image", "games"]) == 0
    assert {path.stat().st_uid for path in folder.iterdir()} == {65534}
    assert on_card(open_to_all)["games.csv"].count(b"\n") == 4
    Copies(folder / NAME).close()
