"""What a review says of a saved game besides its moves: who played it, and how it ended."""

from collections.abc import Mapping

from appliance.core.english import capital
from appliance.core.errors import UserError
from appliance.storage.rows import Played
from engine import RULES, SOLVED, Game, Remark, Table, review


def replayed(
    number: int | None, rule: str, moves: tuple[int, ...], table: Table | None = None
) -> tuple[list[Game], tuple[Remark, ...]]:
    """Return the positions of a game from its start to its end, and its review: none for an unsolved rule.

    Raise `UserError` for an unplayable rule, and for a saved game, one with a `number`, from a later version
    or of an edited file.
    """
    try:
        games = [RULES[rule].start()]
        for move in moves:
            games.append(games[-1].play(move))
    except OSError as error:
        raise UserError(str(error)) from error
    except (KeyError, ValueError) as error:
        raise UserError(
            f"game {number or ''} of {rule!r} cannot be replayed by this version: {error}"
        ) from error
    return games, review(games[0], moves, table) if rule in SOLVED else ()


def names(saved: Played | None) -> Mapping[str, str]:
    """Return the names of x and o: "you" and "the box" where a person played it, else the marks."""
    if saved is None or saved.game.players != 1:
        return {"x": "x", "o": "o"}
    return {side: "you" if side == saved.game.human else "the box" for side in "xo"}


def title(saved: Played | None, rule: str) -> str:
    """Return the game's number and rule, and who played it."""
    if saved is None:
        return rule.capitalize()
    game, box = saved.game, "o" if saved.game.human == "x" else "x"
    at = f" at {game.level}" if game.level else ""
    if game.players == 2:
        who = "two people"
    elif game.players == 0:
        who = f"the box{at} against itself"
    else:
        help_ = ", with help," if game.helped else ""
        who = f"you ({game.human}){help_} against the box{at} ({box})"
    return f"Game {saved.number}: {rule}, {who}"


def ending(end: Game, names: Mapping[str, str]) -> str:
    """Return the game's result, or the side to move."""
    if end.outcome is None:
        return f"Not finished, {end.to_move} to move"
    return "Drawn" if end.outcome == "draw" else f"{capital(names[end.outcome])} won"
