"""`tictactoe device-test`: measure a real board once, and write a report; or read such reports."""

import argparse
import logging
import signal
from pathlib import Path

from appliance.config.reading import default_paths, load
from appliance.core.english import plural
from appliance.core.errors import UserError
from appliance.devicetest.judge import NOT_RUN, OK
from appliance.devicetest.plan import CHECKS, Check, chosen
from appliance.devicetest.reader import differences, read, seen_on
from appliance.devicetest.report import DamagedError, Report, Row, compose

HELP = "measure a real board, in twelve minutes, and write a report (stop the service first)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (YAML)")
    parser.add_argument(
        "--only", type=int, nargs="+", default=[], metavar="N", help=f"only these checks (1 to {len(CHECKS)})"
    )
    parser.add_argument(
        "--read", type=Path, nargs="+", default=[], metavar="FILE", help="say what is wrong in reports"
    )


def run(args: argparse.Namespace) -> int:
    """Run the device test, or read reports; return 1 if a check failed or a report is damaged, else 0."""
    if args.read:
        return _read(args.read)
    for number in args.only:
        if not 1 <= number <= len(CHECKS):
            raise UserError(f"--only: expected numbers from 1 to {len(CHECKS)}, found {number}")
    return _test(args.config, chosen(tuple(args.only)))


def _test(file: Path | None, checks: tuple[Check, ...]) -> int:
    from appliance.devicetest.facts import gather, serial  # noqa: PLC0415 - with the next, which are slow
    from appliance.devicetest.measures import MEASURES  # noqa: PLC0415 - gpiozero takes 90 ms to import
    from appliance.devicetest.rig import BoardRig  # noqa: PLC0415 - as above
    from appliance.devicetest.runner import run as run_checks  # noqa: PLC0415 - as above

    paths = default_paths() if file is None else [file]
    rig = BoardRig(load(paths), str(paths[-1]) if paths else "/etc/tictactoe/config.yaml")
    path = _free(f"device-report-{serial()}-{rig.today()}")
    facts = gather(rig.config, rig.today())

    def keep(rows: tuple[Row, ...]) -> None:
        try:
            path.write_text(compose(Report(facts, rows)), encoding="utf-8", newline="\n")
        except OSError as error:
            raise UserError(f"{path}: {error.strerror}; change to a folder that you may write to") from error

    logging.getLogger("tictactoe").addHandler(logging.NullHandler())  # a silent display is a check's business
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    minutes = round(sum(check.seconds for check in checks) / 60) or 1
    count = f"{len(checks)} {plural(len(checks), 'check')}"
    rig.say(f"{count}, about {minutes} min. Ctrl-C ends the test and keeps the report so far.\n")
    try:
        rows = run_checks(rig, checks, MEASURES, keep)
    finally:
        rig.close()
    rig.say(f"\nRESULT {Report(facts, rows).result}. The report is {path}: please attach it to an issue.\n")
    return int(any(row.verdict != OK for row in rows if row.verdict != NOT_RUN))


def _free(name: str) -> Path:
    """Return the path of a report that does not replace another."""
    names = (f"{name}{number}.txt" for number in ("", *(f"-{count}" for count in range(2, 1000))))
    return next(path for path in map(Path, names) if not path.exists())


def _interrupt(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


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
        print(f"{path}: {report.fact('model')}, {report.result} passed")
        for line in found:
            print(f"  {line}")
        status |= any(row.verdict == "failed" for row in report.rows)
    if reports:
        print(f"\n{seen_on(reports)}")
    return status
