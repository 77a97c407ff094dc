"""What systemd says of the image's units without running them, and that the games are written last."""

import re
import subprocess
from pathlib import Path

import pytest

from appliance.slots.publish import REPORT

ROOT = Path(__file__).resolve().parents[2]
UNITS = ROOT / "image/root/usr/lib/systemd/system"
NAMES = sorted(path.name for path in UNITS.iterdir() if not path.is_symlink())


@pytest.fixture
def verify(tmp_path):
    """Return what verifies a unit among the others; programs of the box are replaced by one that is here."""
    for path in (*UNITS.iterdir(), ROOT / "systemd/tictactoe.service"):
        text = re.sub("/usr/bin/(tictactoe|udevadm) [a-z -=]*", "/bin/true", path.read_text())
        (tmp_path / path.name).write_text(text)

    def run(name, old="", new=""):
        file = tmp_path / name
        file.write_text(file.read_text().replace(old, new))
        done = subprocess.run(
            ["systemd-analyze", "--no-pager", "--man=no", "verify", file],
            env={"SYSTEMD_UNIT_PATH": f"{tmp_path}:", "PATH": "/usr/bin:/bin"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stderr

    return run


@pytest.mark.parametrize("name", NAMES)
def test_systemd_understands_every_line(verify, name):
    assert verify(name) == (0, "")


def test_a_mistake_is_found(verify):
    assert "TimeoutStopSecs" in verify("box-leave.service", "TimeoutStopSec", "TimeoutStopSecs")[1]


def settings(name, key):
    lines = re.findall(rf"^{key}=(.*)$", (UNITS / name).read_text(), re.MULTILINE)
    return {word for line in lines for word in line.split()}


def test_the_last_to_stop_is_what_writes_the_games():
    """Units stop in the reverse of their order. Two that write at once would spoil each other's mount."""
    assert "box-leave.service" in settings("box.target", "Wants")
    writers = {name for name in NAMES if re.search(r"tictactoe image ", (UNITS / name).read_text())}
    assert settings("box-leave.service", "Before") == {
        "shutdown.target", "tictactoe.service", *writers - {"box-leave.service"}
    }  # fmt: skip
    assert "box-games.service" in settings("box-status.service", "Wants")
    assert "box-status.service" in settings("box-games.service", "After")


def test_it_has_written_before_the_display_s_ten_seconds_are_over():
    """The display says "Switching off. Wait ten seconds, then unplug"; the game stops first."""
    service = (ROOT / "systemd/tictactoe.service").read_text()
    (game,) = re.findall(r"^TimeoutStopSec=(\d+)s", service, re.MULTILINE)
    (leave,) = settings("box-leave.service", "TimeoutStopSec")
    assert int(game) + int(leave.removesuffix("s")) < 10


def test_a_new_report_of_the_device_test_is_put_onto_the_card_once_the_game_is_back():
    assert "box-report.path" in settings("box.target", "Wants")
    assert settings("box-report.path", "PathChanged") == {f"/data/tictactoe/{REPORT}"}
    assert settings("box-report.path", "Unit") == {"box-status.timer"}
    assert settings("box-status.timer", "RemainAfterElapse") == {"no"}, "else it could start only once"
