"""The display: whether it answers on the I2C bus, at which address, and which chip it seems to be."""

import errno
from collections.abc import Generator
from contextlib import closing
from typing import Any

from appliance.config import CHIPS, Config
from appliance.core.pins import BUS_PINS, HEADER
from appliance.devices.access import Refused
from appliance.selftest.report import Row, Verdict, listed
from appliance.selftest.rig import Fitted, TestRig

ADDRESSES = (0x3C, 0x3D)  # those that the usual modules can be set to
NOBODY = (errno.ENXIO, errno.EREMOTEIO, errno.EIO, errno.ENODEV)  # what adapters say for "no answer"

# The low bits of the status byte are in no datasheet; drivers tell the chips apart by them all the same.
KINDS = {0x3: "ssd1306", 0x6: "ssd1306", 0x8: "sh1106"}


def check_bus(rig: TestRig) -> Generator[Row, None, Fitted | None]:
    """Yield what is found on the bus; return the display to test, None if there is none.

    A display driven by another luma class need not be on this bus, so for such a one nothing is a fault.
    Raise `Refused` if this user may not open the bus of any other.
    """
    config = rig.config.display
    ours = config.driver in CHIPS
    bad = Verdict.FAILED if ours else Verdict.OPEN
    untested = None if ours else Fitted(config.driver, config.address, config.width, config.height)
    wanted = tuple(dict.fromkeys((config.address, *ADDRESSES)))
    try:
        with closing(rig.open_bus()) as bus:
            found = {address: _probe(bus, address) for address in wanted}
            address = next((each for each in wanted if found[each]), None)
            status = None if address is None else _status(bus, address)
    except OSError as error:
        if ours and isinstance(error, PermissionError):
            raise Refused(str(error)) from error
        yield _fault(error, config.port, bad)
        return untested
    yield Row(f"I2C bus {config.port}: works", Verdict.OK)
    if found[config.address] is None:
        remedy = "remove its dtoverlay= line from config.txt, and reboot"
        yield Row(f"display at {config.address:#04x}: a kernel driver holds it", bad, remedy)
        return untested
    if address is None:
        remedy = f"check its wires: {_wires(config.port)}; power, ground"
        yield Row(f"no display answers at {listed((f'{each:#04x}' for each in wanted), 'or')}", bad, remedy)
        return untested
    if address == config.address:
        yield Row(f"display answers at {address:#04x}", Verdict.OK)
    else:
        what = f"display answers at {address:#04x}, not at {config.address:#04x}"
        yield Row(what, bad, f'set "address: {address:#04x}" under display: in {rig.where}')
    if untested is not None:
        return untested
    kind, row = _kind(rig.config, status, rig.where)
    yield row
    height = config.height if config.height in CHIPS[kind] else CHIPS[kind][0]
    return Fitted(kind, address, config.width, height)


def _probe(bus: Any, address: int) -> bool | None:
    """Return whether a device answers; None if a kernel driver holds the address. Nothing is written.

    Raise `OSError` if the bus itself is at fault.
    """
    for ask in (bus.write_quick, bus.read_byte):  # not every adapter supports the first
        try:
            ask(address)
        except OSError as error:
            if error.errno == errno.EBUSY:
                return None
            if error.errno in NOBODY:
                return False
            if error.errno != errno.EOPNOTSUPP:
                raise
        else:
            return True
    return False


def _status(bus: Any, address: int) -> int | None:
    """Return the display's status byte; None if it sends none: some modules are write-only."""
    try:
        status: int = bus.read_byte(address)
    except OSError:
        return None
    return status


def _fault(error: OSError, port: int, verdict: Verdict) -> Row:
    if isinstance(error, FileNotFoundError):
        remedy = 'put "dtparam=i2c_arm=on" into config.txt and "i2c-dev" into /etc/modules, and reboot'
        return Row(f"I2C bus {port}: there is no /dev/i2c-{port}", verdict, remedy)
    if isinstance(error, PermissionError):
        return Row(f"I2C bus {port}: /dev/i2c-{port} may not be opened", verdict, str(error))
    remedy = f"look for a short, or for SDA and SCL exchanged: {_wires(port)}"
    return Row(f"I2C bus {port}: {error.strerror or error}", verdict, remedy)


def _wires(port: int) -> str:
    """Return which pins the bus is on, if that is known."""
    if port not in BUS_PINS:
        return f"check the pins of bus {port}"
    pins = zip(("SDA", "SCL"), BUS_PINS[port], strict=True)
    return ", ".join(f"{name} is BCM {bcm} (pin {HEADER.index(bcm) + 1})" for name, bcm in pins)


def _kind(config: Config, status: int | None, where: str) -> tuple[str, Row]:
    """Return the driver to test with, and the row about the chip."""
    display = config.display
    kind = None if status is None else KINDS.get(status & 0x0F)
    if kind is None:
        seen = "sends no status" if status is None else f"unknown (status {status:#04x})"
        return display.driver, Row(f"display chip: {seen}", Verdict.OPEN)
    what = f"display chip: {kind.upper()} or compatible (status {status:#04x})"
    if kind == display.driver:
        return kind, Row(what, Verdict.OK)
    height = f' and "height: {CHIPS[kind][0]}"' if display.height not in CHIPS[kind] else ""
    remedy = f'set "driver: {kind}"{height} under display: in {where}'
    return kind, Row(f"{what}, not {display.driver.upper()}", Verdict.FAILED, remedy)
