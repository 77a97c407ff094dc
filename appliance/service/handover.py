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

# Of appliance/devicetest/session.py, which the service does not load.
REPORT, SO_FAR = "device-report.txt", "device-report.part"

PATIENCE = 120.0  # seconds: more than a Pi Zero takes to start Python, and than one check runs without a word


def possible(options: Options, environ: Mapping[str, str]) -> bool:
    """Return whether the box offers the device test: systemd has to restart the game after it.

    Visitors of an exhibit are not to start it.
    """
    return "NOTIFY_SOCKET" in environ and options.power and not options.exhibit


def publish(where: str) -> None:
    """Let the report of a device test that crashed, hung or lost its power stand for the whole one."""
    with suppress(OSError):
        Path(where, SO_FAR).replace(Path(where, REPORT))


def command(line: Sequence[str], arguments: Sequence[str], settings: Settings) -> list[str]:
    """Return the device test's command line for a program that was started as `line`, with `arguments`."""
    program = line[1 : len(line) - len(arguments)]
    words = [sys.executable, *program, "device-test", "--box", "--language", settings.language]
    return [*words, *["--turned"] * settings.turned]


def become_device_test(notifier: Notifier, settings: Settings) -> None:
    """Replace this process. Raise `OSError` if that fails."""
    notifier.extend(TESTING, PATIENCE)
    notifier.close()
    words = command(sys.orig_argv, sys.argv[1:], settings)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)  # `Signals` has blocked them, and exec keeps that
    os.execv(words[0], words)  # noqa: S606 - no shell
