"""Check 2: whether the display answers on the I2C bus, at which address, and which chip it seems to be."""

import errno
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from appliance.boardtest.rig import Rig
from appliance.config.schema import CHIPS, DisplayConfig
from appliance.core.english import listed
from appliance.core.keys.diagnosis import FAILED, OK, OPEN, Check
from appliance.core.keys.pins import BUS_PINS, HEADER
from appliance.core.picture.scene import PatternScene, Picture
from appliance.devices.access import NoAccess
from appliance.devices.panel import show_once

ADDRESSES = (0x3C, 0x3D)  # the usual modules can be set to these
NO_ACKNOWLEDGE = (errno.ENXIO, errno.EREMOTEIO, errno.EIO, errno.ENODEV)  # adapters' "no answer"


def display(rig: Rig) -> Iterator[Check]:
    """Yield what is found on the bus.

    A display driven by another luma class need not be on this bus, so nothing is probed for it. Raise
    `NoAccess` if this user may not open the bus.
    """
    config = rig.config.display
    if config.driver not in CHIPS:
        yield Check(f"display: driven by {config.driver}, so the I2C bus is not probed", OPEN)
        yield _picture(rig)
        return
    wanted = tuple(dict.fromkeys((config.address, *ADDRESSES)))
    try:
        with closing(rig.open_bus()) as bus:
            found = {address: _probe(bus, address) for address in wanted}
            address = next((each for each in wanted if found[each]), None)
            status = None if address is None else _status(bus, address)
    except PermissionError as error:
        raise NoAccess(str(error)) from error
    except OSError as error:
        yield _fault(error, config.port)
        return
    yield Check(f"I2C bus {config.port}: works", OK)
    if found[config.address] is None:
        remedy = "remove its dtoverlay= line from config.txt, and reboot"
        yield Check(f"display at {config.address:#04x}: a kernel driver holds it", FAILED, remedy)
    elif address is None:
        addresses = listed((f"{each:#04x}" for each in wanted), "or")
        remedy = f"check its wires: {_wires(config.port)}; power, ground"
        yield Check(f"no display answers at {addresses}", FAILED, remedy)
    else:
        if address == config.address:
            yield Check(f"display answers at {address:#04x}", OK)
        else:
            what = f"display answers at {address:#04x}, not at {config.address:#04x}"
            yield Check(what, FAILED, f'set "address: {address:#04x}" under display: in {rig.where}')
        kind = _kind(config, status, rig.where)
        yield kind
        if address == config.address and kind.verdict != FAILED:
            yield _picture(rig)


def _picture(rig: Rig) -> Check:
    """Show lines along the edges, and return the row about the transfer."""
    rig.forget()  # the panel does not know what is sent here
    if problem := show_once(rig.config.display, Picture(PatternScene(edges=True)), rig.open_bus):
        remedy = "look for a loose wire; a bus below 10 kHz is too slow: set i2c_arm_baudrate in config.txt"
        return Check(f"picture: {problem}", FAILED, remedy if problem.state != "unusable" else "")
    return Check("display takes a picture", OK)


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
            if error.errno in NO_ACKNOWLEDGE:
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


def _fault(error: OSError, port: int) -> Check:
    if isinstance(error, FileNotFoundError):
        remedy = 'put "dtparam=i2c_arm=on" into config.txt and "i2c-dev" into /etc/modules, and reboot'
        return Check(f"I2C bus {port}: there is no /dev/i2c-{port}", FAILED, remedy)
    remedy = f"look for a short, or for SDA and SCL swapped: {_wires(port)}"
    return Check(f"I2C bus {port}: {error.strerror or error}", FAILED, remedy)


def _wires(port: int) -> str:
    """Return which pins the bus is on, if that is known."""
    if port not in BUS_PINS:
        return f"check the pins of bus {port}"
    pins = zip(("SDA", "SCL"), BUS_PINS[port], strict=True)
    return ", ".join(f"{name} is BCM {bcm} (pin {HEADER.index(bcm) + 1})" for name, bcm in pins)


def _kind(display: DisplayConfig, status: int | None, where: str) -> Check:
    """Return the row about the chip."""
    kinds = [chip for chip, facts in CHIPS.items() if status is not None and status & 0x0F in facts.ids]
    if not kinds:
        found = "sends no status" if status is None else f"unknown (status {status:#04x})"
        return Check(f"display chip: {found}; driven as {display.driver.upper()}", OPEN)
    kind = display.driver if display.driver in kinds else kinds[0]
    what = f"display chip: {kind.upper()} or compatible (status {status:#04x})"
    if kind == display.driver:
        return Check(what, OK)
    height = f' and "height: {CHIPS[kind].heights[0]}"' if display.height not in CHIPS[kind].heights else ""
    remedy = f'set "driver: {kind}"{height} under display: in {where}'
    return Check(f"{what}, not {display.driver.upper()}", FAILED, remedy)
