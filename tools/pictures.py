"""Draw the pictures of README and docs: `pictures.py FOLDER` writes screens, a GIF, the box, trees, boards.

The box plays on a virtual clock with an emulated display; each picture is the memory of that display's chip.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from string import Template
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import engine
from appliance.config.schema import Config, DisplayConfig
from appliance.core.picture.canvas import Frame
from appliance.core.picture.icons import icon
from appliance.core.session.settings import Options, Settings
from appliance.core.words import LANGUAGES
from appliance.simulator.scenario import save_png, to_image
from appliance.simulator.virtual import VirtualBox

FILM = "game.gif"
# What the last line of a notebook's cell is.
NOTEBOOK = {
    "notebook-board": 'Board.parse("x.o / .x. / ...")',
    "notebook-line": 'Board.parse("xo. / xo. / x..")',
    "notebook-vanishing": "Vanishing().play(4).play(0).play(8).play(6).play(3).play(5)",
    "notebook-large": 'Board.parse("..... / .xo.. / ..xo. / .o.x. / .....", k=4)',
    "notebook-ultimate": "Ultimate().play(40).play(36).play(4).play(38).play(18)",
    "notebook-tree": "Tree(((2, 7), (1, 8)))",
}
GREY = "#808080"  # on a light page and on a dark one
FILM_STEP = 0.05  # virtual seconds between two samples of the display

Story = Callable[[VirtualBox], object]  # what happens before a picture is taken


def _play(*keys: int, wait: float = 0) -> Story:
    """Tap each key when it is the person's turn, until the game ends; then wait."""

    def story(box: VirtualBox) -> None:
        for key in keys:
            box.wait_until(lambda: box.phase in {"your_turn", "game_over"})
            if box.phase == "game_over":
                break
            box.tap(key - 1)
        box.wait_until(lambda: box.phase in {"your_turn", "game_over"})
        box.wait(wait)

    return story


def _boards(*keys: int) -> Story:
    """Tap each key of a game on nine boards when the next board stands."""

    def story(box: VirtualBox) -> None:
        for key in keys:
            box.wait_until(lambda: box.phase == "your_turn" and not box.session.slide)
            box.tap(key - 1)
            box.wait(0.2)
        box.wait(1)

    return story


def _menu(*keys: int) -> Story:
    def story(box: VirtualBox) -> None:
        box.tap(4, 1.1)
        for key in keys:
            box.wait(0.3)  # together with the rest, or a second tap of a key would be impatient
            box.tap(key - 1)
            box.wait(0.2)

    return story


def _visit_menu(box: VirtualBox) -> None:
    box.tap(4)
    _menu()(box)


def _hint(box: VirtualBox) -> None:
    _play(1)(box)
    _menu(3)(box)
    box.wait(0.9)


def _review(box: VirtualBox) -> None:
    _play(1, 2, 4, wait=LINE)(box)
    _menu(3)(box)
    box.wait(0.7)


def _line(box: VirtualBox) -> None:
    _play(2, 8, 1, wait=LINE)(box)
    _menu(3, 8, 8, 8)(box)


def _taken(box: VirtualBox) -> None:
    _play(1)(box)
    box.tap(0)


def _hold(box: VirtualBox) -> None:
    _play(wait=2)(box)
    box.hardware.network.press(4)
    box.wait(0.7)


def _named(box: VirtualBox) -> None:
    _menu()(box)
    box.press(8)


def _stuck(box: VirtualBox) -> None:
    _play(1)(box)
    box.hardware.network.stick(6)
    box.wait(31)


def _game(**settings: Any) -> Config:
    return Config(Settings(first="you")._replace(**settings))


YOU = _game()
PEOPLE = _game(players=2)
EXHIBIT = Config(YOU.settings, Options(exhibit=True, off=0.0))
# fmt: off
NINE_BOARDS = (4, 9, 9, 1, 3, 1, 8, 5, 6, 1, 4, 3, 8, 6, 8, 4, 6, 5, 5, 4, 1, 2, 4, 2, 5, 3, 3, 4, 5,
               2, 6, 9, 7, 3, 5)
# fmt: on
LINE = 1  # seconds until the line through a won row is drawn
SHOTS: dict[str, tuple[Config, Story]] = {
    "start": (YOU, _play(wait=0.4)),
    "game": (YOU, _play(1, 9)),
    "taken": (YOU, _taken),
    "hold": (YOU, _hold),
    "hint": (YOU, _hint),
    "review": (_game(level="perfect"), _review),
    "review-line": (_game(level="perfect"), _line),
    "coach": (_game(level="easy", coach=True), _play(4, 7, wait=1)),
    "you-win": (_game(level="easy"), _play(5, 1, 3, 7, 2, 4, 6, 8, 9, wait=LINE)),
    "box-wins": (_game(level="perfect"), _play(1, 2, 4, 6, 8, 7, 9, 3, wait=LINE)),
    "draw": (PEOPLE, _play(1, 2, 3, 5, 4, 6, 8, 7, 9, wait=LINE)),
    "two-people": (PEOPLE, _play(5, 1, 9)),
    "misere": (_game(rule="misere"), _play(wait=2)),
    "vanishing": (_game(players=2, rule="vanishing"), _play(1, 2, 3, 5, 8, 9)),
    "ultimate": (_game(players=2, rule="ultimate"), _boards(*NINE_BOARDS)),
    "ultimate-choice": (_game(players=2, rule="ultimate"), _boards(*NINE_BOARDS, 8)),
    "stuck": (YOU, _stuck),
    "menu": (YOU, _menu()),
    "menu-named": (YOU, _named),
    "menu-level": (YOU, _menu(4)),
    "menu-players": (YOU, _menu(6)),
    "menu-statistics": (YOU, _menu(7)),
    "menu-settings": (YOU, _menu(8)),
    "menu-language": (YOU, _menu(8, 7)),
    "menu-rule": (YOU, _menu(9)),
    "menu-confirm": (YOU, _menu(8, 8)),
    "exhibit": (EXHIBIT, lambda box: box.wait(24.5)),
    "exhibit-menu": (EXHIBIT, _visit_menu),
    "stopped": (YOU, VirtualBox.stop),
    "small": (Config(YOU.settings, display=DisplayConfig(height=32)), _play(1, 9)),
    **{f"game-{code}": (_game(language=code), _play(1, 9)) for code in LANGUAGES[1:]},
}


def take(config: Config, story: Story) -> Frame:
    """Return the picture after a story; every run gives the same."""
    box = VirtualBox(config)
    story(box)
    return box.hardware.chip.picture()


def film() -> list[tuple[Frame, float]]:
    """Return the frames of a whole game, each with its seconds on the display."""
    box = VirtualBox(_game(level="perfect"))
    changes = [(0.0, box.hardware.chip.picture())]

    def watch(seconds: float) -> None:
        end = box.time + seconds
        while box.time < end:
            box.wait(FILM_STEP)
            frame = box.hardware.chip.picture()
            if frame != changes[-1][1]:
                changes.append((box.time, frame))

    watch(1.5)
    for key in (1, 9, 4, 3, 8):
        box.hardware.network.press(key - 1)
        watch(0.1)
        box.hardware.network.release(key - 1)
        watch(1.5)
    watch(4.0)
    ends = [time for time, _ in changes[1:]] + [changes[-1][0] + 2.0]
    return [(frame, end - start) for (start, frame), end in zip(changes, ends, strict=True)]


def box(frame: Frame) -> str:
    """Return the box as SVG, with this picture on its 1.3 inch display."""
    lit = [(x, y) for y in range(frame.height) for x in range(frame.width) if frame.pixel(x, y)]
    drawing = Template((Path(__file__).parent / "box.svg").read_text())
    return drawing.substitute(pixels="".join(f"M{x},{y}h1v1h-1z" for x, y in lit))


def logo() -> Frame:
    """Return the box's icon in Raspberry Pi Imager."""
    middle = tuple(column << 4 for column in icon("logo", large=True))
    return Frame.of((0,) * 4 + middle + (0,) * (20 - len(middle)), 24)


def drawn(cell: str) -> str:
    """Return the picture of a notebook's cell. In a file it has no text around it to take the colour from."""
    names = {name: getattr(engine, name) for name in engine.__all__}
    return eval(cell, names)._repr_svg_().replace("currentColor", GREY)  # noqa: S307 - one of `NOTEBOOK`


def main(folder: Path) -> None:
    """Write all pictures, and the film as an endless GIF, to a folder."""
    (folder / "box.svg").write_text(box(take(*SHOTS["game"])))
    save_png(logo(), folder / "icon.png")
    for name, cell in NOTEBOOK.items():
        (folder / f"{name}.svg").write_text(drawn(cell))
    for name, shot in SHOTS.items():
        save_png(take(*shot), folder / f"{name}.png")
    images, seconds = zip(*((to_image(frame), seconds) for frame, seconds in film()), strict=True)
    milliseconds = [round(each * 100) * 10 for each in seconds]  # a GIF counts in 10 ms
    images[0].save(
        folder / FILM, "GIF", save_all=True, append_images=images[1:], duration=milliseconds, loop=0
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
