"""The command line: argv -> exit status.

0: success. 1: a check failed. 2: a user-fixable error, reported in one line on standard error.
Only the module of the called command is imported, and this module imports next to nothing itself: on a small
machine the service shows its splash before it reads anything else.
"""

import gc
import os
import sys

from appliance import __version__
from appliance.core.errors import UserError
from appliance.service import splash

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any, NoReturn

COMMANDS = (
    "simulate",
    "desk",
    "run",
    "selftest",
    "device-test",
    "config",
    "analyse",
    "review",
    "lesson",
    "bench",
    "stats",
    "export",
    "transcript",
    "reset",
    "boot",
    "image",
)


def build_parser(names: "Sequence[str]") -> "argparse.ArgumentParser":
    """Return the parser for these commands; it raises `UserError` for arguments that it cannot read."""
    import argparse  # noqa: PLC0415 - see above
    from importlib import import_module  # noqa: PLC0415 - see above

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> "NoReturn":
            raise UserError(f"{message}; see {self.prog} --help")

        # A command leaves what it does not know to the main parser, whose --help lists no options.
        def parse_known_args(self, args: "Any" = None, namespace: "Any" = None) -> "Any":
            parsed, unknown = super().parse_known_args(args, namespace)
            if unknown:
                self.error(f"unrecognized arguments: {' '.join(unknown)}")
            return parsed, unknown

    parser = Parser(
        prog="tictactoe", description="A tic-tac-toe box: nine buttons, a small display, an engine."
    )
    parser.add_argument("--version", action="version", help="print the version and exit")  # `main` does
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in names:
        module = import_module(f"appliance.commands.{name.replace('-', '')}")
        command = commands.add_parser(name, help=module.HELP, description=module.HELP)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def main(argv: "Sequence[str] | None" = None) -> int:
    """Run one command and return its exit status."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    service = arguments == ["run"]
    if service:
        splash.show(splash.directory(os.environ))
        gc.disable()  # imports make hardly any garbage, and looking for it takes a twentieth of the start
    if arguments == ["--version"]:
        print(f"tictactoe {__version__}")
        return 0
    named = arguments[:1] if arguments and arguments[0] in COMMANDS else COMMANDS
    try:
        if service:
            from appliance.service.start import serve  # noqa: PLC0415 - the service needs no parser

            return serve()
        parsed = build_parser(named).parse_args(arguments)
        status: int = parsed.run(parsed)
    except UserError as error:
        print(f"tictactoe: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output has gone: no error of ours.
        sys.stderr.close()
        return 0
    return status
