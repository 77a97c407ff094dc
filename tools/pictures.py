"""Draw the pictures that README shows: `pictures.py FOLDER` writes every screen, and one game as a GIF.

The box plays on a virtual clock over the emulated display; each picture is read from the chip's memory.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from appliance.config import Config, DisplayConfig
from appliance.core.canvas import Frame
from appliance.core.settings import Settings
from appliance.simulator.picture import save_png, to_image
from appliance.simulator.virtual import VirtualBox

FILM = "game.gif"
FILM_STEP = 0.05  # virtual seconds between two samples of the display

Story = Callable[[VirtualBox], object]


class Shot(NamedTuple):
    """A picture to take: a box with this configuration, after this story (keys count from 1)."""

    config: Config
    story: Story


def _play(box: VirtualBox, *keys: int) -> None:
    """Tap keys, each on a person's turn, until the game ends."""
    for key in keys:
        box.wait_until(lambda: box.phase in {"your_turn", "game_over"})
        if box.phase == "game_over":
            break
        box.tap(key - 1)
    box.wait_until(lambda: box.phase in {"your_turn", "game_over"})


def _finish(box: VirtualBox, *keys: int) -> None:
    """Play a game to its end, and let its line blink."""
    _play(box, *keys)
    box.wait(5)


def _menu(*keys: int) -> Story:
    def story(box: VirtualBox) -> None:
        box.tap(4, 1.1)
        for key in keys:
            box.tap(key - 1)
            box.wait(0.2)

    return story


def _hint(box: VirtualBox) -> None:
    _play(box, 1)
    _menu(3)(box)
    box.wait(0.9)


def _taken(box: VirtualBox) -> None:
    _play(box, 1)
    box.tap(0)


def _hold(box: VirtualBox) -> None:
    box.desk.network.press(4)
    box.wait(0.7)


def _stuck(box: VirtualBox) -> None:
    _play(box, 1)
    box.desk.network.stick(6)
    box.wait(31)


def _game(**settings: Any) -> Config:
    return Config(Settings(first="you")._replace(**settings))


def _speaking(language: str) -> Config:
    return Config(Settings(first="you", language=language))


YOU = _game()
PEOPLE = _game(players=2)
SHOTS: Mapping[str, Shot] = {
    "start": Shot(YOU, lambda _box: None),
    "game": Shot(YOU, lambda box: _play(box, 1, 9)),
    "taken": Shot(YOU, _taken),
    "hold": Shot(YOU, _hold),
    "hint": Shot(YOU, _hint),
    "you-win": Shot(_game(level="easy", rule="classic"), lambda box: _finish(box, 5, 1, 3, 7, 2, 4, 6, 8, 9)),
    "box-wins": Shot(YOU, lambda box: _finish(box, 1, 2, 4, 6, 8, 7, 9, 3)),
    "draw": Shot(PEOPLE, lambda box: _finish(box, 1, 2, 3, 5, 4, 6, 8, 7, 9)),
    "two-people": Shot(PEOPLE, lambda box: _play(box, 5, 1, 9)),
    "vanishing": Shot(_game(players=2, rule="vanishing"), lambda box: _play(box, 1, 2, 3, 5, 8, 9)),
    "stuck": Shot(YOU, _stuck),
    "menu": Shot(YOU, _menu()),
    "menu-level": Shot(YOU, _menu(4)),
    "menu-players": Shot(YOU, _menu(6)),
    "menu-statistics": Shot(YOU, _menu(7)),
    "menu-settings": Shot(YOU, _menu(8)),
    "menu-language": Shot(YOU, _menu(8, 7)),
    "menu-power": Shot(YOU, _menu(9)),
    "menu-confirm": Shot(YOU, _menu(9, 1)),
    "stopped": Shot(YOU, lambda box: box.stop()),
    "small": Shot(Config(YOU.settings, display=DisplayConfig(height=32)), lambda box: _play(box, 1, 9)),
    **{
        f"game-{language}": Shot(_speaking(language), lambda box: _play(box, 1, 9))
        for language in ("de", "fr", "es", "pl", "cs")
    },
}


def take(name: str) -> Frame:
    """Return the named picture; the same on every run."""
    shot = SHOTS[name]
    box = VirtualBox(shot.config)
    shot.story(box)
    return box.desk.chip.picture()


def film() -> Iterator[tuple[Frame, float]]:
    """Yield the frames of one whole game, each with its seconds on the display."""
    box = VirtualBox(YOU)
    before, since = box.desk.chip.picture(), 0.0

    def look(seconds: float) -> Iterator[tuple[Frame, float]]:
        nonlocal before, since
        end = box.time + seconds
        while box.time < end:
            box.wait(FILM_STEP)
            now = box.desk.chip.picture()
            if now != before:
                yield before, box.time - since
                before, since = now, box.time

    yield from look(1.0)
    for key in (1, 9, 4, 3, 8):
        cells = [cell for cell, mark in enumerate(box.session.board) if mark == "."]
        box.desk.network.press(cell := key - 1 if key - 1 in cells else cells[0])
        yield from look(0.1)
        box.desk.network.release(cell)
        yield from look(1.5)
    yield from look(4.0)
    yield before, 2.0


def save_film(path: Path) -> None:
    """Write the film as an endless GIF."""
    shown = list(film())
    images = [to_image(frame) for frame, _ in shown]
    hundredths = [round(seconds * 100) * 10 for _, seconds in shown]  # ms, in the steps of a GIF
    images[0].save(path, "GIF", save_all=True, append_images=images[1:], duration=hundredths, loop=0)


def main(folder: Path) -> None:
    """Write all pictures and the film into a folder."""
    for name in SHOTS:
        save_png(take(name), folder / f"{name}.png")
    save_film(folder / FILM)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
