"""Why a device file cannot be opened, as a sentence with the remedy."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from appliance.errors import UserError

REPAIR = "sudo dpkg-reconfigure tictactoe-appliance"  # creates groups and members, and gives them the devices

ABSENT = "absent"  # the file's name


class Refused(UserError):  # noqa: N818 - as the others: it is a state of things
    """A device exists, and this process must not open it."""


def refusal(path: Path, group: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return why `path` cannot be opened, and the remedy, as one sentence.

    `group` should own the device: a udev rule sees to it. `environ` shows whether systemd runs us.
    """
    import grp  # noqa: PLC0415 - not there on every system that simulates, and hardly ever needed

    denied = f"permission denied on {path}"
    try:
        found = grp.getgrnam(group)
    except KeyError:
        return f"{denied}: there is no group {group}: {REPAIR} creates it"
    user, own_group = _user()
    again = "sudo systemctl restart tictactoe" if "NOTIFY_SOCKET" in environ else "log in again"
    if user not in found.gr_mem and own_group != found.gr_gid:
        return f"{denied}: {user} is not in the group {group}: sudo usermod -aG {group} {user}, then {again}"
    with suppress(OSError):
        if path.stat().st_gid == found.gr_gid:
            return f"{denied}: {user} joined the group {group} after this session began: {again}"
    # In the service every group but its own looks like "nobody", so the device may belong to the right one.
    return f"{denied}: it does not belong to the group {group}: {REPAIR}, or reboot"


def note_absent(names: Iterable[str], environ: Mapping[str, str], directory: Path = Path("/dev")) -> None:
    """Write which of these devices do not exist to the file `absent` in the run-time directory, one a line.

    The service sees only devices that existed when it started. When one appears later,
    `tictactoe-late@.service` looks it up in that file, and restarts the service if it is listed. `environ`
    names the run-time directory; without one, as outside the service, nothing is written.
    """
    where = environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    if where:
        absent = [name for name in names if not (directory / name).exists()]
        with suppress(OSError):
            Path(where, ABSENT).write_text("".join(f"{name}\n" for name in absent))


def _user() -> tuple[str, int]:
    """Return the user's name and primary group."""
    import pwd  # noqa: PLC0415 - likewise

    try:
        found = pwd.getpwuid(os.getuid())
    except KeyError:
        return str(os.getuid()), os.getgid()
    return found.pw_name, found.pw_gid
