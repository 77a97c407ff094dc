"""`tictactoe lesson`: the page that it writes, the address that it prints, and its errors."""

import json
import re
from base64 import b64encode
from hashlib import sha256

import pytest

from appliance import __version__
from appliance.cli import main
from appliance.core.words import LANGUAGES
from appliance.teaching.lesson.assemble import HERE, STYLESHEETS
from appliance.teaching.taught import TAUGHT


@pytest.fixture
def lesson(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        status = main(["lesson", *arguments])
        return status, *capsys.readouterr()

    return run


def written(tmp_path):
    return (tmp_path / "lesson.html").read_text(encoding="utf-8")


def test_the_file_says_who_made_it_and_what_it_needs(lesson, tmp_path):
    lesson()
    text = written(tmp_path)
    licence = (HERE.parents[2] / "LICENSE").read_text(encoding="utf-8")
    assert next(line for line in licence.splitlines() if line.startswith("Copyright")) in text
    assert f"tictactoe-appliance {__version__}" in text
    without = text.partition("<noscript>")[2].partition("</noscript>")[0]
    told = dict(re.findall('<p lang="(..)">([^<]*JavaScript[^<]*)</p>', without))
    assert set(told) == set(LANGUAGES)


def test_one_page_shows_everything(lesson, tmp_path):
    status, out, err = lesson()
    assert (status, err) == (0, "")
    text = written(tmp_path)
    assert re.fullmatch(r"lesson\.html: \d+ kB; open it in a browser:\nfile:///\S+/lesson\.html\n", out)
    assert len(text.encode()) < 300_000
    assert lesson("x...o....", "--depth", "2")[0] == 0
    assert written(tmp_path) == text
    assert [path.name for path in tmp_path.iterdir()] == ["lesson.html"]


def test_the_page_plays_the_rules_that_are_taught():
    (names,) = re.findall(r"^const RULES = (.*);$", (HERE / "game.js").read_text(), flags=re.MULTILINE)
    assert json.loads(names) == list(TAUGHT)


def test_the_page_may_load_nothing_and_run_only_its_own_script(lesson, tmp_path):
    assert all((HERE / name).exists() for name in STYLESHEETS)
    lesson("((2,7),(1,8))")
    text = written(tmp_path)
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', text)[1]
    directives = dict(part.split(" ", 1) for part in policy.split("; "))
    assert directives["default-src"] == "'none'"
    for tag, name in ("style", "style-src"), ("script", "script-src"):
        (part,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, flags=re.DOTALL)
        assert directives[name] == f"'sha256-{b64encode(sha256(part.encode()).digest()).decode()}'"
    assert not re.search(r"""(src|href)=["'][^#]|url\(|@import|https?://(?!www\.w3\.org/2000/svg)""", text)
    assert not re.search(r"""\s(on\w+|style)=["']""", text)
    assert not re.search(r"@[A-Z]+@", text)
    said = json.loads(re.search(r'"application/json" id="words">(.*?)</script>', text)[1])
    assert set(said["languages"]) == set(LANGUAGES)


@pytest.mark.parametrize(("arguments", "shown"), [
    (["x...o...."], "b=x../.o./...&r=classic&k=3&m=x&a=alpha-beta&s=free"),
    (["159", "--rule", "misere", "--depth", "2", "--algorithm", "negamax"],
     "b=x../.o./..x&r=misere&k=3&m=o&d=2&a=negamax&s=free"),
    (["541 827", "--rule", "vanishing"], "b=541827&r=vanishing&a=alpha-beta&s=free"),
    ([" / / ", "--k", "1"], "b=././.&r=classic&k=1&m=x&a=alpha-beta&s=free"),
    (["... ... ...", "--rule", "vanishing"], "b=.........&r=vanishing&a=alpha-beta&s=free"),
    (["xx.oo....", "--depth", "99"], "b=xx./oo./...&r=classic&k=3&m=x&d=5&a=alpha-beta&s=free"),
    (["../..", "--k", "1", "--depth", "4"], "b=../..&r=classic&k=1&m=x&d=4&a=alpha-beta&s=free"),
    (["x.../", "--k", "4", "--to-move", "x"], "b=x.../&r=classic&k=4&m=x&a=alpha-beta&s=free"),
    (["( \u22121 , +8 )", "--algorithm", "fail-hard"], "n=(-1,+8)&a=fail-hard&s=free"),
])  # fmt: skip
def test_the_address_says_what_is_shown(lesson, tmp_path, arguments, shown):
    status, out, err = lesson(*arguments)
    assert (status, err) == (0, "")
    assert out.splitlines()[1] == f"{(tmp_path / 'lesson.html').as_uri()}#{shown}"


@pytest.mark.parametrize(("arguments", "sentence"), [
    (["((2,7),(1,8)"], "no tree of numbers from character 13 on: write it like ((2,7),(1,8))"),
    (["((2,7),,1)"], "from character 8 on"),
    (["()"], "from character 2 on"),
    (["(1 2)"], "from character 4 on"),
    (["(1,2))"], "from character 6 on"),
    (["(1,x)"], "from character 4 on"),
    (["(1,100000)"], "from character 4 on: write it like ((2,7),(1,8)), with numbers up to 99,999"),
    (["(1," + "9" * 5000 + ")"], "from character 4 on"),
    (["(" * 5000], "more than 12 parentheses are open"),
    (["(" + "1," * 999 + "1)"], "the tree has 1,001 positions, and the limit is 1,000"),
    (["(1,2))x"], "from character 6 on"),
    (["(" * 13 + "1" + ")" * 13], "more than 12 parentheses are open"),
    (["(1,2)", "--depth", "1"], "--depth goes with a board, not with a tree of numbers"),
    (["--depth", "1"], "--depth goes with BOARD: say what to show"),
    (["--algorithm", "minimax"], "--algorithm goes with BOARD: say what to show"),
    (["(1,2)", "--to-move", "x"], "--to-move goes with a board"),
    (["x..", "--depth", "2"], "a run of 3 characters is no square board"),
    (["." * 81], "a lesson on 9x9 is too large: the page has room for 8x8"),
    (["xxx/oo./..."], "the game is over"),
    (["x...o....", "--depth", "0"], "--depth 0 shows nothing"),
    (["." * 9, "--depth", "9"],
     "9 plies deep has 549,946 positions, and the limit is 1,000: --depth 3 fits, with 586"),
    (["1", "--rule", "vanishing", "--depth", "18"],
     "too many positions to count, and the limit is 1,000: --depth 3 fits, with 401"),
    (["(1,2)", "--output", "."], "Is a directory; choose another file with --output"),
    (["(1,2)", "--output", ""], "Is a directory; choose another file with --output"),
    (["(1,2)", "--output", "none/lesson.html"], "No such file or directory; choose another file"),
    (["(1,2)", "--output", "a\0b"], "choose another file"),
    (["159", "--rule", "ultimate"], "ultimate is not solved"),
    (["(1,2)", "--algorithm", "best"], "invalid choice: 'best'"),
])  # fmt: skip
def test_what_makes_no_sense_is_one_sentence_and_writes_nothing(lesson, tmp_path, arguments, sentence):
    status, out, err = lesson(*arguments)
    assert (status, out) == (2, "")
    assert sentence in err
    assert (err.count("\n"), err.count("Traceback")) == (1, 0)
    assert not list(tmp_path.iterdir())


def test_each_mistake_that_the_page_finds_has_a_sentence():
    text = "".join(path.read_text() for path in HERE.glob("*.js"))
    named = {
        key
        for call in re.findall(r"new Mistake\((.*?)[,)] ?[{)]?", text)
        for key in re.findall(r'"([\w-]+)"', call)
    }
    assert named - {"tree"} == set(json.loads((HERE / "words" / "en.json").read_text())["mistake"])
