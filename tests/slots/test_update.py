"""What update.box may contain: it is installed, or rejected in one sentence, and the box still plays."""

import errno
import glob
import io
import os
import re
import shutil
from pathlib import Path

import pytest
from imagecard import (
    ARMEL,
    FILES,
    GOOD,
    GOOD_ARMEL,
    SET_FLAG,
    ZERO_S,
    around,
    complete,
    files_of,
    fill,
    make_box,
    offer,
    refused,
    slot_json,
    started,
    tar,
    update_box,
    with_file,
)

from appliance.cli import main
from appliance.core.errors import UserError
from appliance.core.picture.canvas import Frame
from appliance.core.words import words
from appliance.service import mistake
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import Ssd1306
from appliance.slots import jobs, pair, update
from appliance.storage import files

UNITS = Path(__file__).resolve().parents[2] / "image/root/usr/lib/systemd/system"


def test_an_update_is_on_trial_and_in_force_once_the_box_plays(box, shown, capsys):
    offer(box, GOOD)
    assert started(box, tryboot=False) == "a"
    assert box.run.calls[-2:] == [SET_FLAG, "systemctl reboot"]
    assert {text for text, _ in shown} == {words("en")["may_unplug"]}
    assert [shown[0][1], shown[-1][1]] == ["Updating… 0%", "Updating… 100%"]
    assert started(box, tryboot=True) == "b"
    assert complete(box.boot, "b")
    jobs.update(box)
    assert capsys.readouterr().out.endswith("update.box: waits until the trial of the running version ends\n")
    jobs.settle(box)
    assert started(box, tryboot=False) == "b"
    assert not (box.boot / "update.box").exists()
    assert (box.data / "update").read_text() == "version 0.2.0 is installed\n"
    jobs.settle(box)
    assert capsys.readouterr().out.splitlines() == [
        "version 0.2.0 is installed",
        *["version 0.2.0 is active"] * 2,
    ]
    offer(box, update_box("0.3.0"))
    assert started(box, tryboot=True) == "a"
    assert pair.installed(box.boot, "a").version == "0.3.0"


@pytest.mark.parametrize("name", ["update-0.2.0-arm64.box", "UPDATE.BOX", "update-0.2.0~dev0-arm64 (1).box"])
def test_an_update_may_have_more_in_its_name(box, shown, name):
    offer(box, GOOD, name)
    assert started(box, tryboot=True) == "b"
    jobs.settle(box)
    assert started(box, tryboot=False) == "b"
    assert not (box.boot / name).exists()
    offer(box, GOOD_ARMEL, name)
    bad = (box.boot / name).with_suffix(".bad")
    assert bad.exists()
    assert shown[-1][0] == f"{name}: is for armel machines; this box is for arm64"


@pytest.mark.parametrize(
    "name", ["update.box", "UPDATE-0.2.0-ARM64.BOX", "Update-0.2.0~dev0-arm64 (1).Box", "._update.box"]
)
def test_the_units_wake_for_each_update_that_the_program_sees(tmp_path, name):
    (tmp_path / name).touch()
    for unit in ("box-update.service", "box-settled.service", "box-trial.timer"):
        text = (UNITS / unit).read_text()
        [pattern] = re.findall(r"^ConditionPathExistsGlob=/boot/firmware/(.*)$", text, flags=re.MULTILINE)
        # As glob(3), and unlike Path.glob, it leaves out names that begin with a dot.
        assert bool(update.offered(tmp_path)) == bool(glob.glob(pattern, root_dir=tmp_path))  # noqa: PTH207


@pytest.mark.parametrize(
    "beside", ["._update-0.2.0-arm64.box", ".update.box.swp", "update-0.2.0-arm64.box.part"]
)
def test_what_other_programs_leave_beside_an_update_is_none(box, shown, beside):
    """macOS writes ._NAME beside each file that it copies to FAT."""
    (box.boot / beside).write_bytes(b"\0\5\x16\7" + bytes(4092))
    offer(box, GOOD, "update-0.2.0-arm64.box")
    assert started(box, tryboot=True) == "b"


def test_several_updates_are_refused_in_one_sentence(box, shown):
    names = ["update-0.2.0-arm64", "update-0.2.0-armel"]
    (box.boot / f"{names[1]}.box").write_bytes(GOOD_ARMEL)
    offer(box, GOOD, f"{names[0]}.box")
    sentence = f"{names[0]}.box, {names[1]}.box: are several updates; copy only the one for this box"
    assert [refused(box, name) for name in names] == [sentence] * 2
    assert [text for text, _ in shown] == [sentence]


@pytest.fixture
def zero(tmp_path):
    """A box made from the armel image."""
    box = make_box(tmp_path, machine="raspberrypi,model-zero", model="Raspberry Pi Zero Rev 1.3")
    shutil.rmtree(box.boot / "a")
    fill(box.boot / "a", "0.1.0", ZERO_S, **ARMEL)
    return box


def test_a_first_zero_takes_its_own_update_and_refuses_that_for_the_others(zero, shown):
    offer(zero, GOOD)
    assert refused(zero) == "update.box: is for arm64 machines; this box is for armel"
    offer(zero, GOOD_ARMEL)
    assert zero.run.calls[-2:] == [SET_FLAG, "systemctl reboot"]
    assert complete(zero.boot, "b")


def test_a_box_whose_own_slot_json_is_gone_knows_its_machine(zero, shown):
    (zero.boot / "a/slot.json").unlink()
    offer(zero, GOOD)
    assert refused(zero).startswith("update.box: version 0.2.0 does not start on this machine, a Raspberry")


def test_the_way_back_to_an_older_version_is_by_hand_where_there_is_one(box, shown):
    fill(box.boot / "b", "0.0.8")
    offer(box, update_box("0.0.9"))
    assert refused(box).endswith("; to downgrade, write os_prefix=b/ in config.txt")
    (box.boot / "config.txt").write_bytes((box.boot / "config.txt").read_bytes().replace(b"=a/", b"=b/"))
    offer(box, update_box("0.0.8+b1"))
    assert pair.installed(box.boot, "a").version == "0.0.8+b1"


@pytest.mark.parametrize("read_only", [False, True])
def test_the_version_that_is_installed_is_not_installed_again(box, shown, capsys, read_only):
    box.run.read_only = read_only
    offer(box, update_box("0.1.0"))
    assert capsys.readouterr().out == "version 0.1.0 is installed\n"
    assert (box.boot / "update.box").exists() is read_only
    assert (shown, [path.name for path in box.data.iterdir()]) == ([], ["update"])
    changed = {**files_of("0.1.0"), "root.erofs": b"built again"}
    box.run.read_only = False
    offer(box, update_box("0.1.0", changed))
    assert started(box, tryboot=True) == "b"


def test_a_card_without_room_says_how_much_is_needed_and_free(box, shown, monkeypatch):
    fields = {"f_frsize": 32_768, "f_bavail": 3}
    monkeypatch.setattr(os, "statvfs", lambda _: type("Full", (), fields))
    offer(box, GOOD)
    room = "needs 1 MB on the card, and 0 MB are free; remove your own files from it"
    assert refused(box) == f"update.box: {room}"
    fill(box.boot / "b", "0.0.9")
    (box.boot / "b" / "root.erofs").write_bytes(bytes(100_000))  # will be replaced, which makes room
    offer(box, GOOD)
    assert started(box, tryboot=True) == "b"


def refusal(shown):
    """Return the text of the pages that say why there is no update."""
    return " ".join(" ".join(text for text, title in shown if title == "no update").split())


def test_a_card_that_cannot_be_written_is_reported_and_played_from(box, shown):
    box.run.read_only = True
    offer(box, GOOD)
    reason = "/boot/firmware: cannot remount read-write, is write-protected"
    sentence = f"update.box: cannot be installed ({reason}); if that happens again, replace the card"
    assert refusal(shown) == sentence, "on two pages"
    assert (box.boot / "update.box").exists()
    assert not (box.boot / "b").exists()


@pytest.mark.parametrize(
    ("step", "reason"), [("store", "Input/output error"), ("sync", "Input/output error"), (None, "b/")]
)
def test_a_write_error_leaves_the_slot_in_force(box, shown, monkeypatch, step, reason):
    def fail(*_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    if step:
        monkeypatch.setattr(files, step, fail)
    else:  # the card stores something other than was written
        drop = lambda file, *_: Path(f"/proc/self/fd/{file}").write_bytes(b"other")  # noqa: E731
        monkeypatch.setattr(os, "posix_fadvise", drop)
    if step:
        monkeypatch.setattr(files, "replace", lambda *_: None)
    offer(box, GOOD)
    assert pair.in_force(box.boot) == "a"
    assert complete(box.boot, "a")
    assert f"cannot be installed ({reason}" in refusal(shown)
    assert (box.boot / "update.bad").exists()


def test_a_broken_config_txt_or_data_partition_is_named(box, shown):
    (box.boot / "update.box").write_bytes(GOOD)
    (box.boot / "config.txt").write_text("os_prefix=c/\n")
    jobs.update(box)
    assert shown[-1][0] == "config.txt: expected a line os_prefix=a/ or os_prefix=b/"
    (box.boot / "config.txt").unlink()
    with pytest.raises(UserError, match=r"^config\.txt: cannot be read: No such file or directory$"):
        pair.in_force(box.boot)


def test_an_update_is_read_in_pieces(box, shown, monkeypatch):
    """An update may be large, and a Pi Zero 2 has 512 MB."""
    sizes, real = [], Path.open

    class Watched(io.FileIO):
        def read(self, size=-1):
            sizes.append(size)
            return super().read(size)

    def opened(path, mode="r", *rest, **more):
        return Watched(path) if path.name == "update.box" else real(path, mode, *rest, **more)

    monkeypatch.setattr(Path, "open", opened)
    second = tar([("slot.json", slot_json("0.2.0", FILES)), *FILES.items(), ("slot.json", bytes(5_000_000))])
    for content, accepted in ((second, False), (with_file("more", bytes(5_000_000)), True)):
        (box.boot / "new").write_bytes(content)
        (box.boot / "new").rename(box.boot / "update.box")
        jobs.update(box)
        assert ("systemctl reboot" in box.run.calls) == accepted
        assert 0 <= min(sizes) <= max(sizes) <= 1024**2
    assert sum(sizes) < 20_000_000


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_display_says_that_the_box_is_updated_and_why_not(box, monkeypatch, language):
    bus, chip = SimulatedBus(), Ssd1306()
    bus.attach(0x3C, chip)
    monkeypatch.setattr("appliance.devices.panel.open_smbus", lambda _port: bus)
    (box.boot / "tictactoe.yaml").write_text(f"language: {language}\ngame: {{level: hrad}}\n")
    real, pages = mistake.show, []

    def show(*arguments):
        real(*arguments)
        pages.append((arguments[2], chip.picture()))

    monkeypatch.setattr(mistake, "show", show)
    offer(box, around(files={**FILES, "root.erofs": FILES["root.erofs"][::-1]}))
    titles = [title for title, _ in pages]
    begun = words(language)["updating"].format(percent=0)
    assert (titles[0], titles[-1]) == (begun, "no update")
    assert len({Frame.blank(128, 64), *(picture for _, picture in pages)}) == len(pages) + 1


@pytest.mark.parametrize(("counts", "percents"), [
    ([], [0]),
    ([1] * 1000, range(0, 101, 5)),
    ([49, 1, 1], [0, 5]),
    ([999, 1], [0, 95, 100]),
])  # fmt: skip
def test_the_display_shows_every_five_per_cent_how_far_an_update_is(box, shown, counts, percents):
    step = jobs._progress(box.display(), 1000)
    for count in counts:
        step(count)
    assert [title for _, title in shown] == [f"Updating… {percent}%" for percent in percents]


def test_each_byte_of_an_update_counts_as_often_as_it_was_announced(box, shown, monkeypatch):
    totals, real = [], jobs._progress

    def watched(config, total):
        step = real(config, total)
        return lambda count: totals.append((count, total)) or step(count)

    monkeypatch.setattr(jobs, "_progress", watched)
    offer(box, GOOD)
    assert sum(count for count, _ in totals) == totals[0][1] == 3 * sum(map(len, FILES.values()))


def test_a_display_that_does_not_answer_is_tried_once_and_the_update_is_installed(box, monkeypatch):
    tries = []

    def open_smbus(_port):
        tries.append(1)
        raise OSError(errno.ENXIO, "No such device or address")

    monkeypatch.setattr("appliance.devices.panel.open_smbus", open_smbus)
    offer(box, GOOD)
    assert len(tries) == 1
    assert complete(box.boot, "b")


def test_by_hand(box, capsys, monkeypatch):
    where = ["--boot", str(box.boot), "--data", str(box.data)]
    assert main(["image", "update", *where]) == 0
    assert capsys.readouterr().out == f"{box.boot}: there is no update\n"
    assert main(["image", "settle", *where]) == 0
    assert capsys.readouterr().out == "version 0.1.0 is active\n"
    (box.boot / "a" / "slot.json").unlink()
    assert main(["image", "settle", *where]) == 0
    assert capsys.readouterr().out == "version unknown is active\n"
    (box.boot / "config.txt").write_text("")
    assert main(["image", "settle", *where]) == 2
    assert capsys.readouterr().err.startswith("tictactoe: config.txt: expected a line")
