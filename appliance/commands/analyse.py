"""`tictactoe analyse`: the value of every move in a position, and the cost of the search."""

import argparse
import json
import os
import sys
from dataclasses import replace

from appliance.commands._reading import number, position_of
from appliance.commands._tree import alpha_beta_nodes, grow, minimax_nodes, tree_json, tree_lines
from appliance.core.errors import UserError
from engine import LEVELS, RULES, Board, Game, Limit, Misere, SearchResult, Verdict, search

HELP = "show what each move of a position is worth, and what the search cost"
PATIENCE = 10.0  # seconds, where no limit is given
WIDE = 6  # columns; verdicts of so wide a board are printed as signs, to fit on a line
SIGNS = {"win": "+", "draw": "=", "loss": "-", "unknown": "?"}
COLOURS = {"win": "32", "draw": "33", "loss": "31", "unknown": "2"}
BEST = "1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments. `run` checks the numbers, so that an error is one line."""
    parser.add_argument(
        "board",
        metavar="BOARD",
        help="x, o and . in reading order; rows apart by / or blanks, or run on: x../.o./... or x...o....; "
        "or the cells played on 3x3, from 1, x first: 15",
    )
    parser.add_argument("--k", metavar="K", help="how many in a row win (3)")
    parser.add_argument("--to-move", metavar="x|o", help="the side to move, if the counts do not tell")
    parser.add_argument("--depth", metavar="N", help="look at most N plies ahead")
    parser.add_argument(
        "--seconds", metavar="S", help=f"think at most S seconds ({PATIENCE:g} if no limit is given)"
    )
    parser.add_argument("--rule", default="classic", metavar="R", help=f"one of {', '.join(RULES)} (classic)")
    parser.add_argument(
        "--tree", metavar="N", help="also show N plies of the tree of textbook alpha-beta, and what is cut"
    )
    parser.add_argument("--level", metavar="L", help=f"also show how a level plays: {', '.join(LEVELS)}")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Analyse one position. Raise `UserError` for an invalid position, limit or level."""
    if args.level is not None and args.level not in LEVELS:
        raise UserError(f"--level {args.level} is unknown: it is one of {', '.join(LEVELS)}")
    position = position_of(args.board, rule=args.rule, k=args.k, to_move=args.to_move)
    plies = 0 if args.tree is None else number(int, args.tree, "--tree")
    if args.tree is not None and plies < 1:
        raise UserError(f"--tree {plies} shows nothing: it must be above zero")
    limit = _limit(args)
    depth = position.horizon if limit.depth is None else min(limit.depth, position.horizon)
    tree = grow(position, depth) if plies else None
    found = search(position, limit, every=True)
    policy = LEVELS[args.level].policy(position) if args.level else {}
    if args.json:
        report = as_json(position, found)
        if args.rule != "classic":
            report["rule"] = args.rule
        if policy:
            chances = {str(move + 1): round(chance, 6) for move, chance in sorted(policy.items())}
            report["level"] = {"name": args.level, "moves": chances}
        if tree is not None:
            report["tree"] = tree_json(tree, plies)
        print(json.dumps(report))
        return 0
    lines = [_title(position), "", *_grid(position, found), "", *_summary(found)]
    lines.append(f"nodes  {_costs(position, limit, depth)} (for the best move)")
    if policy:
        ranked = sorted(policy.items(), key=lambda item: (-item[1], item[0]))
        lines.append(
            f"{args.level} plays  {', '.join(f'{move + 1} {chance:.0%}' for move, chance in ranked)}"
        )
    if tree is not None:
        lines += ["", f"alpha-beta, {tree.nodes:,} positions; all scores are {position.to_move}'s"]
        lines += tree_lines(tree, position.to_move, position.ply, plies)
    print("\n".join(lines))
    return 0


def _limit(args: argparse.Namespace) -> Limit:
    depth = None if args.depth is None else number(int, args.depth, "--depth")
    seconds = None if args.seconds is None else number(float, args.seconds, "--seconds")
    if depth is None and seconds is None:
        seconds = PATIENCE
    try:
        return Limit(depth=depth, seconds=seconds)
    except ValueError as error:
        raise UserError(str(error)) from error


def as_json(position: Game, found: SearchResult) -> dict[str, object]:
    """Return the result for JSON; cells count from 1 in reading order."""
    return {
        "board": position.cells,
        "to_move": position.to_move,
        "value": found.value,
        "distance": found.distance,
        "best": found.move + 1,
        "moves": {
            str(move + 1): {"value": verdict.value, "distance": verdict.distance}
            for move, verdict in _verdicts(position, found).items()
        },
        "pv": [move + 1 for move in found.pv],
        "depth": found.depth,
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
    }


def _verdicts(position: Game, found: SearchResult) -> dict[int, Verdict]:
    """Return a verdict for each move, "unknown" for those that were not searched."""
    unknown = Verdict(0, "unknown", None)
    return {move: found.moves.get(move, unknown) for move in position.moves()}


def _title(position: Game) -> str:
    if isinstance(position, Board):
        ends = "lose" if isinstance(position, Misere) else "win"
        return f"{position.to_move} to move, {position.shape.k} in a row {ends}"
    fading = "" if position.fading is None else f", {position.fading + 1} vanishes"
    return f"{position.to_move} to move{fading}, 3 in a row win"


def _summary(found: SearchResult) -> list[str]:
    spent = f"{found.seconds * 1000:.1f} ms, {found.nodes:,} nodes for all moves"
    return [
        f"value  {_words(found)}",
        f"best   {found.move + 1}",
        f"line   {' '.join(str(move + 1) for move in found.pv)}",
        f"depth  {found.depth} {'ply' if found.depth == 1 else 'plies'}, {spent}",
    ]


def _costs(position: Game, limit: Limit, depth: int) -> str:
    """Return the positions visited to find only the best move, `depth` plies deep, in three ways."""
    straight = limit.seconds is None
    costs = {
        "minimax": minimax_nodes(position, depth),
        "alpha-beta": alpha_beta_nodes(position, depth),
        "engine": search(position, replace(limit, depth=depth) if straight else limit).nodes,
    }
    return ", ".join(
        f"{name} {'too many to count' if nodes is None else f'{nodes:,}'}" for name, nodes in costs.items()
    )


def _grid(position: Game, found: SearchResult) -> list[str]:
    """Return the board, each empty cell with its number and value."""
    verdicts, columns = _verdicts(position, found), len(str(position).partition("\n")[0])
    write = _sign if columns >= WIDE else _words
    texts = [
        mark if mark != "." else f"{cell + 1} {write(verdicts[cell])}"
        for cell, mark in enumerate(position.cells)
    ]
    width = max(map(len, texts))
    painted = []
    for cell, text in enumerate(texts):
        colours = [COLOURS[verdicts[cell].value]] if cell in verdicts else [BEST]
        if cell == found.move:
            colours.insert(0, BEST)
        last = (cell + 1) % columns == 0
        painted.append(_paint(text if last else text.ljust(width), ";".join(colours)))
    rows = ["  " + "  ".join(painted[row : row + columns]) for row in range(0, len(painted), columns)]
    return [*rows, "", "  (+7 wins in 7 plies, -4 loses in 4, = draws)"] if write is _sign else rows


def _words(verdict: Verdict) -> str:
    value = "?" if verdict.value == "unknown" else verdict.value
    return value if verdict.distance is None else f"{value} in {verdict.distance}"


def _sign(verdict: Verdict) -> str:
    return f"{SIGNS[verdict.value]}{'' if verdict.distance is None else verdict.distance}"


def _paint(text: str, colour: str) -> str:
    """Return the text in a colour on a terminal, unless NO_COLOR is set."""
    return f"\x1b[{colour}m{text}\x1b[0m" if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else text
