"""What a person may change from the menu, what the configuration fixes, and the score."""

from dataclasses import replace

from appliance.records import dataclass

LEVELS = ("easy", "medium", "hard", "perfect")
RULES = ("classic", "misere", "vanishing")
FIRST = ("you", "box", "alternate")
CONTRASTS = (1, 63, 127, 207, 255)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the menu changes. It outlives the game, and the power."""

    level: str = "perfect"
    rule: str = "classic"
    first: str = "alternate"  # who begins: you, box, or in turn
    players: int = 1  # people: 1 plays the box, 2 play each other, 0 watch the box play itself
    contrast: int = 207  # of the display, 0 to 255
    sound: bool = True  # heard only where there is a buzzer
    turned: bool = False  # the whole box stands upside down: picture and keys are turned by 180 degrees
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Options:
    """What the configuration fixes: times in seconds; 0 switches off what waits for it, `pause` apart."""

    pause: float = 0.4  # from a person's press to the box's answer
    dim: float = 60.0  # without a press, until the display is dimmed
    off: float = 600.0  # without a press, until the display is dark
    drift: float = 60.0  # between two shifts of the picture against burn-in
    menu: float = 20.0  # without a press, until the menu closes
    attract: bool = False  # play a demonstration while dimmed
    power: bool = True  # the menu can switch the box off and restart it


@dataclass(frozen=True, slots=True)
class Tally:
    """Games won by the first party, won by the second, and drawn."""

    first: int = 0
    second: int = 0
    drawn: int = 0

    def add(self, winner: int | None) -> "Tally":
        """Return the tally after one more game; `winner` is 0 (first), 1 (second) or None (drawn)."""
        if winner is None:
            return replace(self, drawn=self.drawn + 1)
        if winner == 0:
            return replace(self, first=self.first + 1)
        return replace(self, second=self.second + 1)


@dataclass(frozen=True, slots=True)
class Scores:
    """One tally for you against the box, one for two people (x against o). Watched games do not count."""

    box: Tally = Tally()
    pair: Tally = Tally()
