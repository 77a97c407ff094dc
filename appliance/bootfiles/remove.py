"""What takes off a card again what preparing it put there."""

from appliance.bootfiles import blocks, cmdline
from appliance.bootfiles.changes import Change
from appliance.bootfiles.job import CMDLINE, CONFIG, COPY, USER_DATA, Plan, leftovers
from appliance.bootfiles.manifest import FILE as MANIFEST
from appliance.bootfiles.manifest import read_manifest
from appliance.bootfiles.partition import Card
from appliance.errors import UserError
from appliance.yamlfile import printable

LOG = "tictactoe/first-boot.log"  # the box wrote it


def plan_remove(card: Card) -> Plan:
    """Return what restores a card; no changes when nothing of this box is on it.

    A file of ours that was changed since stays, and so does a copy that differs from the restored file. Raise
    `UserError` when a block was edited by hand.
    """
    manifest = read_manifest(card)
    changes = leftovers(card)
    lines: list[str] = []
    for name in (CONFIG, CMDLINE, USER_DATA):
        content = card.read(name)
        if content is None or manifest.wrote(name, content):
            continue
        restored = _restored(card, name, manifest.words)
        if restored != content:
            changes.append(Change(card.names[name.lower()], content, restored))
            lines.append(f"{name}: what this box needs taken out")
        copy = card.read(name + COPY)
        if copy == restored:
            changes.append(Change(card.names[(name + COPY).lower()], copy, None))
        elif copy is not None:
            lines.append(f"{name}{COPY}: left there, since {name} has changed since")
    for name in [*manifest.files, LOG]:
        content = card.read(name)
        if content is not None and (name == LOG or manifest.wrote(name, content)):
            changes.append(Change(card.names[name.lower()], content, None))
            if not name.endswith(".deb"):
                lines.append(f"{name}: taken off")
        elif content is not None:
            lines.append(f"{name}: left there, with your changes")
    debs = sum(change.name.endswith(".deb") for change in changes)
    if debs:
        lines.append(f"tictactoe/: {debs} package{'s' * (debs > 1)} taken off")
    if MANIFEST in card:
        changes.append(Change(card.names[MANIFEST], card.read(MANIFEST), None))
    return Plan(tuple(changes), tuple(lines))


def _restored(card: Card, name: str, words: tuple[str, ...]) -> bytes:
    text = card.text(name) or ""
    try:
        text = cmdline.remove(text, words) if name == CMDLINE else blocks.strip(text)
    except blocks.BlockEditedError as error:
        remedy = "take out what stands from >>> to <<< yourself, and run this again"
        raise UserError(f"{printable(str(card.path(name)))}:{error.line}: {error.what}; {remedy}") from error
    return text.encode("utf-8", "surrogateescape")
