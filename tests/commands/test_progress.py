"""The line that says how far long work is: on a terminal only, and gone before anything else is printed."""

import io
import os
import subprocess
import sys
import termios
from types import SimpleNamespace

import pytest
from pseudo_terminal import Pty

from appliance import progress
from appliance.cli import main
from appliance.commands import transcript
from appliance.progress import Progress, line


@pytest.mark.parametrize(("done", "total", "elapsed", "said"), [
    (0, 40, 0.0, "work: 0 of 40"),
    (0, 40, 9.0, "work: 0 of 40"),
    (1, 40, 0.5, "work: 1 of 40, about 20 s left"),
    (1, 40, 1.0, "work: 1 of 40, about 1 min left"),
    (10, 40, 200.0, "work: 10 of 40, about 10 min left"),
    (1_000, 144_000, 60.0, "work: 1,000 of 144,000, about 2 h 23 min left"),
    (39, 40, 78.0, "work: 39 of 40, about 2 s left"),
    (40, 40, 80.0, "work: 40 of 40"),
    (44, 40, 80.0, "work: 44 of 44"),
    (0, 0, 5.0, "work: 0"),
    (12_000, 0, 5.0, "work: 12,000"),
])  # fmt: skip
def test_how_far_work_is(done, total, elapsed, said):
    assert line("work", done, total, elapsed) == said


class Terminal(io.StringIO):
    def isatty(self):
        return True

    def shown(self):
        """Return what stands in the terminal's last line after each write, blanks at its end left out."""
        return self.getvalue().split("\r")


@pytest.fixture
def terminal(monkeypatch):
    found = Terminal()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=found))  # pytest changes sys.stderr itself
    return found


def test_it_is_drawn_at_once_and_then_at_most_twice_a_second(terminal):
    clock = iter([0.0, 0.0, 0.1, 0.2, 0.6, 0.7, 1.2]).__next__
    with Progress("work", 4, clock) as steps:
        for _ in range(4):
            steps.step()
    drawn = [text.strip() for text in terminal.shown() if text.strip()]
    assert drawn == ["work: 0 of 4", "work: 3 of 4, about 0 s left"]


def test_nothing_of_it_is_left_of_a_line_that_became_shorter(terminal):
    clock = iter([0.0, 0.0, 5.0, 500.0, 501.0]).__next__
    with Progress("work", 4, clock) as steps:
        steps.step()
        steps.step(3)
    *_, before, last, end = terminal.shown()
    assert len(last) >= len(before.rstrip())
    assert end == ""


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_error_finds_an_empty_line(terminal, error):
    with pytest.raises(error), Progress("work", 4):
        raise error
    *_, wiped, end = terminal.shown()
    assert (wiped.strip(), end) == ("", "")


def test_a_pipe_gets_nothing_of_it(capsys):
    with Progress("work", 2) as steps:
        steps.step()
        sys.stdout.write("a line\n")
        steps.step()
    assert capsys.readouterr() == ("a line\n", "")


COMMANDS = [
    (["stats", "--html"], "games read: "),
    (["stats"], "games read: "),
]
RUN = """
import sys
from appliance.cli import main
sys.exit(main(sys.argv[1:]))
"""


def run(folder, arguments, **streams):
    command = [sys.executable, "-c", RUN, *arguments]
    environment = {**os.environ, "HOME": str(folder), "PYTHONPATH": str(progress.__file__).rsplit("/", 2)[0]}
    return subprocess.Popen(command, cwd=folder, env=environment, text=True, **streams)


@pytest.fixture
def terminal_of(tmp_path):
    pty = Pty()

    def started(arguments):
        with run(tmp_path, arguments, stdout=pty.slave, stderr=pty.slave) as process:
            pty.until(lambda: process.poll() is not None)
            pty.drain()
        assert process.returncode == 0, pty.text
        return pty

    yield started
    pty.close()


@pytest.mark.parametrize(("arguments", "said"), COMMANDS)
def test_a_command_says_on_a_terminal_how_far_it_is_and_leaves_its_own_lines_alone(
    tmp_path, terminal_of, arguments, said
):
    with run(tmp_path, arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        out, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    assert said not in out
    shown = terminal_of(arguments)
    assert said.encode() in shown.sent
    words = "".join(line.rstrip() for line in shown.screen.display)
    assert words.partition("score")[0] == "".join(out.split("\n")).partition("score")[0]


def test_without_standard_error_work_goes_on(monkeypatch):
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=None))  # as after 2>&-
    with Progress("work", 2) as steps:
        steps.step()


@pytest.mark.parametrize("columns", [80, 9, 0])
def test_a_transcript_into_a_file_says_how_far_it_is(tmp_path, columns):
    """The line fits the terminal that it is drawn on: standard output is none."""
    pty = Pty()
    pty.screen.resize(24, columns or 80)
    termios.tcsetwinsize(pty.slave, (24, columns))
    for arguments, said in (["--games", "3"], b"transcript: 0 of 3"), (["--words", "900"], b"of 900"):
        with (tmp_path / "file").open("w") as file:
            command = ["transcript", "--seed", "1", *arguments]
            with run(tmp_path, command, stdout=file, stderr=pty.slave) as process:
                pty.until(lambda process=process: process.poll() is not None)
                pty.drain()
        assert (said if columns != 9 else b"transcri\r") in pty.sent
        assert pty.text.strip() == ""
    pty.close()


def test_control_c_ends_long_work_in_silence(monkeypatch, capsys):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(transcript, "perform", stopped)
    assert main(["transcript"]) == 130
    assert capsys.readouterr().err == ""
