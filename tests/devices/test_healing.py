"""How long a display stays wrong after a loss that no error reports: a whole box on its virtual clock.

The bus takes as long as at 100 kHz. Two decoders judge the picture, and must agree.
"""

import random
from statistics import median

import pytest
from effort import longer
from second_chip import SecondChip

from appliance.config.schema import Config, DisplayConfig
from appliance.core.picture.raster import free_rows, render
from appliance.core.session.settings import Options, Settings
from appliance.core.session.view import view
from appliance.devices.panel import PLAYING
from appliance.simulator.virtual import VirtualBox

READABLE, UNREADABLE = "readable", "unreadable"
DISPLAYS = [
    *(("ssd1306", 64, READABLE), ("ssd1306", 32, UNREADABLE)),
    *(("sh1106", 64, UNREADABLE), ("ssd1309", 64, READABLE)),
]
OTHERS = [(*display, {READABLE: UNREADABLE, UNREADABLE: READABLE}[status]) for *display, status in DISPLAYS]
BYTE = 9 / 100_000  # seconds on the bus
LONGEST = 90.0
# Losses, as commands that the driver did not send; None is a power-on.
LOSSES = {
    "everything": None,
    "memory": "",
    "display on": "ae",
    "contrast": "8100",
    "start line": "4d",
    "remap, direction": "a0 c0",
    "rows, offset, pins": "a80f d305 da22",
    "inverted, all lit": "a7 a5",
    "addressing": "2001 210506 220001",
    "charge pump": "8d10",
}
ONLY = {"charge pump": ("ssd1306",), "addressing": ("ssd1306", "ssd1309")}
STATES = {  # the options of the box, and seconds until it is in that state
    "in play": (Options(), 3.0),
    "pausing": (Options(dim=0, off=0), 3.0),
    "at rest": (Options(dim=0, off=0), 45.0),
    "dimmed": (Options(dim=5.0, off=0), 60.0),
    "attract": (Options(dim=5.0, off=0, attract=True), 60.0),
    "woken": (Options(dim=2.0, off=4.0), 6.0),
}
PAUSE = 15.0  # seconds since a press, after which a loss still counts as in play
BOUNDS = {"in play": 5.0, "pausing": 5.0, "at rest": 10.0, "dimmed": 10.0, "attract": 5.0, "woken": 0.25}
KEYS = (0, 8, 2, 6, 1, 3, 5, 7)


class Patient:
    """A box whose display sometimes loses something."""

    def __init__(self, driver, height, status, state, *, at_random):
        options, settle = STATES[state]
        display = DisplayConfig(driver=driver, height=height)
        self.rng = random.Random(f"{driver} {height} {status} {state}")
        self.box = VirtualBox(Config(Settings(level="perfect", first="you"), options, display=display))
        self.state, self.presses, self.at_random = state, 0, at_random
        bus, self.chip = self.box.hardware.bus, self.box.hardware.chip
        if status == UNREADABLE:
            self.chip.status = lambda: 0xFF  # nothing pulls the line down
        self.second = SecondChip(driver, height, bytes(self.chip._memory))
        self._carry, bus._carry = bus._carry, self.carry
        self._write, self.chip.write = self.chip.write, self.write
        self._seen = None
        self.lose(None)  # both start from the same power-on
        self.run(settle)
        self.tap()
        assert self.until_right() < LONGEST, "it never shows the picture"
        if state in {"at rest", "dimmed"}:
            self.run(PLAYING)

    def carry(self, address, length):
        self.box.time += (1 + length) * BYTE
        return self._carry(address, length)

    def write(self, payload, **torn):
        self._write(payload, **torn)
        self.second.write(payload)

    def run(self, seconds):
        """Let time pass, pressing keys if this is play."""
        end = self.box.time + seconds
        while self.state == "in play" and self.box.time < end:
            self.tap()
            self.box.wait(2.2)
        self.box.run_to(max(self.box.time, end))

    def tap(self, until=lambda: False):
        network, key = self.box.hardware.network, KEYS[self.presses % 8]
        self.presses += 1
        network.press(key)
        right = self.box.wait_until(until, 0.08)
        network.release(key)
        return right

    def lose(self, commands):
        """Lose something that no bus error reports."""
        if commands is None:
            self.chip.power_on()
            self.second.reset(bytes(self.chip._memory))
        elif commands:
            self.chip.write(b"\0" + bytes.fromhex(commands))
        else:
            self.chip._memory[:] = garbage = self.rng.randbytes(len(self.chip._memory))
            self.second.fill(garbage)
        self._seen = None

    def right(self):
        """Return whether the display shows what it should, and its registers are as they should be."""
        picture, moment = view(self.box.session), self.box.hardware.bus.bytes
        if (picture, moment) == self._seen:
            return False
        self._seen = picture, moment
        light, registers = picture.light, self.second.registers
        healthy = all(registers[name] == value for name, value in self.expected().items())
        if not (healthy and registers["contrast"] == light.contrast and light.on):
            return False
        frame = render(picture._replace(shift=(picture.shift[0], 0)), 128, self.chip.height)
        wanted = frame.lowered(min(picture.shift[1], free_rows(self.chip.height)))
        shown, eye = self.chip.picture(), self.second.eye()
        assert shown.rows() == eye, "the two decoders do not see the same"
        return shown == wanted

    def expected(self):
        same = {"on": 1, "remap": 1, "down": 1, "invert": 0, "all": 0, "shift": 0, "ratio": self.chip.height}
        same["pins"] = 0x12 if self.chip.height == 64 else 0x02
        return same | ({} if self.second.sino else {"mode": 0})

    def until_right(self):
        """Let time pass until the display is right; return how long that took, infinity for never."""
        start = self.box.time
        while self.box.time < start + LONGEST:
            if self.state == "in play":
                right = self.tap(self.right) or self.box.wait_until(self.right, 2.3)
            else:
                right = self.box.wait_until(self.right, LONGEST)
            if right:
                return self.box.time - start
        return float("inf")

    def seconds(self, loss):
        """Lose something; return for how long it is wrong, after sleep since the press.

        At the worst moment: just after everything was sent, or if `at_random` at any.
        """
        if self.state == "pausing":
            self.tap()
            self.run(PAUSE)
        if self.state != "woken":
            self.run(self.rng.uniform(0.0, 12.0) if self.at_random else 2.0)
            panel = self.box.loop.parts.panel
            sent = panel._complete_at
            if self.at_random:
                self.box.wait(self.rng.uniform(0.0, 2.0))
            else:
                assert self.box.wait_until(lambda: panel._complete_at != sent, LONGEST)
        else:
            self.box.wait_until(lambda: not self.chip.lit, LONGEST)
        self.lose(LOSSES[loss])
        if self.state == "woken":
            self.box.wait(self.rng.uniform(0.0, 60.0))
            pressed = self.box.time
            if self.tap(self.right):
                return self.box.time - pressed
        return self.until_right()


def losses_of(driver):
    """Return what a display of this driver can lose."""
    return [loss for loss in LOSSES if driver in ONLY.get(loss, (driver,))]


def measure(driver, height, status, *, at_random):
    """Return (loss, state) -> (median, longest) seconds until right, over two losses at random or one."""
    figures = {}
    for state in STATES:
        patient = Patient(driver, height, status, state, at_random=at_random)
        for loss in losses_of(driver):
            found = [patient.seconds(loss) for _ in range(1 + at_random)]
            figures[loss, state] = median(found), max(found)
    return figures


def table(figures):
    losses = dict.fromkeys(loss for loss, _ in figures)
    cells = {key: f"{half:.1f}/{most:.1f}" for key, (half, most) in figures.items()}
    lines = [["", *STATES], *([loss, *(cells[loss, state] for state in STATES)] for loss in losses)]
    return "\n".join(f"{first:18}" + "".join(f"{cell:>11}" for cell in rest) for first, *rest in lines)


@pytest.mark.parametrize("at_random", [False, *longer(True)])
@pytest.mark.parametrize(("driver", "height", "status"), [*DISPLAYS, *longer(*OTHERS)])
def test_what_was_lost_is_back_within_5_s_in_play_and_10_s_at_rest(driver, height, status, at_random):
    """`pytest -s` prints the table."""
    figures = measure(driver, height, status, at_random=at_random)
    title = f"{driver} 128x{height}, status {status}: seconds until right, median/longest"
    print(f"\n{title}\n{table(figures)}")  # noqa: T201
    assert {loss for loss, _ in figures} == set(losses_of(driver))
    assert not {key: most for key, (_, most) in figures.items() if most > BOUNDS[key[1]]}
