"""A whole device test: the checks, the report that they write, and what is kept over a restart."""

from collections.abc import Sequence
from pathlib import Path

from appliance.core.english import counted
from appliance.core.errors import UserError
from appliance.devicetest import resume, runner
from appliance.devicetest.answers import instruct
from appliance.devicetest.facts import gather, serial
from appliance.devicetest.measures import MEASURES
from appliance.devicetest.plan import CHECKS, Check
from appliance.devicetest.report import Report, Row, compose
from appliance.devicetest.resume import RESTART, Pending, SuspendedError
from appliance.devicetest.rig import BoardRig
from appliance.storage import files

REPORT = "device-report.txt"  # of a box, whose card then has it: `appliance.slots.publish`
SO_FAR = "device-report.part"  # until it is complete; the service publishes what a crash has left
READ = 8.0  # seconds to read the result on a box


def run(rig: BoardRig, checks: Sequence[Check], pending: Pending | None = None) -> Report:
    """Run these checks, or go on with a suspended test, and return the report. Raise `UserError`."""
    rig.resumed = pending.data if pending else None
    before = pending.report.rows if pending else ()
    facts = pending.report.facts if pending else gather(rig.config, rig.today())
    path = _path(rig)
    if pending:
        checks = [check for check in CHECKS if check.number in pending.left]
    elif rig.in_service:
        resume.drop(rig.machine.folder)
    report = Report(facts, before)

    def keep(rows: tuple[Row, ...]) -> None:
        nonlocal report
        report = Report(facts, rows)
        _write(path.with_name(SO_FAR) if rig.in_service else path, report)

    def publish() -> None:
        _write(path, report)
        files.remove(path.with_name(SO_FAR))

    minutes = round(sum(check.seconds for check in checks) / 60) or 1
    count = counted(len(checks), "check")
    rig.say(f"{count}, about {minutes} min. Ctrl-C ends the test and keeps the report so far.\n")
    try:
        runner.run(rig, checks, MEASURES, keep, before)
    except SuspendedError as suspended:
        done = {row.number for row in report.rows}
        left = tuple(check.number for check in checks if check.number not in done)
        first = rig.machine.boot if suspended.reboot else RESTART
        resume.save(rig.machine.folder, Pending(left, suspended.data, report), first)
        rig.close()
        if not suspended.reboot:
            publish()
            rig.hang()
        return report
    except UserError:
        if rig.in_service:
            instruct(rig, "That did not work.", "did_not_work")
            rig.wait(READ)
        raise
    finally:
        rig.close()
        if rig.in_service:
            publish()
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
    """Return the path of the report: at a terminal one that replaces no other."""
    if rig.in_service:
        return rig.machine.folder / REPORT
    name = f"device-report-{serial()}-{rig.today()}"
    names = (f"{name}{number}.txt" for number in ("", *(f"-{count}" for count in range(2, 1000))))
    return next(path for path in map(Path, names) if not path.exists())


def _write(path: Path, report: Report) -> None:
    try:
        files.replace(path, compose(report).encode())
        files.sync(path.parent)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}; change to a folder that you may write to") from error
