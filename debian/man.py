# ruff: noqa: INP001 - a script of the package's build, in no Python package
"""Write the manual page, tictactoe(1), from the argument parser."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from appliance.cli import COMMANDS, build_parser

HEAD = """\
.TH TICTACTOE 1 "" "tictactoe-appliance {version}" "User Commands"
.SH NAME
tictactoe \\- a tic\\-tac\\-toe box: nine buttons, a small display, an engine
.SH SYNOPSIS
.B tictactoe
.I COMMAND
.RI [ ARGUMENT ...]
.SH DESCRIPTION
The program of a tic\\-tac\\-toe box: nine buttons in a 3x3 matrix, a small OLED and a Raspberry Pi.
The service
.B tictactoe.service
starts it at boot. On any other computer
.B tictactoe simulate
plays the same box in a terminal.
.SH COMMANDS"""

TAIL = """\
.SH EXIT STATUS
0: success. 1: a check failed. 2: an error that the user can fix, reported in one line.
.SH FILES
The second file overrides the first, key by key.
.TP
.I /etc/tictactoe/config.yaml
The configuration: every key, commented out, with its meaning and its default.
.TP
.I /boot/firmware/tictactoe.yaml
The same, on the card's boot partition, which can be edited on any computer.
.TP
.I /var/lib/tictactoe
The game in progress, the score, the settings and the finished games.
.SH EXAMPLES
.TP
.B systemctl status tictactoe
Show what the box is doing.
.TP
.B tictactoe config check
Check the configuration.
.TP
.B journalctl -u tictactoe
Show the log of the box."""


def escape(text: str) -> str:
    """Return a text as roff takes it literally."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in {".", "'"} else text


def entries(parser: argparse.ArgumentParser, prefix: str) -> Iterator[str]:
    """Yield the lines about a command, its arguments, and the commands below it."""
    below: list[tuple[str, argparse.ArgumentParser]] = []
    usage, lines = [], []
    for action in parser._actions:  # noqa: SLF001  # argparse has no public way to ask
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            below = list(action.choices.items())
        elif not isinstance(action, argparse._HelpAction) and action.help != argparse.SUPPRESS:  # noqa: SLF001
            value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
            if action.choices and not action.metavar:
                value = "|".join(map(str, action.choices))
            name = ", ".join(action.option_strings)
            words = f"{name} {value}" if name and action.nargs != 0 else name or value
            if not name:
                usage.append(f"[{value}]" if action.nargs in {"?", "*"} else value)
            description = (action.help or "") % {"default": action.default, "prog": parser.prog}
            lines += [".TP", f".B {escape(words)}", escape(description)]
    if not below:
        yield f".SS {escape(' '.join([prefix, *usage]))}"
        yield escape(f"{(parser.description or '').rstrip('.')}.")
        yield from lines
    for name, command in below:
        yield from entries(command, f"{prefix} {name}")


def main() -> None:
    """Print the page."""
    changelog = Path(__file__).with_name("changelog").read_text()
    sys.stdout.write(HEAD.format(version=changelog.partition("(")[2].partition(")")[0]) + "\n")
    for line in entries(build_parser(COMMANDS), "tictactoe"):
        sys.stdout.write(line + "\n")
    sys.stdout.write(TAIL + "\n")


if __name__ == "__main__":
    sys.exit(main())
