"""A simulated board for the device test: clock, bus, display, machine, and a person who does what is asked.

The display is `SecondChip`, which was written from the datasheets by another plan than the emulator and takes
what a real chip takes: also the commands of another one. The person judges what a person sees, by rules of
their own.
"""

import contextlib
import errno
import random
import re

from second_chip import SecondChip

from appliance.config.schema import Config, DisplayConfig
from appliance.devices.keypad import Keypad
from appliance.devicetest.chip import Chip
from appliance.devicetest.machine import Machine
from appliance.devicetest.rig import BoardRig
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.switches import SwitchNetwork

HEADING = re.compile(r"\n?\d+/\d+ Check \d+, (\w+),")
ALARM = "sys/class/hwmon/hwmon0/in0_lcrit_alarm"


class Module(SecondChip):
    """That chip on a module, as the simulated bus wants it."""

    def __init__(self, driver, height):
        self._noise = random.Random(7)
        super().__init__(driver, height, self._noise.randbytes(8 * 132))
        self.low = 8 if self.sino else 6
        self.deaf = False  # to all that it acknowledges
        self.needs_reset = False  # after its power has come: a pin that this module has not wired

    def write(self, payload, *, torn=False):
        if not self.deaf:
            super().write(payload)

    def power_off(self):
        self.registers["on"] = 0

    def power_on(self):
        self.reset(self._noise.randbytes(8 * 132))
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
        self.board.time += (1 + length) * 9 / (self.khz * 1000) + 0.0001
        self.board.look()
        return sent

    def read_byte(self, i2c_addr):
        value = self.reads(super().read_byte(i2c_addr))
        if value is None:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        return value


class FakeMachine(Machine):
    """A machine in a dictionary: files by path, commands by their words."""

    def __init__(self):
        super().__init__()
        self.files = {
            "sys/class/i2c-dev/i2c-1/name": "bcm2835 (i2c@7e804000)",
            "sys/class/hwmon/hwmon0/name": "rpi_volt", ALARM: "0",
        }  # fmt: skip
        self.commands = {}
        self.loaded = False
        self.weak = False  # the supply under load

    def text(self, path):
        if path == ALARM and self.weak and self.loaded:
            return "1"
        return self.files.get(path, "")

    def texts(self, pattern):
        expression = re.compile(pattern.replace("*", "[^/]*"))
        return {path: self.text(path) for path in self.files if expression.fullmatch(path)}

    def run(self, *words):
        answer = self.commands.get(words, "")
        return answer() if callable(answer) else answer

    @contextlib.contextmanager
    def busy(self):
        self.loaded = True
        yield 4
        self.loaded = False


class Board(BoardRig):
    """The board. `module` is the display that is really there; by default it is what the driver expects."""

    def __init__(self, driver="ssd1306", height=64, *, module=None, khz=400):
        display = DisplayConfig(driver=driver, height=height)
        super().__init__(Config(display=display), "/etc/tictactoe/config.yaml")
        self.time = 0.0
        self.module = module or Module(driver, height)
        self.bus = TimedBus(self, khz)
        self.bus.attach(display.address, self.module)
        self.network = SwitchNetwork(self.config.keypad.rows, self.config.keypad.columns)
        self.machine = FakeMachine()
        self.said = ""
        self.check = ""
        self.seen = []  # the states of the module since the last question
        self.judged = []  # those before it
        self.awaited = None  # a predicate: when the person answers, and how
        self.interference = lambda: None
        self.person = True
        self.plans = []

    # The machine's side

    def chip(self):
        return Chip(0, "pinctrl-bcm2835", ())

    def open_bus(self):
        return self.bus

    def now(self):
        return self.time

    def wait(self, seconds):
        self.time += seconds
        for plan in [plan for plan in self.plans if plan[0] <= self.time]:
            self.plans.remove(plan)
            plan[1]()
        self.look()

    @contextlib.contextmanager
    def keypad(self, *, parks=True):
        matrix = self.config.keypad
        keypad = Keypad(matrix.rows, matrix.columns, self.network.factory, parks=parks)
        try:
            yield keypad, ()
        finally:
            keypad.close()

    # The person's

    def look(self):
        if self.check in {"picture", "replug"}:
            sight = self.module.state()
            if not self.seen or self.seen[-1] != sight:
                self.seen.append(sight)

    def say(self, text):
        self.said += text
        if heading := HEADING.match(text):
            self.check = heading[1]
        self.judged, asked = self.seen, self.time
        if "?" in text and "button 1" in text:
            self.seen = []
            judged = list(self.judged)
            self.awaited = lambda: "ny"[self.judge(text, judged)] if self.time > asked + 1 else None
        elif "for three seconds" in text:
            self._unplug("VCC" in text, self.module.eye())
        elif "lamp" in text:
            self.plans.append((self.time + 1, self.interference))
            self.awaited = lambda: "" if self.time > asked + 2 else None

    def _unplug(self, power, before):
        out, back = self.time + 1, self.time + 4

        def unplug():
            self.bus.unplug() if power else setattr(self.bus, "unplugged", True)

        def plug():
            self.bus.plug() if power else setattr(self.bus, "unplugged", False)

        self.plans += [(out, unplug), (back, plug)]
        shown = self.module.eye
        self.awaited = lambda: "" if self.time > back + 0.1 and lit(shown()) and shown() != before else None

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
        if "brighter" in question:
            contrasts = [registers["contrast"] for _, registers, _ in seen]
            contrasts = contrasts[contrasts.index(min(contrasts)) :]
            return contrasts == sorted(contrasts) and contrasts[-1] - contrasts[0] > 200
        whole = [an_f(self.module.seen_in(state)) for state in seen]
        return True in whole and all(whole[whole.index(True) :])

    def typed(self):
        if self.person and self.awaited and (answer := self.awaited()) is not None:
            self.awaited = None
            return answer
        return None


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
