"""`tictactoe selftest`: test pins, bus, display and keys, and report their faults."""

import argparse
import os
import signal
import sys
import tempfile
from pathlib import Path

from appliance.config.reading import default_paths, load
from appliance.config.schema import Config
from appliance.core.errors import UserError

CONFIG = "/etc/tictactoe/config.yaml"  # the file that remedies name if none exists


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (YAML)")
    parser.add_argument(
        "--simulate", action="store_true", help="demonstrate the test on a simulated box and person"
    )
    parser.add_argument(
        "--fault",
        metavar="FAULT",
        help="give the simulated box a fault: dead:5, dead:row1, stuck:3, swapped or bridge",
    )


def run(args: argparse.Namespace) -> int:
    """Run the self-test and print its report. Return 1 if a check failed or Ctrl-C ended it, otherwise 0."""
    if args.fault is not None and not args.simulate:
        raise UserError("--fault needs --simulate: a real box has its own faults")
    paths = default_paths() if args.config is None else [args.config]
    config = load(paths)
    where = str(paths[-1]) if paths else CONFIG
    return _simulate(args, config, where) if args.simulate else _test(config, where)


def _test(config: Config, where: str) -> int:
    from appliance.selftest import checks, rig  # noqa: PLC0415 - gpiozero takes 90 ms to import

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)  # releases the pins
    with tempfile.TemporaryDirectory(prefix="tictactoe-") as directory:
        # lgpio creates a FIFO in the working directory, and fails to load if that is not writable.
        os.environ.setdefault("LG_WD", directory)
        return checks.run(rig.Rig(config, where))


def _end(number: int, _frame: object) -> None:
    sys.exit(128 + number)


def _simulate(args: argparse.Namespace, config: Config, where: str) -> int:
    # gpiozero and luma are slow to import.
    from appliance.selftest import checks, rig  # noqa: PLC0415 - see above
    from appliance.simulator.faults import EXPECTED, FAULTS  # noqa: PLC0415 - see above
    from appliance.simulator.virtual import Hardware  # noqa: PLC0415 - see above

    hardware = Hardware(config, lambda: simulated.time)
    if args.fault is not None:
        if args.fault not in FAULTS:
            raise UserError(f"--fault: expected {EXPECTED}, found {args.fault!r}")
        FAULTS[args.fault].apply(hardware.network)
    simulated = rig.SimulatedRig(hardware.config, where, hardware)
    simulated.say(f"Simulated: nine buttons, a person, and a display with an {hardware.display_name}.\n")
    return checks.run(simulated)
