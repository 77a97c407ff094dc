"""The files that are ours from the first byte to the last: which, and how they get onto the card."""

from collections.abc import Mapping
from dataclasses import dataclass

from appliance.bootfiles.changes import Change
from appliance.bootfiles.job import SCRIPT, SEED, SETTINGS, Job
from appliance.bootfiles.manifest import digest
from appliance.bootfiles.templates import render_file


@dataclass(frozen=True, slots=True)
class Written:
    """What becomes of them: the changes, which are ours afterwards (with digests), lines for a person."""

    changes: tuple[Change, ...]
    owned: Mapping[str, tuple[str, ...]]
    lines: tuple[str, ...]


def whole_files(job: Job) -> dict[str, bytes]:
    """Return the files by name. What cloud-init reads is among them only where the card came without."""
    values = job.options.values
    files = {f"tictactoe/{deb.path.name}": deb.content for deb in job.options.debs}
    files |= {SCRIPT: render_file("first-boot.sh", values), SETTINGS: job.options.settings.encode()}
    if job.cloud_init:
        there = {name: job.card.read(name) for name in SEED}
        absent = [name for name, said in there.items() if said is None or job.before.wrote(name, said)]
        files |= {name: render_file(name, values) for name in absent}
    return files


def write(job: Job, files: Mapping[str, bytes]) -> Written:
    """Return how these files get onto the card. Raise `UserError` when a person's file is in the way.

    Packages that were put there earlier stay unless new ones come; tictactoe.yaml, once changed, stays.
    """
    before, card = job.before, job.card
    owned = {} if job.options.debs else {name: said for name, said in before.files.items() if _is_deb(name)}
    changes: list[Change] = []
    lines: list[str] = []
    for name, content in files.items():
        there = card.read(name)
        if there is None or before.wrote(name, there):
            owned[name] = (digest(content),)
            if there != content:
                changes.append(Change(card.names.get(name.lower(), name), there, content))
                if not _is_deb(name):
                    lines.append(f"{name}: {'written' if there is None else 'brought up to date'}")
        elif name == SETTINGS:
            if name in before.files:
                owned[name] = before.files[name]
            if there != content:
                lines.append(f"{name}: left as it is, with your changes")
        elif there != content:
            told = "was changed by hand, or is not from here; move it away, and run this again"
            raise job.error(name, told)
    for name in before.files:
        there = card.read(name)
        if name not in owned and before.wrote(name, there):
            changes.append(Change(card.names[name.lower()], there, None))
            lines.append(f"{name}: taken off, it is not needed any more")
    sizes = [len(change.after or b"") for change in changes if change.after and _is_deb(change.name)]
    if sizes:
        many = "1 package" if len(sizes) == 1 else f"{len(sizes)} packages"
        lines.insert(0, f"tictactoe/: {many} copied there, {sum(sizes) // 1000} kB")
    return Written(tuple(changes), owned, tuple(lines))


def _is_deb(name: str) -> bool:
    return name.endswith(".deb")
