"""One short game, played by a script on a virtual clock, told in words and pictures: it needs no terminal."""

from collections.abc import Callable
from dataclasses import replace

from appliance.config import Config
from appliance.core.state import Session
from appliance.simulator.painter import Style, paint, seen
from appliance.simulator.virtual import VirtualBox

TASTE = (4, 0, 8, 2, 6, 1, 3, 5, 7)  # the script takes the first of these cells that is free
LONGEST = 15  # presses: where marks vanish a game need not end
PAUSE = 0.4  # seconds before the box answers, at least: time to see one's own mark


def recite(config: Config, seed: int, style: Style, tell: Callable[[str], None]) -> None:
    """Play a game against the box of a configuration, and `tell` it line by line."""
    game = replace(config.game, players=1, pause=max(PAUSE, config.game.pause))
    box = VirtualBox(replace(config, game=game), seed)

    def show(caption: str) -> None:
        tell(caption)
        for line in paint(seen(box.desk.chip.picture(), config.display.rotate), style):
            tell(line.rstrip())
        tell("")

    box.wait(1.0)  # before the first look at the keys, one that is down would be a stuck one
    box.wait_for("your_turn")
    show("The box is on.")
    for _ in range(LONGEST):
        key = next(key for key in TASTE if box.session.board[key] == ".")
        box.tap(key)
        show(f"You press {key + 1}.")
        moves = len(box.session.match.moves)
        box.wait_until(lambda: box.phase in {"your_turn", "game_over"})
        if len(box.session.match.moves) > moves:
            show(f"The box plays {box.session.match.moves[-1] + 1}.")
        if box.phase == "game_over":
            break
    tell(result(box.session))


def result(session: Session) -> str:
    """Say how a game ended, or that it has not."""
    outcome = session.match.game.outcome
    if outcome is None:
        return "Nobody has won yet."
    return (
        "Drawn." if outcome == "draw" else "You win." if outcome == session.match.human else "The box wins."
    )


def score(session: Session) -> str:
    """Say the score of a sitting, of the kinds of games that were played in it."""
    told = []
    for tally, first, second in ((session.scores.box, "you", "the box"), (session.scores.pair, "x", "o")):
        if tally.first or tally.second or tally.drawn:
            told.append(f"{first} {tally.first}, {second} {tally.second}, drawn {tally.drawn}")
    return "; ".join(told)
