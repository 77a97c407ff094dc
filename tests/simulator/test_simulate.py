"""`tictactoe simulate` in a terminal: the whole program, in its own process or in this one."""

import io
import logging
import os
import signal
import subprocess
import sys
import termios

import pytest

from appliance.cli import main
from appliance.commands import simulate
from appliance.config.schema import Config
from appliance.core.session.match import Match
from appliance.core.session.settings import Scores, Tally
from appliance.core.session.state import Session
from appliance.simulator.virtual import VirtualBox


@pytest.mark.parametrize("end", ["q", signal.SIGTERM])
def test_stopping_and_ending_give_the_terminal_back_and_continuing_takes_it_again(tty, end):
    def stopped():
        pid, status = os.waitpid(process.pid, os.WUNTRACED | os.WNOHANG)
        return pid == process.pid and os.WIFSTOPPED(status)

    script = "import sys; from appliance.cli import main; sys.exit(main())"
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), tty.slave)
    env = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-c", script, "simulate"]
    # In its own process group, so that it may be stopped.
    process = subprocess.Popen(command, **streams, env=env, process_group=0)
    try:
        tty.until(lambda: "│1│ │2│ │3│" in tty.text)
        for _ in range(2):
            process.send_signal(signal.SIGTSTP)
            tty.until(stopped)
            tty.until(tty.is_restored)
            tty.screen.reset()
            process.send_signal(signal.SIGCONT)
            tty.until(lambda: "tic-tac-toe" in tty.text)
            assert termios.tcgetattr(tty.slave) != tty.before
        tty.type(end) if end == "q" else process.send_signal(end)
        tty.until(lambda: process.poll() is not None)
        assert process.returncode == (0 if end == "q" else 128 + end)
    finally:
        process.kill()
        process.wait()
    tty.until(tty.is_restored)
    assert tty.sent.decode().rpartition("\x1b[?1049l")[2].strip() == "Goodbye."


def run_here(tty, monkeypatch, *arguments, encoding="utf-8", term="xterm"):
    """Run the command in this process, in the pseudo-terminal; return its exit status."""
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/nonexistent")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    slave = os.dup(tty.slave), os.dup(tty.slave)
    with os.fdopen(slave[0]) as stdin, os.fdopen(slave[1], "w", encoding=encoding) as stdout:
        for name, stream in (("stdin", stdin), ("stdout", stdout), ("stderr", stdout)):
            monkeypatch.setattr(sys, name, stream)
        return main(["simulate", *arguments])


def test_without_utf_8_it_says_what_to_do(tty, monkeypatch):
    assert run_here(tty, monkeypatch, encoding="latin-1") == 2
    tty.until(lambda: "LANG=C.UTF-8" in tty.text.replace("\n", ""))
    assert b"\x1b[?1049h" not in tty.sent


@pytest.mark.parametrize(("arguments", "term", "size", "part"), [
    ([], "linux", (80, 25), b"Hello! | English"),  # no braille in its fonts: half size, with words
    (["--braille"], "linux", (80, 25), b"tic-tac-toe"),
    (["--blocks"], "xterm", (160, 50), b"tic-tac-toe"),
    (["--braille"], "xterm", (160, 50), b"tic-tac-toe"),
])  # fmt: skip
def test_the_style_can_be_chosen(tty, monkeypatch, arguments, term, size, part):
    tty.resize(*size)
    tty.type("qq")
    assert run_here(tty, monkeypatch, *arguments, term=term) == 0
    tty.until(lambda: part in tty.sent)
    assert (chr(0x2800).encode() in tty.sent) == ("--braille" in arguments)
    tty.until(tty.is_restored)


def test_it_asks_for_the_language_like_a_new_box(tty, monkeypatch, tmp_path):
    def shown(*arguments):
        tty.resize(80, 25)
        tty.type("qq")
        assert run_here(tty, monkeypatch, "--state", str(tmp_path / "box"), *arguments, term="linux") == 0
        tty.until(lambda: b" | " in tty.sent)
        greetings = (b"Hello! | English", b"Hallo! | Mitte halten", b"Hello! | Adaptive")
        sent, tty.sent = tty.sent, b""
        return [word for word in greetings if word in sent]

    german = tmp_path / "box.yaml"
    german.write_text("language: de")
    assert shown() == [b"Hello! | English"]
    assert shown("--config", str(german)) == [b"Hallo! | Mitte halten"]
    box = VirtualBox(Config(), 0, tmp_path / "box")
    box.tap(0)
    box.wait_for("your_turn")
    box.power_cut()
    assert shown() == [b"Hello! | Adaptive"]


@pytest.mark.parametrize(("arguments", "term"), [((), "dumb"), (("--words",), "xterm")])
def test_what_is_not_drawn_is_said_and_an_empty_line_asks_for_the_buttons(
    tty, monkeypatch, tmp_path, arguments, term
):
    tty.type("\nq\n")
    assert run_here(tty, monkeypatch, "--state", str(tmp_path), *arguments, term=term) == 0
    tty.until(lambda: b"Goodbye." in tty.sent)
    assert b"Hello! English." in tty.sent
    assert "1, English, ✓; 2, Deutsch; ".encode() in tty.sent
    assert b"\x1b" not in tty.sent


def test_who_reads_the_words_may_go(tmp_path, capfd):
    """As with `tictactoe simulate --words | head -1`."""
    reads, writes = os.pipe()
    os.close(reads)
    script = "import sys; from appliance.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", script, "simulate", "--words", "--state", str(tmp_path)]
    done = subprocess.run(command, input=b"", stdout=writes, stderr=subprocess.PIPE, check=False)
    os.close(writes)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_printed_game_names_the_display_in_place_of_another(capsys, tmp_path):
    file = tmp_path / "box.yaml"
    file.write_text("display: {driver: 'luma.oled.device:ssd1327'}")
    assert main(["simulate", "--config", str(file)]) == 0
    printed = capsys.readouterr().out
    assert ("plays one game" in printed, "\x1b" in printed) == (True, False)
    assert "an emulated SSD1306 in place of luma.oled.device:ssd1327.\n" in printed


def test_an_error_is_shown_in_the_restored_terminal(tty, monkeypatch):
    run_to = VirtualBox.run_to

    def fail(box, end):
        if box.time < 0.1:
            return run_to(box, end)
        logging.getLogger("tictactoe").warning("it will break")
        raise RuntimeError("the box broke")

    monkeypatch.setattr(VirtualBox, "run_to", fail)
    assert run_here(tty, monkeypatch) == 1
    tty.until(lambda: b"the box broke" in tty.sent)
    tty.until(tty.is_restored)
    assert tty.sent.index(b"Traceback") > tty.sent.index(b"\x1b[?1049l")
    assert tty.sent.rindex(b"it will break") > tty.sent.index(b"\x1b[?1049l")


@pytest.mark.parametrize(("arguments", "part"), [
    (["--json"], "--scenario FILE"),
    (["--config", "/nonexistent/box.yaml"], "/nonexistent/box.yaml"),
    (["--scenario", "/nonexistent/play.yaml"], "/nonexistent/play.yaml"),
    (["--scenario", "play.yaml", "--config", "box.yaml"], "--config does not go with --scenario"),
    (["--scenario", "play.yaml", "--seed", "1"], "--seed does not go with --scenario"),
    (["--scenario", "play.yaml", "--state", "x"], "--state does not go with --scenario: it saves no"),
])  # fmt: skip
def test_a_mistake_is_reported_in_one_line(capsys, arguments, part):
    assert main(["simulate", *arguments]) == 2
    message = capsys.readouterr().err
    assert part in message
    assert message.count("\n") == 1


def test_the_score_in_words():
    session = Session(Match.new("classic", "x"))
    assert simulate.goodbye(session) == "Goodbye."
    session = session._replace(scores=Scores(box=Tally(2, 1, 3), pair=Tally(0, 0, 1)))
    assert (
        simulate.goodbye(session)
        == "Goodbye. You 2, the box 1, drawn 3; first person 0, second person 0, drawn 1."
    )


# Without a terminal


def printed_game(tmp_path, capsys, monkeypatch, text, *flags):
    file = tmp_path / "box.yaml"
    file.write_text(text)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main(["simulate", "--config", str(file), *flags]) == 0
    return capsys.readouterr().out


def test_without_a_terminal_a_game_is_printed(tmp_path, capsys, monkeypatch):
    printed = printed_game(tmp_path, capsys, monkeypatch, "")
    assert "\x1b" not in printed
    header, *frames = printed.split("\n\n")
    assert "plays one game against itself" in header
    assert len(set(frames)) == len(frames) == 9  # the empty board and eight moves
    assert all(sum(line[:1] >= "\u2800" for line in frame.splitlines()) == 16 for frame in frames)
    assert printed_game(tmp_path, capsys, monkeypatch, "", "--seed", "0") == printed
    # However the display is mounted, the picture is upright.
    assert printed_game(tmp_path, capsys, monkeypatch, "display: {rotate: 180}") == printed


@pytest.mark.parametrize("text", [
    "game: {level: easy, first: box, players: 2, pause: 0}", "game: {rule: vanishing}",
    "game: {rule: misere}\ndisplay: {height: 32}", "display: {driver: luma.oled.device:ssd1327}",
])  # fmt: skip
def test_any_box_can_play(tmp_path, capsys, monkeypatch, text):
    assert printed_game(tmp_path, capsys, monkeypatch, text).count("\n\n") >= 6


def test_a_directory_for_what_is_not_saved_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main(["simulate", "--state", str(tmp_path / "box")]) == 2
    printed = capsys.readouterr()
    assert (printed.out, "--state needs a terminal" in printed.err) == ("", True)
    assert not (tmp_path / "box").exists()
