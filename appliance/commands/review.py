"""`tictactoe review`: the value of each move of a game, and better moves than the mistakes."""

import argparse
import json
from collections.abc import Iterable

from appliance.commands.analyse import played, solved
from appliance.commands.stats import add_state, directory_of, report
from appliance.core.errors import UserError
from appliance.games.remarks import review_lines
from appliance.games.saved import ending, fields_of, names, replayed, title
from appliance.storage.history import History
from appliance.storage.owner import as_owner
from appliance.storage.rows import Played
from engine import RULES, SOLVED, Remark, Verdict

EXAMPLE = 'tictactoe review "5 1 9"'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="*",
        help="the number of a saved game, as in `tictactoe export`; or the cells played, with spaces, "
        "counted from 1, x first (default: the newest saved game of a solved rule)",
    )
    parser.add_argument(
        "--rule", type=solved, choices=SOLVED, help="the rule by which the cells were played (classic)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_state(parser)


def run(args: argparse.Namespace) -> int:
    """Review one game; return 1 if some saved games could not be read.

    Raise `UserError` for a game that does not exist or cannot be replayed.
    """
    text = " ".join(args.game)
    if len(text.split()) > 1:
        rule = args.rule or "classic"
        played(text, SOLVED[rule]())
        moves = tuple(int(digit) - 1 for digit in "".join(text.split()))
        return show(None, rule, moves, as_json=args.json)
    if args.rule:
        raise UserError(f"--rule goes with the cells played, like {EXAMPLE}: a saved game has its own rule")
    if args.game and not (text.isascii() and text.isdigit()):
        raise UserError(f"{text!r} is not a game: give a saved game's number, or the cells, like {EXAMPLE}")
    history = History(directory_of(args))
    with as_owner(history.path.parent):
        saved = find(history, text)
    if saved.game.rule in RULES and saved.game.rule not in SOLVED:
        raise UserError(
            f"game {saved.number} cannot be reviewed, for {saved.game.rule} is not solved: "
            "give the number of another game, as `tictactoe export` lists them"
        )
    status = show(saved, saved.game.rule, saved.game.moves, as_json=args.json)
    return report(history.note) or status


def find(history: History, number: str) -> Played:
    """Return the saved game with this number, or for "" the newest that can be reviewed, else the newest.

    Raise `UserError` if there is none.
    """
    newest = reviewable = None
    for saved in history.games():
        if str(saved.number) == number.lstrip("0"):
            return saved
        newest = saved
        reviewable = saved if saved.game.rule in SOLVED else reviewable
    if reviewable is not None and not number:
        return reviewable
    if newest is None:
        raise UserError(
            f"{history.path}: no game has been finished yet; give the cells played, like {EXAMPLE}"
        )
    if number:
        raise UserError(
            f"{history.path}: there is no game {number}, the newest is {newest.number}; "
            f"separate cells by spaces, like {EXAMPLE}"
        )
    return newest


def show(saved: Played | None, rule: str, moves: tuple[int, ...], *, as_json: bool) -> int:
    """Print the review of a game, which may be `saved`."""
    games, remarks = replayed(saved.number if saved else None, rule, moves)
    end = games[-1]
    if as_json:
        game = None if saved is None else fields_of(saved)
        judged = [as_object(remark) for remark in remarks]
        print(json.dumps({"rule": rule, "saved": game, "outcome": end.outcome, "moves": judged}))
        return 0
    called = names(saved)
    head = f"{title(saved, rule)}. {ending(end, called)}."
    print("\n".join([head, "", *review_lines(games, remarks, called)]))
    return 0


def as_object(remark: Remark) -> dict[str, object]:
    """Return a remark for JSON; cells count from 1, plies from 0."""

    def worth(verdict: Verdict) -> dict[str, object]:
        return {"value": verdict.value, "distance": verdict.distance}

    def cell(of: int | None) -> int | None:
        return None if of is None else of + 1

    def cells(of: Iterable[int]) -> list[int]:
        return [one + 1 for one in of]

    return {
        "ply": remark.ply,
        "side": remark.side,
        "move": remark.move + 1,
        "before": worth(remark.before),
        "after": worth(remark.after),
        "kept": cells(remark.kept),
        "best": cell(remark.best),
        "missed": cells(remark.missed),
        "changed": remark.changed,
        "reason": remark.reason or None,
        "reasons": remark.reasons,
        "reply": cell(remark.reply),
        "threats": cells(remark.threats),
        "best_line": cells(remark.best_line),
        "reply_line": cells(remark.reply_line),
    }
