"""`tictactoe simulate`: the box on this computer, over simulated switches and a simulated display."""

import argparse
import os
import sys
import traceback
from pathlib import Path

from appliance.config import Config, default_paths, load
from appliance.errors import UserError
from appliance.simulator.painter import Style
from appliance.storage.directory import state_directory

HELP = "play on this computer: the real daemon over simulated pins and a simulated display"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (YAML)")
    parser.add_argument("--state", type=Path, metavar="DIR", help="where games and scores are kept")
    parser.add_argument("--seed", type=int, help="of all chance, so that the box plays the same way again")
    parser.add_argument(
        "--numpad", action="store_true", help="the digits lie as on a number pad: 7 is at the top left"
    )
    style = parser.add_mutually_exclusive_group()
    style.add_argument("--braille", action="store_true", help="show the picture small: 64x16 characters")
    style.add_argument("--blocks", action="store_true", help="show the picture large: 128x32 characters")
    parser.add_argument(
        "--scenario", type=Path, metavar="FILE", help="play the steps in a YAML file on a virtual clock"
    )
    parser.add_argument("--json", action="store_true", help="with --scenario: print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Run the simulator: a scenario, a sitting in the terminal or, without one, a game that is told."""
    if args.scenario is not None:
        from appliance.simulator.scenario import run_file  # noqa: PLC0415 - what is not needed is not loaded

        for name in ("config", "seed", "state"):
            if getattr(args, name) is not None:
                raise UserError(f"--{name} does not go with --scenario: give {name} in the scenario's file")
        return run_file(args.scenario, args.json)
    if args.json:
        raise UserError("--json goes with --scenario FILE only")
    config = load(default_paths() if args.config is None else [args.config])
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    styles = _styles(args, encoding)
    if not _has_terminal():
        return _recite(config, args.seed or 0, styles[-1])
    return _sit(args, config, styles, encoding)


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
    # The fonts of Linux's own console have no braille.
    return (Style.BLOCKS,) if os.environ.get("TERM") == "linux" else (Style.BLOCKS, Style.BRAILLE)


def _recite(config: Config, seed: int, style: Style) -> int:
    from appliance.simulator.recital import recite  # noqa: PLC0415 - see above

    print("No terminal here (standard input and output), so the box plays one game by itself.\n")
    recite(config, seed, style, print)
    return 0


def _sit(args: argparse.Namespace, config: Config, styles: tuple[Style, ...], encoding: str) -> int:
    from appliance.simulator.sitting import sit  # noqa: PLC0415 - see above

    sys.stdout.flush()
    state = state_directory(args.state or (Path(config.state) if config.state else None))
    ended = sit(config, styles, encoding, numpad=args.numpad, seed=args.seed, state=state)
    for line in ended.notes:
        print(line, file=sys.stderr)
    if ended.error is not None:
        traceback.print_exception(ended.error)
        return 1
    print(ended.goodbye)
    return 128 + ended.signal if ended.signal else 0
