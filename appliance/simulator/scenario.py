"""Scenarios: a file of steps, played on a virtual clock, without a terminal and without sleeping.

A file is a list of steps, each a mapping with one entry; `config` and `seed` may come first, as entries of
the list or beside a key `steps` that holds it. Reading and playing are apart: a file that makes no sense is
refused before anything is played.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from appliance.config import Config
from appliance.config import from_node as config_from_node
from appliance.simulator.painter import seen
from appliance.simulator.picture import save_png
from appliance.simulator.virtual import WAIT_LONGEST, VirtualBox
from appliance.values import Boolean, Integer, Kind, Number, Text, Word
from appliance.yamlfile import Node
from appliance.yamlfile import read as read_yaml

KEY = Integer(1, 9, "a key")
DAY = 86_400  # the virtual seconds that a scenario may last, all its steps together
SECONDS = Number(0, DAY, "seconds")
HELD = Number(0, 600, "seconds")  # while a contact is closed every poll is simulated
CHATTER = Number(0, 1, "seconds")
COUNT = Integer(0, 1_000_000)
NTH = Integer(1, 1_000_000, "the number of a byte on the bus")
PHASES = (
    "your_turn",
    "placed",
    "thinking",
    "game_over",
    "menu",
    "demo",
    "asleep",
    "waking",
    "leaving",
    "ended",
    "off",
)
WAITS = ("your_turn", "game_over", "menu", "asleep", "thinking")
BOARD = Text("nine characters of x, o and .", "[xo.]{9}")
PICTURE = Text("the name of a .png file in this folder", r"[A-Za-z0-9_][A-Za-z0-9_.-]*\.png")
SCORE = ("you", "box", "drawn")

Play = Callable[[VirtualBox], str]  # plays a step; returns "" when it held, otherwise why it did not


@dataclass(frozen=True, slots=True)
class ScenarioStep:
    """One step: what was written (`name` and `value`), and what playing it does."""

    name: str
    value: Any
    play: Play

    @property
    def longest(self) -> float:
        """The seconds that it lasts at most; a tap counts as none."""
        match self.name, self.value:
            case "wait", seconds:
                return float(seconds)
            case "hold" | "bounce", {"for": seconds}:
                return float(seconds)
            case "wait_for", _:
                return WAIT_LONGEST
        return 0.0


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario that makes sense: the configuration, the seed of all chance, and the steps."""

    config: Config
    seed: int
    steps: tuple[ScenarioStep, ...]


def _does(act: Callable[[VirtualBox], object]) -> Play:
    def play(box: VirtualBox) -> str:
        act(box)
        return ""

    return play


def _key_for(node: Node, longest: Number) -> tuple[int, float]:
    entries = node.mapping(("key", "for"), required=("key", "for"))
    return KEY.read(entries["key"]), longest.read(entries["for"])


def _tap(node: Node) -> tuple[Any, Play]:
    key = KEY.read(node)
    return key, _does(lambda box: box.tap(key - 1))


def _hold(node: Node) -> tuple[Any, Play]:
    key, seconds = _key_for(node, HELD)
    return {"key": key, "for": seconds}, _does(lambda box: box.tap(key - 1, seconds))


def _press(node: Node) -> tuple[Any, Play]:
    key = KEY.read(node)
    return key, _does(lambda box: box.press(key - 1))


def _release(node: Node) -> tuple[Any, Play]:
    key = KEY.read(node)
    return key, _does(lambda box: box.release(key - 1))


def _chord(node: Node) -> tuple[Any, Play]:
    first, second = (KEY.read(item) for item in node.items(2))
    if first == second:
        raise node.error("expected two different keys")
    return [first, second], _does(lambda box: box.chord(first - 1, second - 1))


def _bounce(node: Node) -> tuple[Any, Play]:
    key, seconds = _key_for(node, CHATTER)
    return {"key": key, "for": seconds}, _does(lambda box: box.bounce(key - 1, seconds))


def _stick(node: Node) -> tuple[Any, Play]:
    key = KEY.read(node)
    return key, _does(lambda box: box.desk.network.stick(key - 1))


def _unstick(node: Node) -> tuple[Any, Play]:
    key = KEY.read(node)
    return key, _does(lambda box: box.desk.network.unstick(key - 1))


def _wait(node: Node) -> tuple[Any, Play]:
    seconds = SECONDS.read(node)
    return seconds, _does(lambda box: box.wait(seconds))


def _wait_for(node: Node) -> tuple[Any, Play]:
    phase = Word(*WAITS).read(node)

    def play(box: VirtualBox) -> str:
        return "" if box.wait_for(phase) else f"60 seconds went by and the phase is {box.phase}"

    return phase, play


def _unplug(node: Node) -> tuple[Any, Play]:
    what = Word("display").read(node)
    return what, _does(lambda box: box.desk.bus.unplug())


def _plug(node: Node) -> tuple[Any, Play]:
    what = Word("display").read(node)
    return what, _does(lambda box: box.desk.bus.plug())


def _bus_error(node: Node) -> tuple[Any, Play]:
    nth = NTH.read(node)
    return nth, _does(lambda box: box.desk.bus.fault(nth))


def _power(node: Node) -> tuple[Any, Play]:
    what = Word("cut", "on").read(node)
    return what, _does(VirtualBox.power_cut if what == "cut" else VirtualBox.power_on)


def _signal(node: Node) -> tuple[Any, Play]:
    what = Word("TERM").read(node)
    return what, _does(VirtualBox.stop)


def _screenshot(node: Node) -> tuple[Any, Play]:
    name = PICTURE.read(node)

    def take(box: VirtualBox) -> None:
        display = box.desk.config.display
        save_png(seen(box.desk.chip.picture(), display.rotate), Path(name))

    return name, _does(take)


def _expect(node: Node) -> tuple[Any, Play]:
    readers: dict[str, Kind[Any]] = {"board": BOARD, "phase": Word(*PHASES), "lit": Boolean()}
    entries = node.mapping((*readers, "score"))
    wanted: dict[str, Any] = {
        name: readers[name].read(value) for name, value in entries.items() if name != "score"
    }
    if "score" in entries:
        wanted["score"] = {name: COUNT.read(value) for name, value in entries["score"].mapping(SCORE).items()}

    def play(box: VirtualBox) -> str:
        found = state(box)
        told = []
        for name, value in wanted.items():
            real = {key: found["score"][key] for key in value} if name == "score" else found[name]
            if real != value:
                told.append(f"{name} is {_plain(real)}, not {_plain(value)}")
        return "; ".join(told)

    return wanted, play


STEPS: Mapping[str, Callable[[Node], tuple[Any, Play]]] = {
    "tap": _tap,
    "hold": _hold,
    "press": _press,
    "release": _release,
    "chord": _chord,
    "bounce": _bounce,
    "stick": _stick,
    "unstick": _unstick,
    "wait": _wait,
    "wait_for": _wait_for,
    "unplug": _unplug,
    "plug": _plug,
    "bus_error": _bus_error,
    "power": _power,
    "signal": _signal,
    "screenshot": _screenshot,
    "expect": _expect,
}


def read(path: Path) -> Scenario:
    """Return the scenario in a file. Raise `UserError` for one that makes no sense, with the step and why."""
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
    seed = Integer(0, 2**32 - 1).read(settings["seed"]) if "seed" in settings else 0
    config = config_from_node(settings["config"]) if "config" in settings else Config()
    steps = []
    for item in items:
        name, node = item.entry(STEPS)
        value, play = STEPS[name](node)
        steps.append(ScenarioStep(name, value, play))
    seconds = sum(step.longest for step in steps)
    if seconds > DAY:
        raise top.error(f"expected steps of at most {DAY} seconds in all, found {seconds:g}")
    return Scenario(config, seed, tuple(steps))


def state(box: VirtualBox) -> dict[str, Any]:
    """Return what a scenario can ask about a box."""
    tally = box.session.scores.box
    return {
        "board": box.session.board,
        "phase": box.phase,
        "lit": box.lit,
        "score": {"you": tally.first, "box": tally.second, "drawn": tally.drawn},
    }


def play(scenario: Scenario, tell: Callable[[str], None]) -> dict[str, Any]:
    """Play a scenario and return its report, in the form that `--json` prints. `tell` gets a line a step."""
    with TemporaryDirectory(prefix="tictactoe-") as state_directory:
        box = VirtualBox(scenario.config, scenario.seed, Path(state_directory))
        report = []
        try:
            for number, step in enumerate(scenario.steps, start=1):
                why = step.play(box)
                at = round(box.time, 6)
                written = {step.name: step.value}
                report.append({"step": written, "ok": not why, "at": at, **({"why": why} if why else {})})
                tell(f"{at:10.3f} s  {number:3}  {_plain(written)[1:-1]}: {why or 'ok'}")
            final = {
                **state(box),
                "frames": box.frames,
                "bus_bytes": box.desk.bus.bytes,
                "virtual_seconds": round(box.time, 6),
            }
        finally:
            box.power_cut()  # which lets the files of the store go
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
