"""A terminal: take it over and restore it, lines out, keys and clicks in, signals as bytes.

It works the same on a console, over SSH and in tmux: a terminal ignores modes that it does not support. Input
is decoded by ECMA-48: CSI (ESC [), SS3 (ESC O), and the strings (DCS, SOS, OSC, PM, APC); the mouse by
xterm's modes 1000 and 1006. Anything else is dropped, never mistaken for keys.
"""

import os
import re
import signal
import termios
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NamedTuple, Self

# xterm's modes: 1049 alternate screen, 25 cursor, 7 wrapping, 1000 mouse buttons, 1006 their modern encoding.
ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?1000h\x1b[?1006h\x1b[0m\x1b[2J"
LEAVE = "\x1b[?1006l\x1b[?1000l\x1b[?7h\x1b[?25h\x1b[0m\x1b[?1049l"
# Mode 2026, synchronised output: terminals that support it show what is between in one go.
BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"

ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
HANDLED = (*ENDING, signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH)

FALLBACK = (80, 24)  # for a terminal that does not report its size
SILENCE = 0.2  # seconds after which a lone ESC is the key itself, and an incomplete sequence is dropped

_SPECIAL = re.compile(rb"\x1b (\[ [0-9;]* [A-HPQSZ~] | O.) | [\xc0-\xff]", re.VERBOSE)
_CLICK = re.compile(rb"\x1b\[<(\d+);(\d+);(\d+)([Mm])")
# The next piece of input; no match means that it is incomplete.
_INPUT = re.compile(
    rb"""
      \x1b\[M...                                        # a click in the old form
    | \x1b\[(?!M)[0-?]*+[ -/]*+ (?: [@-~] | (?=.))      # CSI; one without a final byte was interrupted
    | \x1bO.                                            # SS3
    | \x1b[PX^_\]] .*? (?: \x1b\\ | \x07 | [\x18\x1a])  # DCS, SOS, PM, APC, OSC
    | \x1b (?=\x1b)                                     # the key, before a sequence
    | \x1b [^\x1b\[OPX^_\]]                             # with Alt
    | [^\x1b]
    """,
    re.DOTALL | re.VERBOSE,
)


class Click(NamedTuple):
    """The left mouse button went down or up over a character, counted from 0 at the top left."""

    column: int
    row: int
    down: bool


Token = str | Click  # a key is the ASCII character that it sends: "5", "\x1b", "\x03" for Ctrl-C
OTHER = "\ufffd"  # any other key: an arrow, a function key, an accented letter


class Terminal:
    """The terminal behind two file descriptors; a context manager that restores it on exit."""

    def __init__(self, fd_in: int, fd_out: int) -> None:
        self.fd_in = fd_in
        self._fd_out = fd_out
        self._saved: list[Any] | None = None
        self._shown: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.leave()

    @property
    def size(self) -> tuple[int, int]:
        """The columns and rows."""
        with suppress(OSError):
            size = os.get_terminal_size(self._fd_out)
            if size.columns and size.lines:
                return size.columns, size.lines
        return FALLBACK

    def enter(self) -> None:
        """Take over and clear the terminal; call it again after something else has used it."""
        if self._saved is None:
            self._saved = termios.tcgetattr(self.fd_in)
        termios.tcsetattr(self.fd_in, termios.TCSADRAIN, _raw(self._saved))
        self._write(ENTER)
        self._shown = []

    def leave(self) -> None:
        """Restore the terminal; a terminal that has been closed is ignored."""
        saved, self._saved = self._saved, None
        if saved is None:
            return
        with suppress(OSError):
            self._write(LEAVE)
        with suppress(termios.error):
            # Flush unread input: it was not meant for the shell.
            termios.tcsetattr(self.fd_in, termios.TCSAFLUSH, saved)

    def read(self) -> bytes:
        """Return what has been typed; b"" if the terminal has been closed."""
        with suppress(OSError):
            return os.read(self.fd_in, 4096)
        return b""

    def show(self, lines: Sequence[str]) -> None:
        """Show these lines, one per row from the top; only changed lines are written."""
        before = self._shown or [""] * len(lines)
        changed = [
            f"\x1b[{row};1H\x1b[K{line}"
            for row, (line, shown) in enumerate(zip(lines, before, strict=True), start=1)
            if line != shown
        ]
        if changed:
            self._write(BEGIN + "".join(changed) + END)
        self._shown = list(lines)

    def write_line(self, line: str) -> None:
        """Write a line where the cursor is."""
        self._write(f"{line}\n")

    def ring(self) -> None:
        """Ring the bell."""
        self._write("\a")

    def _write(self, text: str) -> None:
        data = text.encode(errors="replace")
        while data:
            data = data[os.write(self._fd_out, data) :]


class Keyboard:
    """Decodes the bytes of one terminal, which may arrive in pieces of any length. Times are in seconds."""

    def __init__(self) -> None:
        self._bytes = b""  # an incomplete piece of input
        self.due: float | None = None  # when to call `flush` if nothing more arrives, None for never

    def feed(self, data: bytes, now: float) -> list[Token]:
        """Add bytes; return the tokens that they complete."""
        self._bytes += data
        tokens: list[Token] = []
        while match := _INPUT.match(self._bytes):
            self._bytes = self._bytes[match.end() :]
            tokens += _tokens(match[0])
        self.due = now + SILENCE if self._bytes else None
        return tokens

    def flush(self, now: float) -> list[Token]:
        """Return what the pending bytes mean if nothing follows them; return nothing before it is due."""
        if self.due is None or now < self.due:
            return []
        tokens: list[Token] = ["\x1b"] if self._bytes == b"\x1b" else []
        self._bytes, self.due = b"", None
        return tokens


def _tokens(data: bytes) -> list[Token]:
    """Return the key or click that a piece of input stands for; most sequences are neither."""
    if _SPECIAL.fullmatch(data):
        return [OTHER]
    if len(data) == 1:
        return [data.decode("ascii")] if data.isascii() else []
    click = _CLICK.fullmatch(data)
    # The lowest two bits are the button (0 the left one); from 32 up: motion, wheel, more buttons.
    if not click or int(click[1]) & ~0b11100:
        return []
    return [Click(int(click[2]) - 1, int(click[3]) - 1, click[4] == b"M")]


def _raw(saved: Sequence[Any]) -> list[Any]:
    """Return a terminal's attributes without echo, line editing and flow control.

    Ctrl-C arrives as a key, so that it does not also interrupt the parent, such as make. Ctrl-Z remains a
    signal, which stops both.
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
    """Yield a file descriptor from which signals can be read, a byte each: the signal's number.

    Only for the main thread, which handles all signals. The old handlers are restored on exit. Signals that
    were ignored (SIGHUP under nohup) stay ignored.
    """
    reads, writes = os.pipe()
    os.set_blocking(reads, False)
    os.set_blocking(writes, False)
    woken = signal.set_wakeup_fd(writes, warn_on_full_buffer=False)
    handled = [number for number in HANDLED if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, _noted) for number in handled}
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
    """Stop this process until it is continued, as an unhandled SIGTSTP does."""
    handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    # Sent to this thread, so that it stops before the call returns and not some time later.
    signal.raise_signal(signal.SIGTSTP)
    signal.signal(signal.SIGTSTP, handler)
