"""The running process: signals end it, and it ends itself when a part of it does not move."""

import re
import select
import signal
import socket
import subprocess
import sys
from collections import deque
from contextlib import suppress
from pathlib import Path

import pytest

BOX = Path(__file__).parents[1] / "support/running_box.py"
ENDING = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}


class Process:
    """The service as a process, and the socket that it reports to."""

    def __init__(self, tmp_path, *fault):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(tmp_path / "notify"))
        environ = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "400000"}
        (tmp_path / "box.yaml").touch()
        command = [sys.executable, BOX, tmp_path / "box.yaml", tmp_path / "kept", *fault]
        self.written = tmp_path / "stderr"
        with self.written.open("w") as stderr:
            self.child = subprocess.Popen(command, env=environ, stderr=stderr)
        self.messages = deque()

    def receive(self):
        """Take in what the socket holds, which is not much; return whether the process had ended before."""
        ended = self.child.poll() is not None
        with suppress(BlockingIOError):
            while True:
                self.messages.append(self.socket.recv(4096, socket.MSG_DONTWAIT).decode())
        return ended

    def message(self):
        """Return the next message; fail once the process has ended without one."""
        while not self.messages:
            ended = self.receive()
            assert self.messages or not ended, self.written.read_text()
            if not self.messages:
                select.select([self.socket], [], [], 0.5)
        return self.messages.popleft()

    def wait_ready(self):
        while "READY=1" not in self.message():
            pass

    def end(self):
        """Return the exit status, and what the process wrote, once it has ended."""
        while not self.receive():
            select.select([self.socket], [], [], 0.1)
        return self.child.returncode, self.written.read_text()


@pytest.fixture
def start(tmp_path):
    started = []

    def begin(*fault):
        started.append(Process(tmp_path, *fault))
        return started[-1]

    yield begin
    for process in started:
        process.child.kill()
        process.child.wait()
        process.socket.close()


@pytest.mark.parametrize(
    "numbers",
    [
        (signal.SIGTERM,),
        (signal.SIGINT,),
        (signal.SIGHUP,),
        (signal.SIGTERM, signal.SIGINT),
        (signal.SIGSTOP, signal.SIGCONT, signal.SIGTERM),
    ],
    ids=lambda numbers: "+".join(number.name for number in numbers),
)
def test_each_signal_ends_it_with_a_goodbye_while_it_sleeps(start, numbers):
    box = start()
    box.wait_ready()
    for number in numbers:
        box.child.send_signal(number)
    status, written = box.end()
    assert status == 0, written
    # Of two that are pending the kernel gives the lower one first.
    assert any(f"stopping on {number.name}" in written for number in numbers)
    assert "Traceback" not in written
    while "STOPPING=1" not in (message := box.message()):
        pass
    assert message == "STOPPING=1\nSTATUS=goodbye"


def masks(pid):
    """Return the signals that each thread of a process blocks, by the thread's number."""
    found = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        (blocked,) = re.findall(r"^SigBlk:\s*(\w+)$", (task / "status").read_text(), re.MULTILINE)
        found[task.name] = {number for number in ENDING if int(blocked, 16) >> number - 1 & 1}
    return found


def test_no_thread_but_the_one_that_waits_for_them_can_take_a_signal(start):
    box = start()
    box.wait_ready()
    blocked = list(masks(box.child.pid).values())
    assert len(blocked) >= 4  # main, keypad, engine, signals
    waits = [mask for mask in blocked if mask != ENDING]  # to the kernel, sigwait unblocks them
    assert waits in ([], [set()])


def test_a_signal_that_comes_before_there_is_a_box_ends_the_process(start, tmp_path):
    (tmp_path / "box.yaml").write_text("game: {level: hrad}")  # so it waits for a fix
    box = start()
    assert "EXTEND_TIMEOUT_USEC" in box.message()
    box.child.send_signal(signal.SIGTERM)
    assert box.end()[0] == 0


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("poll hangs", r"the thread keypad has not moved for \d+ s"),
        ("poll dies", "the thread keypad has ended"),
        ("wait hangs", r"the thread keypad has not moved for \d+ s"),
        ("wait dies", "the thread keypad has ended"),
        ("engine hangs", r"the thread engine has not moved for \d+ s"),
        ("engine dies", "the thread engine has ended"),
        ("clock", r"the clock stands still: \d+ s were slept"),
    ],
)
def test_it_ends_itself_when_a_part_of_it_does_not_move(start, fault, sentence):
    box = start(fault)
    status, written = box.end()
    assert status == 1, written
    assert re.search(rf"^{sentence}; restarting$", written, re.MULTILINE), written
    assert "Current thread" in written, "where each thread was"
    messages = []
    while not messages or "STOPPING" not in messages[-1]:
        messages.append(box.message())
    assert re.fullmatch(rf"STOPPING=1\nSTATUS={sentence}", messages[-1])
