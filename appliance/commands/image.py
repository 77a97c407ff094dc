"""`tictactoe image`: what a box that was made from the card image does with its own card, as root."""

import argparse
import errno
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from appliance.card import slots, trial
from appliance.card.status import STATUS, Facts, compose, page, write
from appliance.card.update import BOX, FAILED, Update, install, objection, read, shortage, verify
from appliance.config.schema import CHIPS, Config
from appliance.core.errors import UserError
from appliance.core.words import words
from appliance.service import mistake

HELP = "what a box made from the card image does with its card (its units run this)"

BAD = "update.bad"
RESULT = "update"  # on the data partition: what became of the last update
REPAIRED = "repaired"  # on the data partition: what the initramfs did to that
_SHOWN = 8.0  # seconds


def _command(*words: str) -> str:
    """Run a command and return its output. Raise `OSError` if it fails."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise OSError(errno.EIO, done.stderr.partition("\n")[0])
    return done.stdout


class Box(NamedTuple):
    """The card's two partitions, and how to reach the system around them."""

    boot: Path
    data: Path
    run: Callable[..., str] = _command
    sleep: Callable[[float], object] = time.sleep
    tree: Path = Path("/proc/device-tree")

    @property
    def letter(self) -> str:
        """The letter of the running slot. Raise `UserError` if neither firmware nor config.txt names it."""
        return trial.running(self.boot, self.tree)

    @property
    def model(self) -> str:
        """What this machine is called."""
        return slots.first_line(self.tree / "model") or "machine without a name"

    def display(self) -> Config:
        """Return the configuration of the display, as far as it is valid."""
        return mistake.valid_part([self.boot / "tictactoe.yaml"])

    @contextmanager
    def writable(self) -> Iterator[None]:
        """Remount the boot partition read-write meanwhile. Raise `OSError` if that fails."""
        self.run("mount", "-o", "remount,rw", str(self.boot))
        try:
            yield
        finally:
            with suppress(OSError):  # it was written all the same
                self.run("mount", "-o", "remount,ro", str(self.boot))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `update`, `settle` and `status`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, text in (
        ("update", f"install {BOX} from the boot partition and try it, or rename it to {BAD}"),
        ("settle", "put the running version in force: it has started"),
        ("status", f"write how the box is into {STATUS} on the boot partition"),
    ):
        action = actions.add_parser(name, help=text, description=text)
        for option, place in (("--boot", "/boot/firmware"), ("--data", "/data")):
            where = f"where that partition is mounted; default: {place}"
            action.add_argument(option, type=Path, default=Path(place), metavar="DIR", help=where)


def run(args: argparse.Namespace) -> int:
    """Run the action. Raise `UserError` for what a person can fix, but never for a wrong update."""
    action = {"update": update, "settle": settle, "status": status}[args.action]
    try:
        action(Box(args.boot, args.data))
    except OSError as error:
        remedy = "run it as root on a box that was made from the card image"
        raise UserError(f"image {args.action}: {error.strerror or error}; {remedy}") from error
    return 0


def settle(box: Box) -> None:
    """Put the running slot in force, and remove the update that it came from. Raise `OSError`."""
    letter = box.letter
    if slots.in_force(box.boot) != letter:
        with box.writable():
            slots.flip(box.boot, letter)
            trial.write(box.boot, letter, 0)
        with suppress(OSError, UserError):
            _finish(box, letter)
    print(f"version {_version(box, letter)} is in force")


def status(box: Box) -> None:
    """Write status.txt if it has to tell something else. Raise `OSError` if that cannot be."""
    shown = box.run("systemctl", "show", "-p", "ActiveState", "-p", "StatusText", "tictactoe.service")
    service = dict(line.partition("=")[::2] for line in shown.splitlines())
    letter = box.letter
    update, failed, repaired = (slots.first_line(box.data / name) for name in (RESULT, FAILED, REPAIRED))
    problem = ""
    try:
        slots.in_force(box.boot)
    except UserError as error:
        problem = str(error)
    version = _version(box, letter)
    facts = Facts(letter, version, box.model, service, update, failed, repaired, problem)
    data = page(compose(facts))
    file = box.boot / STATUS
    if not file.exists() or file.stat().st_size != len(data) or file.read_bytes() != data:
        with box.writable():
            write(file, data)


def _version(box: Box, letter: str) -> str:
    slot = slots.installed(box.boot, letter)
    return slot.version if slot else "unknown"


def update(box: Box) -> None:
    """Install update.box and restart; rename one that cannot be installed, so that the box plays on."""
    file = box.boot / BOX
    if not file.exists():
        print(f"{box.boot}: there is no {BOX}")
        return
    try:
        letter = box.letter
        if slots.in_force(box.boot) != letter:
            # The slot in force is the only one that is known to start.
            print(f"{BOX}: the running version is on trial; the update waits for the end of that")
        elif not _finish(box, letter):
            with file.open("rb") as opened:
                _try(box, opened, letter)
    except UserError as error:
        _refuse(box, str(error))
    except OSError as error:
        reason = error.strerror or str(error)
        _refuse(box, f"{BOX}: cannot be installed ({reason}); if that happens again, replace the card")


def _finish(box: Box, letter: str) -> bool:
    """Remove update.box if this slot holds it, and return whether. Raise `UserError` or `OSError`."""
    slot = slots.installed(box.boot, letter)
    with (box.boot / BOX).open("rb") as opened:
        if read(opened).slot != slot or slot is None:
            return False
    _record(box, f"version {slot.version} is installed")
    with suppress(OSError), box.writable():  # if it stays, the next start finds it installed
        slots.remove(box.boot / BOX)
    return True


def _try(box: Box, file: BinaryIO, letter: str) -> None:
    """Install an update beside this slot, and restart to try it. Raise `UserError` or `OSError`."""
    other = "b" if letter == "a" else "a"
    new = read(file)
    _check(box, new, letter, other)
    if slots.installed(box.boot, other) != new.slot:
        _install(box, file, new, other)
    count = trial.starts(box.boot, other) + 1
    if count > trial.STARTS:
        with box.writable():
            slots.remove(box.boot / other / slots.SLOT_JSON)  # nothing goes back to it
        raise UserError(f"{BOX}: version {new.slot.version} did not start in {trial.STARTS} tries")
    with box.writable():
        trial.write(box.boot, other, count)  # before the flag: without the count it would be tried for ever
    _record(box, f"version {new.slot.version} is on trial")
    box.run("busybox", "insmod", trial.MODULE)
    box.run("systemctl", "reboot")


def _check(box: Box, new: Update, letter: str, other: str) -> None:
    """Raise `UserError` if this box refuses a valid update."""
    names = slots.first_line(box.tree / "compatible").split("\0")
    back = other if slots.installed(box.boot, other) else ""
    sentence = objection(new.slot, slots.installed(box.boot, letter), back, names, box.model)
    if sentence:
        raise UserError(sentence)


def _install(box: Box, file: BinaryIO, new: Update, other: str) -> None:
    """Install an update into the other slot. Raise `UserError` or `OSError` if that cannot be done."""
    sentence = shortage(new.slot, box.boot / other)
    if sentence:
        raise UserError(sentence)
    spoken = words(box.display().settings.language)
    _show(box, spoken["may_unplug"], spoken["updating"])
    verify(file, new)
    with box.writable():
        install(file, new, box.boot, box.data, other)


def _refuse(box: Box, sentence: str) -> None:
    """Rename update.box, and report why, as far as the card can be written."""
    _record(box, sentence)
    with suppress(OSError), box.writable():
        slots.remove(box.boot / BAD)  # rename(2) replaces no folder
        (box.boot / BOX).replace(box.boot / BAD)
        slots.sync(box.boot)
    with suppress(OSError, UserError):
        status(box)
    _show(box, sentence, "no update")
    box.sleep(_SHOWN)


def _show(box: Box, sentence: str, title: str) -> None:
    """Show a page if the display's driver is ours: root imports no code that the card names."""
    config = box.display()
    if config.display.driver in CHIPS:
        mistake.show(sentence, config, title)


def _record(box: Box, result: str) -> None:
    """Log what became of an update, and keep it for status.txt."""
    print(result)
    with suppress(OSError):
        slots.replace(box.data / RESULT, f"{result}\n")
