"""The machines under test, one per suite. Needs root and the programs in `NEEDED`; fails without."""

import shutil
from pathlib import Path

import pytest
from machine import CHECKOUT, CONFIGURATION, DROP_IN, HERE, Machine, built_package, compile_c, need, run
from stage import Stage, expected

NEEDED = {
    "mmdebstrap": "mmdebstrap", "systemd-nspawn": "systemd-container", "gcc": "gcc", "nsenter": "util-linux",
    "pgrep": "procps",
}  # fmt: skip


@pytest.fixture(scope="session")
def package():
    return built_package()


@pytest.fixture(scope="session", params=["bookworm", "trixie"])
def installed(request, package):
    """A machine with the package installed by apt, and the files that it had before. Not booted."""
    need(NEEDED)
    directory = Path(f"/var/tmp/tictactoe-machine-{request.param}")  # noqa: S108 - of root's, and big
    machine = Machine(request.param, directory)
    # Its dependencies first, so that the difference is what the package itself installs.
    machine.install_dependencies(package)
    machine.files_before = machine.files()
    machine.install(package)
    machine.run_unbooted("apt-get -qq purge tictactoe-appliance")
    machine.files_purged = machine.files()
    machine.install(package)
    yield machine
    machine.close()
    run("rm", "-rf", directory)


@pytest.fixture(scope="session")
def machine(installed):
    """The same, booted, with pins and a display for the service."""
    root = installed.root
    installed.add_lgpio()
    (root / "srv/lib").mkdir()
    for source in (HERE / "stand.c", CHECKOUT / "tests/chip/fakechip.c"):
        compile_c(source, root / f"srv/lib/{source.stem}.so", "-shared", "-fPIC")
    shutil.copy(HERE / "probe.py", root / "srv/lib")
    drop_in = root / "etc/systemd/system/tictactoe.service.d/stand.conf"
    drop_in.parent.mkdir()
    drop_in.write_text(DROP_IN)
    (root / "etc/tictactoe/config.yaml").write_text(CONFIGURATION)
    installed.stand = Stage(installed.stage)
    installed.boot()
    installed.stand.wait_for(expected(()))
    installed.shown_after_boot = installed.show()
    return installed


@pytest.fixture
def stopped(machine):
    """The machine with the service stopped, and without any state."""
    machine.systemctl("stop", "tictactoe")
    machine.shell("rm -rf /var/lib/tictactoe/*")
    machine.stand.press()
    machine.stand.hang(0)
    machine.stand.forget()
    return machine


@pytest.fixture
def fresh(stopped):
    """A service that has just been started, without any state."""
    stopped.systemctl("start", "tictactoe")
    stopped.stand.wait_for(expected(()))
    return stopped
