"""`tictactoe selftest`: test pins, bus, display and keys, and report what is wrong with them."""

import argparse
import os
import signal
import sys
import tempfile
from pathlib import Path

from appliance.config.schema import Config, default_paths, load
from appliance.core.errors import UserError

HELP = "test the buttons and the display (stop the service first)"

CONFIG = "/etc/tictactoe/config.yaml"  # the file that a remedy names if there is none yet


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (YAML)")
    parser.add_argument(
        "--yes",
        action="store_true",
        help="ask nothing: show the display's pictures for 1 s, do not judge them",
    )
    parser.add_argument("--no-keys", action="store_true", help="leave out the walk over the nine keys")
    parser.add_argument(
        "--simulate", action="store_true", help="demonstrate it on a simulated box with a simulated person"
    )
    parser.add_argument(
        "--fault", metavar="FAULT", help="of the simulated box: dead:5, dead:row1, stuck:3, swapped or bridge"
    )


def run(args: argparse.Namespace) -> int:
    """Run the self-test and print its report. Return 1 if a check failed or Ctrl-C ended it, otherwise 0."""
    if args.fault is not None and not args.simulate:
        raise UserError("--fault needs --simulate: a real box has the faults that it has")
    paths = default_paths() if args.config is None else [args.config]
    config = load(paths)
    where = str(paths[-1]) if paths else CONFIG
    return _simulate(args, config, where) if args.simulate else _test(args, config, where)


def _test(args: argparse.Namespace, config: Config, where: str) -> int:
    from appliance.selftest import checks, rig  # noqa: PLC0415 - gpiozero takes 90 ms to load

    asks = not args.yes and all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)  # so that the pins are released
    with tempfile.TemporaryDirectory(prefix="tictactoe-") as directory:
        # lgpio leaves a FIFO in the working directory, and cannot be loaded if that is not writable.
        os.environ.setdefault("LG_WD", directory)
        return checks.run(rig.Rig(config, where, asks=asks), keys=not args.no_keys)


def _end(number: int, _frame: object) -> None:
    sys.exit(128 + number)


def _simulate(args: argparse.Namespace, config: Config, where: str) -> int:
    # gpiozero and luma take long to load.
    from appliance.selftest import checks, rig  # noqa: PLC0415 - see above
    from appliance.simulator.faults import EXPECTED, FAULTS  # noqa: PLC0415 - see above
    from appliance.simulator.virtual import Desk  # noqa: PLC0415 - see above

    desk = Desk(config, lambda: simulated.time)
    if args.fault is not None:
        if args.fault not in FAULTS:
            raise UserError(f"--fault: expected {EXPECTED}, found {args.fault!r}")
        FAULTS[args.fault].apply(desk.network)
    simulated = rig.SimulatedRig(desk.config, where, desk, asks=not args.yes)
    simulated.say(f"Simulated: nine buttons, a person, and a display with {desk.display_name}.\n")
    return checks.run(simulated, keys=not args.no_keys)
