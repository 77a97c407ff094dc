"""BENCHMARKS.md and the goals: target, measured value, held or missed."""

import math
from statistics import median

HEAD = """# Benchmarks

Measured by `make bench` in one run, {date}: {processor}, {cores} cores, {system}, Python {python};
load before the run {load before}; {seconds:.0f} s. This was not a Raspberry Pi: a Pi Zero is roughly 20 to 40
times slower than a desktop. Times are medians of interleaved runs, so that a slow moment affects
all alike. Machine instructions are counted by valgrind and hardly vary. The raw figures are in
[tests/bench/results/figures.json](tests/bench/results/figures.json).
"""
ENGINE = """## The engine

One search from the position to the end of the game, in its own process. Nodes are positions visited, as
`tictactoe analyse` counts them; `engine/__init__.py` defines them. Time covers only the search, memory is
the peak of the whole process, instructions are those of the search alone. Minimax and alpha-beta are those of
`engine/textbook.py`, after their published texts.
"""
VARIATIONS = "### Vanishing: principal variations against the solution of the game"
BUS = """## The bus

One game against the perfect level with a visit to the menu, {0} different pictures, recorded in the
simulator and replayed through luma.oled's ssd1306 driver. Bytes include address bytes, nine bits
each, as the simulated bus counts them.
"""
START = """## The start

Each process ends at that point. It runs over stand-ins for the GPIO chip and the I2C bus, with the
real gpiozero, luma and smbus2; the bus takes no time. The configuration file of the last row sets
two keys, so that YAML is loaded; the installed one is only comments, and YAML is not loaded.
"""
IDLE = """## Nobody presses

The whole process over the stand-in chip. A second after the last key the kernel watches the
columns, and the box sleeps until one falls: the wake-ups counted are the measuring thread's. The
other rows are for comparison. Polling: the columns cannot be watched, so the box scans every 20 ms,
every 40 ms asleep. On lgpio, gpiozero's default: the box polls, and lgpio's own thread wakes 50
times a second; so does a box with a passive buzzer, whose tones lgpio makes. The cost of a wake-up
depends on the machine and the hour: compare only the rows, whose runs were interleaved.
"""
PRESS = """## From a press to the mark

{0} presses at random moments. Sampling is the time from the contact to the first scan. If no key was
touched for a second, the kernel reports the contact and the scan follows at once; soon after
another press the keys are scanned every 20 ms. Debounce is the second equal scan, 5 ms later.
Program is the time from the accepted press to the last byte of the mark. All is the sum, measured
from the contact. The bus carries {1} bytes, a mark's maximum.
"""
CLOCKS = (100, 400, 1000)  # kHz
NOT_BEST = "engine, vanishing: principal variations that are not best play"
DEBOUNCE = 5.0  # ms from one scan to the next


def goals(figures):
    """Return (goal, "at most" or "at least", target, measured) for each goal."""
    ways = {(row["position"], row["way"]): row for row in figures["engine"]}
    small, large = ways["empty 3x3", "engine"], ways["empty 4x4", "engine"]
    speedup = ways["empty 3x3", "textbook alpha-beta"]["ms"] / small["ms"]
    bus, press = figures["bus"], figures["press"]
    awake, asleep = figures["idle"]["awake"], figures["idle"]["asleep"]
    bare, splash, libraries, board, configured = (row["CPU ms"] for row in figures["start"])
    variations = figures.get("variations", ())
    not_best = [sum(row["positions"] - row["best play"] for row in variations)] if variations else []
    percent = 100 * sum(bus["ours"]) / sum(bus["stock"])
    slowest = max(press["whole"]) + milliseconds(max(bus["marks"]), CLOCKS[0])
    return [
        ("engine, empty 3x3: positions visited", "at most", 250, small["nodes"]),
        ("engine, empty 3x3: million instructions", "at most", 10, small["million instructions"]),
        ("engine, empty 3x3: times faster than textbook alpha-beta", "at least", 50, speedup),
        ("engine, empty 4x4: positions visited", "at most", 20_000, large["nodes"]),
        ("engine, empty 4x4: MB of the whole process", "at most", 30, large["MB"]),
        *((NOT_BEST, "at most", 0, count) for count in not_best),
        ("bytes on the bus for a mark and what changes beside it", "at most", 60, max(bus["marks"])),
        ("a game on the bus, percent of stock luma.oled's bytes", "at most", 10, percent),
        ("start to first light, times `python3 -c pass`", "at most", 2, splash / bare),
        ("start to the board, times importing the libraries alone", "at most", 1.25, board / libraries),
        ("the same with a configuration file", "at most", 1.25, configured / libraries),
        ("memory in use, MB", "at most", 40, asleep["MB"]),
        ("idle CPU awake, % of this core", "at most", 0.5, awake["CPU %"]),
        ("idle CPU asleep, % of this core", "at most", 0.2, asleep["CPU %"]),
        ("wake-ups a second, awake", "at most", 2, awake["wake-ups a second"]),
        ("wake-ups a second, asleep", "at most", 2, asleep["wake-ups a second"]),
        ("press to mark: the program's part, ms", "at most", 3, median(press["program"])),
        ("press to mark at 100 kHz, the slowest of all, ms", "at most", 45, slowest),
    ]


def goal_table(figures):
    """Return the goals as Markdown; those that are missed are bold."""
    rows = []
    for goal, most, target, value in goals(figures):
        held = value <= target if most == "at most" else value >= target
        rows.append((goal, f"{most} {target:,}", value, "held" if held else "**missed**"))
    return table(("goal", "target", "measured", ""), rows)


def write(figures):
    """Return the page: the goals, then a section for each part. Figures of before may lack a newer part."""
    parts = [HEAD.format(**figures, **figures["machine"]), "## Goals", goal_table(figures)]
    for name, section in SECTIONS.items():
        parts += section(figures) if name in figures else [f"Not measured: {name}."]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _rows(part, text):
    """Return what writes a section whose figures are rows."""
    return lambda figures: (text, rows_table(figures[part]))


def _bus(figures):
    bus = figures["bus"]
    yield BUS.format(len(bus["ours"]))
    clocks = [f"ms at {clock} kHz" for clock in CLOCKS]
    heads = ("", "bytes", "transactions", "bytes a picture, median", *clocks)
    rows = []
    for name, key in ("this box", "ours"), ("stock luma.oled", "stock"):
        total = sum(bus[key])
        times = [milliseconds(total, clock) for clock in CLOCKS]
        rows.append((name, total, bus["transactions"][key], median(bus[key]), *times))
    yield table(heads, rows)
    maximum = max(bus["marks"])
    times = ", ".join(f"{number(milliseconds(maximum, clock))} ms at {clock} kHz" for clock in CLOCKS)
    yield f"A mark costs {min(bus['marks'])} to {maximum} bytes, two people playing: at most {times}."


def _idle(figures):
    yield IDLE
    yield rows_table([{"": name, **row} for name, row in figures["idle"].items()])


def _press(figures):
    press, maximum = figures["press"], max(figures["bus"]["marks"])
    yield PRESS.format(len(press["whole"]), maximum)
    rows = []
    for name, parked in ("the first press after a pause", True), ("soon after another", False):
        accepted = zip(press["accepted"], press["parked"], strict=True)
        waits = [ms - DEBOUNCE for ms, was_parked in accepted if was_parked == parked]
        rows += [(f"sampling, {name}", median(waits), max(waits))] if waits else []
    rows += [("debounce", DEBOUNCE, DEBOUNCE)]
    for name, key in ("program", "program"), ("all, without the bus", "whole"):
        rows.append((name, median(press[key]), max(press[key])))
    rows += [(f"bus at {clock} kHz", *[milliseconds(maximum, clock)] * 2) for clock in CLOCKS]
    yield table(("part", "median ms", "slowest ms"), rows)


SECTIONS = {
    "engine": _rows("engine", ENGINE),
    "boards": _rows("boards", "### Boards solved"),
    "variations": _rows("variations", VARIATIONS),
    "bus": _bus,
    "start": _rows("start", START),
    "idle": _idle,
    "press": _press,
}


def rows_table(rows):
    """Return rows of like dictionaries as a Markdown table."""
    return table(list(rows[0]), [list(row.values()) for row in rows])


def table(heads, rows):
    """Return a Markdown table: the first column is words, the others are figures."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(map(number, line)) + " |" for line in lines)


def number(value):
    """Return a figure with three significant digits, two below 1; words and whole numbers as they are."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if isinstance(value, int) or value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:,.{max(0, 2 - math.floor(math.log10(abs(value))) - (abs(value) < 1))}f}"


def milliseconds(count, clock):
    """Return how long bytes take on the wire at `clock` kHz: nine bits each, with the acknowledge."""
    return count * 9 / clock
