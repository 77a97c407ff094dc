"""The lesson's own search, in Chromium, against the engine's: steps, scores, orders, keys and playouts."""

from itertools import pairwise

import pytest
from conftest import OMNIBUS
from traced import ROUND, ordered, outlined, remembering, steps_of, subjects, visits

from engine import Vanishing, alpha_beta, minimax, negamax, trace

SUBJECTS, LARGEST = 300, 130
ALGORITHMS = ("minimax", "alpha-beta", "fail-hard", "negamax")
SEARCHES = {"minimax": minimax, "alpha-beta": alpha_beta, "fail-hard": alpha_beta, "negamax": negamax}

WALKS = """
const [subject, depth, algorithms] = arguments;
const outline = outlineOf(subject, depth);
const orders = [...ordersOf(outline), "shuffled:7"];
const walks = orders.flatMap((order) => algorithms.flatMap((algorithm) => [false, true].map((table) => {
  const { children, ...walk } = walkOf(outline, { algorithm, order, table });
  return { order, algorithm, table, ...walk };
})));
const children = orders.map((order) => [order, childrenIn(outline, order)]);
return { outline, walks, orders: Object.fromEntries(children) };
"""


@pytest.mark.parametrize("seed", range(10))
def test_every_step_is_the_engines(search, seed):
    compared = 0
    for subject, position, depth in subjects(seed, SUBJECTS // 10, LARGEST):
        found = search(WALKS, subject, depth, ALGORITHMS)
        nodes, keys = outlined(position, depth)
        same_outline(found["outline"], nodes, keys, position, depth)
        for order, children in found["orders"].items():
            if order.startswith("shuffled"):
                assert list(map(sorted, children)) == [node["children"] for node in nodes]
            else:
                assert children == ordered(nodes, order), order
        for walk in found["walks"]:
            children = found["orders"][walk["order"]]
            compared += len(walk["steps"])
            same_walk(walk, nodes, children, keys)
            same_questions(walk)
        natural = visits(nodes, found["orders"]["written"], pruned=True)[0]
        same_visits(natural, trace(position, depth), nodes, 0)
    assert compared > 50_000


def test_the_past_keeps_positions_apart_once_one_has_come_twice(search):
    position, past = Vanishing(), [*ROUND, *ROUND[:6]]
    for cell in past:
        position = position.play(cell)
    played = "".join(str(cell + 1) for cell in past)
    found = search("return outlineOf(parseSubject(arguments[0], { rule: 'vanishing' }), 5)", played)
    same_outline(found, *outlined(position, 5), position, 5)


def test_another_seed_shuffles_otherwise(search):
    script = "return childrenIn(outlineOf({ kind: 'tree', tree: [...Array(9).keys()] }), arguments[0])[0]"
    mixed = [search(script, f"shuffled:{seed}") for seed in (*range(20), 0)]
    assert mixed[0] == mixed[-1]
    assert len(set(map(tuple, mixed))) == 20
    assert len({one[0] for one in mixed}) > 4


def same_outline(outline, nodes, keys, position, depth):
    assert [{name: node[name] for name in nodes[0]} for node in outline["nodes"]] == nodes
    assert len(nodes) == minimax(position, depth).nodes
    assert outline["guessed"] == any(node["reason"] == "guess" for node in nodes)
    assert outline["start"] == position.ply
    theirs = [node["key"] for node in outline["nodes"]]
    assert len(set(zip(theirs, keys, strict=True))) == len(set(theirs)) == len(set(keys))


def same_walk(walk, nodes, children, keys):
    pruned, hard = walk["algorithm"] != "minimax", walk["algorithm"] == "fail-hard"
    root, tree = visits(nodes, children, pruned=pruned)
    assert walk["value"] == root.value
    assert walk["visited"] + walk["saved"] == len(nodes)
    cut = [branch for step in walk["steps"] for branch in step["cut"]]
    assert walk["saved"] == sum(nodes[branch]["size"] for branch in cut)
    if not walk["table"]:
        assert walk["steps"] == steps_of(nodes, children, root, pruned=pruned, hard=hard)
        found = SEARCHES[walk["algorithm"]](type(tree)(tree.node), 99)
        best = children[0].index(walk["steps"][-1]["child"])
        assert (walk["value"], best, walk["visited"]) == found
        return
    value, expected = remembering(nodes, children, keys, pruned=pruned, hard=hard)
    names = ("kind", "node", "alpha", "beta", "value", "bound", "cut", "from")
    shown = [[step[name] for name in names] for step in walk["steps"] if step["kind"] not in ("back", "done")]
    assert (walk["value"], shown) == (value, expected)


def same_questions(walk):
    """Check the questions against the steps: each asks what a value that comes back cuts."""
    expected = []
    for place, step in enumerate(walk["steps"]):
        if step["kind"] != "back" or step["complete"]:
            continue
        asked = {"before": place, "node": step["node"], "child": step["child"]}
        if (then := walk["steps"][place + 1])["kind"] == "cut":
            expected.append({**asked, "then": place + 1, "answer": then["cut"]})
        elif step["change"] == "window":
            expected.append({**asked, "then": place, "answer": []})
    assert walk["questions"] == expected


def same_visits(ours, theirs, nodes, node):
    """Check that the trace of a tree of the outline's numbers is that of the game itself."""
    assert ours[1:6] == theirs[1:6]
    moves = [nodes[child]["move"] for child in nodes[node]["children"]]
    assert [moves[move] for move in ours.cut] == list(theirs.cut)
    assert [moves[child.move] for child in ours.children] == [child.move for child in theirs.children]
    for mine, other in zip(ours.children, theirs.children, strict=True):
        same_visits(mine, other, nodes, nodes[node]["children"][mine.move])


PLAYOUTS = """
const [subject, depth, count] = arguments;
const outline = outlineOf(subject, depth);
const found = monteCarlo(outline, 5, count);
const counts = [0, 1, 10, count].map((n) => [n, found.visits(n), found.best(n)]);
return { nodes: outline.nodes, playouts: found.playouts, counts };
"""


@pytest.mark.parametrize("seed", range(4))
def test_playouts_add_up(search, seed):
    for subject, _, depth in subjects(100 + seed, 3, LARGEST):
        found = search(PLAYOUTS, subject, depth, 200)
        nodes, tree = found["nodes"], {0}
        for playout in found["playouts"]:
            walked = playout["path"] + playout["played"]
            assert all(nodes[child]["parent"] == node for node, child in pairwise(walked))
            assert (walked[0], walked[-1], nodes[walked[-1]]["children"]) == (0, playout["leaf"], [])
            new = set(playout["path"]) - tree
            assert len(new) <= 1  # the tree grows by one position
            assert bool(new) or not playout["played"]
            tree |= new
            value, reason = nodes[playout["leaf"]]["value"], nodes[playout["leaf"]]["reason"]
            if reason in ("won", "drawn"):
                assert playout["value"] == (value > 0) + (value == 0) / 2
            else:
                assert 0 <= playout["value"] <= 1
        for made, counted, best in found["counts"]:
            through = [
                [p["value"] for p in found["playouts"][:made] if node in p["path"]]
                for node in range(len(nodes))
            ]
            assert counted["visits"] == list(map(len, through))
            assert counted["mean"] == [pytest.approx(sum(v) / len(v)) if v else None for v in through]
            most = max(nodes[0]["children"], key=lambda child: counted["visits"][child])
            assert best == most


def test_more_playouts_find_what_minimax_finds(search):
    late = {"kind": "tree", "tree": [[9] * 20 + [-9], [0, 1, 0, 1]]}  # the first looks better for long
    found = "const m = monteCarlo(outlineOf(arguments[0]), arguments[1], 4000); return [10, 4000].map(m.best)"
    for seed in range(10):
        assert search(found, OMNIBUS, seed)[1] == 1
        assert search(found, late, seed)[1] == 23
    assert any(search(found, late, seed)[0] == 1 for seed in range(10))
    won = search("return monteCarlo(outlineOf(parseSubject('xx./oo./...'), 3), 1, 300).best(300)")
    assert won == 1


def test_one_seed_gives_one_search(search):
    made = "return [1, 1, 2].map((seed) => monteCarlo(outlineOf(randomTree(3)), seed, 50).playouts)"
    first, again, other = search(made)
    assert first == again != other
