"""A lesson agrees with the engine's trace: steps, windows, values, cuts and counts, in any move order."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.teaching.lesson.orders import orders, traced
from appliance.teaching.lesson.outline import of_game, of_numbers
from appliance.teaching.lesson.page import ALGORITHMS
from appliance.teaching.lesson.walk import walk
from appliance.teaching.lesson.words import Words
from engine import SOLVED, Board, Misere, Tree, Vanishing, alpha_beta, minimax, negamax, trace

TREES = st.lists(
    st.recursive(
        st.integers(-9, 9), lambda nodes: st.lists(nodes, min_size=1, max_size=4).map(tuple), max_leaves=20
    ),
    min_size=1,
    max_size=4,
).map(tuple)
SEARCHES = {"minimax": minimax, "alpha-beta": alpha_beta, "negamax": negamax}
POSITIONS = [
    (Board.parse("x...o...."), 2, "classic", 3),
    (Board.parse(".x...ox.o"), 9, "classic", 3),
    (Board.parse("xx../oo../..../....", k=4), 1, "classic", 4),
    (Misere().play(0).play(4).play(8).play(2).play(1), 9, "misere", 3),
    (Vanishing().play(4).play(3).play(0).play(1).play(7).play(6), 3, "vanishing", 3),
]


def walks(outline, algorithm):
    words = Words(outline, algorithm)
    for order in orders(outline):
        root = traced(outline, order.children, pruned=algorithm != "minimax")
        yield order, root, walk(outline, order.children, root, words), words


def replay(outline, order, root, found):
    """Check each step against the trace."""
    steps = iter(found.steps)

    def check(visit, node):
        enter = next(steps)
        assert (enter.kind, enter.node, enter.alpha, enter.beta) == ("enter", node, visit.alpha, visit.beta)
        assert (enter.best is None) == bool(visit.children)
        best = None
        for place, child in enumerate(visit.children):
            number = order.children[node][child.move]
            check(child, number)
            back = next(steps)
            assert (back.kind, back.node, back.child) == ("back", node, number)
            pick = min if visit.ply % 2 else max
            best = child.value if best is None else pick(best, child.value)
            assert back.best == best
            if place + 1 < len(visit.children):
                following = visit.children[place + 1]
                assert (back.alpha, back.beta) == (following.alpha, following.beta)
        if visit.cut:
            cut = next(steps)
            assert (cut.kind, cut.node) == ("cut", node)
            assert cut.cut == tuple(order.children[node][move] for move in visit.cut)
            assert cut.alpha >= cut.beta
        if visit.children:
            assert best == visit.value

    check(root, 0)
    done = next(steps)
    assert (done.kind, done.best) == ("done", root.value)
    assert not list(steps)
    entered = sum(step.kind == "enter" for step in found.steps)
    saved = sum(outline.nodes[node].size for step in found.steps for node in step.cut)
    assert entered == root.nodes
    assert entered + saved == len(outline.nodes)


def check_words(outline, found):
    for text in [step.text for step in found.steps] + [q.text + " " + q.answer for q in found.questions]:
        assert re.fullmatch(r"[\w\u2212+].*[.?]", text), text
        for wrong in ("  ", "..", "None", " a a ", "-", "the the", " ,", "100000", "99999"):
            assert wrong not in text, text
    cuts = [i for i, step in enumerate(found.steps) if step.kind == "cut"]
    asked = [q.then for q in found.questions if found.steps[q.then].kind == "cut"]
    assert cuts == asked
    for question in found.questions:
        assert found.steps[question.before].kind == "back"
        assert question.before <= question.then <= question.before + 1


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@settings(max_examples=40)
@given(TREES)
def test_any_tree_of_numbers(algorithm, tree):
    outline = of_numbers(tree)
    for number, (order, root, found, _) in enumerate(walks(outline, algorithm)):
        replay(outline, order, root, found)
        check_words(outline, found)
        if number == 0:
            mine, theirs = Tree(tree), Tree(tree)
            assert root == trace(mine, 99, pruned=algorithm != "minimax")
            named = SEARCHES[algorithm](theirs, 99)
            assert (root.value, root.nodes, mine.evaluated) == (named.value, named.nodes, theirs.evaluated)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(("position", "depth", "rule", "columns"), POSITIONS)
def test_boards(algorithm, position, depth, rule, columns):
    outline = of_game(position, depth, rule, columns)
    assert len(outline.nodes) == minimax(position, depth).nodes
    for number, (order, root, found, words) in enumerate(walks(outline, algorithm)):
        replay(outline, order, root, found)
        check_words(outline, found)
        assert root.value == minimax(position, depth).value
        if number == 0:
            same_visits(outline, root, trace(position, depth, pruned=algorithm != "minimax"), 0)
            assert root.nodes == SEARCHES[algorithm](position, depth).nodes
        assert words.score(root.value, 0) in found.steps[-1].text


def same_visits(outline, ours, theirs, node):
    """Check that the outline's trace equals the game's own."""
    assert ours[1:6] == theirs[1:6]
    children = outline.nodes[node].children
    moves = [outline.nodes[child].move for child in children]
    assert [moves[child.move] for child in ours.children] == [child.move for child in theirs.children]
    assert [moves[move] for move in ours.cut] == list(theirs.cut)
    for mine, other in zip(ours.children, theirs.children, strict=True):
        same_visits(outline, mine, other, children[mine.move])


def told(outline, algorithm, name=None):
    return next(
        [step.text for step in found.steps]
        for order, _, found, _ in walks(outline, algorithm)
        if name in (None, order.name)
    )


def test_the_tree_of_the_omnibus():
    outline = of_numbers(((2, 7), (1, 8)))
    assert "Min can hold Max to 1 here, but Max has 2 in branch 1, so the 8 is never looked at." in told(
        outline, "alpha-beta"
    )
    assert (
        "Min can reach \u22121 here, but Max allows only \u22122 in branch 1, so the 8 is never looked at."
        in told(outline, "negamax")
    )
    assert told(outline, "minimax")[-1].endswith("all 7 positions were visited.")
    assert not any("never looked at" in text for text in told(outline, "alpha-beta", "reversed"))


def test_why_a_branch_is_cut_on_a_board():
    texts = told(of_game(Board.parse(".x...ox.o"), 9, "classic", 3), "alpha-beta")
    for reason, branches in (
        (
            "x can reach a win in 3 here, but o allows only a loss in 2 by playing 3 instead",
            "x's moves 5 and 8 are",
        ),
        ("x can reach a win in 3 here, and o allows no more by playing 1 instead", "x's moves 5 and 8 are"),
        (
            "o can hold x to a loss in 4 here, but x has a win in 3 by playing 3 three moves earlier",
            "o's move 8 is",
        ),
    ):
        assert f"{reason}, so {branches} never looked at." in texts
    assert "o plays 3, completes a line and wins: a loss in 2 for x." in texts


def test_what_comes_back_changes_something_or_nothing():
    texts = told(of_game(Board.parse(".x...ox.o"), 9, "classic", 3), "alpha-beta")
    for text in (
        "A loss in 2 is the lowest so far: beta falls to a loss in 2.",
        "o 4 returns at least a win in 3. o holds x to a loss in 2 here already: nothing changes.",
        (
            "A win in 5 is the highest so far, but no more than alpha: alpha stays a win in 3. "
            "No branch is left: this position returns at most a win in 5."
        ),
    ):
        assert text in texts


@given(TREES)
def test_the_reason_for_a_cut_is_a_branch_that_came_back_with_that_value(tree):
    outline = of_numbers(tree)
    paths = {node.path: number for number, node in enumerate(outline.nodes)}
    for *_, found, words in walks(outline, "alpha-beta"):
        returned = {}
        for step in found.steps:
            if step.kind == "back":
                returned[step.child] = step.returned
            if step.kind != "cut":
                continue
            branch = paths[re.search(r"in (branch [\d.]+), so", step.text)[1]]
            bound = step.beta if outline.nodes[step.node].ply % 2 == 0 else step.alpha
            assert returned[branch].split()[-1] == words.score(bound, 0)
            ancestors, at = set(), step.node
            while at:
                at = outline.nodes[at].parent
                ancestors.add(at)
            parent = outline.nodes[branch].parent
            assert parent in ancestors
            assert outline.nodes[parent].ply % 2 != outline.nodes[step.node].ply % 2


def test_a_guess_says_so_and_why():
    for rule, empty in SOLVED.items():
        position = empty()
        for move in (0, 1, 4, 2):
            position = position.play(move)
        texts = [text for text in told(of_game(position, 1, rule, 3), "minimax") if "guess" in text]
        assert texts
        assert all(re.search(r"so (\S+) for x is a guess: .*(line|side)", text) for text in texts)


def test_a_better_order_cuts_more_and_a_worse_one_less():
    outline = of_game(Board.parse(".x...ox.o"), 9, "classic", 3)
    visited = {order.name: root.nodes for order, root, _, _ in walks(outline, "alpha-beta")}
    assert visited["best first"] == min(visited.values()) == 22
    assert visited["worst first"] == max(visited.values()) == 138
    assert visited["by cell"] == 47
    assert set(visited) >= {"reversed", "x 3 first", "x 8 first"}
