"""The splash: ready-made bytes that light the display before anything slow is imported.

The file `splash` in the service's state directory holds what to write to the I2C bus; the service prepares it
for its next start (`NextSplash`). Before its first start, a file that ships with the program stands in, for
the default display. The program's first lines read this module, so until the splash is shown it imports only
`os`, and `config.unset` for that file. On any error nothing is shown and the start goes on.

The file's format, which the shell script `image/splash` of the card image's initramfs reads too:

    CCCC2 60 /dev/i2c-1                  4 bytes of `checksum`; FORMAT, the display's address, the bus's file
    1.2.345 /boot/firmware/x.yaml        for each configuration file its `stamp` or UNSET, and its path
                                         an empty line
    00ae                                 for each transaction its bytes in hexadecimal
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from appliance.config.schema import DisplayConfig
    from appliance.core.picture.scene import Picture
    from appliance.core.session.settings import Settings

SPLASH_FILE = "splash"
SHIPPED = f"{os.path.dirname(__file__)}/splash.bin"  # noqa: PTH120 - pathlib is not loaded
UNSET = "#"  # in place of a stamp: the file does not exist, or sets nothing
I2C_SLAVE = 0x0703  # linux/i2c-dev.h: the address that write() sends to
FORMAT = 2
MAX_SIZE = 16_384  # bytes of the file; it has about 2,400


def pack(device: str, address: int, writes: "Sequence[bytes]", stamps: dict[str, str]) -> bytes:
    """Return the file's content.

    `device` is the bus's file, `address` the display's; `writes` are the transactions, in order. `stamps` are
    the configuration files that it was prepared for: path -> `stamp` of the file, or UNSET.
    """
    head = [f"{FORMAT} {address} {device}", *(f"{stamp} {path}" for path, stamp in stamps.items())]
    lines = [*head, "", *(write.hex() for write in writes)]
    content = "\n".join([*lines, ""]).encode("utf-8", "surrogateescape")
    return checksum(content) + content


def unpack(data: bytes) -> tuple[str, int, list[bytes], dict[str, str]]:
    """Return the arguments of `pack`. Raise `ValueError` for bytes that it did not return."""
    content = data[4:]
    if data[:4] != checksum(content):
        raise ValueError("wrong checksum")
    head, _, body = content.decode("utf-8", "surrogateescape").partition("\n\n")
    first, *files = head.split("\n")
    version, address, device = first.split(" ", 2)
    if int(version) != FORMAT:
        raise ValueError(f"format {version}")
    stamps = {path: stamp for stamp, _, path in (line.partition(" ") for line in files)}
    return device, int(address), [bytes.fromhex(line) for line in body.split()], stamps


def checksum(content: bytes) -> bytes:
    """Return 4 bytes that detect a torn, truncated or empty file: Adler's two sums, simplified."""
    return (sum(content) % 65_521).to_bytes(2, "big") + (len(content) % 65_521).to_bytes(2, "big")


# Showing it


def directory(environ: "os._Environ[str] | dict[str, str]") -> str:
    """Return the directory of the file, "" where there is no splash: only the service has one."""
    return environ.get("STATE_DIRECTORY", "").partition(":")[0]


def show(where: str) -> bool:
    """Write the splash of the directory `where` to the display; return whether it is lit.

    Do nothing if the configuration has changed since it was prepared, or if `where` is "".
    """
    if not where:
        return False
    try:
        device, address, writes, stamps = unpack(load(where))
        if not all(matches(path, known) for path, known in stamps.items()):
            return False
        send(device, address, writes)
    except (OSError, ValueError, ImportError):
        return False
    return True


def load(where: str) -> bytes:
    """Return the file in a directory, or the shipped one if there is none."""
    try:
        return read(f"{where}/{SPLASH_FILE}")
    except FileNotFoundError:
        return read(SHIPPED)


def read(path: str) -> bytes:
    """Return the beginning of a file; nothing from a named pipe, which would block."""
    with open(path, "rb", opener=_open) as file:
        return file.read(MAX_SIZE)


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def send(device: str, address: int, writes: "Sequence[bytes]") -> None:
    """Write to the bus. Raise `OSError` if nothing answers."""
    import fcntl  # noqa: PLC0415 - some systems that run the simulator lack it

    handle = os.open(device, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.ioctl(handle, I2C_SLAVE, address)
        for write in writes:
            os.write(handle, write)
    finally:
        os.close(handle)


def stamp(path: str) -> str:
    """Return a text that changes when a file is written, replaced, removed, or given to another owner."""
    try:
        found = os.stat(path)  # noqa: PTH116 - pathlib is not loaded
    except OSError:
        return "-"
    return f"{found.st_mtime_ns}.{found.st_ctime_ns}.{found.st_size}"


def matches(path: str, known: str) -> bool:
    """Return whether a configuration file is unchanged since the splash was prepared."""
    return sets_nothing(path) if known == UNSET else stamp(path) == known


def sets_nothing(path: str) -> bool:
    """Return whether a configuration file is missing, or sets nothing."""
    from appliance.config.unset import empty_sections  # noqa: PLC0415 - a kept splash does not need it

    try:
        data = read(path)
    except FileNotFoundError:
        return True
    return len(data) < MAX_SIZE and empty_sections(data.decode("utf-8", "surrogateescape")) is not None


# Preparing it: by the service, which has imported all of this anyway


def picture(settings: "Settings") -> "Picture":
    """Return what is shown while the box starts."""
    from appliance.core.picture.scene import Light, PageScene, Picture  # noqa: PLC0415 - see above
    from appliance.core.words import words  # noqa: PLC0415 - see above

    text = words(settings.language)
    return Picture(PageScene(text["game"], text["starting"], "logo"), Light(contrast=settings.contrast))


class Tape:
    """A bus that records the transactions: the `serial` of a display."""

    def __init__(self) -> None:
        self.writes: list[bytes] = []

    def command(self, *command: int) -> None:
        """Record a transaction of commands."""
        self.writes.append(bytes([0x00, *command]))

    def data(self, data: "Sequence[int]") -> None:
        """Record transactions of data."""
        from appliance.devices.i2c import pieces  # noqa: PLC0415 - see above

        self.writes += [bytes([0x40, *piece]) for piece in pieces(data)]

    def cleanup(self) -> None:
        """Do nothing."""


def prepare(display: "DisplayConfig", settings: "Settings", stamps: dict[str, str]) -> bytes:
    """Return the file for a display; empty if its driver is not one of ours."""
    from appliance.config.schema import CHIPS  # noqa: PLC0415 - see above
    from appliance.core.picture.raster import render  # noqa: PLC0415 - see above
    from appliance.devices.panel import make_display  # noqa: PLC0415 - see above

    if display.driver not in CHIPS:
        return b""
    tape, shown = Tape(), picture(settings)
    frame = render(shown, display.width, display.height)
    make_display(display, tape).initialise(frame, shown.light, turned=settings.turned)
    return pack(f"/dev/i2c-{display.port}", display.address, tape.writes, stamps)


class NextSplash:
    """Keeps the file `splash` in the directory `where` up to date with the settings; no-op if that is "".

    `files` are the configuration files that might exist.
    """

    def __init__(self, where: str, display: "DisplayConfig", files: "Sequence[Path]") -> None:
        self._where = where
        self._display = display
        self._stamps = {str(file): stamp(str(file)) for file in files}
        self._shown: tuple[str, int, bool] | None = None

    def keep(self, settings: "Settings") -> None:
        """Write the file if the splash has changed. Cheap enough to call after each event."""
        shown = (settings.language, settings.contrast, settings.turned)
        if shown == self._shown or not self._where:
            return
        from contextlib import suppress  # noqa: PLC0415 - see above
        from pathlib import Path  # noqa: PLC0415 - see above

        self._shown = shown
        path = Path(self._where, SPLASH_FILE)
        content = prepare(self._display, settings, self._stamps)
        with suppress(OSError):  # a start without a splash is harmless
            if not path.is_file() or path.read_bytes() != content:
                fresh = path.with_name(f"{SPLASH_FILE}.new")
                fresh.write_bytes(content)
                fresh.replace(path)
