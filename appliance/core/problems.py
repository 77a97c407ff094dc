"""Problems of a running box, as facts, and the sentences that report them."""

from collections.abc import Mapping
from typing import NamedTuple


class Problem(NamedTuple):
    """A problem with a part of a running box. `str(problem)` is a sentence without its full stop.

    `part` and `state` together are a key of `SENTENCES`. `name` is that part's path or bus address, `reason`
    quotes the error, and `remedy` says what to do about it, or what the box has done.
    """

    part: str
    state: str
    name: str = ""
    reason: str = ""
    remedy: str = ""

    def __str__(self) -> str:
        """Return the sentence for the journal, `systemctl status` and status.txt."""
        sentence = SENTENCES[self.part, self.state].format(name=self.name, reason=self.reason)
        return f"{sentence}: {self.remedy}" if self.remedy else sentence


SENTENCES: Mapping[tuple[str, str], str] = {
    ("buzzer", "silent"): "the buzzer at {name} is silent: {reason}",
    ("display", "silent"): "the display ({name}) does not answer ({reason})",
    ("display", "slow"): "the display ({name}) is too slow: it held the box up for {reason}",
    ("display", "unusable"): "the display ({name}) cannot be used ({reason})",
    ("keys", "silent"): "the keys do not answer ({reason})",
    ("store", "unusable"): "{name} cannot be used ({reason}), playing from memory",
    ("store", "damaged"): "{name} is damaged ({reason})",
    ("store", "slow"): "{name}: the card is slow",
    ("supply", "low"): "the supply voltage is too low",
    ("supply", "dipped"): "the supply voltage was too low",
    ("wiring", "faulty"): "self-test: {reason}",
    ("configuration", "wrong"): "{reason}",
    ("rule", "unplayable"): "{reason}",
}
