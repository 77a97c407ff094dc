"""A terminal, taken over and given back, and signals that come as bytes."""

import fcntl
import os
import select
import signal
import termios

import pytest
from pseudo_terminal import new_terminal

from appliance.simulator.terminal import FALLBACK, HANDLED, Terminal, signals, stop_here


@pytest.fixture
def tty():
    with new_terminal() as found:
        yield found


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


def test_signals_come_as_bytes_and_what_was_ignored_still_is():
    before = {number: signal.getsignal(number) for number in HANDLED}
    was = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals() as wake:
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGWINCH)
            assert select.select([wake], [], [])[0]
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
