"""A box over the stand-ins: its start, a minute in which nobody presses, and presses."""

from functools import partial
from pathlib import Path
from statistics import median

from measure import BUILD, HERE, RUNNER, in_turns, instructions, json_of, run, stand_ins

IDLE_SECONDS = 5
IDLE_ROUNDS = 3
PRESSES = 40
START_ROUNDS = 11
LGPIO = {"GPIOZERO_PIN_FACTORY": "lgpio"}
SERVICE = [*RUNNER, "-c", "import sys; from appliance.cli import main; sys.exit(main(['run']))"]
LIBRARIES = "gpiozero (lgpio), luma.oled, PIL and yaml"
IMPORTS = "import gpiozero, gpiozero.pins.lgpio, luma.oled.device, PIL.Image, yaml"
CONFIGURATION = "language: en\ngame:\n  level: hard\n"


def start():
    """Return rows: the time, CPU time and instructions of a process that ends at that point."""
    config = BUILD / "home" / "tictactoe" / "config.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(CONFIGURATION, encoding="utf-8")
    bare = {"LD_PRELOAD": stand_ins()}
    plain, configured = (bare | {"STATE_DIRECTORY": str(BUILD / name)} for name in ("state", "state2"))
    configured["XDG_CONFIG_HOME"] = str(BUILD / "home")
    for environment in (plain | {"XDG_CONFIG_HOME": configured["XDG_CONFIG_HOME"]}, plain, configured):
        Path(environment["STATE_DIRECTORY"]).mkdir(exist_ok=True)
        # The first run compiles the byte code and prepares the splash of the next. Without a language in its
        # configuration the first start of all would ask for one.
        run(["timeout", "--signal=TERM", "--preserve-status", "3", *SERVICE], **environment)
    cases = {
        "python3 -c pass": ([*RUNNER, "-c", "pass"], bare),
        "splash": (SERVICE, plain | {"FAKEBUS_EXIT": "1"}),
        LIBRARIES: ([*RUNNER, "-c", IMPORTS], bare),
        "board": (SERVICE, plain | {"FAKEBUS_EXIT": "2"}),
        "board, with a configuration file": (SERVICE, configured | {"FAKEBUS_EXIT": "2"}),
    }
    calls = {name: partial(run, command, **more) for name, (command, more) in cases.items()}
    results = in_turns(calls, START_ROUNDS)
    return [
        {
            "until": name,
            "CPU ms": median(cpu for _, cpu, *_ in results[name]),
            "ms": median(wall for wall, *_ in results[name]),
            "million instructions": instructions(command, **more),
        }
        for name, (command, more) in cases.items()
    ]


def idle():
    """Return name -> what a minute costs on which nobody presses a key: the median run by CPU time."""
    cases = {"": ("watch", {}), ", polling": ("watch_polling", {}), ", on lgpio": ("watch", LGPIO)}
    calls = {
        f"idle{name}": partial(inside, what, IDLE_SECONDS, LD_PRELOAD=stand_ins(), **more)
        for name, (what, more) in cases.items()
    }
    results = in_turns(calls, IDLE_ROUNDS)
    figures = {}
    for name in cases:
        for phase in ("awake", "dimmed", "asleep"):
            runs = sorted((one[phase] for one in results[f"idle{name}"]), key=lambda one: one["CPU %"])
            figures[phase + name] = runs[IDLE_ROUNDS // 2]
    return figures


def press():
    """Return how long it takes from the contact to the mark's bytes."""
    log = BUILD / "press.log"
    log.unlink(missing_ok=True)
    return inside("time_presses", PRESSES, LD_PRELOAD=stand_ins(), FAKEBUS_LOG=str(log))


def inside(what, number, **environment):
    """Return what a function of inside.py returns in a process over the stand-ins."""
    return json_of([*RUNNER, HERE / "inside.py", what, number], **environment)
