"""Switching the machine off, and restarting it: asked of the system's own manager."""

import logging
import subprocess

log = logging.getLogger("tictactoe.power")

COMMANDS = {
    "off": ("systemctl", "--no-ask-password", "poweroff"),
    "restart": ("systemctl", "--no-ask-password", "reboot"),
}
LONGEST = 10.0  # seconds for systemctl to hand the request on


def switch(action: str) -> str:
    """Ask for "off" or "restart". Return "" when it is under way, otherwise the words' key of why not.

    systemctl asks logind, which asks polkit: the service needs no privilege beyond that one permission.
    """
    try:
        done = subprocess.run(COMMANDS[action], capture_output=True, text=True, timeout=LONGEST, check=False)  # noqa: S603 - fixed words
    except (OSError, subprocess.TimeoutExpired) as error:
        log.error("cannot ask systemd to switch %s: %s", action, error)
        return "power_failed"
    if done.returncode:
        log.error("systemd refuses to switch %s: %s", action, " ".join(done.stderr.split()))
        return "power_failed"
    return ""
