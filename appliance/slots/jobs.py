"""Root's jobs on the box's own card: try an update, keep the running version, write status.txt."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from appliance.config.schema import CHIPS, Config
from appliance.core.errors import UserError, printable
from appliance.core.problems import Problem
from appliance.core.words import words
from appliance.service import health, mistake
from appliance.slots import manifest, pair, trial
from appliance.slots.box import Box
from appliance.slots.status import STATUS, Facts, status_file, write_in_place
from appliance.slots.update import (
    FAILED_FILE,
    CountBytes,
    UnfitError,
    Update,
    check_fit,
    check_room,
    install,
    offered,
    read_update,
    verify,
)
from appliance.storage import files

BAD = ".bad"  # takes the place of .box in the name of an update that was refused
RESULT = "update"  # on the data partition: the result of the last update
REPAIRED = "repaired"  # on the data partition: how the initramfs repaired that partition
_NO_FLAG = (
    "cannot be tried: the firmware refused (%s); "
    "update the EEPROM of a 4 or 5, or write the new image to the card"
)


def settle(box: Box) -> None:
    """Activate the running slot, and remove its update. Raise `OSError` if the card cannot be written."""
    letter = box.letter
    if pair.in_force(box.boot) != letter:
        with box.writable():
            pair.flip(box.boot, letter)
            trial.write(box.boot, letter, 0)
        for file in offered(box.boot):
            with suppress(OSError, UserError):
                _finish(box, file, letter)
    print(f"version {_version(box, letter)} is active")


def status(box: Box) -> None:
    """Write status.txt if its content changes. Raise `OSError` if that fails."""
    shown = box.run("systemctl", "show", "-p", "ActiveState", "-p", "StatusText", "tictactoe.service")
    service = dict(line.partition("=")[::2] for line in shown.splitlines())
    problems = health.read(box.runtime)
    letter = box.letter
    update, failed, repaired = (files.first_line(box.data / name) for name in (RESULT, FAILED_FILE, REPAIRED))
    wrong = ""
    try:
        pair.in_force(box.boot)
    except UserError as error:
        wrong = str(error)
    version = _version(box, letter)
    data = status_file(Facts(letter, version, box.model, service, problems, update, failed, repaired, wrong))
    file = box.boot / STATUS
    if files.differs(file, data):
        with box.writable():
            write_in_place(file, data)


def _version(box: Box, letter: str) -> str:
    slot = pair.installed(box.boot, letter)
    return slot.version if slot else "unknown"


def update(box: Box) -> None:
    """Install an update and restart; rename one that cannot be installed, so that the box still plays."""
    offers = offered(box.boot)
    if len(offers) != 1:
        if offers:
            names = ", ".join(file.name for file in offers)
            _refuse(box, offers, f"{names}: are several updates; copy only the one for this box")
        else:
            print(printable(f"{box.boot}: there is no update"))
        return
    [file] = offers
    if file.is_dir():
        _refuse(box, offers, f"{file.name}: is a folder; copy the update itself to the card")
        return
    try:
        letter = box.letter
        if pair.in_force(box.boot) != letter:
            # An update would overwrite the active slot, the only one that is known to start.
            print(printable(f"{file.name}: waits until the trial of the running version ends"))
        elif not _finish(box, file, letter):
            with file.open("rb") as opened:
                _try(box, opened, letter)
    except UnfitError as error:
        _refuse(box, offers, f"{file.name}: {error}")
    except UserError as error:
        _refuse(box, offers, str(error))
    except OSError as error:
        reason = error.strerror or str(error)
        sentence = f"cannot be installed ({reason}); if that happens again, replace the card"
        _refuse(box, offers, f"{file.name}: {sentence}")


def _finish(box: Box, file: Path, letter: str) -> bool:
    """Remove an update if it is what this slot holds; return whether. Raise `UserError` or `OSError`."""
    slot = pair.installed(box.boot, letter)
    with file.open("rb") as opened:
        if read_update(opened).slot != slot or slot is None:
            return False
    _record(box, f"version {slot.version} is installed")
    with suppress(OSError), box.writable():  # if it stays, the next start finds it installed
        files.remove(file)
    return True


def _try(box: Box, file: BinaryIO, letter: str) -> None:
    """Install an update beside this slot, and restart to try it. Raise `UserError` or `OSError`."""
    other = "b" if letter == "a" else "a"
    new = read_update(file)
    names = files.first_line(box.tree / "compatible").split("\0")
    now, there = pair.installed(box.boot, letter), pair.installed(box.boot, other)
    check_fit(new.slot, now, other if there else "", names, box.model)
    if there != new.slot or pair.faults(box.boot, other):
        _install(box, file, new, other)
    count = trial.starts(box.boot, other) + 1
    if count > trial.STARTS:
        with box.writable():
            files.remove(box.boot / other / manifest.SLOT_JSON)  # so nothing falls back to it
        raise UnfitError(f"version {new.slot.version} did not start in {trial.STARTS} tries")
    with box.writable():
        trial.write(box.boot, other, count)  # before the flag: without the count it would be retried forever
    _record(box, f"version {new.slot.version} is on trial")
    try:
        box.run("busybox", "insmod", trial.MODULE)
    except OSError as error:  # a 5 may refuse: github.com/raspberrypi/linux/issues/7230
        with box.writable():
            trial.write(box.boot, other, count - 1)  # this was no start
        raise UnfitError(_NO_FLAG % error.strerror) from error
    box.run("systemctl", "reboot")


def _install(box: Box, file: BinaryIO, new: Update, other: str) -> None:
    """Install an update into the other slot. Raise `UserError` or `OSError` if that fails."""
    check_room(new.slot, box.boot / other)
    step = _progress(box.display(), 3 * sum(member.size for member in new.members.values()))
    verify(file, new, step)
    with box.writable():
        install(file, new, box.boot, box.data, other, step)


def _progress(config: Config, total: int) -> CountBytes:
    """Show that an update has begun; return what counts its bytes, and shows every 5 % how far it is.

    A display that does not answer is not tried again: on a hanging bus each picture would cost seconds.
    """
    spoken, done, shown = words(config.settings.language), 0, -1

    def step(count: int) -> None:
        nonlocal done, shown
        done += count
        percent = 5 * (20 * done // max(total, 1))
        if percent > shown:
            silent = _show(config, spoken["may_unplug"], spoken["updating"].format(percent=percent))
            shown = 100 if silent else percent

    step(0)
    return step


def _refuse(box: Box, offers: Sequence[Path], sentence: str) -> None:
    """Rename these updates and report why; if the card cannot be written, only show it."""
    sentence = printable(sentence)
    _record(box, sentence)
    with suppress(OSError), box.writable():
        for file in offers:
            bad = file.with_suffix(BAD)
            files.remove(bad)  # rename(2) replaces no folder
            file.replace(bad)
        files.sync(box.boot)
    with suppress(OSError, UserError):
        status(box)
    config = box.display()
    if config.display.driver in CHIPS:
        mistake.turn(mistake.pages([UserError(sentence)], config, "no update"), config, box.sleep)


def _show(config: Config, sentence: str, title: str) -> Problem | None:
    """Show a page, or return why that failed; nothing is shown if the display's driver is not ours.

    Root must not import code that the card names.
    """
    return mistake.show(sentence, config, title) if config.display.driver in CHIPS else None


def _record(box: Box, result: str) -> None:
    """Log an update's result, and store it for status.txt."""
    print(result)
    with suppress(OSError):
        files.replace(box.data / RESULT, f"{result}\n".encode())
        files.sync(box.data)
