"""The image's shell scripts, run on folders: the end of a trial, and the change to the other slot.

tests/image runs them on an emulated machine; here the card and the daemon fail.
"""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

IMAGE = Path(__file__).resolve().parents[2] / "image"
INIT = (IMAGE / "init").read_text()
UNIT = (IMAGE / "root/usr/lib/systemd/system/box-trial.service").read_text()
SHELL = ["busybox", "sh"] if shutil.which("busybox") else ["sh"]
CONFIG = b"# The box's own lines\r\nos_prefix=a/\r\nenable_uart=0\r\n"
GAME_RUNS, SETTLE = "systemctl -q is-active tictactoe", "systemctl start box-settled"


@pytest.fixture
def card(tmp_path):
    """Return a folder for the card and the device tree."""
    for name in ("boot", "chosen"):
        (tmp_path / name).mkdir()
    (tmp_path / "boot/config.txt").write_bytes(CONFIG)
    return tmp_path


def program(card, name, fails):
    """Return a shell function that only logs its call, and fails if the call is `fails`."""
    return f'{name}() {{ echo "{name} $*" >>{card}/calls; [ "{name} $*" != "{fails}" ]; }}\n'


def sh(card, text):
    """Run shell text; return its exit status and the logged calls."""
    done = subprocess.run([*SHELL, "-c", text], capture_output=True, text=True, check=False)
    calls = card / "calls"
    return done.returncode, calls.read_text().splitlines() if calls.exists() else []


def leave_slot(card, fails=""):
    """Let image/init leave slot a; return 9 if it rebooted, 3 if it continued, and the calls."""
    functions = re.findall(
        r"^names\(\).*?$|^(?:letter|leave_slot)\(\) \{.*?^}$", INIT, re.MULTILINE | re.DOTALL
    )
    there = (
        "\n".join(functions)
        .replace("/boot", f"{card}/boot")
        .replace("/config.txt >/", f"/config.txt >{card}/")
    )
    there = there.replace("if=/", f"if={card}/")
    programs = "".join(program(card, name, fails) for name in ("mount", "umount", "sync"))
    around = "say() { :; }; note() { :; }; forget() { :; }; reboot() { exit 9; }; slot=a; other=b"
    return sh(card, f"{programs}{around}\n{there}\nleave_slot x; exit 3")


def test_a_slot_is_left_by_one_letter_and_a_restart(card):
    inode = (card / "boot/config.txt").stat().st_ino
    assert leave_slot(card)[0] == 9
    assert (card / "boot/config.txt").read_bytes() == CONFIG.replace(b"=a/", b"=b/")
    assert (card / "boot/config.txt").stat().st_ino == inode


def test_a_card_that_cannot_be_written_is_not_restarted_for_ever(card):
    """The other root is already mounted, and starts."""
    remount = f"mount -o remount,rw {card}/boot"
    status, calls = leave_slot(card, fails=remount)
    assert status == 3
    assert remount in calls
    assert "umount /new" not in calls
    assert (card / "boot/config.txt").read_bytes() == CONFIG


def end_of_trial(card, prefix, config=CONFIG, fails=""):
    """Return the calls to systemd when a trial's time is over."""
    if prefix:
        (card / "chosen/os_prefix").write_bytes(prefix + b"\0")
    (card / "boot/config.txt").write_bytes(config)
    places = {"/proc/device-tree": str(card), "/boot/firmware": f"{card}/boot"}
    text = re.sub("|".join(places), lambda match: places[match[0]], UNIT)
    condition, command = (
        shlex.split(line.partition("=")[2])[2] for line in text.splitlines() if "/bin/sh" in line
    )
    return sh(card, program(card, "systemctl", fails) + command)[1] if sh(card, condition)[0] == 0 else []


@pytest.mark.parametrize(("fails", "calls"), [
    (GAME_RUNS, [GAME_RUNS, "systemctl reboot"]),  # no game
    # A game that started late: the first start failed, and systemd dropped box-settled's job with it.
    ("", [GAME_RUNS, SETTLE]),
    (SETTLE, [GAME_RUNS, SETTLE, "systemctl reboot"]),  # what cannot be settled
])  # fmt: skip
def test_a_trial_is_settled_if_its_game_runs_and_ends_in_a_restart_if_not(card, fails, calls):
    assert end_of_trial(card, b"b/", fails=fails) == calls


@pytest.mark.parametrize(("prefix", "config"), [
    (b"a/", CONFIG),
    (b"A/", CONFIG),
    (b"b/", CONFIG + b"os_prefix=B/\n"),
    (b"", CONFIG),
    (b"a/", CONFIG.replace(b"os_", b" os_")),  # no trial starts with this file
    (b"./a/", CONFIG.replace(b"=a/", b"=./a/")),
])  # fmt: skip
def test_where_there_is_no_trial_nothing_is_done(card, prefix, config):
    assert end_of_trial(card, prefix, config, fails=GAME_RUNS) == []
