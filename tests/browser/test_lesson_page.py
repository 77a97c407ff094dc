"""The page of a lesson in a real Chromium: its buttons and keys show the engine's trace, step by step."""

import pytest

from appliance.teaching.lesson.numbers import parse
from appliance.teaching.lesson.orders import orders, traced
from appliance.teaching.lesson.outline import of_game, of_numbers
from appliance.teaching.lesson.words import Words
from engine import Board, alpha_beta, minimax, trace

BOARD = "xo./x../ox."
OMNIBUS = "((2,7),(1,8))"


def expected(outline, algorithm, order=0):
    """Yield what the page must show at each step, straight from the engine's trace."""
    words = Words(outline, algorithm)
    children = list(orders(outline))[order].children
    root = traced(outline, children, pruned=algorithm != "minimax")
    now = {"open": [], "done": {}, "cut": set(), "visited": 0, "saved": 0}

    def look(node, alpha, beta, best):
        low, high = words.window(alpha, beta, node)
        return {
            "path": outline.nodes[node].path,
            "alpha": low,
            "beta": high,
            "best": "none" if best is None else words.score(best, node),
            "visited": now["visited"],
            "saved": now["saved"],
            "total": len(outline.nodes),
            "hand": [node],
            "cut": sorted(now["cut"]),
            "done": sorted(now["done"]),
            "open": sorted(now["open"]),
            "values": {
                str(at): "" if outline.nodes[at].reason == "number" else value
                for at, value in now["done"].items()
            },
        }

    def visits(visit, node):
        now["visited"] += 1
        if visit.children:
            now["open"].append(node)
        else:
            now["done"][node] = words.bound(visit, node)
        alpha, beta, best = visit.alpha, visit.beta, None if visit.children else visit.value
        yield look(node, alpha, beta, best)
        for child in visit.children:
            number = children[node][child.move]
            yield from visits(child, number)
            if number in now["open"]:
                now["open"].remove(number)
            now["done"][number] = words.bound(child, number)
            pick = min if visit.ply % 2 else max
            best = child.value if best is None else pick(best, child.value)
            if algorithm != "minimax":
                alpha, beta = (alpha, min(beta, best)) if visit.ply % 2 else (max(alpha, best), beta)
            yield look(node, alpha, beta, best)
        for move in visit.cut:
            branch = children[node][move]
            now["saved"] += outline.nodes[branch].size
            now["cut"].update(range(branch, branch + outline.nodes[branch].size))
        if visit.cut:
            yield look(node, alpha, beta, best)

    steps = list(visits(root, 0))
    now["open"].clear()
    now["done"][0] = words.bound(root, 0)
    yield from steps
    yield steps[-1] | {
        "open": [],
        "done": sorted(now["done"]),
        "values": steps[-1]["values"] | {"0": now["done"][0]},
    }


CASES = [
    (OMNIBUS, "alpha-beta"),
    (OMNIBUS, "negamax"),
    (OMNIBUS, "minimax"),
    ("((3,(5,-2)),(6,((1,4),9)),(-1,2))", "negamax"),
    (BOARD, "alpha-beta"),
    (BOARD, "negamax"),
]


def outline_of(text):
    return of_numbers(parse(text)) if "(" in text else of_game(Board.parse(text), 4, "classic", 3)


@pytest.mark.parametrize(("text", "algorithm"), CASES)
def test_a_whole_walk_forward_by_button_and_back_by_key(lesson, chromium, text, algorithm):
    lesson(text, "--algorithm", algorithm)
    steps = list(expected(outline_of(text), algorithm))
    for number, step in enumerate(steps):
        assert chromium.probe("shown") == step
        assert chromium.text("#progress") == f"Step {number + 1} of {len(steps)}"
        if number + 1 < len(steps):
            chromium.click("#step")
    assert not chromium.probe("disabled", "back")
    assert chromium.probe("disabled", "step")
    chromium.probe("focus", "")
    for step in reversed(steps[:-1]):
        chromium.press("ArrowLeft")
        assert chromium.probe("shown") == step
    for key, step in (("End", steps[-1]), ("Home", steps[0]), ("ArrowRight", steps[1])):
        chromium.press(key)
        assert chromium.probe("shown") == step
    chromium.click("#end")
    assert chromium.probe("shown") == steps[-1]
    chromium.click("#first")
    assert chromium.probe("shown") == steps[0]


def test_the_last_step_counts_what_the_engine_counts(lesson, chromium):
    lesson(BOARD)
    chromium.click("#end")
    shown, board = chromium.probe("shown"), Board.parse(BOARD)
    assert shown["visited"] == alpha_beta(board, 9).nodes == trace(board, 9).nodes
    assert shown["total"] == minimax(board, 9).nodes == shown["visited"] + shown["saved"]
    assert len(shown["cut"]) == shown["saved"]
    assert len(shown["cut"]) + len(shown["done"]) == shown["total"]


def test_another_order_of_moves_makes_other_cuts(lesson, chromium):
    data = lesson(BOARD)
    outline = outline_of(BOARD)
    cuts = {}
    for number, walk in enumerate(data["walks"]):
        chromium.probe("choose", "order", number)
        *_, last = expected(outline, "alpha-beta", number)
        chromium.click("#end")
        assert chromium.probe("shown") == last
        cuts[walk["name"]] = tuple(last["cut"])
        assert chromium.probe("currentRow") == [walk["name"], str(last["visited"]), str(last["saved"])]
    assert len(set(cuts.values())) > 4
    assert len(cuts["best first"]) > len(cuts["by cell"]) > len(cuts["worst first"])


def test_the_order_is_changed_with_the_keyboard(lesson, chromium):
    data = lesson(OMNIBUS)
    chromium.click("#end")
    assert chromium.probe("shown")["saved"] == 1
    chromium.probe("focus", "#order")
    chromium.press("ArrowDown")
    assert (
        chromium.run("return document.getElementById('order').value")
        == data["walks"][1]["name"]
        == "reversed"
    )
    chromium.click("#end")
    assert chromium.probe("shown")["saved"] == 0


def test_next_cut_play_and_the_tree_itself(lesson, chromium):
    lesson(BOARD)
    chromium.click("#cut")
    first = chromium.probe("shown")
    assert "never looked at" in chromium.text("#says")
    assert first["cut"]
    chromium.click("#play")
    assert chromium.text("#play") == "Pause"
    chromium.click("#play")
    assert chromium.text("#play") == "Play"
    chromium.click("#first")
    chromium.click('[data-node="1"]')
    assert chromium.probe("shown")["hand"] == [1]
    # Tab reaches the current node; the arrows move among the branches; Enter goes there.
    chromium.probe("focus", "[aria-current=step]")
    chromium.press("ArrowUp", "ArrowDown", "ArrowDown", "Enter")
    assert chromium.probe("shown")["hand"] == [2]


def test_an_exercise_answered_rightly_and_wrongly(lesson, chromium):
    data = lesson(BOARD)
    asks, steps = data["walks"][0]["asks"], data["walks"][0]["steps"]
    chromium.probe("focus", "#exercise")
    chromium.press("Enter")
    right = 0
    for number, (before, then, text, answer) in enumerate(asks):
        assert chromium.text("#says") == data["texts"][text]
        assert data["texts"][text].endswith("Which branch is cut next?")
        assert chromium.text("#progress").startswith(f"Step {before} of")
        assert chromium.probe("focused")[0] == "choice"
        assert chromium.probe("disabled", "step")  # the answer is not shown before it is given
        cut = steps[then][8:] if steps[then][0] == 2 else []
        choices = chromium.probe("choices")
        assert choices[:2] == ["", "none"]
        assert set(map(str, cut)) <= set(choices)
        if number == 0:
            assert chromium.text("#tally") == f"Questions: {len(asks)}"
            for answer_nothing in ("#answer", '[data-node="0"]'):
                chromium.click(answer_nothing)
                assert chromium.text("#tally") == "Select a branch that has not been visited."
        others = [one for one in choices[1:] if one not in map(str, cut) and (cut or one != "none")]
        wrong = others[-1] if number % 2 else None
        if wrong is None and number == 2 and cut:
            chromium.click(f'[data-node="{cut[0]}"]')
        else:
            chromium.probe("choose", "choice", choices.index(wrong or (str(cut[-1]) if cut else "none")))
            chromium.probe("focus", "#choice")
            chromium.press("Tab", "Enter")
        right += wrong is None
        verdict = "Right." if wrong is None else "Not quite."
        assert chromium.text("#says") == f"{verdict} {data['texts'][answer]}"
        assert chromium.text("#tally") == f"{right} of {number + 1} right"
        assert set(cut) <= set(chromium.probe("shown")["cut"])
        assert chromium.probe("focused")[0] == "next"
        chromium.press("Enter")
    assert chromium.text("#says") == f"That was the last question. {right} of {len(asks)} right."
    assert chromium.probe("focused")[0] == "exercise"


def test_an_exercise_without_a_cut_says_so(lesson, chromium):
    lesson("(5,3)")
    chromium.click("#exercise")
    assert "cut" in chromium.text("#says")
    lesson(OMNIBUS, "--algorithm", "minimax")
    for name in ("#exercise", "#alpha", "#beta", "#cut"):
        assert not chromium.probe("visible", name)
