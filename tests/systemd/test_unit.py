"""What systemd says of the unit without running it: `make test-unit`. Fails without systemd-analyze."""

import re
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).resolve().parents[2] / "systemd"
UNIT = (SYSTEMD / "tictactoe.service").read_text()

# Directives that relax, or that look odd: each must say what breaks without it.
EXPLAINED = (
    "DefaultDependencies", "Wants", "Conflicts", "StartLimitIntervalSec", "Type", "WatchdogSec",
    "TimeoutAbortSec", "TimeoutStopSec", "LimitCORE", "User", "StateDirectoryMode", "WorkingDirectory",
    "Environment", "BindPaths", "PrivateDevices", "ProtectProc", "SystemCallErrorNumber",
)  # fmt: skip


def analyze(*arguments):
    return subprocess.run(
        ["systemd-analyze", "--no-pager", *arguments], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.fixture
def unit(tmp_path):
    """Write a unit whose program exists on this machine, too."""

    def write(text):
        path = tmp_path / "tictactoe.service"
        path.write_text(text.replace("/usr/bin/tictactoe run", "/bin/true"))
        return path

    return write


def verify(path):
    done = analyze("--man=no", "verify", path)
    return done.returncode, done.stderr


def test_systemd_understands_every_line(unit):
    assert verify(unit(UNIT)) == (0, "")


def test_systemd_understands_the_other_unit(tmp_path):
    path = tmp_path / "tictactoe-bus@.service"
    path.write_text((SYSTEMD / path.name).read_text())
    assert verify(path) == (0, "")


def test_that_check_finds_a_line_that_systemd_does_not_understand(unit):
    _, told = verify(unit(UNIT.replace("PrivateTmp=yes", "PrivateTemp=yes")))
    assert "PrivateTemp" in told


@pytest.mark.parametrize(
    "text", [UNIT, UNIT.replace("DefaultDependencies=no\n", "")], ids=["as it is", "late boot"]
)
def test_exposure(unit, text):
    # systemd leaves some directives out of the sum where a unit is started early: so both ways.
    done = analyze("security", "--offline=yes", "--threshold=4", unit(text))
    score = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert score, done.stderr
    print("exposure", score[1])  # noqa: T201 - the figure, for whoever runs this with -rP
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", EXPLAINED)
def test_odd_directives_are_explained(name):
    paragraph = re.search(rf"((?:^#.*\n)+)(?:^[^#\n].*\n)*?^{name}=", UNIT, re.MULTILINE)
    assert paragraph, f"{name}= has no comment"


def test_the_user_cannot_log_in(tmp_path):
    (tmp_path / "etc").mkdir()
    subprocess.run(
        ["systemd-sysusers", f"--root={tmp_path}", SYSTEMD / "tictactoe.sysusers"],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    (user,) = (
        line for line in (tmp_path / "etc/passwd").read_text().splitlines() if line.startswith("tictactoe:")
    )
    assert user.split(":")[6] == "/usr/sbin/nologin"
    assert user.split(":")[2] != "0"
    groups = dict(line.split(":", 1) for line in (tmp_path / "etc/group").read_text().splitlines())
    assert {name for name, rest in groups.items() if rest.endswith(":tictactoe")} == {"gpio", "i2c"}
    assert "tictactoe:!" in (tmp_path / "etc/shadow").read_text()
