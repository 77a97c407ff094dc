"""`tictactoe analyse`: the value of every move in a position, and the cost of the search."""

import argparse
import json
from collections.abc import Iterator

from appliance.core.english import counted, plural
from appliance.core.errors import UserError
from appliance.teaching.trees import nodes
from appliance.teaching.trees.legend import PAGE_SIGNS, TREE, legend, legend_lines
from engine import RULES, SOLVED, Board, Game, Limit, SearchResult, Verdict, Visit, search
from engine.notation import parse_rows

DEFAULT_SECONDS = 10.0  # seconds, if no limit is given
MAX_POSITIONS = 1000  # how many positions of a tree can still be read


def solved(rule: str) -> str:
    """Return the name of a rule. Raise `ArgumentTypeError` for one whose moves nobody can judge."""
    if rule in RULES and rule not in SOLVED:
        *others, last = SOLVED
        raise argparse.ArgumentTypeError(
            f"{rule} is not solved, so nobody knows what its moves are worth: "
            f"choose {', '.join(others)} or {last}"
        )
    return rule


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "board",
        metavar="BOARD",
        help="x, o and . in reading order, such as x../.o./... or x...o....; or the cells played on 3x3, "
        "counted from 1, x first, such as 15",
    )
    parser.add_argument("--k", type=int, metavar="K", help="how many in a row win (3)")
    parser.add_argument("--to-move", choices="xo", help="the side to move, if the marks leave it open")
    parser.add_argument("--depth", type=int, metavar="N", help="search no deeper than N plies")
    parser.add_argument(
        "--seconds",
        type=float,
        metavar="S",
        help="search for at most S seconds to judge every move, and as long again to find the best "
        f"({DEFAULT_SECONDS:g} if no limit is given)",
    )
    parser.add_argument("--rule", default="classic", type=solved, choices=SOLVED, help="the rule (classic)")
    parser.add_argument(
        "--tree",
        type=int,
        metavar="N",
        help="also show N plies of the tree of textbook alpha-beta, with its cuts",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Analyse one position. Raise `UserError` for an invalid position or limit."""
    position = position_of(args.board, rule=args.rule, k=args.k, to_move=args.to_move)
    _check(args)
    seconds = DEFAULT_SECONDS if args.depth is None and args.seconds is None else args.seconds
    limit = Limit(depth=args.depth, seconds=seconds)
    depth = min(limit.depth or position.horizon, position.horizon)
    tree = nodes.grow(position, depth) if args.tree else None
    if tree and not args.json:
        _fit(tree, args.tree)
    found = search(position, limit, every=True)
    if args.json:
        report = as_json(position, found) | {"rule": args.rule}
        if tree:
            report["tree"] = nodes.tree_json(tree, args.tree)
        print(json.dumps(report))
        return 0
    lines = [_title(position, args.rule), "", *_grid(position, found), "", *_summary(found)]
    lines += ["", "positions visited to find the best move:", *_costs(position, limit, depth)]
    parts = [("\n".join(lines), PAGE_SIGNS)]
    if tree:
        root = nodes.node(position, tree, args.tree)
        lines += ["", _heading(position, tree, depth), *nodes.tree_lines(root)]
        parts.append(("\n".join(nodes.tree_lines(root)), TREE))
    lines += ["", *legend_lines(legend(*parts, **_facts(position, depth)))]
    print("\n".join(lines))
    return 0


def _check(args: argparse.Namespace) -> None:
    """Raise `UserError` for an invalid option, or options that exclude each other."""
    if args.depth is not None and args.depth < 1:
        raise UserError(f"--depth {args.depth} searches nothing: give at least 1")
    if args.seconds is not None and not args.seconds > 0:
        raise UserError(f"--seconds {args.seconds:g} searches nothing: give more than 0")
    if args.tree is not None and args.tree < 1:
        raise UserError(f"--tree {args.tree} shows nothing: give at least 1")


def _fit(tree: Visit, plies: int) -> None:
    """Raise `UserError`, with the plies that fit, if there is too much to show."""
    count, fits = nodes.positions_shown(tree, plies), plies - 1
    if count > MAX_POSITIONS:
        while nodes.positions_shown(tree, fits) > MAX_POSITIONS:
            fits -= 1
        raise UserError(
            f"--tree {plies} is {count:,} positions, too many to read: --tree {fits} "
            f"has {nodes.positions_shown(tree, fits):,}"
        )


def position_of(text: str, *, rule: str, k: int | None, to_move: str | None) -> Game:
    """Return the position in `text`, a drawn board or the cells played: see `tictactoe analyse --help`.

    Raise `UserError` for an invalid position, or a game that is over.
    """
    position = SOLVED[rule]()
    if set(text) & set("0123456789"):
        if k is not None or to_move is not None:
            raise UserError("--k and --to-move go with a drawn board, not with the cells played on 3x3")
        position = played(text, position)
    else:
        # Where marks stay, a drawn board is enough.
        kind = type(position) if isinstance(position, Board) else None
        drawn = _drawn(text, kind or Board, k, to_move)
        if kind:
            position = drawn
        elif drawn != Board():
            raise UserError(
                f"--rule {rule} needs the cells of a 3x3 board in the order played, like 159: "
                "a drawn board does not show which mark is the oldest"
            )
    if position.outcome is not None:
        result = "drawn" if position.outcome == "draw" else f"won by {position.outcome}"
        raise UserError(f"the game is over, {result}: there is nothing to analyse")
    return position


def _drawn(text: str, kind: type[Board], k: int | None, to_move: str | None) -> Board:
    """Return the position of a drawn board. Raise `UserError` if it is none."""
    try:
        rows, columns, cells = parse_rows(text)
        x, o, longest = cells.count("x"), cells.count("o"), max(rows, columns)
        if k is None and longest < 3:
            raise UserError(
                f"BOARD {text!r} is {rows}x{columns}, too small for three in a row: write all nine cells, "
                f"like x...o...., or add --k {longest}"
            )
        if k is not None and not 1 <= k <= longest:
            raise UserError(
                f"--k {k} does not fit BOARD {text!r}, which is {rows}x{columns}: give 1 to {longest}"
            )
        if to_move is None and x - o not in (0, 1):
            raise UserError(
                f"BOARD {text!r} has {x} x and {o} o, but x moves first and both in turn: if marks were set "
                "beforehand, add --to-move x or --to-move o"
            )
        return kind.parse(text, k=3 if k is None else k, to_move=to_move)
    except ValueError as error:
        raise UserError(f"BOARD {text!r}: {error}") from error


def played(text: str, position: Game) -> Game:
    """Return the position after the cells in `text`, from 1. Raise `UserError` for an illegal move."""
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


def _title(position: Game, rule: str) -> str:
    fading = "" if position.fading is None else f", {position.fading + 1} vanishes"
    count = position.shape.k if isinstance(position, Board) else 3
    ends = "lose" if RULES[rule].loses else "win"
    return f"{position.to_move} to move{fading}, {count} in a row {ends}"


def _plies(count: int) -> str:
    return counted(count, "ply", "plies")


def _heading(position: Game, tree: Visit, depth: int) -> str:
    visited = f"alpha-beta, {_plies(depth)} deep: {tree.nodes:,} positions visited"
    return f"{visited}; all values are for {position.to_move}"


def _facts(position: Game, depth: int) -> dict[str, str]:
    """Return the facts of this search for the legend."""
    return {
        "mover": position.to_move,
        "other": "xo"[position.to_move == "x"],
        "depth": _plies(depth),
        "even": ", or a guess that neither side is ahead" if depth < position.horizon else "",
    }


def _grid(position: Game, found: SearchResult) -> Iterator[str]:
    """Yield the rows of the board, with the number and value of each empty cell."""
    verdicts, columns = _verdicts(position, found), len(str(position).split()[0])
    texts = [
        mark if mark != "." else f"{cell + 1} {_words(verdicts[cell])}"
        for cell, mark in enumerate(position.cells)
    ]
    width = max(map(len, texts)) + 2
    for start in range(0, len(texts), columns):
        row = "".join(text.ljust(width) for text in texts[start : start + columns])
        yield f"  {row.rstrip()}"


def _summary(found: SearchResult) -> list[str]:
    visited = f"{found.nodes:,} {plural(found.nodes, 'position')} visited to judge every move"
    return [
        f"value  {_words(found)}",
        f"best   {found.move + 1}",
        f"line   {' '.join(str(move + 1) for move in found.pv)}",
        f"depth  {_plies(found.depth)}, {found.seconds * 1000:.1f} ms, {visited}",
    ]


def _words(verdict: Verdict) -> str:
    value = "?" if verdict.value == "unknown" else verdict.value
    return value if verdict.distance is None else f"{value} in {verdict.distance}"


def _costs(position: Game, limit: Limit, depth: int) -> list[str]:
    """Return how many positions three searches of `depth` plies visit, and why."""
    plain, pruned = nodes.minimax_nodes(position, depth), nodes.alpha_beta_nodes(position, depth)
    ways = (
        ("minimax", plain, f"all lines of play, {_plies(depth)} deep"),
        ("alpha-beta", pruned, "the same result, without moves that cannot change it"),
        ("engine", search(position, limit).nodes, "prunes, remembers positions, and recognises decided ones"),
    )
    counts = ["too many to count" if size is None else f"{size:,}" for _, size, _ in ways]
    wide = max(map(len, counts))
    return [
        f"  {name:<10}  {count:>{wide}}  {why}" for (name, _, why), count in zip(ways, counts, strict=True)
    ]
