"""The script that the first boot runs, in a shell, with everything that it calls replaced."""

import configparser
import subprocess
from pathlib import Path

import pytest

from appliance.card.table import render

BOOT = Path(__file__).parents[2] / "boot"
OURS = "systemd.run=/boot\\x2ffirmware/tictactoe/first-boot.sh"
REST = "systemd.run_success_action=reboot systemd.unit=kernel-command-line.target"


@pytest.fixture
def box(tmp_path):
    """A box whose /boot/firmware, commands and kernel command line are in a folder."""
    return Box(tmp_path)


class Box:
    def __init__(self, root):
        self.root, self.boot, self.bin = root, root / "firmware", root / "bin"
        (self.boot / "tictactoe").mkdir(parents=True)
        self.bin.mkdir()
        for name in ("cancel-rename", "raspi-config", "sync", "systemctl"):
            self.set(name, ":")
        self.set("getent", "echo pi:x:1000:1000::/home/pi:/bin/false")
        self.set("dpkg", "echo dpkg says")

    def set(self, name, script):
        """Replace a command; its calls are noted, except for getent's."""
        path = self.bin / name
        note = "" if name == "getent" else f'echo "{name} $*" >>{self.root}/calls\n'
        path.write_text(f"#!/bin/sh\n{note}{script}\n")
        path.chmod(0o755)

    def run(self, line, now=None, hostname=None, quiet=True):
        """Run the first boot of a card with this cmdline.txt; `now` is what the kernel was started with."""
        (self.boot / "cmdline.txt").write_text(line)
        (self.root / "cmdline").write_text(line if now is None else now)
        (self.root / "calls").unlink(missing_ok=True)
        script = render("first-boot.sh", {"hostname": hostname})
        for real, ours in (
            ("boot=/boot/firmware\n", f"boot={self.boot}\nPATH={self.bin}:$PATH\n"),
            ("/proc/cmdline", f"{self.root}/cmdline"),
            ("/etc/systemd/system/", f"{self.root}/"),
        ):
            assert real in script
            script = script.replace(real, ours)
        done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert quiet == (not done.stdout)
        calls = (self.root / "calls").read_text().splitlines()
        return [call for call in calls if call != "sync "]

    @property
    def line(self):
        return (self.boot / "cmdline.txt").read_text()

    @property
    def log(self):
        return (self.boot / "tictactoe/first-boot.log").read_text()


UNIT = "tictactoe-first-boot.service"
ENABLE, DISABLE = f"systemctl --quiet enable {UNIT}", f"systemctl --quiet disable {UNIT}"
ASKED = "systemctl --quiet is-enabled userconfig"
FORCE = "dpkg --force-confdef --force-confold"
PENDING = f"{FORCE} --configure --pending"


def test_cloud_init_runs_it_and_the_packages_are_installed(box):
    for name in ("a.deb", "b.deb"):
        (box.boot / "tictactoe" / name).touch()
    calls = box.run("root=/dev/a quiet\n", hostname="box")
    folder = box.boot / "tictactoe"
    install = f"{FORCE} --skip-same-version --refuse-downgrade --install {folder}/a.deb {folder}/b.deb"
    assert calls == [ENABLE, PENDING, install, PENDING, DISABLE]
    assert not (box.root / UNIT).exists()
    assert box.line == "root=/dev/a quiet\n"
    assert box.log.startswith("== ")
    assert box.log.endswith("\ndpkg says\ninstalled\n")


def test_systemd_runs_it_once_and_nobody_is_asked_for_a_user(box):
    calls = box.run(f"root=/dev/a quiet {OURS} {REST}\n", hostname="box")
    assert calls == [ENABLE, ASKED, "cancel-rename pi", "raspi-config nonint do_hostname box"]
    assert box.line == "root=/dev/a quiet\n"
    assert "no package in the folder tictactoe: copy it there, and the next start installs it" in box.log


FIRSTRUN = f"root=/dev/a systemd.run=/boot/firstrun.sh {REST}"


@pytest.mark.parametrize(
    ("line", "left"),
    [
        (f"root=/dev/a {OURS} {REST} systemd.show_status=1\n", "root=/dev/a systemd.show_status=1\n"),
        (f"{FIRSTRUN} {OURS}\n", f"{FIRSTRUN}\n"),
        ("root=/dev/a\n", "root=/dev/a\n"),  # another script has taken the words out already
    ],
)
def test_only_its_own_words_are_taken_out(box, line, left):
    assert box.run(line, now=f"root=/dev/a {OURS} {REST}") == [ENABLE, ASKED, "cancel-rename pi"]
    assert box.line == left


@pytest.mark.parametrize("name", ["userconf.txt", "userconf", None])
def test_a_user_that_is_set_on_the_card_or_exists_is_left_alone(box, name):
    """Cancelling the question again would end this user's automatic login."""
    if name:
        (box.boot / name).touch()
    else:
        box.set("systemctl", "exit 1")
    assert box.run(f"root=/dev/a {OURS} {REST}\n") == [ENABLE, ASKED]


def test_a_missing_package_is_logged_on_the_card_and_every_start_tries_again(box):
    (box.boot / "tictactoe/a.deb").touch()
    box.set("dpkg", "echo dpkg says; exit 1")
    assert [call for call in box.run("root=/dev/a\n") if call.startswith("systemctl")] == [ENABLE]
    unit = configparser.ConfigParser()
    unit.optionxform = str
    unit.read_string((box.root / UNIT).read_text())
    assert unit["Service"]["ExecStart"] == f"/bin/sh {box.boot}/tictactoe/first-boot.sh"
    assert unit["Unit"]["ConditionPathExists"] == f"{box.boot}/tictactoe/first-boot.sh"
    assert unit["Install"]["WantedBy"] == "multi-user.target"
    assert [call for call in box.run("root=/dev/a\n") if call.startswith("systemctl")] == []
    assert box.log.count("dpkg says\nnot everything was installed: see above for what is missing") == 1
    box.set("dpkg", ":")
    assert box.run("root=/dev/a\n")[-1] == DISABLE
    assert box.log.endswith("installed\n")
    assert not (box.root / UNIT).exists()


def test_a_log_that_cannot_be_written_stops_nothing(box):
    (box.boot / "tictactoe/first-boot.log").mkdir()
    (box.boot / "tictactoe/a.deb").touch()
    assert box.run(f"root=/dev/a {OURS} {REST}\n", quiet=False)[-1] == DISABLE
    assert box.line == "root=/dev/a\n"


def test_fetching_packages_says_how_it_is_used():
    done = subprocess.run(["sh", BOOT / "fetch-packages.sh"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "bookworm|trixie arm64|armhf FOLDER" in done.stderr
