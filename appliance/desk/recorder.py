"""What a person does with the box, as a scenario that does it again.

Played back, the box's clock shows the same at each step as it did here, to the last bit: `wait` says when a
step may happen. Polls come whole milliseconds after the power came on, so steps happen in between: a rounding
error in the time of a poll then changes nothing.
"""

import json
from collections.abc import Iterator
from math import floor

from appliance.config.schema import SECTIONS, Config

MAX_STEPS = 1500  # steps: a scenario file has a limit
LONGEST_TIME = 86_000  # seconds, likewise
KEY, POWER = 0.0005, 0.0002  # seconds after a whole millisecond: two kinds of step never meet


class Recorder:
    """A scenario for a box that has just been built with this configuration and seed."""

    def __init__(self, config: Config, seed: int) -> None:
        self._head = [*_config_lines(config), f"seed: {seed}", "steps:"]
        self._steps: list[str] = []
        self.at = 0.0  # the box's time at the last step

    @property
    def full(self) -> bool:
        """Whether a scenario file has no room for another step."""
        return len(self._steps) >= MAX_STEPS or self.at > LONGEST_TIME

    @property
    def text(self) -> str:
        """The scenario so far."""
        return "\n".join([*self._head, *self._steps, ""])

    def wait(self, name: str, time: float) -> float:
        """Return how long after the last step this one may happen: now, or within a millisecond."""
        if time <= self.at and name != "power":
            return 0.0
        offset = POWER if name == "power" else KEY
        return round((floor((time - offset) * 1000) + 1) / 1000 + offset - self.at, 4)

    def add(self, wait: float, name: str, value: object) -> None:
        """Record a step."""
        if wait:
            self._steps.append(f"  - wait: {wait}")
        self.at += wait
        self._steps.append(f"  - {name}: {value if isinstance(value, str) else json.dumps(value)}")


def _config_lines(config: Config) -> Iterator[str]:
    """Yield the keys of the configuration that do not have their default."""
    yield "config:"
    for section, (_, keys) in SECTIONS.items():
        changed = [key for key in keys.values() if key.value(config) != key.value(Config())]
        indent = "    " if section else "  "
        if section and changed:
            yield f"  {section}:"
        yield from (f"{indent}{key.name}: {key.kind.write(key.value(config))}" for key in changed)
