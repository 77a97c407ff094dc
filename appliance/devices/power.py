"""Power off and reboot, requested from systemd without blocking the caller."""

import logging
import os
import threading
import time
from collections.abc import Callable

log = logging.getLogger("tictactoe.power")

COMMANDS = {
    "off": ("systemctl", "--no-ask-password", "poweroff"),
    "restart": ("systemctl", "--no-ask-password", "reboot"),
}
LIMIT = 10.0  # seconds for systemctl to pass the request on
POLL = 0.1  # seconds


def switch(action: str, refuse: Callable[[str], object]) -> None:
    """Request "off" or "restart" and return at once; if it fails, call `refuse` with a key of the words.

    systemctl asks logind, which asks polkit: the service needs no privilege beyond that one permission. A
    thread waits for the reply, and calls `refuse`.
    """
    threading.Thread(target=_switch, args=(action, refuse), name="power", daemon=True).start()


def _switch(action: str, refuse: Callable[[str], object]) -> None:
    try:
        status = _run(COMMANDS[action])
    except OSError as error:
        log.error("cannot run systemctl to switch %s: %s", action, error)
        refuse("power_failed")
        return
    if status:
        log.error("systemd refuses to switch %s: %s", action, status)
        refuse("power_failed")


def _run(command: tuple[str, ...]) -> str:
    """Run a command; return "" if it succeeded, else why not. Its own messages go to our standard error.

    posix_spawn, since the child must not inherit our blocked signals (`appliance.signals`).
    """
    pid = os.posix_spawnp(command[0], command, os.environ, setsigmask=())
    deadline = time.monotonic() + LIMIT
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return f"{command[0]} ended with status {code}" if code else ""
        if time.monotonic() >= deadline:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
            return f"no reply within {LIMIT:.0f} s"
        time.sleep(POLL)
