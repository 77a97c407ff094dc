"""`tictactoe lesson`: a page that steps through searches, and the address at which it shows a position."""

import argparse
import json
import re
from itertools import accumulate, count, takewhile
from pathlib import Path

from appliance.commands.analyse import position_of, solved
from appliance.core.errors import UserError, printable
from appliance.teaching.lesson.assemble import lesson_page
from appliance.teaching.taught import TAUGHT
from appliance.teaching.trees.nodes import minimax_nodes
from engine import Board, Game

ALGORITHMS = ("minimax", "alpha-beta", "fail-hard", "negamax")
LIMIT, DEEPEST, SIDE = 1_000, 12, 8  # positions, parentheses, rows: the page's limits, told where typed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "board",
        metavar="BOARD",
        nargs="?",
        help="a board or the cells played, as for `tictactoe analyse`; or a tree of numbers, such as "
        "((2,7),(1,8)) (default: begin at the first section)",
    )
    parser.add_argument(
        "--depth", type=int, metavar="N", help=f"search N plies (the limit is {LIMIT:,} positions)"
    )
    parser.add_argument("--algorithm", choices=ALGORITHMS, help="the search to step through (alpha-beta)")
    parser.add_argument("--rule", type=solved, choices=TAUGHT, help="the rule (classic)")
    parser.add_argument("--k", type=int, metavar="K", help="how many in a row win (3)")
    parser.add_argument("--to-move", choices="xo", help="the side to move, if the marks leave it open")
    parser.add_argument(
        "--output", type=Path, default=Path("lesson.html"), metavar="FILE", help="the page (lesson.html)"
    )


def run(args: argparse.Namespace) -> int:
    """Write the page. Raise `UserError` for an invalid position, tree, depth or file."""
    asked = _address(args)
    text = lesson_page().encode()
    _write(args.output, text)
    print(f"{printable(str(args.output))}: {len(text) / 1000:.0f} kB; open it in a browser:")
    print(args.output.absolute().as_uri() + asked)
    return 0


def _address(args: argparse.Namespace) -> str:
    """Return what makes the page show the board or the tree; see lesson/address.js."""
    board = args.board
    tree = board is not None and bool({"(", ")"} & set(board))
    for name in ("algorithm", "depth", "rule", "k", "to_move"):
        option = f"--{name.replace('_', '-')}"
        if getattr(args, name) is not None and board is None:
            raise UserError(f"{option} goes with BOARD: say what to show")
        if getattr(args, name) is not None and tree and name != "algorithm":
            raise UserError(f"{option} goes with a board, not with a tree of numbers")
    if board is None:
        return ""
    shown = {"n": _tree(board)} if tree else _board(args)
    asked = shown | {"a": args.algorithm or "alpha-beta", "s": "free"}
    return "#" + "&".join(f"{key}={value}" for key, value in asked.items())


def _board(args: argparse.Namespace) -> dict[str, object]:
    rule = args.rule or "classic"
    position = position_of(args.board, rule=rule, k=args.k, to_move=args.to_move)
    played = "".join(re.findall("[1-9]", args.board)) or "." * 9
    shown: dict[str, object] = {"b": played, "r": rule}
    if isinstance(position, Board):
        shape = position.shape
        if max(shape.rows, shape.columns) > SIDE:
            raise UserError(
                f"a lesson on {shape.rows}x{shape.columns} is too large: the page has room for {SIDE}x{SIDE}"
            )
        rows = str(position).replace("\n", "/")
        shown |= {"b": rows if "/" in rows else f"{rows}/", "k": shape.k, "m": position.to_move}
    return shown | ({} if args.depth is None else {"d": _depth(position, args.depth)})


def _depth(position: Game, wanted: int) -> int:
    """Return the depth, no deeper than the game. Raise `UserError` if the page has no room for it."""
    if wanted < 1:
        raise UserError(f"--depth {wanted} shows nothing: give at least 1")
    depth = min(wanted, position.horizon)
    size = minimax_nodes(position, depth)
    if size is None or size > LIMIT:
        sizes = (minimax_nodes(position, plies) or 0 for plies in count(1))
        fitting = list(takewhile(lambda size: size <= LIMIT, sizes))
        many = "too many positions to count" if size is None else f"{size:,} positions"
        raise UserError(
            f"a lesson {depth} plies deep has {many}, and the limit is {LIMIT:,}: "
            f"--depth {len(fitting)} fits, with {fitting[-1]:,}"
        )
    return depth


def _tree(text: str) -> str:
    """Return a tree of numbers without blanks. Raise `UserError` if it is none, or too large for the page.

    But for its parentheses it is JSON. The page has the grammar, and says more about a mistake.
    """
    tree = text.replace("\u2212", "-")
    if max(accumulate((sign == "(") - (sign == ")") for sign in tree)) > DEEPEST:  # the parser would recurse
        raise UserError(f"more than {DEEPEST} parentheses are open in BOARD: make the tree flatter")
    wrong = re.search(r"[^-+(),0-9\s]|(?<=\()\s*\)|[0-9]{6}", tree)
    known = f"{tree[: wrong.start()]}?" if wrong else tree
    try:
        json.loads(re.sub(r"\+(?=[0-9])", " ", known.translate(str.maketrans("()", "[]"))))
    except json.JSONDecodeError as error:
        raise UserError(
            f"BOARD is no tree of numbers from character {error.pos + 1} on: write it like ((2,7),(1,8)), "
            "with numbers up to 99,999"
        ) from None
    if (size := len(re.findall(r"\(|[0-9]+", tree))) > LIMIT:
        raise UserError(f"the tree has {size:,} positions, and the limit is {LIMIT:,}: leave branches out")
    return "".join(tree.split())


def _write(path: Path, text: bytes) -> None:
    try:
        path.write_bytes(text)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UserError(f"{str(path)!r}: {reason}; choose another file with --output") from error
