"""The box that a page shows: what the page asks of it, and when the page is told.

Nothing here waits or sends: every call is given the time, in seconds of any clock, and returns the messages
for the page.
"""

import json
import random
from collections.abc import Callable, Mapping
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from appliance.config.schema import Config
from appliance.config.yamlfile import parse_yaml
from appliance.core.errors import UserError
from appliance.desk.asking import Command, command_in
from appliance.desk.news import Message, News, hello
from appliance.desk.recorder import Recorder
from appliance.desk.stand import Stand
from appliance.simulator.pace import Pace
from appliance.simulator.scenario import Scenario, scenario_from_node, state
from appliance.simulator.virtual import VirtualBox
from appliance.storage.history import History

NEWS_SECONDS = 1 / 30  # seconds at least between two times that the page is told what is new
TICK = 0.01  # seconds at least between two turns: a held key is polled every few milliseconds


class Desk:
    """The person's own box, or in its place for a while one that is recorded or plays a scenario.

    `state` is where the person's box keeps its games; the others keep nothing, and start anew. `wall` is as
    in `VirtualBox`.
    """

    def __init__(
        self,
        config: Config,
        now: float,
        *,
        seed: int | None = None,
        state: Path | None = None,
        wall: Callable[[], float | None] | None = None,
    ) -> None:
        self._stand = self._own = Stand(VirtualBox(config, seed, state, wall, ask=True))
        self._config, self._state = config, state
        self._seeds = random.Random(seed)
        self._folder: TemporaryDirectory[str] | None = None  # of the box in the place of one's own
        self._pace = Pace(now)
        self._slept = 0.0  # the last sleep that `due` has asked for
        self._news = News(self.box)
        self.journal = self._news.journal
        self._out: list[Message] = []
        self._quiet_until = 0.0
        self._owes = False  # something may be new that the page is told after that

    @property
    def box(self) -> VirtualBox:
        """The box that the page shows."""
        return self._stand.box

    # What the page's worker calls

    def open(self, now: float) -> list[Message]:
        """Return all that a new page shows."""
        self._advance(now)
        self._present()
        self._quiet_until = 0.0
        return self._flush(now)

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
        """Return the seconds until something has to be done, infinity for never."""
        wait = inf
        if self._pace.speed and not self._stand.stands:
            wait = max((self.box.due() - self.box.time) / self._pace.speed, TICK)
        self._slept = min(wait, max(self._quiet_until - now, 0.0) if self._owes else inf)
        return self._slept

    def close(self) -> None:
        """Cut the power of the person's box."""
        self._restore()
        self.box.power_cut()

    def _load(self, scenario: Scenario) -> None:
        """Replace the person's box by a new one; the page asks for each step of a scenario."""
        for number, (name, _) in enumerate(scenario.steps, 1):
            if name == "screenshot":
                raise UserError(f"scenario: step {number}: a page writes no files: take screenshot out")
        stand = Stand(self._fresh(scenario.config, scenario.seed, ask=scenario.ask), scenario=scenario)
        stand.show()
        self._put(stand)

    def _advance(self, now: float) -> None:
        slept = 0.0 if self._slept == inf else self._slept
        passed, self._slept = self._pace.passed(now, slept), 0.0
        if passed > 0 and not self._stand.stands:
            self.box.wait(passed)

    def _flush(self, now: float) -> list[Message]:
        """Return what is new; the box's news at most every `NEWS_SECONDS` seconds."""
        self._owes = now < self._quiet_until
        news = [] if self._owes else self._news.since(self._shown())
        if news:
            self._quiet_until = now + NEWS_SECONDS
        out, self._out = [*self._out, *news], []
        return out

    def _shown(self) -> dict[str, Any]:
        stand = self._stand
        return {
            "cable": stand.cable,
            "fault": stand.fault,
            "speed": self._pace.speed,
            "recording": stand.recorder and stand.recorder.text,
            "scenario": stand.shown,
        }

    # What the page asks for

    def _do(self, command: Command) -> None:
        match command.name, command.value:
            case ("down" | "up") as name, key:
                self._contact(name, key)
            case "plug", on:
                self._plug(on=on)
            case "cable", on:
                self._plug_display(on=on)
            case ("stick" | "unstick") as name, key:
                self._step(name, key + 1)
            case "fault", name:
                self._rewire(name)
            case "speed", speed:
                self._pace.speed = speed
            case "watch", lists:
                self._news.watch(lists)
            case "record", on:
                self._record(on=on)
            case "games", _:
                self._out.append({"games": self._games()})
            case "scenario", None:
                self._restore()
            case "scenario", text:
                self._load(scenario_from_node(parse_yaml(text, "scenario")))
            case "next", _:
                if not self._stand.stands:
                    raise UserError("next: no step of a scenario is left: send a scenario first")
                self._stand.play()

    def _step(self, name: str, value: Any) -> None:
        recorder = self._stand.recorder
        if recorder is not None and recorder.full:
            self._out.append({"error": "the recording has ended: a scenario file takes no more steps"})
            self._record(on=False)
        else:
            self._stand.step(name, value)

    def _contact(self, name: str, key: int) -> None:
        if (key in self._stand.down) != (name == "down"):  # two fingers on one button are one
            self._stand.down ^= {key}
            self._step(name, key + 1)

    def _plug(self, *, on: bool) -> None:
        if on == (self.box.loop is not None):
            return
        cable = self._stand.cable
        self._step("power", "on" if on else "cut")
        if on and not cable:
            self._step("unplug", "display")  # it is still out
        self._stand.cable = cable

    def _plug_display(self, *, on: bool) -> None:
        if self.box.loop is None:
            self._stand.cable = on  # without power that is all
        elif on != self._stand.cable:
            self._step("plug" if on else "unplug", "display")

    def _rewire(self, name: str) -> None:
        if self._stand.fault != "none":
            self._step("fault", "none")
        if name != "none":
            self._step("fault", name)

    def _record(self, *, on: bool) -> None:
        recorder = self._stand.recorder
        if on:
            seed = self._seeds.getrandbits(32)
            box = self._fresh(self._config, seed, ask=False)
            self._put(Stand(box, Recorder(self._config, seed)))
        elif recorder is not None:
            found = state(self.box)
            self._stand.step("expect", {name: found[name] for name in ("board", "phase")})
            self._restore()
            self._out.append({"recording": recorder.text})  # the whole, before it is no more

    def _games(self) -> dict[str, str]:
        """Return the files of the person's games, by name."""
        from appliance.games.page import contents  # noqa: PLC0415 - the first picture needs none of it

        files = contents(History(self._state), self._config.settings.language) if self._state else {}
        if not files:
            raise UserError("no game has been finished yet: play one, then save it")
        return {name: data.decode() for name, data in files.items()}

    # Another box in the place of one's own, which stands still meanwhile

    def _fresh(self, config: Config, seed: int, *, ask: bool) -> VirtualBox:
        self._restore()
        self._folder = TemporaryDirectory(prefix="tictactoe-")
        return VirtualBox(config, seed, Path(self._folder.name), ask=ask)

    def _restore(self) -> None:
        """Bring back the person's box, as it was."""
        if self._stand is not self._own:
            self.box.power_cut()
            self._put(self._own)
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _put(self, stand: Stand) -> None:
        for key in sorted(self._stand.down):  # the fingers leave with the box that they were on
            self._contact("up", key)
        self._stand = stand
        self._present()

    def _present(self) -> None:
        """Show the page a box that is new to it."""
        self._news.listen(self.box)
        self._out.append({"hello": hello(self.box, self._pace.speed)})


def encode_message(message: Mapping[str, Any]) -> str:
    """Return a message as it is sent."""
    return json.dumps(message, separators=(",", ":"))
