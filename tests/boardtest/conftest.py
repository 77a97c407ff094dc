"""A board for the hardware test: the kernel's chip with the keys, a clock, and the person."""

from types import SimpleNamespace

import pytest
from device_person import STEADY, PersonRig, used
from gpio_chip import Chip, Keys

from appliance.boardtest import gpio_chip
from appliance.boardtest.gpio_chip import GET_LINEINFO, LINEINFO, USED
from appliance.devices import kernelpins
from appliance.devices.pinout import CHIPINFO, CHIPINFO_SIZE
from appliance.simulator.switches import FloatingPin

CALL = 5e-6  # seconds of an ioctl


class Board(PersonRig):
    """What the person sees, and the stand-in. `holders`: GPIO number -> who holds it."""

    def __init__(self, chip, finger=STEADY, **options):
        self.chip_stand_in = chip
        self.time, self.calls, self.holders = 1.0, 0, {}
        self.label = "pinctrl-bcm2835"
        chip.now = lambda: self.time
        super().__init__(finger, devices=chip.path.parent, **options)

    def now(self):
        return self.time

    def elapse(self, seconds):
        self.time += seconds

    def usage(self):
        return used(self.calls, self)

    def close_contacts(self, keys):
        network = self.chip_stand_in.network
        for key in range(9):
            (network.press if keys >> key & 1 else network.release)(key)

    def ioctl(self, fd, number, data):
        self.calls += 1
        self.time += CALL
        if number == CHIPINFO:
            assert len(data) == CHIPINFO_SIZE
            return bytes(32) + self.label.encode().ljust(36, b"\0")
        if number == GET_LINEINFO:
            _, _, line, *_ = LINEINFO.unpack(data)
            holder = self.holders.get(line)
            return LINEINFO.pack(b"", (holder or "").encode(), line, 0, USED if holder is not None else 0)
        return self.chip_stand_in.ioctl(fd, number, data)


@pytest.fixture
def board(monkeypatch):
    def level(self, pin, of=Keys.level):
        try:
            return of(self, pin)
        except FloatingPin:  # the test asks what nobody promises
            return False

    monkeypatch.setattr(Keys, "level", level)
    with Chip.in_place() as chip:

        def make(finger=STEADY, **options):
            made = Board(chip, finger, **options)
            for module in (kernelpins, gpio_chip):
                monkeypatch.setattr(module, "fcntl", SimpleNamespace(ioctl=made.ioctl))
            return made

        yield make
