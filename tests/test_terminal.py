"""The simulator in a real pseudo-terminal, its screen read back by another program's terminal emulator."""

import fcntl
import logging
import os
import pty
import random
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from contextlib import contextmanager, suppress

import pyte
import pytest

from appliance.cli import main
from appliance.config import Config, RestConfig
from appliance.core.frame import Frame
from appliance.core.match import Match
from appliance.core.settings import Scores, Tally
from appliance.core.state import Phase, Session
from appliance.daemon import Service
from appliance.simulator import console, recital
from appliance.simulator.console import Console
from appliance.simulator.desk import make_desk
from appliance.simulator.habits import Habits
from appliance.simulator.notes import Notes
from appliance.simulator.painter import Depth, Style
from appliance.simulator.terminal import FALLBACK, HANDLED, Terminal, signals, stop_here

DEADLINE = 20.0  # seconds; never reached when all is well
DOTS = ((0, 1, 2, 6), (3, 4, 5, 7))  # the bits of a braille character, by column and row
HALVES = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
# Each mode of a terminal that is changed, and how it is when it is well.
MODES = {"?1049": "l", "?25": "h", "?7": "h", "?1000": "l", "?1006": "l", "?2004": "l", "?2026": "l"}


class Pty:
    """A pseudo-terminal, and what stands on its screen."""

    def __init__(self, columns=80, rows=24):
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.sent = b""
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.resize(columns, rows)

    def resize(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def type(self, text):
        os.write(self.master, text.encode())

    def pump(self, timeout=0.01):
        """Take in what has been written to the terminal, waiting for it if there is nothing."""
        ready, _, _ = select.select([self.master], [], [], timeout)
        if ready:
            with suppress(OSError):
                data = os.read(self.master, 65536)
                self.sent += data
                # This emulator does not know the letters < and = in sequences, and would show what follows.
                self._stream.feed(data.replace(b"\x1b[<u", b""))

    def until(self, condition):
        """Wait until a condition holds, reading the screen meanwhile."""
        end = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < end, "\n".join(self.screen.display)
            self.pump()

    @property
    def text(self):
        return "\n".join(self.screen.display)

    def picture(self, style):
        """Read the display's pixels back from the screen, below and right of its frame's corner."""
        lines = self.screen.display
        row, column = next(
            (row + 1, line.index("╭─ tic-tac-toe") + 1)
            for row, line in enumerate(lines)
            if "╭─ tic-tac-toe" in line
        )

        def lit(x, y):
            if style is Style.BRAILLE:
                return ord(lines[row + y // 4][column + x // 2]) - 0x2800 >> DOTS[x % 2][y % 4] & 1
            return HALVES[lines[row + y // 2][column + x]][y % 2]

        try:
            return ["".join(".#"[lit(x, y)] for x in range(128)) for y in range(64)]
        except (KeyError, IndexError):
            return None  # it stands there in another style

    def is_well(self):
        """Whether everything that was changed is as it was."""
        sent = self.sent.decode(errors="replace")
        return termios.tcgetattr(self.slave) == self.before and all(
            sent.rfind(f"\x1b[{mode}{well}") >= sent.rfind(f"\x1b[{mode}{'hl'[well == 'h']}")
            for mode, well in MODES.items()
        )

    def close(self):
        for fd in (self.master, self.slave):
            with suppress(OSError):
                os.close(fd)


@pytest.fixture
def tty():
    terminal = Pty()
    yield terminal
    terminal.close()


class Sitting:
    """A console on a thread, in a pseudo-terminal that the test holds the other end of."""

    def __init__(self, tty, *, config=None, run=None):
        self.tty = tty
        config = config or Config()
        self.desk = make_desk(config, time.monotonic)
        self.service = Service(config, self.desk.parts(), time.monotonic, random.Random(1))
        if run is not None:
            self.service.run = run
        # Signals come in here, where otherwise the kernel would put them.
        self.wakes, self._wake = os.pipe()
        self.console = Console(
            self.desk,
            self.service,
            Terminal(tty.slave, tty.slave),
            Habits(),
            (Style.BLOCKS, Style.BRAILLE),
            Depth.MANY,
            self.wakes,
            Notes(),
        )
        self.error = None
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        try:
            self.console.run()
        except Exception as error:  # noqa: BLE001  # the test looks at it
            self.error = error

    def signal(self, number):
        os.write(self._wake, bytes([number]))

    @property
    def session(self):
        return self.service.box.loop.session

    def shows_the_chip(self, style=Style.BRAILLE):
        return "tic-tac-toe" in self.tty.text and self.tty.picture(style) == self.desk.chip.picture().rows()

    def ready(self, style=Style.BRAILLE):
        """Whether the box shows its board, and would not take a key that is down now for a stuck one."""
        return self.service.box.keypad._state.started and self.desk.chip.lit and self.shows_the_chip(style)

    def end(self):
        if self.thread.is_alive():
            self.tty.type("qq")
        self.over()

    def over(self):
        """Wait until the sitting is over, and read what it has still written."""
        self.tty.until(lambda: not self.thread.is_alive())
        self.tty.pump(0)

    def close(self):
        self.end()
        os.close(self.wakes)
        os.close(self._wake)


@pytest.fixture
def sit(tty, monkeypatch):
    sittings = []
    monkeypatch.setattr(console, "GOODBYE", 0.0)  # nobody looks

    def begin(**options):
        sittings.append(Sitting(tty, **options))
        return sittings[-1]

    yield begin
    for sitting in sittings:
        sitting.close()


@pytest.mark.parametrize(("size", "style"), [((80, 24), Style.BRAILLE), ((160, 50), Style.BLOCKS)])
def test_the_screen_shows_the_chips_memory_pixel_for_pixel(tty, sit, size, style):
    tty.resize(*size)
    sitting = sit()
    tty.until(lambda: sitting.ready(style))
    for key, marks in (("1", 2), ("9", 4)):
        tty.type(key if sitting.session.board[int(key) - 1] == "." else "2")

        def equal(marks=marks):
            picture = sitting.desk.chip.picture()
            return (
                9 - sitting.session.board.count(".") == marks
                # Upright under this chip's registers: the picture is the memory, byte for byte.
                and picture == Frame(128, 64, sitting.desk.chip.memory)
                and picture == sitting.service.box.screen.frame
                and tty.picture(style) == picture.rows()
            )

        tty.until(equal)
        assert any("#" in row for row in tty.picture(style))


@pytest.mark.parametrize("typed", ["q", "\x03", "\x04", "\x1b[?0u\x1b[99;5u"])
def test_quitting_restores_the_terminal_and_stops_the_daemon(tty, sit, typed):
    sitting = sit()
    tty.until(sitting.ready)
    assert termios.tcgetattr(tty.slave) != tty.before
    tty.type(typed)
    sitting.over()
    assert sitting.error is None
    assert sitting.console.signal == 0
    assert sitting.session.phase is Phase.ENDED
    tty.until(tty.is_well)
    # Only a terminal that can tell when keys are let go was asked to, and then not to any more.
    assert (b"\x1b[>27u" in tty.sent) == (b"\x1b[<u" in tty.sent) == ("?0u" in typed)


def test_the_goodbye_is_seen(tty, sit, monkeypatch):
    monkeypatch.setattr(console, "GOODBYE", DEADLINE)
    sitting = sit()
    tty.until(sitting.ready)
    before = sitting.desk.chip.picture()
    tty.type("q")
    tty.until(lambda: sitting.desk.chip.picture() != before and sitting.shows_the_chip())
    assert sitting.thread.is_alive()


def test_a_second_q_does_not_wait_for_the_goodbye(tty, sit, monkeypatch):
    monkeypatch.setattr(console, "GOODBYE", 2 * DEADLINE)
    sitting = sit()
    tty.until(sitting.ready)
    tty.type("qq")
    sitting.over()
    tty.until(tty.is_well)


def test_a_daemon_that_fails_ends_the_sitting_and_is_told(tty, sit):
    def fail():
        raise RuntimeError("the daemon broke")

    sitting = sit(run=fail)
    sitting.over()
    assert str(sitting.error) == "the daemon broke"
    tty.until(tty.is_well)


def test_an_error_in_the_drawing_restores_the_terminal_too(tty, sit, monkeypatch):
    sitting = sit()
    tty.until(sitting.ready)

    def broken():
        raise ZeroDivisionError

    monkeypatch.setattr(sitting.desk.chip, "picture", broken)
    sitting.over()
    assert isinstance(sitting.error, ZeroDivisionError)
    assert sitting.session.phase is Phase.ENDED
    tty.until(tty.is_well)


def test_a_box_that_ends_by_itself_ends_the_sitting(tty, sit):
    sitting = sit()
    tty.until(sitting.ready)
    sitting.service.stop()
    sitting.over()
    assert sitting.error is None
    tty.until(tty.is_well)


def test_a_daemon_that_does_not_end_is_left_to_itself(tty, sit, monkeypatch):
    monkeypatch.setattr(console, "GIVE_UP", 0.1)
    ends = threading.Event()
    sitting = sit(run=ends.wait)
    tty.until(lambda: "tic-tac-toe" in tty.text)
    tty.type("q")
    sitting.over()
    assert "did not end" in str(sitting.error)
    tty.until(tty.is_well)
    ends.set()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
def test_a_signal_ends_the_sitting(tty, sit, number):
    sitting = sit()
    tty.until(sitting.ready)
    sitting.signal(number)
    sitting.over()
    assert sitting.console.signal == number
    assert sitting.error is None
    assert sitting.session.phase is Phase.ENDED
    tty.until(tty.is_well)


def test_stopped_the_terminal_is_well_and_continued_it_is_redrawn(tty, sit, monkeypatch):
    stopped, continued = threading.Event(), threading.Event()

    def stop_here():
        stopped.set()
        continued.wait(DEADLINE)

    monkeypatch.setattr(console, "stop_here", stop_here)
    sitting = sit()
    tty.until(sitting.ready)
    tty.type("\x1b[?0u\x1b[57;1;57u")  # the 9 is down, and will never be told to be let go
    tty.until(lambda: sitting.desk.network.pressed == {8})
    sitting.signal(signal.SIGTSTP)
    tty.until(stopped.is_set)
    tty.until(tty.is_well)
    tty.screen.reset()
    continued.set()
    tty.until(sitting.shows_the_chip)
    tty.until(lambda: not sitting.desk.network.pressed)
    # Stopped by force it could give nothing back, but takes all again.
    termios.tcsetattr(tty.slave, termios.TCSANOW, tty.before)
    tty.screen.reset()
    sitting.signal(signal.SIGCONT)
    tty.until(sitting.shows_the_chip)
    assert termios.tcgetattr(tty.slave) != tty.before
    sitting.signal(signal.SIGWINCH)
    sitting.end()
    tty.until(tty.is_well)


def test_a_terminal_that_sends_ctrl_z_as_a_key_stops_all_that_were_started_together(tty, sit, monkeypatch):
    sent = []
    monkeypatch.setattr(console.os, "kill", lambda *arguments: sent.append(arguments))
    sitting = sit()
    tty.until(sitting.ready)
    tty.type("\x1b[?0u\x1b[122;5u")
    tty.until(lambda: sent)
    assert sent == [(0, signal.SIGTSTP)]


def test_a_sleeping_display_is_off_and_says_how_to_wake_it(tty, sit):
    sitting = sit(config=Config(rest=RestConfig(dim=0.05, off=0.3)))
    tty.until(lambda: " off ─╮" in tty.text and "asleep: any key wakes it" in tty.text)
    tty.until(sitting.shows_the_chip)
    tty.type("5")
    tty.until(lambda: sitting.desk.chip.lit)
    assert sitting.session.board == "." * 9


def test_a_terminal_that_goes_away_ends_the_sitting(tty, sit):
    sitting = sit()
    tty.until(sitting.ready)
    os.close(tty.master)
    tty.master = os.open("/dev/null", os.O_RDWR)
    sitting.thread.join(DEADLINE)
    assert not sitting.thread.is_alive()
    assert sitting.console.signal == signal.SIGHUP or isinstance(sitting.error, OSError)


def test_the_picture_follows_the_window(tty, sit):
    sitting = sit()
    tty.until(sitting.ready)
    tty.resize(160, 50)
    tty.until(lambda: sitting.shows_the_chip(Style.BLOCKS))
    tty.resize(40, 10)
    tty.until(lambda: "too small: needs at least 66x21" in " ".join(tty.text.split()))
    assert "40x10" in tty.text
    tty.resize(81, 25)
    tty.until(sitting.shows_the_chip)


def test_the_mouse_holds_a_button_until_it_is_let_go(tty, sit):
    sitting = sit()
    tty.until(sitting.ready)
    column = next(line.index("│5│") for line in tty.screen.display if "│5│" in line) + 2
    row = next(row for row, line in enumerate(tty.screen.display) if "│5│" in line) + 1
    tty.type(f"\x1b[<0;{column};{row}M")
    tty.until(lambda: sitting.desk.network.pressed == {4})
    tty.until(lambda: "┃5┃" in tty.text and "down: 5" in tty.text)
    tty.until(lambda: sitting.session.phase is Phase.MENU)
    tty.type(f"\x1b[<0;{column};{row}m")
    tty.until(lambda: not sitting.desk.network.pressed)
    # Outside of everything nothing is pressed.
    tty.type("\x1b[<0;1;24M")
    tty.type("h1")
    tty.until(lambda: sitting.desk.network.pressed == {0})
    tty.until(lambda: "any key lets go" in tty.text)


def test_a_click_on_a_cell_of_the_picture_plays_there(tty, sit):
    sitting = sit()
    tty.until(sitting.ready)
    row, line = next((row, line) for row, line in enumerate(tty.screen.display) if "╭─ tic-tac-toe" in line)
    column = line.index("╭─ tic-tac-toe")
    tty.type(f"\x1b[<0;{column + 3};{row + 3}M\x1b[<0;{column + 3};{row + 3}m")
    tty.until(lambda: sitting.session.board[0] == "x")


def test_a_terminal_that_tells_when_keys_are_let_go(tty, sit):
    sitting = sit()
    tty.until(sitting.ready)
    tty.type("\x1b[?0u\x1b[53;1;53u")
    tty.until(lambda: sitting.session.phase is Phase.MENU)
    assert sitting.desk.network.pressed == {4}
    tty.type("\x1b[53;1:3u")
    tty.until(lambda: not sitting.desk.network.pressed)
    tty.until(lambda: "press, or hold" in tty.text)


def test_faults_at_the_desk(tty, sit):
    sitting = sit()
    tty.until(sitting.ready)
    tty.type("u")
    tty.until(lambda: not sitting.desk.chip.lit)
    tty.until(lambda: "u plugs it in" in tty.text and sitting.shows_the_chip())
    assert not any("#" in row for row in tty.picture(Style.BRAILLE))
    tty.type("1")
    tty.until(lambda: sitting.session.board[0] == "x")
    tty.type("u")
    tty.until(lambda: sitting.desk.chip.lit and "u plugs it in" not in tty.text and sitting.shows_the_chip())
    tty.type("s9")
    tty.until(lambda: "stuck: 9" in tty.text and "┃9┃" in tty.text)
    assert sitting.desk.network.contacts == 1 << 8
    tty.type("s9")
    tty.until(lambda: "stuck: 9" not in tty.text and "│9│" in tty.text)
    assert sitting.desk.network.contacts == 0
    tty.type("e1")
    tty.type("s")
    tty.until(lambda: "which key?" in tty.text)
    tty.type("\x0c")  # draw everything anew
    tty.until(lambda: "which key?" not in tty.text and sitting.shows_the_chip())


def test_what_is_logged_does_not_tear_the_picture(tty, sit):
    sitting = sit()
    tty.until(sitting.ready)
    log = logging.getLogger("tictactoe")
    log.warning("the display\nis gone")
    tty.until(lambda: "the display" in tty.text)
    log.debug("nobody wants to know")
    log.info("it is back")
    tty.until(lambda: "it is back" in tty.text)
    sys.stderr.write("to standard error\n")
    assert sitting.shows_the_chip()
    sitting.end()
    assert list(sitting.console.notes.kept) == ["the display", "is gone", "to standard error"]
    assert sitting.console.notes not in logging.getLogger().handlers


def test_only_lines_that_changed_are_written(tty):
    with Terminal(tty.slave, tty.slave) as terminal:
        terminal.show(["one", "two", "three"])
        tty.until(lambda: "three" in tty.text)
        sent = len(tty.sent)
        terminal.show(["one", "two", "three"])
        terminal.show(["one", "2", "three"])
        tty.until(lambda: "2" in tty.screen.display[1])
        new = tty.sent[sent:]
        assert b"one" not in new
        assert b"three" not in new
        assert new.count(b"\x1b[2;1H2") == 1
    tty.until(tty.is_well)


def test_a_terminal_without_a_size_or_an_encoding(tty):
    fcntl.ioctl(tty.slave, termios.TIOCSWINSZ, bytes(8))
    with Terminal(tty.slave, tty.slave, "ascii") as terminal:
        assert terminal.size == FALLBACK
        terminal.show(["é1"])
        tty.until(lambda: "?1" in tty.text)
        terminal.tell_releases()
        terminal.tell_releases()
    terminal.leave()  # once more is once too often, and does nothing
    tty.until(lambda: tty.sent.count(b"\x1b[<u") == 1)
    assert tty.sent.count(b"\x1b[>27u") == 1


def test_a_terminal_that_has_gone_away_has_nothing_to_read():
    assert Terminal(-1, -1).read() == b""


def test_what_cannot_be_taken_over_is_given_back(tty):
    terminal = Terminal(tty.slave, -1)
    with pytest.raises(OSError, match="Bad file"), terminal:
        pass
    assert termios.tcgetattr(tty.slave) == tty.before


# The program itself, in a process of its own


@contextmanager
def program(tty, *arguments, environment=None):
    # In a process group of its own: one that may be stopped.
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; from appliance.cli import main; sys.exit(main())",
            "simulate",
            *arguments,
        ],
        stdin=tty.slave,
        stdout=tty.slave,
        stderr=tty.slave,
        env={
            **os.environ,
            "TERM": "xterm-256color",
            "XDG_CONFIG_HOME": "/nonexistent",
            **(environment or {}),
        },
        process_group=0,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def finish(tty, process):
    tty.until(lambda: process.poll() is not None)
    while select.select([tty.master], [], [], 0)[0]:
        tty.pump()
    return process.returncode


def test_a_sitting_ends_with_a_goodbye_in_a_terminal_that_is_well(tty):
    with program(tty, "--numpad") as process:
        tty.until(lambda: "│7│ │8│ │9│" in tty.text)
        tty.type("q")
        assert finish(tty, process) == 0
    tty.until(tty.is_well)
    assert tty.sent.decode().rpartition("\x1b[?1049l")[2].strip() == "Goodbye."


def test_a_signal_restores_the_terminal(tty):
    with program(tty, "--braille") as process:
        tty.until(lambda: "tic-tac-toe" in tty.text)
        process.send_signal(signal.SIGTERM)
        assert finish(tty, process) == 128 + signal.SIGTERM
    tty.until(tty.is_well)
    assert b"Traceback" not in tty.sent


def test_signals_come_as_bytes_and_what_was_ignored_still_is():
    before = {number: signal.getsignal(number) for number in HANDLED}
    was = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals() as wake:
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGWINCH)
            assert select.select([wake], [], [], DEADLINE)[0]
            assert os.read(wake, 64) == bytes([signal.SIGTERM, signal.SIGWINCH])
    finally:
        signal.signal(signal.SIGHUP, was)
    assert {number: signal.getsignal(number) for number in HANDLED} == before


def test_stopping_is_left_to_the_kernel_and_taken_back_afterwards(monkeypatch):
    handled = []
    monkeypatch.setattr(signal, "raise_signal", lambda number: handled.append(signal.getsignal(number)))
    with signals():
        handler = signal.getsignal(signal.SIGTSTP)
        stop_here()
        assert handled == [signal.SIG_DFL]
        assert signal.getsignal(signal.SIGTSTP) is handler


def stopped(process):
    pid, status = os.waitpid(process.pid, os.WUNTRACED | os.WNOHANG)
    return pid == process.pid and os.WIFSTOPPED(status)


def test_stopping_gives_the_terminal_back_and_continuing_takes_it_again(tty):
    with program(tty) as process:
        tty.until(lambda: "tic-tac-toe" in tty.text)
        for _ in range(2):
            process.send_signal(signal.SIGTSTP)
            tty.until(lambda: stopped(process))
            tty.until(tty.is_well)
            tty.screen.reset()
            process.send_signal(signal.SIGCONT)
            tty.until(lambda: "tic-tac-toe" in tty.text)
            assert termios.tcgetattr(tty.slave) != tty.before
        tty.type("q")
        assert finish(tty, process) == 0
    tty.until(tty.is_well)


def run_here(tty, monkeypatch, *arguments, encoding="utf-8", **environment):
    """Run the command in this process and thread, in the pseudo-terminal; return its exit status."""
    for name, value in {"TERM": "xterm", "XDG_CONFIG_HOME": "/nonexistent", **environment}.items():
        monkeypatch.setenv(name, value)
    with (
        os.fdopen(os.dup(tty.slave)) as stdin,
        os.fdopen(os.dup(tty.slave), "w", encoding=encoding) as stdout,
    ):
        for name, stream in (("stdin", stdin), ("stdout", stdout), ("stderr", stdout)):
            monkeypatch.setattr(sys, name, stream)
        # Somebody must read meanwhile: a pseudo-terminal holds only some thousand bytes.
        ended = threading.Event()

        def read():
            while not ended.is_set():
                tty.pump()

        reader = threading.Thread(target=read)
        reader.start()
        try:
            return main(["simulate", *arguments])
        finally:
            ended.set()
            reader.join()


def test_without_utf_8_it_says_what_to_do(tty, monkeypatch):
    assert run_here(tty, monkeypatch, encoding="latin-1") == 2
    tty.until(lambda: "LANG=C.UTF-8" in tty.text.replace("\n", ""))
    assert b"\x1b[?1049h" not in tty.sent
    assert run_here(tty, monkeypatch, "--braille", encoding="latin-1") == 2
    tty.until(lambda: "leave out --braille" in tty.text.replace("\n", ""))


def test_without_utf_8_a_large_terminal_is_enough(tty, monkeypatch):
    tty.resize(160, 50)
    tty.type("qq")
    assert run_here(tty, monkeypatch, encoding="latin-1") == 0
    tty.until(lambda: b"+- tic-tac-toe" in tty.sent)
    tty.until(tty.is_well)


@pytest.mark.parametrize(
    ("arguments", "term", "size", "part"),
    [
        ([], "linux", (80, 25), b"too small: needs at least 130x37"),  # no braille in its fonts
        (["--braille"], "linux", (80, 25), b"tic-tac-toe"),
        (["--blocks"], "xterm", (160, 50), b"tic-tac-toe"),
        (["--braille"], "xterm", (160, 50), b"tic-tac-toe"),
    ],
)
def test_the_style_can_be_chosen(tty, monkeypatch, arguments, term, size, part):
    tty.resize(*size)
    tty.type("qq")
    assert run_here(tty, monkeypatch, *arguments, TERM=term) == 0
    tty.until(lambda: part in tty.sent)
    assert (chr(0x2800).encode() in tty.sent) == ("--braille" in arguments)
    tty.until(tty.is_well)


def test_a_dumb_terminal_is_not_drawn_on(tty):
    with program(tty, environment={"TERM": "dumb"}) as process:
        assert finish(tty, process) == 0
    tty.until(lambda: b"plays one game" in tty.sent)
    assert b"\x1b" not in tty.sent


def test_an_error_is_shown_after_the_terminal_is_well(tty, monkeypatch):
    def fail(_self):
        logging.getLogger("tictactoe").warning("it will break")
        raise RuntimeError("the daemon broke")

    monkeypatch.setattr(Service, "run", fail)
    assert run_here(tty, monkeypatch) == 1
    tty.until(lambda: b"the daemon broke" in tty.sent)
    tty.until(tty.is_well)
    assert tty.sent.index(b"Traceback") > tty.sent.index(b"\x1b[?1049l")
    assert tty.sent.rindex(b"it will break") > tty.sent.index(b"\x1b[?1049l")


# Without a terminal


def test_without_a_terminal_a_game_is_played_and_told():
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from appliance.cli import main; sys.exit(main())", "simulate"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "XDG_CONFIG_HOME": "/nonexistent", "PYTHONIOENCODING": "utf-8"},
    )
    told = done.stdout.decode()
    assert done.returncode == 0
    assert done.stderr == b""
    assert "\x1b" not in told
    assert "You press 5." in told
    assert "The box plays" in told
    assert told.splitlines()[-1] in {"You win.", "The box wins.", "Drawn."}
    frames = told.split("\n\n")
    assert all(sum(line[:1] >= "\u2800" for line in frame.splitlines()) == 16 for frame in frames[1:-1])


def config_file(tmp_path, text):
    path = tmp_path / "box.yaml"
    path.write_text(text)
    return ["simulate", "--config", str(path)]


def test_however_the_display_is_mounted_a_person_sees_it_upright(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    told = []
    for rotate in (0, 180):
        assert main(config_file(tmp_path, f"display: {{rotate: {rotate}}}")) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("game: {level: easy, first: box, players: 2, pause: 0}", {"You win.", "The box wins.", "Drawn."}),
        ("game: {rule: vanishing, level: perfect}", {"The box wins.", "Nobody has won yet."}),
        ("game: {rule: misere}", {"You win.", "The box wins.", "Drawn."}),
        ("display: {height: 32}", {"You win.", "The box wins.", "Drawn."}),
    ],
)
def test_any_box_can_be_told(tmp_path, capsys, monkeypatch, text, ends):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(config_file(tmp_path, text)) == 0
    told = capsys.readouterr().out
    assert told.splitlines()[-1] in ends
    assert main([*config_file(tmp_path, text), "--seed", "0"]) == 0
    assert capsys.readouterr().out == told


def test_a_game_without_an_end_is_ended(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(recital, "LONGEST", 1)
    assert main(config_file(tmp_path, "")) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Nobody has won yet."


@pytest.mark.parametrize(
    ("scores", "told"),
    [
        (Scores(), ""),
        (Scores(box=Tally(2, 1, 3)), "you 2, the box 1, drawn 3"),
        (Scores(box=Tally(0, 1, 0), pair=Tally(0, 0, 1)), "you 0, the box 1, drawn 0; x 0, o 0, drawn 1"),
    ],
)
def test_the_score_is_told(scores, told):
    assert recital.score(Session(Match.new("classic", "x"), scores=scores)) == told


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--json"], "--scenario FILE"),
        (["--config", "/nonexistent/box.yaml"], "/nonexistent/box.yaml"),
        (["--scenario", "/nonexistent/play.yaml"], "/nonexistent/play.yaml"),
        (["--scenario", "play.yaml", "--config", "box.yaml"], "--config does not go with --scenario"),
        (["--scenario", "play.yaml", "--seed", "1"], "--seed does not go with --scenario"),
    ],
)
def test_what_makes_no_sense_is_told_in_one_line(capsys, arguments, part):
    assert main(["simulate", *arguments]) == 2
    told = capsys.readouterr().err
    assert part in told
    assert told.count("\n") == 1
