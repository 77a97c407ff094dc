"""The directives of the unit, and which of them are its sandbox."""

from machine import CHECKOUT
from probe import PROBES

UNIT = (CHECKOUT / "systemd/tictactoe.service").read_text()
SERVICE = [
    line
    for line in UNIT.partition("[Service]")[2].partition("[Install]")[0].splitlines()
    if "=" in line and not line.startswith("#")
]
# What makes the service what it is, and what lets it reach something: both tested by what the service does.
LIFE = {
    "Type", "NotifyAccess", "ExecStart", "WatchdogSec", "TimeoutAbortSec", "TimeoutStartSec",
    "TimeoutStopSec", "Restart", "RestartSec", "StateDirectoryMode",
}  # fmt: skip
REACH = {"StateDirectory", "RuntimeDirectory", "WorkingDirectory", "BindPaths", "DeviceAllow"}
# These do not forbid, they change what comes of it: each has a test of its own.
CHANGE = {"RemoveIPC=yes", "SystemCallErrorNumber=EPERM", ""}
# These go by control groups with all controllers and by BPF, which a container has not got everywhere: they
# are tried in the virtual machine, under a kernel of our own.
KERNEL = ["DevicePolicy=closed", "IPAddressDeny=any", "MemoryMax=128M", "TasksMax=32"]
CONTAINER = [directive for directive in PROBES if directive not in {*KERNEL, *CHANGE}]
# What the attempt needs besides: where the kernel lets root do it all the same, another user.
NEEDS = {"NoNewPrivileges=yes": ["User=nobody"], "ProtectProc=invisible": ["User=nobody"]}


def name(line):
    """Return the name of a directive."""
    return line.partition("=")[0]


def whole_unit():
    """Return all of the unit that says what its program may do, for a unit named probe."""
    chosen = [line.replace("%t", "/run") for line in SERVICE if name(line) not in LIFE]
    return [line.replace("tictactoe", "probe") if "Directory" in name(line) else line for line in chosen]
