"""`tictactoe selftest`: look at pins, bus, display and keys, and say what is wrong with them."""

import argparse
import os
import shutil
import signal
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from appliance.config import Config, default_paths, load

HELP = "test the buttons and the display (stop the service first)"

CONFIG = "/etc/tictactoe/config.yaml"  # the file that a remedy names where there is none yet


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (YAML)")
    parser.add_argument(
        "--yes", action="store_true", help="ask nothing: the display's pictures are shown for 1 s, not judged"
    )
    parser.add_argument("--no-keys", action="store_true", help="leave out the walk over the nine keys")
    parser.add_argument(
        "--seconds", type=_seconds, default=20.0, metavar="N", help="how long each key is waited for (20)"
    )
    parser.add_argument(
        "--simulate", action="store_true", help="show what it does: a simulated box, and a simulated person"
    )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.5 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text} is no number of seconds from 0.5 to 3600")
    return seconds


def run(args: argparse.Namespace) -> int:
    """Run the self-test and print its table. Return 1 when a check failed or Ctrl-C ended it, otherwise 0."""
    paths = default_paths() if args.config is None else [args.config]
    config = load(paths)
    where = str(paths[-1]) if paths else CONFIG
    return _simulate(args, config, where) if args.simulate else _test(args, config, where)


def _width() -> int:
    return shutil.get_terminal_size((100, 24)).columns


def _encoding() -> str:
    return (sys.stdout.encoding or "ascii").lower()


def _test(args: argparse.Namespace, config: Config, where: str) -> int:
    from appliance.selftest.conduct import conduct  # noqa: PLC0415 - gpiozero takes 90 ms to load
    from appliance.selftest.real import real_bench  # noqa: PLC0415 - likewise

    asks = not args.yes and all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)  # so that the pins are let go
    with tempfile.TemporaryDirectory(prefix="tictactoe-") as directory:
        # lgpio leaves a FIFO in the working directory, and cannot be loaded where that is not to be written.
        os.environ.setdefault("LG_WD", directory)
        bench = real_bench(config, where, asks=asks)
        return conduct(bench, keys=not args.no_keys, seconds=args.seconds, width=_width())


def _end(number: int, _frame: object) -> None:
    sys.exit(128 + number)


def _simulate(args: argparse.Namespace, config: Config, where: str) -> int:
    # gpiozero and luma take long to load.
    from appliance.selftest.conduct import conduct  # noqa: PLC0415 - see above
    from appliance.selftest.rehearsal import Rehearsal, rehearsal_bench  # noqa: PLC0415 - see above
    from appliance.simulator.desk import make_desk  # noqa: PLC0415 - see above
    from appliance.simulator.painter import Style, paint  # noqa: PLC0415 - see above

    style = Style.BRAILLE if "utf" in _encoding() else Style.ASCII
    desk = make_desk(config, lambda: person.time)
    person = Rehearsal(
        desk.network,
        desk.chip.picture,
        sys.stdout.write,
        paint=lambda frame: paint(frame, style),
    )
    bench = rehearsal_bench(desk.config, where, person, desk.network.factory, desk.bus)
    if args.yes:
        bench = replace(bench, ask=lambda _question: None)
    return conduct(bench, keys=not args.no_keys, seconds=args.seconds, width=_width())
