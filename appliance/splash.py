"""Light first: ready-made bytes go to the display before anything that takes long is imported.

The file `splash` in the service's state directory holds what to write to the I2C bus; the box prepared it
when it last ran (`appliance.nextsplash`). Before it has run, a file that came with the program stands in, for
the default display. This module is read by the program's first lines, so it imports `os` alone. Whatever is
wrong, nothing is shown, and the box starts as it would have without.
"""

import os

NAME = "splash"
SHIPPED = f"{os.path.dirname(__file__)}/splash.bin"  # noqa: PTH120 - pathlib is not loaded
SILENT = "#"  # stands for a stamp: the file is not there, or all that it could set is commented out
I2C_SLAVE = 0x0703  # in the kernel's linux/i2c-dev.h: the address that write() talks to
FORMAT = 1
MOST = 16_384  # bytes of the file; it has about 1,200


class Splash:
    """What to write, and when.

    `device` is the bus's file, `address` the display's; `writes` are the transactions, in order. `stamps` are
    the configuration files that this was prepared for: path -> `stamp` of the file, or SILENT. A tuple would
    do; the standard library's record types would take longer to import than all that is done here.
    """

    __slots__ = ("address", "device", "stamps", "writes")

    def __init__(self, device: str, address: int, writes: tuple[bytes, ...], stamps: dict[str, str]) -> None:
        self.device = device
        self.address = address
        self.writes = writes
        self.stamps = stamps

    def pack(self) -> bytes:
        """Return the content of the file: a checksum, then lines of text, an empty line, the transactions."""
        head = [f"{FORMAT} {self.address} {self.device}"]
        head += [f"{stamp} {path}" for path, stamp in self.stamps.items()]
        body = b"".join(len(write).to_bytes(2, "big") + write for write in self.writes)
        content = "\n".join([*head, "", ""]).encode("utf-8", "surrogateescape") + body
        return checksum(content) + content


def unpack(data: bytes) -> Splash:
    """Return what `pack` made into these bytes. Raise `ValueError` for any others."""
    content = data[4:]
    if data[:4] != checksum(content):
        raise ValueError("the checksum is wrong")
    head, _, body = content.partition(b"\n\n")
    first, *files = head.decode("utf-8", "surrogateescape").split("\n")
    version, address, device = first.split(" ", 2)
    if int(version) != FORMAT:
        raise ValueError(f"format {version}")
    writes = []
    while body:
        length = int.from_bytes(body[:2], "big")
        writes.append(body[2 : 2 + length])
        body = body[2 + length :]
    stamps = {path: stamp for stamp, _, path in (line.partition(" ") for line in files)}
    return Splash(device, int(address), tuple(writes), stamps)


def checksum(content: bytes) -> bytes:
    """Return 4 bytes that a torn, shortened or empty file does not have: Adler's two sums, simplified."""
    return (sum(content) % 65_521).to_bytes(2, "big") + (len(content) % 65_521).to_bytes(2, "big")


def stamp(path: str) -> str:
    """Return what changes when a file is changed, made or removed."""
    try:
        found = os.stat(path)  # noqa: PTH116 - pathlib is not loaded
    except OSError:
        return "-"
    return f"{found.st_mtime_ns}.{found.st_size}"


def fits(path: str, known: str) -> bool:
    """Return whether a configuration file is as it was when its splash was prepared."""
    return says_nothing(path) if known == SILENT else stamp(path) == known


def says_nothing(path: str) -> bool:
    """Return whether no key is set in a configuration file: sections may stand there, and comments."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib is not loaded
            text = file.read(MOST)
    except FileNotFoundError:
        return True
    lines = [line.strip() for line in text.split(b"\n")]
    return len(text) < MOST and all(line[:1] in {b"", b"#"} or line[-1:] == b":" for line in lines)


def directory(environ: "os._Environ[str] | dict[str, str]") -> str:
    """Return where the file lies, "" where there is no splash: only the service has one."""
    return environ.get("STATE_DIRECTORY", "").partition(":")[0]


def show(where: str) -> bool:
    """Write the splash of the directory `where` to the display; return whether it is lit.

    Nothing is written when the configuration is another than the one that it was prepared for, nor when
    `where` is "".
    """
    if not where:
        return False
    try:
        splash = unpack(kept(where))
        if not all(fits(path, known) for path, known in splash.stamps.items()):
            return False
        send(splash)
    except (OSError, ValueError, ImportError):
        return False
    return True


def kept(where: str) -> bytes:
    """Return the file that is kept in a directory; before there is one, that which came with the program."""
    for path in (f"{where}/{NAME}", SHIPPED):
        try:
            with open(path, "rb") as file:  # noqa: PTH123 - pathlib is not loaded
                return file.read(MOST)
        except FileNotFoundError:
            continue
    return b""


def send(splash: Splash) -> None:
    """Write to the bus. Raise `OSError` where nothing answers."""
    import fcntl  # noqa: PLC0415 - not there on every system that simulates

    handle = os.open(splash.device, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.ioctl(handle, I2C_SLAVE, splash.address)
        for write in splash.writes:
            os.write(handle, write)
    finally:
        os.close(handle)
