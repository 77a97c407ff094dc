"""A script as text for a terminal, or as Markdown."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from appliance.teaching.commentary.booth import SpokenLine
from appliance.teaching.commentary.players import Player
from appliance.teaching.commentary.script import Diagram, Heading, Result, ScriptItem, Standings
from appliance.teaching.commentary.season import Fixture

WIDTH = 80
MARGIN = 9  # columns for the speaker's name
SEASON_COLUMNS = ("played", "won", "drawn", "lost", "points")


def text(items: Iterable[ScriptItem], players: Mapping[str, Player]) -> Iterator[str]:
    """Yield lines of at most 80 columns."""
    before = ""
    for line in _text(items, players):
        if line or before:
            yield line
        before = line


def _text(items: Iterable[ScriptItem], players: Mapping[str, Player]) -> Iterator[str]:
    for item in items:
        match item:
            case Heading(level, title):
                yield from ("", title.upper() if level < 3 else title, "=-~"[level - 1] * len(title), "")
            case SpokenLine():
                yield from wrapped(f"{item.voice}:", item.text)
            case Diagram(cells):
                yield from ("", *(" " * MARGIN + row for row in board(cells)), "")
            case Result(game):
                yield from (*wrapped("", result(game)), "")
            case Standings(rows):
                yield " " * 20 + "".join(name.rjust(8) for name in SEASON_COLUMNS)
                for row in rows:
                    yield players[row.name].full.ljust(20) + "".join(
                        str(value).rjust(8) for value in (*row[1:], row.points)
                    )
                yield ""


def markdown(items: Iterable[ScriptItem], players: Mapping[str, Player]) -> Iterator[str]:
    """Yield lines of Markdown: speech as paragraphs, standings as tables, boards as code."""
    for item in items:
        match item:
            case Heading(level, title):
                yield from (f"{'#' * level} {title}", "")
            case SpokenLine():
                yield from (f"**{item.voice.title()}:** {item.text}", "")
            case Diagram(cells):
                yield from ("```", *board(cells), "```", "")
            case Result(game):
                yield from (f"*{result(game)}*", "")
            case Standings(rows):
                yield f"| | {' | '.join(SEASON_COLUMNS)} |"
                yield "| --- |" + " ---: |" * len(SEASON_COLUMNS)
                for row in rows:
                    yield f"| {players[row.name].full} | {' | '.join(map(str, (*row[1:], row.points)))} |"
                yield ""


RENDERERS = {"text": text, "markdown": markdown}


def board(cells: str) -> list[str]:
    """Return the rows of a board."""
    return [" ".join(cells[start : start + 3]) for start in (0, 3, 6)]


def result(game: Fixture) -> str:
    """Return the moves of a game, in the notation of `tictactoe analyse`, and its result."""
    ended = "a draw" if game.outcome == "draw" else f"{game.outcome} wins"
    return f"{' '.join(str(cell + 1) for cell in game.moves)}: {ended}"


def wrapped(start: str, words: str) -> list[str]:
    """Return the lines of a text beside a margin that names the speaker."""
    first, margin = start.ljust(MARGIN), " " * MARGIN
    return textwrap.wrap(words, WIDTH, initial_indent=first, subsequent_indent=margin, break_on_hyphens=False)
