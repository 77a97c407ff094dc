"""From pictures to the panel: renders a picture and shows it, once for each different picture."""

from typing import Protocol

from appliance.core.canvas import Frame
from appliance.core.raster import free_rows, render
from appliance.core.scene import Light, Picture


class Glass(Protocol):
    """What shows frames: `devices.panel.Panel`."""

    problem: str

    def show(self, frame: Frame, light: Light, now: float) -> None:
        """Show a frame."""
        ...

    def turn(self, turned: bool, now: float) -> None:
        """Turn the picture by 180 degrees from how it is mounted, or not."""
        ...

    def service(self, now: float) -> None:
        """Do what is due."""
        ...

    def due(self) -> float | None:
        """Return when `service` wants to be called next."""
        ...

    def close(self) -> None:
        """Let the display go."""
        ...


class Screen:
    """The panel with a renderer in front of it."""

    def __init__(self, panel: Glass, width: int, height: int) -> None:
        self._panel = panel
        self._size = (width, height)
        self._picture: Picture | None = None
        self._frame = Frame.blank(width, height)
        self.frames = 0  # different pictures shown so far
        self.turn = panel.turn
        self.service = panel.service
        self.due = panel.due
        self.close = panel.close

    @property
    def problem(self) -> str:
        """Why the display shows nothing, in words; "" while it works."""
        return self._panel.problem

    @property
    def frame(self) -> Frame:
        """The frame that was shown last."""
        return self._frame

    def show(self, picture: Picture, now: float) -> None:
        """Show a picture; nothing is done for the one that is shown already."""
        if picture == self._picture:
            return
        right, down = picture.shift
        before = self._picture
        if before is None or (picture.scene, right) != (before.scene, before.shift[0]):
            self._frame = render(picture._replace(shift=(right, 0)), *self._size)
        self._picture = picture
        self.frames += 1
        # Down, the display's own register shifts the picture: nothing has to be sent again.
        lower = min(down, free_rows(self._size[1]))
        self._panel.show(self._frame, picture.light._replace(lower=lower), now)
