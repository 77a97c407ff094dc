"""Talk to systemd: notifications (sd_notify(3)), files in /run, power requests."""

import logging
import os
import socket
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from appliance.core.errors import printable

log = logging.getLogger("tictactoe.power")

ABSENT = "absent"  # the file's name
MAX_STATUS = 900  # characters: systemd drops a message of 4 KB or more, and what feeds the watchdog with it
POWER = {"off": "poweroff", "restart": "reboot"}  # systemctl's names


def watchdog(environ: Mapping[str, str] = os.environ) -> float | None:
    """Return the unit's WatchdogSec= in seconds, None without a watchdog."""
    microseconds = environ.get("WATCHDOG_USEC", "")
    ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(microseconds) / 1e6 if microseconds.isdecimal() and ours else None


def _fit(status: str) -> str:
    """Return a status as a message holds it: printable, on one line, and not too long."""
    return printable(status)[:MAX_STATUS]


class Notifier:
    """Sends notifications to the socket in `environ`'s NOTIFY_SOCKET; without one it does nothing."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        self.enabled = bool(address)  # whether systemd asked for notifications
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) if address else None
        self._status = ""
        self._ready = False

    def alive(self, status: str) -> None:
        """Feed the watchdog; the first time, also report readiness."""
        message = "WATCHDOG=1"
        if not self._ready:
            message = "READY=1\n" + message
        if status != self._status:
            message += f"\nSTATUS={_fit(status)}"
        if self._send(message):
            self._ready, self._status = True, status

    def waiting(self, status: str, seconds: float) -> None:
        """Report why the service is not ready yet, and extend its start timeout by `seconds`."""
        self._send(f"STATUS={_fit(status)}\nEXTEND_TIMEOUT_USEC={seconds * 1e6:.0f}")

    def stopping(self, status: str) -> None:
        """Report that the service is stopping."""
        self._send(f"STOPPING=1\nSTATUS={_fit(status)}")

    def close(self) -> None:
        """Close the socket; later notifications are dropped."""
        if self._socket is not None:
            self._socket.close()

    def _send(self, message: str) -> bool:
        """Send without blocking; return whether it was sent, so that a later message can repeat it."""
        if self._socket is not None:
            # systemd may be restarting, or its queue full.
            with suppress(OSError):
                self._socket.sendto(message.encode(), socket.MSG_DONTWAIT, self._address)
                return True
        return False


def note_absent(names: Iterable[str], environ: Mapping[str, str], directory: Path = Path("/dev")) -> None:
    """List those of these devices that do not exist in the file `absent`, one a line.

    The service sees only devices that existed when it started. When one appears later,
    `tictactoe-late@.service` looks it up in that file, and restarts the service if it is listed.
    """
    note(ABSENT, (name for name in names if not (directory / name).exists()), environ)


def note(name: str, lines: Iterable[str], environ: Mapping[str, str]) -> None:
    """Write a file in the runtime directory that `environ` names; without one, as outside the service, no-op.

    Readers see the old file or the new one. Errors are ignored: they are no reason to stop the game.
    """
    where = environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    if where:
        fresh = Path(where, f"{name}.new")
        with suppress(OSError):
            fresh.write_bytes("".join(f"{line}\n" for line in lines).encode(errors="replace"))
            fresh.replace(fresh.with_name(name))


def switch(action: str, refuse: Callable[[str], object]) -> None:
    """Request "off" or "restart" and return at once; on failure call `refuse` with a key of the words.

    systemctl asks logind, which asks polkit: the service needs no other privilege. A thread waits for the
    reply, and calls `refuse`. systemctl times out by itself if nobody replies.
    """
    threading.Thread(target=_switch, args=(action, refuse), name="power", daemon=True).start()


def _switch(action: str, refuse: Callable[[str], object]) -> None:
    command = ("systemctl", "--no-ask-password", POWER[action])
    try:
        # posix_spawn, since the child must not inherit our blocked signals (`appliance.service.signals`).
        _, status = os.waitpid(os.posix_spawnp(command[0], command, os.environ, setsigmask=()), 0)
        reason = f"systemctl ended with status {os.waitstatus_to_exitcode(status)}" if status else ""
    except OSError as error:
        reason = f"cannot run systemctl: {error}"
    if reason:
        log.error("cannot switch %s: %s", action, reason)
        refuse("did_not_work")
