"""`tictactoe simulate`: the box on this computer, with simulated switches and a simulated display."""

import argparse
import json
import logging
import os
import sys
import traceback
from pathlib import Path

from appliance.config.reading import default_paths, load_config
from appliance.config.schema import Config
from appliance.core.english import capital
from appliance.core.errors import UserError, printable
from appliance.core.session.state import Session
from appliance.devices.clock import wall
from appliance.simulator.layout import Style
from appliance.storage.database import state_directory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (YAML)")
    parser.add_argument("--state", type=Path, metavar="DIR", help="the directory for games and scores")
    parser.add_argument("--seed", type=int, help="seed the random numbers: the box plays the same way again")
    style = parser.add_mutually_exclusive_group()
    style.add_argument("--braille", action="store_true", help="draw a small picture: 64x16 characters")
    style.add_argument("--blocks", action="store_true", help="draw a large picture: 128x32 characters")
    words = "draw nothing, for a screen reader: a line for each change; Enter alone names the nine buttons"
    style.add_argument("--words", action="store_true", help=words)
    parser.add_argument(
        "--scenario", type=Path, metavar="FILE", help="play the steps in a YAML file on a virtual clock"
    )
    parser.add_argument("--json", action="store_true", help="with --scenario: print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Play a scenario or in the terminal; without a terminal, print a game."""
    if args.scenario is not None:
        from appliance.simulator.scenario import play_scenario, read_scenario, report_text  # noqa: PLC0415 - load only what is needed

        for name in ("config", "seed", "state"):
            if getattr(args, name) is not None:
                remedy = f"give {name} in the scenario's file" if name != "state" else "it saves no games"
                raise UserError(f"--{name} does not go with --scenario: {remedy}")
        report = play_scenario(read_scenario(args.scenario))
        print(json.dumps(report) if args.json else report_text(report))
        return 0 if report["ok"] else 1
    if args.json:
        raise UserError("--json needs --scenario FILE")
    config = load_config(default_paths() if args.config is None else [args.config])
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if args.words or (terminal and os.environ.get("TERM", "dumb") == "dumb"):
        return _play(args, config, ())
    styles = _styles(args)
    if terminal:
        return _play(args, config, styles)
    if args.state is not None:
        raise UserError("--state needs a terminal: without one a game is only printed, and nothing is saved")
    print("No terminal here (standard input and output), so the box plays one game against itself.")
    _print_game(config, args.seed or 0, styles[-1])
    return 0


def _styles(args: argparse.Namespace) -> tuple[Style, ...]:
    """Return the styles that the terminal can use, the largest first."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        "⠿█╭".encode(encoding)
    except UnicodeEncodeError:
        what = f"the terminal's encoding, {encoding}, has neither braille nor blocks"
        raise UserError(f"{what}: use a UTF-8 locale (LANG=C.UTF-8)") from None
    if args.braille or args.blocks:
        return (Style.BRAILLE,) if args.braille else (Style.BLOCKS,)
    # The Linux console's fonts have no braille.
    return (Style.BLOCKS,) if os.environ.get("TERM") == "linux" else (Style.BLOCKS, Style.BRAILLE)


def _print_game(config: Config, seed: int, style: Style) -> None:
    """Let the box play itself on a virtual clock, and print each position."""
    from appliance.simulator.layout import paint  # noqa: PLC0415 - load only what is needed
    from appliance.simulator.virtual import VirtualBox  # noqa: PLC0415

    settings = config.settings._replace(players=0)
    box = VirtualBox(config._replace(settings=settings), seed)
    board = ""
    print(f"The display is an emulated {box.hardware.display_name}.\n")
    while box.phase != "game_over":
        if box.session.board != board:
            board = box.session.board
            print(*paint(box.hardware.picture(), style), "", sep="\n")
        box.wait(0.1)
    print(*paint(box.hardware.picture(), style), sep="\n")


def _play(args: argparse.Namespace, config: Config, styles: tuple[Style, ...]) -> int:
    """Play in the terminal, in one of these styles or, without any, in words."""
    from appliance.simulator.console import Console  # noqa: PLC0415 - load only what is needed
    from appliance.simulator.layout import inks  # noqa: PLC0415
    from appliance.simulator.lines import LineConsole  # noqa: PLC0415
    from appliance.simulator.terminal import Terminal, signals  # noqa: PLC0415
    from appliance.simulator.virtual import VirtualBox  # noqa: PLC0415

    sys.stdout.flush()
    terminal = Terminal(sys.stdin.fileno(), sys.stdout.fileno())
    state = state_directory(args.state or config.state)
    level = logging.getLevelNamesMapping()[config.log.upper()]
    failed = None
    with signals() as wake:
        box = VirtualBox(config, args.seed, state, wall, ask=True)
        kind = Console if styles else LineConsole
        console = kind(box, terminal, styles, inks(os.environ), wake, log_level=level)
        try:
            console.run()
        except OSError:
            raise  # as a rule our output cannot be written
        except Exception as error:  # noqa: BLE001 - it is printed once the terminal is restored
            failed = error
        finally:
            box.power_cut()
    for line in console.log.kept:
        print(printable(line), file=sys.stderr)
    if failed is not None:
        traceback.print_exception(failed)
        return 1
    print(goodbye(box.session))
    return 128 + console.signal if console.signal else 0


def goodbye(session: Session) -> str:
    """Return the last line, with the session's score for the kinds of games played."""
    parts = []
    box, pair = session.scores[:2]
    for tally, first, second in ((box, "you", "the box"), (pair, "first person", "second person")):
        if any(tally):
            parts.append(f"{first} {tally.first}, {second} {tally.second}, drawn {tally.drawn}")
    return f"Goodbye. {capital('; '.join(parts))}." if parts else "Goodbye."
