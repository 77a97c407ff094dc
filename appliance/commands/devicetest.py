"""`tictactoe device-test`: measure a real board once, and write a report; or read such reports."""

import argparse
import logging
import signal
from pathlib import Path

from appliance.config.reading import default_paths, load
from appliance.config.schema import Config
from appliance.core.errors import UserError, printable
from appliance.core.words import LANGUAGES
from appliance.devices.systemd import Notifier
from appliance.devicetest.judge import FAILED
from appliance.devicetest.plan import CHECKS, chosen
from appliance.devicetest.reader import differences, read, seen_on
from appliance.devicetest.report import DamagedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from appliance.devicetest.rig import BoardRig


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (YAML)")
    parser.add_argument(
        "--only", type=int, nargs="+", default=[], metavar="N", help=f"only these checks (1 to {len(CHECKS)})"
    )
    parser.add_argument(
        "--read", type=Path, nargs="+", default=[], metavar="FILE", help="say what is wrong in reports"
    )
    # For `appliance.service.handover` alone: the service's place, its language, and how the box stands.
    parser.add_argument("--box", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--language", choices=LANGUAGES, help=argparse.SUPPRESS)
    parser.add_argument("--turned", action="store_true", help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """Run the device test, or read reports; return 1 if a check failed or a report is damaged, else 0."""
    if args.read:
        return _read(args.read)
    for number in args.only:
        if not 1 <= number <= len(CHECKS):
            raise UserError(f"--only: expected numbers from 1 to {len(CHECKS)}, found {number}")
    return _test(args)


def _test(args: argparse.Namespace) -> int:
    from appliance.devicetest import session  # noqa: PLC0415 - gpiozero takes 90 ms to import

    logging.getLogger("tictactoe").addHandler(logging.NullHandler())  # a silent display is a check's business
    paths = default_paths() if args.config is None else [args.config]
    config, where = _config(paths, args), str(paths[-1]) if paths else "/etc/tictactoe/config.yaml"
    settings = config.settings._replace(language=args.language or config.settings.language)
    config = config._replace(settings=settings)
    rig = _rig(args, config, where)

    def interrupt(_number: int, _frame: object) -> None:
        rig.hurried = True
        raise KeyboardInterrupt

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    report = session.run(rig, chosen(tuple(args.only)))
    return int(any(row.verdict == FAILED for row in report.rows)) if not args.box else 0


def _config(paths: list[Path], args: argparse.Namespace) -> Config:
    """Return the configuration; in the service's place what it plays with. Raise `UserError`."""
    try:
        return load(paths)
    except UserError:
        if not args.box:
            raise
        from appliance.config.lenient import play_past  # noqa: PLC0415 - imported only for an error

        return play_past(paths)


def _rig(args: argparse.Namespace, config: Config, where: str) -> "BoardRig":
    if args.box:
        from appliance.devicetest.box import BoxRig  # noqa: PLC0415 - as above

        return BoxRig(config, where, Notifier(), turned=args.turned)
    from appliance.devicetest.rig import BoardRig  # noqa: PLC0415 - as above

    return BoardRig(config, where)


def _read(paths: list[Path]) -> int:
    reports, status = [], 0
    for path in paths:
        try:
            report = read(path)
        except DamagedError as error:
            print(f"{path}: {error}")
            status = 1
            continue
        reports.append(report)
        found = list(differences(report))
        print(f"{path}: {printable(report.fact('model'))}, {report.result} passed")
        for line in found:
            print(f"  {line}")
        status |= any(row.verdict == FAILED for row in report.rows)
    if reports:
        print(f"\n{seen_on(reports)}")
    return status
