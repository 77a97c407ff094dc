"""The whole test on a simulated board, as a desk runs it that has no POSIX."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from appliance import cli
from appliance.boardtest.plan import CHECKS
from appliance.commands import selftest as command

# What Windows lacks. `os.name` stays, so what the standard library chooses by it is not shown.
WITHOUT = ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "syslog", "_curses", "readline")
PROGRAM = f"""
import sys
sys.path.insert(0, {str(Path(__file__).resolve().parents[2])!r})
sys.modules |= dict.fromkeys({WITHOUT!r})
from appliance.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_it_runs_to_its_end_without_posix(tmp_path):
    buzzer = tmp_path / "buzzer.yaml"
    buzzer.write_text("sound: {pin: 24, kind: active}")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "selftest", "--full", "--simulate", "--config", str(buzzer)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\nno check failed\n")
    assert re.findall(r"^\d+/\d+ Check \d+, (\w+),", done.stdout, re.MULTILINE) == [
        check.name for check in CHECKS
    ]
    assert done.stdout.splitlines()[1] == "18 checks, about 8 min. Ctrl-C ends the test."
    assert "not run" not in done.stdout
    assert "\nok          sound: heard yes\n" in done.stdout
    assert list(tmp_path.iterdir()) == [buzzer], "nobody takes a simulated board's report for a real one"


@pytest.mark.parametrize(("fault", "failed"), [
    ("dead:5", ["key 5: no contact"]),
    ("stuck:3", ["key 3: down with nobody pressing", "pulls: "]),
])  # fmt: skip
def test_a_fault_of_the_simulated_box_fails_its_checks(fault, failed, monkeypatch, capsys):
    monkeypatch.setattr(command, "default_paths", list)
    assert cli.main(["selftest", "--simulate", "--fault", fault, "--only", "1", "3", "6", "7"]) == 1
    found = re.findall(r"^failed +(.*)$", capsys.readouterr().out, re.MULTILINE)
    assert [line[: len(start)] for line, start in zip(found, failed, strict=True)] == failed


def test_without_a_buzzer_no_check_asks_for_one(monkeypatch, capsys):
    monkeypatch.setattr(command, "default_paths", list)
    assert cli.main(["selftest", "--simulate"]) == 0
    assert "sound" not in capsys.readouterr().out
    assert cli.main(["selftest", "--simulate", "--only", "18"]) == 0
    assert "\nnot run     sound: no buzzer is configured: sound.pin\n" in capsys.readouterr().out
