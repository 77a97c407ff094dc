"""A simulated board for the hardware test: bus, display, machine, and a person who judges what is shown.

The display is `SecondChip`, which was written from the datasheets by another plan than the emulator and takes
what a real chip takes: also the commands of another one. The person judges what a person sees, by rules of
their own.
"""

import errno
import io
import random
import re
from types import SimpleNamespace

from second_chip import SecondChip

from appliance.config.schema import CHIPS, Config, DisplayConfig
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.person import LOOKS, SimulatedRig
from appliance.simulator.switches import SwitchNetwork

NOISE = 16 * 132  # bytes of memory, more than any chip has
HEADING = re.compile(r"\n?\d+/\d+ Check \d+, (\w+),")


class Module(SecondChip):
    """That chip on a module, as the simulated bus wants it."""

    def __init__(self, driver, height):
        self._noise = random.Random(7)
        super().__init__(driver, height, self._noise.randbytes(NOISE))
        self.low = CHIPS[driver].ids[-1]
        self.deaf = False  # to all that it acknowledges
        self.needs_reset = False  # after its power has come: a pin that this module has not wired

    def write(self, payload, *, torn=False):
        if not self.deaf:
            super().write(payload)

    def power_off(self):
        self.registers["on"] = 0

    def power_on(self):
        self.reset(self._noise.randbytes(NOISE))
        self.deaf = self.needs_reset

    def state(self):
        return tuple(map(bytes, self.ram)), dict(self.registers), self.powered

    def seen_in(self, state):
        """Return what a person saw in such a state."""
        now = self.ram, self.registers, self.powered
        self.ram, self.registers, self.powered = state
        rows = self.eye()
        self.ram, self.registers, self.powered = now
        return rows

    def status(self):
        return self.low | (0 if self.registers["on"] else 0x40)


class TimedBus(SimulatedBus):
    """A bus that takes its time, at `khz`. Each fault is off until a test sets it."""

    def __init__(self, board, khz):
        super().__init__()
        self.board, self.khz = board, khz
        self.reads = lambda byte: byte  # what becomes of a byte that is read; None if nothing answers

    def _carry(self, address, length):
        sent = super()._carry(address, length)
        self.board.passed += (1 + length) * 9 / (self.khz * 1000) + 0.0001
        self.board.look()
        return sent

    def read_byte(self, i2c_addr):
        value = self.reads(super().read_byte(i2c_addr))
        if value is None:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        return value


class Board(SimulatedRig):
    """The board. `module` is the display that is really there; by default it is what the driver expects."""

    def __init__(self, driver="ssd1306", height=64, *, module=None, khz=400):
        config = Config(display=DisplayConfig(driver=driver, height=height))
        self.module = module or Module(driver, height)
        self.bus = TimedBus(self, khz)
        self.bus.attach(config.display.address, self.module)
        self.network = SwitchNetwork(config.keypad.rows, config.keypad.columns)
        self.looking = False  # whether the person watches the display
        self.at = []  # (when, the keys that fingers press from then on), whatever is asked
        stand_ins = SimpleNamespace(network=self.network, bus=self.bus)
        super().__init__(config, "/etc/tictactoe/config.yaml", stand_ins)
        self.out = io.StringIO()
        self.seen = []  # the states of the module since the last question
        self.interference = lambda: None
        self.person = True

    def now(self):
        return self.passed

    def elapse(self, seconds):
        super().elapse(seconds)
        while self.at and self.at[0][0] <= self.passed:
            self.close_keys(self.at.pop(0)[1])
        self.look()

    def say(self, text):
        super().say(text)
        if heading := HEADING.match(text):
            self.looking = heading[1] in {"picture", "replug"}

    def look(self):
        if not self.looking:
            return
        sight = self.module.state()
        if not self.seen or self.seen[-1] != sight:
            self.seen.append(sight)

    def present(self, prompt):
        self.judged = self.seen
        if prompt.question:
            self.seen = []
        super().present(prompt)

    def reply(self, prompt):
        if not self.person:
            return lambda: None
        asked, before = self.now(), self.module.eye()
        if prompt.question:
            said = "ny"[self.judge(prompt.word, self.judged)]
            return lambda: said if self.now() > asked + LOOKS else None
        if prompt.word == "do_lamp":
            self._plan = [(asked + 1, self.interference)]
            return lambda: "" if self.now() > asked + 2 else None
        if prompt.word != "do_replug":
            return lambda: None
        power, out, back = prompt.wire == "VCC", asked + 1, asked + 4
        self._plan = [
            (out, self.bus.unplug if power else lambda: setattr(self.bus, "unplugged", True)),
            (back, self.bus.plug if power else lambda: setattr(self.bus, "unplugged", False)),
        ]
        eye = self.module.eye
        return lambda: "" if self.now() > back + 0.1 and lit(eye()) and eye() == before else None

    def judge(self, question, seen):
        """Return what a person says who has seen these states."""
        last = self.module.seen_in(seen[-1]) if seen else []
        if "lit" in question:
            return not any("." in row for row in last)
        if "dark" in question:
            return not lit(last)
        if "frame" in question:
            return framed(last)
        if "upright" in question:
            return an_f(last)
        if "ramp" in question:
            contrasts = [registers["contrast"] for _, registers, _ in seen]
            contrasts = contrasts[contrasts.index(min(contrasts)) :]
            return contrasts == sorted(contrasts) and contrasts[-1] - contrasts[0] > 200
        whole = [an_f(self.module.seen_in(state)) for state in seen]
        return True in whole and all(whole[whole.index(True) :])


def lit(rows):
    return sum(row.count("#") for row in rows)


def framed(rows):
    inside = [row[1:-1] for row in rows[1:-1]]
    edges = rows[0] + rows[-1] + "".join(row[0] + row[-1] for row in rows)
    return "." not in edges and not lit(inside)


def an_f(rows):
    """Whether the lit pixels are an upright F at the top left: stem at the left, bar at the top."""
    if not lit(rows):
        return False
    ys = [y for y, row in enumerate(rows) if "#" in row]
    left = min(row.index("#") for row in rows if "#" in row)
    right = max(row.rindex("#") for row in rows if "#" in row)
    box = [row[left : right + 1] for row in rows[ys[0] : ys[-1] + 1]]
    stem, bar, foot = {row[0] for row in box}, box[0], box[-1]
    whole = len(box) == 28 and len(bar) == 32
    return whole and (left, ys[0]) == (2, 2) and stem == {"#"} and "." not in bar and foot.count("#") < 8
