"""The command line before any command runs: --version, --help, slips, and what each of them imports."""

import subprocess
import sys
from pathlib import Path

import pytest

from appliance import __version__, commands
from appliance.cli import COMMANDS, build_parser, main

# Prints the modules of commands that a command line imports.
IMPORTED = """
import contextlib, io, sys
from appliance.cli import main
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    main(sys.argv[1:])
parts = [name.rpartition(".") for name in sys.modules]
print(*sorted(name for package, _, name in parts if package == "appliance.commands"))
"""


@pytest.mark.parametrize("line", ["--version", "--version x", "--version -h", "--version stats --json"])
def test_the_version(line, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(line.split())
    assert (stopped.value.code, capsys.readouterr().out) == (0, f"tictactoe {__version__}\n")


def test_the_help_has_a_line_for_each_command(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["--help"])
    printed = capsys.readouterr().out
    assert stopped.value.code == 0
    for name, text in COMMANDS.items():
        assert f"\n    {name}" in printed
        assert text in " ".join(printed.split()), name


def test_each_module_of_a_command_is_one():
    files = {file.stem for file in Path(commands.__path__[0]).glob("[!_]*.py")}
    assert {name.replace("-", "") for name in COMMANDS} == files
    assert build_parser().parse_args(["stats"]).command == "stats"


@pytest.mark.parametrize(("line", "message"), [
    ("", "the following arguments are required: COMMAND; see tictactoe --help"),
    ("stat", "argument COMMAND: invalid choice: 'stat'"),
    ("x stats", "argument COMMAND: invalid choice: 'x'"),
    ("-x stats --json", "unrecognized arguments: -x; see tictactoe --help"),
    ("stats x", "unrecognized arguments: x; see tictactoe stats --help"),
])  # fmt: skip
def test_a_slip_is_one_sentence(line, message, capsys):
    assert main(line.split()) == 2
    printed = capsys.readouterr().err
    assert printed.startswith(f"tictactoe: {message}")
    assert printed.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "imported"),
    [
        ("", ""),
        ("--help", ""),
        ("--version", ""),
        ("stat --json", ""),
        ("stats --help", "stats"),
        ("-x reset", "reset stats"),  # `reset` takes its arguments from `stats`
    ],
)
def test_only_commands_that_are_named_are_imported(line, imported):
    command = [sys.executable, "-c", IMPORTED, *line.split()]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == imported
