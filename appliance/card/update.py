"""An update, update.box on the boot partition: a tar of slot.json first, then the files of that slot.

All of it is checked before anything is written. slot.json may stand at the end once more: it has no hash, so
only a second copy shows damage to it.
"""

import errno
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

from appliance.card import slots, trial
from appliance.card.slots import MAX_JSON, SLOT_JSON, Slot
from appliance.core.errors import UserError

BOX = "update.box"
FAILED = "failed"  # on the data partition: the slot that the initramfs has left, and why

_CHUNK = 1024 * 1024  # bytes in memory at a time
_BLOCK = 512  # bytes of a tar's header; its contents are padded to whole blocks
_MAX_END = 64 * 1024
_MAX_MEMBERS = 64
_NO_UPDATE = f"{BOX}: is no update for this box"
_DAMAGED = f"{BOX}: is damaged or was cut short; copy it to the card again"


class Member(NamedTuple):
    """A file in the tar, and where its content is."""

    name: str
    offset: int
    size: int


class Update(NamedTuple):
    """What update.box holds. `text` is its slot.json, byte by byte."""

    slot: Slot
    text: bytes
    members: Mapping[str, Member]


def read(box: BinaryIO) -> Update:
    """Return what the box holds; the hashes are not checked yet. Raise `UserError` if it is no update."""
    members = list(_members(box))
    if not members:
        raise UserError(_DAMAGED)
    first, *others = members
    # slot.json is read whole, so neither copy of it may be large.
    if first.name != SLOT_JSON or any(one.size > MAX_JSON for one in members if one.name == SLOT_JSON):
        raise UserError(_NO_UPDATE)
    text = b"".join(_content(box, first))
    if others and others[-1].name == SLOT_JSON and b"".join(_content(box, others.pop())) != text:
        raise UserError(_DAMAGED)
    try:
        slot = slots.parse(text)
    except slots.ForeignError as error:
        raise UserError(f"{BOX}: {error}") from error
    except ValueError as error:
        raise UserError(_NO_UPDATE) from error
    if sorted(member.name for member in others) != sorted(slot.files):
        raise UserError(_NO_UPDATE)
    if any(member.size != slot.files[member.name].size for member in others):
        raise UserError(_DAMAGED)
    return Update(slot, text, {member.name: member for member in others})


def _members(box: BinaryIO) -> Iterator[Member]:
    """Yield the tar's files, from their headers. Raise `UserError` unless all of it is plain files."""
    for number in range(_MAX_MEMBERS):
        header = box.read(_BLOCK)
        if len(header) < _BLOCK:
            raise UserError(_DAMAGED)
        if not any(header):
            break
        checksum = sum(header) - sum(header[148:156]) + 8 * ord(" ")
        if header[148:156] != b"%06o\0 " % checksum:
            raise UserError(_DAMAGED if number else _NO_UPDATE)
        size = re.fullmatch(rb"([0-7]+)[\0 ]*", header[124:136])
        plain = header[156:157] in {b"0", b"\0"} and not any(header[345:500])  # no link, no longer name
        if not (size and plain):
            raise UserError(_NO_UPDATE)
        name = header[:100].rstrip(b"\0").decode("ascii", "replace")
        member = Member(name, box.tell(), int(size[1], 8))
        yield member
        box.seek(member.offset + member.size)
        padding = box.read(-member.size % _BLOCK)
        if any(padding) or len(padding) != -member.size % _BLOCK:
            raise UserError(_DAMAGED)
    end = box.read(_MAX_END)
    if any(end) or len(end) < _BLOCK or box.read(1):
        raise UserError(_DAMAGED)


def _content(box: BinaryIO, member: Member) -> Iterator[bytes]:
    """Yield a member's content in pieces."""
    box.seek(member.offset)
    left = member.size
    while piece := box.read(min(left, _CHUNK)):
        left -= len(piece)
        yield piece


def _sha256(chunks: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()


def verify(box: BinaryIO, update: Update) -> None:
    """Raise `UserError` unless every file has the hash that slot.json says."""
    for name, member in update.members.items():
        if _sha256(_content(box, member)) != update.slot.files[name].sha256:
            raise UserError(_DAMAGED)


def objection(new: Slot, now: Slot | None, back: str, machines: Iterable[str], model: str) -> str:
    """Return why this box refuses an update that is valid, "" if it does not.

    `now` is in force, None if that is not known. `back` is the letter of the other slot if that is complete.
    `machines` are this machine's names in the device tree, `model` is its name for people.
    """
    if not set(machines) & set(new.machines):
        return f"{BOX}: version {new.version} does not start on this machine, a {model}"
    if now and slots.order(new.version) < slots.order(now.version):
        remedy = f"write os_prefix={back}/ in config.txt" if back else "flash the older image"
        what = f"version {new.version} is older than {now.version}, which is installed"
        return f"{BOX}: {what}; to go back on purpose, {remedy}"
    return ""


def shortage(new: Slot, folder: Path) -> str:
    """Return a sentence if the card has too little room for a slot in place of this folder, else ""."""
    status = os.statvfs(folder.parent)
    block = status.f_frsize
    needed = sum(file.size + block for file in new.files.values())  # each ends in a block of its own
    free = status.f_bavail * block
    if folder.is_dir():
        free += sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    if needed <= free:
        return ""
    room = f"needs {-(-needed // 10**6)} MB on the card, and {free // 10**6} MB are free"
    return f"{BOX}: {room}; remove files of your own from it"


def install(box: BinaryIO, update: Update, boot: Path, data: Path, letter: str) -> None:
    """Write a verified update into a slot that is not in force.

    slot.json comes last: without it, nothing starts the slot. Raise `OSError` if the card cannot be written.
    """
    folder = boot / letter
    if not folder.is_dir():
        slots.remove(folder)  # a file of that name
    folder.mkdir(exist_ok=True)
    slots.remove(folder / SLOT_JSON)  # first: without it the slot is incomplete
    for path in list(folder.iterdir()):
        slots.remove(path)
    for name, member in update.members.items():
        slots.store(folder / name, _content(box, member))
    slots.sync(folder)
    for name, file in update.slot.files.items():
        with (folder / name).open("rb") as written:
            # From the card, not from memory.
            os.posix_fadvise(written.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            if _sha256(iter(partial(written.read, _CHUNK), b"")) != file.sha256:
                raise OSError(errno.EIO, f"{letter}/{name} reads back differently")
    trial.write(boot, letter, 0)
    slots.store(folder / SLOT_JSON, [update.text])
    slots.sync(folder)
    slots.sync(boot)
    with suppress(OSError):
        slots.remove(data / FAILED)
