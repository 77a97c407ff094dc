"""Why the file of a device may not be opened, as a sentence for the person who can put it right."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from appliance.errors import UserError

REPAIR = "sudo dpkg-reconfigure tictactoe-appliance"  # makes groups and members, and gives them the devices

ABSENT = "absent"  # the file's name


class Refused(UserError):  # noqa: N818 - as the others: it is a state of things
    """A device is there, and this process may not open it."""


def refusal(path: Path, group: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return what is missing for opening `path`, and the remedy, as one sentence.

    `group` is whose the device should be: udev's rules give it away. `environ` tells whether systemd runs us.
    """
    import grp  # noqa: PLC0415 - not there on every system that simulates, and hardly ever needed

    told = f"permission denied on {path}"
    try:
        found = grp.getgrnam(group)
    except KeyError:
        return f"{told}: there is no group {group}: {REPAIR} makes it, and gives it the device"
    user, own_group = _user()
    again = "sudo systemctl restart tictactoe" if "NOTIFY_SOCKET" in environ else "log in again"
    if user not in found.gr_mem and own_group != found.gr_gid:
        return f"{told}: be in the group {group} (sudo usermod -aG {group} {user}, then {again})"
    with suppress(OSError):
        if path.stat().st_gid == found.gr_gid:
            return f"{told}: {user} has become a member of the group {group} only now: {again}"
    # In the service every group but its own has the number of "nobody": then, too, it is the device's.
    return f"{told}: it is not given to the group {group}: {REPAIR}, or restart the machine"


def note_absent(names: Iterable[str], environ: Mapping[str, str], directory: Path = Path("/dev")) -> None:
    """Write the devices of these names that are not there into the file `absent`, one a line.

    The service sees the devices that there were when it started. `tictactoe-late@.service` reads the file
    when one comes later, and has the service started again if it is one of these. `environ` names the
    run-time directory; a box that is no service has none.
    """
    where = environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    if where:
        absent = [name for name in names if not (directory / name).exists()]
        with suppress(OSError):
            Path(where, ABSENT).write_text("".join(f"{name}\n" for name in absent))


def _user() -> tuple[str, int]:
    """Return the name and the first group of whoever runs this."""
    import pwd  # noqa: PLC0415 - likewise

    try:
        found = pwd.getpwuid(os.getuid())
    except KeyError:
        return str(os.getuid()), os.getgid()
    return found.pw_name, found.pw_gid
