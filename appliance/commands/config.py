"""`tictactoe config`: check a configuration, show the one in effect, print a commented example."""

import argparse
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from appliance.config.reading import default_paths, load_config, misfit, read_config
from appliance.config.schema import CHIPS, SECTIONS, Config
from appliance.core.english import capital
from appliance.core.errors import UserError, printable
from appliance.core.session.match import unplayable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `check`, `show` and `example`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    summary = "read the files and report every mistake"
    check = actions.add_parser("check", help=summary, description=summary)
    check.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="each is checked alone (default: the files that the box reads, together)",
    )
    summary = "print the values in effect and where each comes from, as a configuration file"
    show = actions.add_parser("show", help=summary, description=summary)
    show.add_argument("--config", type=Path, metavar="FILE", help="read this file instead of the box's")
    summary = "print a configuration file with every key, its default and its meaning"
    actions.add_parser("example", help=summary, description=summary)


def run(args: argparse.Namespace) -> int:
    """Run the action. Raise `UserError` for an invalid configuration."""
    if args.action == "check":
        return _check(args.files)
    if args.action == "show":
        print("\n".join(shown_lines(load_config([args.config] if args.config else default_paths()))))
    else:
        print("\n".join(example_lines()))
    return 0


def _check(files: list[Path]) -> int:
    groups = [[path] for path in files] or [default_paths()]
    if groups == [[]]:
        print("there is no configuration file: every key has its default")
        return 0
    status = 0
    for paths in groups:
        config, mistakes, _ = read_config(paths)
        if fault := unplayable(config.settings.rule):
            mistakes += (misfit(config, ("game.rule",), fault),)
        mistakes += _driver_mistakes(config)
        for one in mistakes:
            print(f"tictactoe: {one}", file=sys.stderr)
            status = 2
        if not mistakes:
            print("\n".join(f"{printable(str(path))}: ok" for path in paths))
    return status


def _driver_mistakes(config: Config) -> tuple[UserError, ...]:
    """Return the error for a display class that this computer cannot import."""
    if config.display.driver in CHIPS:
        return ()
    from appliance.devices.anyluma import find_class  # noqa: PLC0415 - Pillow is slow to import

    try:
        find_class(config.display.driver)
    except UserError as error:
        return (misfit(config, ("display.driver",), str(error)),)
    return ()


def shown_lines(config: Config) -> Iterator[str]:
    """Yield `config` as a configuration file, each value with the place that set it."""
    for section, (_, keys) in SECTIONS.items():
        indent = "  " if section else ""
        if section:
            yield f"{section}:"
        for key in keys.values():
            text = f"{indent}{key.name}: {key.kind.write(key.value(config))}"
            yield f"{text:<30} # {config.origins.get(key.path, 'default')}"


def example_lines() -> Iterator[str]:
    """Yield a configuration file that changes nothing: every default, commented out, with its meaning."""
    yield "# The configuration of the tic-tac-toe box. Every key is optional and has the default shown here."
    yield "# To change one, remove its # and edit the value; `tictactoe config check FILE` finds mistakes."
    for section, (meaning, keys) in SECTIONS.items():
        indent = "  " if section else ""
        yield ""
        yield f"# {meaning}."
        if section:
            yield f"{section}:"
        for key in keys.values():
            text = " ".join(f"{capital(part)}." for part in (key.meaning, key.kind.expected))
            yield from textwrap.wrap(text, 100, initial_indent=f"{indent}# ", subsequent_indent=f"{indent}# ")
            yield f"{indent}#{key.name}: {key.kind.write(key.value(Config()))}"
