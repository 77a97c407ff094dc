"""What belongs to another user: each command ends with one sentence that names the remedy."""

import os
import tempfile
from pathlib import Path

import pytest
from bootcard import make_card
from store_world import GAME, fill, numbered

from appliance.cli import main

NOBODY = 65534
CHOWN = f"run: sudo chown -R {NOBODY}:{os.getegid()} box"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become somebody else")
@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(("file", "owner", "mode", "command", "remedy"), [
    ("box", 0, 0o755, "reset --yes --state box", CHOWN),
    ("box", 0, 0o700, "stats --state box", CHOWN),
    ("box/*.db", 0, 0o600, "export --state box", CHOWN),
    ("box/*.db-wal", 0, 0o600, "stats --state box", CHOWN),
    ("box", 12_345, 0o700, "stats --state box", "try again with sudo"),  # the service's, which needs it
    (".", 0, 0o700, "stats --state box", "choose another directory with --state"),
    ("box.yaml", 0, 0o600, "config check box.yaml", "check its name and who may read it"),
    ("card", 0, 0o700, "boot check card", "run this with sudo"),
    ("card/config.txt", 0, 0o600, "boot check card", "run this with sudo"),
    (".", 0, 0o755, "boot prepare card", "run this with sudo"),
    (".", 0, 0o755, "lesson (1,2)", "choose another file with --output"),
])  # fmt: skip
def test_what_may_not_be_used_is_refused_with_the_remedy(
    file, owner, mode, command, remedy, monkeypatch, capsys
):
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.chdir(folder)
        fill(Path("box"), numbered([GAME]))
        for name in ("tictactoe.db-wal", "tictactoe-2.db-wal"):
            Path("box", name).write_bytes(bytes(32))
        Path("box.yaml").write_text("")
        make_card(Path("card"))
        for path in (Path(), *Path().rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        os.chown("card", 0, 0)
        for path in [Path()] if file == "." else Path().glob(file):
            os.chown(path, owner, owner)
            path.chmod(mode)
        os.seteuid(NOBODY)
        try:
            status = main(command.split())
        finally:
            os.seteuid(0)
    out, err = capsys.readouterr()
    assert (status, err.count("\n")) == (2, 1), out + err
    assert remedy in err
