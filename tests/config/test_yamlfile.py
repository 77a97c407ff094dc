"""Reading YAML: every mistake is one sentence that says where it is, with either of PyYAML's parsers."""

import os
import socket
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from appliance.config.yamlfile import MAX_BYTES, MAX_DEPTH, YamlNode, parse_yaml, read_yaml
from appliance.core.errors import UserError, printable


@pytest.fixture(params=["C", "Python"])
def parser(request, monkeypatch):
    """Run a test with libyaml, and with the parser in Python, as on a machine without libyaml."""
    if request.param == "Python":
        monkeypatch.delattr(yaml, "CSafeLoader")
    return request.param


def sentence(text, use=lambda node: node):
    """Return the error from reading a text and calling `use` with its tree."""
    with pytest.raises(UserError) as caught:
        use(parse_yaml(text, "box.yaml"))
    return str(caught.value)


def plain(node):
    """Return a tree as plain dicts, lists and strings."""
    if isinstance(node.value, Mapping):
        return {key: plain(child) for key, child in node.value.items()}
    if isinstance(node.value, tuple):
        return [plain(child) for child in node.value]
    return node.value


def test_a_tree_knows_its_lines_and_key_paths(parser):
    top = parse_yaml(
        "game:\n  level: 'hard'\n\nsteps:\n- tap: 5\n- hold:\n    key: 5\n    for: 1.2\n", "box.yaml"
    )
    assert plain(top) == {
        "game": {"level": "hard"},
        "steps": [{"tap": "5"}, {"hold": {"key": "5", "for": "1.2"}}],
    }
    seconds = top.value["steps"].value[1].value["hold"].value["for"]
    assert (seconds.line, seconds.path, seconds.place) == (8, "steps[2].hold.for", "box.yaml:8")
    assert top.value["game"].value["level"] == YamlNode("box.yaml", 2, "game.level", "hard", quoted=True)
    assert top.value["steps"].value[1].line == 6


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "--- # nothing\n...\n", "\r\n\r\n"])
def test_an_empty_file_is_an_empty_mapping(parser, text):
    node = parse_yaml(text, "box.yaml")
    assert node.empty
    assert node.mapping(["game"]) == {}


def test_a_scalar_stays_as_written(parser):
    top = parse_yaml('{power: on, no: off, y: 010, nothing: , text: ""}', "box.yaml")
    assert plain(top) == {"power": "on", "no": "off", "y": "010", "nothing": "", "text": ""}
    assert (top.value["nothing"].empty, top.value["nothing"].plain) == (True, "")
    assert (top.value["text"].empty, top.value["text"].plain) == (False, None)


TAB = "indent with spaces, not with a tab"
ALIAS = "anchors (&name) and aliases (*name) are not supported; write the value out"


@pytest.mark.parametrize(("text", "expected"), [
    ("a: 1\nb: 2\na: 3\n", "3: a: duplicate key: line 1 has it too (keep one of them)"),
    ("g:\n  a: 1\n  'a': 1\n", "3: g.a: duplicate key: line 2 has it too (keep one of them)"),
    ("a: 1\n---\nb: 2\n", "3: expected one document, found a second after ---"),
    ("a: &x [1]\nb: [*x, *x]\n", f"1: a: {ALIAS}"),
    ("a: 1\n&k b: 2\n", f"2: {ALIAS}"),
    ("a: 1\nb: !!python/name:x x\n",
     "2: b: tags (tag:yaml.org,2002:python/name:x) are not supported; write the value alone"),
    ("a: ! 1", "1: a: tags (!) are not supported; write the value alone"),
    ("a: 1\n? [b]\n: 2\n", "2: expected a key, found [b]"),
    ("a: 1\n? {b: 1}\n: 2\n", "2: expected a key, found {b: 1}"),
    ("a: 1\n\tb: 2\n", f'2: not valid YAML: "b: 2" ({TAB})'),
    ("a:\n  - 1\n \t - 2\n", f'3: not valid YAML: "- 2" ({TAB})'),
    ("a: 1\nb: \x07\n", "2: expected text, found the character U+0007"),
    ("a: 1\nb: \ufeff\n", "2: expected text, found the character U+FEFF"),
    ("[" * 18, f"1: {'[1]' * 17}: nested more than {MAX_DEPTH} levels deep"),
    ("- " * 18, f"1: {'[1]' * 17}: nested more than {MAX_DEPTH} levels deep"),
    ("a:\n- [" + "1," * 6_000, "2: a[1][4997]: more than 5000 keys and values; is it the right file?"),
])  # fmt: skip
def test_rejected_while_reading(parser, text, expected):
    assert sentence(text) == f"box.yaml:{expected}"


@pytest.mark.parametrize("text", ["[" * 30_000, "- " * 15_000, "? " * 15_000])
def test_no_depth_is_too_deep_for_a_sentence(parser, text):
    """PyYAML may have a limit of its own, and words of its own for it."""
    assert sentence(text).startswith("box.yaml:1: ")


INVALID = {  # text: line
    "a: 1\nb: c: d\n": 2,
    "a: 1\nb: @x\n": 2,
    "a: 1\n  b: 2\n": 2,
    "a: 1\nb\nc: 2\n": 3,
    "a: [1, 2\n": 1,
    'a: 1\nb: "never closed': 2,
    "%YAML 3.0\n---\n": 1,
    "a: 1\n}\n": 2,
}


@pytest.mark.parametrize(("text", "line"), INVALID.items())
def test_invalid_yaml_is_reported_with_its_line(parser, text, line):
    message = sentence(text)
    assert message.startswith(f"box.yaml:{line}: ")
    assert "\n" not in message
    assert "not valid YAML: " in message


def test_an_escape_that_names_no_character(parser):
    message = sentence('a: 1\nb: "\\UFFFFFFFF"\n')
    assert message.startswith(
        "box.yaml:2: not valid YAML: " if parser == "C" else "box.yaml: not valid YAML: an escape"
    )


GAME, THREE = (lambda node: node.mapping(["game", "rest"], required=["game"])), lambda node: node.items(3)
GAME_OR_REST = "one of game, rest with a colon and a value"
STEP = lambda node: node.entry(["tap", "hold"])  # noqa: E731


@pytest.mark.parametrize(("use", "text", "expected"), [
    (GAME, "rest: 1\nzzz: {}", "2: zzz: unknown key, expected one of game, rest"),
    (GAME, "rest:{dim: 1}",
     '1: rest:{dim: unknown key, expected one of game, rest (did you mean "rest"?)'),
    (GAME, '"a\\nb": 1', "1: a\\nb: unknown key, expected one of game, rest"),
    (GAME, "? ''\n: 1", "2: unknown key, expected one of game, rest"),
    (GAME, "game:on",
     f'1: expected {GAME_OR_REST}, found "game:on"'),
    (GAME, "12", f"1: expected {GAME_OR_REST}, found 12"),
    (GAME, "''", f'1: expected {GAME_OR_REST}, found "" in quotes'),
    (GAME, "rest: 1", '1: the key "game" is missing'),
    (THREE, "{a: 1}", "1: expected a list of 3, found {a: 1}"),
    (THREE, "", "1: expected a list of 3, found nothing"),
    (THREE, "[1, 2]", "1: expected a list of 3, found [1, 2]"),
    (YamlNode.items, "a", '1: expected a list, found "a"'),
    (STEP, "{tap: 1, hold: 2}", "1: expected exactly one entry, found 2"),
    (STEP, "", "1: expected exactly one entry, found 0"),
    (STEP, "x" * 50_000, f'1: expected one of tap, hold with a colon and a value, found "{"x" * 37}..."'),
    (STEP, "tpa: 5", '1: tpa: unknown key, expected one of tap, hold (did you mean "tap"?)'),
])  # fmt: skip
def test_a_node_of_the_wrong_kind_is_rejected(use, text, expected):
    assert sentence(text, use) == f"box.yaml:{expected}"


def test_printable_escapes_line_breaks_and_control_characters():
    assert printable("a\nb\x1b[31m\u2028\udcff é") == "a\\nb\\x1b[31m\\u2028\\udcff é"


@pytest.mark.parametrize(("data", "expected"), [
    (b"a: 1\nb: \xe9t\xe9\n", ":2: expected UTF-8 text, found the byte 0xe9 (save the file as UTF-8)"),
    (b"\xff\xfea", ":1: expected UTF-8 text, found the byte 0x61 (save the file as UTF-8)"),
    (b"#" * (MAX_BYTES + 1), ": expected at most 64 KiB, found more; is it the right file?"),
    (bytes(20), ":1: expected text, found the character U+0000"),
])  # fmt: skip
def test_files_that_are_not_text(tmp_path, data, expected):
    path = tmp_path / "box.yaml"
    path.write_bytes(data)
    with pytest.raises(UserError) as caught:
        read_yaml(path)
    assert str(caught.value) == f"{path}{expected}"


def test_files_that_cannot_be_read(tmp_path):
    loop, pipe, link, address = (tmp_path / name for name in ("loop", "pipe", "link", "socket"))
    loop.symlink_to(loop)
    os.mkfifo(pipe)  # without a writer, opening it would block
    link.symlink_to(pipe)
    check = "; check its name and who may read it"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(address))
    for path, reason in [
        (tmp_path / "none.yaml", "cannot be read: No such file or directory" + check),
        (tmp_path / "two\nlines.yaml", "cannot be read: No such file or directory" + check),
        (loop, "cannot be read: Too many levels of symbolic links" + check),
        *((path, "is not a regular file") for path in (tmp_path, pipe, link, address, Path("/dev/null"))),
    ]:
        with pytest.raises(UserError) as caught:
            read_yaml(path)
        assert str(caught.value) == f"{printable(str(path))}: {reason}"
