"""What update.box must not contain: each is rejected in one sentence, and the box still plays."""

import io
import json
import tarfile
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from imagecard import (
    FILES,
    GOOD,
    GOOD_ARMEL,
    around,
    complete,
    make_box,
    offer,
    refused,
    slot_json,
    started,
    tar,
    update_box,
    with_file,
)
from store_world import MEMORY

from appliance.core.errors import UserError
from appliance.service import mistake
from appliance.slots import manifest, update

NO_UPDATE = "update.box: is not an update for this box"
DAMAGED = "update.box: is damaged or incomplete; copy it to the card again"


def member(name, content=b"", **fields):
    info = tarfile.TarInfo(name)
    for field, value in fields.items():
        setattr(info, field, value)
    return (info, content)


class Sized(tarfile.TarInfo):
    """A member whose header has another size, in arbitrary bytes."""

    said = b""

    def isreg(self):
        return False  # keeps `tar` from setting the size

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


OLDER = "update.box: version {} is older than the installed 0.1.0; to downgrade, flash the older image"
LARGE = slot_json("0.2.0", FILES) + b" " * 70_000
PREFIXED = "d" * 99 + "/kernel8.img"
WITHOUT = {name: data for name, data in FILES.items() if name != "kernel8.img"}


def resized(size):
    described = json.loads(slot_json("0.2.0", FILES))
    described["files"]["cmdline.txt"]["size"] = size
    return json.dumps(described).encode()


ONE = {**FILES, "one": b"1"}  # the size of this file is 1, and so are 1.0 and true, for Python
SIZE, HASH, MACHINE = ("files", "one", "size"), ("files", "one", "sha256"), ("machines", 0)
PLACES = (("format",), ("product",), ("architecture",), ("version",), ("machines",), MACHINE, SIZE, HASH)


def written(place, value):
    """Return a slot.json with the text `value` in this place."""
    described = inner = json.loads(slot_json("0.2.0", ONE))
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = "HERE"
    return json.dumps(described).replace('"HERE"', value).encode()


# fmt: off
NO_WHOLE_NUMBER = (
    "1.0", "1e0", "10e-1", "true", "false", '"1"', "null", "NaN", "Infinity", "1e400", "[1]", "{}",
)
NO_TEXT = ("1", "1.0", "true", "null", "NaN", "[]", "{}")
MISTYPED = [
    *((place, value) for place in (("format",), SIZE) for value in NO_WHOLE_NUMBER),
    *((place, value) for place in (HASH, MACHINE) for value in NO_TEXT),
    (("machines",), '"raspberrypi,3-model-b"'), (("machines",), '{"raspberrypi,3-model-b": 1}'),
]
REFUSED = [
    *((f"{value} as {place[-1]}", tar([("slot.json", written(place, value)), *ONE.items()]), NO_UPDATE)
      for place, value in MISTYPED),
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
     "update.box: is for another product, chess-box; this is a tictactoe-box"),
    ("another architecture", GOOD_ARMEL, "update.box: is for armel machines; this box is for arm64"),
    ("its name on another architecture's files", update_box(architecture="armel"), NO_UPDATE),
    ("an architecture of the future", update_box(architecture="riscv64"),
     "update.box: is for riscv64 machines; this box is for arm64"),
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
    ("a negative size in slot.json", tar([("slot.json", resized(-640)), *FILES.items()]), DAMAGED),
    ("a huge size in slot.json", tar([("slot.json", resized(10**30)), *FILES.items()]), DAMAGED),
    ("a size of too many digits", tar([("slot.json", written(SIZE, "9" * 5000)), *ONE.items()]), NO_UPDATE),
    ("another content", around(files={**FILES, "root.erofs": FILES["root.erofs"][::-1]}), DAMAGED),
    ("another slot.json at the end", around(("slot.json", b"{}")), DAMAGED),
    ("more than zeros at the end", GOOD + b"x" * 512, DAMAGED),
    ("endless zeros", GOOD + bytes(100_000), DAMAGED),
    ("another machine", update_box(machines=["raspberrypi,5-model-b"]),
     "update.box: version 0.2.0 does not start on this machine, a Raspberry Pi 3 Model B Rev 1.2"),
    ("an older version", update_box("0.0.9"), OLDER.format("0.0.9")),
    ("a candidate of the installed version", update_box("0.1.0~rc1"), OLDER.format("0.1.0~rc1")),
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


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS | st.sampled_from([1, 1.0, "1"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=8), inner, max_size=2),
    max_leaves=3,
)


@given(st.sampled_from(PLACES), VALUES)
def test_a_slot_json_that_is_accepted_has_numbers_and_texts_where_they_belong(place, value):
    try:
        slot = manifest.parse_manifest(written(place, json.dumps(value)))
    except ValueError:
        return
    assert {type(file.size) for file in slot.files.values()} == {int}
    texts = (slot.version, slot.architecture, *slot.machines, *(file.sha256 for file in slot.files.values()))
    assert {type(text) for text in texts} == {str}


def test_an_update_without_a_second_slot_json_and_with_more_zeros_is_one_too(box, shown):
    offer(box, around() + bytes(9216))
    assert started(box, tryboot=True) == "b"


SECOND = GOOD.rindex(b"slot.json\0")  # zeros from there would end an update without it
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
        update.read_update(box)
