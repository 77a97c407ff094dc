"""The column of words beside the board: headline, notes, progress of a hold, badges, score."""

from collections.abc import Sequence

from appliance.core.art import Columns
from appliance.core.canvas import Canvas
from appliance.core.font import PITCH, fits, ink, shorten, text_columns, text_width, wrap
from appliance.core.icons import icon
from appliance.core.layout import BADGE, Layout, Line, broken, in_rows
from appliance.core.scene import BoardScene

_SCORE = 19  # rows of the score below the notes, large
_MARK = 10  # columns of the mark before the headline, with the space after it
_MARKS = ("x", "o")
_SEPARATOR = " · "


def count_text(count: int) -> str:
    """Return a count in at most three characters: 12345 is 12k, and nobody plays more games than 99k."""
    return str(count) if count < 1000 else f"{min(count // 1000, 99)}k"


def _label(label: str, width: int) -> Columns:
    """Return the label of a count: a small mark for x and o, or else the text."""
    if label.lower() in _MARKS:
        return tuple(column << 2 for column in icon(label.lower(), large=False))
    return text_columns(shorten(label, width))


def _pill(text: str, margin: int) -> Columns:
    """Return a number, dark on a lit ground with round corners, 9 rows high, `margin` at each side."""
    digits = text_columns(text)
    pill = Canvas(len(digits) + 2 * margin, 9)
    pill.blit(tuple(column >> 1 for column in digits), margin, 0)
    pill.invert(1, 0, pill.width - 2, 9)
    pill.fill(0, 1, 1, 7)
    pill.fill(pill.width - 1, 1, 1, 7)
    return pill.columns()


def _bar(width: int, fraction: float) -> Columns:
    """Return the progress of a hold: a frame that fills from the left, 7 rows high."""
    bar = Canvas(width, 7)
    bar.box(0, 0, width, 7)
    bar.fill(2, 2, round((width - 4) * min(max(fraction, 0.0), 1.0)), 3)
    return bar.columns()


def _columns_of_score(score: Sequence[tuple[str, int]], width: int) -> list[tuple[Columns, Columns]]:
    """Return label and count of each score as pictures that fit side by side, two columns apart.

    Where they do not, first the grounds of the counts grow narrow, then the longest labels are cut.
    """
    room = width - 2 * (len(score) - 1)
    for margin in (3, 2, 1):
        counts = [_pill(count_text(count), margin) for _, count in score]
        widths = [
            max(len(_label(label, width)), len(count))
            for (label, _), count in zip(score, counts, strict=True)
        ]
        if sum(widths) <= room:
            break
    while sum(widths) > room and any(have > len(count) for have, count in zip(widths, counts, strict=True)):
        longest = max(range(len(score)), key=lambda place: widths[place] - len(counts[place]))
        widths[longest] -= 1
    return [
        (_label(label, wide), count) for (label, _), wide, count in zip(score, widths, counts, strict=True)
    ]


def _score_below(layout: Layout, score: Sequence[tuple[str, int]], x: int, width: int) -> None:
    """Put the score as labels over counts, spread over the width, at the bottom."""
    parts = _columns_of_score(score, width)
    widths = [max(len(label), len(count)) for label, count in parts]
    slack = width - sum(widths)
    for place, ((label, count), room) in enumerate(zip(parts, widths, strict=True)):
        left = x + sum(widths[:place]) + slack * (2 * place + 1) // (2 * len(parts))
        top = layout.bottom - _SCORE - 2
        layout.add(f"score.label.{place}", left + (room - len(label)) // 2, top, label)
        layout.add(f"score.count.{place}", left + (room - len(count)) // 2, top + 12, count)


def _score_line(layout: Layout, score: Sequence[tuple[str, int]], x: int, y: int, width: int) -> None:
    """Put the score on one line, each count after its label."""
    counts = [text_columns(count_text(count)) for _, count in score]
    room = width - sum(len(count) + 3 for count in counts) - 5 * (len(score) - 1)
    labels = [_label(label, width) for label, _ in score]
    if sum(map(len, labels)) > room:
        labels = [_label(label[:1], width) for label, _ in score]
    for place, (label, count) in enumerate(zip(labels, counts, strict=True)):
        layout.add(f"score.label.{place}", x, y, label)
        layout.add(f"score.count.{place}", x + len(label) + 3, y, count)
        x += len(label) + len(count) + 8


def _accents(score: Sequence[tuple[str, int]]) -> int:
    """Return how many rows the accents of the labels need above their capitals: 0 to 2."""
    rows = 1 << 2
    for label, _ in score:
        rows |= ink(label)
    return 3 - (rows & -rows).bit_length()


def _wrapped(notes: Sequence[str], width: int) -> list[Line]:
    return [Line(f"note.{place}", line) for place, note in enumerate(notes) for line in wrap(note, width)]


def _headline(layout: Layout, scene: BoardScene, width: int, rows: int) -> list[Line]:
    if scene.mark and not scene.headline.strip():
        return [Line("headline", "")]
    indent = _MARK if scene.mark else 0
    return broken(layout, "headline", scene.headline, width, (rows - 1) // PITCH, bold=True, indent=indent)


def _lines(layout: Layout, scene: BoardScene, width: int, rows: int) -> list[Line]:
    """Return headline and notes in at most `rows` rows: each note on its own lines, or all sharing one.

    Later notes yield silently; the first is `left_out` when it is not whole.
    """
    headline = _headline(layout, scene, width, rows)
    for count in range(len(scene.notes), 0, -1):
        shared = _SEPARATOR.join(scene.notes[:count])
        for texts in (scene.notes[:count], (shared,) if text_width(shared) <= width else ()):
            lines = headline + _wrapped(texts, width)
            if texts and in_rows(lines, rows) and fits(scene.notes[0], width):
                return lines
    if not scene.notes:
        return headline
    room = (rows - 1) // PITCH - len(headline)
    return headline + broken(layout, "note.0", scene.notes[0], width, room)


def _essential(scene: BoardScene, width: int, rows: int) -> bool:
    """Return whether the headline and the first note find room. For them the score gives way."""
    trial = Layout(0, 0)
    _lines(trial, scene, width, rows)
    return not trial.left_out


def put_side(layout: Layout, scene: BoardScene, x: int) -> None:
    """Put the words of `scene` in the column that begins at `x`."""
    put = _put_tall if layout.large else _put_flat
    put(layout, scene, x, layout.right - x)


def _put_tall(layout: Layout, scene: BoardScene, x: int, width: int) -> None:
    """Put words from the top, the score at the bottom, between them bar and badges where there are any."""
    bottom = layout.bottom
    strip = PITCH if scene.badges or scene.bar is not None else 0
    if scene.score and _essential(scene, width, bottom - strip - _SCORE - _accents(scene.score)):
        _score_below(layout, scene.score, x, width)
        bottom -= _SCORE + _accents(scene.score)
    bottom -= strip
    bar_width = width - BADGE * len(scene.badges)
    layout.badges(scene.badges, x + bar_width + 2, bottom + 2, down=False)
    if scene.bar is not None:
        layout.add("bar", x, bottom + 2, _bar(bar_width, scene.bar))
    lines = _lines(layout, scene, width, bottom)
    # Whose turn it is changes most often: its capitals stand on the first page of the display's memory alone,
    # unless they have accents.
    rows = ink(lines[0].text) if lines else 0
    top = -1 if rows and not rows & 1 else 0
    _put_mark(layout, scene, x, 2 + top)
    layout.stack(lines, x, top, bottom)


def _put_mark(layout: Layout, scene: BoardScene, x: int, y: int) -> None:
    if scene.mark:
        layout.add("mark", x, y, icon(scene.mark, large=False))


def _put_flat(layout: Layout, scene: BoardScene, x: int, width: int) -> None:
    """Put three lines of words; the last is the bar or the score if there is room; badges at the right."""
    if scene.badges and scene.bar is None:  # a hold is short: its words go before
        layout.badges(scene.badges, layout.right - BADGE + 2, 2, down=True)
        width -= BADGE
    _put_mark(layout, scene, x, 2)
    bottom = layout.bottom
    above = bottom - PITCH + 1
    if scene.bar is not None:
        bottom = above
        layout.add("bar", x, above + 1, _bar(width, scene.bar))
    elif scene.score and _essential(scene, width, above - _accents(scene.score)):
        bottom = above - _accents(scene.score)
        _score_line(layout, scene.score, x, above - 2, width)
    layout.stack(_lines(layout, scene, width, bottom), x, 0, bottom)
