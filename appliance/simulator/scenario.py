"""Scenarios: a file of steps, played on a virtual clock, without a terminal and without sleeping.

A file is a list of steps, each a mapping with one entry; `config` and `seed` may come first, as entries of
the list or beside a key `steps` that holds it. A file is read as a whole before anything is played.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from appliance.config import Config
from appliance.config import from_node as config_from_node
from appliance.core.state import Phase
from appliance.simulator.layout import upright
from appliance.simulator.picture import save_png
from appliance.simulator.virtual import WAIT_LONGEST, VirtualBox
from appliance.values import BOOLEAN, Kind, integer, number, text, word
from appliance.yamlfile import Node
from appliance.yamlfile import read as read_yaml

DAY = 86_400  # the virtual seconds that a scenario may last, all its steps together
KEY = integer(1, 9, "a key")
SECONDS = number(0, DAY, "seconds")
HELD = number(0, 600, "seconds")  # while a contact is closed every poll is simulated
CHATTER = number(0, 1, "seconds")
COUNT = integer(0, 1_000_000)
NTH = integer(1, 1_000_000, "the number of a byte on the bus")
WAITS = word("your_turn", "game_over", "menu", "asleep", "thinking")
BOARD = text("nine characters of x, o and .", "[xo.]{9}")
PICTURE = text("the name of a .png file in this folder", r"[A-Za-z0-9_][A-Za-z0-9_.-]*\.png")
SCORE = ("you", "box", "drawn")
EXPECTED: Mapping[str, Kind[Any]] = {
    "board": BOARD,
    "phase": word(*(phase.value for phase in Phase), "off"),
    "lit": BOOLEAN,
}


class StepKind(NamedTuple):
    """How a step's value is read, and how it is played: `play` returns why the step failed, as a string."""

    read: Callable[[Node], Any]
    play: Callable[[VirtualBox, Any], object]
    seconds: Callable[[Any], float] = lambda _value: 0.0  # how long it lasts at most; a tap counts as nothing


class Scenario(NamedTuple):
    """A valid scenario: the configuration, the seed of all chance, and the steps, each a name and a value."""

    config: Config
    seed: int
    steps: tuple[tuple[str, Any], ...]


def _key_for(seconds: Kind[float], node: Node) -> dict[str, Any]:
    entries = node.mapping(("key", "for"), required=("key", "for"))
    return {"key": KEY.read(entries["key"]), "for": seconds.read(entries["for"])}


def _two_keys(node: Node) -> list[int]:
    first, second = (KEY.read(item) for item in node.items(2))
    if first == second:
        raise node.error("expected two different keys")
    return [first, second]


def _expectations(node: Node) -> dict[str, Any]:
    entries = node.mapping((*EXPECTED, "score"))
    wanted = {name: EXPECTED[name].read(value) for name, value in entries.items() if name != "score"}
    if "score" in entries:
        wanted["score"] = {name: COUNT.read(value) for name, value in entries["score"].mapping(SCORE).items()}
    return wanted


def _wait_for(box: VirtualBox, phase: str) -> str:
    return "" if box.wait_for(phase) else f"60 seconds went by and the phase is {box.phase}"


def _screenshot(box: VirtualBox, name: str) -> None:
    save_png(upright(box.desk.chip.picture(), box.desk.config.display.rotate), Path(name))


def _expect(box: VirtualBox, wanted: dict[str, Any]) -> str:
    found, wrong = state(box), []
    for name, value in wanted.items():
        real = {key: found["score"][key] for key in value} if name == "score" else found[name]
        if real != value:
            wrong.append(f"{name} is {_plain(real)}, not {_plain(value)}")
    return "; ".join(wrong)


STEPS: Mapping[str, StepKind] = {
    "tap": StepKind(KEY.read, lambda box, key: box.tap(key - 1)),
    "hold": StepKind(
        partial(_key_for, HELD),
        lambda box, held: box.tap(held["key"] - 1, held["for"]),
        lambda held: held["for"],
    ),
    "press": StepKind(KEY.read, lambda box, key: box.press(key - 1)),
    "release": StepKind(KEY.read, lambda box, key: box.release(key - 1)),
    "chord": StepKind(_two_keys, lambda box, pair: box.chord(pair[0] - 1, pair[1] - 1)),
    "bounce": StepKind(
        partial(_key_for, CHATTER),
        lambda box, held: box.bounce(held["key"] - 1, held["for"]),
        lambda held: held["for"],
    ),
    "stick": StepKind(KEY.read, lambda box, key: box.desk.network.stick(key - 1)),
    "unstick": StepKind(KEY.read, lambda box, key: box.desk.network.unstick(key - 1)),
    "wait": StepKind(SECONDS.read, VirtualBox.wait, float),
    "wait_for": StepKind(WAITS.read, _wait_for, lambda _phase: WAIT_LONGEST),
    "unplug": StepKind(word("display").read, lambda box, _display: box.desk.bus.unplug()),
    "plug": StepKind(word("display").read, lambda box, _display: box.desk.bus.plug()),
    "bus_error": StepKind(NTH.read, lambda box, nth: box.desk.bus.fault(nth)),
    "power": StepKind(
        word("cut", "on").read, lambda box, to: box.power_cut() if to == "cut" else box.power_on()
    ),
    "signal": StepKind(word("TERM").read, lambda box, _term: box.stop()),
    "screenshot": StepKind(PICTURE.read, _screenshot),
    "expect": StepKind(_expectations, _expect),
}


def read(path: Path) -> Scenario:
    """Return the scenario in a file. Raise `UserError`, with the step and why, for an invalid one."""
    top = read_yaml(path)
    settings: dict[str, Node] = {}
    if isinstance(top.value, Mapping):
        entries = top.mapping(("config", "seed", "steps"), required=("steps",))
        settings = {name: node for name, node in entries.items() if name != "steps"}
        items = entries["steps"].items()
    else:
        items = top.items()
        while items:
            name, node = items[0].entry((*STEPS, "config", "seed"))
            if name in STEPS:
                break
            if name in settings:
                raise node.error(f"{name} is given twice")
            settings[name] = node
            items = items[1:]
    seed = integer(0, 2**32 - 1).read(settings["seed"]) if "seed" in settings else 0
    config = config_from_node(settings["config"]) if "config" in settings else Config()
    steps = tuple((name, STEPS[name].read(node)) for name, node in (item.entry(STEPS) for item in items))
    seconds = sum(STEPS[name].seconds(value) for name, value in steps)
    if seconds > DAY:
        raise top.error(f"expected steps of at most {DAY} seconds in all, found {seconds:g}")
    return Scenario(config, seed, steps)


def state(box: VirtualBox) -> dict[str, Any]:
    """Return what a scenario can ask about a box."""
    tally = box.session.scores.box
    return {
        "board": box.session.board,
        "phase": box.phase,
        "lit": box.lit,
        "score": {"you": tally.first, "box": tally.second, "drawn": tally.drawn},
    }


def play(scenario: Scenario, write: Callable[[str], None]) -> dict[str, Any]:
    """Play a scenario and return its report, in the form that `--json` prints. `write` gets a line a step."""
    with TemporaryDirectory(prefix="tictactoe-") as state_directory:
        box = VirtualBox(scenario.config, scenario.seed, Path(state_directory))
        report = []
        try:
            for number, (name, value) in enumerate(scenario.steps, start=1):
                why = STEPS[name].play(box, value) or ""
                at = round(box.time, 6)
                report.append(
                    {"step": {name: value}, "ok": not why, "at": at, **({"why": why} if why else {})}
                )
                write(f"{at:10.3f} s  {number:3}  {_plain({name: value})[1:-1]}: {why or 'ok'}")
            final = {
                **state(box),
                "frames": box.frames,
                "bus_bytes": box.desk.bus.bytes,
                "virtual_seconds": round(box.time, 6),
            }
        finally:
            box.power_cut()  # closes the files of the store
    return {"ok": all(entry["ok"] for entry in report), "steps": report, "final": final}


def run_file(path: Path, as_json: bool) -> int:
    """Play the scenario in a file and print its report. Return 0 when every step held, otherwise 1."""
    scenario = read(path)
    report = play(scenario, (lambda _line: None) if as_json else print)
    if as_json:
        print(json.dumps(report))  # noqa: T201 - this is the command's output
    else:
        final = report["final"]
        print(f"{'all steps held' if report['ok'] else 'FAILED'}: {_plain(final)}")  # noqa: T201 - likewise
    return 0 if report["ok"] else 1


def _plain(value: Any) -> str:
    return json.dumps(value).replace('"', "")
