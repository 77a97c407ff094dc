"""An update: update*.box on the boot partition, a tar with slot.json first, then the files of that slot.

All of it is checked before anything is written. A second copy of slot.json may come last: it has no hash, so
only comparing two copies reveals damage to it.
"""

import errno
import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from appliance.core.errors import UserError
from appliance.slots import manifest, trial
from appliance.slots.manifest import MAX_JSON, SLOT_JSON, Slot
from appliance.storage import files

FAILED_FILE = "failed"  # on the data partition: the slot that the initramfs gave up, and why

_CHUNK = 1024 * 1024  # bytes in memory at a time
_BLOCK = 512  # bytes of a tar's header; its contents are padded to whole blocks
_MAX_END = 64 * 1024
_MAX_MEMBERS = 64
_NO_UPDATE = "is not an update for this box"
_DAMAGED = "is damaged or incomplete; copy it to the card again"


CountBytes = Callable[[int], object]
"""Counts bytes as done: `verify` counts each byte of an update once, `install` twice."""


class UnfitError(UserError):
    """What is wrong with an update, to be said after the name of its file."""


class Member(NamedTuple):
    """A file in the tar, and where its content is."""

    name: str
    offset: int
    size: int


class Update(NamedTuple):
    """The content of an update. `text` is its slot.json, byte for byte."""

    slot: Slot
    text: bytes
    members: Mapping[str, Member]


def offered(boot: Path) -> list[Path]:
    """Return the updates on the boot partition: update*.box. FAT ignores case."""
    names = ((path, path.name.lower()) for path in boot.glob("*"))
    return sorted(path for path, name in names if name.startswith("update") and name.endswith(".box"))


def read_update(box: BinaryIO) -> Update:
    """Read an update without checking the hashes. Raise `UnfitError` if it is not a valid one."""
    members = list(_members(box))
    if not members:
        raise UnfitError(_DAMAGED)
    first, *others = members
    # slot.json is read into memory, so neither copy may be large.
    if first.name != SLOT_JSON or any(one.size > MAX_JSON for one in members if one.name == SLOT_JSON):
        raise UnfitError(_NO_UPDATE)
    text = b"".join(_content(box, first))
    if others and others[-1].name == SLOT_JSON and b"".join(_content(box, others.pop())) != text:
        raise UnfitError(_DAMAGED)
    try:
        slot = manifest.parse_manifest(text)
    except manifest.ForeignError as error:
        raise UnfitError(str(error)) from error
    except ValueError as error:
        raise UnfitError(_NO_UPDATE) from error
    if sorted(member.name for member in others) != sorted(slot.files):
        raise UnfitError(_NO_UPDATE)
    if any(member.size != slot.files[member.name].size for member in others):
        raise UnfitError(_DAMAGED)
    return Update(slot, text, {member.name: member for member in others})


def _members(box: BinaryIO) -> Iterator[Member]:
    """Yield the tar's files, from their headers. Raise `UnfitError` unless all are plain files."""
    for number in range(_MAX_MEMBERS):
        header = box.read(_BLOCK)
        if len(header) < _BLOCK:
            raise UnfitError(_DAMAGED)
        if not any(header):
            break
        checksum = sum(header) - sum(header[148:156]) + 8 * ord(" ")
        if header[148:156] != b"%06o\0 " % checksum:
            raise UnfitError(_DAMAGED if number else _NO_UPDATE)
        size = re.fullmatch(rb"([0-7]+)[\0 ]*", header[124:136])
        plain = header[156:157] in {b"0", b"\0"} and not any(header[345:500])  # no link, no longer name
        if not (size and plain):
            raise UnfitError(_NO_UPDATE)
        name = header[:100].rstrip(b"\0").decode("ascii", "replace")
        member = Member(name, box.tell(), int(size[1], 8))
        yield member
        box.seek(member.offset + member.size)
        padding = box.read(-member.size % _BLOCK)
        if any(padding) or len(padding) != -member.size % _BLOCK:
            raise UnfitError(_DAMAGED)
    end = box.read(_MAX_END)
    if any(end) or len(end) < _BLOCK or box.read(1):
        raise UnfitError(_DAMAGED)


def _content(box: BinaryIO, member: Member, step: CountBytes = lambda _bytes: None) -> Iterator[bytes]:
    """Yield a member's content in pieces, and count each that has been taken."""
    box.seek(member.offset)
    left = member.size
    while piece := box.read(min(left, _CHUNK)):
        left -= len(piece)
        yield piece
        step(len(piece))


def _digest(box: BinaryIO, member: Member, step: CountBytes) -> str:
    digest = hashlib.sha256()
    for piece in _content(box, member, step):
        digest.update(piece)
    return digest.hexdigest()


def verify(box: BinaryIO, update: Update, step: CountBytes) -> None:
    """Raise `UnfitError` unless every file has its hash in slot.json."""
    for name, member in update.members.items():
        if _digest(box, member, step) != update.slot.files[name].sha256:
            raise UnfitError(_DAMAGED)


def check_fit(new: Slot, now: Slot | None, back: str, machines: Iterable[str], model: str) -> None:
    """Raise `UnfitError` if this box rejects a valid update.

    `now` is active, None if unknown. `back` is the letter of the other slot if that is complete. `machines`
    are this machine's names in the device tree, `model` is its name for people. A box is of the architecture
    of its active slot; if that is unknown, the machines still differ.
    """
    if now and new.architecture != now.architecture:
        raise UnfitError(f"is for {new.architecture} machines; this box is for {now.architecture}")
    if not set(machines) & set(new.machines):
        raise UnfitError(f"version {new.version} does not start on this machine, a {model}")
    if now and manifest.order(new.version) < manifest.order(now.version):
        remedy = f"write os_prefix={back}/ in config.txt" if back else "flash the older image"
        what = f"version {new.version} is older than the installed {now.version}"
        raise UnfitError(f"{what}; to downgrade, {remedy}")


def check_room(new: Slot, folder: Path) -> None:
    """Raise `UnfitError` if the card lacks room for a slot in place of this folder."""
    status = os.statvfs(folder.parent)
    block = status.f_frsize
    needed = sum(file.size + block for file in new.files.values())  # each may waste most of its last block
    free = status.f_bavail * block
    if folder.is_dir():
        free += sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    if needed > free:
        room = f"needs {-(-needed // 10**6)} MB on the card, and {free // 10**6} MB are free"
        raise UnfitError(f"{room}; remove your own files from it")


def install(box: BinaryIO, update: Update, boot: Path, data: Path, letter: str, step: CountBytes) -> None:
    """Write a verified update into a slot that is not active.

    slot.json is written last: without it nothing starts the slot. Raise `OSError` if the card cannot be
    written.
    """
    folder = boot / letter
    if not folder.is_dir():
        files.remove(folder)  # a file with that name
    folder.mkdir(exist_ok=True)
    files.remove(folder / SLOT_JSON)  # first: without it the slot is incomplete
    for path in list(folder.iterdir()):
        files.remove(path)
    for name, member in update.members.items():
        files.store(folder / name, _content(box, member, step))
    files.sync(folder)
    for name, file in update.slot.files.items():
        with (folder / name).open("rb") as written:
            # Read from the card, not from the page cache.
            os.posix_fadvise(written.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            if _digest(written, Member(name, 0, file.size), step) != file.sha256:
                raise OSError(errno.EIO, f"{letter}/{name} reads back differently")
    trial.write(boot, letter, 0)
    files.store(folder / SLOT_JSON, [update.text])
    files.sync(folder)
    files.sync(boot)
    with suppress(OSError):
        files.remove(data / FAILED_FILE)
