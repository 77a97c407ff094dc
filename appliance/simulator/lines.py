"""The simulator in lines of text, for screen readers: what has changed is said, and nothing is drawn."""

from typing import Any

from appliance.simulator.console import Console
from appliance.simulator.spoken import Reader, button_names
from appliance.simulator.terminal import Token


class LineConsole(Console):
    """A console whose terminal keeps its own line editing.

    Each line has the keys that one types in the other console; an empty one asks what each button is.
    """

    closing = 0  # Ctrl-D is how lines end

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._reader = Reader()
        self._notes: list[str] = []
        self._typed = False  # something in this line

    def _take(self, token: Token) -> None:
        ends, typed = token == "\n", self._typed  # noqa: S105 - no password
        self._typed = not ends
        if not ends:
            super()._take(token)
        elif not typed:
            self._terminal.write_line("; ".join(button_names(self._box)))

    def _paint(self) -> None:
        """Write what has changed."""
        before, self._notes = self._notes, [self._dark(), self.log.newest]
        said = [self._reader.news(self._box), *(note for note in self._notes if note not in before)]
        for line in filter(None, said):
            self._terminal.write_line(line)
