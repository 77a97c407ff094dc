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
        environ["STATE_DIRECTORY"] = str(tmp_path / "kept")
        if not (tmp_path / "box.yaml").exists():
            (tmp_path / "box.yaml").write_text("language: en")  # so that it starts with the board
        command = [sys.executable, BOX, tmp_path / "box.yaml", tmp_path / "kept", *fault]
        self.written, self.messages = tmp_path / "stderr", deque()
        with self.written.open("w") as stderr:
            self.child = subprocess.Popen(command, env=environ, stderr=stderr)

    def receive(self):
        """Take in what the socket holds, which is not much; return whether the process had ended before."""
        ended = self.child.poll() is not None
        with suppress(BlockingIOError):
            while True:
                self.messages.append(self.socket.recv(4096, socket.MSG_DONTWAIT).decode())
        return ended

    def message(self, part):
        """Return the next message with this part; fail once the process has ended without one."""
        while True:
            ended = self.receive()
            while self.messages:
                if part in (message := self.messages.popleft()):
                    return message
            assert not ended, self.written.read_text()
            select.select([self.socket], [], [], 0.5)

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


@pytest.mark.parametrize("names", ["TERM", "INT", "HUP", "TERM INT", "STOP CONT TERM"])
def test_each_signal_ends_it_with_a_goodbye_while_it_sleeps(start, names):
    box = start()
    box.message("READY=1")
    for name in names.split():
        box.child.send_signal(signal.Signals[f"SIG{name}"])
    status, written = box.end()
    assert status == 0, written
    # Of two that are pending the kernel gives the lower one first.
    assert any(f"stopping on SIG{name}" in written for name in names.split())
    assert "Traceback" not in written
    assert box.message("STOPPING=1") == "STOPPING=1\nSTATUS=goodbye"


def test_no_thread_but_the_one_that_waits_for_them_can_take_a_signal(start):
    box, blocked = start(), []
    box.message("READY=1")
    for task in Path(f"/proc/{box.child.pid}/task").iterdir():
        (mask,) = re.findall(r"^SigBlk:\s*(\w+)$", (task / "status").read_text(), re.MULTILINE)
        blocked.append({number for number in ENDING if int(mask, 16) >> number - 1 & 1})
    assert len(blocked) >= 4  # main, keypad, engine, signals
    waits = [mask for mask in blocked if mask != ENDING]  # to the kernel, sigwait unblocks them
    assert waits in ([], [set()])


def test_a_signal_that_comes_before_there_is_a_box_ends_the_process(start, tmp_path):
    (tmp_path / "box.yaml").write_text("game: {level: hrad}")  # so it waits for a fix
    box = start()
    box.message("EXTEND_TIMEOUT_USEC")
    box.child.send_signal(signal.SIGTERM)
    assert box.end()[0] == 0


HANGS, ENDED = r"the thread {} has not moved for \d+ s", "the thread {} has ended"


@pytest.mark.parametrize(("fault", "sentence"), [
    ("poll hangs", HANGS.format("keypad")),
    ("poll dies", ENDED.format("keypad")),
    ("poll fails", r"the keys do not answer \(OSError: .*\), and have not for \d+ s"),
    ("wait hangs", HANGS.format("keypad")),
    ("wait dies", ENDED.format("keypad")),
    ("engine hangs", HANGS.format("engine")),
    ("engine dies", ENDED.format("engine")),
    ("clock", r"the clock stands still: \d+ s were slept"),
])  # fmt: skip
def test_it_ends_itself_when_a_part_of_it_does_not_move(start, fault, sentence):
    box = start(fault)
    status, written = box.end()
    assert status == 1, written
    assert re.search(rf"^{sentence}; restarting$", written, re.MULTILINE), written
    assert "Current thread" in written, "where each thread was"
    assert re.fullmatch(rf"STOPPING=1\nSTATUS={sentence}", box.message("STOPPING"))
