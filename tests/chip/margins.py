"""Press the keys at every threshold and pull that a Raspberry Pi may have; print JSON, like drive.py.

Each board is one that the datasheets allow. A key is wrong if an event names it although it was not touched,
and lost if it was touched and its press is not reported.
"""

import json
import os
import sys
from itertools import combinations, product

from drive import CHIP, ChipRig, report
from key_rig import COLUMN_PINS, ROW_PINS, keys_in, reads

from appliance.core.keys.key_events import Press, Tap

# An input with a single threshold, then the two families' limits with each way to read the zone in between.
SWITCHING = [f"low={volts},high={volts}" for volts in (1.3, 1.6, 1.8, 2.0)]
LIMITS = [
    f"{limits},zone={zone}"
    for limits, zone in product(("low=0.9,high=1.6", "low=0.8,high=2.0"), ("hold", "low", "high", "random"))
]
PULLS = ["up=66,down=33", "up=60,down=45", "up=50,down=50", "up=45,down=60", "up=33,down=66"]
WIRES = [
    "series=0,contact=1",
    "series=470,contact=200",
]  # solder joints; the recommended build, membrane keys
BOARDS = [",".join(parts) for parts in product(SWITCHING + LIMITS, PULLS, WIRES)]
# Fewer, for slow tests: where the voltage of two opposite pulls is closest to a threshold, from either side.
HARD = [",".join(parts) for parts in product(SWITCHING + LIMITS[3::4], PULLS[::2], WIRES)]
TAP = [Press, Tap]
BRIDGES = [*combinations(ROW_PINS, 2), *combinations(COLUMN_PINS, 2)]


class BoardRig(ChipRig):
    """A keypad on a board that was just powered on, and its errors."""

    def __init__(self, board):
        assert not CHIP.fakechip_boot(board.encode())
        self.wrong, self.lost, self.looks = 0, 0, 0
        super().__init__()
        self.run(0.1)

    def poll(self, late=lambda: 0.0):
        CHIP.fakechip_settle()  # much time passes between polls, little between the calls of one
        return super().poll(late)

    def check(self, events, touched, expected):
        """Count keys that events name although they were not touched, and unexpected events."""
        self.looks += 1
        self.wrong += len(keys_in(events) - touched)
        self.lost += [type(event) for event in events] != expected

    def check_read(self, expected):
        """Compare what the keypad reads with what these wires say."""
        self.looks += 1
        self.wrong += (self.keypad.value & ~expected).bit_count()
        self.lost += (expected & ~self.keypad.value).bit_count()

    def close(self):
        """Return the errors, and the chip's counts."""
        self.keypad.close()
        self.keypad.pin_factory.close()
        return {"looks": self.looks, "wrong": self.wrong, "lost": self.lost, **report()}


def taps(rig):
    """Tap each key after a rest, parked if it parks; then again at once."""
    for key in range(9):
        rig.rest()
        for _ in range(2):
            rig.close_keys(1 << key)
            rig.check(rig.run(0.1) + rig.rest(0.2), {key}, TAP)


def states(rig):
    """Close two or more keys in every combination, and check the scan itself."""
    for keys in range(512):
        rig.close_keys(keys)
        rig.run(0.06)
        rig.check_read(reads(keys))
    rig.rest()


def pairs(rig):
    """Press two keys in sequence."""
    for one, other in combinations(range(9), 2):
        rig.close_keys(1 << one)
        rig.check(rig.run(0.03), {one}, [Press])
        rig.close_keys(1 << one | 1 << other)
        second = rig.run(0.1)
        rig.looks += 1
        rig.lost += not second  # a chord or a blocked press: both are answers
        rig.wrong += len(keys_in(second + rig.rest(0.2)) - {one, other})


def jammed(rig):
    """Make a corner, the centre and an edge stick in turn, and tap all others beside each."""
    for key in (0, 4, 5):
        rig.close_keys(1 << key)
        rig.run(31)
        for other in set(range(9)) - {key}:
            rig.close_keys(1 << key | 1 << other)
            events = rig.run(0.1)
            rig.close_keys(1 << key)
            rig.check(events + rig.run(0.2), {other}, TAP)
        rig.rest()


def bounce(rig):
    """Make the contacts of each key bounce for 15 ms when it closes and when it opens."""
    for key in range(9):
        events = []
        for closed in (True, False):
            for turn in range(7):
                rig.close_keys((turn % 2 != closed) << key)
                events += rig.run(0.0025)
            events += rig.run(0.1)
        rig.check(events + rig.rest(0.2), {key}, TAP)
        rig.rest()


def over(boards, *scenarios):
    """Return what went wrong, by board."""
    results = {}
    for board in boards:
        rig = BoardRig(board)
        for scenario in scenarios:
            scenario(rig)
        results[board] = rig.close()
    return results


def single():
    """Tap, on every board."""
    return over(BOARDS, taps)


def many():
    """Run the other tests, on the hard boards."""
    return over(HARD, pairs, bounce)


def sticking():
    """Make keys stick; each takes half a minute of the rig's time."""
    return over([f"{limits},{PULLS[2]},{WIRES[0]}" for limits in LIMITS[3::4]], jammed)


def scans():
    """Compare all 512 scans with the closed keys, on a few boards."""
    return over([f"{limits},{pull},{WIRES[1]}" for limits, pull in product(LIMITS[3::4], PULLS[::2])], states)


def bridges():
    """Bridge the wires of two rows or two columns: each key reads as itself and its neighbour."""
    results = {}
    for inputs, (one, other) in product(SWITCHING + LIMITS[3::4], BRIDGES):
        board = f"{inputs},bridge={one}:{other},series=470"
        rig = BoardRig(board)
        for key in range(9):
            row, column = divmod(key, 3)
            rows = {row} | (
                {ROW_PINS.index(one), ROW_PINS.index(other)} if ROW_PINS[row] in {one, other} else set()
            )
            columns = {column} | (
                {COLUMN_PINS.index(one), COLUMN_PINS.index(other)}
                if COLUMN_PINS[column] in {one, other}
                else set()
            )
            rig.close_keys(1 << key)
            rig.run(0.06)
            rig.check_read(sum(1 << r * 3 + c for r in rows for c in columns))
            rig.rest()
        results[board] = rig.close()
    return results


LEFT = {
    "as at power-on": "",
    "GPIO 6 an output, high": "6=high",
    "GPIO 6 an output, low": "6=low",
    "a UART on GPIO 17, PWM on GPIO 13": "17=alt,13=alt",
    "killed while it scanned": "persist=1,27=low",
    "killed at rest": "persist=1,17=low,27=low,22=low",
    "a row left high by another program": "persist=1,17=high",
}


def starts():
    """Start with registers as other programs left them, with no key down and with each of two."""
    results = {}
    for (name, left), held in product(LEFT.items(), ([], [1], [4])):
        assert not CHIP.fakechip_boot(left.encode())
        CHIP.fakechip_press(sum(1 << key for key in held))
        shorted = report()["shorts"]
        rig = ChipRig()
        started = report()
        rig.run(0.1)
        rig.rest()
        result = {"wrong": 0, "lost": 0, "shorts at the start": started["shorts"] - shorted}
        for key in range(9):
            rig.close_keys(1 << key)
            events = rig.run(0.1) + rig.rest()
            result["wrong"] += len(keys_in(events) - {key})
            result["lost"] += [type(event) for event in events] != TAP
        rig.keypad.close()
        rig.keypad.pin_factory.close()
        results[f"{name}, held: {held}"] = {**report(), **result}
    return results


def slow_wires():
    """Let long wires rise slowly: by each wire's farads, with 5 us between calls and weak pulls."""
    return over([f"picofarads={farads},up=73,down=33,{LIMITS[5]}" for farads in (50, 100, 200)], taps, pairs)


def faults():
    """Short a row's wire to 3.3 V, with and without resistors; return the currents (A)."""
    currents = {}
    for series in (0, 470):
        rig = BoardRig(f"bridge=17:3v3,series={series}")
        rig.rest()
        currents[series] = rig.close()["microamperes"] / 1e6
    return currents


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]]()), flush=True)  # noqa: T201
    os._exit(0)  # as in drive.py
