"""What a browser finds in games.html: its tables and its games, for tests. Strict about tags."""

import sqlite3
from contextlib import closing
from html.parser import HTMLParser

VOID = {"meta"}
KNOWN = {
    "html", "head", "meta", "title", "style", "body", "main", "section", "article", "div", "span", "p",
    "h1", "h2", "h3", "table", "caption", "thead", "tbody", "tr", "th", "td", "strong", "svg", "defs",
    "symbol", "use", "path", "circle", "text",
}  # fmt: skip


class PageReader(HTMLParser):
    """Reads one page: `tables` are (class, caption, rows of texts), `games` the texts of the articles."""

    def __init__(self, page):
        super().__init__()
        self.open, self.texts = [], []
        self.tables, self.games, self.ids, self.links = [], [], [], []
        self.feed(page)
        self.close()
        assert not self.open, "every tag is closed"

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        assert tag in KNOWN, tag
        assert not any(name.startswith("on") or name in {"src", "style"} for name in attrs)
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.links += [attrs["href"]] if "href" in attrs else []
        if tag in VOID:
            return
        self.open.append((tag, len(self.texts)))
        if tag == "table":
            self.tables.append((attrs["class"], "", []))
        elif tag == "tr":
            self.tables[-1][2].append([])

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        begun, start = self.open.pop()
        assert begun == tag, (begun, tag)
        text = "".join(self.texts[start:]).strip()
        if tag in {"th", "td"}:
            self.tables[-1][2][-1].append(text)
        elif tag == "caption":
            kind, _, rows = self.tables[-1]
            self.tables[-1] = kind, text, rows
        elif tag == "article":
            self.games.append(text)

    def handle_data(self, data):
        if self.open and self.open[-1][0] != "style":
            self.texts.append(data)

    @property
    def text(self):
        return "".join(self.texts)

    def counts(self):
        """Return the statistics: title -> (names, counts), without the titles of the columns."""
        found = {}
        for kind, caption, (_, *rows) in self.tables:
            if kind == "counts":
                found[caption] = {
                    tuple(cell for cell in row if cell and not cell.isdigit()): tuple(
                        int(cell) for cell in row if cell.isdigit()
                    )
                    for row in rows
                }
        return found


LINES = """
    SELECT rule, iif(players = 2, '', level) AS kind, sum(result = first), sum(result NOT IN ('draw', first)),
        sum(result = 'draw')
    FROM (SELECT *, iif(players = 0, 'x', human) AS first FROM game WHERE helped = 0 AND players = ?)
    GROUP BY rule, kind
"""
RUNS = """
    WITH won AS (SELECT id, level, result = human AS is_won FROM game WHERE players = 1 AND helped = 0),
    islands AS (SELECT level, is_won, id, row_number() OVER (PARTITION BY level ORDER BY id)
        - row_number() OVER (PARTITION BY level, is_won ORDER BY id) AS island FROM won),
    runs AS (SELECT level, is_won * count(*) AS run FROM islands GROUP BY level, is_won, island)
    SELECT level, max(run) FROM runs GROUP BY level
"""


def counted(file):
    """Return the statistics and the best runs of a database, counted by SQLite alone."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        run = connection.execute
        found = {}
        for title, players in (("Against the box", 1), ("Two people", 2), ("The box against itself", 0)):
            lines = {tuple(filter(None, line[:2])): line[2:] for line in run(LINES, (players,))}
            found |= {title: lines} if lines else {}
        best = {tuple(filter(None, (level,))): longest for level, longest in run(RUNS)}
        return found, best


def check(page, file):
    """Check that all figures of a page are those of a database; return the reader."""
    reader = PageReader(page)
    lines, best = counted(file)
    shown = reader.counts()
    runs = shown.pop("Won in a row", {})
    assert shown == lines
    assert {level: run[1] for level, run in runs.items()} == best
    return reader
