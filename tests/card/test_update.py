"""What update.box may be: installed, or refused in one sentence, and the box plays on."""

import errno
import io
import json
import os
import tarfile
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from imagecard import SET_FLAG, complete, files_of, fill, make_box, slot_json, started, tar, update_box
from store_world import MEMORY

from appliance.card import slots, update
from appliance.cli import main
from appliance.commands import image
from appliance.core.canvas import Frame
from appliance.core.errors import UserError
from appliance.core.words import words
from appliance.service import mistake
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import Ssd1306

NO_UPDATE = "update.box: is no update for this box"
DAMAGED = "update.box: is damaged or was cut short; copy it to the card again"
GOOD = update_box()
FILES = files_of("0.2.0")


def offer(box, content):
    (box.boot / "update.box").write_bytes(content)
    image.update(box)


def refused(box):
    """Return the sentence with which an update was refused, after a check that nothing else has happened."""
    assert slots.in_force(box.boot) == "a"
    assert not (box.boot / "update.box").exists()
    assert (box.boot / "update.bad").exists()
    assert "systemctl reboot" not in box.run.calls
    sentence = (box.data / "update").read_text().removesuffix("\n")
    assert f"Last update: {sentence}.\r\n" in (box.boot / "status.txt").read_bytes().decode()
    return sentence


def test_an_update_is_on_trial_and_in_force_once_the_box_plays(box, shown, capsys):
    offer(box, GOOD)
    assert started(box, tryboot=False) == "a"
    assert box.run.calls[-2:] == [SET_FLAG, "systemctl reboot"]
    assert shown == [(words("en")["may_unplug"], "Updating…")]
    assert started(box, tryboot=True) == "b"
    assert complete(box.boot, "b")
    image.update(box)
    assert capsys.readouterr().out.endswith(
        "update.box: the running version is on trial; the update waits for the end of that\n"
    )
    image.settle(box)
    assert started(box, tryboot=False) == "b"
    assert not (box.boot / "update.box").exists()
    assert (box.data / "update").read_text() == "version 0.2.0 is installed\n"
    image.settle(box)
    assert capsys.readouterr().out.splitlines() == [
        "version 0.2.0 is installed",
        *["version 0.2.0 is in force"] * 2,
    ]
    offer(box, update_box("0.3.0"))
    assert started(box, tryboot=True) == "a"
    assert slots.installed(box.boot, "a").version == "0.3.0"


def member(name, content=b"", **fields):
    info = tarfile.TarInfo(name)
    for field, value in fields.items():
        setattr(info, field, value)
    return (info, content)


class Sized(tarfile.TarInfo):
    """A member whose header says another size, in any bytes."""

    said = b""

    def isreg(self):
        return False  # `tar` leaves its size alone

    def tobuf(self, *arguments):
        header = bytearray(super().tobuf(*arguments))
        header[124:136] = self.said.ljust(12, b"\0")
        header[148:156] = b" " * 8
        header[148:156] = b"%06o\0 " % sum(header)
        return bytes(header)


def sized(name, said):
    info = Sized(name)
    info.said = said
    return (info, b"")


def around(*extra, first=(), files=None):
    files = FILES if files is None else files
    return tar([*first, ("slot.json", slot_json("0.2.0", FILES)), *files.items(), *extra])


def with_file(name, content=b"x"):
    return update_box(files={**FILES, name: content})


OLDER = "version 0.0.9 is older than 0.1.0, which is installed"
LARGE = slot_json("0.2.0", FILES) + b" " * 70_000
PREFIXED = "d" * 99 + "/kernel8.img"
WITHOUT = {name: data for name, data in FILES.items() if name != "kernel8.img"}


def resized(size):
    described = json.loads(slot_json("0.2.0", FILES))
    described["files"]["cmdline.txt"]["size"] = size
    return json.dumps(described).encode()


# fmt: off
REFUSED = [
    ("a text", b"Hello, this is no tar. " * 50, NO_UPDATE),
    ("nothing", b"", DAMAGED),
    ("zeros", bytes(10_240), DAMAGED),
    ("not first", tar([("a", b""), ("slot.json", slot_json("0.2.0", FILES))]), NO_UPDATE),
    ("no slot.json", tar(FILES.items()), NO_UPDATE),
    ("not JSON", tar([("slot.json", b"{")]), NO_UPDATE),
    ("not UTF-8", tar([("slot.json", b"\xff")]), NO_UPDATE),
    ("deep JSON", tar([("slot.json", b"[" * 60_000)]), NO_UPDATE),
    ("large JSON", tar([("slot.json", LARGE), *FILES.items()]), NO_UPDATE),
    ("a list", tar([("slot.json", b"[]")]), NO_UPDATE),
    ("a large second slot.json", around(("slot.json", slot_json("0.2.0", FILES) + b" " * 70_000)), NO_UPDATE),
    ("a slot.json that names itself", update_box(files={**FILES, "slot.json": b"x"}), NO_UPDATE),
    ("another format", update_box(format=2), NO_UPDATE),
    ("no product", update_box(product=None), NO_UPDATE),
    ("a product that is no name", update_box(product="\x1b[2J"), NO_UPDATE),
    ("another product", update_box(product="chess-box"),
     "update.box: is for another product, chess-box, and this is a tictactoe-box"),
    ("another architecture", update_box(architecture="armel", files={"kernel.img": b""}),
     "update.box: is for armel machines, and this box is made for arm64"),
    ("a version in words", update_box(version="new"), NO_UPDATE),
    ("a version that is a number", update_box(version=2), NO_UPDATE),
    ("files that are a list", tar([("slot.json", slot_json("0.2.0", {}).replace(b"{}", b"[]"))]), NO_UPDATE),
    ("no kernel", update_box(files=WITHOUT), NO_UPDATE),
    ("a folder above", with_file("../config.txt"), NO_UPDATE),
    ("a full path", with_file("/etc/passwd"), NO_UPDATE),
    ("a folder", with_file("a/kernel8.img"), NO_UPDATE),
    ("two dots", with_file(".."), NO_UPDATE),
    ("the name in upper case", with_file("KERNEL8.IMG"), NO_UPDATE),
    ("a long name", with_file("a" * 99), NO_UPDATE),
    ("a link", around(member("x", type=tarfile.SYMTYPE, linkname="/etc/passwd")), NO_UPDATE),
    ("a hard link", around(member("kernel8.img", type=tarfile.LNKTYPE), files=WITHOUT), NO_UPDATE),
    ("a name in two parts", around((PREFIXED, FILES["kernel8.img"]), files=WITHOUT), NO_UPDATE),
    ("a device", around(member("mem", type=tarfile.CHRTYPE)), NO_UPDATE),
    ("a block device", around(member("sda", type=tarfile.BLKTYPE)), NO_UPDATE),
    ("a pipe", around(member("pipe", type=tarfile.FIFOTYPE)), NO_UPDATE),
    ("a contiguous file", around(member("x", b"x", type=tarfile.CONTTYPE)), NO_UPDATE),
    ("a sparse file", around(member("root.erofs", type=tarfile.GNUTYPE_SPARSE), files=WITHOUT), NO_UPDATE),
    ("a name in a member of its own", around(first=[member("n", type=tarfile.GNUTYPE_LONGNAME)]), NO_UPDATE),
    ("a size beyond the end", around(sized("x", b"%011o" % (8**11 - 1))), DAMAGED),
    ("a size in base 256", around(sized("x", b"\x80" + bytes(2) + b"\xff" * 9)), NO_UPDATE),
    ("a negative size", around(sized("x", b"-0000000001")), NO_UPDATE),
    ("a directory", around(member("d", type=tarfile.DIRTYPE)), NO_UPDATE),
    ("a pax header", around(first=[member("p", type=tarfile.XHDTYPE)]), NO_UPDATE),
    ("one more file", around(("x", b"")), NO_UPDATE),
    ("one file twice", around(("cmdline.txt", FILES["cmdline.txt"])), NO_UPDATE),
    ("a file missing", around(files=WITHOUT), NO_UPDATE),
    ("a thousand files", around(*[(str(n), b"") for n in range(1000)]), DAMAGED),
    ("another size", around(files={**FILES, "root.erofs": b"short"}), DAMAGED),
    ("another size in slot.json", tar([("slot.json", resized(5)), *FILES.items()]), DAMAGED),
    ("a size in words", tar([("slot.json", resized("1024")), *FILES.items()]), DAMAGED),
    ("another content", around(files={**FILES, "root.erofs": FILES["root.erofs"][::-1]}), DAMAGED),
    ("another slot.json at the end", around(("slot.json", b"{}")), DAMAGED),
    ("more than zeros at the end", GOOD + b"x" * 512, DAMAGED),
    ("endless zeros", GOOD + bytes(100_000), DAMAGED),
    ("another machine", update_box(machines=["raspberrypi,5-model-b"]),
     "update.box: version 0.2.0 does not start on this machine, a Raspberry Pi 3 Model B Rev 1.2"),
    ("an older version", update_box("0.0.9"),
     f"update.box: {OLDER}; to go back on purpose, flash the older image"),
]
# fmt: on


@pytest.mark.parametrize(
    ("content", "sentence"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_what_is_no_good_update_is_refused_and_nothing_is_written(box, shown, content, sentence):
    offer(box, content)
    found = refused(box)
    assert found == sentence
    assert shown[-1] == (found, "no update")
    assert not (box.boot / "b").exists()
    assert complete(box.boot, "a")


def test_an_update_without_a_second_slot_json_and_with_more_zeros_is_one_too(box, shown):
    offer(box, around() + bytes(9216))
    assert started(box, tryboot=True) == "b"


def test_the_way_back_to_an_older_version_is_by_hand_where_there_is_one(box, shown):
    fill(box.boot / "b", "0.0.8")
    offer(box, update_box("0.0.9"))
    assert refused(box).endswith("; to go back on purpose, write os_prefix=b/ in config.txt")
    (box.boot / "config.txt").write_bytes((box.boot / "config.txt").read_bytes().replace(b"=a/", b"=b/"))
    offer(box, update_box("0.0.8+b1"))
    assert slots.installed(box.boot, "a").version == "0.0.8+b1"


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
    room = "needs 1 MB on the card, and 0 MB are free; remove files of your own from it"
    assert refused(box) == f"update.box: {room}"
    fill(box.boot / "b", "0.0.9")
    (box.boot / "b" / "root.erofs").write_bytes(bytes(100_000))  # makes room: it is replaced
    offer(box, GOOD)
    assert started(box, tryboot=True) == "b"


def test_a_card_that_cannot_be_written_is_reported_and_played_from(box, shown):
    box.run.read_only = True
    offer(box, GOOD)
    reason = "/boot/firmware: cannot remount read-write, is write-protected"
    sentence = f"update.box: cannot be installed ({reason}); if that happens again, replace the card"
    assert shown[-1] == (sentence, "no update")
    assert (box.boot / "update.box").exists()
    assert not (box.boot / "b").exists()


@pytest.mark.parametrize(
    ("step", "reason"), [("store", "Input/output error"), ("sync", "Input/output error"), (None, "b/")]
)
def test_a_write_error_leaves_the_slot_in_force(box, shown, monkeypatch, step, reason):
    def fail(*_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    if step:
        monkeypatch.setattr(slots, step, fail)
    else:  # the card keeps something else than was written
        hashed, times = update._sha256, iter(range(99))
        monkeypatch.setattr(update, "_sha256", lambda parts: hashed(parts) + "x" * (next(times) == 7))
    if step:
        monkeypatch.setattr(slots, "replace", lambda *_: None)
    offer(box, GOOD)
    assert slots.in_force(box.boot) == "a"
    assert complete(box.boot, "a")
    assert f"cannot be installed ({reason}" in shown[-1][0]
    assert (box.boot / "update.bad").exists()


def test_a_broken_config_txt_or_data_partition_is_named(box, shown):
    (box.boot / "update.box").write_bytes(GOOD)
    (box.boot / "config.txt").write_text("os_prefix=c/\n")
    image.update(box)
    assert shown[-1][0] == "config.txt: expected a line os_prefix=a/ or os_prefix=b/"
    (box.boot / "config.txt").unlink()
    with pytest.raises(UserError, match=r"^config\.txt: cannot be read: No such file or directory$"):
        slots.in_force(box.boot)


SECOND = GOOD.rindex(b"slot.json\0")  # zeros from there on would be the end of an update without it
MUTATIONS = st.one_of(
    st.tuples(st.just("cut"), st.integers(0, len(GOOD) - 1), st.just(0)),
    st.tuples(st.just("flip"), st.integers(0, len(GOOD) - 1), st.integers(0, 7)),
    st.tuples(st.just("zero"), st.integers(0, SECOND // 512 - 8), st.integers(1, 8)),
)


@given(MUTATIONS)
@example(("cut", len(GOOD) - 512, 0))
@example(("flip", GOOD.index(b'"0.2.0"') + 1, 0))
@example(("flip", 155, 5))
@example(("flip", 520 + len(slot_json("0.2.0", FILES)), 0))  # in the padding of slot.json
def test_a_copy_with_a_mistake_is_never_installed_and_never_raises(mutation):
    kind, place, more = mutation
    damaged = bytearray(GOOD)
    match kind:
        case "cut":
            del damaged[place:]
        case "flip":
            damaged[place] ^= 1 << more
        case "zero":
            damaged[512 * place : 512 * (place + more)] = bytes(512 * more)
    with tempfile.TemporaryDirectory(dir=MEMORY) as directory, pytest.MonkeyPatch.context() as patch:
        patch.setattr(mistake, "show", lambda *_: None)
        box = make_box(Path(directory))
        offer(box, damaged)
        assert refused(box) in {NO_UPDATE, DAMAGED}
        assert not (box.boot / "b").exists()


@given(st.binary(max_size=2000), st.booleans())
def test_any_bytes_are_refused(data, as_json):
    box = io.BytesIO(tar([("slot.json", data)]) if as_json else data)
    with pytest.raises(UserError):
        update.read(box)


def test_an_update_is_read_in_pieces(box, shown, monkeypatch):
    """However large it is: a Pi Zero 2 has 512 MB."""
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
        image.update(box)
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
    assert [title for title, _ in pages] == [words(language)["updating"], "no update"]
    assert len({Frame.blank(128, 64), *(picture for _, picture in pages)}) == 3


def test_by_hand(box, capsys, monkeypatch):
    where = ["--boot", str(box.boot), "--data", str(box.data)]
    assert main(["image", "update", *where]) == 0
    assert capsys.readouterr().out == f"{box.boot}: there is no update.box\n"
    assert main(["image", "settle", *where]) == 0
    assert capsys.readouterr().out == "version 0.1.0 is in force\n"
    (box.boot / "a" / "slot.json").unlink()
    assert main(["image", "settle", *where]) == 0
    assert capsys.readouterr().out == "version unknown is in force\n"
    (box.boot / "config.txt").write_text("")
    assert main(["image", "settle", *where]) == 2
    assert capsys.readouterr().err.startswith("tictactoe: config.txt: expected a line")
