"""`tictactoe lesson`: the page that it writes, and its errors."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.cli import main
from appliance.core.errors import UserError
from appliance.teaching.lesson.numbers import DEEPEST, parse
from engine import minimax
from engine.board import Board

TREES = st.recursive(
    st.integers(-99_999, 99_999),
    lambda nodes: st.lists(nodes, min_size=1, max_size=4).map(tuple),
    max_leaves=12,
)


@pytest.fixture
def lesson(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        status = main(["lesson", *arguments])
        return status, *capsys.readouterr()

    return run


def written(tmp_path):
    text = (tmp_path / "lesson.html").read_text(encoding="utf-8")
    return text, json.loads(re.search(r'<script type="application/json" id="lesson">(.*?)</script>', text)[1])


def test_the_default_is_a_small_page_of_its_own(lesson, tmp_path):
    for board, positions in (
        ("x...o....", 50),
        (".........", 82),
        ("((2,7),(1,8))", 7),
        ("." * 16, 17),
        (".x...ox.o", 74),
    ):
        status, out, err = lesson(board)
        assert (status, err) == (0, "")
        text, data = written(tmp_path)
        assert len(text.encode()) < 300_000
        assert len(data["nodes"]) == positions
        assert re.fullmatch(rf"lesson\.html: {positions} positions, \d+ kB; open it in a browser\n", out)
        assert [path.name for path in tmp_path.iterdir()] == ["lesson.html"]
        assert "@" not in re.sub(r"@media|<script.*", "", text, flags=re.DOTALL)


def test_the_page_may_load_nothing_and_run_only_its_own_scripts(lesson, tmp_path):
    lesson("((2,7),(1,8))")
    text, _ = written(tmp_path)
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', text)[1]
    directives = dict(part.split(" ", 1) for part in policy.split("; "))
    assert directives["default-src"] == "'none'"
    for tag, name in ("style", "style-src"), ("script", "script-src"):
        parts = re.findall(rf"<{tag}>(.*?)</{tag}>", text, flags=re.DOTALL)
        hashes = [f"'sha256-{b64encode(sha256(part.encode()).digest()).decode()}'" for part in parts]
        assert directives[name].split() == hashes
    assert not re.search(r"""(src|href)=["'][^#]|url\(|@import|https?://(?!www\.w3\.org/2000/svg)""", text)
    assert not re.search(r"""\s(on\w+|style)=["']""", text)


def test_depth_algorithm_rule_and_output(lesson, tmp_path):
    arguments = (
        "159",
        "--rule",
        "misere",
        "--depth",
        "2",
        "--algorithm",
        "negamax",
        "--output",
        "lesson.html",
    )
    assert lesson(*arguments)[0] == 0
    text, data = written(tmp_path)
    assert "<title>Negamax with alpha-beta, step by step</title>" in text
    assert data["algorithm"] == "negamax"
    assert (len(data["nodes"]), data["players"]) == (minimax(Board.parse("x../.o./..x"), 2).nodes, ["o", "x"])
    assert lesson("xx.oo....", "--depth", "99")[0] == 0  # no deeper than the game
    assert lesson("xx../oo../..../....", "--k", "4", "--to-move", "o", "--depth", "1")[0] == 0


def test_a_depth_below_the_end_of_every_game(lesson, tmp_path):
    assert lesson("../..", "--k", "1", "--depth", "4")[0] == 0  # the first mark wins
    assert len(written(tmp_path)[1]["nodes"]) == 5


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        (["((2,7),(1,8))"], "Max takes the highest value of the branches, Min the lowest."),
        (
            ["((2,7),(1,8))", "--algorithm", "negamax"],
            "A leaf where Min would move next shows the number as Min sees it.",
        ),
        (["x...o...."], "x, to move at the root, is Max"),
        (["x...o...."], "A number such as +4 there is a guess, and so is every value that comes from one"),
        (["x...o...."], "counts 1 if empty, 2 with one mark, 4 with two"),
        (["159", "--rule", "misere"], "negated, since a line loses."),
        (["541827", "--rule", "vanishing"], "+1 for the side whose last two marks share a line"),
        (["xo./x../ox."], "a win after three moves from the root"),
    ],
)
def test_the_page_explains_its_values(lesson, tmp_path, arguments, note):
    lesson(*arguments)
    text, _ = written(tmp_path)
    assert note in unescape(text)
    assert ("Between them lies the window" in text) == ("minimax" not in arguments)
    lesson(*arguments[:1], "--algorithm", "minimax", *arguments[1:])
    assert ("guess" in unescape(written(tmp_path)[0])) == ("guess" in unescape(text))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["((2,7),(1,8)"], "',' or ')' is missing before the end"),
        (["((2,7),,1)"], "a number or '(' is missing before ',', character 8"),
        (["()"], "a number or '(' is missing before ')', character 2"),
        (["(1 2)"], "',' or ')' is missing before '2', character 4"),
        (["(1,2))"], "the tree is complete before ')', character 6"),
        (["(1,x)"], "a number or '(' is missing before 'x', character 4"),
        (["(1,100000)"], "the number at character 4 is too large: the limit is 99,999"),
        (["(1," + "9" * 5000 + ")"], "the number at character 4 is too large"),
        (["(" * 5000], "more than 12 parentheses are open at '(', character 13"),
        (["(" + "1," * 999 + "1)"], "the tree has 1,001 positions, and the limit is 1,000"),
        (["(1,2)", "--depth", "1"], "--depth goes with a board"),
        (["(1,2)", "--to-move", "x"], "--to-move goes with a board"),
        (["x..", "--depth", "2"], "a run of 3 characters is no square board"),
        (["xxx/oo./..."], "the game is over"),
        (["x...o....", "--depth", "0"], "--depth 0 shows nothing"),
        (
            ["." * 9, "--depth", "9"],
            "9 plies deep has 549,946 positions, and the limit is 1,000: --depth 3 fits, with 586",
        ),
        (
            ["1", "--rule", "vanishing", "--depth", "18"],
            "too many positions to count, and the limit is 1,000: --depth 3 fits, with 401",
        ),
        (["(1,2)", "--output", "."], "Is a directory; choose another file with --output"),
        (["(1,2)", "--output", ""], "Is a directory; choose another file with --output"),
        (["(1,2)", "--output", "none/lesson.html"], "No such file or directory; choose another file"),
        (["(1,2)", "--output", "a\0b"], "choose another file"),
        (["159", "--rule", "ultimate"], "ultimate is not solved"),
        (["(1,2)", "--algorithm", "best"], "invalid choice: 'best'"),
    ],
)
def test_what_makes_no_sense_is_one_sentence_and_writes_nothing(lesson, tmp_path, arguments, sentence):
    status, out, err = lesson(*arguments)
    assert (status, out) == (2, "")
    assert sentence in err
    assert (err.count("\n"), err.count("Traceback")) == (1, 0)
    assert not list(tmp_path.iterdir())


@given(TREES.filter(lambda tree: not isinstance(tree, int)), st.sampled_from(["", " ", "\n"]))
def test_every_tree_is_read_as_it_is_written(tree, space):
    text = str(tree).replace(",)", ")").replace(" ", "").replace(",", f"{space},{space}")
    if text.count("(") <= DEEPEST:
        assert parse(text) == tree
    assert parse("( \u22121 , +8 )") == (-1, 8)


@given(st.text("(),-+0123456789 x\u2212\u0663", max_size=30))
def test_any_other_text_is_a_tree_or_refused_in_one_sentence(text):
    try:
        tree = parse(text)
    except UserError as error:
        message = str(error)
    else:
        message = "" if isinstance(tree, tuple) else "a number alone"
    assert len(message.splitlines()) <= 1
    assert message != "a number alone"


def test_a_number_alone_is_no_tree():
    with pytest.raises(UserError, match="5 is one number: a tree has branches"):
        parse(" 5 ")
