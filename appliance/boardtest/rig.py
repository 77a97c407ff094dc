"""What the test runs on: a board with its clock, and the person at it."""

import errno
import select
import shutil
import sys
import textwrap
import time
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from appliance.boardtest.machine import HeaderChip, Machine
from appliance.boardtest.plan import CannotRunError
from appliance.boardtest.prompts import Prompt, question_picture
from appliance.config.pinuse import fit_header
from appliance.config.schema import Config
from appliance.core.errors import UserError
from appliance.core.picture.canvas import Frame
from appliance.core.picture.raster import render
from appliance.core.picture.scene import Light, Picture, Scene
from appliance.core.words import words
from appliance.devices.extras import open_sounder
from appliance.devices.i2c import open_smbus
from appliance.devices.keypad import Keypad
from appliance.devices.panel import Panel
from appliance.devices.pinout import board_name, make_factory
from appliance.devices.supply import read_alarm

DEVICES = Path("/dev")


class Usage(NamedTuple):
    """What this process has used so far: seconds of processor time, and how often it went to sleep."""

    seconds: float
    sleeps: int


class Pins(NamedTuple):
    """The keypad's pins, claimed: those of `appliance.boardtest.gpio_chip`."""

    rows: tuple[Any, ...]
    columns: tuple[Any, ...]


class Rig:
    """This machine, and the person at it: what they are asked for stands on the terminal and the display.

    Times are in seconds. `where` is the configuration file that remedies name.
    """

    def __init__(self, config: Config, where: str, devices: Path = DEVICES) -> None:
        self.config = config
        self.where = where
        self.out = sys.stdout
        self.devices = devices
        self.machine = Machine()
        self._fresh = True  # the terminal is at the start of a line
        self._panel: Panel | None = None
        self._asked = Prompt("", "")

    def now(self) -> float:
        """Return the time."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        time.sleep(seconds)

    def today(self) -> str:
        """Return the date. A box without a network has a wrong one, as its clock stops with it."""
        return date.today().isoformat()  # noqa: DTZ011 - the person's own

    def usage(self) -> Usage:
        """Return what the process has used."""
        import resource  # noqa: PLC0415 - missing on some systems that simulate

        used = resource.getrusage(resource.RUSAGE_SELF)
        return Usage(used.ru_utime + used.ru_stime, used.ru_nvcsw)

    def undervoltage(self) -> bool | None:
        """Return whether the supply was too low of late, None where nothing measures it."""
        return read_alarm()

    # The pins

    @property
    def numbers(self) -> tuple[int, ...]:
        """The BCM numbers of the keypad's lines, rows first."""
        return (*self.config.keypad.rows, *self.config.keypad.columns)

    def chip(self) -> HeaderChip:
        """Return the header's chip. Raise as `read_chip` does."""
        from appliance.boardtest.gpio_chip import read_chip  # noqa: PLC0415 - missing on some systems that simulate

        return read_chip(self.numbers, self.devices)

    def access(self, chip: HeaderChip) -> str:
        """Return the group of the chip's device, and what it may: "gpio rw"."""
        path = self.devices / f"gpiochip{chip.number}"
        try:
            mode, group = path.stat().st_mode, path.group()
        except OSError:
            return "unknown"
        except KeyError:  # a number without a name
            group = str(path.stat().st_gid)
        return f"{group} {'r' * bool(mode & 0o040)}{'w' * bool(mode & 0o020)}"

    def open_factory(self) -> Any:
        """Return the factory of the game's pins. Raise `UserError` if there is none, or if it lacks one."""
        fit_header(self.config, board_name())
        return make_factory()

    def open_traced(self) -> Any:
        """Return the factory of pins that are measured: the kernel's, whichever the environment names."""
        from appliance.boardtest.gpio_chip import TracedFactory  # noqa: PLC0415 - missing on some that simulate

        return TracedFactory(self.chip().number, self.devices)

    @contextmanager
    def game_keypad(self) -> Generator[Keypad, None, None]:
        """Claim the pins that the game plays on, and yield its keypad. The backend's errors propagate.

        It never parks: walk and answers need a scan every few milliseconds, even at rest.
        """
        factory = self.open_factory()
        try:
            keypad = Keypad(self.config.keypad.rows, self.config.keypad.columns, factory, parks=False)
            try:
                yield keypad
            finally:
                keypad.close()
        finally:
            factory.close()

    @contextmanager
    def pins(self) -> Generator[Pins, None, None]:
        """Claim the keypad's pins, which start as they were left; release them at the end."""
        with self._traced() as factory:
            rows, columns = (
                tuple(factory.pin(number) for number in numbers)
                for numbers in (self.config.keypad.rows, self.config.keypad.columns)
            )
            yield Pins(rows, columns)

    @contextmanager
    def keypad(self, *, parks: bool = True) -> Generator[tuple[Keypad, tuple[Any, ...]], None, None]:
        """Claim the pins as the game does, and yield its keypad and the columns' pins."""
        with self._traced() as factory:
            matrix = self.config.keypad
            keypad = Keypad(matrix.rows, matrix.columns, factory, parks=parks)
            try:
                yield keypad, tuple(factory.pin(number) for number in matrix.columns)
            finally:
                keypad.close()

    @contextmanager
    def _traced(self) -> Generator[Any, None, None]:
        factory = self.open_traced()
        try:
            yield factory
        except OSError as error:
            if error.errno == errno.EBUSY:
                raise CannotRunError(f"another program holds {error.filename}: see check 5") from error
            raise
        finally:
            for pin in factory.pins.values():
                with suppress(OSError):  # the others must be released, too
                    pin.close()
            factory.close()

    def block(self, keypad: Keypad, seconds: float) -> bool:
        """Wait while the keypad is parked; return whether an edge has ended that. At most so many seconds."""
        return keypad.wait(seconds)

    # The buzzer

    def play(self, signal: str) -> None:
        """Play a signal on the buzzer as the game does. Raise as `open_sounder` does, or if there is none."""
        if self.config.buzzer is None:
            raise CannotRunError("no buzzer is configured: sound.pin")
        pin, kind = self.config.buzzer, self.config.buzzer_kind
        with closing(self.open_factory()) as factory, closing(open_sounder(pin, kind, factory)) as sounder:
            sounder.play(signal, self.wait)

    # The display

    def open_bus(self) -> Any:
        """Open the display's bus. Raise `OSError` if that fails."""
        return open_smbus(self.config.display.port)

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
        self._asked = Prompt("", "")  # what the display shows next hides it
        return self._panel

    def forget(self) -> None:
        """Leave the display as it is; what is shown next is sent from scratch."""
        if self._panel is not None:
            self._panel.close()
            self._panel = None

    def close(self) -> None:
        """Leave the display dark. May be called again."""
        if self._panel is not None:
            self._panel.show_frame(self._panel.frame, Light(on=False), self.now())
            self.forget()

    # The person

    def say(self, text: str) -> None:
        """Print text as it is."""
        self.out.write(text)
        self.out.flush()
        self._fresh = text.endswith("\n") or (self._fresh and not text)

    def line(self, text: str, indent: int = 4) -> None:
        """Print text on lines of its own; where the terminal breaks one, its rest has this indent."""
        lines = (self._fitted(line, indent) for line in text.split("\n"))
        self.say("\n".join(("", *lines, "")[self._fresh :]))

    def _fitted(self, line: str, indent: int) -> str:
        """Return a line, wrapped at words for a terminal, which would break inside them."""
        if not self.out.isatty():
            return line
        width = shutil.get_terminal_size().columns - 1
        return textwrap.fill(line, width, subsequent_indent=" " * indent, break_on_hyphens=False)

    def ask(self, prompt: Prompt) -> None:
        """Ask the person for something; on a terminal, the same sentence again updates how much is done."""
        if prompt == self._asked:
            return
        again = prompt.text == self._asked.text
        if not again or self.out.isatty():  # a file keeps every line
            text = self._fitted(f"    {' '.join(filter(None, (prompt.text, prompt.done, prompt.now)))}", 4)
            self.say(("\r" if again else "\n") + text + " ")
        self.present(prompt)
        self._asked = prompt

    def present(self, prompt: Prompt) -> None:
        """Show on the display what the person is asked for."""
        self.show(question_picture(prompt, words(self.config.settings.language)))

    def typed(self) -> str | None:
        """Return the line that the person has typed, None for none."""
        if not sys.stdin.isatty() or not select.select([sys.stdin], [], [], 0)[0]:
            return None
        return sys.stdin.readline().strip()
