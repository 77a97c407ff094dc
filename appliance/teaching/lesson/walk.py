"""Turn the engine's trace into the steps of a lesson. Nothing is searched here."""

from collections.abc import Sequence
from typing import NamedTuple

from appliance.teaching.lesson.outline import Outline
from appliance.teaching.lesson.words import Held, Words
from engine import Visit


class Step(NamedTuple):
    """A step of the walk; `node` is the current position after it. Scores are for Max.

    - "enter": the search enters `node`; a leaf is evaluated, and `best` is its value.
    - "back": the value of `child` has been returned to `node`.
    - "cut": the search leaves `node` without trying the children in `cut`.
    - "done": the search has returned from the root.

    `alpha` and `beta` are the window after the step, `best` the best value of the children so far, None
    before the first. `text` says what happens, and why.
    """

    kind: str
    node: int
    alpha: int
    beta: int
    best: int | None
    text: str
    child: int | None = None
    returned: str = ""  # the value of `child`, of a leaf or of the root, in words: "<= draw"
    cut: tuple[int, ...] = ()


class Question(NamedTuple):
    """An exercise: before step `before` the page asks which branch is cut next, then it goes to step `then`.

    `answer` explains. The right answers are the branches cut in step `then`, or none.
    """

    before: int
    then: int
    text: str
    answer: str


class Walk(NamedTuple):
    """The steps, and the questions in their order."""

    steps: list[Step]
    questions: list[Question]


def walk(outline: Outline, children: Sequence[Sequence[int]], root: Visit, words: Words) -> Walk:
    """Return the steps of the search that `root` has traced, its children in this order."""
    steps: list[Step] = []
    questions: list[Question] = []
    nodes, pruned = outline.nodes, words.algorithm != "minimax"

    def enter(visit: Visit, node: int, alpha: Held, beta: Held) -> None:
        leaf = nodes[node].value
        shown = "" if leaf is None else words.bound(visit, node)
        text = words.enter(node, visit.alpha, visit.beta)
        steps.append(Step("enter", node, visit.alpha, visit.beta, leaf, text, returned=shown))
        maximizing = nodes[node].ply % 2 == 0
        best: int | None = None
        for place, inner in enumerate(visit.children):
            child = children[node][inner.move or 0]
            enter(inner, child, alpha, beta)
            before, window, change = len(steps), (alpha.score, beta.score), "nothing"
            if best is None or (inner.value > best if maximizing else inner.value < best):
                best, change = inner.value, "best"
            if pruned and maximizing and best > alpha.score:
                alpha, change = Held(best, child), "window"
            elif pruned and not maximizing and best < beta.score:
                beta, change = Held(best, child), "window"
            last = place + 1 == len(visit.children)
            text = words.back(node, child, inner, best, (alpha, beta), change)
            if last and not visit.cut:
                text = f"{text} {words.complete(node, visit)}"
            returned = words.bound(inner, child)
            steps.append(Step("back", node, alpha.score, beta.score, best, text, child, returned))
            if last and visit.cut:
                cut = tuple(children[node][move] for move in visit.cut)
                text = words.cut(node, best, (alpha, beta), cut)
                steps.append(Step("cut", node, alpha.score, beta.score, best, text, cut=cut))
            if (last and visit.cut) or (not last and change == "window"):
                answer = text if last else words.still_open(node, (alpha, beta))
                ask = words.question(node, child, inner, *window)
                questions.append(Question(before, len(steps) - 1, ask, answer))

    enter(root, 0, Held(root.alpha), Held(root.beta))
    winner = next(child for child in root.children if child.value == root.value)
    text = words.done(root, children[0][winner.move or 0], root.nodes)
    end = steps[-1]
    steps.append(Step("done", 0, end.alpha, end.beta, root.value, text, returned=words.bound(root, 0)))
    return Walk(steps, questions)
