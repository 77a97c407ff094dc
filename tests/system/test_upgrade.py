"""The package's life: upgraded, switched off from the menu, removed, purged. These tests run last."""

import re
import shutil

import pytest
from machine import NOT_OURS, dump, run, wait_until
from stage import expected, goodbye, play

NEWER = "99.0"


@pytest.fixture(scope="session")
def newer(package, tmp_path_factory):
    """The same package with a higher version."""
    directory = tmp_path_factory.mktemp("newer")
    run("dpkg-deb", "--raw-extract", package, directory / "tree")
    control = directory / "tree/DEBIAN/control"
    control.write_text(re.sub(r"(?m)^Version:.*", f"Version: {NEWER}", control.read_text()))
    run("dpkg-deb", "--root-owner-group", "--build", directory / "tree", directory / "newer.deb")
    return directory / "newer.deb"


def test_size(package):
    dump({"package, bytes": package.stat().st_size})
    assert package.stat().st_size < 600_000  # a fifth: the values of ultimate


def test_the_program_is_isolated_whichever_debhelper_has_built_it(installed):
    """trixie's dh_python3 writes lines like this one anew."""
    assert (installed.root / "usr/bin/tictactoe").read_text().startswith("#! /usr/bin/python3 -I\n")


def test_purged_it_leaves_nothing_at_all(installed):
    """On a root that was not booted, where nothing else changes: exactly the files of before."""
    assert installed.files_purged == installed.files_before


def test_modules_are_compiled_when_it_is_installed(machine):
    place = machine.root / "usr/share/tictactoe-appliance"
    sources = [path for path in place.rglob("*.py") if "__pycache__" not in path.parts]
    compiled = {path.name.partition(".")[0] for path in place.rglob("__pycache__/*.pyc")}
    assert sources
    assert {path.stem for path in sources} <= compiled


def test_the_example_configuration_is_the_default(machine, package):
    run("dpkg-deb", "--extract", package, machine.root / "srv")
    example = machine.run("cat", "/srv/etc/tictactoe/config.yaml").stdout
    assert machine.run("tictactoe", "config", "check", "/srv/etc/tictactoe/config.yaml").returncode == 0
    assert example == machine.run("tictactoe", "config", "example").stdout
    values = [line for line in example.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    assert all(line.endswith(":") for line in values), "every value is commented out"
    conffiles = machine.run("dpkg-query", "--show", "--showformat=${Conffiles}", "tictactoe-appliance").stdout
    assert "/etc/tictactoe/config.yaml" in conffiles


def test_a_desktop_user_s_commands_work(machine):
    assert machine.run("tictactoe", "--help").stdout.startswith("usage: tictactoe")
    done = machine.run("setpriv", "--reuid=nobody", "--clear-groups", "tictactoe", "stats", check=False)
    assert "Traceback" not in done.stderr


def test_upgrade_keeps_the_game_and_the_configuration(fresh, newer):
    stand = fresh.stand
    play(fresh, (0,))
    stand.rest()
    play(fresh, (0, 8))
    configuration = (fresh.root / "etc/tictactoe/config.yaml").read_text()
    old = fresh.show()["MainPID"]
    stand.forget()
    shutil.copy(newer, fresh.root / "root/newer.deb")
    fresh.run("apt-get", "-qq", "install", "/root/newer.deb")
    status = ("dpkg-query", "--show", "--showformat=${Version} ${Status}", "tictactoe-appliance")
    assert fresh.run(*status).stdout == f"{NEWER} install ok installed"
    shown = fresh.show()
    assert shown["ActiveState"] == "active"
    assert shown["MainPID"] != old, "the new version runs"
    stand.wait_for(expected((0, 8)))
    assert (fresh.root / "etc/tictactoe/config.yaml").read_text() == configuration


def test_switched_off_from_the_menu(machine):
    """Key presses work all the way: the menu, systemctl, D-Bus, logind, polkit, PID 1."""
    stand = machine.stand
    stand.press(4)
    assert wait_until(lambda: machine.show()["StatusText"].startswith("menu"))
    stand.press()
    for cell in (7, 7, 0):  # settings, off, yes
        stand.rest()
        stand.tap(cell)
    machine.wait_off()
    assert stand.catch_up() == goodbye("off")
    machine.boot()
    stand.wait_for(expected((0, 8)))


def test_nothing_else_may_be_asked_of_the_manager(machine):
    """polkit allows the service's user to switch the machine off and to restart it, and nothing else."""
    user = ("setpriv", "--reuid=tictactoe", "--clear-groups")
    manager = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")
    may = {}
    for action in ("CanPowerOff", "CanReboot", "CanSuspend", "CanHalt"):
        may[action] = machine.run(*user, "busctl", "call", *manager, action, check=False).stdout.strip()
    assert may.pop("CanPowerOff") == may.pop("CanReboot") == 's "yes"'
    assert 's "yes"' not in may.values(), may
    asked = (*user, "systemctl", "--no-ask-password", "stop", "dbus.socket")
    assert machine.run(*asked, check=False).returncode != 0


def test_removed_and_purged(machine):
    machine.run("rm", "-r", "/etc/systemd/system/tictactoe.service.d")  # the test's own
    machine.run("apt-get", "-qq", "remove", "tictactoe-appliance")
    assert machine.show()["ActiveState"] == "inactive"
    assert (machine.root / "etc/tictactoe/config.yaml").exists()
    assert (machine.root / "var/lib/tictactoe/tictactoe.db").exists()
    machine.run("apt-get", "-qq", "purge", "tictactoe-appliance")
    elsewhere = " -o ".join(f"-path /{place[:-1]}" for place in NOT_OURS if place != "run/")
    assert machine.shell(f"find / \\( {elsewhere} \\) -prune -o -iname '*tictactoe*' -print").stdout == ""
    for words in ("passwd tictactoe", "group tictactoe", "group gpio", "group i2c"):
        assert machine.run("getent", *words.split(), check=False).returncode == 2, words
