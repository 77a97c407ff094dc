"""What preparing a card changes on it, and what undoes that: a list of changes, complete before any write.

Our lines for config.txt are a file of their own (tictactoe.txt), which one include line inserts. A file that
is not ours is copied (`.before-tictactoe`) before its first change. The folder `tictactoe` is ours.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from appliance.card import edits
from appliance.card.check import CMDLINE, CONFIG, SCRIPT
from appliance.card.edits import COPY, Edited
from appliance.card.partition import Card, Change, encode
from appliance.card.table import DATA, render
from appliance.config.yamlfile import printable

USER_DATA, SETTINGS = "user-data", "tictactoe.yaml"
MAX_DEB = 32 * 1024 * 1024  # bytes
NEEDED = ("tictactoe-appliance", "python3-luma.oled")  # packages that no image has
OLDEST = ("bookworm", "2023-10-10")  # and its first image's date; older ones mount the partition at /boot

_OLD_MANIFEST = "tictactoe/prepared.json"  # version 0.1.0 wrote it
_LOG = "tictactoe/first-boot.log"


class Plan(NamedTuple):
    """The changes in the order in which to make them, and what else to report."""

    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()


def plan_prepare(
    card: Card, settings: str, debs: Mapping[str, bytes], values: Mapping[str, str | int | None]
) -> Plan:
    """Return what prepares a card: no changes if it is prepared.

    `settings` is the text of tictactoe.yaml, `debs` are packages by file name, `values` fill in templates.
    Copies come first and config.txt last. Raise `UserError` for a card that this cannot prepare.
    """
    _require_known_image(card)
    line = edits.words(card.text(CMDLINE))
    if not line:
        raise card.error(CMDLINE, "line 1 is empty: the kernel's command line is missing; re-flash the card")
    fresh = any(word == "resize" or word.startswith("init=") for word in line)
    packages = bool(debs or card.matching("tictactoe/*.deb"))
    # cloud-init acts once in a card's life. systemd.run acts whenever the kernel's command line has it.
    cloud_init = card.has(USER_DATA) and card.has("meta-data")
    by_systemd = not cloud_init if fresh else packages

    changes = _delete(card, _OLD_MANIFEST)
    changes += _debs(card, debs)
    changes += _replace(card, SCRIPT, render("first-boot.sh", values))
    if card.has(edits.INCLUDED) and not _is_ours(card):
        raise card.error(edits.INCLUDED, "was not written by this program; rename it, and run this again")
    changes += _replace(card, edits.INCLUDED, render(edits.INCLUDED, values))
    notes = []
    if _sets_nothing(card.text(SETTINGS)):
        changes += _replace(card, SETTINGS, settings)
    else:
        notes.append(f"{SETTINGS}: left as it is, with your changes")
    words = [word for word in edits.our_words() if by_systemd or not word.startswith("systemd.")]
    changes += _edit(card, CMDLINE, edits.command_line(_edited(card, CMDLINE), words))
    if cloud_init:
        template = render(USER_DATA, values)
        ours = template[template.index("\n\n") :]  # what is above the first empty line is about the file
        changes += _edit(card, USER_DATA, edits.user_data(_edited(card, USER_DATA), ours))
    changes += _edit(card, CONFIG, edits.include(_edited(card, CONFIG)))
    changes.sort(key=lambda change: not change.name.endswith(COPY))

    after = card.after(changes)
    lacking = [need for need in NEEDED if not after.matching(f"tictactoe/{need}_*.deb")]
    if packages and lacking:
        what = "the first boot installs what is in the folder tictactoe, without a network, but there is no"
        remedy = f"{DATA / 'fetch-packages.sh'} downloads what else it needs"
        notes.append(f"note: {what} {' and no '.join(lacking)}; {remedy}")
    if not packages and not card.running:
        copied = ", or copy it into tictactoe" if fresh else ""
        notes.append(f"note: there is no package to install: give it with --package{copied}")
    elif packages and cloud_init and not fresh:
        then = "its next start installs, and restarts once"
        notes.append(f"note: this card was started before, and cloud-init acts only once: {then}")
    return Plan(tuple(changes), tuple(notes))


def plan_remove(card: Card) -> Plan:
    """Return what restores a card: no changes if nothing of this box is on it.

    A file that was edited since loses our lines and keeps the others, and its copy stays. Raise `UserError`
    if our lines cannot be found.
    """
    changes: list[Change] = []
    notes: list[str] = []
    for name in (CONFIG, CMDLINE, USER_DATA):
        original = _original(card, name)
        if original != card.text(name):
            changes.append(Change(name, encode(original)))
        if original == card.text(name + COPY):
            changes += _delete(card, name + COPY)
        elif card.has(name + COPY):
            notes.append(f"{name}{COPY}: left there, because {name} has changed since")
    if _sets_nothing(card.text(SETTINGS)):
        changes += _delete(card, SETTINGS)
    else:
        notes.append(f"{SETTINGS}: left there, with your changes")
    if _is_ours(card):
        changes += _delete(card, edits.INCLUDED)
    for name in (SCRIPT, _LOG, _OLD_MANIFEST, *card.matching("tictactoe/*.deb")):
        changes += _delete(card, name)
    return Plan(tuple(changes), tuple(notes) if changes else ())


def _require_known_image(card: Card) -> None:
    """Raise `UserError` unless the card's image is Raspberry Pi OS from `OLDEST` on, with its two files."""
    date = re.search(r"\b20[0-9]{2}-[0-9]{2}-[0-9]{2}\b", card.text("issue.txt"), re.ASCII)
    release, since = OLDEST
    if not date:
        raise card.error("", "cannot tell which release is on this card (no date in issue.txt); re-flash it")
    if date[0] < since:
        what = f"older than {release} ({since}); flash a newer one"
        raise card.error("", f"the image on this card is of {date[0]}, {what}")
    for name in (CONFIG, CMDLINE):
        if not card.has(name):
            saved = f"rename {name}{COPY} there to {name}, or " if card.has(name + COPY) else ""
            # The first start gives the partitions a new identity, so the copy's root= is out of date.
            once = "if the card was started before, " if saved and name == CMDLINE else ""
            raise card.error("", f"has no {name}; {saved}{once}re-flash the card")


def _delete(card: Card, name: str) -> list[Change]:
    return [Change(name, None)] if card.has(name) else []


def _replace(card: Card, name: str, text: str) -> list[Change]:
    """Return what makes a file of ours hold this text."""
    return [] if card.read(name) == encode(text) else [Change(name, encode(text))]


def _edit(card: Card, name: str, text: str) -> list[Change]:
    """Return what makes a file that is not ours hold this text, with a copy without our lines beside it."""
    changes = _replace(card, name, text)
    if changes and not card.has(name + COPY):
        changes.append(Change(name + COPY, encode(_original(card, name))))
    return changes


def _edited(card: Card, name: str) -> Edited:
    copy = card.text(name + COPY) if card.has(name + COPY) else None
    return Edited(card.text(name), copy, printable(str(card.path(name))))


def _original(card: Card, name: str) -> str:
    edited = _edited(card, name)
    return edits.command_line(edited, ()) if name == CMDLINE else edits.original(edited)


def _is_ours(card: Card) -> bool:
    """Return whether the card's tictactoe.txt begins as our template does."""
    first = render(edits.INCLUDED, {}).partition("\n")[0]
    return card.text(edits.INCLUDED).partition("\n")[0].strip() == first


def _sets_nothing(settings: str) -> bool:
    """Return whether a tictactoe.yaml is as it was written: comments, and keys without a value."""
    return all(re.fullmatch(r"\s*(#.*|\w+:)?\s*", line) for line in settings.split("\n"))


def _debs(card: Card, debs: Mapping[str, bytes]) -> Iterator[Change]:
    """Yield what puts these packages on the card, in place of other versions of them."""
    packages = {name.partition("_")[0].lower() for name in debs}
    for name in card.matching("tictactoe/*.deb"):
        file = name.removeprefix("tictactoe/")
        if file.partition("_")[0] in packages and file not in map(str.lower, debs):
            yield Change(name, None)
    for file, content in debs.items():
        if card.read(f"tictactoe/{file}", MAX_DEB) != content:
            yield Change(f"tictactoe/{file}", content)
