"""The table of what is lost on a worn card: `python tests/support/worn_table.py [MEASURE...]`.

It needs gcc, root for the last measures (a mounted file system), and for all some minutes of two cores.
"""

import contextlib
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from worn_box import NAMES, Case, boxes, forked, outcome, stopped
from worn_card import BLOCK, FOR_EVER, HEALS, HERE, HIDES, STAYS, on_a_worn_card

PAGE, HEADER = 512, 100  # bytes of SQLite's
REGION, UNIT = 64 << 10, 1024  # bytes: what dies at once; a block of ext4 on so small a partition
PLAYED, STARTS = 300, 12
KINDS = {"the card heals it": HEALS, "it stays": STAYS, "hidden and used again": HIDES}


def copies(files):
    """Return each copy of the database: its name, and the names of its files."""
    return [
        (name, [one for one in (name, f"{name}-wal") if files.get(one)]) for name in NAMES if name in files
    ]


def dead(kind, seconds, stopped, stride, whole):
    """Each block of database and log in turn, or the `whole` copy."""
    for files in stopped.values():
        for copy, names in copies(files):
            blocks = [(name, at, at + BLOCK) for name in names for at in range(0, len(files[name]), BLOCK)]
            for places in [blocks] if whole else zip(blocks[::stride], strict=True):
                yield copy, Case(files, dead=tuple(places), seconds=seconds, kind=kind)


def wrong(where, how, count, stopped, stride):
    """Wrong bits, one at a time, at places that are drawn; in the root page every third is a wrong byte."""
    files = stopped[how]
    for copy, names in copies(files):
        rng, name = random.Random(1), names[-1] if where == "log" else names[0]
        places = PLACES[where](files[name])
        for number in range(0, count, stride):
            at = places[number // 8] if where == "header" else rng.choice(places)
            new = files[name][at] ^ 1 << number % 8
            new = rng.randrange(256) if where == "root" and number % 3 == 0 else new
            yield copy, Case(files, wrong=((name, at, bytes([new])),))


def roots(data):
    """Return the root pages of the tables of a closed database."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(data[:18] + b"\1\1" + data[20:])
        return dict(connection.execute("SELECT name, rootpage FROM sqlite_master"))


def root_page(data):
    """Return the bytes in use in the root page of the games."""
    start = PAGE * (roots(data)["game"] - 1)
    cells, content = (int.from_bytes(data[start + at : start + at + 2], "big") for at in (3, 5))
    return [start + at for at in (*range(12 + 2 * cells), *range(content, PAGE))]


def schema(data):
    """Return the bytes of the pages before the last table's root that are no root, without the header."""
    found = set(roots(data).values())
    pages = [page for page in range(1, max(found)) if page not in found]
    return [at for page in pages for at in range(PAGE * (page - 1), PAGE * page) if at >= HEADER]


PLACES = {
    "root": root_page, "schema": schema, "header": lambda _data: range(HEADER),
    "log": lambda data: range(len(data)), "anywhere": lambda data: range(len(data)),
}  # fmt: skip


def partition(architecture, kind, _stopped, _stride):
    """Each 64 KiB of a data partition on which a box has played 300 games, dead or overwritten with zeros."""
    size = re.search(r"^data=(\d+)M", (HERE.parents[1] / "image" / architecture).read_text(), re.MULTILINE)[1]
    with tempfile.TemporaryDirectory() as folder:
        image, card = Path(folder) / "image", Path(folder) / "card"
        (Path(folder) / "content/tictactoe").mkdir(parents=True)
        card.mkdir()
        make = ("mke2fs", "-q", "-t", "ext4", "-m", "0", "-L", "BOXDATA", "-E", "lazy_itable_init=0")
        with image.open("wb") as file:
            file.truncate(int(size) << 20)
        subprocess.run([*make, "-d", Path(folder) / "content", image], check=True)
        subprocess.run(["mount", "-o", "loop,noatime,nodev,nosuid,noexec", image, card], check=True)
        try:
            home = card / "tictactoe"
            for number in range(STARTS):
                forked(play, home, number)
            os.sync()
            files = {file.name: file.read_bytes() for file in home.iterdir()}
            regions = defaultdict(list)
            for name in files:
                for at, place in extents(home / name):
                    regions[place // REGION].append((name, at, at + UNIT))
        finally:
            subprocess.run(["umount", card], check=True)
    for places in regions.values():
        hit = {copy for copy, names in copies(files) for name, *_ in places if name in names}
        row = " and ".join(sorted(hit))
        zeros = tuple((name, at, bytes(min(end, len(files[name])) - at)) for name, at, end in places)
        if hit:
            yield row, Case(files, dead=tuple(places), kind=kind) if kind else Case(files, wrong=zeros)


def play(home, number):
    """Start a box, play some of the games, and stop it, or pull its plug."""
    return stopped(home, ("closed", "killed")[number % 2], PLAYED // STARTS, number * PLAYED // STARTS)


def extents(file):
    """Yield each block of a file: its place in the file, and on the partition, in bytes."""
    filefrag = ("filefrag", "-v", f"-b{UNIT}", file)
    shown = subprocess.run(filefrag, capture_output=True, text=True, check=True).stdout
    for first, last, place in re.findall(r"^ +\d+: +(\d+)\.\. +(\d+): +(\d+)\.\.", shown, re.MULTILINE):
        for number in range(int(last) - int(first) + 1):
            yield (int(first) + number) * UNIT, (int(place) + number) * UNIT


# Name -> the harm, and the stride through its cases in the quick form.
MEASURES = {
    "nothing": (partial(dead, STAYS, 0, whole=False), 40),
    **{f"dead block, {how}": (partial(dead, kind, FOR_EVER, whole=False), 3) for how, kind in KINDS.items()},
    "dead copy": (partial(dead, STAYS, FOR_EVER, whole=True), 1),
    **{f"block unreadable for {time} s": (partial(dead, STAYS, time, whole=False), 9) for time in (1, 5, 60)},
    **{f"copy unreadable for {time} s": (partial(dead, STAYS, time, whole=True), 1) for time in (1, 5, 60)},
    "root page of the games, 22 wrong": (partial(wrong, "root", "closed", 22), 1),
    "log, 450 wrong bits": (partial(wrong, "log", "full log", 450), 3),
    "schema, 400 wrong bits": (partial(wrong, "schema", "closed", 400), 4),
    "header, 800 wrong bits": (partial(wrong, "header", "closed", 800), 7),
    "any page, 400 wrong bits": (partial(wrong, "anywhere", "closed", 400), 4),
    **{
        f"64 KiB of {architecture}'s partition, {how}": (partial(partition, architecture, kind), 1)
        for architecture in ("arm64", "armel")
        for how, kind in (("dead", STAYS), ("dead, healed", HEALS), ("zeros", None))
    },
}
COLUMNS = (
    "cases", "start right", "saves at once", "later", "never", "whole", "told", "silent", "games lost",
    "score", "game", "setting", "stats refuses",
)  # fmt: skip


def measured(name, quick=False):
    """Return the outcomes of a measure by the copies that are harmed."""
    done = on_a_worn_card(__file__, "--here", name, *["--quick"] * quick, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def here(name, quick):
    """Measure on the worn card under this process."""
    measure, stride = MEASURES[name]
    found, stopped = defaultdict(list), {} if name.startswith("64") else dict(boxes())
    for row, case in measure(stopped, stride if quick else 1):
        found[row].append(outcome(case))
    return found


def figures(found):
    """Return a row's figures, in the order of `COLUMNS`."""
    saved = [one["saved"] for one in found]
    later = sorted(at for at in saved if at)
    bad = [one for one in found if not one["whole"]]
    return (
        len(found), sum(one["start"] for one in found), saved.count(0),
        f"{len(later)} ({later[0]:g}-{later[-1]:g} s)" if later else 0, saved.count(None),
        len(found) - len(bad), sum(one["told"] for one in bad), sum(not one["told"] for one in bad),
        max(one["lost"] for one in found),
        *(sum(not one[key] for one in found) for key in ("score", "game", "setting")),
        sum(one["refused"] for one in found),
    )  # fmt: skip


def main(names):
    if names[:1] == ["--here"]:
        sys.stdout.write(json.dumps(here(names[1], "--quick" in names)))
        return
    print("| harm | harmed |", " | ".join(COLUMNS), "|", flush=True)  # noqa: T201
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        chosen = names or list(MEASURES)
        for name, rows in zip(chosen, pool.map(measured, chosen), strict=True):
            for row, found in rows.items():
                print(f"| {name} | {row} |", " | ".join(map(str, figures(found))), "|", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
