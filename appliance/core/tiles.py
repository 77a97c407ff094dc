"""One tile of the board or of the menu: what it holds and how it is marked, as a picture.

Every state shows in shapes: the last move by corners, an answer to a press by inversion, a mark about to
vanish by dots, a proposal by an outline.
"""

from functools import lru_cache

from appliance.core.art import Columns
from appliance.core.canvas import Canvas
from appliance.core.font import text_columns, tiny_columns
from appliance.core.icons import dotted, icon, outline, rows
from appliance.core.scene import Tile
from appliance.records import dataclass


@dataclass(frozen=True, slots=True)
class Grid:
    """The measures of the nine cells in pixels: cells of `cell` squared, `gap` apart, a line in each gap."""

    cell: int
    corner: int  # the length of a corner mark

    @property
    def pitch(self) -> int:
        """From one cell to the next."""
        return self.cell + 1

    @property
    def size(self) -> int:
        """The side of the whole board."""
        return 3 * self.cell + 2

    def at(self, index: int) -> tuple[int, int]:
        """Return the upper left pixel of a cell, counted from 0 in reading order."""
        return index % 3 * self.pitch, index // 3 * self.pitch

    def centre(self, index: int) -> tuple[int, int]:
        """Return the middle of a cell."""
        x, y = self.at(index)
        return x + self.cell // 2, y + self.cell // 2


LARGE_GRID = Grid(cell=20, corner=4)
SMALL_GRID = Grid(cell=9, corner=2)


def _symbol(tile: Tile, grid: Grid) -> Columns:
    """Return what stands in the middle of a tile; of a text, as much as a small cell has room for."""
    if tile.glyph.startswith("="):
        if grid is LARGE_GRID:
            return tuple(column >> 2 for column in text_columns(tile.glyph[1:], bold=True))
        return tiny_columns(tile.glyph[1:3])
    draw = outline if tile.outline else icon
    picture = draw(tile.glyph, large=grid is LARGE_GRID)
    return dotted(picture) if tile.fading else picture


@lru_cache(maxsize=256)  # nine to a frame, and most of them are those of the frame before
def picture(tile: Tile, grid: Grid) -> Columns:
    """Return a tile as it is shown, `grid.cell` pixels square."""
    cell = Canvas(grid.cell, grid.cell)
    large = grid is LARGE_GRID
    if tile.glyph:
        symbol = _symbol(tile, grid)
        cell.blit(symbol, (grid.cell - len(symbol) + 1) // 2, (grid.cell - rows(symbol) + 1) // 2)
    if tile.last:
        end = grid.cell - 1
        arm = grid.corner - 1
        for x, inward in ((0, arm), (end, -arm)):
            for y, down in ((0, arm), (end, -arm)):
                # First the dark rim that keeps a corner apart from a mark; a small icon has none to lose.
                for thick in (3, 1) if large or tile.glyph in {"x", "o"} else (1,):
                    cell.line(x, y, x + inward, y, thick=thick, on=thick == 1)
                    cell.line(x, y, x, y + down, thick=thick, on=thick == 1)
    if tile.inverse:
        cell.invert(0, 0, grid.cell, grid.cell)
    return cell.columns()
