"""A whole device test: the checks, and the report that they write."""

from collections.abc import Sequence
from pathlib import Path

from appliance.core.english import counted
from appliance.core.errors import UserError
from appliance.devicetest import runner
from appliance.devicetest.answers import instruct
from appliance.devicetest.facts import gather, serial
from appliance.devicetest.measures import MEASURES
from appliance.devicetest.plan import Check
from appliance.devicetest.report import Report, Row, compose
from appliance.devicetest.rig import BoardRig
from appliance.storage import files
from appliance.storage.database import state_directory

REPORT = "device-report.txt"  # of a box, whose card then has it: `appliance.slots.publish`
SO_FAR = "device-report.part"  # until it is complete; the service publishes what a crash has left
READ = 8.0  # seconds to read the result on a box


def run(rig: BoardRig, checks: Sequence[Check]) -> Report:
    """Run these checks, and return the report. Raise `UserError`."""
    facts = gather(rig.config, rig.today())
    path = _path(rig)
    report = Report(facts, ())

    def keep(rows: tuple[Row, ...]) -> None:
        nonlocal report
        report = Report(facts, rows)
        _write(path.with_name(SO_FAR) if rig.in_service else path, report)

    minutes = round(sum(check.seconds for check in checks) / 60) or 1
    count = counted(len(checks), "check")
    rig.say(f"{count}, about {minutes} min. Ctrl-C ends the test and keeps the report so far.\n")
    try:
        runner.run(rig, checks, MEASURES, keep)
    except UserError:
        if rig.in_service:
            instruct(rig, "That did not work.", "did_not_work")
            rig.wait(READ)
        raise
    finally:
        rig.close()
        if rig.in_service:
            _write(path, report)
            files.remove(path.with_name(SO_FAR))
    _end(rig, path, report)
    return report


def _end(rig: BoardRig, path: Path, report: Report) -> None:
    if rig.in_service:
        if not rig.hurried:
            instruct(rig, f"RESULT {report.result}", "report_done", result=report.result)
            rig.wait(READ)
            rig.close()
    else:
        rig.say(f"\nRESULT {report.result}. The report is {path}: please attach it to an issue.\n")


def _path(rig: BoardRig) -> Path:
    """Return the path of the report: on a box beside the games, at a terminal one that replaces no other."""
    if rig.in_service:
        return state_directory(rig.config.state) / REPORT
    name = f"device-report-{serial()}-{rig.today()}"
    names = (f"{name}{number}.txt" for number in ("", *(f"-{count}" for count in range(2, 1000))))
    return next(path for path in map(Path, names) if not path.exists())


def _write(path: Path, report: Report) -> None:
    try:
        files.replace(path, compose(report).encode())
        files.sync(path.parent)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}; change to a folder that you may write to") from error
