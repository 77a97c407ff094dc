"""The page of a release: which file is for whom, how to write a card, how to check a download, what changed.

note.md is its text; what changed comes from CHANGELOG.md.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from fnmatch import fnmatch
from pathlib import Path
from string import Template

from tools.release import imager

FILE = "RELEASE.md"
SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.sig"

# What files are for, and their names.
FIRST = ("any Raspberry Pi below, opened in Raspberry Pi Imager as described next", imager.FILE)
WANTED = (
    ("updating a box: the one that is called arm64 or armel, as your model's image", "update-*.box"),
    ("Raspberry Pi OS, on a Pi 2 or beside other programs", "*.deb"),
)
OTHERS = (
    ("the sums of all files, and their signature", f"{SUMS} {SIGNATURE}"),
    ("playing on a Linux computer: `pipx install FILE`, `tictactoe simulate`", "tictactoe_appliance-*.whl"),
    ("the engine alone, for scripts in Python", "mnk_engine-*.whl"),
    ("the sources of these two", "*.tar.gz"),
    ("what each image is made of: packages, licences, sources", "*.spdx.json *.licences.zip *.sources.txt"),
    ("this page; the box's icon in Imager", f"{FILE} {imager.ICON}"),
)


def note(
    version: str, section: tuple[str, str], names: Collection[str], images: Sequence[imager.Image], base: str
) -> str:
    """Return the page of a version with these files. They are links if there is a `base`, where they will be.

    `section` is its introduction and its entries in the changelog. Raise `LookupError` for a file that the
    page does not explain.
    """

    def link(name: str) -> str:
        return f"[{name}]({base.rstrip('/')}/{name})" if base else f"`{name}`"

    cards = [(f"the SD card of a Raspberry Pi {_boards(image)}", image.file) for image in images]
    wanted = [(what, _matching(names, patterns)) for what, patterns in (FIRST, *cards, *WANTED)]
    others = [(what, _matching(names, patterns)) for what, patterns in OTHERS]
    for name in set(names).difference(*(found for _, found in (*wanted, *others))):
        raise LookupError(f"{name}: no row of tools/release/note.py says what it is for")
    introduction, changes = section
    page = Template(Path(__file__).with_name("note.md").read_text("utf-8")).substitute(
        version=version, introduction=introduction, wanted=_rows(wanted, link), manifest=link(imager.FILE),
        sums=link(SUMS), signature=link(SIGNATURE), example=images[0].file, others=_rows(others, link),
        changes=changes,
    )  # fmt: skip
    # Each paragraph and each entry of a list in one line, since GitHub keeps line breaks.
    return re.sub(r"(?<=\S)\n {0,3}(?=[^\s|#])(?![-*+>] |\d+\. )", " ", page)


def _boards(image: imager.Image) -> str:
    return ", ".join(model.boards for model in imager.models([image]))


def _matching(names: Iterable[str], patterns: str) -> list[str]:
    return sorted(name for name in names if any(fnmatch(name, pattern) for pattern in patterns.split()))


def _rows(rows: Iterable[tuple[str, Iterable[str]]], link: Callable[[str], str]) -> str:
    return "\n".join(f"| {what} | {', '.join(map(link, names))} |" for what, names in rows if names)
