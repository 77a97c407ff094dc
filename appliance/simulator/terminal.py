"""A terminal, taken over and given back: alternate screen, no cursor, every key at once, signals as bytes.

The same on a console, over SSH and in tmux: what one terminal does not know, it leaves undone.
"""

import os
import signal
import termios
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Self

from appliance.simulator.keyboard import ASK_RELEASES, END_RELEASES, TELL_RELEASES

# Modes of xterm's: 1049 alternate screen, 25 cursor, 7 wrapping, 1000 mouse buttons, 1006 their modern form,
# 2004 pastes told apart from typing.
ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?1000h\x1b[?1006h\x1b[?2004h\x1b[0m\x1b[2J" + ASK_RELEASES
LEAVE = "\x1b[?2004l\x1b[?1006l\x1b[?1000l\x1b[?7h\x1b[?25h\x1b[0m\x1b[?1049l"
# Mode 2026: what stands between is shown in one go, by terminals that know it.
BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"

ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
HANDLED = (*ENDING, signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH)

FALLBACK = (80, 24)  # of a terminal that does not know its own size


class Terminal:
    """The terminal behind two file descriptors. A context manager: inside it the terminal is taken over."""

    def __init__(self, fd_in: int, fd_out: int, encoding: str = "utf-8") -> None:
        self.fd_in = fd_in
        self._fd_out = fd_out
        self._encoding = encoding
        self._saved: list[Any] | None = None
        self._tells_releases = False
        self._shown: list[str] = []

    def __enter__(self) -> Self:
        try:
            self.enter()
        except BaseException:
            self.leave()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        self.leave()

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        with suppress(OSError):
            size = os.get_terminal_size(self._fd_out)
            if size.columns and size.lines:
                return size.columns, size.lines
        return FALLBACK

    def enter(self) -> None:
        """Take the terminal over, or do so again after something else has had it."""
        if self._saved is None:
            self._saved = termios.tcgetattr(self.fd_in)
        termios.tcsetattr(self.fd_in, termios.TCSADRAIN, _typing(self._saved))
        self._tells_releases = False
        self.forget()
        self._write(ENTER)

    def leave(self) -> None:
        """Give the terminal back as it was. Where it has gone away there is nothing to give back."""
        saved, self._saved = self._saved, None
        if saved is None:
            return
        with suppress(OSError):
            self._write((END_RELEASES if self._tells_releases else "") + LEAVE)
        with suppress(termios.error):
            # What was typed or clicked and not read is not meant for the shell: flushed.
            termios.tcsetattr(self.fd_in, termios.TCSAFLUSH, saved)

    def tell_releases(self) -> None:
        """Ask a terminal that can do so to tell when a key is let go."""
        if not self._tells_releases:
            self._tells_releases = True
            self._write(TELL_RELEASES)

    def read(self) -> bytes:
        """Return what has been typed; nothing at all when the terminal has gone away."""
        with suppress(OSError):
            return os.read(self.fd_in, 4096)
        return b""

    def forget(self) -> None:
        """Assume nothing about what stands on the screen."""
        self._shown = []

    def show(self, lines: Sequence[str]) -> None:
        """Show these lines, one a row; those that stand there already cost nothing."""
        cleared = "" if self._shown else "\x1b[0m\x1b[2J"
        before = self._shown or [""] * len(lines)
        changed = [
            f"\x1b[{row};1H{line}"
            for row, (line, shown) in enumerate(zip(lines, before, strict=True), start=1)
            if line != shown
        ]
        if changed:
            self._write(BEGIN + cleared + "".join(changed) + END)
            self._shown = list(lines)

    def _write(self, text: str) -> None:
        data = text.encode(self._encoding, "replace")
        while data:
            data = data[os.write(self._fd_out, data) :]


def _typing(saved: Sequence[Any]) -> list[Any]:
    """Return a terminal's attributes for typing without echo, line editing and flow control.

    Ctrl-C comes as a key, so that what has started this program, make for one, is not interrupted as well.
    """
    iflag, oflag, cflag, lflag, ispeed, ospeed, characters = saved
    special = list(characters)
    special[termios.VMIN], special[termios.VTIME] = 1, 0
    for index in (termios.VINTR, termios.VQUIT):
        special[index] = b"\0"  # _POSIX_VDISABLE
    iflag &= ~(termios.IXON | termios.ICRNL)
    lflag &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
    return [iflag, oflag, cflag, lflag, ispeed, ospeed, special]


@contextmanager
def signals() -> Iterator[int]:
    """Let signals come as bytes, each the signal's number, out of the file descriptor that is given.

    For the main thread only, as all handling of signals is. Afterwards everything is as before. What was
    ignored (SIGHUP under nohup) stays ignored.
    """
    reads, writes = os.pipe()
    os.set_blocking(reads, False)
    os.set_blocking(writes, False)
    woken = signal.set_wakeup_fd(writes, warn_on_full_buffer=False)
    heard = [number for number in HANDLED if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, _noted) for number in heard}
    try:
        yield reads
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(woken)
        os.close(reads)
        os.close(writes)


def _noted(_number: int, _frame: FrameType | None) -> None:
    """Do nothing: the signal's number is in the pipe."""


def stop_here() -> None:
    """Stop this process, as SIGTSTP does when nobody handles it, until it is continued."""
    handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    # To this very thread: it is stopped when the call returns, not some time later.
    signal.raise_signal(signal.SIGTSTP)
    signal.signal(signal.SIGTSTP, handler)
