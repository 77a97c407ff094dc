"""The script that the first boot runs, in a shell, with everything that it calls replaced."""

import shutil
import subprocess
from pathlib import Path

import pytest

from appliance.bootfiles.templates import render_file

BOOT = Path(__file__).parent.parent / "boot"
OURS = "systemd.run=@/tictactoe/first-boot.sh"  # @ is where the partition is mounted
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
        for name in ("dpkg", "cancel-rename", "raspi-config", "getent", "sync"):
            (self.bin / name).write_text(f'#!/bin/sh\necho "{name} $*" >>{root}/calls\n')
        (self.bin / "getent").write_text("#!/bin/sh\necho pi:x:1000:1000::/home/pi:/bin/false\n")
        self.set("dpkg", 0)
        for path in self.bin.iterdir():
            path.chmod(0o755)

    def set(self, name, status):
        path = self.bin / name
        path.write_text(
            f'#!/bin/sh\necho "{name} $*" >>{self.root}/calls\necho "{name} says"\nexit {status}\n'
        )

    def run(self, line, now=None, hostname=None):
        """Run the first boot of a card with this cmdline.txt; `now` is what the kernel was started with."""
        (self.boot / "cmdline.txt").write_text(line.replace("@", str(self.boot)))
        (self.root / "cmdline").write_text((line if now is None else now).replace("@", str(self.boot)))
        script = render_file("first-boot.sh", {"hostname": hostname}).decode()
        for real, ours in (
            ("boot=/boot/firmware\n", f"boot={self.boot}\nPATH={self.bin}:$PATH\n"),
            ("/proc/cmdline", f"{self.root}/cmdline"),
            ("/usr/bin/cancel-rename", f"{self.bin}/cancel-rename"),
        ):
            assert real in script
            script = script.replace(real, ours)
        done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        calls = self.root / "calls"
        return calls.read_text().splitlines() if calls.exists() else []

    @property
    def line(self):
        return (self.boot / "cmdline.txt").read_text().replace(str(self.boot), "@")

    @property
    def log(self):
        return (self.boot / "tictactoe/first-boot.log").read_text()


def test_cloud_init_runs_it_and_the_packages_are_installed(box):
    for name in ("a.deb", "b.deb"):
        (box.boot / "tictactoe" / name).touch()
    calls = box.run("root=/dev/a quiet\n", hostname="box")
    folder = box.boot / "tictactoe"
    options = "--force-confdef --force-confold --skip-same-version --refuse-downgrade"
    assert calls == [f"dpkg {options} --install {folder}/a.deb {folder}/b.deb", "sync "]
    assert box.line == "root=/dev/a quiet\n"
    assert box.log.startswith("== ")
    assert box.log.endswith("\ndpkg says\ninstalled\n")


def test_systemd_runs_it_once_and_nobody_is_asked_for_a_user(box):
    calls = box.run(f"root=/dev/a quiet {OURS} {REST}\n", hostname="box")
    assert calls == ["cancel-rename pi", "raspi-config nonint do_hostname box", "sync "]
    assert box.line == "root=/dev/a quiet\n"
    assert "nothing was installed" in box.log


@pytest.mark.parametrize(
    ("line", "left"),
    [
        (f"root=/dev/a {OURS} {REST} systemd.show_status=1\n", "root=/dev/a systemd.show_status=1\n"),
        (
            f"root=/dev/a systemd.run=/boot/firstrun.sh {REST} {OURS}\n",
            f"root=/dev/a systemd.run=/boot/firstrun.sh {REST}\n",
        ),
        ("root=/dev/a\n", "root=/dev/a\n"),  # another script has taken the words out already
    ],
)
def test_only_its_own_words_are_taken_out(box, line, left):
    assert box.run(line, now=f"root=/dev/a {OURS} {REST}") == ["cancel-rename pi", "sync "]
    assert box.line == left


@pytest.mark.parametrize("name", ["userconf.txt", "userconf"])
def test_a_user_that_is_set_on_the_card_is_left_to_be_made(box, name):
    (box.boot / name).touch()
    assert box.run(f"root=/dev/a {OURS} {REST}\n") == ["sync "]


def test_a_package_that_is_missing_is_told_where_a_person_can_read_it(box):
    (box.boot / "tictactoe/a.deb").touch()
    box.set("dpkg", 1)
    box.run("root=/dev/a\n")
    box.run("root=/dev/a\n")
    assert box.log.count("dpkg says\nnot everything was installed: the lines above say what is missing") == 2
    assert "installed\n" not in box.log.replace("not everything was installed", "")


@pytest.mark.parametrize("name", ["first-boot.sh", "fetch-packages.sh"])
def test_the_scripts_are_shell(name):
    assert subprocess.run(["sh", "-n", BOOT / name], check=False).returncode == 0
    checker = shutil.which("shellcheck")
    assert checker is None or subprocess.run([checker, BOOT / name], check=False).returncode == 0


def test_fetching_packages_says_how_it_is_used():
    done = subprocess.run(["sh", BOOT / "fetch-packages.sh"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "bookworm|trixie arm64|armhf FOLDER" in done.stderr
