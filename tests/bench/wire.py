"""One recorded game on the bus: what this project sends for its pictures, and what stock luma.oled sends."""

from luma.core.interface.serial import i2c
from luma.oled.device import ssd1306
from smbus2 import i2c_msg

from appliance.config.schema import Config
from appliance.core.session.settings import Settings
from appliance.devices.anyluma import to_image
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import Ssd1306
from appliance.simulator.virtual import VirtualBox
from engine import search


def measure():
    """Return what a game and each mark cost: bytes a picture, and transactions."""
    shown = play()
    theirs = stock(shown)
    return {
        "ours": [count for _, _, count, _ in shown],
        "stock": [count for count, _ in theirs],
        "transactions": {"ours": sum(row[3] for row in shown), "stock": sum(n for _, n in theirs)},
        "marks": marks(),
    }


def play():
    """Play a game with a menu visit; return (frame, light, bytes, transactions) for each picture."""
    box = VirtualBox(Config(Settings(level="perfect", first="you")))
    box.wait(1.0)
    panel, bus, shown = box.loop.parts.panel, box.hardware.bus, []
    send = panel.show_frame

    def show(frame, light, now):
        before = bus.bytes, bus.transactions
        send(frame, light, now)
        shown.append((frame, light, bus.bytes - before[0], bus.transactions - before[1]))

    panel.show_frame = show
    box.tap(4)
    box.wait(1.5)
    box.tap(4, 1.3)  # the menu
    box.wait(0.5)
    box.tap(4)  # and out of it
    box.wait(0.5)
    while box.phase == "your_turn":
        box.tap(search(box.session.match.game).move)
        box.wait(1.5)
    return shown


def stock(shown):
    """Show the same pictures through luma.oled's own driver; return (bytes, transactions) for each."""
    bus = SimulatedBus()
    bus.attach(0x3C, Ssd1306())
    serial = i2c(bus=bus)
    # As luma talks to a bus that it opened itself: pieces of up to 4 KB rather than of 32 bytes.
    serial._managed, serial._i2c_msg_write = True, i2c_msg.write
    device = ssd1306(serial)
    device.persist = True
    light, sent = None, []
    for frame, wanted, *_ in shown:
        before = bus.bytes, bus.transactions
        device.display(to_image(frame).convert(device.mode))
        if wanted != light:
            device.contrast(wanted.contrast)
            light = wanted
        sent.append((bus.bytes - before[0], bus.transactions - before[1]))
    return sent


def marks():
    """Return the bytes of each of nine marks with all that changes beside it, two people playing."""
    costs = []
    box = VirtualBox(Config(Settings(players=2, first="you")))
    for key in (0, 1, 2, 4, 3, 5, 7, 6, 8):
        box.wait(1.0)
        before = box.hardware.bus.bytes
        box.hardware.network.press(key)
        box.wait(0.05)
        costs.append(box.hardware.bus.bytes - before)
        box.hardware.network.release(key)
        box.wait(0.2)
    return costs
