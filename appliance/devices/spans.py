"""Choose the rectangles of a display's memory to send for the fewest bytes on the wire. Pure.

On a bus at 100 kHz a byte takes 90 us and a full frame 0.1 s, which a person notices; a mark costs about 50
bytes. So only what changed is sent. A `Window` is a rectangle of bytes that is sent whole, including its
unchanged bytes. It costs its area, 4 bytes for the address and control bytes of its two transactions
(commands, then data), and the commands that set it:

- SSD1306 and SSD1309, horizontal addressing: 3 bytes for the columns (0x21 first last), 3 for the pages
  (0x22 first last). A register that holds the right value already need not be set.
- SH1106, page addressing: 2 bytes for the column, 1 for the page. A window is one page high.

Many windows cost commands, few cost unchanged bytes. Dynamic programming finds the best division of a line:
the best one up to each point follows from the best ones up to earlier points. So the two dimensions are
divided one after the other, columns into groups and groups into bands of pages. Changed bytes are found with
integers as wide as a page: no Python runs per pixel.
"""

import re
import sys
from typing import NamedTuple


class Window(NamedTuple):
    """A rectangle of the memory: pages and columns, first and last, inclusive."""

    pages: tuple[int, int]
    columns: tuple[int, int]

    def content(self, data: bytes, width: int) -> bytes:
        """Return the window's bytes from a frame `width` columns wide, in the order they are written."""
        first, last = self.columns
        top, bottom = self.pages
        return b"".join(
            data[page * width + first : page * width + last + 1] for page in range(top, bottom + 1)
        )


ANOTHER = 7  # bytes for one more window on the same pages: 4, and 3 for its columns
PAGES_BYTES = 3  # for setting the pages
WIDE_GAP = 4  # columns; a narrower gap is no place to cut through all pages
CUTS = 5  # at most, to bound the work; more helped in no measurement

_Pages = list[int]  # a number per page, its bytes little-endian: 0 where nothing changed


def _runs_apart(gap: int) -> re.Pattern[bytes]:
    """Return a pattern for a run of changed bytes with gaps of at most `gap` unchanged ones."""
    return re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % gap if gap else rb"[^\0]+")


# By height: windows are joined across a gap that costs no more to send than another window.
_RUNS = [_runs_apart(ANOTHER // max(pages, 1)) for pages in range(9)]
_PAGE_RUNS = _runs_apart(6)  # 4 bytes, and 2 for the column
_GAP = re.compile(rb"\0{%d,}" % WIDE_GAP)


def changes(old: bytes, new: bytes, width: int) -> _Pages:
    """Return the difference of two frames, a number per page."""
    return [
        int.from_bytes(old[start : start + width], "little")
        ^ int.from_bytes(new[start : start + width], "little")
        for start in range(0, len(new), width)
    ]


def page_windows(old: bytes, new: bytes, width: int) -> list[Window]:
    """Return the windows to send under page addressing, in order. No other choice costs fewer bytes.

    Pages are independent. Within one, two runs of changed bytes are joined exactly where the gap costs no
    more than setting the column again.
    """
    return [
        Window((page, page), (match.start(), match.end() - 1))
        for page, change in enumerate(changes(old, new, width))
        if change
        for match in _PAGE_RUNS.finditer(change.to_bytes(width, "little"))
    ]


def windows(old: bytes, new: bytes, width: int) -> list[Window]:
    """Return the windows to send under horizontal addressing, in order.

    The best of all divisions of one kind: the columns are divided into groups at up to `CUTS` of the widest
    gaps that no page bridges; each group into bands of pages; each band into windows of its height, joined
    across narrow gaps, which is exact for windows of equal height. On random changes the optimum over all
    windows, in any order, would save less than another 0.2 %.
    """
    pages = changes(old, new, width)
    least = sum(width - page.to_bytes(width, "little").count(0) for page in pages)
    if not least:
        return []
    cost, found = _bands(pages, 0, width)
    # Two groups cost at least the changed bytes and two windows that each set their pages.
    if cost > least + 2 * (ANOTHER + PAGES_BYTES):
        found = _groups(pages, width, (cost, found))
    return sorted(found)  # windows on the same pages next to each other, where they share a register


def _groups(pages: _Pages, width: int, uncut: tuple[int, list[Window]]) -> list[Window]:
    """Divide the columns at gaps, and each group into bands; `uncut` is the result without a cut."""
    union = 0
    for page in pages:
        union |= page
    columns = union.to_bytes(width, "little")
    inside = len(columns) - len(columns.lstrip(b"\0"))
    gaps = [gap.span() for gap in _GAP.finditer(columns.rstrip(b"\0"), inside)]
    widest = sorted(gaps, key=lambda gap: gap[0] - gap[1])[:CUTS]
    edges = [0, *sorted(end for _, end in widest), width]
    best: list[tuple[int, list[Window]]] = [(0, [])]
    for last in range(1, len(edges)):
        choices = []
        for first in range(last):
            one = uncut if last - first == len(edges) - 1 else _bands(pages, edges[first], edges[last])
            choices.append((best[first][0] + one[0], best[first][1] + one[1]))
        best.append(min(choices, key=lambda choice: choice[0]))
    return best[-1][1]


def _bands(pages: _Pages, start: int, stop: int) -> tuple[int, list[Window]]:
    """Divide the pages into bands, counting only the columns from `start` to before `stop`.

    Return the cost in bytes and the windows. A band never starts or ends with an unchanged page.
    """
    width = stop - start
    mask = (1 << 8 * width) - 1
    pages = [page >> 8 * start & mask for page in pages]
    best: list[tuple[int, list[Window]]] = [(0, [])]
    for last, page in enumerate(pages):
        if not page:
            best.append(best[last])
            continue
        chosen: tuple[int, list[Window]] = (sys.maxsize, [])
        union = 0
        for first in range(last, -1, -1):
            if not pages[first]:
                continue
            union |= pages[first]
            height = last - first + 1
            spans = [match.span() for match in _RUNS[height].finditer(union.to_bytes(width, "little"))]
            cost = PAGES_BYTES + sum(ANOTHER + height * (end - begin) for begin, end in spans)
            if cost >= chosen[0]:
                break  # a taller band costs even more
            if best[first][0] + cost < chosen[0]:
                band = [Window((first, last), (start + begin, start + end - 1)) for begin, end in spans]
                chosen = best[first][0] + cost, best[first][1] + band
        best.append(chosen)
    return best[-1]
