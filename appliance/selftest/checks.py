"""The self-test from the first check to the report."""

import errno
import logging
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing

from appliance.core.canvas import Frame
from appliance.core.diagnosis import FAILED, LINES, OK, OPEN, Matrix, Row
from appliance.core.errors import UserError
from appliance.core.raster import render
from appliance.core.scene import Light, PatternScene, Picture
from appliance.devices.access import Refused
from appliance.devices.keypad import Keypad
from appliance.devices.panel import Panel
from appliance.selftest.display import check_bus
from appliance.selftest.keys import check_keys
from appliance.selftest.rig import Rig

PATIENCE = 20.0  # seconds for each key
SHOWN = 1.0  # seconds that a picture stays when nobody can be asked about it

LIT, DARK, FRAME = "all pixels lit", "all pixels dark", "a frame along the edges"
QUESTIONS = {
    LIT: "Is the whole display lit, without a gap?",
    DARK: "Is the whole display dark, without a speck?",
    # Only this picture reveals a wrong driver or height.
    FRAME: "Is there a frame, one pixel wide, along all four edges, with a cross from corner to corner?",
}

log = logging.getLogger("tictactoe.selftest")
log.disabled = True  # the report names the display's faults


def run(rig: Rig, *, keys: bool) -> int:
    """Run the self-test, print its report, and return the exit status.

    The status is 1 if a check failed or Ctrl-C ended the test, otherwise 0. With `keys`, the person presses
    each of the nine. Raise `UserError` as `checks` does.
    """
    rows: list[Row] = []
    status = 0
    try:
        with closing(checks(rig, PATIENCE if keys else None)) as results:
            for row in results:
                rows.append(row)  # noqa: PERF402 - keeps what was found before a Ctrl-C
    except KeyboardInterrupt:
        rig.say("\n")
        rows.append(Row("the rest: interrupted", OPEN))
        status = 1
    failed = sum(row.verdict == FAILED for row in rows)
    summary = f"{failed} of {len(rows)} checks failed" if failed else "no check failed"
    lines = [
        f"{row.verdict:<10}  {row.what}" + (f"\n{'':<10}  - {row.remedy}" if row.remedy else "")
        for row in rows
    ]
    rig.say("\n".join(("", *lines, "", summary, "")))
    return 1 if failed else status


def checks(rig: Rig, seconds: float | None) -> Generator[Row, None, None]:
    """Run the self-test; yield each row as it is found.

    `seconds` is the time for each key; None leaves out the walk. The pins are claimed first: raise
    `UserError` if another process (the service) holds them, or this user may not open them or the bus. At the
    end the pins are inputs and the display is dark. After a `KeyboardInterrupt` in the walk, its findings so
    far are still yielded.
    """
    with ExitStack() as stack:
        keypad = yield from _check_pins(rig, stack)
        display = yield from check_bus(rig)
        panel = None
        if display is not None:
            panel = Panel(display, rig.open_bus, log, rig.now)
            size = display.width, display.height
            stack.callback(panel.close)
            stack.callback(lambda: panel.show_frame(Frame.blank(*size), Light(on=False), rig.now()))
            yield from _check_pixels(rig, panel, size)
        else:
            yield Row(", ".join(QUESTIONS), OPEN)
        if keypad is None:
            yield Row("the keys", OPEN)
        else:
            yield from check_keys(rig, keypad, panel, seconds)


def _check_pins(rig: Rig, stack: ExitStack) -> Generator[Row, None, Keypad | None]:
    config = rig.config.keypad
    try:
        keypad = rig.open_keypad()
    except Refused:
        raise
    except UserError as error:
        yield Row("keypad pins: out of reach", FAILED, str(error))
        return None
    except Exception as error:
        # Each backend has its own errors, and lgpio's derive from nothing but Exception.
        if _busy(error):
            raise UserError(
                f"the keypad's pins are in use ({error}): "
                "stop the service first: sudo systemctl stop tictactoe"
            ) from error
        remedy = f"check rows and columns under keypad: in {rig.where}"
        yield Row(f"keypad pins: {str(error) or type(error).__name__}", FAILED, remedy)
        return None
    stack.callback(keypad.close)
    matrix = Matrix(config.rows, config.columns, rig.where)
    yield Row(f"keypad pins: {matrix.named(LINES)}", OK)
    return keypad


def _busy(error: Exception) -> bool:
    message = str(error).lower()
    return getattr(error, "errno", None) == errno.EBUSY or "busy" in message or "in use" in message


def _check_pixels(rig: Rig, panel: Panel, size: tuple[int, int]) -> Iterator[Row]:
    """Show each picture, and let the person judge."""
    frames = {
        LIT: render(Picture(PatternScene(edges=False)), *size),
        DARK: Frame.blank(*size),
        FRAME: render(Picture(PatternScene(edges=True)), *size),
    }
    for what, question in QUESTIONS.items():
        panel.show_frame(frames[what], Light(contrast=rig.config.settings.contrast), rig.now())
        if not panel.healthy:
            remedy = "check its plug and wires, and keep them short"
            yield Row(f"{what}: the display does not answer", FAILED, remedy)
            continue
        answer = rig.ask(question)
        if answer is None:
            rig.wait(SHOWN)
            yield Row(f"{what}: shown", OPEN)
        elif answer:
            yield Row(what, OK)
        else:
            remedy = f"check driver and height under display: in {rig.where}; else the display is broken"
            yield Row(f"{what}: {'wrong' if what == FRAME else 'not all are'}", FAILED, remedy)
