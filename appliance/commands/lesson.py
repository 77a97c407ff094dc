"""`tictactoe lesson`: a page that steps through a search."""

import argparse
from pathlib import Path

from appliance.commands.analyse import position_of, solved
from appliance.core.errors import UserError, printable
from appliance.teaching.lesson.numbers import parse
from appliance.teaching.lesson.outline import LIMIT, READABLE, Outline, of_game, of_numbers, sizes
from appliance.teaching.lesson.page import ALGORITHMS, page
from appliance.teaching.trees.nodes import minimax_nodes
from engine import SOLVED, Game

HELP = "write a page that steps through minimax, alpha-beta or negamax"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "board",
        metavar="BOARD",
        help="a board or the cells played, as for `tictactoe analyse`; or a tree of numbers: ((2,7),(1,8))",
    )
    parser.add_argument(
        "--depth",
        type=int,
        metavar="N",
        help=f"search N plies (as deep as {READABLE} positions allow; the limit is {LIMIT:,})",
    )
    parser.add_argument(
        "--algorithm",
        default="alpha-beta",
        choices=ALGORITHMS,
        help="the search to step through (alpha-beta)",
    )
    parser.add_argument("--rule", type=solved, choices=SOLVED, help="the rule (classic)")
    parser.add_argument("--k", type=int, metavar="K", help="how many in a row win (3)")
    parser.add_argument("--to-move", choices="xo", help="the side to move, if the marks leave it open")
    parser.add_argument(
        "--output", type=Path, default=Path("lesson.html"), metavar="FILE", help="the page (lesson.html)"
    )


def run(args: argparse.Namespace) -> int:
    """Write the page. Raise `UserError` for an invalid position, tree, depth or file."""
    outline = _outline(args)
    text = page(outline, args.algorithm).encode()
    _write(args.output, text)
    positions = f"{outline.nodes[0].size:,} positions"
    print(f"{printable(str(args.output))}: {positions}, {len(text) / 1000:.0f} kB; open it in a browser")
    return 0


def _outline(args: argparse.Namespace) -> Outline:
    if "(" in args.board or ")" in args.board:
        for name in ("depth", "rule", "k", "to_move"):
            if getattr(args, name) is not None:
                raise UserError(f"--{name.replace('_', '-')} goes with a board, not with a tree of numbers")
        return of_numbers(parse(args.board))
    rule = args.rule or "classic"
    position = position_of(args.board, rule=rule, k=args.k, to_move=args.to_move)
    return of_game(position, _depth(position, args.depth), rule, len(str(position).split()[0]))


def _depth(position: Game, wanted: int | None) -> int:
    """Return the depth: `wanted`, but no deeper than the game; else as deep as a reader can follow."""
    if wanted is not None and wanted < 1:
        raise UserError(f"--depth {wanted} shows nothing: give at least 1")
    known = list(sizes(position))
    if wanted is None:
        return max(1, sum(size <= READABLE for size in known))
    fitting = sum(size <= LIMIT for size in known)
    depth = min(wanted, position.horizon)
    if depth > fitting == len(known):
        return fitting  # no game lasts longer
    if depth > fitting:
        size = minimax_nodes(position, depth)
        many = "too many positions to count" if size is None else f"{size:,} positions"
        raise UserError(
            f"a lesson {depth} plies deep has {many}, and the limit is {LIMIT:,}: "
            f"--depth {fitting} fits, with {known[fitting - 1]:,}"
        )
    return depth


def _write(path: Path, text: bytes) -> None:
    try:
        path.write_bytes(text)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UserError(f"{str(path)!r}: {reason}; choose another file with --output") from error
