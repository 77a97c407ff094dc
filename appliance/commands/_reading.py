"""The position that a person means, from the words of a command line."""

from appliance.errors import UserError
from engine import RULES, Board, Game, Misere

DRAWN = {"classic": Board, "misere": Misere}  # a picture tells all that these rules need


def position_of(text: str, *, rule: str, k: str | None, to_move: str | None) -> Game:
    """Return the position that `text` shows, or to which its moves lead: see `tictactoe analyse --help`.

    Raise `UserError` for a text that is no position, or a game that is over.
    """
    if rule not in RULES:
        raise UserError(f"--rule {rule} is unknown: it is one of {', '.join(RULES)}")
    if set(text) & set("0123456789"):
        position = _played(text, rule, k, to_move)
    else:
        size = 3 if k is None else whole(k, "--k")
        try:
            drawn = DRAWN.get(rule, Board).parse(text, k=size, to_move=to_move)
        except ValueError as error:
            raise UserError(str(error)) from error
        if rule not in DRAWN and drawn != Board():
            raise UserError(
                f"--rule {rule} needs the cells of a 3x3 board in the order played, like 159: "
                "a drawn board does not tell which mark is the oldest"
            )
        position = drawn if rule in DRAWN else RULES[rule]()
    if position.outcome is not None:
        result = "drawn" if position.outcome == "draw" else f"won by {position.outcome}"
        raise UserError(f"the game is over, {result}: there is nothing to analyse")
    return position


def _played(text: str, rule: str, k: str | None, to_move: str | None) -> Game:
    if k is not None or to_move is not None:
        raise UserError("--k and --to-move go with a board that is drawn, not with the cells played on 3x3")
    position = RULES[rule]()
    for number, digit in enumerate("".join(text.split()), 1):
        cell = ord(digit) - ord("1")
        if not 0 <= cell < len(position.cells):
            raise UserError(f"move {number} of {text!r} is {digit!r}: the cells count from 1 to 9")
        if position.terminal:
            raise UserError(f"move {number} of {text!r} comes after the game is over")
        if cell not in position.moves():
            raise UserError(f"move {number} of {text!r} is cell {digit}, which is taken")
        position = position.play(cell)
    return position


def whole(text: str, option: str) -> int:
    """Return an option's whole number. Raise `UserError` if it is not one."""
    try:
        return int(text)
    except ValueError:
        raise UserError(f"{option} {text!r} is no whole number") from None


def number(text: str, option: str) -> float:
    """Return an option's number. Raise `UserError` if it is not one."""
    try:
        return float(text)
    except ValueError:
        raise UserError(f"{option} {text!r} is no number") from None
