"""Run the checks one after the other, print what each finds, and keep the report of those so far."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from appliance.boardtest import contacts, display, display_bus, gpio_lines, keys, picture, presses
from appliance.boardtest.machine import facts, nameless
from appliance.boardtest.plan import (
    FAILED,
    NOT_RUN,
    OK,
    REASON,
    WHICH,
    BoardCheck,
    CannotRunError,
    Figures,
    broken,
    expected,
    judge,
)
from appliance.boardtest.report import Report, ReportRow, compose_report
from appliance.boardtest.rig import Rig
from appliance.core.english import counted
from appliance.core.errors import UserError
from appliance.core.keys.diagnosis import Check
from appliance.devices.access import message
from appliance.devices.pinout import board_name

Keep = Callable[[tuple[ReportRow, ...]], object]

# What each check measures; or what it finds, each finding with its remedy.
MEASURES: Mapping[str, Callable[[Rig], Figures | Iterator[Check]]] = {
    measure.__name__: measure
    for measure in (
        *(keys.pins, display.display, keys.walk, picture.picture),
        *(gpio_lines.chip, gpio_lines.pulls, gpio_lines.margin, gpio_lines.settling),
        *(presses.cost, contacts.bounce, presses.presses, presses.waking),
        *(display_bus.bus, display_bus.status, picture.replug, picture.noise, picture.power, picture.sound),
    )
}


def run(rig: Rig, checks: Sequence[BoardCheck], keep: Keep | None = None) -> tuple[ReportRow, ...]:
    """Run the checks and return their rows; call `keep` with the rows so far after each.

    Ctrl-C ends the test: the check under way and the rest are not run. Without `keep` a `UserError` ends it,
    too: it is about pins or a bus that this user may not open, or that the game needs.
    """
    rows: tuple[ReportRow, ...] = ()
    minutes = -(-sum(check.seconds for check in checks) // 60)
    ended = ""
    rig.say(f"{counted(len(checks), 'check')}, about {minutes} min. Ctrl-C ends the test.\n")
    try:
        for place, check in enumerate(checks, 1):
            rig.line(f"\n{_heading(check, place, len(checks))}")
            rows += (_row(rig, check, rows, strict=keep is None),)
            if keep:
                keep(rows)
    except KeyboardInterrupt:
        ran = sum(row.verdict != NOT_RUN for row in rows)
        ended = f"interrupted after {ran} of {counted(len(checks), 'check')}: "
        rows += tuple(_not_run(rig, check, "interrupted") for check in checks[len(rows) :])
        if keep:
            keep(rows)
    finally:
        rig.close()
    failed = sum(row.verdict == FAILED for row in rows)
    count = f"{failed} of {counted(len(rows), 'check')}" if failed else "no check"
    rig.line(f"\n{ended}{count} failed")
    return rows


def report(rig: Rig, checks: Sequence[BoardCheck], path: Path | None) -> tuple[ReportRow, ...]:
    """Run the checks, write their report, and return its rows; without a path replace no other report.

    Raise `UserError` if the service runs, if this is no Raspberry Pi, or if the report cannot be written.
    """
    refuse_elsewhere(rig)
    found = tuple(facts(rig.config, rig.today(), rig.machine))
    if path and path.exists() and not path.is_file():
        raise UserError(f"{path}: cannot be written: it is no file")
    if path is None:
        name = f"device-report-{rig.machine.serial}-{rig.today()}"
        names = (f"{name}{number}.txt" for number in ("", *(f"-{count}" for count in range(2, 1000))))
        path = next(path for path in map(Path, names) if not path.exists())

    def keep(rows: tuple[ReportRow, ...]) -> None:
        try:
            fresh = path.with_name(f"{path.name}.new")  # a power cut leaves the old one or the new one
            fresh.write_text(compose_report(Report(found, rows)), newline="\n")
            fresh.replace(path)
        except OSError as error:
            raise UserError(f"{path}: {error.strerror}; change to a folder that you may write to") from error

    keep(())  # where that fails, it fails before anybody has pressed anything
    rows = run(rig, checks, keep)
    rig.line(f"\nRESULT {Report((), rows).result}. The report is {path}: please attach it to an issue.")
    return rows


def refuse_elsewhere(rig: Rig) -> None:
    """Raise `UserError` if the service holds the keypad's lines, or if this is no Raspberry Pi.

    Whatever else is wrong with the pins is for the checks.
    """
    try:
        chip = rig.chip()
    except FileNotFoundError as error:
        if not board_name():
            remedy = 'run it on the Raspberry Pi; "tictactoe simulate" plays without pins'
            raise UserError(f"this computer has no GPIO pins: {remedy}") from error
    except (OSError, UserError):
        pass
    else:
        if chip.ours:
            raise keys.in_use("held by tictactoe")


def _row(rig: Rig, check: BoardCheck, before: Sequence[ReportRow], *, strict: bool) -> ReportRow:
    """Run a check, print its findings, and return its row of the report."""
    for row in before:
        if row.number in check.needs and row.verdict != OK:
            why = "was not run" if row.verdict == NOT_RUN else row.verdict
            return _not_run(rig, check, f"needs check {row.number}, which {why}")
    try:
        found = MEASURES[check.name](rig)
        figures = found if isinstance(found, Mapping) else _findings(rig, found)
    except CannotRunError as error:
        return _not_run(rig, check, str(error))
    except Exception as error:
        if strict and isinstance(error, UserError):
            raise
        # A board that is odd must not cost the report of the rest.
        found = figures = {REASON: nameless(message(error))}
    figures = {name: value for name, value in figures.items() if value != ""}
    bounds = expected()[check.name]
    verdict = judge(figures, bounds)
    if isinstance(found, Mapping):
        values = (str(value) if name == REASON else f"{name} {value}" for name, value in figures.items())
        outside = () if REASON in figures else broken(figures, bounds)
        remedy = f"expected {', '.join(map(str, outside))}" if outside else ""
        _print(rig, verdict, f"{check.name}: {', '.join(values)}", remedy)
    return ReportRow(check.number, check.name, verdict, tuple(figures.items()), _text(check))


def _findings(rig: Rig, found: Iterator[Check]) -> Figures:
    """Print the findings as they are made, and return how many are faults, and which."""
    faults = []
    for finding in found:
        _print(rig, finding.verdict, finding.what, finding.remedy)
        if finding.verdict == FAILED:
            faults.append(nameless(finding.what))
    return {"faults": len(faults), WHICH: "; ".join(faults)}


def _not_run(rig: Rig, check: BoardCheck, reason: str) -> ReportRow:
    reason = nameless(reason)
    _print(rig, NOT_RUN, f"{check.name}: {reason}", "")
    return ReportRow(check.number, check.name, NOT_RUN, ((REASON, reason),), _text(check))


def _text(check: BoardCheck) -> str:
    return ", ".join(map(str, expected()[check.name]))


def _heading(check: BoardCheck, place: int, of: int) -> str:
    asks = f" You: {check.asks}." if check.asks else ""
    name = f"{place}/{of} Check {check.number}, {check.name}, about {check.seconds} s"
    return f"{name}: {check.proves}.{asks}"


def _print(rig: Rig, verdict: str, what: str, remedy: str) -> None:
    rig.line(f"{verdict:<10}  {what}" + (f"\n{'':<10}  - {remedy}" if remedy else ""), indent=14)
