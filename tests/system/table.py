"""The unit's directives, and those of them that are its sandbox."""

from machine import CHECKOUT
from probe import PROBES

UNIT = (CHECKOUT / "systemd/tictactoe.service").read_text()
SERVICE = [
    line
    for line in UNIT.partition("[Service]")[2].partition("[Install]")[0].splitlines()
    if "=" in line and not line.startswith("#")
]
# Directives that define the service or give it access: tested by what the service does.
LIFE = {
    "Type", "NotifyAccess", "ExecStart", "WatchdogSec", "TimeoutAbortSec", "TimeoutStartSec",
    "TimeoutStopSec", "Restart", "RestartSec", "StateDirectoryMode",
}  # fmt: skip
REACH = {"StateDirectory", "RuntimeDirectory", "WorkingDirectory", "BindPaths", "DeviceAllow"}
# These do not forbid anything but change a result: each has its own test.
CHANGE = {"RemoveIPC=yes", "SystemCallErrorNumber=EPERM", ""}
# These need control groups with all controllers, and BPF, which not every container has: they are tested in
# the virtual machine, under our own kernel.
KERNEL = ["DevicePolicy=closed", "IPAddressDeny=any", "MemoryMax=128M", "TasksMax=32"]
CONTAINER = [directive for directive in PROBES if directive not in {*KERNEL, *CHANGE}]
# What else the attempt needs: another user, where the kernel lets root do it anyway.
NEEDS = {"NoNewPrivileges=yes": ["User=nobody"], "ProtectProc=invisible": ["User=nobody"]}


def name(line):
    """Return the name of a directive."""
    return line.partition("=")[0]


def whole_unit():
    """Return the unit's directives on what its program may do, for a unit named probe."""
    chosen = [line.replace("%t", "/run") for line in SERVICE if name(line) not in LIFE]
    return [line.replace("tictactoe", "probe") if "Directory" in name(line) else line for line in chosen]
