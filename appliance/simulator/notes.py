"""What is logged or written on standard error while a picture stands in the terminal: kept for afterwards."""

import io
import logging
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr

KEPT = 200  # lines
FRESH = 8.0  # seconds for which a line is news


class Notes(logging.Handler):
    """Keeps log lines from a level up: the newest for the status line, warnings and worse for afterwards."""

    def __init__(self, level: int = logging.INFO) -> None:
        super().__init__(level)
        self.kept: deque[str] = deque(maxlen=KEPT)
        self._newest = ("", 0.0)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        lines = self.format(record).splitlines() or [""]
        self._newest = (lines[0], time.monotonic() + FRESH)
        if record.levelno >= logging.WARNING:
            self.kept.extend(lines)

    @property
    def newest(self) -> str:
        """The first line of the newest record, "" when that is no longer news."""
        line, until = self._newest
        return line if time.monotonic() < until else ""

    @contextmanager
    def instead(self) -> Iterator[None]:
        """Keep everything that is logged or written on standard error while the context lasts."""
        root = logging.getLogger()
        handlers, root.handlers = root.handlers, [self]
        level = root.level
        root.setLevel(self.level)
        written = io.StringIO()
        try:
            with redirect_stderr(written):
                yield
        finally:
            root.handlers = handlers
            root.setLevel(level)
            self.kept.extend(written.getvalue().splitlines())
