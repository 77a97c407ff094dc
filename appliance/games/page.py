"""games.html: the statistics, a calendar of play, and the last games with their reviews.

It is one file without a script, and loads nothing, so any browser shows it from a card. It is in English,
like status.txt: the sentences of a review have no other language. The same games give the same bytes.
On the image's card games.csv lies beside it, for a spreadsheet.
"""

import io
import time
from calendar import month_name
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from types import MappingProxyType

from appliance.core.english import capital, counted, duration
from appliance.core.errors import UserError
from appliance.games.board import SYMBOLS, before, final
from appliance.games.figures import Counts, Day, Gathered, Month, calendar, gather, headline, tables
from appliance.games.remarks import PLIES, UNCHANGED, WORTH, sentences, told
from appliance.games.saved import ending, names, replayed, title, write_csv
from appliance.storage.days import Days
from appliance.storage.history import History
from appliance.storage.rows import Played, written
from engine import SOLVED, Table

GAMES = 20  # shown with their reviews, the newest
MAX_REVIEWED = 180  # reviewed at most: 20 full boards. At vanishing they cost up to 5 billion instructions
ENTRIES = 1 << 15  # of the table that the reviews of a rule share: 8 MB

_MARKED = ' class="marked"'
_WEEK = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
_UNREADABLE = "Not everything in the box's list of games could be read; this is what could."
_NO_CLOCK = "without a network the box has no clock"


def contents(history: History) -> Mapping[str, bytes]:
    """Return the files for the card by name; none before the first game or visit.

    So a lost history overwrites no old files. games.csv has the newest `figures.NEWEST_GAMES` games. Raise
    `UserError` if no games can be read.
    """
    gathered, visits = gather(history.games()), history.visits()
    if not gathered.newest and not visits:
        return {}
    listing = io.StringIO(newline="")
    write_csv(gathered.newest, listing)
    html = games_page(gathered, visits, damaged=bool(history.note))
    return {"games.csv": listing.getvalue().encode(), "games.html": html.encode()}


def games_page(
    gathered: Gathered,
    visits: Days = MappingProxyType({}),
    *,
    damaged: bool = False,
    step: Callable[[], object] = int,
) -> str:
    """Return the page. `visits` are those of each day, where they are counted.

    `damaged` is whether some games could not be read. `step` is called after each game of the list.
    """
    parts = {
        "STYLE": _file("page.css"),
        "SYMBOLS": SYMBOLS,
        "LEAD": escape(headline(gathered.statistics)),
        "DAMAGED": _paragraph(_UNREADABLE) * damaged,
        "RESULTS": "".join(map(_counts, tables(gathered.statistics))),
        "DAYS": "".join(_days(gathered.days, visits)),
        "WORTH": f"“{WORTH}” counts in {PLIES}.",
        "GAMES": "".join(_games(gathered.newest[-GAMES:], step)),
    }
    text = _file("page.html")
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    return text


def _counts(table: Counts) -> str:
    rows = "".join(_row(names[0], [*names[1:], *counts]) for names, counts in table.rows)
    return _table("counts", table.title, [*table.names, *table.heads], rows)


def _days(games: Days, visits: Days) -> Iterator[str]:
    """Yield what is known of the days."""
    shown = calendar(games, visits)
    if any(shown.unknown):
        many = "these" if not shown.months else _both(*shown.unknown)
        yield _paragraph(f"Of {many} the day is not known: {_NO_CLOCK}.")
    yield f'<div class="months">{"".join(map(_month, shown.months))}</div>' if shown.months else ""
    if any(shown.before):
        yield _paragraph(f"Before that: {_both(*shown.before)}.")
    if shown.months:
        yield _paragraph("Games with help are among them.")


def _month(month: Month) -> str:
    rows = "".join(f"<tr>{''.join(_day(month, day) for day in week)}</tr>" for week in month.weeks)
    return _table("month", f"{month_name[month.month]} {month.year}", _WEEK, rows)


def _day(month: Month, day: Day | None) -> str:
    if day is None:
        return "<td></td>"
    number = f'<time datetime="{month.year:04}-{month.month:02}-{day.number:02}">{day.number}</time>'
    games = f'<b>{day.games}<span class="only-heard"> games</span></b>' if day.games else ""
    visits = f"<i>{counted(day.visits, 'visit')}</i>" if day.visits else ""
    return f'<td class="s{day.shade}">{number}{games}{visits}</td>'


def _games(newest: Sequence[Played], step: Callable[[], object]) -> Iterator[str]:
    """Yield the newest games, the newest first, each with its review as long as there are moves left."""
    left, shared = MAX_REVIEWED, dict[str, Table]()
    for saved in reversed(newest):
        game = saved.game
        yield f"<article>\n<h3>{escape(title(saved, game.rule))}</h3>\n"
        reviewed = len(game.moves) * (game.rule in SOLVED)
        if reviewed > left:
            yield _paragraph(f"Its {reviewed} moves are too many for this page.")
        else:
            left -= reviewed
            table = shared.setdefault(game.rule, Table(ENTRIES))
            try:
                yield from _review(saved, table)
            except UserError as error:
                yield _paragraph(f"{capital(str(error))}.")
        yield "</article>\n"
        step()


def _review(saved: Played, table: Table) -> Iterator[str]:
    """Yield a game's result, board, moves and mistakes. Raise `UserError` if it cannot be replayed."""
    game, called = saved.game, names(saved)
    games, remarks = replayed(saved.number, game.rule, game.moves, table)
    facts = f"{_time(game.seconds)}; moves {' '.join(map(str, written(game)))}"
    if saved.ended is not None:
        facts = time.strftime("%Y-%m-%d %H:%M; ", time.localtime(saved.ended)) + facts
    yield f'<p class="end"><strong>{escape(ending(games[-1], called))}.</strong> {escape(facts)}</p>\n'
    if game.rule not in SOLVED:
        return
    rows = "".join(
        _row(number, [move.who, f"{move.cell}{' !' * move.marked}", move.outcome], marked=move.marked)
        for number, move in enumerate(told(games, remarks, called), 1)
    )
    yield f'<div class="told"><div>{final(games[-1], game.moves)}</div>'
    yield _table("moves", "", ("move", "who", "cell", WORTH), rows)
    yield '<div class="why">'
    if not any(remark.changed for remark in remarks):
        yield _paragraph(UNCHANGED)
    for remark, position in zip(remarks, games, strict=False):
        if remark.better:
            words = escape(sentences(remark, called))
            yield f"<div>{before(position, remark.move, remark.better)}<p>{words}</p></div>"
    yield "</div></div>\n"


def _time(seconds: float) -> str:
    """Return how long one game took; most take less than a minute."""
    return f"{round(seconds)} s" if seconds < 120 else duration(seconds)


def _table(kind: str, caption: str, heads: Sequence[str], rows: str) -> str:
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    cells = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    return f'<table class="{kind}">{above}<thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table>\n'


def _row(name: object, values: Sequence[object], *, marked: bool = False) -> str:
    cells = "".join(f"<td>{escape(str(value))}</td>" for value in values)
    return f'<tr{_MARKED * marked}><th scope="row">{escape(str(name))}</th>{cells}</tr>'


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>\n"


def _both(games: int, visits: int) -> str:
    """Return both counts in words, without those that are none."""
    counts = ((games, "game"), (visits, "visit"))
    return " and ".join(counted(count, name) for count, name in counts if count)


def _file(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")
