"""Updates on cards with unexpected folders, files or drivers."""

import sys

import pytest
from imagecard import FILES, GOOD, around, complete, fill, offer, refused, started
from test_update_refused import DAMAGED

from appliance.service import mistake
from appliance.slots import jobs, trial


@pytest.mark.parametrize("before", [False, True])
def test_folders_and_files_in_the_way_block_no_update(box, shown, before):
    if before:
        fill(box.boot / "b", "0.0.9")
        (box.boot / "b" / "x" / "y").mkdir(parents=True)
        (box.boot / "b" / "x" / "y" / "note.txt").write_bytes(b"mine")
        (box.boot / "b" / "slot.json").unlink()
        (box.boot / "b" / "slot.json").mkdir()
        (box.boot / "b" / "root.erofs").unlink()
        (box.boot / "b" / "root.erofs").mkdir()
    else:
        (box.boot / "b").write_bytes(b"a file")
    offer(box, GOOD)
    assert "systemctl reboot" in box.run.calls
    assert complete(box.boot, "b")
    assert sorted(path.name for path in (box.boot / "b").iterdir()) == sorted([*FILES, "slot.json"])


def test_a_folder_in_place_of_an_update_is_refused_once(box, shown):
    (box.boot / "update.bad").mkdir()
    (box.boot / "update.bad/x").write_bytes(b"")
    (box.boot / "update.box").mkdir()
    jobs.update(box)
    assert refused(box) == "update.box: is a folder; copy the update itself to the card"
    jobs.update(box)
    assert len(shown) == 1


@pytest.mark.parametrize("kind", ["missing", "folder", "garbage", "huge"])
def test_an_odd_tryboot_txt_blocks_no_update(box, shown, kind):
    fill(box.boot / "b", "0.2.0")  # it is not rewritten
    file = box.boot / trial.TRYBOOT
    if kind == "folder":
        file.mkdir()
        (file / "note.txt").write_bytes(b"mine")
    elif kind == "garbage":
        file.write_bytes(b"\xff\0" * 999)
    elif kind == "huge":
        with file.open("wb") as opened:
            opened.truncate(1 << 40)  # more than fits in memory
    offer(box, GOOD)
    assert box.run.calls[-1] == "systemctl reboot"
    assert trial.starts(box.boot, "b") == 1
    assert started(box, tryboot=True) == "b"


def test_root_imports_no_driver_that_the_card_names(box, monkeypatch, tmp_path):
    """The daemon may import it: it has no privileges."""
    name = "driver_of_a_card"
    (tmp_path / f"{name}.py").write_text(
        "from luma.core.device import dummy\nclass Mine(dummy):\n    pass\n", "utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    (box.boot / "tictactoe.yaml").write_text(f"display: {{driver: {name}:Mine}}\n")
    offer(box, around(files={**FILES, "root.erofs": FILES["root.erofs"][::-1]}))
    assert refused(box) == DAMAGED
    assert name not in sys.modules
    mistake.show(DAMAGED, box.display(), "no update")
    assert name in sys.modules
    monkeypatch.delitem(sys.modules, name)
