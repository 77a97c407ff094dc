"""Notify systemd of readiness, status and life, in the datagrams that sd_notify(3) describes."""

import contextlib
import os
import socket
from collections.abc import Mapping


def watchdog(environ: Mapping[str, str] = os.environ) -> float | None:
    """Return WatchdogSec= in seconds, None without a watchdog."""
    microseconds = environ.get("WATCHDOG_USEC", "")
    ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(microseconds) / 1e6 if microseconds.isdecimal() and ours else None


class Notifier:
    """Sends notifications to systemd; does nothing unless systemd asked for them.

    `environ` says whether and where: NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID. `interval` is WatchdogSec=
    in seconds, None without a watchdog.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._socket = (
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) if address else None
        )
        self._status = ""
        self._ready = False
        self.interval = watchdog(environ)

    @property
    def enabled(self) -> bool:
        """Whether systemd asked for notifications."""
        return self._socket is not None

    def alive(self, status: str) -> None:
        """Feed the watchdog; the first time, also report readiness."""
        message = "WATCHDOG=1"
        if not self._ready:
            message = "READY=1\n" + message
        if status != self._status:
            message += f"\nSTATUS={status}"
        if self._send(message):
            self._ready, self._status = True, status

    def waiting(self, status: str, seconds: float) -> None:
        """Report why the service is not ready, and ask for so many more seconds."""
        self._send(f"STATUS={status}\nEXTEND_TIMEOUT_USEC={seconds * 1e6:.0f}")

    def stopping(self, status: str) -> None:
        """Report that the service ends."""
        self._send(f"STOPPING=1\nSTATUS={status}")

    def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, message: str) -> bool:
        """Send without blocking; return whether it was sent, so that a later message can make up for it."""
        if self._socket is not None:
            # systemd may be restarting, or busy with a full queue.
            with contextlib.suppress(OSError):
                self._socket.sendto(message.encode(), socket.MSG_DONTWAIT, self._address)
                return True
        return False
