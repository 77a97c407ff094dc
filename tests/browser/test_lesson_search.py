"""The lesson's own search, in Chromium, against the engine's: steps, scores, orders, addresses, playouts."""

import json
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from traced import ROUND, ordered, outlined, remembering, steps_of, subjects, visits

from appliance.cli import main
from appliance.commands import lesson
from appliance.teaching.lesson.page import SEARCH, script
from engine import Vanishing, alpha_beta, minimax, negamax, trace

SUBJECTS, LARGEST = 300, 130
ALGORITHMS = ("minimax", "alpha-beta", "fail-hard", "negamax")
SEARCHES = {"minimax": minimax, "alpha-beta": alpha_beta, "fail-hard": alpha_beta, "negamax": negamax}
OMNIBUS = {"kind": "tree", "tree": [[2, 7], [1, 8]]}

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


@pytest.fixture(scope="module")
def page(chromium, tmp_path_factory):
    """Return what runs a script beside the lesson's search, with nothing else of its page."""
    path = tmp_path_factory.mktemp("search") / "search.html"
    path.write_text(f"<!DOCTYPE html><meta charset=utf-8><script>{script(SEARCH)}</script>")
    chromium.open(path)
    return chromium.run


@pytest.mark.parametrize("seed", range(10))
def test_every_step_is_the_engines(page, seed):
    compared = 0
    for subject, position, depth in subjects(seed, SUBJECTS // 10, LARGEST):
        found = page(WALKS, subject, depth, ALGORITHMS)
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
            same_questions(walk, nodes)
        natural = visits(nodes, found["orders"]["written"], pruned=True)[0]
        same_visits(natural, trace(position, depth), nodes, 0)
    assert compared > 50_000


def test_the_past_keeps_positions_apart_once_one_has_come_twice(page):
    position, past = Vanishing(), [*ROUND, *ROUND[:6]]
    for cell in past:
        position = position.play(cell)
    played = "".join(str(cell + 1) for cell in past)
    found = page("return outlineOf(parseSubject(arguments[0], { rule: 'vanishing' }), 5)", played)
    same_outline(found, *outlined(position, 5), position, 5)


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


def same_questions(walk, nodes):
    """Check the questions against the steps."""
    steps, expected = walk["steps"], []
    for place, step in enumerate(steps):
        node, ends = step["node"], {"alpha": step["alpha"], "beta": step["beta"]}
        if walk["algorithm"] != "minimax" and step["kind"] in ("enter", "known") and nodes[node]["children"]:
            if ends != {"alpha": -1_000_001, "beta": 1_000_001}:
                expected.append(["window", place, place, nodes[node]["parent"], node, ends, "exact"])
        elif step["kind"] == "back" and step["complete"]:
            over = next((later["bound"] for later in steps[place:] if later["child"] == node), "exact")
            expected.append(
                ["value", place, place, node, step["child"], step["best"], over if node else "exact"]
            )
        elif step["kind"] == "back" and steps[place + 1]["kind"] == "cut":
            cut = steps[place + 1]["cut"]
            expected.append(["cut", place, place + 1, node, step["child"], cut, step["bound"]])
        elif step["kind"] == "back" and step["change"] == "window":
            expected.append(["cut", place, place, node, step["child"], [], step["bound"]])
    names = ("kind", "before", "then", "node", "child", "answer", "bound")
    assert [[question[name] for name in names] for question in walk["questions"]] == expected


def same_visits(ours, theirs, nodes, node):
    """Check that the trace of a tree of the outline's numbers is that of the game itself."""
    assert ours[1:6] == theirs[1:6]
    moves = [nodes[child]["move"] for child in nodes[node]["children"]]
    assert [moves[move] for move in ours.cut] == list(theirs.cut)
    assert [moves[child.move] for child in ours.children] == [child.move for child in theirs.children]
    for mine, other in zip(ours.children, theirs.children, strict=True):
        same_visits(mine, other, nodes, nodes[node]["children"][mine.move])


@pytest.mark.parametrize(
    ("text", "error", "values"),
    [
        ("((2,7),(1,8)", "tree-separator", {"token": "", "at": 13}),
        ("((2,7),,1)", "tree-number", {"token": ",", "at": 8}),
        ("()", "tree-number", {"token": ")", "at": 2}),
        ("(1 2)", "tree-separator", {"token": "2", "at": 4}),
        ("(1,2))", "tree-rest", {"token": ")", "at": 6}),
        ("(1,x)", "tree-number", {"token": "x", "at": 4}),
        ("(1,100000)", "tree-large", {"at": 4, "limit": 99_999}),
        ("(1," + "9" * 5000 + ")", "tree-large", {"at": 4, "limit": 99_999}),
        ("(" * 5000, "tree-deep", {"token": "(", "at": 13, "limit": 12}),
        ("xo?/.../...", "board-character", {"character": "?", "row": 1, "column": 3}),
        ("x../..", "board-uneven", {"lengths": "3, 2"}),
        ("x..", "board-run", {"count": 3}),
        ("", "board-empty", {}),
        ("........./", "board-side", {"rows": 1, "columns": 9, "limit": 8}),
        ("../..", "board-k", {"k": 3, "longest": 2}),
        ("xx./.../...", "board-turn", {"x": 2, "o": 0}),
        ("xxx/oo./...", "over", {"winner": "x"}),
        ("xox/xox/oxo", "over", {"winner": ""}),
        ("1590", "cells-digit", {"digit": "0", "move": 4}),
        ("155", "cells-taken", {"digit": "5", "move": 3}),
        ("142536", "cells-over", {"digit": "6", "move": 6}),
    ],
)
def test_a_mistake_is_named_with_its_place(page, text, error, values):
    assert page("return [parseSubject(arguments[0])]", text) == [{"error": error, "values": values}]


def test_what_an_address_cannot_ask_for_is_named(page):
    for hash_, error, values in (
        ("#b=159&r=ultimate", "rule", {"rule": "ultimate"}),
        ("#b=x../.../...&r=vanishing", "vanishing-cells", {}),
        ("#b=.../.../...&k=0", "board-k", {"k": 0, "longest": 3}),
        ("#b=.../.../...&k=two", "board-k", {"k": None, "longest": 3}),
        ("#b=.../.../...&m=z", "option", {"name": "m", "value": "z"}),
        ("#b=.../.../...&d=0", "option", {"name": "d", "value": "0"}),
        ("#n=(1,2)&a=best", "option", {"name": "a", "value": "best"}),
        ("#n=(1,2)&o=first:", "option", {"name": "o", "value": "first:"}),
        ("#n=%zz", "option", {"name": "n", "value": "%zz"}),
        ("#n=(1,", "tree-number", {"token": "", "at": 4}),
    ):
        assert page("return [readAddress(arguments[0])]", hash_) == [{"error": error, "values": values}]
    nothing = {"algorithm": "alpha-beta", "order": "written", "depth": None, "table": False}
    for empty in ("", "#", "#s=cut"):
        found = page("return readAddress(arguments[0])", empty)
        assert (found["subject"], found["options"], found["section"]) == (None, nothing, empty[3:])


def test_too_large_a_lesson_says_what_fits(page):
    large = "const [subject, depth] = arguments; return [attempt(() => outlineOf(subject, depth))]"
    empty = page("return parseSubject('.........')")
    assert page(large, empty, 9) == [
        {
            "error": "size",
            "values": {"depth": 9, "limit": 1000, "fits": 3, "size": 586},
        }
    ]
    wide = {"kind": "tree", "tree": [[1] * 500, [1] * 500]}
    assert page(large, wide, 2)[0]["error"] == "tree-size"
    assert page("return [defaultDepth(arguments[0]), deepest(arguments[0])]", empty) == [2, 3]
    assert page("return outlineOf(parseSubject('../..', {k: 1}), 4).depth") == 1  # the first mark wins


OPTIONS = st.fixed_dictionaries(
    {
        "algorithm": st.sampled_from(ALGORITHMS),
        "order": st.sampled_from(["written", "reversed", "best", "worst", "first:2", "shuffled:28"]),
        "depth": st.integers(1, 3),
        "table": st.booleans(),
    }
)
SHOWN = st.integers(0, 10**6).map(lambda seed: next(subjects(seed, 1, LARGEST))[0])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SHOWN, OPTIONS, st.sampled_from(["", "cut", "free"]), st.sampled_from(["", "de"]))
def test_an_address_names_all_that_is_shown(page, subject, options, section, lang):
    shown = {"subject": subject, "options": options, "section": section, "lang": lang}
    address, found = page("const at = writeAddress(arguments[0]); return [at, readAddress(at)]", shown)
    if subject["kind"] == "tree":
        options["depth"] = found["options"]["depth"]  # a tree is shown whole
    assert found == shown
    assert address.startswith("#")
    assert not set(address) & set(" \"<>'")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.recursive(
        st.integers(-99_999, 99_999), lambda node: st.lists(node, min_size=1, max_size=4), max_leaves=12
    )
)
def test_a_tree_is_read_as_it_is_written(page, tree):
    text = json.dumps(tree).replace("[", "(").replace("]", " )").replace("-", "\u2212")
    (found,) = page("return [parseTree(arguments[0])]", text)
    assert found == {"tree": tree} if isinstance(tree, list) else found["error"] == "tree-single"


def test_subjects_by_chance_can_be_searched_and_come_again(page):
    script = """
    const searched = (subject) =>
      [subject, outlineOf(subject).nodes.length, readAddress(writeAddress({ subject })).subject];
    return Array.from({ length: 200 }, (_, seed) =>
      [randomTree(seed), randomTree(seed, [2, 3]), randomBoard(seed)].map(searched));
    """
    made = page(script)
    assert page(script) == made
    for (tree, size, again), (shaped, ten, _), (board, *_, same) in made:
        assert tree == again
        assert 7 <= size <= 40
        assert [len(shaped["tree"]), *map(len, shaped["tree"]), ten] == [2, 3, 3, 9]
        assert board == same
    assert {board["rule"] for *_, (board, *_) in made} == {"classic", "misere", "vanishing"}
    assert len({json.dumps(trees) for trees, *_ in made}) > 190


PLAYOUTS = """
const [subject, depth, count] = arguments;
const outline = outlineOf(subject, depth);
const found = monteCarlo(outline, 5, count);
const counts = [0, 1, 10, count].map((n) => [n, found.visits(n), found.best(n)]);
return { nodes: outline.nodes, playouts: found.playouts, counts };
"""


@pytest.mark.parametrize("seed", range(4))
def test_playouts_add_up(page, seed):
    for subject, _, depth in subjects(100 + seed, 3, LARGEST):
        found = page(PLAYOUTS, subject, depth, 200)
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


def test_more_playouts_find_what_minimax_finds(page):
    late = {"kind": "tree", "tree": [[9] * 20 + [-9], [0, 1, 0, 1]]}  # the first looks better for long
    found = "const m = monteCarlo(outlineOf(arguments[0]), arguments[1], 4000); return [10, 4000].map(m.best)"
    for seed in range(10):
        assert page(found, OMNIBUS, seed)[1] == 1
        assert page(found, late, seed)[1] == 23
    assert any(page(found, late, seed)[0] == 1 for seed in range(10))
    won = page("return monteCarlo(outlineOf(parseSubject('xx./oo./...'), 3), 1, 300).best(300)")
    assert won == 1


def test_one_seed_gives_one_search(page):
    assert page(
        "const t = outlineOf(randomTree(3)); return [1, 1, 2].map((s) => monteCarlo(t, s, 50).playouts)[0]"
    ) == page("return monteCarlo(outlineOf(randomTree(3)), 1, 50).playouts")


@pytest.mark.parametrize(
    "arguments",
    [
        ["xo./x../ox.", "--algorithm", "fail-hard"],
        ["159", "--rule", "misere", "--depth", "2"],
        ["541827", "--rule", "vanishing", "--depth", "3"],
        ["._. ... ...", "--rule", "vanishing"],
        ["x.../", "--k", "4", "--to-move", "x"],
        [" X /   ", "--k", "3"],
        ["../..", "--k", "1", "--depth", "4"],
        ["( \u22121 , (+8, 0) )", "--algorithm", "minimax"],
    ],
)
def test_the_page_understands_the_commands_address(page, tmp_path, capsys, arguments):
    assert main(["lesson", *arguments, "--output", str(tmp_path / "lesson.html")]) == 0
    address = capsys.readouterr().out.splitlines()[1].partition("#")[2]
    found = page(
        "const asked = readAddress(arguments[0]); outlineOf(asked.subject); return [asked]", address
    )[0]
    algorithm = arguments[arguments.index("--algorithm") + 1] if "--algorithm" in arguments else "alpha-beta"
    assert (found["options"]["algorithm"], found["section"]) == (algorithm, "free")
    if found["subject"]["kind"] == "tree":
        assert found["subject"]["tree"] == [-1, [8, 0]]
    if "--depth" in arguments:
        assert found["options"]["depth"] == int(arguments[arguments.index("--depth") + 1])


def test_the_command_knows_the_pages_limits(page):
    assert page("return [LIMIT, DEEPEST, ALGORITHMS]") == [
        lesson.LIMIT,
        lesson.DEEPEST,
        list(lesson.ALGORITHMS),
    ]
