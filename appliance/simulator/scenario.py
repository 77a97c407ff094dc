"""Scenarios: a file of steps, played on a virtual clock, without a terminal and without sleeping.

A file is a list of steps, each a mapping with one entry; `config`, `seed` and `ask` may come first, as
entries of the list or as keys beside `steps`. The whole file is checked before any step is played.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from appliance.config.kinds import BOOLEAN, choice, integer, number, text
from appliance.config.reading import config_from_node
from appliance.config.schema import Config
from appliance.config.yamlfile import YamlNode, read_yaml
from appliance.core.errors import UserError
from appliance.core.keys.scan import KEYS
from appliance.core.picture.canvas import Frame
from appliance.core.session.score import face
from appliance.core.session.state import Phase
from appliance.core.session.view import view
from appliance.simulator.key_faults import FAULT, KEY_FAULTS
from appliance.simulator.spoken import words_of
from appliance.simulator.virtual import WAIT_LONGEST, VirtualBox

MAX_SECONDS = 86_400  # the virtual seconds that a scenario may last in all
PHASES = [phase.value for phase in Phase]
KEY = integer(1, 9, "a key")
COUNT = integer(0, 1_000_000)
NTH = integer(1, 1_000_000, "the number of a byte on the bus")
DISPLAY = choice("display")
PICTURE = text("the name of a .png file in this folder", r"[A-Za-z0-9_][A-Za-z0-9_.-]*\.png")
SEED = integer(0, 2**32 - 1)
HEAD_KEYS = ("config", "seed", "ask")  # what may come before the steps

LIT = (226, 240, 255)  # the look of a white OLED
DARK = (8, 12, 20)
SCALE = 4  # pixels of the file per pixel of the display, in both directions


class StepKind(NamedTuple):
    """How to read a step's value, and how to play it: `play` returns why it failed, or a false value."""

    read: Callable[[YamlNode], Any]
    play: Callable[[VirtualBox, Any], object]
    seconds: Callable[[Any], float] = lambda _value: 0.0  # the longest it can take; a tap counts as 0


class Scenario(NamedTuple):
    """A valid scenario: the configuration, the random seed, and the steps, each a name and a value.

    With `ask` the first start asks for the language, like a real box.
    """

    config: Config
    seed: int
    ask: bool
    steps: tuple[tuple[str, Any], ...]


def _key_step(play: Callable[[VirtualBox, int], object]) -> StepKind:
    return StepKind(KEY.read, lambda box, key: play(box, key - 1))


def _timed_key_step(longest: float, play: Callable[[VirtualBox, int, float], object]) -> StepKind:
    seconds = number(0, longest, "seconds")

    def read(node: YamlNode) -> dict[str, Any]:
        entries = node.mapping(("key", "for"), required=("key", "for"))
        return {"key": KEY.read(entries["key"]), "for": seconds.read(entries["for"])}

    return StepKind(read, lambda box, step: play(box, step["key"] - 1, step["for"]), lambda step: step["for"])


def _two_keys(node: YamlNode) -> list[int]:
    first, second = (KEY.read(item) for item in node.items(2))
    if first == second:
        raise node.error("expected two different keys")
    return [first, second]


def _score(node: YamlNode) -> dict[str, int]:
    return {who: COUNT.read(count) for who, count in node.mapping(("you", "box", "drawn")).items()}


EXPECTATIONS: Mapping[str, Callable[[YamlNode], Any]] = {
    "board": text("nine characters of x, o and ., or nine boards", "[xo.]{9}( [xo.]{9}){8}|[xo.]{9}").read,
    "phase": choice(*PHASES, "off").read,
    "lit": BOOLEAN.read,
    "score": _score,
    "strength": COUNT.read,
    "says": text("words on the display").read,
    "face": text("an expression of the box's face").read,
}


def _expectations(node: YamlNode) -> dict[str, Any]:
    return {name: EXPECTATIONS[name](value) for name, value in node.mapping(EXPECTATIONS).items()}


def _wait_for(box: VirtualBox, phase: str) -> str:
    return "" if box.wait_for(phase) else f"{WAIT_LONGEST:g} seconds went by and the phase is {box.phase}"


def _expect(box: VirtualBox, wanted: dict[str, Any]) -> str:
    says = " / ".join(words_of(view(box.session).scene))
    found, wrong = {**state(box), "says": says, "face": face(box.session)}, []
    for name, value in wanted.items():
        real = {key: found["score"][key] for key in value} if name == "score" else found[name]
        if name == "says" and value in real:
            continue
        if real != value:
            wrong.append(f"{name} is {_plain(real)}, not {_plain(value)}")
    return "; ".join(wrong)


STEPS: Mapping[str, StepKind] = {
    "tap": _key_step(VirtualBox.tap),
    "press": _key_step(VirtualBox.press),
    "release": _key_step(VirtualBox.release),
    "down": _key_step(lambda box, key: box.hardware.network.press(key)),
    "up": _key_step(lambda box, key: box.hardware.network.release(key)),
    "stick": _key_step(lambda box, key: box.hardware.network.stick(key)),
    "unstick": _key_step(lambda box, key: box.hardware.network.unstick(key)),
    "hold": _timed_key_step(600, VirtualBox.tap),  # while a contact is closed every poll is simulated
    "bounce": _timed_key_step(1, VirtualBox.bounce),
    "chord": StepKind(_two_keys, lambda box, pair: box.chord(pair[0] - 1, pair[1] - 1)),
    "wait": StepKind(number(0, MAX_SECONDS, "seconds").read, VirtualBox.wait, float),
    "wait_for": StepKind(choice(*PHASES).read, _wait_for, lambda _phase: WAIT_LONGEST),
    "unplug": StepKind(DISPLAY.read, lambda box, _display: box.hardware.bus.unplug()),
    "plug": StepKind(DISPLAY.read, lambda box, _display: box.hardware.bus.plug()),
    "fault": StepKind(FAULT.read, lambda box, name: KEY_FAULTS[name].apply(box.hardware.network)),
    "bus_error": StepKind(NTH.read, lambda box, nth: box.hardware.bus.fault(nth)),
    "power": StepKind(
        choice("cut", "on").read, lambda box, to: box.power_cut() if to == "cut" else box.power_on()
    ),
    "supply": StepKind(
        choice("weak", "good").read, lambda box, how: setattr(box.hardware, "weak", how == "weak")
    ),
    "signal": StepKind(choice("TERM").read, lambda box, _term: box.stop()),
    "screenshot": StepKind(PICTURE.read, lambda box, name: save_png(box.hardware.picture(), Path(name))),
    "expect": StepKind(_expectations, _expect),
}


def read_scenario(path: Path) -> Scenario:
    """Read a scenario file. Raise `UserError`, naming the step and the reason, if it is invalid."""
    return scenario_from_node(read_yaml(path))


def scenario_from_node(top: YamlNode) -> Scenario:
    """Return the scenario in a file's tree. Raise `UserError` as `read_scenario` does."""
    settings: dict[str, YamlNode] = {}
    if isinstance(top.value, Mapping):
        settings.update(top.mapping((*HEAD_KEYS, "steps"), required=("steps",)))
        items = settings.pop("steps").items()
    else:
        items = top.items()
        while items:
            name, node = items[0].entry((*STEPS, *HEAD_KEYS))
            if name in STEPS:
                break
            if name in settings:
                raise node.error(f"{name} is given twice")
            settings[name] = node
            items = items[1:]
    seed = SEED.read(settings["seed"]) if "seed" in settings else 0
    ask = "ask" in settings and BOOLEAN.read(settings["ask"])
    config = config_from_node(settings["config"]) if "config" in settings else Config()
    steps = tuple((name, STEPS[name].read(node)) for name, node in (item.entry(STEPS) for item in items))
    seconds = sum(STEPS[name].seconds(value) for name, value in steps)
    if seconds > MAX_SECONDS:
        raise top.error(f"expected steps of at most {MAX_SECONDS} seconds in all, found {seconds:g}")
    return Scenario(config, seed, ask, steps)


def state(box: VirtualBox) -> dict[str, Any]:
    """Return the state of a box that a scenario can check."""
    tally, board = box.session.scores.box, box.session.board
    return {
        "board": " ".join(board[start : start + KEYS] for start in range(0, len(board), KEYS)),
        "phase": box.phase,
        "lit": box.lit,
        "score": {"you": tally.first, "box": tally.second, "drawn": tally.drawn},
        "strength": box.session.strength,
    }


def play_scenario(scenario: Scenario) -> dict[str, Any]:
    """Play a scenario and return its report, as `--json` prints it."""
    steps: list[dict[str, Any]] = []
    with TemporaryDirectory(prefix="tictactoe-") as state_directory:
        box = VirtualBox(scenario.config, scenario.seed, Path(state_directory), ask=scenario.ask)
        try:
            for name, value in scenario.steps:
                why = STEPS[name].play(box, value)
                steps.append({"step": {name: value}, "ok": not why, "at": round(box.time, 6)})
                if why:
                    steps[-1]["why"] = why
            final = {
                **state(box),
                "frames": box.frames,
                "bus_bytes": box.hardware.bus.bytes,
                "virtual_seconds": round(box.time, 6),
            }
        finally:
            box.power_cut()  # closes the store's files
    return {"ok": all(entry["ok"] for entry in steps), "steps": steps, "final": final}


def report_text(report: dict[str, Any]) -> str:
    """Return a report for people: a line per step, and one for the end."""
    lines = [
        f"{entry['at']:10.3f} s  {number:3}  {as_line(entry['step'])}: {entry.get('why', 'ok')}"
        for number, entry in enumerate(report["steps"], start=1)
    ]
    lines.append(f"{'all steps held' if report['ok'] else 'FAILED'}: {_plain(report['final'])}")
    return "\n".join(lines)


def to_image(frame: Frame) -> Any:
    """Return a frame as a Pillow image with two colours."""
    from PIL import Image  # noqa: PLC0415 - 33 ms that only a screenshot needs

    image = Image.new("P", (frame.width, frame.height))
    image.putpalette((*DARK, *LIT))
    image.putdata([int(frame.pixel(x, y)) for y in range(frame.height) for x in range(frame.width)])
    return image.resize((frame.width * SCALE, frame.height * SCALE), Image.Resampling.NEAREST)


def save_png(frame: Frame, path: Path) -> None:
    """Write a frame as a PNG file. Raise `UserError` if the file cannot be written."""
    try:
        to_image(frame).save(path, "PNG")
    except OSError as error:
        reason = f"the picture cannot be written: {error.strerror or error}"
        raise UserError(f"{path}: {reason}; name another, or run this in another folder") from error


def as_line(step: Mapping[str, Any]) -> str:
    """Return a step for people."""
    return _plain(step)[1:-1]


def _plain(value: Any) -> str:
    return json.dumps(value).replace('"', "")
