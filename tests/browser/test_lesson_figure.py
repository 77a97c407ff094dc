"""A figure of a lesson in Chromium: it shows the engine's steps both ways, and nothing covers anything."""

from random import Random

import pytest
from conftest import BOARD, FREE, MAKE, OMNIBUS, SHOW, SIZES
from traced import outlined, steps_of, subjects, visits

MIXED = {"kind": "tree", "tree": [[3, [5, -2]], [6, [[1, 4], 9]], [-1, 2]]}
ALGORITHMS = ("minimax", "alpha-beta", "fail-hard", "negamax")


def expected(position, depth, algorithm):
    """Yield what a figure must show after each step that the engine took."""
    nodes, _ = outlined(position, depth)
    children = [node["children"] for node in nodes]
    pruned = algorithm != "minimax"
    root, _ = visits(nodes, children, pruned=pruned)
    state = ["new"] * len(nodes)
    visited = 0
    for step in steps_of(nodes, children, root, pruned=pruned, hard=algorithm == "fail-hard"):
        if step["kind"] == "enter":
            visited += 1
            state[step["node"]] = "open" if step["value"] is None else "done"
        if step["kind"] in ("back", "done"):
            state[max(step["child"] if step["kind"] == "back" else 0, 0)] = "done"
        for branch in step["cut"]:
            state[branch : branch + nodes[branch]["size"]] = ["cut"] * nodes[branch]["size"]
        kinds = ("done", "open", "cut")
        shown = {kind: [at for at, one in enumerate(state) if one == kind] for kind in kinds}
        counts = {"visited": visited, "saved": state.count("cut"), "total": len(nodes)}
        yield step, shown | counts | {"hand": [step["node"]]}


def same(shown, wanted):
    assert {key: shown[key] for key in wanted} == wanted


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_whole_walk_forward_by_button_and_back_by_key(figures, chromium, algorithm):
    large = (each for each in subjects(3, 9, 40) if len(outlined(*each[1:])[0]) > 20)
    subject, position, depth = next(large)
    count = figures(subject, depth=depth, algorithm=algorithm)
    steps = list(expected(position, depth, algorithm))
    assert len(steps) == count
    for number, (step, wanted) in enumerate(steps):
        shown = chromium.probe("shown", FREE)
        same(shown, wanted)
        assert shown["progress"] == f"Step {number + 1} of {count}"
        told = (
            "const { say } = figures[0].labels; const [alpha, beta, node, best] = arguments;"
            "return [...say.window(alpha, beta, node), say.score(best ?? 0, node)]"
        )
        alpha, beta, best = chromium.run(told, step["alpha"], step["beta"], step["node"], step["best"])
        if algorithm != "minimax":
            assert (shown["alpha"], shown["beta"]) == (alpha, beta)
        assert shown["best"] == ("none" if step["best"] is None else best)
        if number + 1 < count:
            chromium.click(f"{FREE} .step")
    assert chromium.probe("idle", FREE) == ["step", "play", "cut", "end"]
    for _, wanted in reversed(steps[:-1]):
        chromium.press("ArrowLeft")
        same(chromium.probe("shown", FREE), wanted)
    for key, at in (("End", -1), ("Home", 0), ("ArrowRight", 1)):
        chromium.press(key)
        same(chromium.probe("shown", FREE), steps[at][1])


def test_a_bound_is_shown_with_the_value_that_the_engine_returned(figures, chromium):
    figures(OMNIBUS, algorithm="alpha-beta")
    chromium.click(f"{FREE} .end")
    shown = chromium.probe("shown", FREE)
    assert shown["values"] == {"0": "2", "1": "2", "2": "", "3": "", "4": "\u2264 1", "5": ""}
    assert shown["cut"] == [6]


def test_a_table_spares_what_it_knows(figures, chromium):
    figures(BOARD, algorithm="minimax", table=True)
    chromium.click(f"{FREE} .end")
    shown = chromium.probe("shown", FREE)
    assert shown["known"] == len(shown["recalled"]) > 0
    assert shown["visited"] + shown["saved"] == shown["total"] == 61
    assert chromium.probe("visible", f"{FREE} dd.known")
    figures(BOARD, algorithm="alpha-beta")
    assert not chromium.probe("visible", f"{FREE} dd.known")


def test_minimax_has_no_window_and_no_cut(figures, chromium):
    figures(OMNIBUS, algorithm="minimax")
    for part in ("dd.alpha", "dd.beta", ".controls .cut"):
        assert not chromium.probe("visible", f"{FREE} {part}")


def test_next_cut_play_and_the_slider(figures, chromium):
    count = figures(BOARD, algorithm="alpha-beta")
    chromium.click(f"{FREE} .controls .cut")
    assert chromium.probe("shown", FREE)["cut"]
    chromium.click(f"{FREE} .play")
    assert chromium.text(f"{FREE} .play") == "Pause"
    chromium.click(f"{FREE} .play")
    assert chromium.text(f"{FREE} .play") == "Play"
    chromium.click(f"{FREE} .first")
    chromium.run("document.querySelector('#free .slider').focus()")
    chromium.press("ArrowRight", "ArrowRight")
    assert chromium.probe("shown", FREE)["progress"] == f"Step 3 of {count}"


def test_the_tree_is_walked_by_keys_and_a_click_goes_to_a_branch(figures, chromium):
    figures(BOARD, algorithm="alpha-beta")
    chromium.click(f"{FREE} .end")
    chromium.click(f"{FREE} .fit")
    chromium.click(f'{FREE} [data-node="1"]')
    assert chromium.probe("shown", FREE)["hand"] == [1]
    chromium.probe("focus", f"{FREE} [aria-current=step]")
    chromium.press("ArrowUp", "ArrowDown", "ArrowDown", "ArrowRight", "Enter")
    second = chromium.run("return figures[0].lesson.outline.nodes[1].children[1]")
    assert chromium.probe("shown", FREE)["hand"] == [second]


def test_the_page_may_limit_mark_tell_and_pick(figures, chromium):
    figures(OMNIBUS, algorithm="alpha-beta")
    chromium.run(
        "figures[0].limit = 3; figures[0].told = 'What next?'; figures[0].mark([4]); figures[0].go(99)"
    )
    assert chromium.probe("shown", FREE)["says"] == "What next?"
    marked = "return [figures[0].at, document.querySelectorAll('#free .node.marked').length]"
    assert chromium.run(marked) == [3, 1]
    chromium.run(
        "figures[0].host.addEventListener('pick', (event) => {"
        "  event.preventDefault(); window.picked = event.detail; })"
    )
    chromium.click(f'{FREE} [data-node="4"]')
    assert chromium.run("return [window.picked, figures[0].at]") == [4, 3]
    chromium.run("figures[0].told = null")
    assert chromium.probe("shown", FREE)["says"] != "What next?"


def test_playouts_count_visits_and_averages(figures, chromium):
    figures()
    chromium.run(
        "const outline = outlineOf(arguments[0], 4);"
        "figures[0].show({ outline, montecarlo: monteCarlo(outline, 7, 30) })",
        BOARD,
    )
    for count in range(31):
        shown = chromium.probe("shown", FREE)
        path = chromium.run(
            "const { playouts } = figures[0].lesson.montecarlo; const one = playouts[arguments[0] - 1];"
            "return one ? [...one.path, ...one.played] : []",
            count,
        )
        marked = chromium.run(
            "return [...document.querySelectorAll('#free .tree .node.path')].map((one) => +one.dataset.node)"
        )
        assert sorted(marked) == sorted(path)
        root = shown["values"].get("0", "0\u00d7").split()
        assert root[0] == f"{count}\u00d7"
        assert shown["progress"] == f"Playout {count} of 30"
        chromium.press("ArrowRight") if count else chromium.click(f"{FREE} .step")
    assert "that is the move" in shown["says"]


def test_a_branch_has_in_the_tree_the_numbers_by_which_it_is_named(figures, chromium):
    figures({"kind": "tree", "tree": [[[4, 8], 3], [2, [9, 1, 5]]]}, order="reversed")
    drawn = (
        "const { drawing, lesson: { outline: { nodes } } } = figures[0];"
        "const number = (id) => drawing.shapes[id].edge.querySelector('text').textContent - 1;"
        "const numbers = (id) => [...upward(nodes, id)].filter((one) => one > 0).reverse().map(number);"
        "return nodes.map(({ moves }, id) => [moves, numbers(id)]).slice(1)"
    )
    names = chromium.run(drawn)
    assert len(names) == 11
    assert all(moves == numbers for moves, numbers in names)


@pytest.mark.parametrize("lang", ["en", "de"])
@SIZES
def test_no_label_covers_a_neighbour(figures, chromium, width, height, lang):
    figures(width=width, height=height)
    chromium.run("figures[0].lang = arguments[0]", lang)
    rng = Random(width)
    some = [(BOARD, 9), *((subject, depth) for subject, _, depth in subjects(width, 25, 130)), (MIXED, 9)]
    looked = 0
    for subject, depth in some:
        options = {"depth": depth, "algorithm": rng.choice(ALGORITHMS), "table": rng.random() < 0.3}
        count = chromium.run(SHOW, subject, options)
        for at in sorted(rng.sample(range(count), min(count, 8))):
            chromium.run("figures[0].go(arguments[0])", at)
            assert chromium.probe("covered", FREE) == [], (subject, options, at)
            looked += 1
    assert looked > 150


@SIZES
def test_a_fitted_tree_can_be_read_and_the_current_node_is_seen(figures, chromium, width, height):
    figures(BOARD, width, height, algorithm="alpha-beta")
    chromium.click(f"{FREE} .fit")
    assert chromium.run("return figures[0].stage.scale") >= 0.72  # letters of 10 pixels
    rects = (
        "const boxOf = (one) => document.querySelector(`#free ${one}`).getBoundingClientRect();"
        "const [a, b] = [...arguments].map(boxOf);"
    )
    for at in (0, 20, 40, 71):
        chromium.run("figures[0].go(arguments[0])", at)
        inside = "return b.left >= a.left && b.right <= a.right && b.top >= a.top - 1 && b.bottom <= a.bottom"
        assert chromium.run(rects + inside, ".tree", ".node.hand .ground")
        assert chromium.run(rects + "return a.right <= b.left", ".levels", ".node.hand .ground")
    assert chromium.run("return document.documentElement.scrollWidth <= innerWidth")


def test_a_turned_phone_is_laid_out_anew(figures, chromium):
    figures(BOARD, 390, 844, algorithm="alpha-beta")
    chromium.click(f"{FREE} .fit")
    before = chromium.run("return figures[0].stage.view.width")
    chromium.size(844, 390, touch=True)
    chromium.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    seen = chromium.run("return document.querySelector('#free .stage').clientWidth")
    assert chromium.run("return figures[0].stage.view.width") == seen > before
    assert chromium.run("return document.documentElement.scrollWidth <= innerWidth")


def test_a_step_changes_classes_and_texts_alone(figures, chromium):
    figures(BOARD, algorithm="alpha-beta")
    chromium.run(
        "window.made = 0; const root = document.querySelector('#free .nodes');"
        "new MutationObserver((all) => all.forEach(({ target, addedNodes }) => {"
        "  for (const one of addedNodes)"
        "    if (!['tspan', '#text'].includes(one.nodeName) && !one.matches('.edge')) made++;"
        "})).observe(root, { childList: true, subtree: true }); window.tree = root;"
    )
    for at in (5, 30, 71, 2):
        chromium.run("figures[0].go(arguments[0])", at)
    assert chromium.run("return [made, tree === document.querySelector('#free .nodes')]") == [0, True]


def test_another_language_keeps_the_step(figures, chromium):
    figures(BOARD, algorithm="alpha-beta")
    chromium.run("figures[0].go(40)")
    before = chromium.probe("shown", FREE)
    chromium.run("figures[0].speak('de')")
    after = chromium.probe("shown", FREE)
    for key in ("hand", "done", "open", "cut", "visited", "progress"):
        assert after[key] == before[key]
    assert "unentschieden" in after["values"].values()


def test_a_compact_figure_has_its_own_height_and_no_more_than_it_needs(figures, chromium):
    figures(width=390, height=844)
    chromium.run(f"{MAKE} figures[1].show(make(...arguments))", BOARD, {"algorithm": "alpha-beta"})
    for part in (".zoom", ".legend p"):
        assert chromium.run(f"return document.querySelector('#small {part}')") is None
    assert not chromium.probe("visible", "#small .panel > .hand")
    seen = "return [stage.tree.scrollHeight <= stage.tree.clientHeight, stage.scale]"
    whole, scale = chromium.run(f"const {{ stage }} = figures[1]; {seen}")
    assert whole
    assert scale >= 0.72
    assert chromium.run("return document.documentElement.scrollWidth <= innerWidth")
