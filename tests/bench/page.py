"""BENCHMARKS.md and the goals: target, measured value, held or missed."""

from engines import cost
from plots import DEBOUNCE, middle, number, sampling
from solve import POSITIONS
from wire import CLOCKS, milliseconds

HEAD = """# Benchmarks

Measured by `make bench` in one run, {date}: {processor}, {cores} cores, {system}, Python {python};
load before the run {load}; {seconds} s. This was not a Raspberry Pi: a Pi Zero is roughly 20 to 40
times slower than a desktop. Times are medians of interleaved runs, so that a slow moment affects
all alike. Machine instructions are counted by valgrind and hardly vary. The raw figures are in
[tests/bench/results/figures.json](tests/bench/results/figures.json).
"""


def row(*cells):
    """Return a row of a table."""
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(heads, rows):
    """Return a Markdown table: the first column is words, the others are figures."""
    return "\n".join(
        [row(*heads), row("---", *["---:"] * (len(heads) - 1)), *(row(*cells) for cells in rows)]
    )


def ratio(one, other):
    """Return how many times `other` the value `one` is, None if either is missing."""
    return None if one is None or not other else one / other


def goals(figures):
    """Return the goals as rows: what, target, measured, held (None: not measured)."""
    engine, bus = figures["engine"], figures["bus"]
    small, large = "empty 3x3", "empty 4x4"
    goals = [
        _at_most("engine, empty 3x3: positions visited", 250, cost(engine, small, "engine", "nodes")),
        _at_most(
            "engine, empty 3x3: million instructions",
            10,
            cost(engine, small, "engine", "million instructions"),
        ),
        _at_least(
            "engine, empty 3x3: times faster than textbook alpha-beta",
            50,
            ratio(cost(engine, small, "textbook alpha-beta"), cost(engine, small, "engine")),
        ),
        _at_most("engine, vanishing: principal variations that are not best play", 0, _not_best(figures)),
        _at_most("engine, empty 4x4: positions visited", 20_000, cost(engine, large, "engine", "nodes")),
        _at_most("engine, empty 4x4: MB of the whole process", 30, cost(engine, large, "engine", "MB")),
        _at_least(
            "engine, empty 4x4: times faster than easyAI with its table",
            30,
            ratio(cost(engine, large, "easyAI with table"), cost(engine, large, "engine")),
        ),
        _at_most("bytes on the bus for a mark and what changes beside it", 60, max(bus["marks"])),
        _at_most(
            "a game on the bus, percent of stock luma.oled's bytes",
            10,
            100 * sum(bus["ours"]) / sum(bus["stock"]),
        ),
    ]
    return goals + _goals_of_the_box(figures)


def _not_best(figures):
    checks = (row for rows in figures["tables"].values() for row in rows if "best to the end" in row)
    return sum(row["won or lost positions"] - row["best to the end"] for row in checks)


def _goals_of_the_box(figures):
    goals = []
    if "start" in figures:
        times = {row["until"]: row["CPU ms"] for row in figures["start"]}
        bare, libraries, board, configured = (
            times[name]
            for name in (
                "python3 -c pass",
                "gpiozero (lgpio), luma.oled, PIL and yaml",
                "board",
                "board, with a configuration file",
            )
        )
        goals += [
            _at_most("start to first light, times `python3 -c pass`", 2, times["splash"] / bare),
            _at_most("start to the board, times importing the libraries alone", 1.25, board / libraries),
            _at_most("the same with a configuration file", 1.25, configured / libraries),
        ]
    if "idle" in figures:
        idle = figures["idle"]
        goals += [
            _at_most("memory in use, MB", 40, idle["memory"]["MB peak"]),
            _at_most("idle CPU awake, % of this core", 0.5, idle["awake"]["CPU %"]),
            _at_most("idle CPU asleep, % of this core", 0.2, idle["asleep"]["CPU %"]),
            _at_most("wake-ups a second, awake", 160, idle["awake"]["wake-ups a second"]),
            _at_most("wake-ups a second, asleep", 80, idle["asleep"]["wake-ups a second"]),
        ]
    if "press" in figures:
        press = figures["press"]
        worst = max(press["whole"]) + milliseconds(max(figures["bus"]["marks"]), CLOCKS[0])
        goals += [
            _at_most("press to mark: the program's part, ms", 3, middle(press["program"])),
            _at_most("press to mark at 100 kHz, the slowest of all, ms", 45, worst),
        ]
    return goals


def _at_most(what, most, value):
    return {
        "goal": what,
        "asked": f"at most {most:,}",
        "got": value,
        "held": None if value is None else value <= most,
    }


def _at_least(what, least, value):
    held = None if value is None else value >= least
    return {"goal": what, "asked": f"at least {least:,}", "got": value, "held": held}


def goal_table(goals):
    """Return the goals as Markdown; those that are missed are bold."""
    words = {True: "held", False: "**missed**", None: "not measured"}
    heads = ("goal", "asked for", "measured", "")
    return table(heads, [(g["goal"], g["asked"], number(g["got"]), words[g["held"]]) for g in goals])


def write(figures):
    """Return the page."""
    machine = figures["machine"]
    head = HEAD.format(
        date=figures["date"], seconds=round(figures["seconds"]), load=machine["load before"],
        **{name: machine[name] for name in ("processor", "cores", "system", "python")},
    )  # fmt: skip
    parts = [head, "## Goals", goal_table(figures["goals"]), *_engine(figures), *_bus(figures["bus"])]
    if "start" in figures:
        parts += [*_start(figures["start"]), *_idle(figures["idle"]), *_press(figures)]
    else:
        parts.append("The start, idling and presses were not measured: they need gcc.")
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _engine(figures):
    versions = ", ".join(f"{name} {version}" for name, version in figures["peers"].items())
    yield "## The engine"
    yield "![Times of one search](tests/bench/results/engine.svg)"
    yield (
        "One search from the position to the end of the game, in its own process. Time and positions visited "
        "cover only the search, memory is the peak of the whole process, instructions exclude importing. The "
        "textbook's functions are this project's, written as published. "
    ) + (
        f"Installed for the comparison: {versions}; OpenSpiel's alpha-beta is that of its Python package, on "
        "its C++ game."
        if versions
        else "easyAI and OpenSpiel could not be installed."
    )
    for position in POSITIONS:
        rows = [row for row in figures["engine"] if row["position"] == position]
        yield f"### {position[0].upper()}{position[1:]}"
        yield table(
            ("", "ms", "positions", "MB", "million instructions"),
            [
                (row["engine"], row.get("remark") or number(row["ms"]),
                 *(number(row[key]) for key in ("nodes", "MB", "million instructions")))
                for row in rows
            ],
        )  # fmt: skip
    for title, rows in figures["tables"].items():
        heads = list(rows[0])
        yield f"### {title}"
        yield table(heads, [[_cell(row[head]) for head in heads] for row in rows])


def _cell(value):
    return f"{value:,}" if isinstance(value, int) else value if isinstance(value, str) else number(value)


def _bus(bus):
    yield "## The bus"
    yield "![A game on the bus](tests/bench/results/bus.svg)"
    yield (
        f"One game against the perfect level with a visit to the menu, {bus['pictures']} different pictures, "
        "recorded in the simulator and replayed through luma.oled's ssd1306 driver. Bytes include address "
        "bytes, nine bits each, as the simulated bus counts them."
    )
    rows = [
        (name, f"{sum(bus[key]):,}", bus["transactions"][key], number(middle(bus[key])),
         *(number(milliseconds(sum(bus[key]), clock)) for clock in CLOCKS))
        for name, key in (("this box", "ours"), ("stock luma.oled", "stock"))
    ]  # fmt: skip
    heads = (
        "",
        "bytes",
        "transactions",
        "bytes a picture, median",
        *(f"ms at {clock // 1000} kHz" for clock in CLOCKS),
    )
    yield table(heads, rows)
    most = max(bus["marks"])
    times = ", ".join(f"{number(milliseconds(most, clock))} ms at {clock // 1000} kHz" for clock in CLOCKS)
    yield f"A mark costs {min(bus['marks'])} to {most} bytes, two people playing: at most {times}."


def _start(start):
    yield "## The start"
    yield "![From the start](tests/bench/results/start.svg)"
    yield (
        "Each process ends at that point. It runs over stand-ins for the GPIO chip and the I2C bus, with the "
        "real gpiozero, luma and smbus2; the bus takes no time. The configuration file of the last row sets "
        "two keys, so that YAML is loaded; the installed one is only comments, and YAML is not loaded."
    )
    yield table(
        ("until", "CPU ms", "ms", "million instructions"),
        [
            (row["until"], *(number(row[key]) for key in ("CPU ms", "ms", "million instructions")))
            for row in start
        ],
    )


def _idle(idle):
    yield "## Nobody presses"
    yield "![Idling](tests/bench/results/idle.svg)"
    yield (
        "The whole process over the stand-in chip. A second after the last key the kernel watches the "
        "columns, and the box sleeps until one falls: the wake-ups counted here are the measuring "
        "thread's. The other rows are for comparison. Polling: the columns cannot be watched, so the "
        "box scans every 20 ms, every 40 ms asleep. On lgpio: the same box on lgpio, gpiozero's "
        "default. It polls, and lgpio's own thread wakes 50 times a second once the chip is open; so "
        "does a box with a buzzer, whose tones lgpio makes. Lgpio alone: a process that has opened the "
        "pins through gpiozero and lgpio and does nothing. The cost of a wake-up depends on the machine "
        "and the hour: compare only the rows, whose runs were interleaved."
    )
    yield table(
        ("", "CPU seconds a minute", "% of a core", "wake-ups a second"),
        [
            (
                name,
                *(number(row[key]) for key in ("CPU seconds a minute", "CPU %", "wake-ups a second")),
            )
            for name, row in idle.items()
            if "CPU %" in row
        ],
    )
    memory = idle["memory"]
    yield f"Memory: {number(memory['MB now'])} MB, at the peak {number(memory['MB peak'])} MB."


def _press(figures):
    press, most = figures["press"], max(figures["bus"]["marks"])
    yield "## From a press to the mark"
    yield "![From a press to the mark](tests/bench/results/press.svg)"
    yield (
        f"{len(press['whole'])} presses at random moments. Sampling is the time from the contact to the "
        "first scan. If no key was touched for a second, the kernel reports the contact and the scan "
        "follows at once; soon after another press the keys are scanned every 20 ms. Debounce is the second "
        "equal scan, 5 ms later. Program is the time from the accepted press to the last byte of the mark. "
        f"Whole is all three, measured from the contact. The bus carries {most} bytes, a mark's maximum."
    )
    program, whole = press["program"], press["whole"]
    waits = [
        (f"sampling, {name}", number(middle(ms)), number(max(ms))) for name, ms in sampling(press).items()
    ]
    bus = [(f"bus at {clock // 1000} kHz", *[number(milliseconds(most, clock))] * 2) for clock in CLOCKS]
    yield table(
        ("part", "median ms", "slowest ms"),
        [
            *waits,
            ("debounce", number(DEBOUNCE), number(DEBOUNCE)),
            ("program", number(middle(program)), number(max(program))),
            ("whole, without the bus", number(middle(whole)), number(max(whole))),
            *bus,
        ],
    )
