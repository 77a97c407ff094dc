"""Query the stand-in through the kernel's interface directly, without our pins; print JSON."""

import ctypes
import errno
import fcntl
import json
import os
import struct
import sys

CHIP = ctypes.CDLL(None)
INPUT, OUTPUT, RISING, FALLING, UP, DOWN, NONE = (1 << bit for bit in (2, 3, 4, 5, 8, 9, 10))
GET_LINE, SET_CONFIG, GET_VALUES, SET_VALUES = 0xC250B407, 0xC110B40D, 0xC010B40E, 0xC010B40F
PLAIN = struct.Struct("=QI20s240s")  # a configuration
REQUEST = struct.Struct("=I252x32x272sII20xi")
LEVEL = struct.Struct("=IIQQ")


def config(flags, value=None, padding=b""):
    attribute = b"" if value is None else LEVEL.pack(2, 0, value, 1)
    return PLAIN.pack(flags, value is not None, padding, attribute)


def request(line, *what, **options):
    """Return the descriptor of a requested line, or the name of the error."""
    chip = os.open("/dev/gpiochip0", os.O_RDWR)
    data = bytearray(REQUEST.pack(line, config(*what, **options), 1, 0, -1))
    error = call(chip, GET_LINE, data)
    os.close(chip)
    return error or REQUEST.unpack(data)[-1]


def call(fd, number, data):
    try:
        fcntl.ioctl(fd, number, data)
    except OSError as error:
        return errno.errorcode[error.errno]
    return None


def level(fd):
    data = bytearray(struct.pack("=QQ", 0, 1))
    return call(fd, GET_VALUES, data) or struct.unpack("=QQ", data)[0]


def boot(what):
    assert not CHIP.fakechip_boot(what.encode())
    CHIP.fakechip_press(0)


def levels_at_power_on():
    """Request each line without a bias, and read it."""
    boot("")
    found = []
    for line in range(28):
        fd = request(line, INPUT)
        found.append(level(fd))
        os.close(fd)
    return found


def refusals():
    """Return the chip's answers to contradictory configurations, and to some valid ones."""
    tries = {
        "input and output": (INPUT | OUTPUT,),
        "two biases": (INPUT | UP | DOWN,),
        "a bias without a direction": (UP,),
        "edges of an output": (OUTPUT | FALLING,),
        "edges without a direction": (FALLING,),
        "an unknown flag": (INPUT | 1 << 40,),
        "fine: input": (INPUT | UP | FALLING | RISING,),
        "fine: output": (OUTPUT | UP, 0),
        "fine: as it is": (0,),
    }
    found = {}
    for name, what in tries.items():
        fd = request(5, *what)
        found[name] = fd if isinstance(fd, str) else "ok"
        if not isinstance(fd, str):
            os.close(fd)
    found["padding"] = request(5, INPUT, padding=b"x")
    first = request(5, INPUT)
    found["a second holder"] = request(5, INPUT)
    found["writing to an input"] = call(first, SET_VALUES, bytearray(struct.pack("=QQ", 1, 1)))
    os.close(first)
    return found


def kept():
    """Return the level of GPIO 17 that one holder leaves to the next, which requests no bias."""
    found = {}
    for name, what, before in (
        ("a pull", "", [(INPUT | UP,)]),
        ("a pull, by way of an output", "", [(INPUT | UP,), (OUTPUT, 0), (INPUT,)]),
        ("an output", "", [(OUTPUT, 1)]),
        ("an output that persists", "persist=1", [(OUTPUT, 1)]),
    ):
        boot(what)
        fd = request(17, *before[0])
        for configuration in before[1:]:
            assert call(fd, SET_CONFIG, bytearray(config(*configuration))) is None
        os.close(fd)
        fd = request(17, 0)  # as it is
        found[name] = level(fd)
        os.close(fd)
    return found


def voltages():
    """Read column GPIO 5 through a pressed key of a row with its power-on pull-down, by threshold."""
    found = {}
    for thresholds in ("low=1.6,high=1.6", "low=1.7,high=1.7", "zone=high", "zone=low"):
        boot(thresholds)
        row, column = request(17, INPUT), request(5, INPUT)
        CHIP.fakechip_press(1)
        found[thresholds] = level(column)
        os.close(row)
        os.close(column)
    return found


def edges():
    """Return how many edges a watched column reports for a press over a driven row."""
    boot("")
    row, column = request(17, OUTPUT, 0), request(5, INPUT | UP | FALLING)
    for keys in (1, 0, 1):
        CHIP.fakechip_press(keys)
    found = len(os.read(column, 4096)) // 48
    os.close(row)
    os.close(column)
    return found


if __name__ == "__main__":
    tests = (levels_at_power_on, refusals, kept, voltages, edges)
    sys.stdout.write(json.dumps({test.__name__: test() for test in tests}))
