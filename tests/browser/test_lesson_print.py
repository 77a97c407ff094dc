"""A printed figure: the whole tree on one sheet, and all of it legible, by the text of the PDF."""

import re
from html import unescape

import pytest
from conftest import BOARD, OMNIBUS

SHEETS = {"A4": (210 / 25.4, 297 / 25.4), "letter": (8.5, 11)}  # inches
WORD = re.compile(r'<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</word>')
UNIT = 14  # the size of the tree's letters, in its own units; a board is 39


@pytest.fixture(params=SHEETS)
def printed(chromium, tmp_path, request):
    """Return what prints the page: for each sheet its width, height and words, each a box and its text."""

    def sheets():
        width, height = SHEETS[request.param]
        paper = {"paperWidth": width, "paperHeight": height, "preferCSSPageSize": True}
        found = []
        for page in chromium.printed(tmp_path / "lesson.pdf", "-bbox", **paper).split("<page ")[1:]:
            wide, high = map(float, re.findall(r'(?:width|height)="([\d.]+)"', page)[:2])
            # A text with a halo is there twice, once for its stroke.
            words = {
                (*(round(float(side)) for side in word[:4]), unescape(word[4])) for word in WORD.findall(page)
            }
            found.append((wide, high, words))
        return found

    return sheets


def only_sheet_with(word, sheets):
    (sheet,) = [(wide, high, words) for wide, high, words in sheets if any(one[4] == word for one in words)]
    return sheet


def scale(words, chromium):
    """Return the points of a unit of the tree: its levels are named, and evenly spaced."""
    named = sorted({one[1] for one in words if one[4] in ("Max", "Min") or one[4].endswith(("Max", "Min"))})
    names = chromium.run("return document.querySelectorAll('#free .levels text').length")
    return (named[names - 1] - named[0]) / (names - 1) / chromium.run("return figures[0].drawing.level")


@pytest.mark.parametrize("dark", [False, True])
def test_a_tree_of_61_positions_is_whole_on_one_sheet(figures, chromium, printed, dark):
    figures(BOARD, algorithm="minimax")
    chromium.run("document.documentElement.dataset.theme = arguments[0]", "dark" if dark else "light")
    chromium.click("#free .end")
    values = chromium.probe("shown", "#free .figure")["values"]
    assert len(values) == 61
    wide, high, words = only_sheet_with("Max", printed())
    assert wide > high  # a wide tree turns its sheet
    assert all(
        0 <= left < right <= wide and 0 <= top < bottom <= high for left, top, right, bottom, _ in words
    )
    unit = scale(words, chromium)
    assert unit * UNIT >= 6  # points
    assert unit * 39 >= 17  # a board is 6 mm wide
    texts = [one[4] for one in words]
    for kind in ("win", "loss", "draw"):
        assert texts.count(kind) >= sum(kind in value for value in values.values()) > 0
    for part in (".says", ".legend"):  # at the same sheet, no smaller than the tree
        told = chromium.text(f"#free {part}").split()
        assert set(told) <= set(texts), part


def test_the_chosen_step_is_printed(figures, chromium, printed):
    figures(BOARD, algorithm="alpha-beta")
    chromium.click("#free .controls .cut")
    _, _, words = only_sheet_with("Max", printed())
    texts = {one[4] for one in words}
    assert {"\u03b1", "\u03b2", "cut:", "Saved", "Alpha"} <= texts
    assert "First" not in texts  # a sheet has no buttons
    assert set(chromium.text("#free .progress").split()) <= texts


def test_labels_cover_nothing_on_paper(figures, chromium, printed):
    figures(BOARD, algorithm="alpha-beta")
    chromium.run("figures[0].go(40)")
    _, _, words = only_sheet_with("Max", printed())
    boxes = sorted(words)
    for place, (left, top, right, bottom, text) in enumerate(boxes):
        for other in boxes[place + 1 :]:
            across = min(right, other[2]) - max(left, other[0])
            down = min(bottom, other[3]) - max(top, other[1])
            same = text == other[4]  # the stroke of a halo
            # The boxes of two lines overlap, their letters do not.
            assert same or across <= 1 or down <= (bottom - top) / 2, (text, other[4])


def test_a_small_tree_leaves_the_sheet_upright_and_large_letters(figures, chromium, printed):
    figures(OMNIBUS, algorithm="alpha-beta")
    wide, high, words = only_sheet_with("Alpha", printed())
    unit = scale(words, chromium)
    assert unit * UNIT >= 9
    assert max(one[3] for one in words) <= high
    assert {"2", "7", "1", "8"} <= {one[4] for one in words}
    assert wide > 500


def test_the_largest_tree_is_still_whole(figures, chromium, printed):
    subject = {**BOARD, "cells": "xo.......", "toMove": "x"}
    figures(subject, depth=3, algorithm="minimax")
    count = chromium.run("return figures[0].lesson.outline.nodes.length")
    assert count > 200
    chromium.click("#free .end")
    _, high, words = only_sheet_with("Max", printed())
    assert max(one[3] for one in words) <= high
