"""Which display there is: who answers on the I2C bus, where, and what kind of chip it seems to be."""

import errno
from collections.abc import Generator, Iterable
from contextlib import closing
from typing import Any, NamedTuple

from appliance.config import BUS_PINS, CHIPS, Config
from appliance.devices.access import Refused
from appliance.selftest.bench import Bench, Fitted
from appliance.selftest.report import Row, Verdict
from appliance.selftest.wording import listed

ADDRESSES = (0x3C, 0x3D)  # those that the usual modules can be set to
ORDINARY = range(0x08, 0x78)  # the addresses that the I2C specification leaves to devices
# Of these, i2cdetect(8) reads a byte: memories live there, and a quick write has been known to spoil one. At
# all others it prefers the quick write, as a read may confuse a chip that can only be written to.
READABLE = frozenset((*range(0x30, 0x38), *range(0x50, 0x60)))
NOBODY = frozenset(
    (errno.ENXIO, errno.EREMOTEIO, errno.EIO, errno.ENODEV)
)  # what adapters say for "no answer"

# The low bits of the status byte are in no datasheet; drivers tell the chips apart by them all the same.
KINDS = {0x3: "ssd1306", 0x6: "ssd1306", 0x8: "sh1106"}
HEADER = {0: 27, 1: 28, 2: 3, 3: 5}  # BCM number -> position on the header, of the pins that a bus may be on


class Survey(NamedTuple):
    """Who is on a bus: the addresses that answered, those that a driver of the kernel's keeps for itself."""

    answered: tuple[int, ...]
    taken: tuple[int, ...]


def survey(bus: Any, wanted: Iterable[int]) -> Survey:
    """Ask every address of a bus, an `smbus2.SMBus`, whether it is there; the `wanted` ones first.

    Nothing is written to any of them. Where the adapter knows no quick write, addresses that are not wanted
    and not safe to read are left out. Raises `OSError` when the bus itself is at fault, at once: each
    further address may take a second to fail.
    """
    wanted = tuple(wanted)
    answered, taken = [], []
    quick = _knows_quick(bus, wanted)
    for address in dict.fromkeys((*wanted, *ORDINARY)):
        try:
            if quick and address not in READABLE:
                bus.write_quick(address)
            elif address in wanted or address in READABLE:
                bus.read_byte(address)
            else:
                continue
        except OSError as error:
            if error.errno == errno.EBUSY:
                taken.append(address)
            elif error.errno not in NOBODY:
                raise
        else:
            answered.append(address)
    return Survey(tuple(answered), tuple(taken))


def _knows_quick(bus: Any, wanted: Iterable[int]) -> bool:
    for address in wanted:
        try:
            bus.write_quick(address)
        except OSError as error:
            if error.errno != errno.EBUSY:  # that was the kernel: the adapter has not been asked
                return error.errno != errno.EOPNOTSUPP
        else:
            return True
    return True


def check_bus(bench: Bench) -> Generator[Row, None, Fitted | None]:
    """Yield what is found on the bus; return the display there, or None when there is none to be tested.

    A display of another luma class need not be on this bus: for such a one nothing is a fault. Raises
    `Refused` when this person may not open the bus of any other.
    """
    config = bench.config.display
    ours = config.driver in CHIPS
    bad = Verdict.FAILED if ours else Verdict.OPEN
    as_configured = Fitted(config.driver, config.address, config.width, config.height)
    unknown = None if ours else as_configured
    wanted = tuple(dict.fromkeys((config.address, *ADDRESSES)))
    try:
        with closing(bench.open_bus()) as bus:
            found = survey(bus, wanted)
            status = _status(bus, next((each for each in wanted if each in found.answered), None))
    except OSError as error:
        if ours and isinstance(error, PermissionError):
            raise Refused(str(error)) from error
        yield _fault(error, config.port, bad)
        return unknown
    yield Row(f"I2C bus {config.port}: works", Verdict.OK)
    address, row = _place(bench, found, wanted)
    yield row if ours or row.verdict is Verdict.OK else row._replace(verdict=Verdict.OPEN)
    others = [f"{each:#04x}" for each in found.answered if each != address]
    others += [f"{each:#04x} (kept by a driver of the kernel's)" for each in found.taken]
    if others:
        yield Row(f"also on the bus: {listed(others)}", Verdict.OK)
    if address is None or not ours:
        return unknown
    kind, row = _kind(bench.config, status, bench.where)
    yield row
    return Fitted(kind, address, config.width, 64 if kind == "sh1106" else config.height)


def _fault(error: OSError, port: int, verdict: Verdict) -> Row:
    if isinstance(error, FileNotFoundError):
        remedy = 'put "dtparam=i2c_arm=on" into config.txt and "i2c-dev" into /etc/modules, and restart'
        return Row(f"I2C bus {port}: there is no /dev/i2c-{port}", verdict, remedy)
    if isinstance(error, PermissionError):
        return Row(f"I2C bus {port}: /dev/i2c-{port} may not be opened", verdict, str(error))
    remedy = f"look for a short, or for SDA and SCL exchanged: {_wires(port)}"
    return Row(f"I2C bus {port}: {error.strerror or error}", verdict, remedy)


def _wires(port: int) -> str:
    """Return which pins the wires of a bus go to, where that is known."""
    if port not in BUS_PINS:
        return f"check the pins of bus {port}"
    sda, scl = BUS_PINS[port]
    return f"SDA is BCM {sda} (pin {HEADER[sda]}), SCL is BCM {scl} (pin {HEADER[scl]})"


def _status(bus: Any, address: int | None) -> int | None:
    """Return the status byte of the display, None where there is none or it does not tell."""
    if address is None:
        return None
    try:
        status: int = bus.read_byte(address)
    except OSError:  # some modules cannot be read; the display may be well for all that
        return None
    return status


def _place(bench: Bench, found: Survey, wanted: tuple[int, ...]) -> tuple[int | None, Row]:
    """Return the address of the display to test, and the row that tells it."""
    configured = wanted[0]
    address = next((each for each in wanted if each in found.answered), None)
    if configured in found.taken:
        remedy = "remove its dtoverlay= line from config.txt, and restart"
        return None, Row(
            f"display at {configured:#04x}: kept by a driver of the kernel's", Verdict.FAILED, remedy
        )
    if address is None:
        what = f"no display answers at {listed((f'{each:#04x}' for each in wanted), 'or')}"
        return None, Row(
            what, Verdict.FAILED, f"check its wires: {_wires(bench.config.display.port)}; power, ground"
        )
    if address != configured:
        remedy = f'set "address: {address:#04x}" under display: in {bench.where}'
        return address, Row(
            f"display answers at {address:#04x}, not at {configured:#04x}", Verdict.FAILED, remedy
        )
    return address, Row(f"display answers at {address:#04x}", Verdict.OK)


def _kind(config: Config, status: int | None, where: str) -> tuple[str, Row]:
    """Return the driver to go on with, and the row that tells the chip's kind."""
    display = config.display
    if status is None:
        return display.driver, Row("display chip: tells no status", Verdict.OPEN)
    kind = KINDS.get(status & 0x0F)
    if kind is None:
        return display.driver, Row(f"display chip: of no known kind (status {status:#04x})", Verdict.OPEN)
    what = f"display chip: {kind.upper()} or alike (status {status:#04x})"
    if kind == display.driver:
        return kind, Row(what, Verdict.OK)
    height = ' and "height: 64"' if kind == "sh1106" and display.height != 64 else ""
    remedy = f'set "driver: {kind}"{height} under display: in {where}'
    return kind, Row(f"{what}, not {display.driver.upper()}", Verdict.FAILED, remedy)
