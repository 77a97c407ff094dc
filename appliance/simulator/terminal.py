"""A terminal: taken over and given back, lines out, keys and clicks in, signals as bytes.

The same on a console, over SSH and in tmux: what one terminal does not know, it leaves undone. Its input is
decoded after ECMA-48: CSI (ESC [), SS3 (ESC O), and the strings (DCS, SOS, OSC, PM, APC); the mouse after
xterm's modes 1000 and 1006, pastes after its mode 2004. Anything else is dropped, never taken for keys.
"""

import os
import re
import signal
import termios
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NamedTuple, Self

# Modes of xterm's: 1049 alternate screen, 25 cursor, 7 wrapping, 1000 mouse buttons, 1006 their modern form,
# 2004 bracketed paste.
ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?1000h\x1b[?1006h\x1b[?2004h\x1b[0m\x1b[2J"
LEAVE = "\x1b[?2004l\x1b[?1006l\x1b[?1000l\x1b[?7h\x1b[?25h\x1b[0m\x1b[?1049l"
# Mode 2026: terminals that know it show what stands between in one go.
BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"
PASTE_END = b"\x1b[201~"

ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
HANDLED = (*ENDING, signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH)

FALLBACK = (80, 24)  # of a terminal that does not know its own size
LONE_ESCAPE = 0.05  # seconds of silence after which an ESC was the key itself
LOST = 1.0  # seconds of silence after which the rest of a sequence or a paste is given up
LONGEST = 4096  # bytes of one sequence; a longer one is rubbish

_CSI = re.compile(rb"\x1b\[([0-?]*)[ -/]*([@-~])?", re.DOTALL)
_STRING = re.compile(rb"\x1b[PX^_\]].*?(?:\x1b\\|\x07|[\x18\x1a])", re.DOTALL)
_NAMES = {13: "enter", 9: "tab", 127: "backspace", 8: "backspace", 10: "enter"}


class Click(NamedTuple):
    """The left mouse button went down or up over a character, counted from 0 at the top left."""

    column: int
    row: int
    down: bool


Token = str | Click  # a key is one printable ASCII character, or a name: "escape", "enter", "ctrl-c"


class Terminal:
    """The terminal behind two file descriptors. A context manager: inside it the terminal is taken over."""

    def __init__(self, fd_in: int, fd_out: int, encoding: str = "utf-8") -> None:
        self.fd_in = fd_in
        self._fd_out = fd_out
        self._encoding = encoding
        self._saved: list[Any] | None = None
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
        termios.tcsetattr(self.fd_in, termios.TCSADRAIN, _raw(self._saved))
        self.forget()
        self._write(ENTER)

    def leave(self) -> None:
        """Give the terminal back as it was. Where it has gone away there is nothing to give back."""
        saved, self._saved = self._saved, None
        if saved is None:
            return
        with suppress(OSError):
            self._write(LEAVE)
        with suppress(termios.error):
            # Flush what was typed or clicked and not read: it is not meant for the shell.
            termios.tcsetattr(self.fd_in, termios.TCSAFLUSH, saved)

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


class Keyboard:
    """Decodes the bytes from one terminal, which may come in pieces of any length. Times are in seconds."""

    def __init__(self) -> None:
        self._bytes = b""  # the beginning of something that is not complete yet
        self._pasting = False
        self.due: float | None = None  # when to call `flush` if nothing more comes, None for never

    def feed(self, data: bytes, now: float) -> list[Token]:
        """Return what is complete after these bytes."""
        self._bytes += data
        tokens: list[Token] = []
        while self._bytes:
            taken = self._paste() if self._pasting else self._one(tokens)
            if not taken:
                break
            self._bytes = self._bytes[taken:]
        if len(self._bytes) > LONGEST:
            self._bytes = b""
        self.due = None
        if self._pasting or self._bytes:
            self.due = now + (LONE_ESCAPE if self._bytes == b"\x1b" and not self._pasting else LOST)
        return tokens

    def flush(self, now: float) -> list[Token]:
        """Return what the pending bytes mean now that nothing more has come; nothing before it is due."""
        if self.due is None or now < self.due:
            return []
        lone = self._bytes == b"\x1b" and not self._pasting
        self._bytes, self._pasting, self.due = b"", False, None
        return ["escape"] if lone else []

    def _paste(self) -> int:
        """Return how many bytes of a paste can be dropped."""
        end = self._bytes.find(PASTE_END)
        if end >= 0:
            self._pasting = False
            return end + len(PASTE_END)
        return max(0, len(self._bytes) - len(PASTE_END) + 1)

    def _one(self, tokens: list[Token]) -> int:
        """Decode one thing from the front; return the bytes that it takes, 0 when it is not complete."""
        data = self._bytes
        first = data[0]
        if first != 0x1B:
            if 0x20 <= first < 0x7F:
                tokens.append(chr(first))
            elif first < 0x80:
                tokens.append(_NAMES.get(first) or f"ctrl-{chr(first | 0x60)}")
            return 1  # a byte of a longer character is no key here
        if len(data) == 1:
            return 0
        if csi := _CSI.match(data):
            return self._csi(csi, tokens)
        match data[1:2]:
            case b"O":
                return 3 if len(data) >= 3 else 0
            case b"P" | b"X" | b"^" | b"_" | b"]":
                string = _STRING.match(data)
                return string.end() if string else 0
            case b"\x1b":
                tokens.append("escape")
                return 1
        return 2  # with Alt: no key here

    def _csi(self, match: re.Match[bytes], tokens: list[Token]) -> int:
        end = match.end()
        if match[2] is None:
            # Either more is to come, or something stands here that no sequence has: drop it up to there.
            return 0 if end == len(self._bytes) else end
        parameters, final = match[1].decode("ascii"), match[2]
        if final == b"M" and not parameters:  # a click in the old form, three more bytes
            return end + 3 if len(self._bytes) >= end + 3 else 0
        if final in b"Mm" and parameters.startswith("<"):
            numbers = [int(part) for part in parameters[1:].split(";") if part.isdecimal()]
            # The lowest two bits are the button (0 the left one); from 32 up: motion, wheel, more buttons.
            if len(numbers) == 3 and not numbers[0] & ~0b11100:
                tokens.append(Click(numbers[1] - 1, numbers[2] - 1, final == b"M"))
        elif final == b"~" and parameters == "200":
            self._pasting = True
        return end


def _raw(saved: Sequence[Any]) -> list[Any]:
    """Return a terminal's attributes without echo, line editing and flow control.

    Ctrl-C comes as a key, so that the program that started this one (make, say) is not interrupted too.
    Ctrl-Z stays a signal, which stops both.
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

    For the main thread only, as all handling of signals is. Afterwards everything is as before. What was
    ignored (SIGHUP under nohup) stays ignored.
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
    """Stop this process, as SIGTSTP does when nobody handles it, until it is continued."""
    handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    # To this very thread: it is stopped when the call returns, not some time later.
    signal.raise_signal(signal.SIGTSTP)
    signal.signal(signal.SIGTSTP, handler)
