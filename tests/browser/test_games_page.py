"""games.html in a real Chromium that runs no scripts: its figures, its looks, its names, its print."""

import re
from itertools import pairwise

import pytest
from page_reader import check
from store_world import GAME, WALL, close_all, fill

from appliance.cli import main
from appliance.core.words import LANGUAGES
from appliance.storage.database import NAME
from appliance.storage.rows import Played

KINDS = (
    GAME._replace(moves=(0, 3, 1, 4, 2)),
    GAME._replace(human="o", moves=(0, 4, 8, 2, 6, 3, 7), level="hard"),
    GAME._replace(rule="misere", players=2, moves=(0, 4, 8, 2, 6, 3, 7), result="o"),
    GAME._replace(rule="vanishing", players=2, moves=(0, 1, 4, 8, 3, 5, 6)),
    GAME._replace(moves=(4, 0, 8, 2, 1, 7, 3, 5, 6), result="draw", helped=True),
    GAME._replace(rule="chess"),
)
FEW, LONG = len(KINDS), 90


def games(count):
    """Games of each kind, on some days of four months; of the first nobody knows the day."""
    return [Played(None, int(WALL) + n * 130_000 if n else None, KINDS[n % len(KINDS)]) for n in range(count)]


@pytest.fixture
def opened(chromium, tmp_path):
    """Return what writes and opens the page; in the end nothing else was requested."""

    def show(count=LONG, width=1280, height=800, **looks):
        fill(tmp_path / "box", games(count))
        close_all()
        path = tmp_path / "games.html"
        assert main(["stats", "--html", str(path), "--state", str(tmp_path / "box")]) == 0
        chromium.size(width, height, **looks)
        chromium.open(path)
        return tmp_path / "box" / NAME

    chromium.log("performance")
    chromium.log("browser")
    chromium.devtools("Emulation.setScriptExecutionDisabled", value=True)
    yield show
    chromium.devtools("Emulation.setScriptExecutionDisabled", value=False)
    assert {url.rpartition("/")[2] for url in chromium.requested()} == {"games.html"}
    assert chromium.log("browser") == []


def test_its_figures_are_the_databases(opened, chromium):
    file = opened()
    check(chromium.run("return document.documentElement.outerHTML"), file)
    assert len(chromium.run("return [...document.querySelectorAll('article')].map((one) => one.id)")) == 20


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("width", "height"), [(360, 640), (800, 600), (1280, 720), (1920, 1080)])
def test_it_fits_and_is_legible(opened, chromium, width, height, dark):
    opened(width=width, height=height, dark=dark)
    assert chromium.run("return document.documentElement.scrollWidth <= innerWidth")
    ratios = chromium.probe("textContrasts")
    assert len(ratios) > 100
    assert not {name: ratio for name, ratio in ratios.items() if ratio < 4.5}
    assert chromium.run("return parseFloat(getComputedStyle(document.body).fontSize)") >= 16
    wide = chromium.run(
        "return [...document.querySelectorAll('.told > div > .board')].map((o) => o.clientWidth)"
    )
    assert min(wide) >= 90


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits_on_a_telephone_in_each_language(opened, chromium, monkeypatch, tmp_path, language):
    (tmp_path / "tictactoe").mkdir()
    (tmp_path / "tictactoe/config.yaml").write_text(f"language: {language}\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    opened(width=360, height=640)
    assert chromium.run("return document.documentElement.lang") == language
    assert chromium.run("return document.documentElement.scrollWidth <= innerWidth")


def test_a_screen_reader_has_names_and_headers_for_everything(opened, chromium):
    opened(FEW)
    found = chromium.spoken()
    names = {role: [name for kind, name in found if kind == role] for role, _ in found}
    for role in ("heading", "image", "columnheader", "rowheader", "region", "main", "table"):
        assert names.get(role), role
    assert all(names["heading"] + names["image"] + names["region"] + names["columnheader"])
    assert {"Results", "The last games"} <= set(names["region"])
    levels = chromium.run("return [...document.querySelectorAll('h1,h2,h3')].map((one) => +one.tagName[1])")
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert chromium.run("return document.documentElement.lang") == "en"


def test_it_prints_on_pages_that_cut_no_board(opened, chromium, tmp_path):
    opened(FEW, dark=True)
    paper = {"printBackground": False, "paperWidth": 8.27, "paperHeight": 11.69}
    pages = chromium.printed(tmp_path / "page.pdf", "-layout", **paper).split("\f")[:-1]
    assert 2 <= len(pages) <= 6
    for number in range(1, FEW + 1):
        (sheet,) = [page for page in pages if f"Game {number}: " in page]
        if number != 6:  # of a rule that nobody knows
            assert re.search(rf"Game {number}: .*?then, with best play", sheet, re.DOTALL)
