"""`tictactoe analyse`: a position, the value of every move in it, and what it cost to find out."""

import argparse
import json
import os
import sys
from dataclasses import replace

from appliance.commands._cost import alpha_beta_nodes, minimax_nodes
from appliance.errors import UserError
from engine import LEVELS, Board, Limit, SearchResult, Table, Verdict, search

HELP = "show what each move of a position is worth, and what the search cost"
PATIENCE = 10.0  # seconds, where no limit is given
COLOURS = {"win": "32", "draw": "33", "loss": "31", "unknown": "2", "best": "1"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the position and the limits. What is no number is told in one line by `run`."""
    parser.add_argument(
        "board",
        metavar="BOARD",
        help="x, o and . in reading order; rows apart by / or blanks, or run on: x../.o./... or x...o....",
    )
    parser.add_argument("--k", default="3", metavar="K", help="how many in a row win (3)")
    parser.add_argument("--to-move", metavar="x|o", help="the side to move, if the counts do not tell")
    parser.add_argument("--depth", metavar="N", help="look at most N plies ahead")
    parser.add_argument(
        "--seconds", metavar="S", help=f"think at most S seconds ({PATIENCE:g} if no limit is given)"
    )
    parser.add_argument("--level", metavar="L", help=f"also show how a level plays: {', '.join(LEVELS)}")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Analyse one position. Raise `UserError` for a text that is none, or a limit that makes no sense."""
    if args.level is not None and args.level not in LEVELS:
        raise UserError(f"--level {args.level} is unknown: it is one of {', '.join(LEVELS)}")
    try:
        board = Board.parse(args.board, k=_whole(args.k, "--k"), to_move=args.to_move)
        limit = Limit(
            depth=None if args.depth is None else _whole(args.depth, "--depth"),
            seconds=None if args.seconds is None else _number(args.seconds, "--seconds"),
        )
        if limit == Limit():
            limit = Limit(seconds=PATIENCE)
        found = search(board, limit, every=True, table=Table())
    except ValueError as error:
        raise UserError(str(error)) from error
    policy = LEVELS[args.level].policy(board) if args.level else None
    if args.json:
        print(json.dumps(as_json(board, found, args.level, policy)))
    else:
        print("\n".join(_report(board, limit, found, args.level, policy)))
    return 0


def as_json(
    board: Board, found: SearchResult, level: str | None = None, policy: dict[int, float] | None = None
) -> dict[str, object]:
    """Return what has been found as JSON has it; cells count from 1 in reading order."""
    result: dict[str, object] = {
        "board": board.cells,
        "to_move": board.to_move,
        "value": found.value,
        "distance": found.distance,
        "best": found.move + 1,
        "moves": {
            str(move + 1): {"value": verdict.value, "distance": verdict.distance}
            for move, verdict in _verdicts(board, found).items()
        },
        "pv": [move + 1 for move in found.pv],
        "depth": found.depth,
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
    }
    if policy is not None:
        chances = {str(move + 1): round(chance, 6) for move, chance in sorted(policy.items())}
        result["level"] = {"name": level, "moves": chances}
    return result


def _verdicts(board: Board, found: SearchResult) -> dict[int, Verdict]:
    """Return a verdict for each move, also for those that time did not allow to look at."""
    unknown = Verdict(0, "lower", "unknown", None)
    return {move: found.moves.get(move, unknown) for move in board.moves()}


def _report(
    board: Board, limit: Limit, found: SearchResult, level: str | None, policy: dict[int, float] | None
) -> list[str]:
    lines = [f"{board.to_move} to move, {board.shape.k} in a row win", "", *_grid(board, found), ""]
    lines.append(f"value  {_words(found)}")
    lines.append(f"best   {found.move + 1}")
    lines.append(f"line   {' '.join(str(move + 1) for move in found.pv)}")
    lines.append(
        f"depth  {found.depth} plies, {found.seconds * 1000:.1f} ms, {found.nodes:,} nodes for all moves"
    )
    depth = board.horizon if limit.depth is None else min(limit.depth, board.horizon)
    alone = search(board, replace(limit, depth=depth)) if limit.seconds is None else search(board, limit)
    costs = {
        "minimax": minimax_nodes(board, depth),
        "alpha-beta": alpha_beta_nodes(board, depth),
        "engine": alone.nodes,
    }
    told = (
        f"{name} {'too many to count' if nodes is None else f'{nodes:,}'}" for name, nodes in costs.items()
    )
    lines.append(f"nodes  {', '.join(told)} (for the best move)")
    if policy is not None:
        ranked = sorted(policy.items(), key=lambda item: (-item[1], item[0]))
        lines.append(f"{level} plays  {', '.join(f'{move + 1} {chance:.0%}' for move, chance in ranked)}")
    return lines


def _grid(board: Board, found: SearchResult) -> list[str]:
    """Return the board, each empty cell with its number and what it is worth."""
    verdicts, columns = _verdicts(board, found), board.shape.columns
    texts = [
        mark if mark != "." else f"{cell + 1} {_words(verdicts[cell])}"
        for cell, mark in enumerate(board.cells)
    ]
    width = max(map(len, texts))
    painted = []
    for cell, text in enumerate(texts):
        colour = COLOURS[verdicts[cell].value] if cell in verdicts else COLOURS["best"]
        colour = f"{COLOURS['best']};{colour}" if cell == found.move else colour
        painted.append(_paint(text.ljust(width), colour))
    return ["  " + "  ".join(painted[row : row + columns]) for row in range(0, len(painted), columns)]


def _words(verdict: Verdict) -> str:
    value = "?" if verdict.value == "unknown" else verdict.value
    return value if verdict.distance is None else f"{value} in {verdict.distance}"


def _paint(text: str, colour: str) -> str:
    """Return the text in a colour, if a person looks and wants colours."""
    return f"\x1b[{colour}m{text}\x1b[0m" if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else text


def _whole(text: str, option: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UserError(f"{option} {text!r} is no whole number") from None


def _number(text: str, option: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UserError(f"{option} {text!r} is no number") from None
