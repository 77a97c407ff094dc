"""How far a box on a virtual clock advances by the clock of those who watch it."""

LONGEST_STEP = 0.5  # seconds at most per step: the box pauses while this process is stopped or starved


class Pace:
    """Times are seconds of the watchers' clock; `speed` is how many of the box's go by in one of them."""

    def __init__(self, now: float) -> None:
        self.speed = 1.0
        self._now = now

    def passed(self, now: float, slept: float = 0.0) -> float:
        """Return the box's seconds since the last call, after a sleep that was to last `slept` seconds."""
        before, self._now = self._now, now
        return min(now - before, slept + LONGEST_STEP) * self.speed
