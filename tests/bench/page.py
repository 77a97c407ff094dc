"""BENCHMARKS.md, and the goals: what was asked for, what was measured, whether it is held."""

from engines import cost
from plots import DEBOUNCE, middle, number, sampling
from solve import POSITIONS
from wire import CLOCKS, milliseconds

HEAD = """# Benchmarks

Measured by `make bench` in one run on one machine, {date}: {processor}, {cores} cores, {system},
Python {python}; load before the run {load}; {seconds} s. It was no Raspberry Pi: a Pi Zero is roughly 20 to
40 times slower than a desktop. Times are medians of runs that took turns, so that a slow moment strikes all
alike. Machine instructions are counted by valgrind; they hardly differ from run to run. The raw figures are
in
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
    """Return the goals as rows: what, asked for, measured, held (None: could not be measured)."""
    engine, bus = figures["engine"], figures["bus"]
    small, large = "empty 3x3", "empty 4x4"
    goals = [
        _most("engine, empty 3x3: positions visited", 250, cost(engine, small, "engine", "nodes")),
        _most(
            "engine, empty 3x3: million instructions",
            10,
            cost(engine, small, "engine", "million instructions"),
        ),
        _least(
            "engine, empty 3x3: times faster than textbook alpha-beta",
            50,
            ratio(cost(engine, small, "textbook alpha-beta"), cost(engine, small, "engine")),
        ),
        _most("engine, vanishing: principal variations that are not best play", 0, _not_best(figures)),
        _most("engine, empty 4x4: positions visited", 20_000, cost(engine, large, "engine", "nodes")),
        _most("engine, empty 4x4: MB of the whole process", 30, cost(engine, large, "engine", "MB")),
        _least(
            "engine, empty 4x4: times faster than easyAI with its table",
            30,
            ratio(cost(engine, large, "easyAI with table"), cost(engine, large, "engine")),
        ),
        _most("bytes on the bus for a mark and what changes beside it", 60, max(bus["marks"])),
        _most(
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
            _most("start to first light, times `python3 -c pass`", 2, times["splash"] / bare),
            _most("start to the board, times importing the libraries alone", 1.25, board / libraries),
            _most("the same with a configuration file", 1.25, configured / libraries),
        ]
    if "idle" in figures:
        idle = figures["idle"]
        goals += [
            _most("memory in use, MB", 40, idle["memory"]["MB peak"]),
            _most("idle CPU awake, % of this core", 0.5, idle["awake"]["CPU %"]),
            _most("idle CPU asleep, % of this core", 0.2, idle["asleep"]["CPU %"]),
            _most("wake-ups a second, awake", 160, idle["awake"]["wake-ups a second"]),
            _most("wake-ups a second, asleep", 80, idle["asleep"]["wake-ups a second"]),
        ]
    if "press" in figures:
        press = figures["press"]
        worst = max(press["whole"]) + milliseconds(max(figures["bus"]["marks"]), CLOCKS[0])
        goals += [
            _most("press to mark: the program's part, ms", 3, middle(press["program"])),
            _most("press to mark at 100 kHz, the slowest of all, ms", 45, worst),
        ]
    return goals


def _most(what, most, value):
    return {
        "goal": what,
        "asked": f"at most {most:,}",
        "got": value,
        "held": None if value is None else value <= most,
    }


def _least(what, least, value):
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
        "One search from the position to the end of the game, in a process of its own; time and positions "
        "visited are of the search alone, memory is the peak of the whole process, instructions are beyond "
        "importing. The textbook's functions are this project's, written as published. "
    ) + (
        f"Installed for the comparison: {versions}; OpenSpiel's alpha-beta is the one in its Python "
        "package, on its C++ game."
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
        "recorded in the simulator and shown again through luma.oled's own ssd1306 driver; bytes with their "
        "address bytes, nine bits each, as the simulated bus counts them."
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
        "Each is a process that ends at that point; over stand-ins for the GPIO chip and the I2C bus, so "
        "that gpiozero, luma and smbus2 are the real ones. The bus takes no time here. The "
        "configuration file of the last row sets two keys, so that YAML is needed; as it is installed it "
        "is comments alone, and YAML is not."
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
        "The whole process over the stand-in chip. A second after the last key the kernel is asked to watch "
        "the columns, and until one falls nothing of the box runs: what is counted here is the thread that "
        "does the counting. The other rows are there to compare. Polling is this box where the columns "
        "cannot be watched: it looks every 20 ms, every 40 ms asleep. On lgpio is the same box with the real "
        "lgpio, which gpiozero takes by itself, in place of our own pins: it polls, and lgpio has a thread "
        "which wakes 50 times a second from the moment that the chip is opened, whatever is asked of it. "
        "So has a box with a buzzer, whose tones are lgpio's. Lgpio alone is a process that has opened the "
        "pins through gpiozero and lgpio, and does nothing else. What one wake-up costs is the machine's "
        "own, and differs from hour to hour: compare the rows, which took turns, with each other."
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
        f"{len(press['whole'])} presses at chance moments. Sampling is the time from the contact to the "
        "first look at the keys. Where none has been touched for a second, the kernel tells of the contact "
        "and the look follows at once; soon after another press the keys are looked at every 20 ms, and the "
        "next look is waited for. Debounce is the second equal sample, 5 ms later. Program is from the "
        "accepted press to the last byte of the mark; it is everything that Python does. Whole is all three, "
        f"measured from the contact. The bus is {most} bytes, the dearest mark."
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
