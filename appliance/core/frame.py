"""A picture for the display: one bit a pixel, in the order in which the display's chip stores it."""

from appliance.records import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """An immutable 1-bit image.

    `data` is in the SSD1306's own order: pages of 8 rows from the top, in each page one byte a column from
    the left, in each byte the lowest bit uppermost. Its length is `width * height // 8`.
    """

    width: int
    height: int
    data: bytes

    def __post_init__(self) -> None:
        if self.height % 8 or len(self.data) != self.width * self.height // 8:
            raise ValueError(
                f"{len(self.data)} bytes are no {self.width}x{self.height} frame: "
                f"whole pages of 8 rows need {self.width * self.height // 8}"
            )

    @classmethod
    def blank(cls, width: int = 128, height: int = 64) -> "Frame":
        """Return a frame with every pixel dark."""
        return cls(width, height, bytes(width * height // 8))

    @property
    def pages(self) -> int:
        """The number of pages, 8 rows each."""
        return self.height // 8

    def page(self, index: int) -> bytes:
        """Return the bytes of one page, one a column."""
        return self.data[index * self.width : (index + 1) * self.width]

    def lowered(self, rows: int) -> "Frame":
        """Return the picture moved down by `rows`; what leaves at the bottom comes in at the top."""
        every = (1 << self.height) - 1
        columns = [int.from_bytes(self.data[x :: self.width], "little") for x in range(self.width)]
        moved = [(column << rows | column >> (self.height - rows)) & every for column in columns]
        pages = b"".join(column.to_bytes(self.pages, "little") for column in moved)
        return Frame(
            self.width, self.height, b"".join(pages[page :: self.pages] for page in range(self.pages))
        )

    def pixel(self, x: int, y: int) -> bool:
        """Return whether the pixel in column `x` from the left and row `y` from the top is lit."""
        return bool(self.data[(y // 8) * self.width + x] >> (y % 8) & 1)

    def rows(self) -> list[str]:
        """Return the picture as text, a string a row: `#` lit, `.` dark. For tests and for people."""
        return ["".join(".#"[self.pixel(x, y)] for x in range(self.width)) for y in range(self.height)]
