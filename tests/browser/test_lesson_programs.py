"""The programs that the lesson shows: executed, they do what the engine does; and the one with a bug."""

from random import Random

import pytest

from engine import Tree, minimax, trace
from engine.textbook import alpha_beta_as_printed

INF = 1_000_001
COUNT = 3_000
PROGRAMS = """
const texts = Object.entries(PROGRAMS).map(([name, lines]) => [name, lines.map(([, text]) => text)]);
return [Object.fromEntries(texts), PRINTED.map(([, , text]) => text), WRONG];
"""


def trees(seed, count):
    rng = Random(seed)

    def grown(height):
        if height == 0 or (height < 3 and rng.random() < 0.2):
            return rng.randint(-9, 9)
        return tuple(grown(height - 1) for _ in range(rng.randint(1, 4)))

    while count:
        if isinstance(tree := grown(rng.randint(1, 4)), tuple):
            count -= 1
            yield tree


class Node:
    """What a program of the page asks of a position; `seen` lists the leaves whose value it asked for."""

    def __init__(self, tree, ply, seen):
        self.tree, self.ply, self.seen = tree, ply, seen

    def value(self):
        self.seen.append(self.tree)
        return self.tree


NAMES = {
    "INF": INF,
    "is_leaf": lambda node: isinstance(node.tree, int),
    "is_max": lambda node: node.ply % 2 == 0,
    "branches": lambda node: [Node(child, node.ply + 1, node.seen) for child in node.tree],
    "value": Node.value,
    "value_for_mover": lambda node: -node.value() if node.ply % 2 else node.value(),
}


def run(lines):
    """Return the function `search` that these lines define."""
    names = dict(NAMES)
    exec("\n".join(lines), names)  # noqa: S102 - the page's own text
    return names["search"]


@pytest.fixture
def shown(lesson, chromium):
    lesson()
    return chromium.run(PROGRAMS)


def test_each_program_does_what_the_engine_does(shown):
    programs, *_ = shown
    assert set(programs) == {"minimax", "alpha-beta", "fail-hard", "negamax"}
    for name, lines in programs.items():
        search, pruned = run(lines), name != "minimax"
        for tree in trees(1, COUNT):
            theirs, seen = Tree(tree), []
            expected = trace(theirs, 99, pruned=pruned)
            window = (-INF, INF) if pruned else ()
            assert search(Node(tree, 0, seen), *window) == expected.value, (name, tree)
            assert seen == theirs.evaluated, (name, tree)


def test_the_printed_program_is_wrong_in_its_one_line(shown, chromium):
    _, lines, wrong = shown
    mended = [
        line.replace("min(beta,", "min(new_beta,") if at == wrong else line for at, line in enumerate(lines)
    ]
    assert sum(a != b for a, b in zip(lines, mended, strict=True)) == 1
    differ, some = 0, list(trees(2, COUNT))
    for tree in some:
        printed = run(lines)(Node(tree, 0, []))
        assert printed == alpha_beta_as_printed(Tree(tree), 99)
        right = minimax(Tree(tree), 99).value
        assert run(mended)(Node(tree, 0, [])) == right
        differ += printed != right
    assert differ > COUNT / 10
    # The page walks as the program does.
    walked = (
        "const walk = (tree, mended) => finished(new PrintedWalk(outlineOf({ kind: 'tree', tree }), mended));"
        "return arguments[0].map((tree) => [false, true].map((mended) => walk(tree, mended).value))"
    )
    expected = [[run(text)(Node(tree, 0, [])) for text in (lines, mended)] for tree in some[:500]]
    assert chromium.run(walked, some[:500]) == expected


def test_the_bug_is_found_told_and_compared(lesson, chromium):
    lesson(link="#s=bug")
    says = "#bug .both .says"
    for _ in range(5):
        chromium.click("#bug .step")
    assert chromium.text(says) == (
        "new_beta = min(beta, 7) = min(+∞, 7) = 7. No branch is left: this position returns 7."
    )
    ran = "return [...document.querySelectorAll('#bug label.runs')].map((one) => one.innerText.trim())"
    assert chromium.run(ran) == ["new_beta = min(beta, maximize(child, alpha, new_beta))", "return new_beta"]
    told = set()
    for line in range(16):
        if line != 4:
            chromium.run("document.querySelector(`#bug [name=line][value='${arguments[0]}']`).click()", line)
            chromium.click("#bug .check")
            told.add(verdict := chromium.text("#bug .verdict"))
            assert verdict.startswith("Not so. ")
    assert len(told) == 8
    assert not chromium.probe("visible", "#bug [name=why]")
    chromium.run("document.querySelector(\"#bug [name=line][value='4']\").click()")
    chromium.click("#bug .check")
    assert chromium.text("#bug .verdict") == "Right. That is the line."
    for why in ("swapped", "order", "beta"):
        assert not chromium.probe("visible", "#bug .both > :last-child")
        chromium.run("document.querySelector(`#bug [name=why][value=${arguments[0]}]`).click()", why)
        chromium.click("#bug .check")
    assert chromium.text("#bug .verdict").startswith("Right. new_beta must be compared, not beta.")
    # Both run, step by step; the focus is there, as the button that had it is gone.
    assert chromium.run("return document.activeElement.className") == "step"
    assert chromium.text("#bug .both > :last-child h3") == "Corrected: answer 2"
    for _ in range(5):
        chromium.click("#bug .step")
    assert chromium.text("#bug .both > :last-child .says") == (
        "new_beta = min(new_beta, 7) = min(2, 7) = 2. No branch is left: this position returns 2."
    )
    chromium.click("#bug .both .end")
    ends = chromium.run("return [...document.querySelectorAll('#bug .says')].map((one) => one.textContent)")
    assert ends == [
        "max(7, 8) = 8. Max takes branch 2, which is worth 8.",
        "max(2, 1) = 2. Max takes branch 1, which is worth 2.",
    ]
