"""The groups of RP1's pins, as the table in the kernel's module pinctrl-rp1 has them."""

import struct
from collections.abc import Iterator
from typing import NamedTuple

SYMBOLS, RELOCATIONS = 2, 4  # types of sections


class Section(NamedTuple):
    """A section of an ELF file: type, offset, size, and the section that it is about."""

    type: int
    offset: int
    size: int
    link: int
    about: int


def groups(module: bytes) -> dict[str, tuple[int, ...]]:
    """Return the table `rp1_gpio_groups` of a module: name -> pins. Its pointers are relocations."""
    sections = list(_sections(module))
    [symbols] = [one for one in sections if one.type == SYMBOLS]
    entries = list(struct.iter_unpack("<IBBHQQ", _content(module, symbols)))
    names = sections[symbols.link].offset
    [(table, start, size)] = [
        (section, value, size)
        for name, _, _, section, value, size in entries
        if _text(module, names + name) == "rp1_gpio_groups"
    ]
    place = {}  # offset of a pointer in the table's section -> what it points to, in the file
    for one in sections:
        if one.type == RELOCATIONS and one.about == table:
            for offset, info, addend in struct.iter_unpack("<QQq", _content(module, one)):
                _, _, _, section, value, _ = entries[info >> 32]
                place[offset] = sections[section].offset + value + addend
    found = {}
    for entry in range(start, start + size, 24):
        [count] = struct.unpack_from("<Q", module, sections[table].offset + entry + 16)
        found[_text(module, place[entry])] = struct.unpack_from(f"<{count}I", module, place[entry + 8])
    return found


def _sections(module: bytes) -> Iterator[Section]:
    [start] = struct.unpack_from("<Q", module, 0x28)
    [count] = struct.unpack_from("<H", module, 0x3C)
    for number in range(count):
        _, kind, _, _, offset, size, link, about = struct.unpack_from(
            "<IIQQQQII", module, start + 64 * number
        )
        yield Section(kind, offset, size, link, about)


def _content(module: bytes, section: Section) -> bytes:
    return module[section.offset : section.offset + section.size]


def _text(module: bytes, start: int) -> str:
    return module[start : module.index(b"\0", start)].decode()
