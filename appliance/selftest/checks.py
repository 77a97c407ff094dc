"""The self-test from the first check to the report."""

import errno
from collections.abc import Generator
from contextlib import ExitStack, closing

from appliance.core.errors import UserError
from appliance.core.keys.diagnosis import FAILED, LINES, OK, OPEN, Check, Matrix
from appliance.devices.access import Refused
from appliance.devices.keypad import Keypad
from appliance.selftest.display import check_bus
from appliance.selftest.keys import check_keys
from appliance.selftest.rig import Rig

PATIENCE = 20.0  # seconds for each key


def run(rig: Rig) -> int:
    """Run the self-test, print its report, and return the exit status.

    The status is 1 if a check failed or Ctrl-C ended the test, otherwise 0. Raise `UserError` as `checks`
    does.
    """
    rows: list[Check] = []
    status = 0
    try:
        with closing(checks(rig, PATIENCE)) as results:
            for row in results:
                rows.append(row)  # noqa: PERF402 - keeps what was found before a Ctrl-C
    except KeyboardInterrupt:
        rig.say("\n")
        rows.append(Check("the rest: interrupted", OPEN))
        status = 1
    failed = sum(row.verdict == FAILED for row in rows)
    summary = f"{failed} of {len(rows)} checks failed" if failed else "no check failed"
    lines = [
        f"{row.verdict:<10}  {row.what}" + (f"\n{'':<10}  - {row.remedy}" if row.remedy else "")
        for row in rows
    ]
    rig.say("\n".join(("", *lines, "", summary, "")))
    return 1 if failed else status


def checks(rig: Rig, seconds: float) -> Generator[Check, None, None]:
    """Run the self-test, with this time for each key; yield each check as it is made.

    The pins are claimed first: raise `UserError` if another process (the service) holds them, or this user
    may not open them or the bus. At the end the pins are inputs. After a `KeyboardInterrupt` in the walk, its
    findings so far are still yielded.
    """
    with ExitStack() as stack:
        keypad = yield from _check_pins(rig, stack)
        yield from check_bus(rig)
        if keypad is None:
            yield Check("the keys", OPEN)
        else:
            yield from check_keys(rig, keypad, seconds)


def _check_pins(rig: Rig, stack: ExitStack) -> Generator[Check, None, Keypad | None]:
    config = rig.config.keypad
    try:
        keypad = rig.open_keypad()
    except Refused:
        raise
    except UserError as error:
        yield Check("keypad pins: out of reach", FAILED, str(error))
        return None
    except Exception as error:
        # Each backend has its own errors, and lgpio's derive from nothing but Exception.
        if _busy(error):
            raise in_use(error) from error
        remedy = f"check rows and columns under keypad: in {rig.where}"
        yield Check(f"keypad pins: {str(error) or type(error).__name__}", FAILED, remedy)
        return None
    stack.callback(keypad.close)
    matrix = Matrix(config.rows, config.columns, rig.where)
    yield Check(f"keypad pins: {matrix.named(LINES)}", OK)
    return keypad


def in_use(why: object) -> UserError:
    """Return the error about pins that another process, usually the service, holds."""
    return UserError(
        f"the keypad's pins are in use ({why}): stop the service first: sudo systemctl stop tictactoe"
    )


def _busy(error: Exception) -> bool:
    message = str(error).lower()
    return getattr(error, "errno", None) == errno.EBUSY or "busy" in message or "in use" in message
