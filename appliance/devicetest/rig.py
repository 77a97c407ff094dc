"""What the device test runs on: a board, its clock, and the person at it."""

import errno
import grp
import resource
import select
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import NamedTuple

from appliance.config.schema import Config
from appliance.core.errors import UserError
from appliance.core.picture.canvas import Frame
from appliance.core.picture.raster import render
from appliance.core.picture.scene import Light, Picture, Scene
from appliance.core.words import words
from appliance.devices.keypad import Keypad
from appliance.devices.panel import Panel
from appliance.devicetest.asking import Request, picture
from appliance.devicetest.chip import Chip, TracedFactory, TracedPin, read_chip
from appliance.devicetest.judge import CannotRunError
from appliance.devicetest.machine import Machine
from appliance.selftest.rig import Rig

DEVICES = Path("/dev")


class Usage(NamedTuple):
    """What this process has used so far: seconds of processor time, and how often it went to sleep."""

    seconds: float
    sleeps: int


class Pins(NamedTuple):
    """The keypad's pins, claimed."""

    rows: tuple[TracedPin, ...]
    columns: tuple[TracedPin, ...]


class BoardRig(Rig):
    """This machine, and the person at it: what they are asked for stands on the terminal and the display."""

    in_service = False  # whether this process has taken the service's place
    hurried = False  # whether a signal ended the test: systemd kills a service that takes two seconds more

    def __init__(self, config: Config, where: str, devices: Path = DEVICES) -> None:
        super().__init__(config, where)
        self.devices = devices
        self.machine = Machine()
        self._panel: Panel | None = None
        self._asked = Request("", "")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The BCM numbers of the keypad's lines, rows first."""
        return (*self.config.keypad.rows, *self.config.keypad.columns)

    def today(self) -> str:
        """Return the date. A box without a network has a wrong one, as its clock stops with it."""
        return date.today().isoformat()  # noqa: DTZ011 - the person's own

    # The pins

    def chip(self) -> Chip:
        """Return the header's chip. Raise as `read_chip` does."""
        return read_chip(self.numbers, self.devices)

    def access(self, chip: Chip) -> str:
        """Return the group of the chip's device, and what it may: "gpio rw"."""
        try:
            status = (self.devices / f"gpiochip{chip.number}").stat()
        except OSError:
            return "unknown"
        try:
            group = grp.getgrgid(status.st_gid).gr_name
        except KeyError:
            group = str(status.st_gid)
        return f"{group} {'r' * bool(status.st_mode & 0o040)}{'w' * bool(status.st_mode & 0o020)}"

    def open_factory(self) -> TracedFactory:
        """Return the factory of the pins: the kernel's, whichever the environment names."""
        return TracedFactory(self.chip().number, self.devices)

    @contextmanager
    def pins(self) -> Generator[Pins, None, None]:
        """Claim the keypad's pins, which start as they were left; release them at the end."""
        with self._factory() as factory:
            rows, columns = (
                tuple(factory.pin(number) for number in numbers)
                for numbers in (self.config.keypad.rows, self.config.keypad.columns)
            )
            yield Pins(rows, columns)

    @contextmanager
    def keypad(self, *, parks: bool = True) -> Generator[tuple[Keypad, tuple[TracedPin, ...]], None, None]:
        """Claim the pins as the game does, and yield its keypad and the columns' pins."""
        with self._factory() as factory:
            matrix = self.config.keypad
            keypad = Keypad(matrix.rows, matrix.columns, factory, parks=parks)
            try:
                yield keypad, tuple(factory.pin(number) for number in matrix.columns)
            finally:
                keypad.close()

    @contextmanager
    def _factory(self) -> Generator[TracedFactory, None, None]:
        factory = self.open_factory()
        try:
            yield factory
        except OSError as error:
            if error.errno == errno.EBUSY:
                raise CannotRunError(f"another program holds {error.filename}: see check 1") from error
            raise
        finally:
            for pin in factory.pins.values():
                with suppress(OSError):  # the others must be released, too
                    pin.close()
            factory.close()

    def block(self, keypad: Keypad, seconds: float) -> bool:
        """Wait while the keypad is parked; return whether an edge has ended that. At most so many seconds."""
        return keypad.wait(seconds)

    def usage(self) -> Usage:
        """Return what the process has used."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        return Usage(used.ru_utime + used.ru_stime, used.ru_nvcsw)

    # The person

    def ask(self, request: Request) -> None:
        """Ask the person for something; the same sentence again only updates how much is done."""
        if request == self._asked:
            return
        start = "\r" if request.text == self._asked.text else "\n"
        self.say(f"{start}    {request.text} {request.done} {request.now:<5}")
        self._asked = request
        self.show(picture(request, words(self.config.settings.language)))

    def show(self, scene: Scene) -> bool:
        """Show a scene on the display; return whether it has arrived there."""
        return self.flash(self.render(scene))

    def flash(self, frame: Frame) -> bool:
        """Show a frame that was rendered before, at no other cost than its bytes; return as `show` does."""
        panel = self.panel()
        if panel is None:
            return False
        panel.show_frame(frame, Light(), self.now())
        return panel.healthy

    def render(self, scene: Scene) -> Frame:
        """Return a scene's frame."""
        return render(Picture(scene), self.config.display.width, self.config.display.height)

    def panel(self) -> Panel | None:
        """Return the display, None if its driver cannot be loaded."""
        if self._panel is None:
            try:
                self._panel = Panel(self.config.display, self.open_bus, clock=self.now)
            except UserError:
                return None
        return self._panel

    def typed(self) -> str | None:
        """Return the line that the person has typed, None for none."""
        if not sys.stdin.isatty() or not select.select([sys.stdin], [], [], 0)[0]:
            return None
        return sys.stdin.readline().strip()

    def close(self) -> None:
        """Leave the display dark. May be called again."""
        if self._panel is not None:
            self._panel.show_frame(self._panel.frame, Light(on=False), self.now())
            self.forget()

    def forget(self) -> None:
        """Leave the display as it is; what is shown next is sent from scratch."""
        if self._panel is not None:
            self._panel.close()
            self._panel = None
