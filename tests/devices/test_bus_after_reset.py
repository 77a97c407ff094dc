"""The board is reset at any edge of a transfer while the display still waits for clocks."""

import errno
from types import SimpleNamespace

import pytest
from smbus2 import i2c_msg
from two_wires import CutOff, TwoWireBus, WiredChip

from appliance.devices.i2c import CLEARING, RESERVED_ADDRESS, I2cSerial, clear, open_smbus
from appliance.simulator.chips import EMULATED

NOPS = (0xE3, 0xE3)
# What the display sends, a status with ones in different places; or what is sent to it.
READS = [None, 0x00, 0x40, 0x43, 0x06, 0x46, 0xFF]
CONTROLLERS = pytest.mark.parametrize(
    "arbitrates", [pytest.param(False, id="does not look at SDA"), pytest.param(True, id="gives up")]
)


def boards(status, arbitrates):
    """Yield the bus after a reset at each edge of a transfer, with either line released first."""
    for cut_at in range(1000):
        for clock_first in (False, True):
            device = WiredChip(EMULATED["ssd1306"](64))
            device.chip.status = lambda: status
            bus = TwoWireBus(device, cut_at=cut_at)
            try:
                if status is None:
                    bus.i2c_rdwr(i2c_msg.write(device.address, [0x40, 0x00, 0xFF]))
                else:
                    bus.read_byte(device.address)
            except CutOff:
                bus.release(clock_first=clock_first)
                yield TwoWireBus(device, arbitrates=arbitrates)
            else:
                return


def first_command_arrives(bus):
    before = len(bus.device.taken)
    try:
        I2cSerial(lambda: bus, bus.device.address).command(*NOPS)
    except OSError:
        return False
    return bus.device.taken[before:] == [bytes([0, *NOPS])]


@CONTROLLERS
@pytest.mark.parametrize("status", READS)
def test_a_display_that_holds_sda_takes_the_first_command_after_the_bus_was_cleared(status, arbitrates):
    assert [first_command_arrives(bus) for bus in boards(status, arbitrates) if bus.stuck()].count(True) == 0
    stuck = 0
    for bus in boards(status, arbitrates):
        stuck += bus.stuck()
        clear(bus)
        assert not bus.stuck()
        assert bus.transactions < CLEARING
        assert first_command_arrives(bus)
    assert stuck >= 6


@CONTROLLERS
def test_a_free_bus_costs_one_address(arbitrates):
    bus = TwoWireBus(WiredChip(EMULATED["ssd1306"](64)), arbitrates=arbitrates)
    clear(bus)
    assert (bus.transactions, bus.device.taken) == (1, [])


@pytest.mark.parametrize(("funcs", "error", "tries"), [
    (0x1, errno.EAGAIN, CLEARING),  # a wire shorted to ground
    (0x4000000, errno.EOPNOTSUPP, 0),  # an adapter with SMBus only
])  # fmt: skip
def test_what_clocks_do_not_help_ends(funcs, error, tries):
    asked = []

    def i2c_rdwr(message):
        asked.append(message.addr)
        raise OSError(error, "no")

    clear(SimpleNamespace(funcs=funcs, i2c_rdwr=i2c_rdwr))
    assert asked == [RESERVED_ADDRESS] * tries


def test_a_dead_bus_holds_its_caller_up_for_one_transaction(monkeypatch):
    """SCL is held low, so each transaction takes the kernel's whole timeout."""
    calls = []

    def i2c_rdwr(_message):
        calls.append("transaction")
        raise TimeoutError(errno.ETIMEDOUT, "no")

    bus = SimpleNamespace(fd=7, funcs=0x1, i2c_rdwr=i2c_rdwr, close=lambda: calls.append("close"))
    monkeypatch.setattr("smbus2.SMBus", lambda _port: bus)
    monkeypatch.setattr("fcntl.ioctl", lambda *_: None)
    with pytest.raises(TimeoutError):
        I2cSerial(lambda: open_smbus(1), 0x3C).command(*NOPS)
    assert calls == ["transaction", "close"]
