"""`tictactoe config`: its output and exit status; what it writes can be read back."""

import pytest

from appliance import cli
from appliance.commands import config as command
from appliance.commands.config import example_lines, shown_lines
from appliance.config.reading import config_from_node
from appliance.config.schema import SECTIONS, Config
from appliance.config.yamlfile import parse_yaml

KEYS = [key for _, keys in SECTIONS.values() for key in keys.values()]


@pytest.fixture
def searched(monkeypatch):
    """The list of files that the box would read, for a test to fill."""
    paths = []
    monkeypatch.setattr(command, "default_paths", lambda: paths)
    return paths


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def run(capsys, *arguments):
    """Return exit status, standard output and standard error."""
    status = cli.main(["config", *map(str, arguments)])
    return status, *capsys.readouterr()


def reads(text):
    return config_from_node(parse_yaml(text, "box.yaml"))


def test_check_takes_each_named_file_alone_and_continues_after_a_bad_one(capsys, write, searched):
    searched.append(write("etc.yaml", "[]"))
    bad = write("bad", "game:\n  level: hrad\n")
    texts = {"chip": "display: {driver: sh1106}\n", "rows": "display: {height: 32}\n", "empty": ""}
    good = [write(name, text) for name, text in texts.items()]
    error = f"tictactoe: {bad}:2: game.level: expected one of adaptive, easy, medium, hard, perfect, "
    error += 'found "hrad" (did you mean "hard"?)\n'
    assert run(capsys, "check", bad, *good) == (2, "".join(f"{file}: ok\n" for file in good), error)


@pytest.mark.parametrize(
    "command", ["config check FILE", "config show --config FILE", "simulate --config FILE"]
)
def test_every_mistake_is_reported_in_a_line_of_its_own(capsys, write, command):
    file = write(
        "box.yaml", "game:\n  level: hrad\nexhibit: ja\ndisplay:\n  driver:sh1106\nrest: {off: 30}\nlog: x\n"
    )
    assert cli.main(command.replace("FILE", str(file)).split()) == 2
    out, err = capsys.readouterr()
    starts = ["2: game.level: ", "3: exhibit: ", "5: not valid YAML: ", "7: log: ", "6: rest.off: "]
    assert out == ""
    for line, start in zip(err.splitlines(), starts, strict=True):
        assert line.startswith(f"tictactoe: {file}:{start}")


@pytest.mark.parametrize(("driver", "expected"), [
    ("luma.oled.device:ssd1309", None),
    ("no.such:Display", "cannot be imported (No module named 'no'); install its package or name "),
    ("luma.oled.device:ssd1308", "cannot be imported (module 'luma.oled.device' has no attribute "),
])  # fmt: skip
def test_check_of_a_display_class(capsys, write, driver, expected):
    file = write("box.yaml", f"\ndisplay:\n  driver: '{driver}'\n")
    status, out, err = run(capsys, "check", file)
    if expected is None:
        assert (status, out, err) == (0, f"{file}: ok\n", "")
    else:
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"tictactoe: {file}:3: display.driver: {driver} {expected}")


def test_check_without_a_file_takes_those_that_the_box_reads_together(capsys, write, searched):
    assert run(capsys, "check") == (0, "there is no configuration file: every key has its default\n", "")
    chip, rows = write("chip.yaml", "display: {driver: sh1106}\n"), write("rows.yaml", "language: de\n")
    searched += [chip, rows]
    assert run(capsys, "check") == (0, f"{chip}: ok\n{rows}: ok\n", "")
    rows.write_text("display: {height: 32}\n")
    status, out, err = run(capsys, "check")
    assert (status, out) == (2, "")
    assert err == (
        f"tictactoe: {rows}:1: display.height: sh1106 has 64 rows, not 32 (128x32 is ssd1306, ssd1315)\n"
    )


def test_show_says_where_each_value_is_from(capsys, write, searched):
    searched.append(write("first.yaml", "game:\n  level: hard\n  pause: 2\n"))
    searched.append(write("second.yaml", "game: {pause: 1}"))
    status, out, err = run(capsys, "show")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[:2] == ["game:", f"  level: hard                  # {searched[0]}:2"]
    assert f"  pause: 1                     # {searched[1]}:1" in lines
    assert "  address: 0x3c                # default" in lines
    assert lines[-2:] == [f"{line:30} # default" for line in ("state: none", "log: info")]


def test_show_of_one_file_leaves_out_the_others(capsys, write, searched):
    searched.append(write("etc.yaml", "language: de\n"))
    named = write("named.yaml", "log: debug\n")
    out = run(capsys, "show", "--config", named)[1]
    assert "language: en                   # default\n" in out
    assert f"log: debug                     # {named}:1\n" in out
    named.write_text("[]")
    status, shown, error = run(capsys, "show", "--config", named)
    assert (status, shown, error.startswith(f"tictactoe: {named}:1: expected one of game, ")) == (2, "", True)


@pytest.mark.parametrize("text", [
    "game: {pause: 1e-5}", "game: {pause: 0.123456789}", "rest: {off: 0, menu: 0}",
    "display: {driver: 'luma.emulator.device:gifanim'}", "state: ~", 'state: "/a b: \\\\ # \\" é"',
])  # fmt: skip
def test_what_is_shown_reads_as_the_same_configuration(text):
    config = reads(text)
    shown = reads("\n".join(shown_lines(config)))
    assert config._replace(origins={}) != Config()
    assert shown._replace(origins=config.origins) == config


def test_the_example_changes_nothing(capsys):
    status, out, err = run(capsys, "example")
    assert (status, err) == (0, "")
    assert reads(out) == Config()
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize("key", KEYS)
def test_each_line_of_the_example_can_be_uncommented_alone(key):
    lines = list(example_lines())
    start = lines.index(f"{key.section}:") if key.section else lines.index("# Everything else.")
    commented = [number for number, line in enumerate(lines) if line.lstrip().startswith(f"#{key.name}: ")]
    index = next(number for number in commented if number > start)
    lines[index] = lines[index].replace("#", "", 1)
    config = reads("\n".join(lines))
    assert config.origins == {key.path: f"box.yaml:{index + 1}"}
    assert config._replace(origins={}) == Config()


@pytest.mark.parametrize(
    ("arguments", "command"), [([], "config"), (["frobnicate"], "config"), (["show", "extra"], "config show")]
)
def test_wrong_arguments_are_reported_in_one_line(capsys, arguments, command):
    status, out, err = run(capsys, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.endswith(f"; see tictactoe {command} --help\n")


@pytest.mark.parametrize("arguments", [
    "NAME", "simulate NAME", "simulate --seed NAME", "simulate --scenario NAME", "config check NAME",
    "review --state NAME", "stats --state NAME", "reset --yes --state NAME", "image update --boot NAME",
    "transcript --from history --state NAME", "boot check NAME", "selftest --simulate --fault NAME",
    "lesson NAME", "analyse xo....... --rule NAME",
])  # fmt: skip
def test_what_a_message_quotes_cannot_drive_the_terminal(capsys, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    cli.main([argument.replace("NAME", "a\x1b[31mb\r") for argument in arguments.split()])
    printed = "".join(capsys.readouterr())
    assert "a\\x1b[31mb\\r" in printed
    assert printed.replace("\n", "").isprintable()
