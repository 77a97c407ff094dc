"""Attempt what each directive of the unit's sandbox forbids: `probe.py DIRECTIVE`.

Runs in the machine under test, with its own Python and only the standard library. Exit status 0 if the
attempt succeeded: it raised nothing, and did not return False.
"""

import ctypes
import errno
import os
import resource
import socket
import stat
import sys
import tempfile
import threading
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
UNSHARE_UTS = 0x04000000
DELETE_MODULE = 176  # on x86-64
X32 = 0x40000000
ADD_GROUP = 0x0008  # an argument of personality() that has no effect here
KERNEL_LOG_SIZE = 10


def call(name, *arguments):
    """Call a function of libc; raise OSError if it returns -1."""
    if getattr(LIBC, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)


def is_the_machine_s(namespace):
    """Return whether this process shares the machine's namespace of a kind."""
    ours = str(Path(f"/proc/self/ns/{namespace}").readlink())
    return ours == Path(f"/srv/ns/{namespace}").read_text().strip()


def scratch():
    """Create a file of our own, wherever possible, and return it."""
    handle, name = tempfile.mkstemp()
    os.close(handle)
    return Path(name)


def umask():
    path = Path(tempfile.gettempdir(), f"umask{os.getpid()}")
    path.touch(0o666)
    return bool(path.stat().st_mode & 0o077)


def connect():
    socket.create_connection(("127.0.0.1", 8099), timeout=3).close()


def capability():
    os.chown(scratch(), 12345, 12345)


def delete_module():
    LIBC.syscall(DELETE_MODULE, b"no-such-module", 0)
    return ctypes.get_errno() != errno.EPERM


def kernel_tunable():
    path = Path("/proc/sys/net/ipv4/ip_default_ttl")
    path.write_text(path.read_text())


def writable_code():
    LIBC.mmap.restype = ctypes.c_ssize_t
    call("mmap", None, ctypes.c_size_t(4096), 7, 0x22, -1, ctypes.c_long(0))


def memory():
    block = bytearray(300 << 20)
    for at in range(0, len(block), 4096):
        block[at] = 1


def threads():
    event = threading.Event()
    for _ in range(60):
        threading.Thread(target=event.wait, daemon=True).start()


PROBES = {
    "User=tictactoe": lambda: os.getuid() == 0,
    "UMask=0077": umask,
    "PrivateDevices=yes": lambda: os.mknod("/dev/probe", stat.S_IFCHR | 0o600, os.makedev(1, 3)),
    "DevicePolicy=closed": lambda: os.open("/dev/kmsg", os.O_WRONLY),  # on no list
    "PrivateNetwork=yes": connect,
    "IPAddressDeny=any": connect,
    "RestrictAddressFamilies=AF_UNIX": lambda: socket.socket(socket.AF_INET).close(),
    "NoNewPrivileges=yes": lambda: os.popen("/srv/lib/whoami").read().strip() == "0",  # noqa: S605
    "CapabilityBoundingSet=": capability,
    "RestrictSUIDSGID=yes": lambda: scratch().chmod(0o4755),
    "PrivateUsers=yes": capability,
    "ProtectSystem=strict": lambda: Path("/usr/share/probe").touch(),
    "ProtectHome=yes": lambda: Path("/root/secret").read_text(),
    "PrivateTmp=yes": lambda: Path("/tmp/of-the-machine").read_text(),  # noqa: S108
    "PrivateMounts=yes": lambda: is_the_machine_s("mnt"),
    "PrivateIPC=yes": lambda: is_the_machine_s("ipc"),
    "ProtectProc=invisible": lambda: Path("/proc/1/status").read_text(),
    "ProtectClock=yes": lambda: call("adjtimex", ctypes.create_string_buffer(512)),  # only reads
    "ProtectControlGroups=yes": lambda: Path(f"/sys/fs/cgroup/probe{os.getpid()}").mkdir(),
    "ProtectHostname=yes": lambda: socket.sethostname(socket.gethostname()),
    "ProtectKernelLogs=yes": lambda: call("klogctl", KERNEL_LOG_SIZE, None, 0),
    "ProtectKernelModules=yes": delete_module,
    "ProtectKernelTunables=yes": kernel_tunable,
    "LockPersonality=yes": lambda: call("personality", ADD_GROUP),
    "MemoryDenyWriteExecute=yes": writable_code,
    "RestrictNamespaces=yes": lambda: call("unshare", UNSHARE_UTS),
    "RestrictRealtime=yes": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    "SystemCallArchitectures=native": lambda: LIBC.syscall(X32 + 39),  # a forbidden call kills the process
    "SystemCallFilter=@system-service": lambda: call("ptrace", 0, 0, None, None),
    "SystemCallFilter=~@privileged @resources": lambda: os.setpriority(os.PRIO_PROCESS, 0, 0),
    "MemoryMax=128M": memory,
    "TasksMax=32": threads,
    "LimitCORE=0": lambda: resource.getrlimit(resource.RLIMIT_CORE)[1] != 0,
    # These do not forbid the attempt; they change its result.
    "RemoveIPC=yes": lambda: Path(f"/dev/shm/probe-{os.getuid()}").touch(),  # noqa: S108
    "SystemCallErrorNumber=EPERM": lambda: LIBC.ptrace(0, 0, None, None) in {0, -1},
    "": lambda: None,
}

if __name__ == "__main__":
    try:
        done = PROBES[sys.argv[1]]() is not False
    except Exception as error:  # noqa: BLE001 - any error means that it was forbidden
        print(f"{type(error).__name__}: {error}")  # noqa: T201
        done = False
    os._exit(not done)
