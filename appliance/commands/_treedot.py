"""The tree of alpha-beta for Graphviz: `tictactoe analyse BOARD --tree 2 --as dot | dot -Tpng`."""

from collections.abc import Sequence

from appliance.commands._legend import legend_lines, pretty
from appliance.commands._tree import Node

RED = "#c9252d"


def draw(root: Node, titles: Sequence[str], legend: Sequence[tuple[str, str]]) -> str:
    """Return the tree in the language of dot, root on the left. Cut branches are dashed and end in a bar."""
    words = legend_lines([(pretty(sign), meaning) for sign, meaning in legend], 100)
    lines = [
        "digraph {",
        '  graph [rankdir=LR, ordering=out, nodesep=0.1, ranksep=0.5, fontname="monospace", fontsize=11,',
        f"    label={_quote(*titles, '', *words)}]",
        '  node [shape=box, fontname="monospace", fontsize=10, margin=0.08, height=0]',
        '  edge [fontname="monospace", fontsize=10]',
    ]
    names = {id(node): f"n{number}" for number, node in enumerate(root.walk())}
    for node in root.walk():
        name = names[id(node)]
        board = (" ".join(row) for row in str(node.position).split())
        below = [f"{node.below:,} below"] if node.below else []
        window = f"alpha {node.alpha}", f"beta {node.beta}"
        lines.append(f"  {name} [label={_quote(*board, '', node.value, *window, *below)}]")
        lines += [f"  {name} -> {names[id(child)]} [label={_quote(child.move)}]" for child in node.children]
        if node.cut:
            label = _quote(f"cut {' '.join(map(str, node.cut))}", node.brief)
            looks = f'color="{RED}", fontcolor="{RED}", tooltip={_quote(node.reason)}'
            lines.append(f"  {name}cut [shape=plain, label={label}, {looks}]")
            lines.append(f"  {name} -> {name}cut [style=dashed, arrowhead=tee, {looks}]")
    return "\n".join([*lines, "}"])


def _quote(*rows: str) -> str:
    """Return a string of dot; more than one row are set flush left."""
    rows = tuple(pretty(row).replace("\\", "\\\\").replace('"', '\\"') for row in rows)
    return '"' + ("".join(f"{row}\\l" for row in rows) if len(rows) > 1 else rows[0]) + '"'
