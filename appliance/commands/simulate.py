"""`tictactoe simulate`: the box on this computer, over simulated switches and a simulated display."""

import argparse
import json
import logging
import os
import sys
import time
import traceback
from pathlib import Path

from appliance.config.schema import Config, default_paths, load
from appliance.core.errors import UserError
from appliance.core.state import Session as GameSession
from appliance.simulator.layout import Style
from appliance.storage.database import state_directory

HELP = "play on this computer: the box's own code over simulated pins and a simulated display"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (YAML)")
    parser.add_argument("--state", type=Path, metavar="DIR", help="where games and scores are kept")
    parser.add_argument("--seed", type=int, help="of all chance, so that the box plays the same way again")
    style = parser.add_mutually_exclusive_group()
    style.add_argument("--braille", action="store_true", help="show the picture small: 64x16 characters")
    style.add_argument("--blocks", action="store_true", help="show the picture large: 128x32 characters")
    parser.add_argument(
        "--scenario", type=Path, metavar="FILE", help="play the steps in a YAML file on a virtual clock"
    )
    parser.add_argument("--json", action="store_true", help="with --scenario: print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Run the simulator: a scenario, a session in the terminal or, without one, a printed game."""
    if args.scenario is not None:
        from appliance.simulator.scenario import as_text, play, read  # noqa: PLC0415 - load only what is needed

        for name in ("config", "seed", "state"):
            if getattr(args, name) is not None:
                raise UserError(f"--{name} does not go with --scenario: give {name} in the scenario's file")
        report = play(read(args.scenario))
        print(json.dumps(report) if args.json else as_text(report))
        return 0 if report["ok"] else 1
    if args.json:
        raise UserError("--json goes with --scenario FILE only")
    config = load(default_paths() if args.config is None else [args.config])
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    styles = _styles(args, encoding)
    encoding = "ascii" if Style.ASCII in styles else encoding
    if _has_terminal():
        return _play(args, config, styles, encoding)
    print("No terminal here (standard input and output), so the box plays one game against itself.")
    _print_game(config, args.seed or 0, styles[-1])
    return 0


def _has_terminal() -> bool:
    """Whether a person sits at standard input and output, in a terminal that can show a picture."""
    streams = (sys.stdin, sys.stdout)  # None where the program was started without
    return os.environ.get("TERM", "dumb") != "dumb" and all(stream and stream.isatty() for stream in streams)


def _styles(args: argparse.Namespace, encoding: str) -> tuple[Style, ...]:
    """Return the styles to choose from, the largest first."""
    try:
        "⠿█╭".encode(encoding)
    except UnicodeEncodeError:
        if args.braille or args.blocks:
            raise UserError(
                f"the terminal's encoding is {encoding}, which has neither braille nor blocks: "
                "use a UTF-8 locale (LANG=C.UTF-8), or leave out --braille and --blocks"
            ) from None
        return (Style.ASCII,)
    if args.braille or args.blocks:
        return (Style.BRAILLE,) if args.braille else (Style.BLOCKS,)
    # In the C locale Python writes UTF-8 all the same, and where none is set terminals mostly read that.
    locale, term = os.environ.get("LC_ALL") or os.environ.get("LANG"), os.environ.get("TERM", "")
    if sys.flags.utf8_mode and (locale in {"C", "POSIX"} or term.startswith("vt")):
        return (Style.ASCII,)
    # The fonts of Linux's own console have no braille.
    return (Style.BLOCKS,) if term == "linux" else (Style.BLOCKS, Style.BRAILLE)


def _print_game(config: Config, seed: int, style: Style) -> None:
    """Let the box play itself on a virtual clock, and print each position."""
    from appliance.simulator.layout import paint  # noqa: PLC0415 - load only what is needed
    from appliance.simulator.virtual import VirtualBox  # noqa: PLC0415

    settings = config.settings._replace(players=0)
    box = VirtualBox(config._replace(settings=settings), seed)
    board = ""
    print(f"The display is an emulated {box.desk.display_name}.\n")
    while box.phase != "game_over":
        if box.session.board != board:
            board = box.session.board
            print(*paint(box.desk.picture(), style), "", sep="\n")
        box.wait(0.1)
    print(*paint(box.desk.picture(), style), sep="\n")


def _play(args: argparse.Namespace, config: Config, styles: tuple[Style, ...], encoding: str) -> int:
    from appliance.simulator.layout import arrange, inks  # noqa: PLC0415 - load only what is needed
    from appliance.simulator.session import Session  # noqa: PLC0415
    from appliance.simulator.terminal import Terminal, signals  # noqa: PLC0415
    from appliance.simulator.virtual import VirtualBox  # noqa: PLC0415

    sys.stdout.flush()
    terminal = Terminal(sys.stdin.fileno(), sys.stdout.fileno(), encoding)
    layout = arrange(*terminal.size, (config.display.width, config.display.height), styles)
    if isinstance(layout, str) and Style.ASCII in styles:
        remedy = "use a UTF-8 locale (LANG=C.UTF-8), or a larger window"
        raise UserError(f"{layout} in the encoding {encoding}: {remedy}")
    state = state_directory(args.state or config.state)
    level = logging.getLevelNamesMapping()[config.log.upper()]
    failed = None
    with signals() as wake:
        box = VirtualBox(config, args.seed, state, time.time)
        session = Session(box, terminal, styles, inks(os.environ), wake, log_level=level)
        try:
            session.run()
        except Exception as error:  # noqa: BLE001 - whatever it is, it can be shown now
            failed = error
        finally:
            box.power_cut()
    for line in session.log.kept:
        print(line, file=sys.stderr)
    if failed is not None:
        traceback.print_exception(failed)
        return 1
    games = score(box.session)
    print(f"Goodbye. {games[0].upper()}{games[1:]}." if games else "Goodbye.")
    return 128 + session.signal if session.signal else 0


def score(session: GameSession) -> str:
    """Return the score of a session in words, of the kinds of games that were played in it."""
    parts = []
    for tally, first, second in ((session.scores.box, "you", "the box"), (session.scores.pair, "x", "o")):
        if tally.first or tally.second or tally.drawn:
            parts.append(f"{first} {tally.first}, {second} {tally.second}, drawn {tally.drawn}")
    return "; ".join(parts)
