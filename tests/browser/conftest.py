"""A browser for all tests, and lessons for it to open."""

import json
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from webdriver import browser

from appliance.cli import main
from appliance.teaching.lesson.assemble import HERE, STYLESHEETS, joined, needed, script
from tools.page.__main__ import serving
from tools.page.site import build

BOARD = {"kind": "board", "cells": "xo.x..ox.", "rows": 3, "columns": 3, "k": 3, "rule": "classic"}
BOARD |= {"toMove": "o", "past": None}
OMNIBUS = {"kind": "tree", "tree": [[2, 7], [1, 8]]}
WORDS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in HERE.glob("words/*.json")}
SECTIONS = ("tree", "minimax", "cut", "practice", "bug", "order", "depth", "table", "montecarlo", "free")
FILLED = ("minimax", "practice")  # sections with a tree to fill in, which one can step through, too
SIZES = pytest.mark.parametrize(("width", "height"), [(390, 844), (1024, 768), (1440, 900)])
FREE = "#free .figure"
SEARCH = ("address.js", "montecarlo.js")  # what is searched, and how
AXE = Path(__file__).parents[2] / ".venv/npm/node_modules/axe-core/axe.min.js"  # the rules of WCAG
AUDIT = """
return axe.run(document).then(({ violations }) =>
  violations.map(({ id, impact, nodes }) => [id, impact, nodes.map(({ html }) => html)]));
"""
SAY = Path(__file__).parent / "say.js"
MAKE = """
const make = (subject, options) => {
  const outline = outlineOf(subject, options.depth);
  return { outline, options, walk: walkOf(outline, options) };
};
"""
SHOW = f"{MAKE} figures[0].show(make(...arguments)); return figures[0].last + 1;"


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    with browser("chromium", tmp_path_factory.mktemp("chromium")) as window:
        yield window


@pytest.fixture(scope="session")
def site():
    """Return the address of the box in a page, which is made if it is not there."""
    with served() as address:
        yield address


@contextmanager
def served():
    """Serve the page; return its address."""
    with serving(build(), 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def search(chromium, tmp_path):
    """Return what runs a script beside the lesson's search, with nothing else of its page."""
    path = tmp_path / "search.html"
    path.write_text(f"<!DOCTYPE html><meta charset=utf-8><script>{script(needed(*SEARCH))}</script>")
    chromium.open(path)
    return chromium.run


@pytest.fixture
def lesson(chromium, tmp_path, capsys):
    """Return what writes a lesson and opens its address, or a link. In the end nothing else was requested."""

    def show(*arguments, link="", width=1280, height=720, dark=False, touch=False):
        path = tmp_path / "lesson.html"
        assert main(["lesson", *arguments, "--output", str(path)]) == 0
        chromium.size(width, height, dark=dark, touch=touch)
        chromium.go("about:blank")  # from one address of a page to another, it is not loaded anew
        address = capsys.readouterr().out.splitlines()[-1]
        chromium.go(address.partition("#")[0] + link if link else address)

    with alone(chromium, "lesson.html"):
        yield show
        chromium.run("sessionStorage.clear()")  # a tab keeps it for all files


@contextmanager
def alone(chromium, name):
    """Fail if what is opened in here requests anything but this file, or logs anything."""
    chromium.log("performance")
    chromium.log("browser")
    yield
    requested = chromium.requested()
    assert requested
    assert {url.partition("#")[0].rpartition("/")[2] for url in requested} <= {name, "about:blank"}
    assert chromium.log("browser") == []
    assert chromium.run("return performance.getEntriesByType('resource').length") == 0


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """Return a page with two figures, one of them compact, and no more."""
    path = tmp_path_factory.mktemp("figure") / "figure.html"
    drawn = [name for name in needed(*SEARCH, "figure.js") if name != "say.js"]
    path.write_text(
        "<!DOCTYPE html><html lang=en><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width'>"
        f"<style>{joined(STYLESHEETS)}</style>"
        f"<script type='application/json' id='words'>{json.dumps({'en': WORDS['en']})}</script>"
        "<section id=free><div></div></section><section id=small><div></div></section>"
        f"<script>{script(drawn)}\n{SAY.read_text(encoding='utf-8')}"
        "const figures = ['free', 'small'].map((id) =>"
        " new Figure(document.querySelector(`#${id} > div`), { compact: id === 'small' }));</script>"
    )
    return path


@pytest.fixture
def figures(chromium, written):
    """Return what opens that page in a window."""

    def show(subject=None, width=1280, height=720, **options):
        chromium.size(width, height, touch=width < 500)
        chromium.open(written)
        return subject and chromium.run(SHOW, subject, options)

    chromium.log("browser")
    yield show
    assert chromium.log("browser") == []
