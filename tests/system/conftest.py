"""The machines under test, one of each suite. Needs root, and what `need` asks for; fails without."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from machine import CACHE, CHECKOUT, HERE, SUITES, Machine, files_of, in_root, run
from stage import Stage

DROP_IN = """[Service]
Environment=LD_PRELOAD=/srv/lib/stand.so:/srv/lib/fakechip.so
BindPaths=/srv/stage
"""
NEEDED = {
    "mmdebstrap": "mmdebstrap", "systemd-nspawn": "systemd-container", "gcc": "gcc", "nsenter": "util-linux",
}  # fmt: skip
FLAGS = ("-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")


@pytest.fixture(scope="session")
def need():
    missing = [package for program, package in NEEDED.items() if not shutil.which(program)]
    if missing:
        pytest.exit(
            f"missing: {' '.join(missing)}. Remedy: sudo apt install {' '.join(missing)}", returncode=2
        )
    if os.geteuid():
        pytest.exit("containers need root. Remedy: run make as root, or with sudo", returncode=2)


@pytest.fixture(scope="session")
def package():
    (found,) = (CHECKOUT / "dist").glob(
        "tictactoe-appliance_*_all.deb"
    )  # made by `make deb`, which comes before
    return found


@pytest.fixture(scope="session")
def libraries(tmp_path_factory):
    directory = tmp_path_factory.mktemp("lib")
    for source in (HERE / "stand.c", CHECKOUT / "tests/chip/fakechip.c"):
        output = directory / f"{source.stem}.so"
        subprocess.run(["gcc", *FLAGS, "-o", output, source, "-ldl", "-pthread"], check=True)
    return directory


@pytest.fixture(scope="session", params=SUITES)
def suite(request):
    return request.param


@pytest.fixture(scope="session")
def installed(suite, need, package):
    """A machine that has the package from apt, and the files that it had before. Not booted."""
    directory = Path(os.environ.get("TICTACTOE_WORK", "/var/tmp")) / f"tictactoe-machine-{suite}"  # noqa: S108 - see CACHE
    run("rm", "-rf", directory)
    machine = Machine.make(suite, directory)
    # Its dependencies first, so that what it brings itself can be told apart.
    machine.install_dependencies(package)
    machine.before = files_of(machine.root)
    machine.install(package)
    in_root(machine.root, "apt-get -qq purge tictactoe-appliance")
    machine.purged = files_of(machine.root)
    machine.install(package)
    yield machine
    machine.close()
    run("rm", "-rf", directory)


@pytest.fixture(scope="session")
def machine(installed, suite, libraries):
    """The same, with pins and a display to the service's eyes, booted."""
    root = installed.root
    run(HERE / "make_lgpio.sh", CACHE / f"{suite}.tar", CACHE / f"lgpio-{suite}")
    (python,) = (root / "usr/lib").glob("python3.*")
    packages = root / "usr/local/lib" / python.name / "dist-packages"
    packages.mkdir(parents=True, exist_ok=True)
    for file in (CACHE / f"lgpio-{suite}").iterdir():
        shutil.copy(file, packages)
    (root / "srv/lib").mkdir(mode=0o755)
    for file in libraries.iterdir():
        shutil.copy(file, root / "srv/lib")
    drop_in = root / "etc/systemd/system/tictactoe.service.d/stand.conf"
    drop_in.parent.mkdir(parents=True)
    drop_in.write_text(DROP_IN)
    # No move is the box's, and the picture stays as it is however busy the machine is.
    still = "rest: {dim: 0, off: 0, drift: 0}\n"
    (root / "etc/tictactoe/config.yaml").write_text(f"game: {{players: 2}}\n{still}")
    installed.stand = Stage(installed.stage)
    installed.boot()
    return installed
