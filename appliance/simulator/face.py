"""The face of the box in a terminal: where the display, the buttons and the words stand, and what they say.

    the display in a frame, and beside it, where there is room, the nine buttons with their digits;
    below it what the keys do, and what is going on.

Pure: from the size of the terminal and what is to be seen, to lines of text.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from appliance.core.canvas import Frame
from appliance.simulator.habits import digit_of
from appliance.simulator.painter import Depth, Style, ink, paint

HINTS = (
    (("1-9, mouse", "press"), ("h5", "hold (menu)"), ("c19", "two at once"), ("q", "quit")),
    (("", "break it:"), ("u", "unplug"), ("s5", "stick"), ("b5", "chatter"), ("e9", "bus error")),
)
# On a terminal that tells when a key is let go.
HOLDING_HINTS = ((("1-9, mouse", "press, or hold: 5 for the menu"), ("q", "quit")), HINTS[1])

BESIDE = 2  # columns between the display and the buttons
BELOW = len(HINTS) + 1  # lines below the display

RESET, BOLD, DIM, REVERSE = "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[7m"


@dataclass(frozen=True, slots=True)
class Buttons:
    """The nine buttons: `wide` by three characters each, `gap` rows between them and one column."""

    wide: int
    gap: int
    left: int = 0  # of them all
    top: int = 0

    @property
    def size(self) -> tuple[int, int]:
        """The columns and rows that all of them take."""
        return 3 * self.wide + 2, 9 + 2 * self.gap

    def at(self, key: int) -> tuple[int, int]:
        """Return the column and the row of a button's top left."""
        return self.left + key % 3 * (self.wide + 1), self.top + key // 3 * (3 + self.gap)

    def key_at(self, column: int, row: int) -> int | None:
        """Return the button under a character."""
        for key in range(9):
            left, top = self.at(key)
            if left <= column < left + self.wide and top <= row < top + 3:
                return key
        return None


SIZES = (Buttons(wide=7, gap=1), Buttons(wide=3, gap=0))  # the largest first


@dataclass(frozen=True, slots=True)
class Face:
    """An arrangement: all in characters, counted from 0 at the terminal's top left."""

    columns: int  # of the terminal
    rows: int
    style: Style
    pixels: tuple[int, int]
    left: int  # of the display's frame
    top: int
    buttons: Buttons | None  # if there is room for them

    @property
    def size(self) -> tuple[int, int]:
        """The columns and rows that the display's picture takes."""
        return self.style.size(*self.pixels)

    def key_at(self, column: int, row: int, *, turned: bool) -> int | None:
        """Return the key under a character: of the display's board, or of the buttons; None for neither.

        `turned` says that the picture stands upside down, so that its board is at the right.
        """
        (wide, high), (width, height) = self.size, self.pixels
        across, down = column - self.left - 1, row - self.top - 1
        if not (0 <= across < wide and 0 <= down < high):
            return self.buttons.key_at(column, row) if self.buttons is not None else None
        # The board is as wide as it is high, and stands at the display's left.
        x, y = (2 * across + 1) * width // (2 * wide), (2 * down + 1) * height // (2 * high)
        x -= width - height if turned else 0
        return y * 3 // height * 3 + x * 3 // height if 0 <= x < height else None


@dataclass(frozen=True, slots=True)
class Look:
    """What is to be seen."""

    frame: Frame  # what a person sees on the display
    contrast: int = 255
    label: str = ""  # what is the matter with the display: "off", "unplugged"
    down: frozenset[int] = frozenset()  # keys whose contacts are closed
    status: str = ""
    numpad: bool = False
    tells_releases: bool = False


def needs(style: Style, pixels: tuple[int, int]) -> tuple[int, int]:
    """Return the columns and rows that a terminal must have."""
    columns, rows = style.size(*pixels)
    return columns + 2, rows + 2 + BELOW


def arrange(columns: int, rows: int, pixels: tuple[int, int], styles: Sequence[Style]) -> Face | str:
    """Return the arrangement in the first of these styles for which there is room, or say what is missing."""
    for style in styles:
        least = needs(style, pixels)
        if columns >= least[0] and rows >= least[1]:
            wide, high = (size + 2 for size in style.size(*pixels))  # with the frame
            left, top = (columns - wide) // 2, (rows - least[1]) // 2
            for buttons in SIZES:
                across, down = buttons.size
                if columns >= wide + BESIDE + across and high >= down:
                    left = (columns - wide - BESIDE - across) // 2
                    placed = replace(buttons, left=left + wide + BESIDE, top=top + (high - down) // 2)
                    return Face(columns, rows, style, pixels, left, top, placed)
            return Face(columns, rows, style, pixels, left, top, None)
    least = needs(styles[-1], pixels)
    return f"too small: needs at least {least[0]}x{least[1]}, has {columns}x{rows}"


class Sheet:
    """Lines of text that are written on in any place; what does not fit is cut off."""

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
            line += " " * (column - end)
            line += f"{look}{text}{RESET}" if look else text
            end = column + len(text)
        return line if end >= self._columns else line + "\x1b[K"


def draw(face: Face | str, look: Look, columns: int, rows: int, depth: Depth) -> list[str]:
    """Return the lines of the whole terminal."""
    sheet = Sheet(columns, rows)
    if isinstance(face, str):
        for row, words in enumerate(_wrap(f"{face}. Make the window larger; q quits.", columns)):
            sheet.write(0, row, words)
        return sheet.lines()
    _draw_display(sheet, face, look, depth)
    if face.buttons is not None:
        _draw_buttons(sheet, face.buttons, look, ascii_only=face.style is Style.ASCII)
    row = face.top + face.size[1] + 2
    for hints in HOLDING_HINTS if look.tells_releases else HINTS:
        column = face.left + 1
        for keys, meaning in hints:
            column = sheet.write(column, row, f"{keys} ".lstrip(), BOLD)
            column = sheet.write(column, row, meaning, DIM) + 3
        row += 1
    sheet.write(face.left + 1, row, look.status[: columns - face.left - 1])
    return sheet.lines()


def _draw_display(sheet: Sheet, face: Face, look: Look, depth: Depth) -> None:
    across, down, corners = ("-", "|", "++++") if face.style is Style.ASCII else ("─", "│", "╭╮╰╯")
    wide, high = face.size
    left, top = face.left, face.top
    title, label = " tic-tac-toe ", f" {look.label} " if look.label else ""
    rule = across + title + across * (wide - 2 - len(title) - len(label)) + label + across
    sheet.write(left, top, corners[0] + rule + corners[1], DIM)
    shade = ink(depth, look.contrast)
    for row, text in enumerate(paint(look.frame, face.style), start=top + 1):
        sheet.write(left, row, down, DIM)
        sheet.write(left + 1, row, text, shade)
        sheet.write(left + 1 + wide, row, down, DIM)
    sheet.write(left, top + high + 1, corners[2] + across * wide + corners[3], DIM)


def _draw_buttons(sheet: Sheet, buttons: Buttons, look: Look, *, ascii_only: bool) -> None:
    up, pressed = ("+-+||+-+", "#=#||#=#") if ascii_only else ("╭─╮││╰─╯", "┏━┓┃┃┗━┛")
    inner = buttons.wide - 2
    for key in range(9):
        column, row = buttons.at(key)
        shape, style = (pressed, REVERSE) if key in look.down else (up, "")
        sheet.write(column, row, shape[0] + inner * shape[1] + shape[2], style)
        sheet.write(
            column, row + 1, shape[3] + digit_of(key, numpad=look.numpad).center(inner) + shape[4], style
        )
        sheet.write(column, row + 2, shape[5] + inner * shape[6] + shape[7], style)


def _wrap(text: str, columns: int) -> list[str]:
    """Return the words of a text in lines of at most `columns`; a longer word is cut by the sheet."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) <= columns:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
