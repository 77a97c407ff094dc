"""Python's end of the page: the box that worker.js runs in the browser, by Pyodide's Python."""

import logging
import os
import time
from collections.abc import Callable
from pathlib import Path

from appliance.config.reading import read_config
from appliance.desk.desk import Desk, encode_message
from appliance.desk.news import Message

FILE = "tictactoe.yaml"  # the configuration, in the folder
GAMES = "games"  # where the box keeps them, beside it


class Inside:
    """A desk whose page hears through `tell`: JSON, or the bytes of a picture.

    `folder` outlives it, and keeps `configuration`, the text of a tictactoe.yaml, until another one comes. As
    on a card, only its wrong keys are left out.
    """

    def __init__(
        self,
        tell: Callable[[str | bytes], object],
        folder: str,
        configuration: str | None = None,
        seed: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        os.chdir(folder)  # so that a mistake names the file as people do
        file = Path(FILE)
        if configuration is not None or not file.exists():
            file.write_text(configuration or "", encoding="utf-8")
        found = read_config([file])
        self._tell, self._clock = tell, clock
        self._desk = Desk(found.config, clock(), seed=seed, state=Path(GAMES).absolute(), wall=time.time)
        log = logging.getLogger("tictactoe")
        log.setLevel(found.config.log.upper())
        log.addHandler(_Journal(self._desk.journal.append))
        shown = {"configuration": file.read_text(encoding="utf-8", errors="replace")}
        self._say([shown, *self._desk.open(clock())])
        self._say([{"mistakes": [str(each) for each in found.mistakes]}])

    def hear(self, text: str) -> None:
        """Do what a message of the page asks."""
        self._say(self._desk.hear(text, self._clock()))

    def turn(self) -> float:
        """Advance the box to now; return the seconds until its next turn, infinity for never."""
        self._say(self._desk.advance(self._clock()))
        return self._desk.due(self._clock())

    def _say(self, messages: list[Message]) -> None:
        for message in messages:
            self._tell(message if isinstance(message, bytes) else encode_message(message))


class _Journal(logging.Handler):
    """Hands the log's lines on."""

    def __init__(self, line: Callable[[str], None]) -> None:
        super().__init__()
        self._line = line

    def emit(self, record: logging.LogRecord) -> None:
        self._line(self.format(record))
