"""A terminal: taken over and restored, what it sends, and signals as bytes."""

import fcntl
import os
import select
import signal
import termios

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.simulator import terminal as module
from appliance.simulator.terminal import HANDLED, OTHER, SILENCE, Click, Keyboard, Terminal, signals


def test_only_lines_that_changed_are_written(tty):
    with Terminal(tty.slave, tty.slave) as terminal:
        terminal.enter()
        terminal.show(["one", "two", "three"])
        tty.until(lambda: "three" in tty.text)
        sent = len(tty.sent)
        terminal.show(["one", "two", "three"])
        terminal.show(["one", "2", "three"])
        tty.until(lambda: "2" in tty.screen.display[1])
        new = tty.sent[sent:]
        assert (new.count(b"one"), new.count(b"\x1b[2;1H\x1b[K2"), new.count(b"three")) == (0, 1, 0)
    tty.until(tty.is_restored)


def test_a_terminal_without_a_size_and_a_character_that_is_none(tty):
    fcntl.ioctl(tty.slave, termios.TIOCSWINSZ, bytes(8))
    with Terminal(tty.slave, tty.slave) as terminal:
        assert terminal.size == module.FALLBACK
        terminal.enter()
        terminal.show(["\udce91"])
        tty.until(lambda: "?1" in tty.text)
    terminal.leave()  # a second call does nothing
    tty.until(tty.is_restored)
    assert tty.sent.count(b"\x1b[?1049l") == 1


def test_what_cannot_be_taken_over_is_given_back_and_a_lost_terminal_has_nothing_to_read(tty):
    assert Terminal(-1, -1).read() == b""
    terminal = Terminal(tty.slave, -1)
    with pytest.raises(OSError, match="Bad file"), terminal:
        terminal.enter()
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


# What it sends

READ = [
    (b"19q\r\n\t\x7f\x03\x04\x0c\x1a", list("19q\r\n\t\x7f\x03\x04\x0c\x1a")),
    (b"\x1b[A\x1b[1;5C\x1b[15~\x1bOP\x1b[Z5", [*[OTHER] * 5, "5"]),  # arrows, function keys
    ("5é€😀6".encode(), ["5", *[OTHER] * 3, "6"]),
    (b"\x1b55", list("5")),  # Alt-5, 5
    (b"\x1b\x1b[A5", ["\x1b", OTHER, "5"]),
    (b"\x1b[<0;10;5M\x1b[<0;10;5m", [Click(9, 4, down=True), Click(9, 4, down=False)]),
    (b"\x1b[<4;1;1M", [Click(0, 0, down=True)]),  # with shift
    (b"\x1b[<1;1;1M\x1b[<2;1;1M\x1b[<64;1;1M\x1b[<32;1;1M\x1b[<0;1M\x1b[<0;;M\x1b[<M", []),
    (b"\x1b[M !!5", list("5")),  # a click in the old form has three more bytes, whatever they are
    (b"\x1bP1$r0m\x1b\\5", list("5")),  # replies from terminals
    (b"\x1b]11;rgb:0000/0000/0000\x075", list("5")),
    (b"\x1b]0;1234\x1b\\5", list("5")),
    (b"\x1b_G1;OK\x1b\\5", list("5")),
    (b"\x1b[?62;22c\x1b[24;80R5", list("5")),
    (b"\x1b[12\x1b[A5", [OTHER, "5"]),  # a sequence interrupted by the next
    (b"\x1b[1\x805", list("5")),
    (b"\x1b[ q5", list("5")),
    (b"\x1b[?0u\x1b[53;1:3u\x1b[u5", list("5")),  # key releases, which were not requested
]  # fmt: skip


@pytest.mark.parametrize(("stream", "expected"), READ)
def test_what_a_terminal_sends_is_read_wherever_it_is_split(stream, expected):
    for first in range(len(stream)):
        for second in range(first, len(stream)):
            keyboard = Keyboard()
            parts = stream[:first], stream[first:second], stream[second:]
            assert [token for part in parts for token in keyboard.feed(part, 0.0)] == expected
            assert keyboard.due is None


@given(chunks=st.lists(st.binary(max_size=20)))
def test_no_bytes_can_upset_it(chunks):
    keyboard = Keyboard()
    for chunk in chunks:
        keyboard.feed(chunk, 0.0)
    # Silence ends whatever is pending; the next input is decoded on its own.
    keyboard.flush(SILENCE)
    assert keyboard.due is None
    assert keyboard.feed(b"5\x1b[<0;1;1M", SILENCE) == ["5", Click(0, 0, down=True)]


@pytest.mark.parametrize(("start", "meant"), [(b"\x1b", ["\x1b"]), (b"\x1b[<0;1", []), (b"\x1bP1234", [])])
def test_what_never_ends_is_dropped_after_a_silence_and_a_lone_escape_is_a_key(start, meant):
    keyboard = Keyboard()
    assert keyboard.feed(start, 1.0) == []
    assert keyboard.due == 1.0 + SILENCE
    assert keyboard.flush(1.0 + SILENCE / 2) == []
    assert keyboard.flush(1.0 + SILENCE) == meant
    assert keyboard.due is None
    assert keyboard.feed(b"5", 2.0) == list("5")
