"""A box on the desk with the hands on it."""

from typing import Any

from appliance.desk.recorder import Recorder
from appliance.simulator.scenario import STEPS, Scenario, as_line
from appliance.simulator.virtual import VirtualBox


class Stand:
    """A box, and what is done to it: by hand, by hand and recorded, or by a scenario."""

    def __init__(
        self, box: VirtualBox, recorder: Recorder | None = None, scenario: Scenario | None = None
    ) -> None:
        self.box = box
        self.recorder = recorder
        self.steps = () if scenario is None else scenario.steps
        self.played = 0  # of the scenario's steps
        self.shown: dict[str, Any] | None = None  # what the page shows of the scenario
        self.down: set[int] = set()  # keys under a finger
        self.cable = True  # of the display
        self.fault = "none"

    @property
    def stands(self) -> bool:
        """Whether the box's clock stands still: a scenario waits for its next step."""
        return self.played < len(self.steps)

    def step(self, name: str, value: Any) -> object:
        """Do a step of a scenario; return why it failed, or a false value."""
        if self.recorder is not None:
            wait = self.recorder.wait(name, self.box.time)
            self.box.run_to(self.recorder.at + wait)
            self.recorder.add(wait, name, value)
        match name:
            case "plug" | "unplug":
                self.cable = name == "plug"
            case "fault":
                self.fault = value
            case "power":
                self.cable = True
        return STEPS[name].play(self.box, value)

    def play(self) -> None:
        """Play the scenario's next step."""
        name, value = self.steps[self.played]
        self.played += 1
        self.show(as_line({name: value}), self.step(name, value))

    def show(self, text: str = "", why: object = "") -> None:
        """Show which step has been played, and which one is next."""
        coming = as_line(dict(self.steps[self.played : self.played + 1]))
        told = {"step": self.played, "of": len(self.steps), "text": text, "next": coming}
        self.shown = {**told, "ok": not why, "why": why or ""}
