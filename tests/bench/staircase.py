"""The adaptive level of version 0.1, a staircase of results, on the people of today: prints its tables.

A win moved the strength up by 50 and any other result down by 25; from 700 on +100, +10 and -100.
"""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2])]

from appliance.teaching import courses  # noqa: E402
from engine import Level  # noqa: E402
from engine.deepening import search  # noqa: E402
from engine.levels import anything, casual  # noqa: E402


def blunders(position, _stop=None):
    """The moves of a casual player that give away the most."""
    moves = casual(position)
    if len(moves) == 1:
        return moves
    found = search(position, every=True).moves
    worth = {move: {"loss": 0, "win": 2}.get(found[move].value, 1) for move in moves}
    return [move for move in moves if worth[move] == min(worth.values())]


class Staircase(courses.Filter):
    """The strength after each result."""

    strength = 200

    def level(self):
        errors = blunders if self.strength >= 100 else anything
        return Level("staircase", None, mistakes=1 - self.strength / 1000, errors=errors)

    def saw(self, _position, _move):
        """Moves tell it nothing."""

    def ended(self, result):
        steps = {"win": 50} if self.strength < 700 else {"win": 100, "draw": 10, "loss": -100}
        self.strength = min(max(self.strength + steps.get(result, -25), 0), 1000)
        self.strengths.append(self.strength)


if __name__ == "__main__":
    for line in courses.as_markdown(Staircase):
        sys.stdout.write(f"{line}\n")
