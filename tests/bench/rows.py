"""What is measured of the box itself: the bus, the start, idling, a press."""

import wire
from measure import BUILD, HERE, RUNNER, in_turns, instructions, median, progress, run, told

IDLE_SECONDS = 20
POLLING_SECONDS = 10
PRESSES = 40
ROUNDS = 11
FLOORS = {"lgpio alone": "library", "lgpio and a thread that wakes 25 times a second": "thread"}


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
        # A box that runs until it is told to end has prepared its splash; this one ends at its goodbye.
        run(["timeout", "--signal=TERM", "--preserve-status", "3", *box], **environment)
    calls = {
        name: lambda name=name, command=command, more=more: _started(name, command, more)
        for name, (command, more) in cases.items()
    }
    results = in_turns(calls, ROUNDS + 1)
    told = []
    for name, (command, more) in cases.items():
        kept = results[name][1:]
        progress(f"start: counting instructions: {name}")
        told.append(
            {
                "until": name,
                "ms": median([wall for wall, _, _ in kept]),
                "CPU ms": median([cpu for _, cpu, _ in kept]),
                "million instructions": instructions(command, **more),
                "all CPU ms": [round(cpu, 2) for _, cpu, _ in kept],
            }
        )
    return told


def _started(name, command, more):
    progress(f"start: {name}")
    return run(command, **more)


def idle(library):
    """Return what a minute costs on which nobody presses a key, and the memory."""
    progress(f"idle: {3 * IDLE_SECONDS} seconds awake, dimmed and asleep")
    more = {"LD_PRELOAD": library}
    box = told([*RUNNER, HERE / "box.py", "idle", str(IDLE_SECONDS)], **more)
    progress(f"idle: {3 * POLLING_SECONDS} seconds of the same without edges")
    polling = told([*RUNNER, HERE / "box.py", "polling", str(POLLING_SECONDS)], **more)
    box |= {f"{name}, polling": polling[name] for name in ("awake", "asleep")}
    for name, what in FLOORS.items():
        progress(f"idle: {IDLE_SECONDS} seconds of {name}")
        box[name] = told([*RUNNER, HERE / "box.py", what, str(IDLE_SECONDS)], **more)
    return box


def press(library):
    """Return how long it takes from the contact to the mark's bytes, the bus itself taking no time."""
    progress(f"press to mark: {PRESSES} presses")
    log = BUILD / "press.log"
    log.unlink(missing_ok=True)
    more = {"LD_PRELOAD": library, "FAKEBUS_LOG": str(log)}
    return told([*RUNNER, HERE / "box.py", "press", str(PRESSES)], **more)
