"""The position and the numbers that a person means, from the words of a command line."""

from typing import TypeVar

from appliance.core.errors import UserError
from engine import RULES, Board, Game

Number = TypeVar("Number", int, float)


def position_of(text: str, *, rule: str, k: str | None, to_move: str | None) -> Game:
    """Return the position that `text` shows, or to which its moves lead: see `tictactoe analyse --help`.

    Raise `UserError` for a text that is no position, or a game that is over.
    """
    if rule not in RULES:
        raise UserError(f"--rule {rule} is unknown: it is one of {', '.join(RULES)}")
    position = RULES[rule]()
    if set(text) & set("0123456789"):
        if k is not None or to_move is not None:
            raise UserError(
                "--k and --to-move go with a board that is drawn, not with the cells played on 3x3"
            )
        position = _played(text, position)
    else:
        # Where marks stay, a drawn board says all that is needed.
        kind = type(position) if isinstance(position, Board) else None
        size = 3 if k is None else number(int, k, "--k")
        try:
            drawn = (kind or Board).parse(text, k=size, to_move=to_move)
        except ValueError as error:
            raise UserError(str(error)) from error
        if kind:
            position = drawn
        elif drawn != Board():
            raise UserError(
                f"--rule {rule} needs the cells of a 3x3 board in the order played, like 159: "
                "a drawn board does not tell which mark is the oldest"
            )
    if position.outcome is not None:
        result = "drawn" if position.outcome == "draw" else f"won by {position.outcome}"
        raise UserError(f"the game is over, {result}: there is nothing to analyse")
    return position


def _played(text: str, position: Game) -> Game:
    for place, digit in enumerate("".join(text.split()), 1):
        cell = ord(digit) - ord("1")
        if not 0 <= cell < 9:
            raise UserError(f"move {place} of {text!r} is {digit!r}: the cells count from 1 to 9")
        if position.terminal:
            raise UserError(f"move {place} of {text!r} comes after the game is over")
        if cell not in position.moves():
            raise UserError(f"move {place} of {text!r} is cell {digit}, which is taken")
        position = position.play(cell)
    return position


def number(kind: type[Number], text: str, option: str) -> Number:
    """Return an option's number. Raise `UserError` if it is not one."""
    try:
        return kind(text)
    except ValueError:
        raise UserError(f"{option} {text!r} is no {'whole ' if kind is int else ''}number") from None
