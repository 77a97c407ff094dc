"""The page of a lesson: recorded walks, and the HTML, style and script that play them back.

The page searches nothing. Each order of moves is a walk that Python recorded from the engine's trace, so what
a class sees is what the engine did. The price is size: the file has every step of every order, though each
sentence only once.
"""

import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path

from appliance.core.english import counted
from appliance.teaching.lesson.orders import Order, orders, traced
from appliance.teaching.lesson.outline import Outline
from appliance.teaching.lesson.walk import Step, walk
from appliance.teaching.lesson.words import Words

ALGORITHMS = {"minimax": "Minimax", "alpha-beta": "Alpha-beta", "negamax": "Negamax with alpha-beta"}
KINDS = ("enter", "back", "cut", "done")


def page(outline: Outline, algorithm: str) -> str:
    """Return the whole page. It loads nothing: its policy allows only its own style and scripts."""
    style, tree, script = (_file(name) for name in ("page.css", "tree.js", "page.js"))
    lesson = recorded(outline, algorithm)
    parts = {
        "POLICY": f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(tree)} {_hash(script)}; "
        "base-uri 'none'; form-action 'none'",
        "STYLE": style,
        "TREE": tree,
        "SCRIPT": script,
        "TITLE": escape(f"{ALGORITHMS[algorithm]}, step by step"),
        "LEAD": escape(_lead(outline)),
        "NOTES": "\n".join(f"<li>{escape(note)}</li>" for note in notes(outline, algorithm)),
        # "<" could end the script element or start a comment.
        "LESSON": json.dumps(lesson, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    }
    text = _file("page.html")
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    return text


def recorded(outline: Outline, algorithm: str) -> dict[str, object]:
    """Return the data of the page: the nodes, and a walk for each order.

    A step is [kind, node, alpha, beta, best, text, returned, child, cut ...]; texts are indices of `texts`.
    """
    words, pruned = Words(outline, algorithm), algorithm != "minimax"
    texts: dict[str, int] = {}

    def put(text: str) -> int:
        return texts.setdefault(text, len(texts))

    def step(one: Step) -> list[int]:
        best = "" if one.best is None else words.score(one.best, one.node)
        told = (*words.window(one.alpha, one.beta, one.node), best, one.text, one.returned)
        kind, child = KINDS.index(one.kind), -1 if one.child is None else one.child
        return [kind, one.node, *map(put, told), child, *one.cut]

    def record(order: Order) -> dict[str, object]:
        found = walk(outline, order.children, traced(outline, order.children, pruned=pruned), words)
        return {
            "name": order.name,
            "children": order.children,
            "steps": [step(one) for one in found.steps],
            "asks": [[ask.before, ask.then, put(ask.text), put(ask.answer)] for ask in found.questions],
        }

    return {
        "walks": [record(order) for order in orders(outline)],
        "nodes": [
            {
                "parent": -1 if node.parent is None else node.parent,
                "ply": node.ply,
                "label": node.label,
                "path": node.path,
                "cells": node.cells,
                "move": -1 if node.move is None else node.move,
                "fading": -1 if node.fading is None else node.fading,
                "line": node.line,
                "number": words.score(node.value or 0, number) if node.reason == "number" else "",
                "size": node.size,
            }
            for number, node in enumerate(outline.nodes)
        ],
        "texts": list(texts),
        "players": outline.players,
        "columns": outline.columns,
        "algorithm": algorithm,
    }


def notes(outline: Outline, algorithm: str) -> list[str]:
    """Return the notes that explain the values of this lesson, a few sentences each."""
    hero, villain = outline.players
    lines = []
    if algorithm == "negamax":
        lines.append(
            f"Each side takes the highest value from its own point of view: what is good for {hero} is as "
            f"bad for {villain}. So a value is negated on its way up; the window is negated, and its ends "
            "swapped, on its way down."
            + ("" if outline.rule else " A leaf where Min would move next shows the number as Min sees it.")
        )
    elif outline.rule:
        lines.append(
            f"{hero}, to move at the root, is Max and takes the highest value. {villain} is Min and takes "
            f"the lowest. Every value is for {hero}."
        )
    else:
        lines.append("Max takes the highest value of the branches, Min the lowest. Every value is for Max.")
    if algorithm != "minimax":
        lines.append(
            "Alpha is the value that Max has secured so far on the path to a position, beta the value that "
            "Min has. Between them lies the window. When they meet, one side has something at least as good "
            "elsewhere and will not let the game come here, so the remaining branches are cut."
        )
        lines.append(
            "\u2264 means at most, \u2265 at least: the search left the branch before its exact value was "
            "known, because the bound is enough."
        )
    if outline.rule:
        lines.append(
            "\u201cwin in 3\u201d is a win after three moves from the root, counting those of both sides. "
            "A draw counts 0."
        )
    if outline.guessed:
        lines.append(
            f"The search stops after {counted(outline.depth, 'move')}, before the game ends. A number such "
            "as +4 there is a guess, and so is every value that comes from one: a deeper search may "
            "disagree. " + _evaluation(outline.rule)
        )
    return lines


def _evaluation(rule: str) -> str:
    if rule == "vanishing":
        return "It is +1 for the side whose last two marks share a line, and 0 if both do or neither does."
    return (
        "Each line without an opponent's mark counts 1 if empty, 2 with one mark, 4 with two, and so on; the "
        "guess is the difference between the sides"
        + (", negated, since a line loses." if rule == "misere" else ".")
    )


def _lead(outline: Outline) -> str:
    size, root = outline.nodes[0].size, outline.nodes[0]
    many = f"{size:,} positions"
    if not outline.rule:
        return f"A tree of numbers with {many}."
    rule = "" if outline.rule == "classic" else f", {'misère' if outline.rule == 'misere' else outline.rule}"
    rows = [
        root.cells[start : start + outline.columns] for start in range(0, len(root.cells), outline.columns)
    ]
    deep = f"{counted(outline.depth, 'move')} deep" if outline.guessed else "to the end"
    return f"{outline.players[0]} to move on {' / '.join(rows)}{rule}, {deep}: {many}."


def _file(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
