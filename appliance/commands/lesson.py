"""`tictactoe lesson`: a page on which a search is walked through step by step."""

import argparse
import os
from pathlib import Path

from appliance.commands._tree import minimax_nodes
from appliance.commands.analyse import position_of
from appliance.config.yamlfile import printable
from appliance.core.errors import UserError
from appliance.lesson.numbers import parse
from appliance.lesson.outline import LIMIT, READABLE, Outline, of_game, of_numbers, sizes
from appliance.lesson.page import ALGORITHMS, page
from engine import RULES, Game

HELP = "write a page that walks through minimax, alpha-beta or negamax step by step"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "board",
        metavar="BOARD",
        help="a board or the cells played, as `tictactoe analyse` takes them; "
        "or a tree of numbers: ((2,7),(1,8))",
    )
    parser.add_argument(
        "--depth",
        type=int,
        metavar="N",
        help=f"search N plies (as deep as {READABLE} positions allow; {LIMIT:,} are the limit)",
    )
    parser.add_argument(
        "--algorithm", default="alpha-beta", choices=ALGORITHMS, help="what is walked through (alpha-beta)"
    )
    parser.add_argument("--rule", choices=RULES, help="the game (classic)")
    parser.add_argument("--k", type=int, metavar="K", help="how many in a row win (3)")
    parser.add_argument("--to-move", metavar="x|o", help="the side to move, if the counts do not tell")
    parser.add_argument(
        "--output", type=Path, default=Path("lesson.html"), metavar="FILE", help="the page (lesson.html)"
    )


def run(args: argparse.Namespace) -> int:
    """Write the page. Raise `UserError` for a position, tree, depth or file that cannot be used."""
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
    """Return how deep to search: as wanted, no deeper than the game, or as deep as a reader can follow."""
    if wanted is not None and wanted < 1:
        raise UserError(f"--depth {wanted} shows nothing: it must be above zero")
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
    """Write the page as a whole: a file of that name is replaced, or left alone if that fails."""
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(text)  # /dev/stdout is not replaced
            return
        path = path.resolve()
        part = path.with_name(f".lesson-{os.getpid()}")
        try:
            part.write_bytes(text)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UserError(f"{str(path)!r}: {reason}; choose another file with --output") from error
