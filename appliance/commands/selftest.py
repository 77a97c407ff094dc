"""`tictactoe selftest`: test pins, display and keys; in full, measure a board, and write its report."""

import argparse
import logging
import os
import signal
import sys
import tempfile
from pathlib import Path

from appliance.boardtest.plan import CHECKS, FAILED, chosen, planned
from appliance.boardtest.report import DamagedError, differences, read_report, seen_on
from appliance.config.reading import default_paths, load_config
from appliance.core.english import listed
from appliance.core.errors import UserError, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from appliance.boardtest.plan import BoardCheck
    from appliance.boardtest.report import ReportRow
    from appliance.config.schema import Config

CONFIG_FILE = "/etc/tictactoe/config.yaml"  # the file that remedies name if none exists


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    several: dict[str, Any] = {"nargs": "+", "action": "extend", "default": []}
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (YAML)")
    parser.add_argument(
        "--full", action="store_true", help="also measure the board, in eight minutes, and write a report"
    )
    parser.add_argument(
        "--only", type=int, metavar="N", help=f"only these checks (1 to {len(CHECKS)})", **several
    )
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="where to write it; default: device-report-*.txt here"
    )
    parser.add_argument("--read", type=Path, metavar="FILE", help="say what is wrong in reports", **several)
    parser.add_argument(
        "--simulate",
        action="store_true",
        help="demonstrate it, without a report, on a simulated box and person",
    )
    parser.add_argument(
        "--fault",
        metavar="FAULT",
        help="give the simulated box faults: dead:5, dead:row1, stuck:3, swapped or bridge",
        **several,
    )


def run(args: argparse.Namespace) -> int:
    """Run the test, or read reports. Return 1 if a check failed or Ctrl-C ended it, 2 if one is no report."""
    if args.read:
        others = ("full", "only", "report", "simulate", "fault")
        if given := [f"--{name}" for name in others if getattr(args, name)]:
            raise UserError(f"--read runs no test: leave out {listed(given)}")
        return _read(args.read)
    for number in args.only:
        if not 1 <= number <= len(CHECKS):
            raise UserError(f"--only: expected numbers from 1 to {len(CHECKS)}, found {number}")
    if args.fault and not args.simulate:
        raise UserError("--fault needs --simulate: a real box has its own faults")
    if args.report and args.simulate:
        raise UserError("--report needs a real board: a simulated one has no report")
    paths = default_paths() if args.config is None else [args.config]
    config = load_config(paths)
    where = str(paths[-1]) if paths else CONFIG_FILE
    logging.getLogger("tictactoe").addHandler(logging.NullHandler())  # a silent display is a check's business
    measured = args.full or bool(args.report)
    checks = chosen(args.only) or planned(full=measured, buzzer=config.buzzer is not None)
    rows = (_simulate if args.simulate else _test)(args, config, where, checks)
    return int(any(row.verdict == FAILED or ("reason", "interrupted") in row.figures for row in rows))


def _test(
    args: argparse.Namespace, config: "Config", where: str, checks: "Sequence[BoardCheck]"
) -> "tuple[ReportRow, ...]":
    from appliance.boardtest import rig, runner  # noqa: PLC0415 - gpiozero takes 90 ms to import

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)  # keeps what was found, and releases the pins
    board = rig.Rig(config, where)
    with tempfile.TemporaryDirectory(prefix="tictactoe-") as directory:
        # lgpio creates a FIFO in the working directory, and fails to load if that is not writable.
        os.environ.setdefault("LG_WD", directory)
        if args.full or args.only or args.report:
            return runner.report(board, checks, args.report)
        return runner.run(board, checks)


def _interrupt(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _simulate(
    args: argparse.Namespace, config: "Config", where: str, checks: "Sequence[BoardCheck]"
) -> "tuple[ReportRow, ...]":
    # gpiozero and luma are slow to import.
    from appliance.boardtest import runner  # noqa: PLC0415 - see above
    from appliance.simulator.key_faults import FAULT_NAMES, KEY_FAULTS  # noqa: PLC0415 - see above
    from appliance.simulator.person import SimulatedRig  # noqa: PLC0415 - see above
    from appliance.simulator.virtual import Hardware  # noqa: PLC0415 - see above

    hardware = Hardware(config, lambda: simulated.now())  # noqa: PLW0108 - it is assigned below
    for fault in args.fault:
        if fault not in KEY_FAULTS:
            raise UserError(f"--fault: expected {FAULT_NAMES}, found {fault!r}")
        KEY_FAULTS[fault].apply(hardware.network)
    simulated = SimulatedRig(hardware.config, where, hardware)
    simulated.say(f"Simulated: nine buttons, a person, and a display with an {hardware.display_name}.\n")
    return runner.run(simulated, checks)


def _read(paths: list[Path]) -> int:
    reports, status = [], 0
    for path in paths:
        try:
            report = read_report(path)
        except DamagedError as error:
            print(f"tictactoe: {printable(str(path))}: {error}", file=sys.stderr)
            status = 2
            continue
        reports.append(report)
        found = list(differences(report))
        print(f"{path}: {printable(report.fact('model'))}, {report.result} passed")
        for line in found:
            print(f"  {line}")
        status = max(status, any(row.verdict == FAILED for row in report.rows))
    if reports:
        print(f"\n{seen_on(reports)}")
    return status
