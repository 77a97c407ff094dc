"""A sitting at the simulator, in this process: what is seen and pressed, and every way in which it ends."""

import logging
import os
import random
import signal
import sys
import termios
import threading
import time

import pytest
from pseudo_terminal import new_terminal

from appliance.config import Config, RestConfig
from appliance.core.canvas import Frame
from appliance.core.state import Phase
from appliance.daemon import Service
from appliance.simulator import console
from appliance.simulator.console import Console
from appliance.simulator.desk import make_desk
from appliance.simulator.habits import Habits
from appliance.simulator.notes import Notes
from appliance.simulator.painter import Depth, Style
from appliance.simulator.terminal import Terminal


@pytest.fixture
def tty():
    with new_terminal() as found:
        yield found


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
    monkeypatch.setattr(console, "GOODBYE", 1e6)
    sitting = sit()
    tty.until(sitting.ready)
    before = sitting.desk.chip.picture()
    tty.type("q")
    tty.until(lambda: sitting.desk.chip.picture() != before and sitting.shows_the_chip())
    assert sitting.thread.is_alive()


def test_a_second_q_does_not_wait_for_the_goodbye(tty, sit, monkeypatch):
    monkeypatch.setattr(console, "GOODBYE", 1e6)
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
        continued.wait()

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
    sitting.thread.join()
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
