"""The command line: argv -> exit status.

0: success. 1: a check failed. 2: a user-fixable error, reported in one line on standard error.
Only the commands that the arguments name are imported, and this module imports next to nothing itself: on a
small machine the service shows its splash before it reads anything else.
"""

import errno
import gc
import os
import sys

from appliance import __version__
from appliance.core.errors import UserError
from appliance.service import splash

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Sequence
    from typing import Any, NoReturn

COMMANDS = {
    "simulate": "play on this computer: the box's own code, its pins and display simulated",
    "run": "run the box on its real buttons and display (what the service does)",
    "selftest": "test the buttons and the display; --full measures a board (stop the service first)",
    "config": "check the configuration, show the one in effect, print an example",
    "analyse": "show what each move of a position is worth, and what the search cost",
    "review": "show which moves of a game changed its result, and what would have kept it",
    "lesson": "write a page that steps through minimax, alpha-beta or negamax",
    "stats": "show the results of the saved games, by rule and level",
    "export": "print every finished game, as CSV or JSON lines",
    "transcript": "let two commentators report a season of games, move by move",
    "reset": "delete every game, the score, the visits and the settings changed from the menu",
    "boot": "prepare Raspberry Pi OS for this box, check the boot files, show the wiring",
    "image": "maintain the card of a box made from the card image (its units run this)",
}
"""Each command, a module of `appliance.commands`, with its line in --help."""


def build_parser(
    names: "Collection[str]" = COMMANDS, loaded: "Collection[str]" = COMMANDS
) -> "argparse.ArgumentParser":
    """Return the parser for these commands; it raises `UserError` for arguments that it cannot read.

    For a command not in `loaded` it knows only the line in --help.
    """
    import argparse  # noqa: PLC0415 - see above
    from importlib import import_module  # noqa: PLC0415 - see above

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> "NoReturn":
            raise UserError(f"{message}; see {self.prog} --help")

        def _print_message(self, message: str, file: "Any" = None) -> None:  # whose own ignores errors
            print(message, end="", file=file)

        # A command leaves what it does not know to the main parser, whose --help lists no options.
        def parse_known_args(self, args: "Any" = None, namespace: "Any" = None) -> "Any":
            parsed, unknown = super().parse_known_args(args, namespace)
            if unknown:
                self.error(f"unrecognized arguments: {' '.join(unknown)}")
            return parsed, unknown

    parser = Parser(
        prog="tictactoe", description="A tic-tac-toe box: nine buttons, a small display, an engine."
    )
    version = f"%(prog)s {__version__}"
    parser.add_argument("--version", action="version", version=version, help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in names:
        command = commands.add_parser(name, help=COMMANDS[name], description=COMMANDS[name])
        if name in loaded:
            module = import_module(f"appliance.commands.{name.replace('-', '')}")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser


def main(argv: "Sequence[str] | None" = None) -> int:
    """Run one command and return its exit status."""
    # A closed one: else the next file that is opened gets its descriptor, and with it what is printed.
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_RDONLY))
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    arguments = sys.argv[1:] if argv is None else list(argv)
    service = arguments == ["run"]
    if service:
        splash.show(splash.directory(os.environ))
        gc.disable()  # imports make hardly any garbage, and looking for it takes a twentieth of the start
    status = 0
    try:
        try:
            if service:
                from appliance.service.start import serve  # noqa: PLC0415 - the service needs no parser

                return serve()
            names = arguments[:1] if COMMANDS.keys() & arguments[:1] else COMMANDS
            parsed = build_parser(names, loaded=arguments).parse_args(arguments)
            status = parsed.run(parsed)
        except UserError as error:
            status = 2
            for one in error.each:
                print(f"tictactoe: {one}", file=sys.stderr)
        finally:
            sys.stdout.flush()  # here, since --help and --version end by SystemExit
    except KeyboardInterrupt:
        return 130  # as shells say it
    except OSError as error:
        if error.errno not in {errno.EPIPE, errno.ENOSPC, errno.EBADF} or error.filename is not None:
            raise
        # Else what is left of our output fails again at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if error.errno != errno.EPIPE:  # else its reader has gone: no error of ours
            sentence = f"standard output: not everything could be written: {error.strerror}"
            print(f"tictactoe: {sentence}", file=sys.stderr)
            return 2
    return status
