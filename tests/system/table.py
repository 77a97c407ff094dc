"""The directives of the unit's sandbox, and what is tried to see that each one works."""

from machine import CHECKOUT

UNIT = (CHECKOUT / "systemd/tictactoe.service").read_text()
SERVICE = [
    tuple(line.split("=", 1))
    for line in UNIT.partition("[Service]")[2].partition("[Install]")[0].splitlines()
    if "=" in line and not line.startswith("#")
]
NAMES = {name for name, _ in SERVICE}

# What makes the service what it is, or lets it reach something: tested by what the service does.
NO_SANDBOX = {
    "Type", "NotifyAccess", "ExecStart", "WatchdogSec", "TimeoutAbortSec", "TimeoutStartSec",
    "TimeoutStopSec", "Restart", "RestartSec", "StateDirectory", "StateDirectoryMode", "RuntimeDirectory",
    "WorkingDirectory", "BindPaths", "DeviceAllow",
}  # fmt: skip

# The directive as it stands in the unit, what is tried, and what the trial needs besides to succeed without
# it. A directive that the kernel applies in the name of root only is tried as root.
PROBES = [
    ("User=tictactoe", "user", ()),
    ("UMask=0077", "umask", ()),
    ("PrivateDevices=yes", "make_device", ()),
    ("DevicePolicy=closed", "open_device", ()),
    ("PrivateNetwork=yes", "connect", ()),
    ("IPAddressDeny=any", "connect", ()),
    ("RestrictAddressFamilies=AF_UNIX", "inet_socket", ()),
    ("NoNewPrivileges=yes", "set_uid_program", ("User=nobody",)),
    ("CapabilityBoundingSet=", "capability", ()),
    ("RestrictSUIDSGID=yes", "set_uid_bit", ()),
    ("PrivateUsers=yes", "capability", ()),
    ("ProtectSystem=strict", "write_system", ()),
    ("ProtectHome=yes", "read_home", ()),
    ("PrivateTmp=yes", "shared_tmp", ()),
    ("PrivateMounts=yes", "mount_namespace", ()),
    ("PrivateIPC=yes", "ipc_namespace", ()),
    ("ProtectProc=invisible", "see_others", ("User=nobody",)),
    ("ProtectClock=yes", "set_clock", ()),
    ("ProtectControlGroups=yes", "control_groups", ()),
    ("ProtectHostname=yes", "host_name", ()),
    ("ProtectKernelLogs=yes", "kernel_log", ()),
    ("ProtectKernelModules=yes", "kernel_modules", ()),
    ("ProtectKernelTunables=yes", "kernel_tunables", ()),
    ("LockPersonality=yes", "personality", ()),
    ("MemoryDenyWriteExecute=yes", "writable_code", ()),
    ("RestrictNamespaces=yes", "namespaces", ()),
    ("RestrictRealtime=yes", "realtime", ()),
    ("SystemCallArchitectures=native", "other_architecture", ()),
    ("SystemCallFilter=@system-service", "debugging", ()),
    ("SystemCallFilter=~@privileged @resources", "priority", ()),
    ("MemoryMax=128M", "memory", ()),
    ("TasksMax=32", "threads", ()),
    ("LimitCORE=0", "core_file", ()),
]

# These go by control groups with all controllers and by BPF, which a container has not got everywhere: they
# are tried in the virtual machine, under a kernel of our own.
_BY_CONTROL_GROUP = {"DevicePolicy=closed", "IPAddressDeny=any", "MemoryMax=128M", "TasksMax=32"}
KERNEL = [row for row in PROBES if row[0] in _BY_CONTROL_GROUP]
CONTAINER = [row for row in PROBES if row[0] not in _BY_CONTROL_GROUP]


def whole_unit():
    """Return all of the unit that says what its program may do."""
    functional = NO_SANDBOX - {
        "StateDirectory",
        "RuntimeDirectory",
        "WorkingDirectory",
        "BindPaths",
        "DeviceAllow",
    }
    chosen = [(name, value.replace("%t", "/run")) for name, value in SERVICE if name not in functional]
    return [
        (name, value.replace("tictactoe", "probe") if "Directory" in name else value)
        for name, value in chosen
    ]
