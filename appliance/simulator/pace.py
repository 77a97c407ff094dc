"""How far a box's virtual clock advances while its watchers' clock does."""

LONGEST_STEP = 0.5  # seconds at most per step: the box pauses while this process is stopped or starved


class Pace:
    """Times are seconds of the watchers' clock; `speed` is how many of the box's pass in each."""

    def __init__(self, now: float) -> None:
        self.speed = 1.0
        self._now = now

    def passed(self, now: float, slept: float = 0.0) -> float:
        """Return the box's seconds since the last call, after a sleep meant to last `slept` seconds."""
        before, self._now = self._now, now
        return min(now - before, slept + LONGEST_STEP) * self.speed
