"""The rules that the lesson and the commentary know, too. A new rule is played without them."""

from engine import SOLVED

TAUGHT = {rule: SOLVED[rule] for rule in ("classic", "misere", "vanishing")}
"""Name -> a function that returns the position before the first move. lesson/game.js has the names again."""
