"""A panel over an emulated chip, and frames to show on it."""

from appliance.config.schema import DisplayConfig
from appliance.core.picture.canvas import Frame
from appliance.core.picture.scene import Light
from appliance.devices.panel import Panel
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import EMULATED

ON, OFF = Light(on=True, contrast=0x7F), Light(on=False)
MARK = [(page, column) for page in (1, 2, 3) for column in range(24, 39)]

INIT = "00 e3e3 d580 a83f d300 da12 2e 8d14 2000 d9f1 db20 a4 a6 40 a1 c8 817f"
INIT_SSD1309 = INIT.replace("8d14 ", "").replace("d9f1 db20", "d922 db34")
INIT_SH1106 = "00 e3e3 d580 a83f d300 da12 32 d922 db35 a4 a6 40 a1 c8 817f"


class PanelRig:
    """A panel, its bus and its chip, and a log of the transactions."""

    def __init__(self, driver="ssd1306", height=64, *, chip=None, **options):
        self.bus = SimulatedBus()
        self.chip = chip or EMULATED.get(driver, EMULATED["ssd1306"])(height)
        self.bus.attach(options.get("address", 0x3C), self.chip)
        self.time = 0.0  # measures how long the display's calls take
        self.panel = Panel(
            DisplayConfig(driver=driver, height=height, **options), lambda: self.bus, clock=lambda: self.time
        )
        self.log = []
        self.after = lambda: None
        self.bus.listener = self.listen

    def listen(self, _, payload):
        self.log.append(payload.hex())
        self.after()

    def watch(self):
        """Return a list that collects what the chip shows after each transaction."""
        pictures = []
        self.after = lambda: pictures.append(self.chip.picture())
        return pictures

    def sent(self):
        """Return what was sent since the last call."""
        log, self.log = self.log, []
        return log

    def serve(self, start, end, longest=1000):
        """Call `service` whenever it is due between two times; return the times of the calls."""
        times = []
        now = start
        for _ in range(longest):
            due = self.panel.due()
            if due is None or due > end:
                break
            now = max(now, due)
            times.append(now)
            self.panel.service(now)
        return times


def hexes(*lines):
    return [line.replace(" ", "") for line in lines]


def pattern(height=64):
    return Frame(
        128, height, bytes((x * 5 + page * 77 + 1) % 256 for page in range(height // 8) for x in range(128))
    )


def marked(frame, points=MARK):
    data = bytearray(frame.data)
    for page, column in points:
        data[page * frame.width + column] ^= 0x3C
    return Frame(frame.width, frame.height, bytes(data))


def turned(frame):
    return Frame(
        frame.width, frame.height, bytes(int(f"{byte:08b}"[::-1], 2) for byte in reversed(frame.data))
    )
