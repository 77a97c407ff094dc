"""games.html: how busy it was, or whether its reader gets better; the results; the last games, reviewed.

It is one file without a script, and loads nothing, so any browser shows it from a card. It speaks the box's
language. The same games give the same bytes. On the image's card games.csv lies beside it, for a spreadsheet.
"""

import io
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from types import MappingProxyType

from appliance.core.english import duration
from appliance.core.errors import UserError
from appliance.games import chart
from appliance.games.drawing import SYMBOLS, before, final
from appliance.games.figures import (
    Counts,
    Gathered,
    busy_lines,
    busy_months,
    date_of,
    gather,
    headline,
    is_exhibit,
    strengths,
    tables,
)
from appliance.games.remarks import ENGLISH, sentences, told
from appliance.games.saved import ending, names, replayed, title, write_csv
from appliance.games.speech import Speech, speech
from appliance.storage.days import Days, day_of
from appliance.storage.history import History
from appliance.storage.rows import Played, written
from engine import SOLVED, STRONGEST, Table

GAMES = 20  # shown with their reviews, the newest
MAX_REVIEWED = 180  # reviewed at most: 20 full boards. At vanishing they cost up to 5 billion instructions
ENTRIES = 1 << 15  # of the table that the reviews of a rule share: 8 MB

_MARKED = ' class="marked"'


def contents(history: History, language: str) -> Mapping[str, bytes]:
    """Return the files for the card by name; none before the first game or visit.

    So a lost history overwrites no old files. games.csv has the newest `figures.NEWEST_GAMES` games. The page
    is in the language chosen in the menu, else in the configured one. Raise `UserError` if no games can be
    read.
    """
    gathered, visits = gather(history.games()), history.visits()
    if not gathered.newest and not visits:
        return {}
    listing = io.StringIO(newline="")
    write_csv(gathered.newest, listing)
    spoken = speech(history.language(language))
    html = games_page(gathered, visits, spoken, damaged=bool(history.note))
    return {"games.csv": listing.getvalue().encode(), "games.html": html.encode()}


def reviewed(gathered: Gathered) -> Sequence[Played]:
    """Return the games that the page shows: the newest that people have played."""
    return [one for one in gathered.newest if one.game.players][-GAMES:]


def games_page(
    gathered: Gathered,
    visits: Days = MappingProxyType({}),
    spoken: Speech = ENGLISH,
    *,
    damaged: bool = False,
    step: Callable[[], object] = lambda: None,
) -> str:
    """Return the page. `visits` are those of each day, where they are counted.

    `damaged` is whether some games could not be read. `step` is called after each game of the list.
    """
    exhibit, say = is_exhibit(gathered.days, visits), spoken.say
    results = list(tables(gathered.statistics, spoken, exhibit=exhibit))
    sections = {}
    if exhibit:
        sections["busy"] = "".join(_busy(gathered, visits, spoken))
    elif gathered.statistics.box:
        sections["better"] = "".join(_better(gathered, spoken))
    if results:
        sections["results"] = _counts(results, spoken)
    if games := reviewed(gathered):
        legend = say("legend", worth=say("worth"), plies=say("plies_are"))
        sections["last"] = f'<p class="legend">{escape(legend)}</p>\n{"".join(_games(games, spoken, step))}'
    parts = {
        "LANGUAGE": spoken.language,
        "STYLE": _file("page.css"),
        "SYMBOLS": SYMBOLS,
        "TITLE": escape(say("title")),
        "LEAD": escape(headline(gathered.statistics, spoken=spoken)),
        "DAMAGED": _paragraph(say("damaged")) * damaged,
        "SECTIONS": "".join(_section(key, say(key), content) for key, content in sections.items()),
    }
    text = _file("page.html")
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    return text


def _section(key: str, heading: str, content: str) -> str:
    head = f'<section aria-labelledby="{key}">\n<h2 id="{key}">{escape(heading)}</h2>'
    return f"{head}\n{content}</section>\n"


def _counts(tables: Iterable[Counts], spoken: Speech) -> str:
    """Return tables of counts side by side, each with its sums at its foot."""
    found = ""
    for table in tables:
        rows = "".join(_row(names[0], [*names[1:], *counts]) for names, counts in table.rows)
        padding = [""] * (len(table.names) - 1)
        foot = _row(spoken.say("total"), [*padding, *table.total]) if table.total else ""
        found += _table("counts", table.title, [*table.names, *table.heads], rows, foot)
    return f'<div class="tables">{found}</div>\n'


def _busy(gathered: Gathered, visits: Days, spoken: Speech) -> Iterator[str]:
    """Yield how busy an exhibit was: in sentences, by hours, by months."""
    said = map(_paragraph, busy_lines(gathered.days, visits, gathered.hours, spoken))
    yield f'<div class="charts"><div>{"".join(said)}</div>\n'
    if gathered.hours:
        label = spoken.say("hours")
        counts = ", ".join(f"{hour}: {gathered.hours[hour]}" for hour in sorted(gathered.hours))
        picture = chart.bars(gathered.hours, escape(f"{label}: {counts}"))
        yield f"<div><h3>{escape(label)}</h3>\n{picture}</div>\n"
    yield _counts([busy_months(gathered.days, visits, spoken)], spoken) + "</div>\n"


def _better(gathered: Gathered, spoken: Speech) -> Iterator[str]:
    """Yield a line over time for each rule that has been played often."""
    lines = strengths(gathered.newest)
    yield _paragraph(spoken.say("line" if lines else "too_few")) + '<div class="charts">'
    for rule, series in lines.items():
        first, last = (100 * strength // STRONGEST for strength in (series[0], series[-1]))
        games = spoken.count("games", len(series))
        label = escape(spoken.say("line_of", rule=spoken.rule(rule), games=games, first=first, last=last))
        yield f"<div><h3>{label}</h3>\n{chart.line(series, STRONGEST, label)}</div>\n"
    yield "</div>\n"


def _games(newest: Sequence[Played], spoken: Speech, step: Callable[[], object]) -> Iterator[str]:
    """Yield the newest games, the newest first, each with its review as long as there are moves left."""
    left, shared = MAX_REVIEWED, dict[str, Table]()
    for saved in reversed(newest):
        game = saved.game
        yield f"<article>\n<h3>{escape(title(saved, game.rule, spoken))}</h3>\n"
        reviewed = len(game.moves) * (game.rule in SOLVED)
        if reviewed > left:
            yield _paragraph(spoken.say("too_many", number=reviewed))
        else:
            left -= reviewed
            table = shared.setdefault(game.rule, Table(ENTRIES))
            try:
                yield from _review(saved, table, spoken)
            except UserError:
                yield _paragraph(spoken.say("broken", number=saved.number, rule=repr(game.rule)))
        yield "</article>\n"
        step()


def _review(saved: Played, table: Table, spoken: Speech) -> Iterator[str]:
    """Yield a game's result, board, moves and mistakes. Raise `UserError` if it cannot be replayed."""
    game, sides = saved.game, names(saved)
    games, remarks = replayed(saved.number, game.rule, game.moves, table)
    moves = " ".join(map(str, written(game)))
    facts = spoken.say("facts", time=_time(game.seconds), moves=moves)
    if saved.ended is not None:
        hour = time.strftime("%H:%M", time.localtime(saved.ended))
        facts = f"{spoken.day(date_of(day_of(saved.ended)))} {hour}; {facts}"
    end = escape(ending(games[-1], sides, spoken))
    yield f'<p class="end"><strong>{end}.</strong> {escape(facts)}</p>\n'
    picture = final(games[-1], game.moves, spoken)
    if game.rule not in SOLVED:
        yield f'<div class="nine">{picture}</div>\n'
        return
    rows = "".join(
        _row(number, [move.who, f"{move.cell}{' !' * move.marked}", move.outcome], marked=move.marked)
        for number, move in enumerate(told(games, remarks, sides, spoken), 1)
    )
    yield f'<div class="told"><div>{picture}</div>'
    yield _table("moves", "", [spoken.say(key) for key in ("move", "who", "cell", "worth")], rows)
    yield '<div class="why">'
    if not any(remark.changed for remark in remarks):
        yield _paragraph(spoken.say("unchanged"))
    for remark, position in zip(remarks, games, strict=False):
        if remark.better:
            words = escape(sentences(remark, sides, spoken))
            yield f"<div>{before(position, remark.move, remark.better, spoken)}<p>{words}</p></div>"
    yield "</div></div>\n"


def _time(seconds: float) -> str:
    """Return how long one game took; most take less than a minute."""
    return f"{round(seconds)} s" if seconds < 120 else duration(seconds)


def _table(kind: str, caption: str, heads: Sequence[str], rows: str, foot: str = "") -> str:
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    cells = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = f"<thead><tr>{cells}</tr></thead><tbody>{rows}</tbody>" + (
        f"<tfoot>{foot}</tfoot>" if foot else ""
    )
    return f'<table class="{kind}">{above}{body}</table>\n'


def _row(name: object, values: Sequence[object], *, marked: bool = False) -> str:
    cells = "".join(f"<td>{escape(str(value))}</td>" for value in values)
    return f'<tr{_MARKED * marked}><th scope="row">{escape(str(name))}</th>{cells}</tr>'


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>\n"


def _file(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")
