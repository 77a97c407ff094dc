"""A device that cannot be opened: what is missing, and what to do."""

import errno
import os
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from appliance.devices import i2c
from appliance.devices.access import refusal

OTHER = 4_000_000_001  # no group's number
REMEDY = "sudo dpkg-reconfigure tictactoe-appliance"
FOREIGN = f"it does not belong to the group gpio: {REMEDY}, or reboot"
JOIN = "is not in the group gpio: sudo usermod -aG gpio"
LATER = "ann joined the group gpio after this session began: log in again"
UID = os.getuid()
SERVICE = {"NOTIFY_SOCKET": "/run/systemd/notify"}


@pytest.mark.parametrize(("state", "environ", "reason"), [
    ({"group": False}, {}, f"there is no group gpio: {REMEDY} creates it"),
    ({}, {}, f"ann {JOIN} ann, then log in again"),
    ({}, SERVICE, f"ann {JOIN} ann, then sudo systemctl restart tictactoe"),
    ({"name": None}, {}, f"{UID} {JOIN} {UID}, then log in again"),
    ({"members": ["bob", "ann"], "given": True}, {}, LATER),
    ({"members": ["ann"]}, SERVICE, FOREIGN),
    ({"first": True}, {}, FOREIGN),
    ({"members": ["ann"], "gone": True}, {}, FOREIGN),
])  # fmt: skip
def test_what_is_missing(monkeypatch, tmp_path, state, environ, reason):
    path, name = tmp_path / "gpiochip0", state.get("name", "ann")
    path.touch()
    gid = path.stat().st_gid if "given" in state else OTHER
    if "gone" in state:
        path.unlink()
    group = SimpleNamespace(gr_gid=gid, gr_mem=state.get("members", []))
    monkeypatch.setattr(
        "grp.getgrnam", {"gpio": group}.__getitem__ if state.get("group", True) else {}.__getitem__
    )
    monkeypatch.setattr("pwd.getpwuid", ({UID: SimpleNamespace(pw_name=name)} if name else {}).__getitem__)
    monkeypatch.setattr("os.getgid", lambda: gid if "first" in state else OTHER + 1)
    assert refusal(path, "gpio", environ) == f"permission denied on {path}: {reason}"


# The display's bus

NOT_THERE = FileNotFoundError(errno.ENOENT, "No such file or directory")
DENIED = PermissionError(errno.EACCES, "Permission denied")
BUSY = OSError(errno.EBUSY, "Device or resource busy")


@pytest.mark.parametrize(("error", "port", "environ", "reason"), [
    (NOT_THERE, 1, {}, '^there is no /dev/i2c-1: put "dtparam=i2c_arm=on" into config.txt, and reboot$'),
    (NOT_THERE, 1, SERVICE, '^there is no /dev/i2c-1: put "dtparam'),
    (NOT_THERE, 22, SERVICE, "^there is no /dev/i2c-22$"),
    (NOT_THERE, 23, {}, "^there is no /dev/i2c-23$"),
    (NOT_THERE, 23, SERVICE, "-23 for the service, which sees buses 0 to 22: add it by BindPaths= in a dr"),
    (DENIED, 1, {}, "^permission denied on /dev/i2c-1: there is no group i2c: sudo "),
    (BUSY, 1, {}, "busy"),
])  # fmt: skip
def test_a_bus_that_cannot_be_opened(monkeypatch, error, port, environ, reason):
    monkeypatch.setattr("os.open", Mock(side_effect=error))
    monkeypatch.setattr("grp.getgrnam", {}.__getitem__)
    with pytest.raises(type(error), match=reason):
        i2c.open_smbus(port, environ)


def test_the_kernel_waits_half_a_second_at_most_for_a_transaction(monkeypatch):
    calls = []
    monkeypatch.setattr("smbus2.SMBus", lambda port: SimpleNamespace(fd=7, port=port, funcs=0))
    monkeypatch.setattr("fcntl.ioctl", lambda *arguments: calls.append(arguments))
    assert i2c.open_smbus(1).port == 1
    assert calls == [(7, 0x0702, 50)]  # in units of 10 ms
