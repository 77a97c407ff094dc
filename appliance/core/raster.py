"""Scene to frame: marks and words become pixels. The same scene always gives the same bytes."""

from appliance.core.canvas import Canvas
from appliance.core.frame import Frame
from appliance.core.layout import Layout, Rect
from appliance.core.pages import put_page
from appliance.core.scene import BoardScene, Picture, Scene
from appliance.core.sides import put_side
from appliance.core.tiles import picture as tile_picture


def _laid_out(scene: Scene, width: int, height: int) -> Layout:
    layout = Layout(width, height)
    if isinstance(scene, BoardScene):
        for index, tile in enumerate(scene.tiles):
            layout.add(f"tile.{index}", *layout.grid.at(index), tile_picture(tile, layout.grid))
        put_side(layout, scene, layout.grid.size + (3 if layout.large else 5))
    else:
        put_page(layout, scene)
    return layout


def _draw_grid(canvas: Canvas, layout: Layout) -> None:
    grid = layout.grid
    for place in (grid.cell, grid.cell + grid.pitch):
        canvas.fill(place, 0, 1, grid.size)
        canvas.fill(0, place, grid.size, 1)


def _draw_strike(canvas: Canvas, layout: Layout, strike: tuple[int, int]) -> None:
    """Draw the line through a row of three; the marks under it stay whole."""
    grid = layout.grid
    (x0, y0), (x1, y1) = (grid.centre(index) for index in strike)
    reach = grid.cell * 2 // 5
    along = (x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)
    x0, y0, x1, y1 = (
        x0 - reach * along[0],
        y0 - reach * along[1],
        x1 + reach * along[0],
        y1 + reach * along[1],
    )
    canvas.line(x0, y0, x1, y1, thick=3 if layout.large else 1)


def render(picture: Picture, width: int = 128, height: int = 64) -> Frame:
    """Return the picture as a frame of `width` by `height` pixels; height is 32, or 64 and more.

    The light is none of its business: a display that is off keeps its picture. Raise `ValueError` for an
    icon that does not exist.
    """
    scene = picture.scene
    layout = _laid_out(scene, width, height)
    canvas = Canvas(width, height)
    if isinstance(scene, BoardScene):
        _draw_grid(canvas, layout)
    for item in layout.items:
        canvas.blit(item.picture, item.x, item.y)
    if isinstance(scene, BoardScene) and scene.strike:
        _draw_strike(canvas, layout, scene.strike)
    columns, rows = layout.drift
    canvas.shift(min(picture.shift[0], columns), min(picture.shift[1], rows))
    return canvas.frame()


def free_rows(height: int) -> int:
    """Return how many rows at the bottom no scene draws on, on a display of this height."""
    return Layout(0, height).drift[1]


def layout(scene: Scene, width: int = 128, height: int = 64) -> list[tuple[str, Rect]]:
    """Return where the parts of a scene stand without any drift: a name, and the rectangle of its ink."""
    return [(item.name, item.rect) for item in _laid_out(scene, width, height).items]


def left_out(scene: Scene, width: int = 128, height: int = 64) -> list[str]:
    """Return the names of the texts that had to be cut, or dropped, for want of room. None should be."""
    return _laid_out(scene, width, height).left_out
