"""Explain in one sentence why a device cannot be used, and how to fix missing permissions."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from appliance.core.errors import UserError

REPAIR = "sudo dpkg-reconfigure tictactoe-appliance"  # creates groups and members, and gives them the devices


class NoAccess(UserError):  # noqa: N818 - a state of things, like the other errors here
    """A device exists, but this process has no permission to open it."""


def refusal(path: Path, group: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return one sentence: why `path` cannot be opened, and the remedy.

    A udev rule gives the device to `group`. `environ` shows whether systemd started this process.
    """
    import grp  # noqa: PLC0415 - missing on some systems that simulate, and rarely needed
    import pwd  # noqa: PLC0415 - as above

    denied = f"permission denied on {path}"
    try:
        found = grp.getgrnam(group)
    except KeyError:
        return f"{denied}: there is no group {group}: {REPAIR} creates it"
    user = str(os.getuid())
    with suppress(KeyError):
        user = pwd.getpwuid(os.getuid()).pw_name
    again = "sudo systemctl restart tictactoe" if "NOTIFY_SOCKET" in environ else "log in again"
    if user not in found.gr_mem and os.getgid() != found.gr_gid:
        return f"{denied}: {user} is not in the group {group}: sudo usermod -aG {group} {user}, then {again}"
    with suppress(OSError):
        if path.stat().st_gid == found.gr_gid:
            return f"{denied}: {user} joined the group {group} after this session began: {again}"
    # Inside the service every group but its own shows as "nobody", so the device may belong to the right one.
    return f"{denied}: it does not belong to the group {group}: {REPAIR}, or reboot"


def message(error: Exception) -> str:
    """Return an error's message on one line, or its type's name if it has none."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split()) or type(error).__name__
