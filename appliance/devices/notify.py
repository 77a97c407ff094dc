"""sd_notify and the watchdog: what systemd is told, in the datagrams that sd_notify(3) describes."""

import contextlib
import os
import socket
from collections.abc import Mapping


class Notifier:
    """Tells systemd how the service is. Does nothing where systemd did not ask to be told.

    `environ` is where systemd says whether and how: NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._socket = (
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) if address else None
        )
        self._status = ""
        self._ready = False
        microseconds = environ.get("WATCHDOG_USEC", "")
        meant = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.interval: float | None = int(microseconds) / 1e6 if microseconds.isdecimal() and meant else None

    def alive(self, status: str) -> None:
        """Tell that a turn of the main loop has been completed; the first time that is being ready."""
        message = "WATCHDOG=1"
        if not self._ready:
            message = "READY=1\n" + message
            self._ready = True
        if status != self._status:
            message += f"\nSTATUS={status}"
            self._status = status
        self._send(message)

    @property
    def heard(self) -> bool:
        """Whether systemd asked to be told."""
        return self._socket is not None

    def waiting(self, status: str, seconds: float) -> None:
        """Tell why the service is not ready, and that it may take so many seconds more without a word."""
        self._send(f"STATUS={status}\nEXTEND_TIMEOUT_USEC={seconds * 1e6:.0f}")

    def stopping(self, status: str) -> None:
        """Tell that the service ends."""
        self._send(f"STOPPING=1\nSTATUS={status}")

    def close(self) -> None:
        """Let the socket go."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, message: str) -> None:
        if self._socket is not None:
            # systemd may be restarting itself: the next message will reach it.
            with contextlib.suppress(OSError):
                self._socket.sendto(message.encode(), self._address)
