# ruff: noqa: INP001 - a build script, in no Python package
"""Write the manual page, tictactoe(1), from the argument parser."""

import argparse
import os
import sys
from collections.abc import Iterator

from appliance import __version__
from appliance.cli import build_parser

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
    """Escape a text for roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in {".", "'"} else text


def entries(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the roff lines of a command's help, or of its subcommands'."""
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]  # noqa: SLF001
    for action in below:
        for command in action.choices.values():
            yield from entries(command)
    if not below:
        yield f".SS {escape(parser.prog)}"
        yield ".nf"
        yield from map(escape, parser.format_help().splitlines())
        yield ".fi"


def main() -> None:
    """Print the page."""
    os.environ["COLUMNS"] = "73"  # man indents the help by 7 columns of 80
    sys.stdout.write(HEAD.format(version=__version__) + "\n")
    for line in entries(build_parser()):
        sys.stdout.write(line + "\n")
    sys.stdout.write(TAIL + "\n")


if __name__ == "__main__":
    sys.exit(main())
