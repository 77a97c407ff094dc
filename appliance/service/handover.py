"""The service's process becomes the device test: the same unit, so the same user, sandbox, pins and bus.

However the device test ends, or crashes, the unit's Restart=always brings the game back. If it hangs,
systemd's watchdog ends it; that waits for longer than for the game, since a person has to be waited for.
"""

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from appliance.core.session.settings import Options, Settings
from appliance.devices.systemd import TESTING, Notifier
from appliance.service.signals import ENDING
from appliance.storage.files import first_line

# A suspended device test: appliance/devicetest/resume.py, which the service does not load.
SUSPENDED, RESTART = "device-test", "restart"
CLAIMED = "device-test.resumed"
REPORT, SO_FAR = "device-report.txt", "device-report.part"  # of appliance/devicetest/session.py
BOOT = Path("/proc/sys/kernel/random/boot_id")
SHOWN = 20.0  # seconds that the game is shown before such a test goes on: the person looks at the board

PATIENCE = 120.0  # seconds: more than a Pi Zero takes to start Python, and than one check runs without a word


def possible(options: Options, environ: Mapping[str, str]) -> bool:
    """Return whether the box offers the device test: systemd has to restart the game after it.

    Visitors of an exhibit are not to start it.
    """
    return "NOTIFY_SOCKET" in environ and options.power and not options.exhibit


def resumes(where: str, boot: Path = BOOT) -> bool:
    """Return whether a device test, suspended in the directory `where`, is to go on after this start."""
    first = first_line(Path(where, SUSPENDED)) if where else ""
    return first == RESTART or first not in {"", first_line(boot)}


def publish(where: str) -> None:
    """Let the report of a device test that crashed, hung or lost its power stand for the whole one."""
    with suppress(OSError):
        Path(where, SO_FAR).replace(Path(where, REPORT))


def claim(where: str) -> bool:
    """Rename the suspended test in `where` for the process that goes on with it; return whether it was done.

    However that process ends, no later start goes on with it again. On a card that cannot be written, which
    would keep the file for ever, none does.
    """
    try:
        Path(where, SUSPENDED).replace(Path(where, CLAIMED))
    except OSError:
        return False
    return True


def command(
    line: Sequence[str], arguments: Sequence[str], settings: Settings, *, resume: bool = False
) -> list[str]:
    """Return the device test's command line for a program that was started as `line`, with `arguments`."""
    program = line[1 : len(line) - len(arguments)]
    words = [sys.executable, *program, "device-test", "--box", "--language", settings.language]
    return [*words, *["--turned"] * settings.turned, *["--resume"] * resume]


def become_device_test(notifier: Notifier, settings: Settings, *, resume: bool) -> None:
    """Replace this process. Raise `OSError` if that fails."""
    notifier.extend(TESTING, PATIENCE)
    notifier.close()
    words = command(sys.orig_argv, sys.argv[1:], settings, resume=resume)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)  # `Signals` has blocked them, and exec keeps that
    os.execv(words[0], words)  # noqa: S606 - no shell
