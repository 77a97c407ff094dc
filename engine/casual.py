"""The casual player: a model of people who do not look ahead."""

from engine.position import Position


def casual(position: Position) -> list[int]:
    """Return the moves that a casual player draws from, all equally likely.

    The player takes a win. Otherwise a move must not lose at once, and must leave the opponent as few
    immediate wins as possible: a threat is blocked. `position` is not terminal.
    """
    after = {move: position.play(move) for move in position.moves()}
    wins = [move for move, child in after.items() if _result(child) < 0]
    if wins:
        return wins
    dangers = {move: _danger(child) for move, child in after.items()}
    least = min(dangers.values())
    return [move for move, danger in dangers.items() if danger == least]


def _result(position: Position) -> int:
    """Return the score for the side to move; 0 for a draw and while the game is on."""
    return position.evaluate() if position.terminal else 0


def _danger(position: Position) -> int:
    """Return the number of immediate wins for the side to move; a great many if it has already won."""
    if position.terminal:
        return 1000 if position.evaluate() > 0 else 0
    if _result(position.play(position.candidates()[0])) >= 0:
        return 0
    return sum(_result(position.play(move)) < 0 for move in position.moves())
