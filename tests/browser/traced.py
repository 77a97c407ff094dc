"""What a lesson's search must do at each step, by the engine alone: its positions, scores, keys and trace."""

from random import Random

from engine import PROVEN, Board, Misere, Tree, Vanishing, trace

INFINITE = 1_000_001
NOTHING = {"best": None, "child": -1, "value": None, "bound": "exact", "cut": [], "change": "", "from": -1}

RULES = {"classic": Board, "misere": Misere, "vanishing": lambda *_: Vanishing()}
ROUND = (0, 2, 1, 3, 5, 7, 8, 6)  # cells that vanishing can play for ever, so that positions occur again


def outlined(position, depth):
    """Return the positions down to a depth in the order of minimax, as the page has them, and their keys."""
    nodes, keys = [], []

    def add(state, parent, move, path):
        number, ply = len(nodes), len(path)
        nodes.append(None)
        keys.append(None if isinstance(state, Tree) else state.key())
        leaf = state.terminal or ply == depth
        value = state.evaluate() * (-1) ** ply if leaf else None
        reason = "drawn" if state.terminal else "guess"
        if isinstance(state, Tree):
            reason = "number"
        elif leaf and state.terminal and abs(value) >= PROVEN:
            reason = "won"
        moves = () if leaf else state.moves()
        children = [add(state.play(cell), number, cell, [*path, cell]) for cell in moves]
        fading = getattr(state, "fading", None)
        nodes[number] = {
            "parent": parent,
            "ply": ply,
            "move": move,
            "moves": path,
            "mark": "xo"[state.to_move == "x"] if path and not isinstance(state, Tree) else "",
            "value": value,
            "reason": reason if leaf else "",
            "children": children,
            "size": len(nodes) - number,
            "cells": getattr(state, "cells", ""),
            "fading": -1 if fading is None else fading,
            "line": list(getattr(state, "line", ())),
        }
        return number

    add(position, -1, -1, [])
    return nodes, keys


def ordered(nodes, order):
    """Return the children of each node in an order that needs no chance."""
    natural = [node["children"] for node in nodes]
    if order == "reversed":
        return [children[::-1] for children in natural]
    if order.startswith("first:"):
        first = natural[0][int(order[6:])]
        return [[first, *(child for child in natural[0] if child != first)], *natural[1:]]
    if order == "written":
        return natural
    values = {}
    for number in range(len(nodes) - 1, -1, -1):
        node = nodes[number]
        pick = min if node["ply"] % 2 else max
        values[number] = pick(map(values.get, node["children"])) if node["children"] else node["value"]
    sign = 1 if order == "best" else -1
    ways = [sign if node["ply"] % 2 else -sign for node in nodes]
    return [
        sorted(node["children"], key=lambda child, way=way: way * values[child])
        for node, way in zip(nodes, ways, strict=True)
    ]


def visits(nodes, children, *, pruned):
    """Return the engine's trace with the children in this order, and the leaves that it evaluated."""

    def numbers(node):
        return tuple(map(numbers, children[node])) or nodes[node]["value"]

    tree = Tree(numbers(0))
    return trace(tree, 99, pruned=pruned), tree


def steps_of(nodes, children, root, *, pruned, hard):
    """Return the steps of a traced search; fail-hard returns its values kept in the window."""
    found = []

    def returned(visit):
        value = max(visit.alpha, min(visit.beta, visit.value)) if hard else visit.value
        if value == visit.value or visit.children:
            return value, visit.bound
        return value, "upper" if value > visit.value else "lower"

    def step(kind, node, alpha, beta, **more):
        ends = {"alpha": alpha[0], "beta": beta[0], "alphaFrom": alpha[1], "betaFrom": beta[1]}
        found.append({**NOTHING, "kind": kind, "node": node, "complete": False, **ends, **more})

    def walk(visit, node, alpha, beta):
        assert (visit.alpha, visit.beta) == (alpha[0], beta[0])
        value, bound = returned(visit)
        if not visit.children:
            return step("enter", node, alpha, beta, value=value, best=value, bound=bound)
        step("enter", node, alpha, beta)
        best = None
        for place, inner in enumerate(visit.children, 1):
            child = children[node][inner.move]
            walk(inner, child, alpha, beta)
            value, bound = returned(inner)
            change = "nothing"
            if best is None or (value < best if visit.ply % 2 else value > best):
                best, change = value, "best"
            if pruned and visit.ply % 2 and best < beta[0]:
                beta, change = (best, child), "window"
            elif pruned and not visit.ply % 2 and best > alpha[0]:
                alpha, change = (best, child), "window"
            told = {"child": child, "value": value, "bound": bound, "best": best, "change": change}
            done = place == len(visit.children) and not visit.cut
            step("back", node, alpha, beta, **told, complete=done)
        assert best == returned(visit)[0]
        if visit.cut:
            step("cut", node, alpha, beta, best=best, cut=[children[node][move] for move in visit.cut])
        return None

    walk(root, 0, (-INFINITE, -1), (INFINITE, -1))
    last = {name: found[-1][name] for name in ("alpha", "beta", "alphaFrom", "betaFrom")}
    winner = next(children[0][visit.move] for visit in root.children if visit.value == root.value)
    return [*found, {**found[-1], **NOTHING, **last, "kind": "done", "node": 0, "complete": False}
            | {"best": root.value, "value": root.value, "child": winner}]  # fmt: skip


def remembering(nodes, children, keys, *, pruned, hard):
    """Return [kind, node, alpha, beta, value, bound, cut, from] of each visit and cut with a table.

    A position is looked up before it is searched. What is stored answers if it is exact, or at most where
    alpha is as high, or at least where beta is as low. Leaves are not stored.
    """
    found, table = [], {}

    def search(node, alpha, beta):
        low, high, value = alpha, beta, nodes[node]["value"]
        known = table if value is None else {}
        stored, bound, source = known.get(keys[node], (value, "exact", -1))
        if stored is not None and (
            bound == "exact"
            or (bound == "upper" and stored <= alpha)
            or (bound == "lower" and stored >= beta)
        ):
            if hard and not alpha <= stored <= beta:
                stored, bound = (alpha, "upper") if stored < alpha else (beta, "lower")
            kind, cut = ("enter", []) if value is not None else ("known", children[node])
            found.append([kind, node, alpha, beta, stored, bound, cut, source])
            return stored, bound
        found.append(["enter", node, alpha, beta, None, "exact", [], -1])
        pick = min if nodes[node]["ply"] % 2 else max
        best = None
        for place, child in enumerate(children[node], 1):
            value, _ = search(child, low, high)
            best = value if best is None else pick(best, value)
            if pruned:
                low, high = (low, min(high, best)) if pick is min else (max(low, best), high)
            if low >= high:
                if children[node][place:]:
                    found.append(["cut", node, low, high, None, "exact", children[node][place:], -1])
                break
        bound = "upper" if best <= alpha else "lower" if best >= beta else "exact"
        if keys[node] is not None:
            table[keys[node]] = best, bound, node
        return best, bound

    value, _ = search(0, -INFINITE, INFINITE)
    return value, found


def subjects(seed, count, largest):
    """Yield (the page's subject, position, depth) of boards by three rules and trees up to `largest`."""
    rng = Random(seed)
    made = 0
    while made < count:
        kind = rng.choice(("classic", "misere", "vanishing", "tree"))
        subject, position = _tree(rng) if kind == "tree" else _played(rng, kind)
        sizes = _sizes(position, largest)
        if position.terminal or not sizes:
            continue
        made += 1
        depth = len(sizes) if kind == "tree" else rng.randint((len(sizes) + 1) // 2, len(sizes))
        yield subject, position, depth


def _tree(rng):
    def grown(height):
        if height == 0 or (height < 3 and rng.random() < 0.2):
            return rng.randint(-9, 9)
        return [grown(height - 1) for _ in range(rng.randint(1, 4))]

    def frozen(node):
        return node if isinstance(node, int) else tuple(map(frozen, node))

    tree = grown(rng.randint(1, 4))
    tree = [tree] if isinstance(tree, int) else tree
    return {"kind": "tree", "tree": tree}, Tree(frozen(tree))


def _played(rng, rule):
    rows, columns, k = rng.choice(((3, 3, 3), (3, 4, 3), (4, 3, 3), (4, 4, 3), (4, 4, 4), (3, 4, 4)))
    if rule == "vanishing":
        rows, columns, k = 3, 3, 3
    position = RULES[rule](rows, columns, k)
    past = []
    again = ROUND if rule == "vanishing" and rng.random() < 0.5 else ()
    for _ in range(rng.randint(0, 24 if rule == "vanishing" else rows * columns - 2)):
        moves = again[len(past) % 8 :][:1] or position.moves()
        quiet = [move for move in moves if position.play(move).outcome is None]
        if not quiet:
            break
        past.append(rng.choice(quiet))
        position = position.play(past[-1])
    to_move = position.to_move
    if rule != "vanishing" and rng.random() < 0.2:  # as a teacher sets it up
        to_move = rng.choice("xo")
        position = type(position).parse(str(position), k=k, to_move=to_move)
    size = {"rows": rows, "columns": columns, "k": k}
    board = {"kind": "board", "cells": position.cells, **size, "rule": rule, "toMove": to_move}
    return board | {"past": past if rule == "vanishing" else None}, position


def _sizes(position, largest):
    """Return the numbers of positions at depth 1, 2, ... up to `largest`."""
    level, sizes = [position], [1]
    while level and sizes[-1] <= largest:
        level = [state.play(move) for state in level if not state.terminal for move in state.moves()]
        sizes.append(sizes[-1] + len(level))
    return [size for size, before in zip(sizes[1:], sizes, strict=False) if before < size <= largest]
