"""The device test in the service's place: no terminal, and systemd's watchdog to feed."""

import os
import time

from appliance.config.schema import Config
from appliance.core.picture.canvas import Frame
from appliance.core.picture.scene import BoardScene, Scene, Tile
from appliance.devices.panel import Panel
from appliance.devices.systemd import TESTING, Notifier
from appliance.devicetest.chip import Chip
from appliance.devicetest.rig import BoardRig

FEED = 1.0  # seconds between two messages to the watchdog


class BoxRig(BoardRig):
    """The board of a box that nobody can log in to.

    `turned`: it stands upside down, so the picture is turned, and key 1 is where the person sees 9.
    """

    in_service = True

    def __init__(self, config: Config, where: str, notifier: Notifier, *, turned: bool) -> None:
        super().__init__(config, where)
        self._notifier = notifier
        self._turned = turned
        self._fed = 0.0

    def now(self) -> float:
        """Return the time. Whoever asks for it makes progress, so the watchdog is fed."""
        now = time.monotonic()
        if now >= self._fed + FEED:
            self._fed = now
            self._notifier.alive(TESTING)
        return now

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now()
        super().wait(seconds)

    def typed(self) -> None:
        """Return None: there is no terminal."""

    def access(self, chip: Chip) -> str:
        """Return what this user may. In the service's sandbox the device's group shows as nobody's."""
        allowed = os.access(self.devices / f"gpiochip{chip.number}", os.R_OK | os.W_OK)
        return "gpio rw" if allowed else "none"

    def panel(self) -> Panel | None:
        """Return the display."""
        panel = super().panel()
        if panel is not None and self._turned:
            panel.turn(turned=True, now=self.now())
        return panel

    def render(self, scene: Scene) -> Frame:
        """Return a scene's frame, each button of a board where the person sees it."""
        if self._turned and isinstance(scene, BoardScene):
            scene = scene._replace(tiles=tuple(map(_turned, scene.tiles[::-1])))
        return super().render(scene)


def _turned(tile: Tile) -> Tile:
    """Return a tile that names a button as it is named by a person who sees the box upside down."""
    number = tile.glyph.removeprefix("=")
    return tile._replace(glyph=f"={10 - int(number)}") if number.isdecimal() else tile
