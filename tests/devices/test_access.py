"""A device that may not be opened: what is missing, and what to do."""

import errno
import os
from types import SimpleNamespace

import pytest

from appliance.devices import i2c
from appliance.devices.access import refusal

OTHER = 4_000_000_001  # no group's number
REMEDY = "sudo dpkg-reconfigure tictactoe-appliance"
FOREIGN = f"it does not belong to the group gpio: {REMEDY}, or reboot"
JOIN = "is not in the group gpio: sudo usermod -aG gpio"
UID = os.getuid()
SERVICE = {"NOTIFY_SOCKET": "/run/systemd/notify"}


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """Call it with what the machine is like; it returns the path of a device."""

    def make(*, group=True, members=(), first=False, given=False, gone=False, name="ann"):
        path = tmp_path / "gpiochip0"
        path.touch()
        gid = path.stat().st_gid if given else OTHER
        if gone:
            path.unlink()
        own_group = gid if first else OTHER + 1

        def getgrnam(asked):
            assert asked == "gpio"
            if not group:
                raise KeyError(asked)
            return SimpleNamespace(gr_gid=gid, gr_mem=list(members))

        def getpwuid(number):
            assert number == os.getuid()
            if name is None:
                raise KeyError(number)
            return SimpleNamespace(pw_name=name)

        monkeypatch.setattr("grp.getgrnam", getgrnam)
        monkeypatch.setattr("pwd.getpwuid", getpwuid)
        monkeypatch.setattr("os.getgid", lambda: own_group)
        return path

    return make


@pytest.mark.parametrize(
    ("state", "environ", "reason"),
    [
        ({"group": False}, {}, f"there is no group gpio: {REMEDY} creates it"),
        ({}, {}, f"ann {JOIN} ann, then log in again"),
        (
            {},
            SERVICE,
            f"ann {JOIN} ann, then sudo systemctl restart tictactoe",
        ),
        (
            {"name": None},
            {},
            f"{UID} {JOIN} {UID}, then log in again",
        ),
        (
            {"members": ["bob", "ann"], "given": True},
            {},
            "ann joined the group gpio after this session began: log in again",
        ),
        ({"members": ["ann"]}, SERVICE, FOREIGN),
        ({"first": True}, {}, FOREIGN),
        (
            {"members": ["ann"], "gone": True},
            {},
            FOREIGN,
        ),
    ],
)
def test_what_is_missing(machine, state, environ, reason):
    path = machine(**state)
    assert refusal(path, "gpio", environ) == f"permission denied on {path}: {reason}"


# The display's bus


@pytest.fixture
def bus(monkeypatch):
    """Call it with the error that opening any bus raises."""

    def make(error):
        def fails(*_arguments, **_more):
            raise error

        monkeypatch.setattr("os.open", fails)

    return make


def test_a_bus_that_cannot_be_opened_is_reported_with_the_remedy(bus, monkeypatch):
    bus(PermissionError(errno.EACCES, "Permission denied", "/dev/i2c-1"))
    monkeypatch.setattr("grp.getgrnam", {}.__getitem__)
    with pytest.raises(PermissionError) as raised:
        i2c.open_smbus(1, {})
    assert str(raised.value).startswith("permission denied on /dev/i2c-1: there is no group i2c: sudo ")


@pytest.mark.parametrize(
    ("port", "environ", "reason"),
    [
        (1, {}, r'^there is no /dev/i2c-1: put "dtparam=i2c_arm=on" into config.txt, and reboot$'),
        (1, SERVICE, r'^there is no /dev/i2c-1: put "dtparam'),
        (3, SERVICE, r"^there is no /dev/i2c-3$"),
        (22, SERVICE, r"^there is no /dev/i2c-22$"),
        (23, {}, r"^there is no /dev/i2c-23$"),
        (23, SERVICE, r"^there is no /dev/i2c-23 for the service, which sees those to 22: .* BindPaths=$"),
    ],
)
def test_a_bus_that_is_not_there(bus, port, environ, reason):
    bus(FileNotFoundError(errno.ENOENT, "No such file or directory", f"/dev/i2c-{port}"))
    with pytest.raises(FileNotFoundError, match=reason):
        i2c.open_smbus(port, environ)


def test_another_fault_of_the_bus_is_what_it_is(bus):
    fault = OSError(errno.EBUSY, "Device or resource busy")
    bus(fault)
    with pytest.raises(OSError, match="busy") as raised:
        i2c.open_smbus(1, {})
    assert raised.value is fault
