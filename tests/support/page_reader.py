"""What a browser finds in games.html: its tables and its games, for tests. Strict about tags."""

import sqlite3
from contextlib import closing
from html.parser import HTMLParser

VOID = {"meta"}
KNOWN = {
    "html", "head", "meta", "title", "style", "body", "main", "section", "article", "div", "span", "p",
    "h1", "h2", "h3", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "strong", "svg",
    "defs", "symbol", "use", "path", "circle", "text",
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
        """Return the tables of counts: title -> [(names, counts)], without the titles of the columns."""
        return {
            caption: [
                (tuple(cell for cell in row if cell and not cell.isdigit()),
                 tuple(int(cell) for cell in row if cell.isdigit()))
                for row in rows
            ]
            for kind, caption, (_, *rows) in self.tables
            if kind == "counts"
        }  # fmt: skip


ENDS = "sum(result = human), sum(result NOT IN ('draw', human)), sum(result = 'draw')"
BOX = f"SELECT rule, level, {ENDS} FROM game WHERE helped = 0 AND players = 1 GROUP BY rule, level"  # noqa: S608
PAIR = f"SELECT {ENDS} FROM game WHERE helped = 0 AND players = 2 HAVING count(*)"  # noqa: S608
RUNS = """
    WITH won AS (SELECT id, level, result = human AS is_won FROM game WHERE players = 1 AND helped = 0),
    islands AS (SELECT level, is_won, id, row_number() OVER (PARTITION BY level ORDER BY id)
        - row_number() OVER (PARTITION BY level, is_won ORDER BY id) AS island FROM won),
    runs AS (SELECT level, is_won * count(*) AS run FROM islands GROUP BY level, is_won, island)
    SELECT level, max(run) FROM runs GROUP BY level
"""


def counted(file):
    """Return the results against the box, those of two people, and the best runs, counted by SQLite alone."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        run = connection.execute
        box = {tuple(filter(None, line[:2])): line[2:] for line in run(BOX)}
        return box, run(PAIR).fetchone(), {tuple(filter(None, line[:1])): line[1] for line in run(RUNS)}


def check(page, file):
    """Check that all figures of a page are those of a database; return the reader."""
    reader = PageReader(page)
    box, pair, best = counted(file)
    shown = reader.counts()
    assert {level: run[1] for level, run in shown.pop("Won in a row", ())} == best
    sums = {}
    for title, rows in shown.items():
        total = rows.pop()[1] if len(rows) > 1 else rows[0][1]
        sums[title] = tuple(map(sum, zip(*(counts for _, counts in rows), strict=True)))
        assert total == sums[title]
    assert dict(shown.get("Against the box", ())) == box
    assert sums.get("Matches of two people") == pair
    return reader
