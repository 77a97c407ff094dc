"""How long the service takes from a signal to its end: `signal_times.py [TRIES]` prints a table.

Each try is a process of its own over stand-ins, signalled while it sleeps. Reported, not asserted: the times
are this machine's. Beside them stands the same without a signal that could be missed: a Python process that
does nothing but wait for SIGTERM, and ends.
"""

import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BOX = Path(__file__).resolve().parents[1] / "support/running_box.py"
SETS = (
    (signal.SIGTERM,),
    (signal.SIGHUP,),
    (signal.SIGTERM, signal.SIGINT),
    (signal.SIGCONT, signal.SIGTERM),
)
WAITER = "import signal, sys; print('ready', flush=True); signal.pause()"


def tried(numbers, directory):
    """Return the seconds from the last signal to the end of one process."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(directory / "notify"))
        environ = {"NOTIFY_SOCKET": str(directory / "notify"), "WATCHDOG_USEC": "5000000"}
        command = [sys.executable, BOX, directory / "box.yaml", directory / "kept"]
        child = subprocess.Popen(command, env=environ, stderr=subprocess.DEVNULL)
        while b"READY=1" not in manager.recv(4096):
            pass
        time.sleep(0.05)  # it sleeps by then
        if numbers[0] == signal.SIGCONT:
            child.send_signal(signal.SIGSTOP)
            os.waitpid(child.pid, os.WUNTRACED)
        began = time.monotonic()
        for number in numbers:
            child.send_signal(number)
        status = child.wait()
        lasted = time.monotonic() - began
    (directory / "notify").unlink()
    assert status == 0, status
    return lasted


def reference():
    """Return the seconds from SIGTERM to the end of a Python process that does nothing."""
    child = subprocess.Popen([sys.executable, "-c", WAITER], stdout=subprocess.PIPE)
    child.stdout.readline()
    began = time.monotonic()
    child.send_signal(signal.SIGTERM)
    child.wait()
    child.stdout.close()
    return time.monotonic() - began


def main(tries=200):
    print(f"{'signals':24} {'tries':>5} {'median s':>9} {'most s':>7}")  # noqa: T201 - the table
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "box.yaml").touch()
        rows = {
            "+".join(n.name for n in numbers): lambda numbers=numbers: tried(numbers, directory)
            for numbers in SETS
        }
        for title, once in {**rows, "a process without work": reference}.items():
            times = [once() for _ in range(int(tries))]
            print(f"{title:24} {len(times):5} {statistics.median(times):9.3f} {max(times):7.3f}", flush=True)  # noqa: T201 - likewise


if __name__ == "__main__":
    main(*sys.argv[1:])
