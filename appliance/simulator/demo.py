"""A short game against the box on a virtual clock, printed in words and pictures: it needs no terminal."""

from collections.abc import Callable

from appliance.config import Config
from appliance.core.state import Session
from appliance.simulator.layout import Style, paint, upright
from appliance.simulator.virtual import VirtualBox

PREFERRED = (4, 0, 8, 2, 6, 1, 3, 5, 7)  # the person takes the first of these cells that is free
LONGEST = 15  # presses: where marks vanish a game need not end
PAUSE = 0.4  # seconds before the box answers, at least: time to see one's own mark


def play(config: Config, seed: int, style: Style, write: Callable[[str], None]) -> None:
    """Play a game against the box of a configuration, and `write` it line by line."""
    settings = config.settings._replace(players=1)
    options = config.options._replace(pause=max(PAUSE, config.options.pause))
    box = VirtualBox(config._replace(settings=settings, options=options), seed)

    def show(caption: str) -> None:
        write(caption)
        for line in paint(upright(box.desk.chip.picture(), config.display.rotate), style):
            write(line.rstrip())
        write("")

    box.wait(1.0)
    box.wait_for("your_turn")
    show("The box is on.")
    for _ in range(LONGEST):
        key = next(key for key in PREFERRED if box.session.board[key] == ".")
        box.tap(key)
        show(f"You press {key + 1}.")
        moves = len(box.session.match.moves)
        box.wait_until(lambda: box.phase in {"your_turn", "game_over"})
        if len(box.session.match.moves) > moves:
            show(f"The box plays {box.session.match.moves[-1] + 1}.")
        if box.phase == "game_over":
            break
    write(result(box.session))


def result(session: Session) -> str:
    """Return how a game ended, or that it has not."""
    outcome = session.match.game.outcome
    if outcome is None:
        return "Nobody has won yet."
    return (
        "Drawn." if outcome == "draw" else "You win." if outcome == session.match.human else "The box wins."
    )
