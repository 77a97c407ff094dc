"""What a person may ask the lesson for: subjects, addresses, what the command prints, and every mistake."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from traced import subjects

from appliance.cli import main
from appliance.commands import lesson


@pytest.mark.parametrize(("text", "error", "values"), [
    ("((2,7),(1,8)", "tree-separator", {"token": "", "at": 13}),
    ("((2,7),,1)", "tree-number", {"token": ",", "at": 8}),
    ("()", "tree-number", {"token": ")", "at": 2}),
    ("(1 2)", "tree-separator", {"token": "2", "at": 4}),
    ("(1,2))", "tree-rest", {"token": ")", "at": 6}),
    ("(1,x)", "tree-number", {"token": "x", "at": 4}),
    ("(1,100000)", "tree-large", {"at": 4, "limit": 99_999}),
    ("(1," + "9" * 5000 + ")", "tree-large", {"at": 4, "limit": 99_999}),
    ("(" * 5000, "tree-deep", {"token": "(", "at": 13, "limit": 12}),
    ("xo?/.../...", "board-character", {"character": "?", "row": 1, "column": 3}),
    ("x../..", "board-uneven", {"lengths": "3, 2"}),
    ("x..", "board-run", {"count": 3}),
    ("", "board-empty", {}),
    ("........./", "board-side", {"rows": 1, "columns": 9, "limit": 8}),
    ("../..", "board-k", {"k": 3, "longest": 2}),
    ("xx./.../...", "board-turn", {"x": 2, "o": 0}),
    ("xxx/oo./...", "over", {"winner": "x"}),
    ("xox/xox/oxo", "over", {"winner": ""}),
    ("1590", "cells-digit", {"digit": "0", "move": 4}),
    ("155", "cells-taken", {"digit": "5", "move": 3}),
    ("142536", "cells-over", {"digit": "6", "move": 6}),
])  # fmt: skip
def test_a_mistake_is_named_with_its_place(search, text, error, values):
    mistake = {"error": error, "values": values}
    assert search("return [attempt(() => parseSubject(arguments[0]))]", text) == [mistake]


def test_what_an_address_cannot_ask_for_is_named(search):
    for hash_, error, values in (
        ("#b=159&r=ultimate", "rule", {"rule": "ultimate"}),
        ("#b=x../.../...&r=vanishing", "vanishing-cells", {}),
        ("#b=.../.../...&k=0", "board-k", {"k": 0, "longest": 3}),
        ("#b=.../.../...&k=two", "board-k", {"k": None, "longest": 3}),
        ("#b=.../.../...&m=z", "option", {"name": "m", "value": "z"}),
        ("#b=.../.../...&d=0", "option", {"name": "d", "value": "0"}),
        ("#n=(1,2)&a=best", "option", {"name": "a", "value": "best"}),
        ("#n=(1,2)&o=first:", "option", {"name": "o", "value": "first:"}),
        ("#p=0", "option", {"name": "p", "value": "0"}),
        ("#q=1234567890", "option", {"name": "q", "value": "1234567890"}),
        ("#n=%zz", "option", {"name": "n", "value": "%zz"}),
        ("#n=(1,", "tree-number", {"token": "", "at": 4}),
    ):
        assert search("return [readAddress(arguments[0])]", hash_) == [{"error": error, "values": values}]
    nothing = {"algorithm": "alpha-beta", "order": "written", "depth": None, "table": False}
    for empty in ("", "#", "#s=cut"):
        found = search("return readAddress(arguments[0])", empty)
        assert (found["subject"], found["options"], found["section"]) == (None, nothing, empty[3:])


def test_only_vanishing_needs_the_past(search):
    asked = "return ['classic', 'vanishing'].map((rule) => parseSubject('159', { rule }).past)"
    assert search(asked) == [None, [0, 4, 8]]


def test_too_large_a_lesson_says_what_fits(search):
    large = "const [subject, depth] = arguments; return [attempt(() => outlineOf(subject, depth))]"
    empty = search("return parseSubject('.........')")
    values = {"depth": 9, "limit": 1000, "fits": 3, "size": 586}
    assert search(large, empty, 9) == [{"error": "size", "values": values}]
    wide = {"kind": "tree", "tree": [[1] * 500, [1] * 500]}
    assert search(large, wide, 2)[0]["error"] == "tree-size"
    assert search("return [defaultDepth(arguments[0]), deepest(arguments[0])]", empty) == [2, 3]
    assert search("return outlineOf(parseSubject('../..', {k: 1}), 4).depth") == 1  # the first mark wins


OPTIONS = st.fixed_dictionaries(
    {
        "algorithm": st.sampled_from(lesson.ALGORITHMS),
        "order": st.sampled_from(["written", "reversed", "best", "worst", "first:2", "shuffled:28"]),
        "depth": st.integers(1, 3),
        "table": st.booleans(),
    }
)
SHOWN = st.integers(0, 10**6).map(lambda seed: next(subjects(seed, 1, 130))[0])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    SHOWN,
    OPTIONS,
    st.sampled_from(["", "cut", "free"]),
    st.sampled_from(["", "de"]),
    st.just(0) | st.integers(2, 10**9 - 1),
    st.tuples(st.just(0), st.just(False)) | st.tuples(st.integers(1, 10**9 - 1), st.booleans()),
)
def test_an_address_names_all_that_is_shown(search, subject, options, section, lang, minimax, tree):
    shown = {"subject": subject, "options": options, "section": section, "lang": lang}
    shown |= {"minimax": minimax, "practice": tree[0], "windows": tree[1]}
    address, found = search("const at = writeAddress(arguments[0]); return [at, readAddress(at)]", shown)
    if subject["kind"] == "tree":
        options["depth"] = found["options"]["depth"]  # a tree is shown whole
    assert found == shown
    assert address.startswith("#")
    assert not set(address) & set(" \"<>'")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.recursive(
        st.integers(-99_999, 99_999), lambda node: st.lists(node, min_size=1, max_size=4), max_leaves=12
    )
)
def test_a_tree_is_read_as_it_is_written(search, tree):
    text = json.dumps(tree).replace("[", "(").replace("]", " )").replace("-", "\u2212")
    (found,) = search("return [attempt(() => ({ tree: parseTree(arguments[0]) }))]", text)
    assert found == {"tree": tree} if isinstance(tree, list) else found["error"] == "tree-single"


def test_subjects_by_chance_can_be_searched_and_come_again(search):
    script = """
    const searched = (subject) =>
      [subject, outlineOf(subject).nodes.length, readAddress(writeAddress({ subject })).subject];
    return Array.from({ length: 200 }, (_, seed) =>
      [randomTree(seed), randomTree(seed, [2, 3]), randomBoard(seed)].map(searched));
    """
    made = search(script)
    assert search(script) == made
    for (tree, size, again), (shaped, ten, _), (board, *_, same) in made:
        assert tree == again
        assert 7 <= size <= 40
        assert [len(shaped["tree"]), *map(len, shaped["tree"]), ten] == [2, 3, 3, 9]
        assert board == same
    assert {board["rule"] for *_, (board, *_) in made} == {"classic", "misere", "vanishing"}
    assert len({json.dumps(trees) for trees, *_ in made}) > 190


@pytest.mark.parametrize("arguments", [
    ["xo./x../ox.", "--algorithm", "fail-hard"],
    ["159", "--rule", "misere", "--depth", "2"],
    ["541827", "--rule", "vanishing", "--depth", "3"],
    ["._. ... ...", "--rule", "vanishing"],
    ["x.../", "--k", "4", "--to-move", "x"],
    [" X /   ", "--k", "3"],
    ["../..", "--k", "1", "--depth", "4"],
    ["( \u22121 , (+8, 0) )", "--algorithm", "minimax"],
])  # fmt: skip
def test_the_page_understands_the_commands_address(search, tmp_path, capsys, arguments):
    assert main(["lesson", *arguments, "--output", str(tmp_path / "lesson.html")]) == 0
    address = capsys.readouterr().out.splitlines()[1].partition("#")[2]
    found = search(
        "const asked = readAddress(arguments[0]); outlineOf(asked.subject); return [asked]", address
    )[0]
    algorithm = arguments[arguments.index("--algorithm") + 1] if "--algorithm" in arguments else "alpha-beta"
    assert (found["options"]["algorithm"], found["section"]) == (algorithm, "free")
    if found["subject"]["kind"] == "tree":
        assert found["subject"]["tree"] == [-1, [8, 0]]
    if "--depth" in arguments:
        assert found["options"]["depth"] == int(arguments[arguments.index("--depth") + 1])


def test_the_command_knows_the_pages_limits(search):
    limits = [lesson.LIMIT, lesson.DEEPEST, lesson.SIDE, list(lesson.ALGORITHMS)]
    assert search("return [LIMIT, DEEPEST, SIDE, ALGORITHMS]") == limits
