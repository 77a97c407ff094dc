"""Engines that others wrote, in `make matches`: what is said of one that does not play."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from select import select

import pytest

HERE = Path(__file__).parent
RANDOM = """import random, sys
from nine_boards import Slow
for number, line in enumerate(sys.stdin):
    position = Slow()
    for move in line.split()[1:]:
        position = position.play(int(move))
    print(random.Random(number).choice(position.moves()), flush=True)
"""


@pytest.fixture
def engine(tmp_path):
    """Return the player whose program this is."""

    def player(code):
        (tmp_path / "player.py").write_text(code)
        return f"cmd:{sys.executable} {tmp_path / 'player.py'}"

    return player


def matches(*arguments, **options):
    return subprocess.run(
        [sys.executable, HERE, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": f"{HERE.parent.parent}:{HERE.parent / 'support'}", **options},
    )


def test_an_engine_that_plays_by_lines_of_text_gets_its_row(engine):
    name = engine(RANDOM)
    found = matches("--games", "6", "casual", name, PATH="")  # nothing is compiled for them
    assert (found.returncode, found.stderr) == (0, "")
    cells = found.stdout.splitlines()[-1].strip("| ").split(" | ")
    assert cells[:3] == ["casual", name.removeprefix("cmd:"), "6"]
    assert float(cells[-1]) > 0  # the milliseconds that its process took


@pytest.mark.parametrize(("command", "said"), [
    ("no-such-engine", "no-such-engine does not start: No such file or directory"),
    ("' '", "' ' does not start: No such file or directory"),
    ("'", "' cannot be split into words: No closing quotation"),
    ("true", "true has ended without an answer to 'go "),
    ("head -n 0", "head -n 0 has ended without an answer to 'go "),
    ("echo banana", "echo banana answered 'banana' to 'go "),
    ("echo 81", "echo 81 answered '81' to 'go "),
    ("echo -1", "echo -1 answered '-1' to 'go "),
    ("echo 40 12", "echo 40 12 answered '40 12' to 'go "),
    ("echo", "echo answered '' to 'go "),
    (r"printf '\377\t\n'", r"printf '\377\t\n' answered '\xff"),
])  # fmt: skip
def test_one_that_does_not_play_ends_the_matches_in_a_sentence(command, said):
    found = matches("--games", "2", f"cmd:{command}", "casual")
    assert (found.returncode, len(found.stderr.splitlines())) == (2, 1), found.stderr
    assert found.stderr.startswith(f"make matches: cmd:{said}")


def test_one_that_hangs_is_ended_with_what_it_has_started(tmp_path):
    script, pidfile = tmp_path / "script.sh", tmp_path / "pid"
    script.write_text(f"sleep 600 2>/dev/null & echo $! >{pidfile}; wait")
    found = matches("--games", "2", "--seconds", "1", f"cmd:sh {script}", "casual")
    assert found.returncode == 2
    assert found.stderr.startswith(f"make matches: cmd:sh {script} has not answered 'go ")
    assert found.stderr.endswith(" within 1 s\n")
    if pid := pidfile.exists() and pidfile.read_text():  # else it came no further in time
        with suppress(ProcessLookupError):
            ended = os.pidfd_open(int(pid))
            assert select([ended], [], [], 60)[0]
            os.close(ended)


def test_one_that_floods_without_the_end_of_a_line_has_not_answered():
    found = matches("--games", "2", "--seconds", "0.2", "cmd:cat /dev/zero", "casual")
    assert (found.returncode, len(found.stderr.splitlines())) == (2, 1)
    assert found.stderr.startswith("make matches: cmd:cat /dev/zero has not answered 'go ")


def test_an_answer_that_was_legal_before_is_refused(engine):
    found = matches("--games", "2", engine("import sys\nfor _ in sys.stdin: print(40, flush=True)"), "casual")
    assert found.returncode == 2
    assert "answered '40' to 'go " in found.stderr
    assert ", where the legal moves are " in found.stderr


@pytest.mark.parametrize(("arguments", "said"), [
    (["uct:0", "casual"], "uct:0 is no player: "),
    (["cmd:", "casual"], "cmd: is no player: "),
    (["casual"], "players come in pairs"),
    (["--games", "3", "casual", "casual"], "--games: 3 is no even number from 2 on"),
    (["--games", "0", "casual", "casual"], "--games: 0 is no even number from 2 on"),
])  # fmt: skip
def test_wrong_arguments_are_refused(arguments, said):
    found = matches(*arguments)
    assert found.returncode == 2
    assert said in found.stderr


def test_without_a_compiler_the_opponent_in_c_says_what_to_install():
    found = matches("uct:10", "casual", PATH="")
    assert (found.returncode, found.stderr) == (
        2, "make matches: gcc is missing. Remedy: sudo apt install gcc libc6-dev\n",
    )  # fmt: skip


def test_the_example_plays_with_the_installed_engine(tmp_path):
    """The engine's package as it is installed, without the checkout that plays the match."""
    (tmp_path / "mnk_engine").symlink_to(HERE.parents[1] / "engine")
    name = f"cmd:env PYTHONPATH={tmp_path} {sys.executable} {HERE / 'mnk_player.py'} 50"
    found = matches("--games", "2", "search:50", name)
    assert (found.returncode, found.stderr) == (0, "")
    assert "| search, 50 positions | env PYTHONPATH" in found.stdout
