"""Notifications and requests to systemd; devices that were missing at the start."""

import os
import signal
import socket
import sys
import threading

import pytest

from appliance.devices import systemd
from appliance.devices.systemd import Notifier, note_absent, watchdog


def received(receiver):
    return receiver.recv(4096).decode().split("\n")


def test_readiness_is_reported_once_and_the_watchdog_is_fed_each_turn(manager):
    notifier = Notifier({"NOTIFY_SOCKET": manager.getsockname()})
    assert notifier.enabled
    notifier.waiting("box.yaml:1: no", 60.0)
    notifier.alive("your turn")
    notifier.alive("your turn")
    notifier.alive("asleep")
    notifier.alive("a driver's words\nMAINPID=1 \x1b \udcff")  # one field, and not what it forges
    notifier.alive("é" * 5000)
    notifier.stopping("goodbye")
    assert received(manager) == ["STATUS=box.yaml:1: no", "EXTEND_TIMEOUT_USEC=60000000"]
    assert received(manager) == ["READY=1", "WATCHDOG=1", "STATUS=your turn"]
    assert received(manager) == ["WATCHDOG=1"]
    assert received(manager) == ["WATCHDOG=1", "STATUS=asleep"]
    assert received(manager) == ["WATCHDOG=1", r"STATUS=a driver's words\nMAINPID=1 \x1b \udcff"]
    assert received(manager) == ["WATCHDOG=1", f"STATUS={'é' * 900}"]
    assert received(manager) == ["STOPPING=1", "STATUS=goodbye"]
    notifier.close()
    notifier.alive("gone")
    with pytest.raises(BlockingIOError):
        received(manager)
    alone = Notifier({})
    assert not alone.enabled
    alone.alive("nobody asked")
    alone.close()


@pytest.mark.parametrize("abstract", [False, True])
def test_readiness_is_reported_when_the_manager_is_back(tmp_path, abstract):
    where = f"tictactoe-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    notifier = Notifier({"NOTIFY_SOCKET": "@" * abstract + where})
    notifier.alive("hello")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind("\0" * abstract + where)
        manager.setblocking(False)
        notifier.alive("hello")
        assert received(manager) == ["READY=1", "WATCHDOG=1", "STATUS=hello"]
    notifier.close()


@pytest.mark.parametrize(("environ", "seconds"), [
    ({"WATCHDOG_USEC": "5000000"}, 5.0),
    ({"WATCHDOG_USEC": "5000000", "WATCHDOG_PID": str(os.getpid())}, 5.0),
    ({"WATCHDOG_USEC": "5000000", "WATCHDOG_PID": "1"}, None),
    ({"WATCHDOG_USEC": "soon"}, None),
    ({}, None),
])  # fmt: skip
def test_the_watchdogs_interval(environ, seconds):
    assert watchdog(environ) == seconds


def test_missing_devices_are_noted_by_the_service_for_when_they_appear(tmp_path):
    (tmp_path / "gpiochip0").touch()
    for environ in {}, {"RUNTIME_DIRECTORY": str(tmp_path / "gone")}:
        note_absent(("i2c-1",), environ, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["gpiochip0"]
    environ = {"RUNTIME_DIRECTORY": f"{tmp_path}:/elsewhere"}
    note_absent(("i2c-1", "gpiochip0", "gpiochip4"), environ, tmp_path)
    assert (tmp_path / "absent").read_text() == "i2c-1\ngpiochip4\n"
    note_absent(("gpiochip0",), environ, tmp_path)
    assert (tmp_path / "absent").read_text() == ""


@pytest.fixture
def systemctl(tmp_path, monkeypatch):
    """Call it with a script, which replaces systemctl."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")

    def install(script, interpreter="/bin/sh"):
        tool = tmp_path / "systemctl"
        tool.write_text(f"#!{interpreter}\n{script}\n")
        tool.chmod(0o755)

    return install


def switch(action):
    """Request it; return the reasons for refusal."""
    before, refused = set(threading.enumerate()), []
    systemd.switch(action, refused.append)
    for thread in set(threading.enumerate()) - before:
        thread.join()
    return refused


@pytest.mark.parametrize(("action", "word"), [("off", "poweroff"), ("restart", "reboot")])
def test_power_is_switched_by_systemd(tmp_path, systemctl, caplog, monkeypatch, action, word):
    systemctl(f'echo "$@" > {tmp_path}/arguments')
    assert switch(action) == []
    assert (tmp_path / "arguments").read_text().split() == ["--no-ask-password", word]
    systemctl("exit 1")
    assert switch(action) == ["did_not_work"]
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert switch(action) == ["did_not_work"]
    assert caplog.messages[0] == f"cannot switch {action}: systemctl ended with status 1"
    assert caplog.messages[1].startswith(f"cannot switch {action}: cannot run systemctl: [Errno 2]")


def test_the_request_returns_while_systemd_has_yet_to_reply(tmp_path, systemctl):
    os.mkfifo(tmp_path / "reply")
    systemctl(f"read answer < {tmp_path}/reply; exit 1")
    refused = threading.Event()
    systemd.switch("off", lambda _reason: refused.set())
    assert not refused.is_set()
    (tmp_path / "reply").write_text("no\n")
    refused.wait()


def test_the_child_inherits_no_blocked_signal(tmp_path, systemctl):
    systemctl(  # not in sh, which unblocks signals itself
        f"import signal\nopen({str(tmp_path / 'mask')!r}, 'w').write(str(signal.pthread_sigmask(0, ())))",
        sys.executable,
    )
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    try:
        assert switch("off") == []
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert (tmp_path / "mask").read_text() == "set()"
