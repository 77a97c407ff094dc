"""The splash of the next start: draws it, and keeps it as ready-made bytes (`appliance.splash`)."""

import logging
from collections.abc import Sequence
from pathlib import Path

from appliance import splash
from appliance.config import CHIPS, DisplayConfig, possible_paths
from appliance.core.raster import render
from appliance.core.scene import Light, PageScene, Picture
from appliance.core.settings import Settings
from appliance.core.words import words
from appliance.devices.i2c import COMMANDS, DATA
from appliance.devices.panel import make_display

HOME = "/var/lib/tictactoe"  # of the service's user: systemd/tictactoe.sysusers

log = logging.getLogger("tictactoe")


class Tape:
    """A bus that only notes the transactions: the `serial` of a display."""

    def __init__(self) -> None:
        self.writes: list[bytes] = []

    def command(self, *command: int) -> None:
        """Note a transaction of commands."""
        self.writes.append(bytes([COMMANDS, *command]))

    def data(self, data: Sequence[int]) -> None:
        """Note a transaction of data."""
        self.writes.append(bytes([DATA]) + bytes(data))

    def cleanup(self) -> None:
        """Do nothing."""


def picture(settings: Settings) -> Picture:
    """Return what is shown while the box starts."""
    text = words(settings.language)
    scene = PageScene(text.game, (text.starting,), "logo")
    return Picture(scene, Light(contrast=settings.contrast))


def prepare(display: DisplayConfig, settings: Settings, stamps: dict[str, str]) -> splash.Splash | None:
    """Return the splash for a display; None for one that is not driven by bytes of ours."""
    return _prepare(display, settings, stamps) if display.driver in CHIPS else None


def _prepare(display: DisplayConfig, settings: Settings, stamps: dict[str, str]) -> splash.Splash:
    tape, shown = Tape(), picture(settings)
    device = make_display(display, tape)
    frame = render(shown, display.width, display.height)
    device.initialise(frame, shown.light, turned=settings.turned)
    return splash.Splash(f"/dev/i2c-{display.port}", display.address, tuple(tape.writes), stamps)


def shipped() -> bytes:
    """Return the file that comes with the program: for the default display, while nothing is configured."""
    files = possible_paths({"HOME": HOME})
    return _prepare(DisplayConfig(), Settings(), dict.fromkeys(map(str, files), splash.SILENT)).pack()


class NextSplash:
    """Keeps the file `splash` in a directory as the settings are.

    `files` are the configuration files that could be read, those that do not exist too. A directory of ""
    keeps nothing.
    """

    def __init__(self, where: str, display: DisplayConfig, files: Sequence[Path]) -> None:
        self._path = where and f"{where}/{splash.NAME}"
        self._display = display
        self._stamps = {str(file): splash.stamp(str(file)) for file in files}
        self._settings: Settings | None = None

    def keep(self, settings: Settings) -> None:
        """Write the file if it is to be another; called often, it mostly does nothing."""
        if settings is self._settings or not self._path:
            return
        before, self._settings = self._settings, settings
        if before is not None and _looks(before) == _looks(settings):
            return
        prepared = prepare(self._display, settings, self._stamps)
        try:
            if prepared is None:
                Path(self._path).unlink(missing_ok=True)
            else:
                _replace(self._path, prepared.pack())
        except OSError as error:  # a start without a splash is no fault
            log.debug("%s cannot be written: %s", self._path, error.strerror)


def _looks(settings: Settings) -> tuple[str, int, bool]:
    """Return what the splash shows of the settings."""
    return settings.language, settings.contrast, settings.turned


def _replace(path: str, content: bytes) -> None:
    """Write a file at once or not at all; a power cut may leave a torn one, which its checksum tells."""
    file = Path(path)
    if file.is_file() and file.read_bytes() == content:
        return
    fresh = file.with_name(f"{file.name}.new")
    fresh.write_bytes(content)
    fresh.replace(file)
