"""Each directive of the sandbox forbids something: a probe succeeds without it, and fails with it.

"With it" is tested twice: with that directive alone, and with the whole unit.
"""

import shutil

import pytest
from machine import wait_until
from probe import PROBES
from table import CONTAINER, LIFE, NEEDS, REACH, SERVICE, name, whole_unit


@pytest.fixture(scope="session")
def ground(machine):
    """What the probes look for."""
    root = machine.root
    (root / "root/secret").touch()
    shutil.copy(root / "usr/bin/id", root / "srv/lib/id")
    (root / "srv/lib/id").chmod(0o4755)
    (root / "srv/lib/whoami").write_text("#!/bin/sh\nexec /srv/lib/id -u\n")
    (root / "srv/lib/whoami").chmod(0o755)
    machine.shell("touch /tmp/of-the-machine; mkdir /srv/ns")
    machine.shell("for kind in mnt ipc; do readlink /proc/1/ns/$kind >/srv/ns/$kind; done")
    machine.shell("systemd-run --unit=listener python3 -m http.server --bind 127.0.0.1 8099")
    assert wait_until(lambda: not refusal(machine, "PrivateNetwork=yes", [])), "nobody listens"
    return machine


def refusal(machine, probe, directives):
    """Return why a probe failed under these directives, "" if it succeeded."""
    properties = [f"--property={directive}" for directive in directives]
    quietly = ("--quiet", "--wait", "--pipe", "--collect", "--service-type=exec")
    command = ("/usr/bin/python3", "-I", "/srv/lib/probe.py", probe)
    done = machine.run("systemd-run", *quietly, *properties, *command, check=False)
    return f"{done.stdout}{done.stderr}, status {done.returncode}" if done.returncode else ""


def test_every_directive_has_a_probe():
    assert set(map(name, SERVICE)) >= LIFE | REACH
    assert {line for line in SERVICE if name(line) not in LIFE | REACH} == set(PROBES) - {""}


@pytest.mark.parametrize("directive", CONTAINER)
def test_directive(ground, directive):
    needs = NEEDS.get(directive, [])
    assert not refusal(ground, directive, needs), "without it, the probe fails too"
    assert refusal(ground, directive, [*needs, directive]), "with it, the probe succeeds"
    assert refusal(ground, directive, whole_unit()), "in the whole unit, the probe succeeds"


def test_a_harmless_program_runs_in_the_whole_unit(ground):
    assert not refusal(ground, "", whole_unit())


def test_remove_ipc(ground):
    """What the service's user leaves in shared memory is removed with the service."""
    user = ground.run("id", "-u", "nobody").stdout.strip()
    for remove in ("no", "yes"):
        assert not refusal(ground, "RemoveIPC=yes", ["User=nobody", f"RemoveIPC={remove}"])
        left = ground.run("test", "-e", f"/dev/shm/probe-{user}", check=False).returncode == 0  # noqa: S108
        assert left is (remove == "no")


def test_error_number(ground):
    """A forbidden call is an error and does not kill: libraries try calls that they can do without."""
    directive, forbid = "SystemCallErrorNumber=EPERM", "SystemCallFilter=@system-service"
    assert refusal(ground, directive, [forbid])
    assert not refusal(ground, directive, [forbid, directive])
