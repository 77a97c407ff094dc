"""What preparing a card changes on it, and what undoes that: a list of changes, complete before any write.

Our lines for config.txt are a file of their own (tictactoe.txt), which one include line inserts. A file that
is not ours is copied (`.before-tictactoe`) before its first change. The folder `tictactoe` is ours.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from appliance.card import edits
from appliance.card.audit import SCRIPT
from appliance.card.partition import Card, Change, encode
from appliance.card.table import DATA, Release, render, table
from appliance.card.userdata import combine
from appliance.errors import UserError
from appliance.yamlfile import printable

CONFIG, CMDLINE, SETTINGS = "config.txt", "cmdline.txt", "tictactoe.yaml"
USER_DATA = "user-data"
SEED = (USER_DATA, "meta-data", "network-config")  # what cloud-init reads
COPY = ".before-tictactoe"
MAX_DEB = 32 * 1024 * 1024  # bytes
NEEDED = ("tictactoe-appliance", "python3-luma.oled")  # packages that no image has

_LEFTOVER = (
    "tictactoe/first-boot.log",
    "tictactoe/prepared.json",
)  # the box wrote one, version 0.1.0 the other
_BY_HAND = "run `sudo sh /boot/firmware/tictactoe/first-boot.sh` there"


class Options(NamedTuple):
    """What to prepare for.

    `settings` is the text of tictactoe.yaml, `debs` are packages by file name, `values` fill in templates.
    """

    settings: str
    release: str = "auto"
    debs: Mapping[str, bytes] = {}
    values: Mapping[str, str | int | None] = {}


class Plan(NamedTuple):
    """The changes in the order in which to make them, and what else to tell the user."""

    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()

    def report(self, *, dry: bool) -> Iterator[str]:
        """Yield a line for each change, as done or (`dry`) as planned; one for all packages."""

        def done(verb: str) -> str:
            past = {"write": "written"}.get(verb, verb.removesuffix("e") + "ed")
            return f"would {verb}" if dry else past

        for verb in ("write", "remove"):
            debs = [change for change in self.changes if change.name.endswith(".deb") and change.verb == verb]
            if debs:
                size = f" ({sum(len(change.content or b'') for change in debs) // 1000} kB)" * (
                    verb == "write"
                )
                what = f"{len(debs)} package{'s' * (len(debs) > 1)}{size}"
                yield f"tictactoe/: {done(verb)} {what}" if dry else f"tictactoe/: {what} {done(verb)}"
        for change in self.changes:
            if change.verb and not change.name.endswith(".deb"):
                yield f"{change.name}: {done(change.verb)}{change.note}"
        yield from self.notes


def plan_prepare(card: Card, options: Options) -> Plan:
    """Return what prepares a card: no changes if it is prepared.

    Copies come first and config.txt last. Raise `UserError` for a card that this cannot prepare.
    """
    release, cloud_init = _system(card, options.release)
    line = edits.words(_text(card, CMDLINE))
    fresh = any(word == "resize" or word.startswith("init=") for word in line)
    packages = bool(options.debs or card.matching("tictactoe/*.deb"))
    # cloud-init acts once in a card's life. systemd.run acts whenever the kernel's command line has it.
    by_systemd = not cloud_init if fresh else release is not None and packages

    changes = _delete(card, _LEFTOVER[1])
    changes += _debs(card, options.debs)
    changes += _replace(card, SCRIPT, render("first-boot.sh", options.values))
    changes += _replace(card, edits.INCLUDED, _own_config(card, options))
    notes = []
    if (settings := card.text(SETTINGS)) is None or _sets_nothing(settings):
        changes += _replace(card, SETTINGS, options.settings)
    else:
        notes.append(f"{SETTINGS}: left as it is, with your changes")
    changes += _edit(card, CMDLINE, _command_line(card, by_systemd=by_systemd))
    for name in SEED:
        changes += _seed(card, name, options.values) if cloud_init else _restored(card, name)
    changes += _edit(card, CONFIG, _config(card))
    # No file is changed before all copies are there.
    changes.sort(key=lambda change: not change.name.endswith(COPY))

    names = [name.removeprefix("tictactoe/") for name in card.after(changes).matching("tictactoe/*.deb")]
    lacking = [need for need in NEEDED if not any(name.startswith(f"{need}_") for name in names)]
    if packages and lacking:
        what = "the first boot installs what is in the folder tictactoe, without a network, but there is no"
        remedy = f"{DATA / 'fetch-packages.sh'} downloads what else it needs"
        notes.append(f"note: {what} {' and no '.join(lacking)}; {remedy}")
    if not packages and not card.running:
        copied = ", or copy it into tictactoe" if fresh else ""
        notes.append(f"note: there is no package to install: give it with --package{copied}")
    elif packages and cloud_init and not fresh:
        then = "its next start installs, and restarts once" if by_systemd else _BY_HAND
        notes.append(f"note: this card was started before, and cloud-init acts only once: {then}")
    return Plan(tuple(changes), tuple(notes))


def plan_remove(card: Card) -> Plan:
    """Return what restores a card: no changes if nothing of this box is on it.

    A file that was edited since loses our lines and keeps the others, and its copy stays. Raise `UserError`
    if our lines cannot be found.
    """
    changes: list[Change] = []
    notes: list[str] = []
    for name in (CONFIG, CMDLINE, *SEED):
        restored = _restored(card, name)
        changes += restored
        copy = card.read(name + COPY)
        now = restored[0].content if restored else card.read(name)
        if copy is not None and now == copy:
            changes += _delete(card, name + COPY, "")
        elif copy is not None:
            notes.append(f"{name}{COPY}: left there, because {name} has changed since")
    settings = card.text(SETTINGS)
    if settings is not None and _sets_nothing(settings):
        changes += _delete(card, SETTINGS)
    elif settings is not None:
        notes.append(f"{SETTINGS}: left there, with your changes")
    if _is_ours(card, edits.INCLUDED):
        changes += _delete(card, edits.INCLUDED)
    for name in (SCRIPT, *_LEFTOVER, *card.matching("tictactoe/*.deb")):
        changes += _delete(card, name)
    return Plan(tuple(changes), tuple(notes) if changes else ())


def _system(card: Card, wanted: str) -> tuple[Release | None, bool]:
    """Return the card's release and whether it has cloud-init. Raise `UserError` if that cannot be judged.

    An image with cloud-init brings user-data and meta-data; bookworm's does not. None is a system that is not
    Raspberry Pi OS and has cloud-init.
    """
    cloud_init = wanted == "trixie" or (wanted == "auto" and all(card.has(name) for name in SEED[:2]))
    release = next((each for each in table().releases if each.id == wanted), None) or card.release()
    if not release and card.date():
        oldest = min(table().releases, key=lambda each: each.since)
        what = f"older than {oldest.id} ({oldest.since}); flash a newer one"
        raise card.error("", f"the image on this card is of {card.date()}, {what}")
    if not release and not cloud_init:
        raise card.error("", "cannot tell which release is on this card; give it with --release")
    for name in (CONFIG, CMDLINE):
        if not card.has(name):
            saved = f"rename {name}{COPY} there to {name}, or " if card.has(name + COPY) else ""
            # The first start gives the partitions a new identity, so the copy's root= is out of date.
            once = "if the card was started before, " if saved and name == CMDLINE else ""
            raise card.error("", f"has no {name}; {saved}{once}re-flash the card")
    return release, cloud_init


def _text(card: Card, name: str) -> str:
    return card.text(name) or ""


def _replace(card: Card, name: str, text: str) -> list[Change]:
    """Return what makes a file of ours hold this text."""
    there = card.read(name)
    verb = "write" if there is None else "update"
    return [] if there == encode(text) else [Change(card.names.get(name.lower(), name), encode(text), verb)]


def _delete(card: Card, name: str, verb: str = "remove") -> list[Change]:
    return [Change(card.names[name.lower()], None, verb)] if card.has(name) else []


def _edit(card: Card, name: str, text: str) -> list[Change]:
    """Return what makes a file that is not ours hold this text, with a copy of it first if there is none."""
    if text == card.text(name):
        return []
    written = card.names[name.lower()]
    if card.has(name + COPY) or _touched(card, name):
        return [Change(written, encode(text), "update")]
    note = f"; {name}{COPY} is the original"
    return [Change(written + COPY, card.read(name)), Change(written, encode(text), "update", note)]


def _touched(card: Card, name: str) -> bool:
    """Return whether our lines are in a file: then it is not worth a copy."""
    text = _text(card, name)
    return bool(_our_words(text, None)) if name == CMDLINE else _undone(card, name) != text


def _undone(card: Card, name: str) -> str:
    """Return a file without our lines: its copy if nothing else has changed.

    Raise `UserError` if marked lines have no end.
    """
    text, copy = _text(card, name), card.text(name + COPY)
    try:
        return copy if copy is not None and edits.unchanged(text, copy) else edits.undo(text)
    except edits.MarkError as error:
        where = f"{printable(str(card.path(name)))}:{error.args[0]}"
        remedy = f"remove this box's lines, or rename {name}{COPY} to {name}, and run this again"
        raise UserError(f'{where}: no line "# <<< tictactoe boot prepare" follows; {remedy}') from error


def _config(card: Card) -> str:
    """Return config.txt with our include line."""
    text, undone = _text(card, CONFIG), _undone(card, CONFIG)
    # Lines that were added below ours stay where they are.
    return edits.include(undone if undone == card.text(CONFIG + COPY) else text)


def _own_config(card: Card, options: Options) -> str:
    if card.has(edits.INCLUDED) and not _is_ours(card, edits.INCLUDED):
        raise card.error(edits.INCLUDED, "was not written by this program; rename it, and run this again")
    return render(edits.INCLUDED, options.values)


def _is_ours(card: Card, name: str) -> bool:
    """Return whether a file begins as our template does."""
    return _text(card, name).split("\n")[0].strip() == render(name, {}).split("\n")[0]


def _sets_nothing(settings: str) -> bool:
    """Return whether a tictactoe.yaml is as it was written: comments, and keys without a value."""
    return all(re.fullmatch(r"\s*(#.*|\w+:)?\s*", line) for line in settings.split("\n"))


def _debs(card: Card, debs: Mapping[str, bytes]) -> Iterator[Change]:
    """Yield what puts these packages on the card, in place of other versions of them."""
    packages = {name.partition("_")[0].lower() for name in debs}
    for name in card.matching("tictactoe/*.deb"):
        file = name.removeprefix("tictactoe/")
        if file.partition("_")[0] in packages and file not in map(str.lower, debs):
            yield from _delete(card, name)
    for file, content in debs.items():
        name = f"tictactoe/{file}"
        if card.read(name, MAX_DEB) != content:
            yield Change(card.names.get(name.lower(), name), content, "write")


def _command_line(card: Card, *, by_systemd: bool) -> str:
    """Return cmdline.txt with the words that are wanted, and without those of ours that are not."""
    text = _text(card, CMDLINE)
    wanted = [word for word in _words() if by_systemd or not word.startswith("systemd.")]
    ours = _our_words(text, card.text(CMDLINE + COPY))
    if set(ours) <= set(wanted) <= set(edits.words(text)):
        return text
    try:
        return edits.add_words(edits.remove_words(text, ours), wanted)
    except ValueError as error:
        raise card.error(CMDLINE, str(error)) from error


def _words() -> list[str]:
    return render(CMDLINE, {}).split()


def _our_words(text: str, copy: str | None) -> list[str]:
    """Return which words of a command line are ours: those that its copy lacks.

    Without a copy, `systemd.run=` of our script; and its companions unless another `systemd.run=` needs them.
    """
    there = edits.words(text)
    ours = [word for word in _words() if word in there]
    if copy is not None:
        return [word for word in ours if word not in edits.words(copy)]
    run = [word for word in there if word.startswith("systemd.run=")]
    if not any(word in ours for word in run):
        return []
    return [word for word in ours if word.startswith("systemd.") and (word in run or len(run) == 1)]


def _seed(card: Card, name: str, values: Mapping[str, str | int | None]) -> list[Change]:
    """Return what makes a file of cloud-init's ours, or adds our part to user-data."""
    template = render(name, values)
    if not card.has(name) or _made(card, name):
        return _replace(card, name, template)
    if name != USER_DATA:
        return []
    ours = template[template.index("\n\n") :]  # what is above the first empty line is about the whole file
    text = _text(card, name)
    combined = combine(_undone(card, name), ours, printable(str(card.path(name))))
    return _edit(card, name, text if edits.same(text, combined) else combined)


def _made(card: Card, name: str) -> bool:
    """Return whether we made a file of cloud-init's: it says what our template says, and is not marked."""

    def meaning(text: str) -> list[str]:
        lines = [line.rstrip() for line in text.split("\n")]
        return [
            line for line in lines if line and not line.lstrip().startswith("#") and "hostname:" not in line
        ]

    if card.has(name + COPY) or _touched(card, name):
        return False
    return meaning(_text(card, name)) == meaning(render(name, {}))


def _restored(card: Card, name: str) -> list[Change]:
    """Return what takes our lines out of a file, or takes away one that we made."""
    if not card.has(name):
        return []
    if name in SEED and _made(card, name):
        return _delete(card, name)
    text = _text(card, name)
    if name == CMDLINE:
        restored = edits.remove_words(text, _our_words(text, card.text(name + COPY)))
    else:
        restored = _undone(card, name)
    return [] if restored == text else [Change(card.names[name.lower()], encode(restored), "restore")]
