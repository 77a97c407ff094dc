"""What is measured of the box itself: the bus, the start, idling, a press."""

import wire
from measure import BUILD, HERE, RUNNER, in_turns, instructions, json_of, median, progress, run

IDLE_SECONDS = 5
IDLE_ROUNDS = 3
PRESSES = 40
ROUNDS = 11
LGPIO = {"GPIOZERO_PIN_FACTORY": "lgpio"}


def bus():
    """Return what a recorded game costs on the bus, and a mark."""
    progress("a game on the bus")
    box, shown = wire.play()
    ours = [(count, transactions) for _, _, count, transactions in shown]
    stock = wire.stock(shown)
    return {
        "moves": str(box.session.board),
        "pictures": len(shown),
        "ours": [count for count, _ in ours],
        "stock": [count for count, _ in stock],
        "transactions": {"ours": sum(n for _, n in ours), "stock": sum(n for _, n in stock)},
        "marks": wire.marks(),
    }


LIBRARIES = "import gpiozero, gpiozero.pins.lgpio, luma.oled.device, PIL.Image, yaml"
CONFIGURATION = "language: en\ngame:\n  level: hard\n"


def start(library):
    """Return the time, CPU time and instructions from the start to the splash and to the board.

    Each is a process that ends there. The byte code is compiled before: the first round is thrown away.
    """
    state, home = BUILD / "state", BUILD / "home"
    state.mkdir(exist_ok=True)
    (home / "tictactoe").mkdir(parents=True, exist_ok=True)
    plain = {"LD_PRELOAD": library, "STATE_DIRECTORY": str(state)}
    box = [*RUNNER, HERE / "start.py"]
    written = home / "tictactoe" / "config.yaml"
    written.write_text(CONFIGURATION, encoding="utf-8")
    configured = plain | {"XDG_CONFIG_HOME": str(home), "STATE_DIRECTORY": str(BUILD / "state2")}
    (BUILD / "state2").mkdir(exist_ok=True)
    cases = {
        "python3 -c pass": ([*RUNNER, "-c", "pass"], {"LD_PRELOAD": library}),
        "splash": (box, plain | {"FAKEBUS_EXIT": "1"}),
        "gpiozero (lgpio), luma.oled, PIL and yaml": ([*RUNNER, "-c", LIBRARIES], {"LD_PRELOAD": library}),
        "board": (box, plain | {"FAKEBUS_EXIT": "2"}),
        "board, with a configuration file": (box, configured | {"FAKEBUS_EXIT": "2"}),
    }
    progress("start: the first run, which prepares the splash")
    for environment in (plain, configured):
        # A box that runs until TERM has prepared its splash; this one ends at its goodbye.
        run(["timeout", "--signal=TERM", "--preserve-status", "3", *box], **environment)
    calls = {
        name: lambda name=name, command=command, more=more: _started(name, command, more)
        for name, (command, more) in cases.items()
    }
    results = in_turns(calls, ROUNDS + 1)
    figures = []
    for name, (command, more) in cases.items():
        kept = results[name][1:]
        progress(f"start: counting instructions: {name}")
        figures.append(
            {
                "until": name,
                "ms": median([wall for wall, _, _ in kept]),
                "CPU ms": median([cpu for _, cpu, _ in kept]),
                "million instructions": instructions(command, **more),
                "all CPU ms": [round(cpu, 2) for _, cpu, _ in kept],
            }
        )
    return figures


def _started(name, command, more):
    progress(f"start: {name}")
    return run(command, **more)


def idle(library):
    """Return what a minute costs on which nobody presses a key, and the memory.

    What a wake-up costs depends on what else the machine does: so they take turns, and the median counts.
    """
    cases = {
        "the box": ("idle", {}),
        "the box without edges": ("polling", {}),
        "the box on lgpio": ("idle", LGPIO),
        "lgpio alone": ("library", LGPIO),
    }
    calls = {
        name: lambda name=name, what=what, more=more: _idled(name, what, {"LD_PRELOAD": library, **more})
        for name, (what, more) in cases.items()
    }
    results = in_turns(calls, IDLE_ROUNDS)
    box = results["the box"]
    kept = {name: _middle([each[name] for each in box]) for name in ("awake", "dimmed", "asleep")}
    for how, case in (("polling", "the box without edges"), ("on lgpio", "the box on lgpio")):
        kept |= {f"{name}, {how}": _middle([e[name] for e in results[case]]) for name in ("awake", "asleep")}
    kept["lgpio alone"] = _middle(results["lgpio alone"])
    return kept | {"memory": max((each["memory"] for each in box), key=lambda memory: memory["MB peak"])}


def _idled(name, what, more):
    progress(f"idle: {name}")
    return json_of([*RUNNER, HERE / "box.py", what, str(IDLE_SECONDS)], **more)


def _middle(watched):
    """Return the one of the median CPU time, and the CPU times of all."""
    ordered = sorted(watched, key=lambda each: each["CPU %"])
    return ordered[len(ordered) // 2] | {"all CPU %": [round(each["CPU %"], 3) for each in watched]}


def press(library):
    """Return how long it takes from the contact to the mark's bytes, the bus itself taking no time."""
    progress(f"press to mark: {PRESSES} presses")
    log = BUILD / "press.log"
    log.unlink(missing_ok=True)
    more = {"LD_PRELOAD": library, "FAKEBUS_LOG": str(log)}
    return json_of([*RUNNER, HERE / "box.py", "press", str(PRESSES)], **more)
