"""A tree to fill in, in Chromium: judged as the tests' own solver does, and worked by keyboard or finger."""

import re
from collections import Counter
from random import Random

import pytest
from conftest import AUDIT, AXE

from appliance.core.words import LANGUAGES
from engine import Tree, minimax

RIGHT = {"faults": [], "right": [], "follows": [], "empty": 0, "hard": False}
HOLE = re.compile(r"[{}]|undefined|NaN|null|  |\.\.")
SEEDS = range(1, 601)
TREES = "return arguments[0].map((seed) => practiceTree(seed).tree)"
JUDGED = """
const [tree, answers, algorithm, lang = "en", windows = false] = arguments;
const lesson = lessonOf({ kind: "tree", tree }, { algorithm });
const { nodes } = lesson.outline;
const places = nodes.flatMap(({ moves }, id) =>
  ["", ...ENDS].map((end) => [`${moves.join(".")}${end && ` ${end}`}`, keyOf(id, end)]));
const [keys, paths] = [new Map(places), new Map(places.map(([path, key]) => [key, path]))];
return answers.map(([written, struck]) => {
  const answer = {
    written: new Map(Object.entries(written).map(([path, one]) => [keys.get(path), INFINITIES[one] ?? one])),
    struck: new Set(struck.map((path) => keys.get(path))),
    windows,
  };
  const draft = judged(lesson, answer);
  const named = (some) => [...some].map((key) => paths.get(key));
  const say = new Labels(lang, lesson).say;
  const faults = draft.faults.map((fault) => [fault.kind, named(fault.marked), reasonOf(say, draft, fault)]);
  const [right, follows] = [draft.right, draft.follows].map(named);
  return { faults, right, follows, empty: draft.empty, hard: draft.hard };
});
"""


INFINITE = {-99: "-", 99: "+"}  # as it is typed


def named(path):
    return ".".join(map(str, path))


def plain(node, ply):
    """Return the minimax value."""
    if isinstance(node, int):
        return node
    return (min if ply % 2 else max)(plain(child, ply + 1) for child in node)


def solve(tree, *, pruned=True, hard=False, slip=("", ())):
    """Return what a pupil writes and strikes who makes this slip, and no other.

    A slip is ("value", path, number), ("miss", path) for a cut that is not struck, or ("strike", path) for a
    branch that is struck though the search visits it. What follows from it is worked out with care. A pupil
    who thinks fail-`hard` keeps every value in the window with which its position is reached.
    """
    written, struck = {}, []

    def whole(node, path):
        if not isinstance(node, int):
            written[named(path)] = plain(node, len(path))
            for place, child in enumerate(node):
                whole(child, (*path, place))

    def visit(node, path, alpha, beta):
        if isinstance(node, int):
            return node
        best, pick, low, high = None, min if len(path) % 2 else max, alpha, beta
        for place, child in enumerate(node):
            below = (*path, place)
            if slip[:2] == ("strike", below):
                struck.append(named(below))
                continue
            if pruned and alpha >= beta:
                if slip[:2] != ("miss", path):
                    struck.append(named(below))
                    continue
                whole(child, below)
                value = plain(child, len(below))
            else:
                value = visit(child, below, alpha, beta)
            best = value if best is None else pick(best, value)
            alpha, beta = (alpha, min(beta, best)) if len(path) % 2 else (max(alpha, best), beta)
        kept = max(low, min(high, best)) if hard and best is not None else best
        written[named(path)] = slip[2] if slip[:2] == ("value", path) else kept
        return written[named(path)]

    visit(tree, (), -99, 99)
    return written, struck


def strikes(tree, *, levels=9, equal=True):
    """Return what a pupil strikes who asks so many positions of the other side, and cuts at a tie or not."""
    struck = []

    def visit(node, path, above):
        if isinstance(node, int):
            return node
        best, (pick, other) = None, (min, max) if len(path) % 2 else (max, min)
        bounds = [bound for bound in above[::-1][::2][:levels] if bound is not None]
        for place, child in enumerate(node):
            bound = other(bounds, default=None)
            if None not in {best, bound} and pick(best, bound) == best and (equal or best != bound):
                struck.append(named((*path, place)))
            else:
                value = visit(child, (*path, place), (*above, best))
                best = value if best is None else pick(best, value)
        return best

    visit(tree, (), ())
    return struck


def reached(tree, slip=("", ())):
    """Return what a pupil writes and strikes who fills in windows, and makes this slip: see `solve`.

    A slip may also be ("window", path, end, number).
    """
    written, struck = {}, []

    def visit(node, path, window):
        if isinstance(node, int):
            return node
        best, (pick, end) = None, (min, "beta") if len(path) % 2 else (max, "alpha")
        if slip[:2] == ("window", path):
            window = window | {slip[2]: slip[3]}
        if path:
            written.update({f"{named(path)} {name}": INFINITE.get(one, one) for name, one in window.items()})
        for place, child in enumerate(node):
            below = (*path, place)
            shut = best is not None and window["alpha"] >= window["beta"] and slip[:2] != ("miss", path)
            if shut or slip[:2] == ("strike", below):
                struck.append(named(below))
                continue
            value = visit(child, below, window)
            best = value if best is None else pick(best, value)
            window = window | {end: pick(best, window[end])}
        return best

    visit(tree, (), {"alpha": -99, "beta": 99})
    return written, struck


def slips(tree, written, struck, rng):
    """Yield every place for a slip in a perfect answer, with a number that neither program returns there."""
    right = [solve(tree, hard=hard)[0] for hard in (False, True)]
    for path in written:
        place = tuple(map(int, path.split("."))) if path else ()
        yield "value", place, rng.choice([n for n in range(17) if n not in (one.get(path) for one in right)])
        node = tree
        for move in place:
            node = node[move]
        branches = [named((*place, i)) for i in range(len(node))]
        if {*branches} & {*struck}:
            yield "miss", place
        for i, branch in enumerate(branches):
            if branch not in struck and len(branches) > 1:
                yield "strike", (*place, i)


@pytest.fixture
def page(lesson, chromium):
    lesson()
    return chromium.run


@pytest.mark.parametrize("hard", [False, True])
def test_a_perfect_answer_is_right_and_a_slip_is_one_mistake(page, hard):
    rng, counted = Random(0), 0
    for tree in page(TREES, list(SEEDS)):
        written, struck = solve(tree, hard=hard)
        kinds = list(slips(tree, written, struck, rng))
        careful = [solve(tree, hard=hard, slip=slip) for slip in kinds]
        alone = []  # the same slips, in an answer that is otherwise perfect
        for kind, place, *number in kinds:
            path = named(place)
            changed = written | {path: number[0]} if number else written
            parted = [one for one in struck if kind != "miss" or one.rpartition(".")[0] != path]
            alone.append((changed, [*parted, path] if kind == "strike" else parted))
        perfect, *found = page(JUDGED, tree, [(written, struck), *careful, *alone], "alpha-beta")
        told = written != solve(tree)[0]  # nothing else tells fail-hard from fail-soft
        assert perfect == RIGHT | {"right": list(written), "hard": told}, tree
        for (kind, place, *_), one in zip(kinds * 2, found, strict=True):
            ((said, marked, reason),) = one["faults"]
            assert said == {"value": "value", "miss": "missed", "strike": "open"}[kind], (tree, kind, place)
            parents = {path.rpartition(".")[0] for path in marked}
            assert named(place) in (parents if kind == "miss" else marked), (tree, kind, place)
            assert reason[0].isupper()
            assert reason.endswith((".", ")."))
            counted += 1
    assert counted > 10_000


def test_a_mixture_of_two_programs_is_none(page):
    rng, mixed = Random(3), 0
    for tree in page(TREES, list(SEEDS)):
        (soft, struck), (hard, _) = solve(tree), solve(tree, hard=True)
        differ = [path for path in soft if soft[path] != hard[path]]
        chosen = [path for path in differ if rng.random() < 0.5]
        (found,) = page(JUDGED, tree, [(soft | {path: hard[path] for path in chosen}, struck)], "alpha-beta")
        pure = len(chosen) in (0, len(differ))
        assert (not found["faults"]) is pure, tree
        assert {path for _, marked, _ in found["faults"] for path in marked} <= {*differ}
        mixed += not pure
    assert mixed > 50


def test_a_slip_in_the_windows_is_one_mistake(page):
    rng, judged = Random(0), 0
    for tree in page(TREES, list(SEEDS)[::3]):
        written, struck = reached(tree)
        places = [("window", *key.split(" "), n) for key in written for n in (-99, 99, *range(17))]
        kinds = [
            (kind, tuple(map(int, path.split("."))), end, number)
            for kind, path, end, number in rng.sample(places, 12)
            if INFINITE.get(number, number) != written[f"{path} {end}"]
        ]
        kinds += [slip for slip in slips(tree, solve(tree)[0], struck, rng) if slip[0] != "value"]
        perfect, *found = page(
            JUDGED,
            tree,
            [(written, struck), *(reached(tree, one) for one in kinds)],
            "alpha-beta",
            "en",
            True,
        )
        assert (perfect["faults"], perfect["follows"], perfect["empty"]) == ([], [], 0), tree
        assert sorted(perfect["right"]) == sorted(written)
        for (kind, place, *end), one in zip(kinds, found, strict=True):
            ((said, marked, reason),) = one["faults"]
            assert said == {"window": "window", "miss": "missed", "strike": "open"}[kind], (tree, kind, place)
            if end:
                assert marked == [f"{named(place)} {end[0]}"]
            assert not HOLE.search(reason), reason
            judged += 1
    assert judged > 2_000


def test_reasons_for_windows_are_true_whatever_came_before(page):
    """Who swaps all windows, or writes one number everywhere, has a sign at each box, and true reasons."""
    sentence = re.compile(r"Branch ([\d.]+) is reached with (.) = (\S+?):")
    ends = {"\N{GREEK SMALL LETTER ALPHA}": "alpha", "\N{GREEK SMALL LETTER BETA}": "beta"}
    for tree in page(TREES, list(range(1, 41))):
        written, struck = reached(tree)
        pairs = {"alpha": "beta", "beta": "alpha"}
        swapped = {key: written[f"{key.split()[0]} {pairs[key.split()[1]]}"] for key in written}
        answers = [
            (swapped, struck),
            (swapped, []),
            *((dict.fromkeys(written, n), struck) for n in range(16)),
        ]
        for (answer, _), one in zip(
            answers, page(JUDGED, tree, answers, "alpha-beta", "en", True), strict=True
        ):
            marked = [key for _, some, _ in one["faults"] for key in some]
            assert {*one["right"], *one["follows"], *marked} >= {*answer}
            for path, letter, value in sentence.findall(" ".join(reason for *_, reason in one["faults"])):
                told = value.replace("\N{MINUS SIGN}\N{INFINITY}", "-").replace("+\N{INFINITY}", "+")
                key = f"{named(int(part) - 1 for part in path.split('.'))} {ends[letter]}"
                assert told == str(written[key]) or "you wrote" in str(one), (tree, path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_reason_has_a_hole_in_any_language(page, language):
    rng, told = Random(1), set()
    for tree in page(TREES, list(range(1, 40))):
        cases = [(hard, slip) for hard in (False, True) for slip in slips(tree, *solve(tree), rng)]
        answers = [solve(tree, hard=hard, slip=slip) for hard, slip in cases]
        for one in page(JUDGED, tree, answers, "alpha-beta", language):
            ((kind, _, reason),) = one["faults"]
            told.add(kind)
            assert not HOLE.search(reason), reason
    assert told == {"value", "missed", "open"}


def test_values_alone_are_judged_too(page):
    tree = [[4, 8], [6, 3], [2, 9]]
    written, struck = solve(tree, pruned=False)
    assert struck == []
    wrong = solve(tree, pruned=False, slip=("value", (1,), 6))
    perfect, slipped, empty = page(JUDGED, tree, [(written, []), wrong, ({}, [])], "minimax")
    assert perfect["faults"] == perfect["follows"] == []
    swapped = "Branch 2: this is the highest, which Max would take. Here Min takes the lowest of 6 and 3: 3."
    assert slipped["faults"] == [["value", ["1"], swapped]]
    assert slipped["follows"] == [""]
    assert empty == RIGHT | {"empty": 4}


def test_a_reason_names_the_pupils_own_number(page):
    tree = [[[14, 7], [13, 2]], [5, 11, [12, 3]]]
    written, struck = solve(tree, slip=("value", (0, 0), 7))
    (found,) = page(JUDGED, tree, [(written, [path for path in struck if path != "1.1"])], "alpha-beta")
    assert [reason for *_, reason in found["faults"]] == [
        "Branch 1.1: this is the lowest, which Min would take. Here Max takes the highest of 14 and 7: 14.",
        (
            "Alpha, 7, is not below beta, 5: the window is shut. Max gets at most 5 here, but has 7 in "
            "branch 1. So the leaf 11 and branch 2.3 are never looked at. 7 is your own number (branch 1)."
        ),
    ]
    assert found["follows"] == ["0", ""]


def number(text):
    return float(text.replace("\u2212", "-").replace("\u221e", "inf"))


def test_every_reason_for_a_value_is_true_of_what_is_not_struck(page):
    """Its numbers are those of the branches, and its answer is theirs; however many slips there are."""
    rng, read = Random(2), Counter()
    rule = re.compile(r"takes the (highest|lowest) of (.*?): (\d+)")
    ended = re.compile(r"finds (\d+) here.* from (\S+) to (\S+): fail-hard returns the nearer end, (\d+)")
    for place, tree in enumerate(page(TREES, list(SEEDS)[:300])):
        written, struck = solve(tree, hard=place % 2 == 1)
        answers = []
        for _ in range(8):
            wrong = {path: rng.choice(range(17)) for path in written if rng.random() < 0.6}
            answers.append((written | wrong, [one for one in struck if rng.random() < 0.7]))
        for (_, kept), one in zip(answers, page(JUDGED, tree, answers, "alpha-beta"), strict=True):
            for kind, (path, *_), reason in one["faults"]:
                if kind != "value":
                    continue
                if found := ended.search(reason):
                    best, low, high, end = (
                        float(n.replace("\u2212", "-").replace("\u221e", "inf")) for n in found.groups()
                    )
                    assert max(low, min(high, best)) == end != best, (tree, reason)
                elif found := rule.search(reason):
                    pick = max if found[1] == "highest" else min
                    assert pick(map(int, re.findall(r"\d+", found[2]))) == int(found[3]), (tree, reason)
                else:
                    node = tree
                    for move in path.split(".") if path else ():
                        node = node[int(move)]
                    branches = [named((*path.split("."), i) if path else (i,)) for i in range(len(node))]
                    alone = len({*branches} - {*kept}) == 1  # all others struck, by this pupil
                    assert ("only one branch is left" in reason) is alone, (tree, path, kept, reason)
                read[found and found.re] += 1
    assert min(read[None], read[rule]) > 500
    assert read[ended] > 20


def test_a_value_found_when_a_cut_was_missed_only_follows(page):
    tree = [[[14, 7], [13, 2]], [[8, 1], 3, [12, 4]]]
    # With 7 for branch 1, 8 does not cut; 6 is wrong, and cuts, and what it cuts is not struck.
    answer = {"0.0": 7, "0.1": 13, "0": 7, "1.0": 6, "1": 6, "": 7}
    (found,) = page(JUDGED, tree, [(answer, ["0.1.1"])], "alpha-beta")
    assert [[kind, marked] for kind, marked, _ in found["faults"]] == [
        ["value", ["0.0"]],
        ["value", ["1.0"]],
        ["missed", ["1.1", "1.2"]],
    ]
    assert found["follows"] == ["0", "1", ""]


def test_no_pattern_of_cuts_can_be_learnt_instead_of_the_rule(page):
    trees = page(TREES, list(SEEDS))
    patterns = Counter(tuple(solve(tree)[1]) for tree in trees)
    assert () not in patterns
    assert max(patterns.values()) <= 0.15 * len(SEEDS)
    for tree in trees:
        assert len(re.findall(r"\d+", str(tree))) in (8, 9)

        def frozen(node):
            return node if isinstance(node, int) else tuple(map(frozen, node))

        assert solve(tree)[0][""] == minimax(Tree(frozen(tree)), 9).value


def test_the_number_of_a_tree_grades_it(page):
    """It catches who does not cut at equal values from 4 on, who asks the parent alone from 7, then both."""
    for number, tree in zip(SEEDS, page(TREES, list(SEEDS)), strict=True):
        right = solve(tree)[1]
        assert strikes(tree) == right
        assert (strikes(tree, equal=False) != right) is (number in {4, 5, 6} or number > 9), (number, tree)
        assert (strikes(tree, levels=1) != right) is (number > 6), (number, tree)


PATHS = """
return outlineOf(practiceTree(arguments[0])).nodes.map(({ moves }) => moves.join("."));
"""
VERDICT = "#practice .says"


def filled(chromium, tree, paths, *, wrong=()):
    """Fill the tree in by keyboard alone, as the search goes; return the paths in the order of Tab."""
    written, struck = solve(tree)
    written |= dict(wrong)
    order = []
    chromium.run("document.querySelector('#practice .entries input').focus()")
    for _ in range(len(paths)):
        at = chromium.run(
            "return document.activeElement.closest('#practice .blank') && document.activeElement.dataset.at"
        )
        if at is None:
            break
        path = paths[int(at)]
        order.append(path)
        if path in written:
            chromium.press(*str(written[path]))
        for branch in struck:
            if branch.rpartition(".")[0] == path:  # down to the first branch, and along to this one
                chromium.press("ArrowDown", *["ArrowRight"] * int(branch[-1]), "x")
                chromium.run(
                    "document.querySelector(`#practice input[data-at='${arguments[0]}']`).focus()", at
                )
        chromium.press("Tab")
    return order, written


def test_a_tree_is_filled_in_by_keyboard_in_the_order_of_the_search(lesson, chromium):
    lesson(link="#s=practice&p=4")
    tree, paths = chromium.run("return practiceTree(4).tree"), chromium.run(PATHS, 4)
    order, written = filled(chromium, tree, paths)
    assert order == [path for path in written if path in order]  # from the left, and from below
    assert chromium.run("return document.querySelectorAll('#practice .snip[aria-pressed=true]').length") >= 1
    chromium.run("document.querySelector('#practice .entries input').focus()")
    chromium.press("Enter")
    assert chromium.text(VERDICT).startswith(f"All right. Max gets {written['']}, as without cuts.")
    # A value steps by a key, and what has changed is no longer judged.
    chromium.press("+")
    first = chromium.run("return Number(document.activeElement.value)")
    assert first == written[order[0]] + 1
    assert chromium.run("return document.activeElement.parentNode.dataset.sign") == ""
    chromium.press("-", "Enter")
    assert chromium.text(VERDICT).startswith("All right.")


def test_who_fills_in_as_fail_hard_does_is_told_so(lesson, chromium):
    lesson(link="#s=practice&p=2")
    tree, paths = chromium.run("return practiceTree(2).tree"), chromium.run(PATHS, 2)
    hard = solve(tree, hard=True)[0]
    filled(chromium, tree, paths, wrong=hard)
    chromium.click("#practice .check")
    said = chromium.text(VERDICT)
    assert said.startswith("All right. ")
    assert ("as fail-hard does: that is right, too." in said) is (hard != solve(tree)[0]) is True


def test_a_branch_with_a_field_is_struck_and_unstruck_by_keyboard(lesson, chromium):
    lesson(link="#s=practice&p=3")
    at = "return [document.activeElement.dataset.at, document.activeElement.ariaPressed]"
    chromium.run("document.querySelector('#practice .entries input').focus()")
    first, _ = chromium.run(at)
    chromium.press("ArrowRight")
    branch, _ = chromium.run(at)
    chromium.press("x")
    assert chromium.run(at) == [branch, "true"]  # its field is gone, but not the focus
    chromium.press("ArrowLeft")
    assert chromium.run(at) == [first, None]
    chromium.press("ArrowRight")
    assert chromium.run(at) == [branch, "true"]
    chromium.press("x", "ArrowDown", "ArrowUp")
    assert chromium.run(at) == [branch, None]


def test_nothing_is_all_right_before_anything_is_written(lesson, chromium):
    lesson(link="#s=practice&p=3")
    chromium.click("#practice .check")
    assert chromium.text(VERDICT) == "5 positions are still empty."
    chromium.press("x")
    chromium.run("document.querySelector('#practice .entries input').focus()")
    chromium.press("1", "4", "Enter")
    assert chromium.text(VERDICT) == "All right so far. 4 positions are still empty."


def test_what_is_no_value_is_refused_and_not_made_one(lesson, chromium):
    lesson(link="#s=practice&p=3")
    at = "const at = document.activeElement; return [at.value, at.ariaInvalid, at.parentNode.dataset.sign]"
    chromium.run("document.querySelector('#practice .entries input').focus()")
    for text in ("3.5", "1e3", "-3", "+", "1 4"):
        chromium.press(*text)
        assert chromium.run(at) == [text, "true", "?"]
        assert chromium.text(VERDICT).startswith(f"\u201c{text}\u201d is no value here: ")
        chromium.press("Enter")  # checked, it is still no value
        assert chromium.run(at) == [text, "true", "?"]
        chromium.run("document.activeElement.select()")
    chromium.press("1", "4")
    assert chromium.run(at) == ["14", "false", ""]
    chromium.press("Enter")
    assert chromium.text(VERDICT) == "All right so far. 4 positions are still empty."


def test_mistakes_are_told_beside_the_tree_and_to_screen_readers(lesson, chromium):
    lesson(link="#s=practice&p=4")
    tree, paths = chromium.run("return practiceTree(4).tree"), chromium.run(PATHS, 4)
    first = next(iter(solve(tree)[0]))
    filled(chromium, tree, paths, wrong={first: 0})
    chromium.click("#practice .check")
    assert chromium.text(VERDICT).startswith("1 mistake. Its number is in the tree.")
    field = f"#practice input[data-at='{paths.index(first)}']"
    asked = "const at = document.querySelector(arguments[0]); return at.getAttribute(arguments[1])"
    assert chromium.run(asked, field, "aria-invalid") == "true"
    reason = chromium.run(asked, field, "aria-describedby")
    said = chromium.text(f"#{reason}")
    assert said.startswith("Branch")
    assert chromium.run("return document.querySelector(arguments[0]).parentNode.dataset.sign", field) == "1"
    name = chromium.run(asked, field, "aria-label")
    assert name.startswith(
        f"branch {'.'.join(str(int(move) + 1) for move in first.split('.'))}, Max: the leaf "
    )
    # The same tree can be stepped through, and the answer is still there.
    chromium.click("#practice .watch")
    assert not chromium.probe("visible", "#practice .entries")
    chromium.click("#practice .end")
    assert chromium.text(VERDICT).startswith("The search is over.")
    chromium.click("#practice .watch")
    assert chromium.run("return document.querySelector(arguments[0]).value", field) == "0"
    assert chromium.text(f"#{reason}") == said
    # Another language keeps the answer, another tree has its own; the address has its seed.
    chromium.probe("choose", "#language", None, "de")
    assert chromium.run("return document.querySelector(arguments[0]).value", field) == "0"
    assert chromium.run("return decodeURI(location.hash)") == "#p=4&s=practice&l=de"
    chromium.click("#practice .another")
    assert chromium.run("return decodeURI(location.hash)") == "#p=5&s=practice&l=de"
    assert chromium.run(
        "return [...document.querySelectorAll('#practice .entries input')].every(({ value }) => !value)"
    )


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_fingers_have_room_and_axe_finds_nothing_before_and_after_the_check(
    lesson, chromium, width, height, dark
):
    lesson(width=width, height=height, dark=dark, touch=width < 500)
    small = (
        "const fields = '.entries input:enabled, .entries button:enabled, .hunt label';"
        "const shown = [...document.querySelectorAll(fields)].filter((one) => one.checkVisibility());"
        "const boxes = shown.map((one) => one.getBoundingClientRect());"
        "return [boxes.length, boxes.filter(({ width, height }) => Math.min(width, height) < 24).length]"
    )
    count, too_small = chromium.run(small)
    assert (count > 30, too_small) == (True, 0)
    assert chromium.run("return document.documentElement.scrollWidth <= innerWidth")
    chromium.run(AXE.read_text(encoding="utf-8"))
    assert chromium.run(AUDIT) == []
    chromium.run("for (const field of document.querySelectorAll('.entries input'))"
                 " Object.assign(field, { value: 7 }).dispatchEvent(new Event('input', { bubbles: true }));"
                 " document.querySelector('#practice .snip').click();")  # fmt: skip
    for name in ("minimax", "practice"):
        chromium.click(f"#{name} .check")
    chromium.run("document.querySelector('#bug [value=\"4\"]').click()")
    chromium.click("#bug .check")
    assert chromium.run("return document.querySelectorAll('.reasons li').length") > 2
    assert chromium.run(AUDIT) == []
    chromium.run("document.querySelector('#bug [value=beta]').click()")
    chromium.click("#bug .check")
    for name in ("minimax", "practice"):
        chromium.click(f"#{name} .watch")
    assert chromium.run(AUDIT) == []


def test_minimax_has_trees_by_number_too(lesson, chromium):
    lesson(link="#s=minimax&l=en")
    chromium.click("#minimax .another")
    assert chromium.run("return decodeURI(location.hash)") == "#q=2&p=1&s=minimax&l=en"
    for tree in chromium.run("return arguments[0].map((n) => minimaxTree(n).tree)", list(range(2, 60))):
        written, _ = solve(tree, pruned=False)
        (perfect,) = chromium.run(JUDGED, tree, [(written, [])], "minimax")
        assert perfect == RIGHT | {"right": list(written)}
        leaves = re.findall(r"\d+", str(tree))
        assert 6 <= len({*leaves}) == len(leaves) <= 8
    lesson(link="#q=7&s=minimax&l=en")
    assert (
        len(chromium.run("return [...document.querySelectorAll('#minimax .node .number')].map(String)")) == 8
    )


def fill_windows(window, number):
    """Fill the windows of a tree in by keyboard, then strike; return what it says before and after."""
    tree, paths = window.run(f"return practiceTree({number}).tree"), window.run(PATHS, number)
    written, struck = reached(tree)
    window.run("document.querySelector('#practice .entries input').focus()")
    for _ in written:
        at, end = window.run("const { at, end } = document.activeElement.dataset; return [at, end]")
        window.press(*str(written[f"{paths[int(at)]} {end}"]))
        window.press("Tab")
    said = []
    for branches in ([], struck):
        for branch in branches:
            window.click(f"#practice .snip[data-at='{paths.index(branch)}']")
        window.click("#practice .check")
        said.append(window.text(VERDICT))
    return said


def test_windows_are_filled_in_by_keyboard_and_stay_in_the_address(lesson, chromium):
    lesson(link="#p=4&s=practice&l=en")
    chromium.click("#practice .windows")
    assert chromium.run("return decodeURI(location.hash)") == "#p=4&w=1&s=practice&l=en"
    chromium.run("document.querySelector('#practice .entries input').focus()")
    for keys, left in (
        ("-", "\N{MINUS SIGN}\N{INFINITY}"),
        ("Backspace", ""),
        ("+5", "5"),
        ("Backspace", ""),
    ):
        chromium.press(*([keys] if keys == "Backspace" else keys))
        assert chromium.run("return document.activeElement.value") == left
    before, after = fill_windows(chromium, 4)
    assert before.startswith("2 mistakes.")  # nothing is struck yet
    assert after.startswith("All right. Max gets ")
    chromium.go("about:blank")
    lesson(link="#p=4&w=1&s=practice&l=en")
    assert chromium.text(VERDICT) == after  # it was kept
    chromium.click("#practice .entries input")
    chromium.press("+")
    assert chromium.text(VERDICT).startswith("Write the window")  # no longer all right
    chromium.click("#practice .windows")
    assert chromium.text(VERDICT).startswith("Write what each position returns.")
