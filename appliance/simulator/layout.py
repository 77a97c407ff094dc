"""The simulator's screen as text: the display in a frame, the nine buttons beside it, hints and status below.

Pure: from what the chip shows and the terminal's size to lines of text. A character is 2x4 pixels in braille,
1x2 in half-blocks. Either way a pixel is about square, since characters are twice as high as wide.
A small console without braille shows the picture at half size, with its words as text: they are illegible at
that size.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from appliance.core.picture.canvas import Frame
from appliance.simulator.input_state import DIGITS

KEY_HINTS = (
    (("1-9, mouse", "press"), ("h5", "hold (menu)"), ("c19", "two at once"), ("q", "quit")),
    (("", "break it:"), ("u", "unplug"), ("s5", "stick"), ("e9", "bus error")),
)
BELOW = len(KEY_HINTS) + 1  # lines below the display
CAPTION = 2  # lines for the words of a half-size picture
BESIDE = 2  # columns between the display and the buttons
BUTTON = 3  # columns and rows of a button's box; an empty column separates two
BUTTONS = 3 * BUTTON + 2, 3 * BUTTON

RESET, BOLD, DIM, REVERSE = "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[7m"


def _dots(*bits: int) -> tuple[int, ...]:
    """Return the braille dots for each combination of a column's four pixels, the top one in bit 0."""
    return tuple(sum(dot for n, dot in enumerate(bits) if pixels >> n & 1) for pixels in range(16))


# Braille counts dots 1 to 3 down the left column and 4 to 6 down the right; the fourth row is 7 and 8.
_LEFT, _RIGHT = _dots(0x01, 0x02, 0x04, 0x40), _dots(0x08, 0x10, 0x20, 0x80)


class Style(Enum):
    """The characters that pixels are drawn as."""

    BLOCKS = " ▀▄█"  # indexed by the upper pixel (1) plus the lower one (2)
    BRAILLE = "\u2800"  # the blank pattern

    def size(self, width: int, height: int) -> tuple[int, int]:
        """Return the columns and rows of text for `width` x `height` pixels, both even."""
        return (width // 2, height // 4) if self is Style.BRAILLE else (width, height // 2)


class Screen(NamedTuple):
    """Where things are, in characters from the terminal's top left, counted from 0."""

    style: Style
    pixels: tuple[int, int]
    left: int  # of the display's frame
    top: int
    beside: bool  # there is room for the buttons
    half: bool = False  # the picture has half its width and height

    @property
    def size(self) -> tuple[int, int]:
        """The columns and rows of the display's picture."""
        width, height = self.pixels
        return self.style.size(width >> self.half, height >> self.half)

    def button(self, key: int) -> tuple[int, int]:
        """Return the column and row of a button's top left corner."""
        wide, high = self.size
        left, top = self.left + wide + 2 + BESIDE, self.top + (high + 2 - BUTTONS[1]) // 2
        return left + key % 3 * (BUTTON + 1), top + key // 3 * BUTTON

    def key_at(self, column: int, row: int, *, turned: bool) -> int | None:
        """Return the key whose cell on the display or whose button is at a character, None if there is none.

        `turned`: the box shows its picture upside down, so the board is at the display's right.
        """
        (columns, rows), (width, height) = self.size, self.pixels
        across, down = column - self.left - 1, row - self.top - 1
        if 0 <= across < columns and 0 <= down < rows:
            x, y = (2 * across + 1) * width // (2 * columns), (2 * down + 1) * height // (2 * rows)
            x -= width - height if turned else 0  # the board is as wide as it is high
            return y * 3 // height * 3 + x * 3 // height if 0 <= x < height else None
        for key in range(9 if self.beside else 0):
            left, top = self.button(key)
            if left <= column < left + BUTTON and top <= row < top + BUTTON:
                return key
        return None


class View(NamedTuple):
    """What the screen shows."""

    frame: Frame  # as a person sees it
    contrast: int = 255
    title: str = "tic-tac-toe"  # in the display's frame
    label: str = ""  # in the display's frame: "off", "unplugged"
    lamp: bool | None = None  # None: the box has none
    down: frozenset[int] = frozenset()  # the keys whose contacts are closed
    status: str = ""
    words: str = ""  # the picture's words, for one at half size


def paint(frame: Frame, style: Style) -> list[str]:
    """Return a frame as lines of text, sized as `style.size` says."""
    pages = frame.pages
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


def inks(environment: Mapping[str, str]) -> Sequence[str]:
    """Return the escape sequences for lit pixels, from dim to bright, that the terminal supports.

    TERM and COLORTERM decide; if NO_COLOR is set, return a single empty sequence.
    """
    term = environment.get("TERM", "")
    if environment.get("NO_COLOR") or term in {"", "dumb"} or term.startswith("vt"):
        return ("",)
    if "256" in term or "direct" in term or environment.get("COLORTERM") in {"truecolor", "24bit"}:
        greys = (60, 67, 103, 110, 146, 153, 189, 231)  # with a touch of blue, like an OLED
        return [f"\x1b[38;5;{grey};48;5;233m" for grey in greys]
    return "\x1b[2;37;40m", "\x1b[37;40m", "\x1b[1;37;40m"


def arrange(columns: int, rows: int, pixels: tuple[int, int], styles: Sequence[Style]) -> Screen | str:
    """Return the layout in the first style that fits the terminal, or a sentence saying that none does."""
    halves = () if Style.BRAILLE in styles else styles
    for style, half in [*((style, False) for style in styles), *((style, True) for style in halves)]:
        wide, high = (size + 2 for size in Screen(style, pixels, 0, 0, False, half).size)  # with the frame
        below = BELOW + CAPTION * half
        if columns >= wide and rows >= high + below:
            both = wide + BESIDE + BUTTONS[0]
            beside = columns >= both and high >= BUTTONS[1]
            left = (columns - (both if beside else wide)) // 2
            return Screen(style, pixels, left, (rows - high - below) // 2, beside, half)
    return f"too small: needs at least {wide}x{high + below}, has {columns}x{rows}, or use --words"


def _halved(frame: Frame) -> Frame:
    """Return a picture at half width and height; a pixel is lit if any of its four is."""
    columns = [int.from_bytes(frame.data[x :: frame.width], "little") for x in range(frame.width)]
    pairs = [left | right for left, right in zip(columns[::2], columns[1::2], strict=True)]
    # Keep the even bits: in binary notation, highest first, every second digit.
    halves = [int(f"{pair | pair >> 1:0{frame.height}b}"[1::2], 2) for pair in pairs]
    return Frame.of(halves, frame.height // 2)


def draw(layout: Screen | str, view: View, columns: int, rows: int, shades: Sequence[str]) -> list[str]:
    """Return the terminal's lines. `shades` comes from `inks`."""
    if isinstance(layout, str):
        lines = textwrap.wrap(f"{layout}. Make the window larger; q quits.", columns)
    else:
        margin = " " * layout.left
        lines = [""] * layout.top
        lines += [
            margin + line for line in _display(layout, view, shades[view.contrast * len(shades) // 256])
        ]
        if layout.beside:
            for row, line in enumerate(_buttons(view), start=layout.button(0)[1]):
                lines[row] += " " * BESIDE + line
        wide = columns - layout.left - 1
        if layout.half:
            said = textwrap.wrap(view.words, wide, max_lines=CAPTION, placeholder=" ...")
            lines += [f"{margin} {line}" for line in (said + [""] * CAPTION)[:CAPTION]]
        room = rows - len(lines)
        notes = textwrap.wrap(view.status, wide, max_lines=room, placeholder=" ...")
        for hints in KEY_HINTS[: room - len(notes)]:
            words = [
                (f"{BOLD}{keys}{RESET} " if keys else "") + f"{DIM}{what}{RESET}" for keys, what in hints
            ]
            lines.append(f"{margin} " + "   ".join(words))
        lines += [f"{margin} {line}" for line in notes]
    return (lines + [""] * rows)[:rows]


def _display(layout: Screen, view: View, ink: str) -> Iterator[str]:
    """Yield the lines of the display in its frame."""
    wide, _ = layout.size
    label = f" {view.label} " if view.label else ""
    title = f" {view.title} "[: wide - 2 - len(label)]
    rule = f"─{title}{'─' * (wide - 2 - len(title) - len(label))}{label}─"
    yield f"{DIM}╭{rule}╮{RESET}"
    edge = f"{DIM}│{RESET}"
    for text in paint(_halved(view.frame) if layout.half else view.frame, layout.style):
        yield f"{edge}{ink}{text}{RESET}{edge}"
    lamp = "" if view.lamp is None else f" lamp ({'*' if view.lamp else ' '}) "
    yield f"{DIM}╰{'─' * (wide - 1 - len(lamp))}{lamp}─╯{RESET}"


def _buttons(view: View) -> Iterator[str]:
    """Yield the lines of the nine buttons."""
    for first in (0, 3, 6):
        boxes = []
        for key in range(first, first + 3):
            shape, look = ("┏━┓┃┗━┛", REVERSE) if key in view.down else ("╭─╮│╰─╯", "")
            lines = shape[:3], shape[3] + DIGITS[key] + shape[3], shape[4:]
            boxes.append([f"{look}{line}{RESET}" for line in lines])
        yield from map(" ".join, zip(*boxes, strict=True))
