"""A session in a terminal: what a person sees and does, and every way in which it ends.

All in one thread, on a clock that only waiting advances. Each test is the person, as a generator: while the
session waits, it is resumed once the condition that it yielded holds.
"""

import logging
import os
import select
import signal
import sys
import termios
from functools import wraps
from types import SimpleNamespace

import pytest

from appliance.config.schema import Config
from appliance.core.session.settings import Options, Settings
from appliance.core.session.state import Phase
from appliance.simulator import console as module
from appliance.simulator.console import GOODBYE, Console
from appliance.simulator.layout import Style, inks
from appliance.simulator.terminal import Terminal
from appliance.simulator.virtual import VirtualBox

LONGEST = 1000.0  # seconds of its own clock


class World:
    """A session on such a clock. `error` is the exception that ended it, if it is one of `fails`."""

    def __init__(self, tty, monkeypatch, config):
        self.tty, self.now, self.error, self.ended, self.fails = tty, 0.0, None, False, ()
        self.box = VirtualBox(config, 1)
        self.wakes, self._wake = os.pipe()
        styles, shades = (Style.BLOCKS, Style.BRAILLE), inks({"TERM": "xterm-256color"})
        self.console = Console(
            self.box, Terminal(tty.slave, tty.slave), styles, shades, self.wakes, clock=lambda: self.now
        )
        self._typed = False
        monkeypatch.setattr(module, "select", SimpleNamespace(select=self._select))

    def run(self, person):
        """Run a session: the person starts once the first picture is there, and finally quits."""
        self._person, self._condition = person, self.shows_the_chip
        try:
            self.console.run()
        except self.fails as error:
            self.error = error
        self.tty.until(self.tty.is_restored)
        self.ended = True
        self._resume()
        assert self._condition is None, self.error or self.tty.text

    def _resume(self):
        while self._condition is not None and self._condition():
            self._condition = next(self._person, None)
            if self._condition is None:
                self.type("qq")

    def _select(self, watched, _write, _except, timeout):
        self.tty.drain()
        self._resume()
        # Input typed into a pseudo-terminal arrives with a delay.
        ready = select.select(watched, [], [], None if self._typed else 0)[0]
        self._typed = False
        if not ready:
            assert self.now < LONGEST, self.tty.text
            self.now += max(timeout, 0.001)
        return ready, [], []

    def type(self, text):
        self.tty.type(text)
        self._typed = True

    def mouse(self, text, action, right=0, down=0):
        """Press ("M") or release ("m") the mouse button on a text on the screen."""
        row, line = next((row, line) for row, line in enumerate(self.tty.screen.display) if text in line)
        self.type(f"\x1b[<0;{line.index(text) + 1 + right};{row + 1 + down}{action}")

    def signal(self, number):
        os.write(self._wake, bytes([number]))

    def has_ended(self):
        return self.ended

    def shows_the_chip(self):
        return "tic-tac-toe" in self.tty.text and self.box.hardware.chip.picture().rows() in [
            self.tty.picture(style) for style in (Style.BRAILLE, Style.BLOCKS)
        ]


@pytest.fixture
def config():
    return Config()


@pytest.fixture
def world(tty, monkeypatch, config):
    made = World(tty, monkeypatch, config)
    yield made
    for fd in (made.wakes, made._wake):
        os.close(fd)


def person(test):
    """Turn a generator, the person at the terminal, into a test."""

    @wraps(test)
    def run(world, **fixtures):
        world.run(test(world=world, **fixtures))

    return run


@pytest.mark.parametrize(
    "end", ["q", "Q", "\x03", "\x04", 0, signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT]
)
@person
def test_a_key_a_signal_and_the_box_itself_end_the_session_with_the_goodbye(tty, world, end):
    assert termios.tcgetattr(tty.slave) != tty.before
    before, ended_at = world.box.hardware.chip.picture(), world.now
    if isinstance(end, str):
        world.type(end)
    else:
        world.signal(end) if end else world.box.stop()
    yield lambda: world.box.hardware.chip.picture() != before and world.shows_the_chip()
    yield world.has_ended
    assert world.now >= ended_at + GOODBYE
    number = 0 if isinstance(end, str) else end
    assert (world.console.signal, world.box.session.phase) == (number, Phase.ENDED)


@person
def test_a_second_q_does_not_wait_for_the_goodbye(world, monkeypatch):
    monkeypatch.setattr(module, "GOODBYE", 2 * LONGEST)
    world.type("qq")
    yield world.has_ended


@person
def test_a_terminal_that_goes_away_ends_the_session(tty, world):
    world.fails = OSError
    os.close(tty.master)
    tty.master = os.open("/dev/null", os.O_RDWR)
    tty.is_restored = lambda: True  # it cannot be checked
    yield world.has_ended
    assert world.console.signal == signal.SIGHUP or world.error


@person
def test_stopping_restores_the_terminal_and_continuing_redraws_it(tty, world, monkeypatch):
    stopped = []

    def stop_here():
        tty.until(tty.is_restored)
        tty.screen.reset()
        stopped.append(world.now)
        world.now += 3600  # the box is paused while the process is stopped

    monkeypatch.setattr(module, "stop_here", stop_here)
    world.mouse("│9│", "M", 1)  # its release is never reported
    yield lambda: world.box.hardware.network.contacts == 1 << 8
    world.signal(signal.SIGTSTP)
    yield lambda: stopped and world.shows_the_chip() and not world.box.hardware.network.contacts
    assert world.box.time < 60
    # SIGSTOP left it no time to restore the terminal, but it takes over again.
    termios.tcsetattr(tty.slave, termios.TCSANOW, tty.before)
    tty.screen.reset()
    world.signal(signal.SIGCONT)
    yield world.shows_the_chip
    assert termios.tcgetattr(tty.slave) != tty.before
    world.signal(signal.SIGWINCH)


@pytest.mark.parametrize("config", [Config(options=Options(dim=1, off=2))])
@person
def test_a_sleeping_display_is_off_and_says_how_to_wake_it(tty, world, config):
    yield lambda: " off ─╮" in tty.text and "the box sleeps: any button wakes it" in tty.text
    yield world.shows_the_chip
    world.type("5")
    yield lambda: world.box.lit
    assert world.box.session.board == "." * 9


@person
def test_the_picture_follows_the_window_and_the_game(tty, world):
    def rows():
        return world.box.hardware.chip.picture().rows()

    tty.resize(160, 50)
    world.type("1")
    yield lambda: world.box.session.board[0] == "x" and tty.picture(Style.BLOCKS) == rows()
    assert any("#" in row for row in rows())
    tty.resize(40, 10)
    yield lambda: "too small: needs at least 66x21, has 40x10" in " ".join(tty.text.split())
    world.type("\x1b[<0;1;1M\x1b[<0;1;1m")  # there is nothing to click on
    tty.resize(81, 25)
    yield world.shows_the_chip


@person
def test_the_mouse_holds_a_button_and_clicks_a_cell(tty, world):
    world.mouse("│5│", "M", 1)
    yield (
        lambda: world.box.hardware.network.contacts == 1 << 4 and "┃5┃" in tty.text and "down: 5" in tty.text
    )
    yield lambda: world.box.phase == "menu"
    world.mouse("┃5┃", "m", 1)
    yield lambda: not world.box.hardware.network.contacts
    world.type("5")
    yield lambda: world.box.phase == "your_turn"
    for action in "Mm":
        world.mouse("╭─ tic-tac-toe", action, 2, 2)
    yield lambda: world.box.session.board[0] == "x"
    world.type("\x1b[<0;1;24M" + "h3")  # a click outside presses nothing
    yield lambda: world.box.hardware.network.contacts == 1 << 2 and "down: 3 (any key releases)" in tty.text


@pytest.mark.parametrize("config", [Config(Settings(players=2))])
@person
def test_a_busy_computer_misses_no_tap(world, config):
    def late():
        world.now += 0.4
        return world.box.session.board == "xoxo....."

    world.type("1234")
    yield late


@person
def test_faults_at_the_desk(tty, world):
    hardware = world.box.hardware
    world.type("u")
    yield lambda: "u plugs it in" in tty.text and " unplugged ─╮" in tty.text and world.shows_the_chip()
    assert not hardware.chip.lit
    assert not any("#" in row for row in tty.picture(Style.BRAILLE))
    world.type("1")
    yield lambda: world.box.session.board[0] == "x"
    world.type("u")
    yield lambda: "the box will try the display again" in tty.text
    yield lambda: hardware.chip.lit and "try the display" not in tty.text and world.shows_the_chip()
    world.type("s9")
    yield lambda: "stuck: 9" in tty.text and "┃9┃" in tty.text and hardware.network.contacts == 1 << 8
    world.type("s9")
    yield lambda: "stuck: 9" not in tty.text and "│9│" in tty.text and not hardware.network.contacts
    world.type("e1s")
    yield lambda: "which key?" in tty.text
    tty.screen.reset()
    world.type("\x0c")  # Ctrl-L redraws everything
    yield lambda: "tic-tac-toe" in tty.text and "which key?" not in tty.text and world.shows_the_chip()


@pytest.mark.parametrize("config", [Config(buzzer=24, led=25), Config()])
@person
def test_a_buzzer_rings_the_bell_a_lamp_is_shown_and_an_unknown_key_named(tty, world, config):
    assert ("lamp (*) " in tty.text) == (config.led is not None)
    world.type("1")
    yield lambda: world.box.session.board[0] == "x" and world.box.phase == "thinking"
    yield lambda: ("lamp ( ) " in tty.text) == (config.led is not None)
    assert (b"\a" in tty.sent) == (config.led is not None)
    world.type("m")
    yield lambda: '"m" does nothing here: 1 to 9 press a button, q quits.' in tty.text


@person
def test_a_log_line_does_not_tear_the_picture(tty, world):
    log = logging.getLogger("tictactoe")
    log.warning("the display\nis gone")
    yield lambda: "the display" in tty.text
    log.debug("below the level")
    log.info("it is back\x1b[2J")
    yield lambda: "it is back\\x1b[2J" in tty.text
    sys.stderr.write("to standard error\n")
    assert world.shows_the_chip()
    yield lambda: "it is back" not in tty.text  # it has expired
    world.type("qq")
    yield world.has_ended
    assert list(world.console.log.kept) == ["the display", "is gone", "to standard error"]
    assert world.console.log not in logging.getLogger().handlers
