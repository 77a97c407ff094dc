"""Run the checks of the device test, one after the other, and keep the report of those so far."""

import textwrap
from collections.abc import Callable, Mapping, Sequence

from appliance.core.errors import UserError
from appliance.devices.access import message
from appliance.devices.pinout import board
from appliance.devicetest.facts import nameless
from appliance.devicetest.judge import NOT_RUN, OK, REASON, CannotRunError, Figures, expected, judge
from appliance.devicetest.plan import Check
from appliance.devicetest.report import Row
from appliance.devicetest.rig import BoardRig
from appliance.selftest.checks import in_use

Measure = Callable[[BoardRig], Figures]
Keep = Callable[[tuple[Row, ...]], None]

INDENT = "    "


def run(
    rig: BoardRig, checks: Sequence[Check], measures: Mapping[str, Measure], keep: Keep
) -> tuple[Row, ...]:
    """Run the checks and return their rows; call `keep` with the rows so far after each.

    Ctrl-C ends the test: the check under way and the rest are not run. Raise `UserError` as
    `refuse_elsewhere` does.
    """
    refuse_elsewhere(rig)
    rows: tuple[Row, ...] = ()
    keep(rows)  # where that fails, it fails before anybody has pressed anything
    try:
        for place, check in enumerate(checks, 1):
            rig.say(f"\n{_heading(check, place, len(checks))}\n")
            rows += (_run(rig, check, measures[check.name], rows),)
            keep(rows)
            rig.say(f"\n{_outcome(rows[-1])}\n")
    except KeyboardInterrupt:
        rows += tuple(_not_run(check, "interrupted") for check in checks[len(rows) :])
        keep(rows)
    return rows


def refuse_elsewhere(rig: BoardRig) -> None:
    """Raise `UserError` if the service holds the keypad's lines, or if this is no Raspberry Pi.

    Whatever else is wrong with the pins is for the first check.
    """
    try:
        chip = rig.chip()
    except FileNotFoundError as error:
        if not board():
            remedy = 'run the device test on the Raspberry Pi; "tictactoe simulate" plays without pins'
            raise UserError(f"this computer has no GPIO pins: {remedy}") from error
    except (OSError, UserError):
        pass
    else:
        if chip.ours:
            raise in_use("held by tictactoe")


def _run(rig: BoardRig, check: Check, measure: Measure, before: Sequence[Row]) -> Row:
    for row in before:
        if row.number in check.needs and row.verdict != OK:
            why = "was not run" if row.verdict == NOT_RUN else row.verdict
            return _not_run(check, f"needs check {row.number}, which {why}")
    try:
        figures = {name: value for name, value in measure(rig).items() if value != ""}
    except CannotRunError as error:
        return _not_run(check, str(error))
    except Exception as error:  # noqa: BLE001 - a board that is odd must not cost the report of the rest
        figures = {REASON: nameless(message(error))}
    bounds = expected()[check.name]
    return Row(check.number, check.name, judge(figures, bounds), tuple(figures.items()), _text(check))


def _not_run(check: Check, reason: str) -> Row:
    return Row(check.number, check.name, NOT_RUN, ((REASON, nameless(reason)),), _text(check))


def _text(check: Check) -> str:
    return ", ".join(map(str, expected()[check.name]))


def _heading(check: Check, place: int, of: int) -> str:
    asks = f" You: {check.asks}." if check.asks else ""
    name = f"{place}/{of} Check {check.number}, {check.name}, about {check.seconds} s"
    return _wrapped(f"{name}: {check.proves}.{asks}", "")


def _outcome(row: Row) -> str:
    figures = ", ".join(str(value) if name == REASON else f"{name} {value}" for name, value in row.figures)
    return _wrapped(f"{row.verdict}: {figures}", INDENT)


def _wrapped(text: str, indent: str) -> str:
    return textwrap.fill(text, 78, initial_indent=indent, subsequent_indent=INDENT)
