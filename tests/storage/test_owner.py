"""Whatever a user puts into a folder leads root nowhere that this user cannot go."""

import os
import shlex
import tempfile
from pathlib import Path

import pytest
from store_world import fill, numbered

from appliance.cli import main
from appliance.commands import stats
from appliance.core.session.match import Finished
from appliance.storage import owner
from appliance.storage.owner import as_owner, read_as_owner

THEM = 65534
WON = Finished("classic", "hard", 1, "x", (0, 3, 1, 4, 2), "x", 9.0)
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become somebody else")


@pytest.fixture
def theirs():
    """A folder of another user's, which every user may enter; beside it a file that only root may read."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o755)
        secret = place / "secret"
        secret.write_bytes(b"root's")
        secret.chmod(0o640)
        folder = place / "box"
        folder.mkdir()
        os.chown(folder, THEM, THEM)
        yield folder


@AS_ROOT
def test_in_the_block_root_is_the_folder_s_owner_and_of_no_group_of_its_own(theirs):
    before = os.geteuid(), os.getegid(), os.getgroups()
    with as_owner(theirs):
        assert (os.geteuid(), os.getegid(), os.getgroups()) == (THEM, THEM, [])
        with pytest.raises(PermissionError):
            theirs.with_name("secret").read_bytes()
        (theirs / "made").touch()
    assert (theirs / "made").stat().st_uid == THEM
    assert (os.geteuid(), os.getegid(), os.getgroups()) == before


@AS_ROOT
def test_root_s_own_folder_needs_no_other_rights(tmp_path, monkeypatch):
    """A sandbox may forbid to change them."""
    monkeypatch.setattr(owner.os, "setgroups", lambda _: pytest.fail("not needed"))
    with as_owner(tmp_path):
        assert os.geteuid() == 0


def test_without_a_folder_there_is_no_owner(tmp_path):
    with as_owner(tmp_path / "absent"):
        assert os.geteuid() == os.getuid()


def test_without_root_nothing_changes(tmp_path, monkeypatch):
    monkeypatch.setattr(owner.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(owner.os, "seteuid", lambda _: pytest.fail("not root"))
    with as_owner(tmp_path):
        pass


def test_a_pipe_and_a_long_file_keep_nobody_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "long").write_bytes(bytes(100))
    assert read_as_owner(tmp_path / "pipe", 10) == b""
    assert read_as_owner(tmp_path / "long", 10) == bytes(10)


@AS_ROOT
def test_a_file_is_read_with_its_owner_s_rights(theirs):
    (theirs / "link").symlink_to("../secret")
    with pytest.raises(PermissionError):
        read_as_owner(theirs / "link", 10)


COMMANDS = [
    "stats", "stats --html page.html", "export", "review", "transcript --from history", "reset --yes",
]  # fmt: skip


@AS_ROOT
@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("whose", "status"), [(THEM, 0), (0, 2)])
def test_root_s_commands_do_in_the_folder_what_its_owner_may(
    theirs, command, whose, status, monkeypatch, capsys
):
    monkeypatch.chdir(theirs.parent)
    fill(theirs, numbered([WON]))
    for path in theirs.iterdir():
        path.chmod(0o600)
        os.chown(path, whose, whose)
    assert main(shlex.split(f"{command} --state box")) == status, capsys.readouterr()
    assert {path.stat().st_uid for path in theirs.iterdir()} <= {whose}
    assert all(path.stat().st_uid == 0 for path in Path().glob("page.html")), "that is root's"


@AS_ROOT
def test_the_page_s_texts_are_read_as_root(theirs, monkeypatch):
    """The owner may not enter a checkout in root's home."""
    monkeypatch.chdir(theirs.parent)
    fill(theirs, numbered([WON]))
    for path in theirs.iterdir():
        os.chown(path, THEM, THEM)
    users, speech = [], stats.speech
    monkeypatch.setattr(stats, "speech", lambda *language: users.append(os.geteuid()) or speech(*language))
    assert main(["stats", "--html", "--state", "box"]) == 0
    assert users == [0]
