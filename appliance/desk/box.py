"""The box that a page shows: what the page asks of it, and what the page is told.

Nothing here waits or sends: every call is given the time, in seconds of the server's clock, and returns the
messages for the page, text as mappings and the display's picture as bytes.
"""

import json
import random
from collections import deque
from collections.abc import Callable, Mapping
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from appliance.config.schema import Config
from appliance.config.yamlfile import parse
from appliance.core.errors import UserError
from appliance.core.keys.scan import KEYS
from appliance.core.session.state import Session
from appliance.core.session.view import scene
from appliance.desk.asking import Command, command_in
from appliance.desk.dimensions import panel_for
from appliance.desk.recorder import Recorder
from appliance.desk.wire import decode
from appliance.simulator.faults import FAULTS
from appliance.simulator.layout import words_of
from appliance.simulator.pace import Pace
from appliance.simulator.scenario import STEPS, Scenario, as_line, from_node, state
from appliance.simulator.switches import boot_pull
from appliance.simulator.virtual import VirtualBox

Message = dict[str, Any] | bytes

REFRESH = 1 / 30  # seconds at least between two times that the page is told what is new
TICK = 0.01  # seconds at least between two turns: a held key is polled every few milliseconds
KEPT = 500  # of each of the workbench's lists, until the page is told


class Desk:
    """One's own box, and in its place for a while one that is recorded, or plays a scenario.

    `state` is where one's own box keeps its games; the other two keep nothing. `wall` is as in `VirtualBox`.
    """

    def __init__(
        self,
        config: Config,
        now: float,
        *,
        seed: int | None = None,
        state: Path | None = None,
        wall: Callable[[], float] | None = None,
    ) -> None:
        self.box = self._own = VirtualBox(config, seed, state, wall, ask=True)
        self.journal: deque[str] = deque(maxlen=KEPT)  # filled by whoever handles the log
        self._config = config
        self._seeds = random.Random(seed)
        self._folder: TemporaryDirectory[str] | None = None  # of the box in the place of one's own
        self._recorder: Recorder | None = None
        self._scenario: Scenario | None = None
        self._played = 0  # steps of the scenario
        self._shown: dict[str, Any] | None = None  # what the page shows of it
        self._pace = Pace(now)
        self._slept = 0.0  # the last sleep that `due` has asked for
        self._down: set[int] = set()
        self._cable = True
        self._fault: str | None = None
        self._watched: frozenset[str] = frozenset()
        self._bus: deque[dict[str, Any]] = deque(maxlen=KEPT)
        self._pins: deque[tuple[float, int]] = deque(maxlen=KEPT)
        self._beeps: deque[str] = deque(maxlen=KEPT)
        self._out: list[Message] = []
        self._told: dict[str, Any] = {}
        self._seen: tuple[Any, ...] = ()  # what the last picture depended on
        self._last: tuple[Any, ...] = ()  # the last picture that was sent
        self._pictures = 0
        self._quiet_until = 0.0
        self._owes = False  # something may be new that the page is told after that
        self._listen()

    # What the server calls

    def open(self, now: float) -> list[Message]:
        """Return all that a page shows that has come."""
        self._advance(now)
        self._told, self._seen, self._last = {}, (), ()
        self._out.append({"hello": self._hello()})
        self._quiet_until = 0.0
        return self._flush(now)

    def left(self, now: float) -> None:
        """Release the keys that the page held: it has gone, and nobody watches."""
        self._advance(now)
        for key in sorted(self._down):
            self._contact("up", key)
        self._watch(frozenset())

    def hear(self, text: str, now: float) -> list[Message]:
        """Do what a message of the page asks; a malformed one changes nothing."""
        self._advance(now)
        try:
            self._do(command_in(text))
        except UserError as error:
            self._out.append({"error": str(error)})
        return self._flush(now)

    def advance(self, now: float) -> list[Message]:
        """Advance the box to now."""
        self._advance(now)
        return self._flush(now)

    def due(self, now: float) -> float:
        """Return for how many seconds nothing has to be done, infinity for ever."""
        wait = inf
        if self._pace.speed and not self._stands:
            wait = max((self.box.due() - self.box.time) / self._pace.speed, TICK)
        self._slept = min(wait, max(self._quiet_until - now, 0.0) if self._owes else inf)
        return self._slept

    def stop(self, now: float) -> list[Message]:
        """Ask one's own box to stop, as SIGTERM does."""
        self._advance(now)
        self._restore()
        self._own.stop()
        self._quiet_until = 0.0
        return self._flush(now)

    def close(self) -> Session:
        """Cut the power of one's own box, and return its last session."""
        self._restore()
        self._own.power_cut()
        return self._own.session

    # Time

    @property
    def _stands(self) -> bool:
        """Whether the box's clock stands still: a scenario waits for its next step."""
        return self._scenario is not None and self._played < len(self._scenario.steps)

    def _advance(self, now: float) -> None:
        slept = 0.0 if self._slept == inf else self._slept
        passed, self._slept = self._pace.passed(now, slept), 0.0
        if passed > 0 and not self._stands:
            self.box.wait(passed)

    # What the page asks for

    def _do(self, command: Command) -> None:
        match command.name, command.value:
            case ("down" | "up") as name, key:
                self._contact(name, key)
            case "plug", on:
                self._plug(on=on)
            case "cable", on:
                self._cable = on
                if self.box.loop is not None:
                    self._step("plug" if on else "unplug", "display")
            case "stick", (key, on):
                self._step("stick" if on else "unstick", key + 1)
            case "fault", name:
                self._rewire(name)
            case "pulls", pulls:
                self._set_pulls(pulls or {})
            case "speed", speed:
                self._pace.speed = speed
            case "watch", lists:
                self._watch(lists)
            case "record", on:
                self._record(on=on)
            case "scenario", None:
                self._restore()
            case "scenario", text:
                self.load(from_node(parse(text, "scenario")))
            case "next", _:
                self._play()

    def _step(self, name: str, value: Any) -> None:
        """Do a step of a scenario, and record it."""
        recorder, box = self._recorder, self.box
        if recorder is not None:
            if recorder.full:
                self._out.append({"error": "the recording has ended: a scenario file takes no more steps"})
                self._record(on=False)
                return
            wait = recorder.wait(name, box.time)
            box.run_to(recorder.at + wait)
            recorder.add(wait, name, value)
        STEPS[name].play(box, value)

    def _contact(self, name: str, key: int) -> None:
        if (key in self._down) == (name == "down"):
            return  # two fingers on one button are one
        self._down ^= {key}
        self._step(name, key + 1)

    def _plug(self, *, on: bool) -> None:
        if on == (self.box.loop is not None):
            return
        self._step("power", "on" if on else "cut")
        if on and not self._cable:
            self._step("unplug", "display")  # it is still out

    def _rewire(self, name: str | None) -> None:
        if self._fault is not None:
            self._step("fault", "none")
        if name is not None:
            self._step("fault", name)
        self._fault = name

    def _set_pulls(self, pulls: Mapping[int, str]) -> None:
        network = self.box.hardware.network
        pins = network.pins
        for pin in pulls:
            if pin not in pins:
                raise UserError(f"pulls: the keys have no pin {pin}: theirs are {', '.join(map(str, pins))}")
        if pulls and self._recorder is not None:
            raise UserError("pulls: a scenario has no step for the boot's pulls: end the recording first")
        network.boot_pulls = {pin: pulls.get(pin, boot_pull(pin)) for pin in pins}

    # Another box in the place of one's own

    def _swap(self, box: VirtualBox | None) -> None:
        for key in sorted(self._down):
            self.box.hardware.network.release(key)
        if self.box is not self._own:
            self.box.power_cut()
        self._deafen()
        self._recorder = self._scenario = None
        self.box = box or self._own
        self._down, self._cable, self._fault, self._shown = set(), True, None, None
        self._listen()
        self._out.append({"hello": self._hello()})
        self._told, self._seen, self._last = {}, (), ()

    def _restore(self) -> None:
        """Put one's own box back, as it was."""
        if self.box is not self._own:
            self._swap(None)
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _fresh(self, config: Config, seed: int, *, ask: bool) -> None:
        """Put a new box in the place of one's own, which stands still meanwhile."""
        self._restore()
        self._folder = TemporaryDirectory(prefix="tictactoe-")
        self._swap(VirtualBox(config, seed, Path(self._folder.name), ask=ask))

    def _record(self, *, on: bool) -> None:
        if on:
            seed = self._seeds.getrandbits(32)
            self._fresh(self._config, seed, ask=False)
            self._recorder = Recorder(self._config, seed)
        elif self._recorder is not None:
            recorder, box = self._recorder, self.box
            found = state(box)
            wait = recorder.wait("expect", box.time)
            box.run_to(recorder.at + wait)
            recorder.add(wait, "expect", f'{{board: "{found["board"]}", phase: {found["phase"]}}}')
            self._restore()
            self._out.append({"recording": recorder.text})  # the whole, before it is no more

    def load(self, scenario: Scenario) -> None:
        """Put a new box in the place of one's own: the page asks for each step of a scenario."""
        for number, (name, _) in enumerate(scenario.steps, 1):
            if name == "screenshot":
                raise UserError(f"scenario: step {number}: a page writes no files: take screenshot out")
        self._fresh(scenario.config, scenario.seed, ask=scenario.ask)
        self._scenario, self._played = scenario, 0
        self._show("", "")

    def _play(self) -> None:
        if self._scenario is None:
            raise UserError("next: there is no scenario: send one first")
        if not self._stands:
            raise UserError("next: the scenario has ended")
        name, value = self._scenario.steps[self._played]
        self._played += 1
        self._show(as_line({name: value}), STEPS[name].play(self.box, value))

    def _show(self, text: str, why: object) -> None:
        """Show the page which step has been played, and which one is next."""
        steps = [] if self._scenario is None else self._scenario.steps
        coming = as_line(dict(steps[self._played : self._played + 1]))
        told = {"step": self._played, "of": len(steps), "text": text, "next": coming}
        self._shown = {**told, "ok": not why, "why": why or ""}

    # What the page is told

    def _hello(self) -> dict[str, Any]:
        hardware = self.box.hardware
        config = hardware.config
        return {
            "panel": panel_for(config.display.driver, config.display.height),
            "display": {"width": 128, "height": config.display.height, "name": hardware.display_name},
            "buzzer": config.buzzer is not None,
            "lamp": hardware.lamp,
            "keys": [list(divmod(key, 3)) for key in range(KEYS)],
            "pins": {"rows": list(config.keypad.rows), "columns": list(config.keypad.columns)},
            "turned": self.box.session.settings.turned,
            "faults": [name for name in FAULTS if not name.startswith(("none", "stuck"))],
            "speed": self._pace.speed,
        }

    def _shows(self) -> dict[str, Any]:
        box, hardware = self.box, self.box.hardware
        return {
            "plug": box.loop is not None,
            "cable": self._cable,
            "phase": box.phase,
            "lamp": hardware.lamp,
            "stuck": list(hardware.network.stuck),
            "fault": self._fault,
            "pulls": {str(pin): pull for pin, pull in hardware.network.boot_pulls.items()},
            "speed": self._pace.speed,
            "turned": box.session.settings.turned,
            "recording": self._recorder and self._recorder.text,
            "scenario": self._shown,
            "says": " | ".join(words_of(scene(box.session))) if hardware.chip.lit else "",
        }

    def _flush(self, now: float) -> list[Message]:
        """Return what is new; the box's news at most every `REFRESH` seconds."""
        self._owes = now < self._quiet_until
        news = [] if self._owes else self._news()
        if news:
            self._quiet_until = now + REFRESH
        out, self._out = [*self._out, *news], []
        return out

    def _news(self) -> list[Message]:
        told = self._shows()
        news: list[Message] = [
            {name: value}
            for name, value in told.items()
            if name not in self._told or self._told[name] != value
        ]
        self._told = told
        news += self._picture()
        news += [{"beep": signal} for signal in self._beeps]
        self._beeps.clear()
        lists: dict[str, deque[Any]] = {"bus": self._bus, "pins": self._pins, "journal": self.journal}
        for name in sorted(self._watched):
            if lists[name]:
                news.append({name: list(lists[name])})
                lists[name].clear()
        return news

    def _picture(self) -> list[Message]:
        hardware = self.box.hardware
        seen = (hardware.bus.transactions, hardware.bus.unplugged, hardware.chip.lit)
        if seen == self._seen:
            return []
        self._seen = seen
        picture = (hardware.chip.lit, hardware.chip.contrast, hardware.picture().data)
        if picture == self._last:
            return []
        self._last = picture
        self._pictures += 1
        return [bytes([picture[0], picture[1], 0, self._pictures & 0xFF]) + picture[2]]

    # The workbench

    def _watch(self, lists: frozenset[str]) -> None:
        self._watched = lists
        self._bus.clear()
        self._pins.clear()
        self._listen()

    def _listen(self) -> None:
        """Have the hardware tell what is watched; what is not costs nothing."""
        hardware = self.box.hardware
        hardware.heard = self._beeps.append
        hardware.bus.watcher = self._transaction if "bus" in self._watched else None
        hardware.network.listener = self._levels if "pins" in self._watched else None
        if "pins" in self._watched:
            self._levels()

    def _deafen(self) -> None:
        hardware = self.box.hardware
        hardware.heard = hardware.bus.watcher = hardware.network.listener = None

    def _transaction(self, address: int, payload: bytes, acknowledged: int) -> None:
        chip = self.box.hardware.chip
        self._bus.append(
            {
                "at": round(self.box.time, 6),
                "address": address,
                "bytes": payload.hex(),
                "says": decode(chip, payload, acknowledged),
            }
        )

    def _levels(self) -> None:
        self._pins.append((round(self.box.time, 6), self.box.hardware.network.levels))


def as_text(message: Mapping[str, Any]) -> str:
    """Return a message as it is sent."""
    return json.dumps(message, separators=(",", ":"))
