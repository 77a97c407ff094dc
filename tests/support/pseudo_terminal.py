"""A pseudo-terminal whose screen is read through pyte's terminal emulator."""

import fcntl
import os
import pty
import select
import struct
import termios
from contextlib import suppress

import pyte

from appliance.simulator.layout import Style

DOTS = ((0, 1, 2, 6), (3, 4, 5, 7))  # the bits of a braille character, by column and row
HALVES = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1), "'": (1, 0), ".": (0, 1), ":": (1, 1)}
# The terminal modes that are changed, and their usual states.
MODES = {"?1049": "l", "?25": "h", "?7": "h", "?1000": "l", "?1006": "l", "?2026": "l"}


def pixels(lines, style, width, height):
    """Read pixels back from characters, one at a time."""

    def lit(x, y):
        if style is Style.BRAILLE:
            return ord(lines[y // 4][x // 2]) - 0x2800 >> DOTS[x % 2][y % 4] & 1
        return HALVES[lines[y // 2][x]][y % 2]

    return ["".join(".#"[lit(x, y)] for x in range(width)) for y in range(height)]


MARK = b"\0"  # which no program writes, and no screen shows


class Pty:
    """A pseudo-terminal, and its screen."""

    def __init__(self):
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.sent = b""
        self._marks = 0  # that have come back
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self.screen)
        self.resize(80, 24)

    def resize(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def type(self, text):
        os.write(self.master, text.encode())

    def pump(self, timeout=0.01):
        """Read what has been written to the terminal, waiting if there is nothing."""
        ready, _, _ = select.select([self.master], [], [], timeout)
        if ready:
            with suppress(OSError):
                data = os.read(self.master, 65536)
                self._marks += data.count(MARK)
                data = data.replace(MARK, b"")
                self.sent += data
                self._stream.feed(data)

    def drain(self):
        """Read all that has been written so far: the kernel passes it on when it finds the time."""
        marks = self._marks
        with suppress(OSError):  # the other end has been closed
            os.write(self.slave, MARK)
            self.until(lambda: self._marks > marks)

    def until(self, condition):
        """Read the screen until a condition holds. The runner ends a test that waits forever."""
        while not condition():
            self.pump()

    @property
    def text(self):
        return "\n".join(self.screen.display)

    def picture(self, style):
        """Read the display's pixels back from the screen, below and right of its frame's corner."""
        lines = self.screen.display
        row = next(row for row, line in enumerate(lines) if "╭─ tic-tac-toe" in line)
        column = lines[row].index("╭─ tic-tac-toe") + 1
        try:
            return pixels([line[column:] for line in lines[row + 1 :]], style, 128, 64)
        except (KeyError, IndexError):
            return None  # it is drawn in another style

    def is_restored(self):
        """Whether all modes and settings have been restored."""
        sent = self.sent.decode(errors="replace")
        return termios.tcgetattr(self.slave) == self.before and all(
            sent.rfind(f"\x1b[{mode}{usual}") >= sent.rfind(f"\x1b[{mode}{'hl'[usual == 'h']}")
            for mode, usual in MODES.items()
        )

    def close(self):
        for fd in (self.master, self.slave):
            with suppress(OSError):
                os.close(fd)
