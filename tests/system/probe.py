"""Tries one thing that a sandbox directive forbids: `probe.py NAME`. Exit status 0 when it succeeded.

Runs in the machine under test, on its own Python and the standard library.
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


def call(name, *arguments):
    """Call a function of libc; raise OSError when it returns -1."""
    if getattr(LIBC, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)


def own(namespace):
    """Succeed while this process shares the machine's namespace of a kind."""
    assert (
        str(Path(f"/proc/self/ns/{namespace}").readlink()) == Path(f"/srv/ns/{namespace}").read_text().strip()
    )


def scratch():
    """Return a file of ours, wherever one can be made."""
    handle, name = tempfile.mkstemp()
    os.close(handle)
    return name


def user():
    assert os.getuid() == 0


def umask():
    path = Path(tempfile.gettempdir(), f"umask{os.getpid()}")
    path.write_text("")
    assert path.stat().st_mode & 0o077


def make_device():
    os.mknod("/dev/probe", stat.S_IFCHR | 0o600, os.makedev(1, 3))


def open_device():
    os.open("/dev/kmsg", os.O_WRONLY)  # on no list


def connect():
    socket.create_connection(("127.0.0.1", 8099), timeout=3).close()


def inet_socket():
    socket.socket(socket.AF_INET).close()


def set_uid_program():
    assert os.popen("/srv/lib/whoami").read().strip() == "0"  # noqa: S605


def capability():
    os.chown(scratch(), 12345, 12345)


def set_uid_bit():
    Path(scratch()).chmod(0o4755)


def write_system():
    Path("/usr/share/probe").write_text("")


def read_home():
    Path("/root/secret").read_text()


def shared_tmp():
    Path("/tmp/of-the-machine").read_text()  # noqa: S108


def mount_namespace():
    own("mnt")


def ipc_namespace():
    own("ipc")


def see_others():
    Path("/proc/1/status").read_text()


def set_clock():
    buffer = ctypes.create_string_buffer(512)  # struct timex, modes 0: only ask
    call("adjtimex", buffer)


def control_groups():
    Path(f"/sys/fs/cgroup/probe{os.getpid()}").mkdir()


def host_name():
    socket.sethostname(socket.gethostname())


def kernel_log():
    call("klogctl", 10, None, 0)


def kernel_modules():
    if LIBC.syscall(DELETE_MODULE, b"no-such-module", 0) == -1 and ctypes.get_errno() == errno.EPERM:
        raise OSError


def kernel_tunables():
    path = Path("/proc/sys/net/ipv4/ip_default_ttl")
    path.write_text(path.read_text())


def personality():
    call("personality", 0x0008)


def writable_code():
    LIBC.mmap.restype = ctypes.c_ssize_t
    if LIBC.mmap(None, ctypes.c_size_t(4096), 7, 0x22, -1, ctypes.c_long(0)) == -1:
        raise OSError(ctypes.get_errno(), "mmap")


def namespaces():
    call("unshare", UNSHARE_UTS)


def realtime():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def other_architecture():
    LIBC.syscall(X32 + 39)  # a process that may not is killed


def debugging():
    call("ptrace", 0, 0, None, None)


def priority():
    os.setpriority(os.PRIO_PROCESS, 0, 0)


def forbidden_call_survived():
    if LIBC.ptrace(0, 0, None, None) not in {0, -1}:
        raise OSError


def memory():
    block = bytearray(300 << 20)
    for at in range(0, len(block), 4096):
        block[at] = 1


def threads():
    event = threading.Event()
    for _ in range(60):
        threading.Thread(target=event.wait, daemon=True).start()


def core_file():
    assert resource.getrlimit(resource.RLIMIT_CORE)[1] != 0


def shared_memory():
    Path(f"/dev/shm/probe-{os.getuid()}").write_text("")  # noqa: S108


def nothing():
    pass


if __name__ == "__main__":
    try:
        globals()[sys.argv[1]]()
    except Exception as error:  # noqa: BLE001 - whatever it is, it was forbidden
        print(f"{type(error).__name__}: {error}")  # noqa: T201
        os._exit(1)
    os._exit(0)
