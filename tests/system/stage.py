"""The test's side of the stand-ins: what the display's chip shows after the bytes sent, and the fingers."""

import struct
import time
from random import Random

from machine import PATIENCE, wait_until
from session_rig import fresh

from appliance.config.schema import Config
from appliance.core.picture.raster import render
from appliance.core.session.settings import Settings
from appliance.core.session.state import HELLO_FRAMES, Phase
from appliance.core.session.view import view
from appliance.service.splash import picture
from appliance.simulator.chips import Ssd1306
from appliance.simulator.virtual import VirtualBox

RECORD = struct.Struct("=QIHH")  # see struct record in tests/chip/bus.h
ADDRESS = 0x3C


class Stage:
    """The directory that the test shares with the stand-ins in the service."""

    def __init__(self, directory):
        self.chip = Ssd1306(seed=Random().randrange(1000))
        self.at = 0.0  # the time of the last write, seconds of CLOCK_MONOTONIC
        self.pid = 0  # the process that made it
        self.denied = 0  # how often the bus hung, or a device could not be opened
        self._keys = directory / "keys"
        self._bus = directory / "bus"
        self._read = 0
        self._keys.write_bytes(bytes(12))
        self._bus.touch()
        for file in (directory, self._keys, self._bus):
            file.chmod(0o777)

    def press(self, *cells):
        """Close the keys of these cells, open all others."""
        self._poke(0, sum(1 << cell for cell in cells))

    def hang(self, pid):
        """Stop answering this process on the bus. Its number is the one in its container."""
        self._poke(4, pid)

    def _poke(self, offset, value):
        with self._keys.open("r+b") as file:
            file.seek(offset)
            file.write(struct.pack("=I", value))

    def rest(self):
        """Wait until the box has seen all keys up."""
        assert wait_until(lambda: struct.unpack("=I", self._keys.read_bytes()[8:])[0])

    def tap(self, cell, frame=None):
        """Press a key until the box shows this frame, or anything new, then release it.

        On the board that is a tap however long it takes: only the centre can be held.
        """
        before = self.catch_up()
        self.press(cell)
        if frame:
            self.wait_for(frame)
        else:
            assert wait_until(lambda: self.catch_up() != before)
        self.press()

    def wait_for_denial(self):
        """Wait until the bus hangs, or a device cannot be opened, once more."""
        self.catch_up()
        before = self.denied
        assert wait_until(lambda: self.catch_up() and self.denied > before)

    def step(self):
        """Give the chip the next write; return False if there is none."""
        with self._bus.open("rb") as file:
            file.seek(self._read)
            header = file.read(RECORD.size)
            if len(header) < RECORD.size:
                return False
            nanoseconds, pid, address, length = RECORD.unpack(header)
            payload = file.read(length)
        if len(payload) < length:
            return False
        self._read += RECORD.size + length
        if address == ADDRESS:
            self.chip.write(payload)
            self.at, self.pid = nanoseconds / 1e9, pid
        self.denied += not address
        return True

    def wait_for(self, frame):
        """Return the time at which the chip showed this frame."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if not self.step():
                time.sleep(0.005)
            elif self.chip.picture() == frame and self.chip.lit:
                return self.at
        shown = "\n".join(self.chip.picture().rows())
        raise AssertionError(f"not shown after {PATIENCE} s; shown is\n{shown}")

    def catch_up(self):
        """Give the chip all that has been written so far; return the picture."""
        while self.step():
            pass
        return self.chip.picture()

    def forget(self):
        """Reset the chip, as a power cut would."""
        self.catch_up()
        self.chip.power_on()


def play(machine, moves):
    """Tap the last of these moves, which is not the centre; return when its mark is shown and saved."""
    machine.stand.tap(moves[-1], expected(moves))
    # A turn of the box ends with its status, after the commit.
    status = f"your turn, board {fresh(moves, players=2).board}"
    assert wait_until(lambda: machine.show()["StatusText"] == status), machine.show()


def expected(moves):
    """Return the picture of a box with this game in progress."""
    return render(view(fresh(moves, players=2)))


def opening(moves=()):
    """Return the first board of a box that starts with this game in progress: it greets."""
    return render(view(fresh(moves, players=2)._replace(frames=HELLO_FRAMES, greets=True)))


def starting():
    """Return the picture of a box that starts: the splash of one that has run before."""
    return render(picture(Settings(players=2)))


def goodbye(kind="stop"):
    """Return the picture that a box leaves when it is stopped or switched off."""
    return render(view(fresh(players=2)._replace(phase=Phase.ENDED, goodbye=f"goodbye_{kind}")))


def played(moves):
    """Return the pictures that a box shows during a game, in this order."""
    box = VirtualBox(Config(Settings(players=2)))
    pictures, panel = [box.hardware.chip.picture()], box.loop.parts.panel
    show = panel.show_frame

    def note(frame, *rest):
        pictures.append(frame)
        show(frame, *rest)

    panel.show_frame = note
    box.wait(2)  # it greets
    for cell in moves:
        box.wait(1)
        box.tap(cell)
    box.wait(8)
    return pictures
