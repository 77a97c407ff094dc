"""The simulator's screen as text: the display in a frame, the nine buttons beside it, hints and status below.

Pure: from what the chip shows and the size of the terminal to lines of text. Braille puts 2x4 pixels into a
character, half-blocks and ASCII 1x2. Either way a pixel is about square: characters are twice as high as
wide.
"""

import textwrap
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from appliance.core.canvas import Frame
from appliance.simulator.input_state import digit_of

HINTS = (
    (("1-9, mouse", "press"), ("h5", "hold (menu)"), ("c19", "two at once"), ("q", "quit")),
    (("", "break it:"), ("u", "unplug"), ("s5", "stick"), ("b5", "chatter"), ("e9", "bus error")),
)
BELOW = len(HINTS) + 1  # lines below the display
BESIDE = 2  # columns between the display and the buttons
BUTTON = 3  # columns and rows of a button's box; between two stands an empty column

RESET, BOLD, DIM, REVERSE = "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[7m"


def _dots(*bits: int) -> tuple[int, ...]:
    """Return the braille dots for each set of four pixels of a column, the uppermost in bit 0."""
    return tuple(sum(dot for n, dot in enumerate(bits) if pixels >> n & 1) for pixels in range(16))


# Braille counts dots 1 to 3 down the left column and 4 to 6 down the right; the fourth row is 7 and 8.
_LEFT, _RIGHT = _dots(0x01, 0x02, 0x04, 0x40), _dots(0x08, 0x10, 0x20, 0x80)


class Style(Enum):
    """The characters that pixels are drawn with."""

    BLOCKS = " ▀▄█"  # by the upper pixel (1) and the lower one (2)
    BRAILLE = "\u2800"  # the character without dots
    ASCII = " '.:"

    def size(self, width: int, height: int) -> tuple[int, int]:
        """Return the columns and rows of text for `width` by `height` pixels, both even."""
        return (width // 2, height // 4) if self is Style.BRAILLE else (width, height // 2)


class Colours(Enum):
    """How many colours a terminal has."""

    NONE = 0
    FEW = 8
    MANY = 256


class Layout(NamedTuple):
    """Where things stand, in characters counted from 0 at the terminal's top left."""

    style: Style
    pixels: tuple[int, int]
    left: int  # of the display's frame
    top: int
    buttons: tuple[int, int] | None  # column and row of the first, None if there is no room for them

    @property
    def size(self) -> tuple[int, int]:
        """The columns and rows of the display's picture."""
        return self.style.size(*self.pixels)

    def button(self, key: int) -> tuple[int, int]:
        """Return the column and row of a button's top left."""
        left, top = self.buttons or (0, 0)
        return left + key % 3 * (BUTTON + 1), top + key // 3 * BUTTON

    def key_at(self, column: int, row: int, *, turned: bool) -> int | None:
        """Return the key whose cell on the display, or whose button, is at a character; None for neither.

        `turned` says that the box shows its picture upside down: then the board is at the display's right.
        """
        (columns, rows), (width, height) = self.size, self.pixels
        across, down = column - self.left - 1, row - self.top - 1
        if 0 <= across < columns and 0 <= down < rows:
            x, y = (2 * across + 1) * width // (2 * columns), (2 * down + 1) * height // (2 * rows)
            x -= width - height if turned else 0  # the board is as wide as it is high
            return y * 3 // height * 3 + x * 3 // height if 0 <= x < height else None
        for key in range(9 if self.buttons else 0):
            left, top = self.button(key)
            if left <= column < left + BUTTON and top <= row < top + BUTTON:
                return key
        return None


class View(NamedTuple):
    """What the screen shows."""

    frame: Frame  # as a person sees it
    contrast: int = 255
    label: str = ""  # in the display's frame: "off", "unplugged"
    down: frozenset[int] = frozenset()  # the keys whose contacts are closed
    status: str = ""
    numpad: bool = False


def paint(frame: Frame, style: Style) -> list[str]:
    """Return a frame as lines of text, of the size that `style.size` gives."""
    pages = [frame.page(index) for index in range(frame.pages)]
    if style is not Style.BRAILLE:
        return [
            "".join(style.value[byte >> shift & 3] for byte in page)
            for page in pages
            for shift in (0, 2, 4, 6)
        ]
    blank = ord(style.value)
    return [
        "".join(
            chr(blank | _LEFT[left >> shift & 15] | _RIGHT[right >> shift & 15])
            for left, right in zip(page[::2], page[1::2], strict=True)
        )
        for page in pages
        for shift in (0, 4)
    ]


def colours(environment: Mapping[str, str]) -> Colours:
    """Return how many colours a terminal has, by TERM and COLORTERM; none where NO_COLOR is not empty."""
    term = environment.get("TERM", "")
    if environment.get("NO_COLOR") or term in {"", "dumb"} or term.startswith("vt"):
        return Colours.NONE
    many = "256" in term or "direct" in term or environment.get("COLORTERM") in {"truecolor", "24bit"}
    return Colours.MANY if many else Colours.FEW


def ink(count: Colours, contrast: int) -> str:
    """Return the escape sequence for lit pixels at a contrast of 0 to 255; "" without colours."""
    if count is Colours.MANY:
        greys = (60, 67, 103, 110, 146, 153, 189, 231)  # with a touch of blue, as an OLED has
        return f"\x1b[38;5;{greys[contrast * len(greys) // 256]};48;5;233m"
    if count is Colours.FEW:
        return "\x1b[" + ("2;37;40m", "37;40m", "1;37;40m")[contrast * 3 // 256]
    return ""


def arrange(columns: int, rows: int, pixels: tuple[int, int], styles: Sequence[Style]) -> Layout | str:
    """Return the layout in the first of these styles that fits the terminal, or a sentence that none does."""
    for style in styles:
        wide, high = (size + 2 for size in style.size(*pixels))  # with the frame
        if columns >= wide and rows >= high + BELOW:
            beside = BESIDE + 3 * BUTTON + 2
            top = (rows - high - BELOW) // 2
            if columns < wide + beside or high < 3 * BUTTON:
                return Layout(style, pixels, (columns - wide) // 2, top, None)
            left = (columns - wide - beside) // 2
            return Layout(style, pixels, left, top, (left + wide + BESIDE, top + (high - 3 * BUTTON) // 2))
    return f"too small: needs at least {wide}x{high + BELOW}, has {columns}x{rows}"


class _Canvas:
    """Lines of text to write on at any place; what does not fit is cut off."""

    def __init__(self, columns: int, rows: int) -> None:
        self._columns = columns
        self._pieces: list[list[tuple[int, str, str]]] = [[] for _ in range(rows)]

    def write(self, column: int, row: int, text: str, look: str = "") -> int:
        """Write `text` after the escape sequence `look`; return the column after it."""
        if 0 <= row < len(self._pieces):
            self._pieces[row].append((column, text[: max(0, self._columns - column)], look))
        return column + len(text)

    def lines(self) -> list[str]:
        """Return the lines; each clears the rest of its row."""
        return [self._line(sorted(pieces)) for pieces in self._pieces]

    def _line(self, pieces: list[tuple[int, str, str]]) -> str:
        line, end = "", 0
        for column, text, look in pieces:
            line += " " * (column - end) + (f"{look}{text}{RESET}" if look else text)
            end = column + len(text)
        return line if end >= self._columns else line + "\x1b[K"


def draw(layout: Layout | str, view: View, columns: int, rows: int, count: Colours) -> list[str]:
    """Return the lines of the whole terminal."""
    canvas = _Canvas(columns, rows)
    if isinstance(layout, str):
        for row, line in enumerate(textwrap.wrap(f"{layout}. Make the window larger; q quits.", columns)):
            canvas.write(0, row, line)
        return canvas.lines()
    _draw_display(canvas, layout, view, count)
    if layout.buttons is not None:
        _draw_buttons(canvas, layout, view)
    row = layout.top + layout.size[1] + 2
    for hints in HINTS:
        column = layout.left + 1
        for keys, meaning in hints:
            column = canvas.write(column, row, f"{keys} ".lstrip(), BOLD)
            column = canvas.write(column, row, meaning, DIM) + 3
        row += 1
    canvas.write(layout.left + 1, row, view.status)
    return canvas.lines()


def _draw_display(canvas: _Canvas, layout: Layout, view: View, count: Colours) -> None:
    across, down, corners = ("-", "|", "++++") if layout.style is Style.ASCII else ("─", "│", "╭╮╰╯")
    (wide, high), left, top = layout.size, layout.left, layout.top
    title, label = " tic-tac-toe ", f" {view.label} " if view.label else ""
    rule = across + title + across * (wide - 2 - len(title) - len(label)) + label + across
    canvas.write(left, top, corners[0] + rule + corners[1], DIM)
    shade = ink(count, view.contrast)
    for row, text in enumerate(paint(view.frame, layout.style), start=top + 1):
        canvas.write(left, row, down, DIM)
        canvas.write(left + 1, row, text, shade)
        canvas.write(left + 1 + wide, row, down, DIM)
    canvas.write(left, top + high + 1, corners[2] + across * wide + corners[3], DIM)


def _draw_buttons(canvas: _Canvas, layout: Layout, view: View) -> None:
    up, pressed = ("+-+|+-+", "#=#|#=#") if layout.style is Style.ASCII else ("╭─╮│╰─╯", "┏━┓┃┗━┛")
    for key in range(9):
        column, row = layout.button(key)
        shape, look = (pressed, REVERSE) if key in view.down else (up, "")
        canvas.write(column, row, shape[:3], look)
        canvas.write(column, row + 1, shape[3] + digit_of(key, numpad=view.numpad) + shape[3], look)
        canvas.write(column, row + 2, shape[4:], look)
