"""What systemd is notified of, and asked for."""

import os
import signal
import socket
import threading

import pytest

from appliance.devices import power
from appliance.devices.notify import Notifier


@pytest.fixture
def manager(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(str(tmp_path / "notify"))
        receiver.setblocking(False)
        yield receiver


def received(receiver):
    return receiver.recv(4096).decode().split("\n")


def test_readiness_is_reported_once_and_the_watchdog_is_fed_each_turn(manager):
    notifier = Notifier({"NOTIFY_SOCKET": manager.getsockname()})
    notifier.alive("your turn")
    notifier.alive("your turn")
    notifier.alive("asleep")
    notifier.stopping("goodbye")
    assert received(manager) == ["READY=1", "WATCHDOG=1", "STATUS=your turn"]
    assert received(manager) == ["WATCHDOG=1"]
    assert received(manager) == ["WATCHDOG=1", "STATUS=asleep"]
    assert received(manager) == ["STOPPING=1", "STATUS=goodbye"]
    notifier.close()
    notifier.alive("gone")
    with pytest.raises(BlockingIOError):
        received(manager)


def test_a_service_that_waits_for_a_person_is_not_ready_and_asks_for_time(manager):
    notifier = Notifier({"NOTIFY_SOCKET": manager.getsockname()})
    assert notifier.enabled
    notifier.waiting("box.yaml:1: no", 60.0)
    assert received(manager) == ["STATUS=box.yaml:1: no", "EXTEND_TIMEOUT_USEC=60000000"]
    notifier.close()
    assert not notifier.enabled


def test_an_abstract_socket_is_reached():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        name = f"tictactoe-test-{os.getpid()}"
        receiver.bind("\0" + name)
        receiver.setblocking(False)
        notifier = Notifier({"NOTIFY_SOCKET": "@" + name})
        notifier.alive("here")
        assert received(receiver)[0] == "READY=1"
        notifier.close()


def test_nothing_is_sent_where_nobody_asked():
    notifier = Notifier({})
    assert not notifier.enabled
    notifier.waiting("alone", 1.0)
    notifier.alive("alone")
    notifier.close()
    assert notifier.interval is None


def test_a_manager_that_is_away_is_no_error(tmp_path):
    notifier = Notifier({"NOTIFY_SOCKET": str(tmp_path / "nobody")})
    notifier.alive("hello")
    notifier.close()


@pytest.mark.parametrize(
    ("environ", "seconds"),
    [
        ({"WATCHDOG_USEC": "5000000"}, 5.0),
        ({"WATCHDOG_USEC": "5000000", "WATCHDOG_PID": str(os.getpid())}, 5.0),
        ({"WATCHDOG_USEC": "5000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_the_watchdogs_interval(environ, seconds):
    assert Notifier(environ).interval == seconds


@pytest.mark.parametrize(
    ("script", "reasons", "logged"),
    [
        ("exit 0", [], ""),
        ("exit 1", ["power_failed"], "systemd refuses to switch {}: systemctl ended with status 1"),
        ("exec sleep 1000", ["power_failed"], "systemd refuses to switch {}: no reply within 0 s"),
        (None, ["power_failed"], "cannot run systemctl to switch {}: "),
    ],
)
@pytest.mark.parametrize(("action", "word"), [("off", "poweroff"), ("restart", "reboot")])
def test_systemd_is_asked_to_switch_off_without_blocking(
    tmp_path, monkeypatch, caplog, action, word, script, reasons, logged
):
    if script is not None:
        tool = tmp_path / "systemctl"
        tool.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\n{script}\n')
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin" if script else str(tmp_path))
    monkeypatch.setattr(power, "POLL", 0.001)
    if "sleep" in (script or ""):
        monkeypatch.setattr(power, "LIMIT", 0.0)
    before, refused = set(threading.enumerate()), []
    power.switch(action, refused.append)
    for thread in set(threading.enumerate()) - before:
        thread.join()
    assert refused == reasons
    assert [record.getMessage().startswith(logged.format(action)) for record in caplog.records] == [
        True
    ] * len(reasons)
    if script and "sleep" not in script:
        assert (tmp_path / "asked").read_text().split() == ["--no-ask-password", word]


def test_switching_off_returns_while_systemd_has_yet_to_reply(monkeypatch):
    inside, end, refused = threading.Event(), threading.Event(), threading.Event()

    def run(_command):
        inside.set()
        end.wait()
        return "refused"

    monkeypatch.setattr(power, "_run", run)
    power.switch("off", lambda _reason: refused.set())
    inside.wait()
    assert not refused.is_set()
    end.set()
    refused.wait()


def test_the_child_inherits_no_blocked_signal(tmp_path, monkeypatch):
    tool = tmp_path / "systemctl"
    tool.write_text(f"#!/bin/sh\ngrep SigBlk /proc/self/status > {tmp_path}/mask\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    try:
        assert power._run(("systemctl",)) == ""
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert int((tmp_path / "mask").read_text().split()[1], 16) == 0
