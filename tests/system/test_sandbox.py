"""Each directive of the sandbox keeps something out: a probe succeeds without it, and fails with it.

"With it" is twice: that directive alone, and the whole unit.
"""

import shutil
import time

import pytest
from machine import HERE
from table import CONTAINER, KERNEL, NAMES, NO_SANDBOX, PROBES, SERVICE, whole_unit


@pytest.fixture(scope="session")
def ground(machine):
    """What the probes look for."""
    root = machine.root
    shutil.copy(HERE / "probe.py", root / "srv/lib")
    (root / "root/secret").write_text("")
    shutil.copy(root / "usr/bin/id", root / "srv/lib/id")
    (root / "srv/lib/id").chmod(0o4755)
    (root / "srv/lib/whoami").write_text("#!/bin/sh\nexec /srv/lib/id -u\n")
    (root / "srv/lib/whoami").chmod(0o755)
    machine.run("sh", "-c", "touch /tmp/of-the-machine; mkdir /srv/ns")
    for namespace in ("mnt", "ipc"):
        machine.run("sh", "-c", f"readlink /proc/1/ns/{namespace} > /srv/ns/{namespace}")
    machine.run(
        "systemd-run", "--unit=listener", "python3", "-m", "http.server", "--bind", "127.0.0.1", "8099"
    )
    for _ in range(30):
        if machine.run("python3", "-I", "/srv/lib/probe.py", "connect", check=False).returncode == 0:
            return machine
        time.sleep(0.2)
    raise AssertionError("nobody listens")


def tried(machine, probe, directives):
    """Return whether a probe succeeds under these directives, and what it said."""
    words = [f"--property={name}={value}" for name, value in directives]
    command = ("/usr/bin/python3", "-I", "/srv/lib/probe.py", probe)
    done = machine.run(
        "systemd-run",
        "--quiet",
        "--wait",
        "--pipe",
        "--collect",
        "--service-type=exec",
        *words,
        *command,
        check=False,
    )
    return done.returncode == 0, done.stdout + done.stderr


def test_every_directive_has_a_probe():
    told = {f"{name}={value}" for name, value in SERVICE if name not in NO_SANDBOX}
    assert told - {directive for directive, _, _ in PROBES} == {
        "RemoveIPC=yes",
        "SystemCallErrorNumber=EPERM",
    }
    assert NAMES >= NO_SANDBOX
    assert sorted(CONTAINER + KERNEL) == sorted(PROBES)


@pytest.mark.parametrize(("directive", "probe", "besides"), CONTAINER, ids=[row[0] for row in CONTAINER])
def test_directive(ground, directive, probe, besides):
    setting = [tuple(directive.split("=", 1))]
    needed = [tuple(word.split("=", 1)) for word in besides]
    succeeded, said = tried(ground, probe, needed)
    assert succeeded, f"without it, the probe fails too: {said}"
    succeeded, said = tried(ground, probe, needed + setting)
    assert not succeeded, "with it, the probe succeeds"
    succeeded, said = tried(ground, probe, whole_unit())
    assert not succeeded, "in the whole unit, the probe succeeds"


def test_a_harmless_program_runs_in_the_whole_unit(ground):
    assert tried(ground, "nothing", whole_unit()) == (True, "")


def test_remove_ipc(ground):
    """What the service's user leaves in shared memory goes with the service."""
    user = int(ground.run("id", "-u", "nobody").stdout)
    left = f"/dev/shm/probe-{user}"  # noqa: S108 - that it is shared is the point
    for remove in ("no", "yes"):
        assert tried(ground, "shared_memory", [("User", "nobody"), ("RemoveIPC", remove)])[0]
        stays = ground.run("test", "-e", left, check=False).returncode == 0
        assert stays is (remove == "no")


def test_error_number(ground):
    """A forbidden call is an error, no death: libraries try calls that they can do without."""
    forbid = ("SystemCallFilter", "@system-service")
    assert not tried(ground, "forbidden_call_survived", [forbid])[0]
    assert tried(ground, "forbidden_call_survived", [forbid, ("SystemCallErrorNumber", "EPERM")])[0]
