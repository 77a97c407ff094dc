"""The simulated bus, and the serial that uses it: bytes, transactions, faults."""

import errno

import pytest
from smbus2 import SMBus, i2c_msg

from appliance.devices.i2c import I2cSerial
from appliance.simulator.bus import SMBUS_BLOCKS, SimulatedBus

ZERO = i2c_msg.write(0x3C, [0x00])


class Recorder:
    """A chip that records what happens to it."""

    def __init__(self):
        self.received = []

    def write(self, payload, *, torn=False):
        self.received.append((payload.hex(), "torn") if torn else payload.hex())

    def status(self):
        return 0x46

    def power_on(self):
        self.received.append("on")

    def power_off(self):
        self.received.append("off")


@pytest.fixture
def chip():
    return Recorder()


@pytest.fixture
def bus(chip):
    bus = SimulatedBus()
    bus.attach(0x3C, chip)
    return bus


def test_every_message_is_counted_with_its_address_byte(bus, chip):
    bus.write_i2c_block_data(0x3C, 0x00, [0xAE, 0xAF])
    bus.i2c_rdwr(i2c_msg.write(0x3C, b"\x40" + bytes(100)))
    bus.write_quick(0x3C)
    assert (bus.bytes, bus.transactions) == (4 + 102 + 1, 3)
    assert chip.received == ["00aeaf", "40" + "00" * 100]
    answer = i2c_msg.read(0x3C, 2)
    bus.i2c_rdwr(i2c_msg.write(0x3C, [0x00]), answer)
    assert (bytes(answer), bus.bytes, bus.transactions) == (b"\x46\x46", 107 + 2 + 3, 5)


def test_the_stand_in_has_the_functions_and_limits_of_the_real_thing(bus):
    bus.write_i2c_block_data(0x3C, 0x40, bytes(32))
    with pytest.raises(ValueError, match="32"):
        bus.write_i2c_block_data(0x3C, 0x40, bytes(33))
    ours = {name for name in vars(SimulatedBus) if name.startswith(("write", "read", "i2c"))}
    assert ours <= set(dir(SMBus))
    assert isinstance(SMBus().funcs, int)
    bus.close()
    assert bus.read_byte(0x3C) == 0x46


@pytest.mark.parametrize("talk", [
    lambda bus: bus.read_byte(0x3D),
    lambda bus: bus.write_quick(0x3D),
    lambda bus: bus.write_i2c_block_data(0x3D, 0, [1, 2, 3]),
    lambda bus: bus.i2c_rdwr(i2c_msg.write(0x3D, bytes(9))),
    lambda bus: bus.i2c_rdwr(i2c_msg.read(0x3D, 1)),
])  # fmt: skip
def test_no_chip_at_the_address(bus, chip, talk):
    with pytest.raises(OSError, match="Remote") as caught:
        talk(bus)
    assert caught.value.errno == errno.EREMOTEIO
    assert (bus.bytes, bus.transactions, chip.received) == (1, 1, [])


@pytest.mark.parametrize(("nth", "received", "carried"), [
    (1, [], 1), (2, [], 2),  # the address byte, the control byte: nothing reaches the chip
    (3, [("00", "torn")], 3), (5, [("002110", "torn")], 5),
])  # fmt: skip
def test_a_fault_on_the_nth_byte_happens_once(bus, chip, nth, received, carried):
    bus.fault(nth)
    with pytest.raises(OSError, match="Remote"):
        bus.write_i2c_block_data(0x3C, 0x00, [0x21, 0x10, 0x1F])
    assert (chip.received, bus.bytes) == (received, carried)
    bus.i2c_rdwr(ZERO)
    assert chip.received == [*received, "00"]


def test_faults_are_counted_from_now_over_transactions_and_each_happens(bus):
    successful = []
    bus.listener = lambda address, payload: successful.append((address, payload.hex()))
    bus.i2c_rdwr(ZERO)
    for nth in (3, 4, 5):  # the first is a byte of the second transaction
        bus.fault(nth)
    bus.i2c_rdwr(i2c_msg.write(0x3C, [0x01]))
    for _ in range(3):
        with pytest.raises(OSError, match="Remote"):
            bus.read_byte(0x3C)
    assert bus.read_byte(0x3C) == 0x46
    assert successful == [(0x3C, "00"), (0x3C, "01")]


def test_unplugging_takes_the_power_and_plugging_gives_it_back(bus, chip):
    bus.plug()  # a no-op: it is plugged in
    bus.unplug()
    assert bus.unplugged
    with pytest.raises(OSError, match="Remote"):
        bus.i2c_rdwr(ZERO)
    bus.plug()
    assert not bus.unplugged
    bus.i2c_rdwr(ZERO)
    assert chip.received == ["off", "on", "00"]


# The serial


def test_the_serial_sends_blocks_where_the_adapter_has_nothing_else(chip):
    bus = SimulatedBus()
    bus.funcs = SMBUS_BLOCKS
    bus.attach(0x3C, chip)
    serial = I2cSerial(lambda: bus, 0x3C)
    serial.command(0xAF)
    serial.command()
    serial.data(bytes(range(70)))
    data = bytes(range(70)).hex()
    assert chip.received == ["00af", "00", "40" + data[:64], "40" + data[64:128], "40" + data[128:]]
    with pytest.raises(OSError, match="only SMBus"):
        bus.i2c_rdwr(ZERO)


def test_the_serial_opens_the_bus_when_needed_and_again_after_cleanup(bus):
    opened, closed = [], []
    bus.close = lambda: closed.append(bus)
    serial = I2cSerial(lambda: opened.append(bus) or bus, 0x3C)
    serial.cleanup()
    assert opened == closed == []
    for count in (1, 2):
        serial.command(0xAE)
        serial.command(0xAF)
        assert len(opened) == count
        serial.cleanup()
        serial.cleanup()
        assert closed == opened
