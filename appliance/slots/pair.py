"""The two slots of a card: what each holds, and which one is active.

A slot is a folder of the boot partition, a or b, with everything that starts one version of the box. The line
`os_prefix=a/` in config.txt names the active slot.
"""

import hashlib
import os
import re
from pathlib import Path

from appliance.core.errors import UserError
from appliance.slots.manifest import MAX_JSON, SLOT_JSON, Slot, parse_manifest

_PREFIX = re.compile(rb"^os_prefix=([abAB])/[ \t]*\r?$", re.MULTILINE)  # FAT ignores case


def installed(boot: Path, letter: str) -> Slot | None:
    """Return what a slot holds, None if it is incomplete: its slot.json is written last."""
    try:
        with (boot / letter / SLOT_JSON).open("rb") as file:
            return parse_manifest(file.read(MAX_JSON))
    except (OSError, ValueError):
        return None


def faults(boot: Path, letter: str) -> list[str]:
    """Return a slot's missing or damaged files, a sentence each."""
    slot = installed(boot, letter)
    if slot is None:
        return [f"{letter}/{SLOT_JSON}: is missing or invalid"]
    found = []
    for name, file in slot.files.items():
        try:
            with (boot / letter / name).open("rb") as opened:
                digest = hashlib.file_digest(opened, "sha256").hexdigest()
        except OSError as error:
            found.append(f"{letter}/{name}: cannot be read: {error.strerror}")
            continue
        if digest != file.sha256:
            found.append(f"{letter}/{name}: is damaged")
    return found


def in_force(boot: Path) -> str:
    """Return the letter of the active slot. Raise `UserError` if config.txt does not name one."""
    try:
        found = letters((boot / "config.txt").read_bytes())
    except OSError as error:
        raise UserError(f"config.txt: cannot be read: {error.strerror}") from error
    if not found:
        raise UserError("config.txt: expected a line os_prefix=a/ or os_prefix=b/")
    return found[-1]  # in config.txt a later line overrides an earlier one


def letters(text: bytes) -> list[str]:
    """Return the slot that each os_prefix line of a config.txt names."""
    return [line[1].decode().lower() for line in _PREFIX.finditer(text)]


def renamed(text: bytes, letter: str) -> bytes:
    """Return a config.txt in which each os_prefix line names this slot."""
    return _PREFIX.sub(lambda line: line[0].replace(line[1] + b"/", letter.encode() + b"/"), text)


def flip(boot: Path, letter: str) -> None:
    """Activate another slot, from the next start: change one byte of each line, in place.

    Replacing the file would change several sectors of the FAT and the folder, which is not atomic.
    """
    with (boot / "config.txt").open("r+b", buffering=0) as file:
        for line in _PREFIX.finditer(file.read()):
            file.seek(line.start(1))
            file.write(letter.encode())
        os.fsync(file.fileno())
