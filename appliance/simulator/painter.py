"""Frames as text: a display's pixels in the characters of a terminal, and how bright they look there.

Braille puts 2x4 pixels into a character, half-blocks 1x2. In both a pixel is about as wide as it is high,
because a terminal's characters are about twice as high as wide.
"""

from collections.abc import Mapping
from enum import Enum

from appliance.core.canvas import Frame

BRAILLE = 0x2800  # the character with no dot; each dot is a bit on top
# Braille dots by half a page: four pixels of the left column, or of the right one, the uppermost in bit 0.
# Dots are numbered down the left column, then down the right one; the fourth row came later: dots 7 and 8.
_LEFT = tuple(
    (n & 1) * 0x01 | (n >> 1 & 1) * 0x02 | (n >> 2 & 1) * 0x04 | (n >> 3 & 1) * 0x40 for n in range(16)
)
_RIGHT = tuple(
    (n & 1) * 0x08 | (n >> 1 & 1) * 0x10 | (n >> 2 & 1) * 0x20 | (n >> 3 & 1) * 0x80 for n in range(16)
)


_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def seen(frame: Frame, rotate: int) -> Frame:
    """Return what a person sees of the picture on a display that is mounted turned by 0 or 180 degrees."""
    if rotate == 0:
        return frame
    return Frame(frame.width, frame.height, frame.data[::-1].translate(_REVERSED))


class Style(Enum):
    """The characters that pixels are painted with."""

    BLOCKS = " ▀▄█"  # by the upper pixel (1) and the lower one (2)
    BRAILLE = ""
    ASCII = " '.:"

    def size(self, width: int, height: int) -> tuple[int, int]:
        """Return the columns and rows of text that a picture of `width` by `height` pixels takes."""
        return ((width + 1) // 2, height // 4) if self is Style.BRAILLE else (width, height // 2)


def paint(frame: Frame, style: Style) -> list[str]:
    """Return a frame as lines of text, all of the length that `style.size` gives."""
    paint_page = _braille_lines if style is Style.BRAILLE else _half_lines
    return [line for index in range(frame.pages) for line in paint_page(frame.page(index), style.value)]


def _braille_lines(page: bytes, _characters: str) -> list[str]:
    if len(page) % 2:
        page += b"\0"
    pairs = tuple(zip(page[::2], page[1::2], strict=True))
    return [
        "".join(
            chr(BRAILLE | _LEFT[left >> shift & 15] | _RIGHT[right >> shift & 15]) for left, right in pairs
        )
        for shift in (0, 4)
    ]


def _half_lines(page: bytes, characters: str) -> list[str]:
    return ["".join(characters[column >> shift & 3] for column in page) for shift in (0, 2, 4, 6)]


class Depth(Enum):
    """How many colours a terminal has."""

    NONE = 0
    FEW = 8
    MANY = 256
    TRUE = 1 << 24


def depth(environment: Mapping[str, str]) -> Depth:
    """Return how many colours a terminal has, by TERM and COLORTERM; none where NO_COLOR is not empty."""
    term = environment.get("TERM", "")
    if environment.get("NO_COLOR") or term in {"", "dumb"} or term.startswith("vt"):
        return Depth.NONE
    if environment.get("COLORTERM") in {"truecolor", "24bit"}:
        return Depth.TRUE
    return Depth.MANY if "256" in term or "direct" in term else Depth.FEW


GLASS = (8, 12, 20)  # what a dark display looks like, as red, green and blue
LIT = (226, 240, 255)  # a pixel at full contrast
DIMMEST = 0.3  # of that, at contrast 0: an OLED at its lowest contrast is still easy to read
# The same, from the dimmest to the brightest, in the 256 colours: greys with a touch of blue.
_MANY = (60, 67, 103, 110, 146, 153, 189, 231)


def ink(depth: Depth, contrast: int) -> str:
    """Return the escape sequence for pixels at a contrast of 0 to 255 on dark glass; "" without colours.

    Where there are few colours, the weakest and the strongest third are told by the intensity.
    """
    if depth is Depth.TRUE:
        share = DIMMEST + (1 - DIMMEST) * contrast / 255
        red, green, blue = (round(dark + (lit - dark) * share) for dark, lit in zip(GLASS, LIT, strict=True))
        return f"\x1b[38;2;{red};{green};{blue}m\x1b[48;2;{GLASS[0]};{GLASS[1]};{GLASS[2]}m"
    if depth is Depth.MANY:
        return f"\x1b[38;5;{_MANY[contrast * len(_MANY) // 256]};48;5;233m"
    if depth is Depth.FEW:
        return "\x1b[" + ("2;37;40m", "37;40m", "1;37;40m")[contrast * 3 // 256]
    return ""
