"""The self-test from its first check to its last, over a bench."""

import errno
from collections.abc import Generator, Iterator
from contextlib import ExitStack

from appliance.core.canvas import Frame
from appliance.core.scene import Light
from appliance.devices.access import Refused
from appliance.devices.keypad import Keypad
from appliance.devices.panel import Panel
from appliance.devices.pinout import HEADER_LABELS, GpioChip
from appliance.errors import UserError
from appliance.selftest.bench import Bench, Fitted
from appliance.selftest.display import check_bus
from appliance.selftest.keys import PinsFailed, check_keys
from appliance.selftest.report import Row, Verdict
from appliance.selftest.wording import listed

SHOWN = 1.0  # seconds that a picture stands when nobody is asked about it

PICTURES = (
    (0xFF, "lit", "Is the whole display lit, without a gap?"),
    (0x00, "dark", "Is the whole display dark, without a speck?"),
)


def checks(bench: Bench, seconds: float | None) -> Generator[Row, None, None]:
    """Run the self-test and yield a row for each check as it is done.

    `seconds` is how long each key of the walk is waited for; with None there is no walk. The pins are taken
    before anything else is touched: raises `UserError` when something has them, as the service does, and when
    this person may not open them, or the display's bus. However it ends, the pins are inputs and the display
    is dark then. What was found of the keys before a `KeyboardInterrupt` is still yielded.
    """
    with ExitStack() as stack:
        keypad = yield from _check_pins(bench, stack)
        fitted = yield from check_bus(bench)
        panel = None
        if fitted is not None:
            panel = bench.open_panel(fitted)
            stack.callback(_put_out, bench, panel, fitted)
            yield from _check_pixels(bench, panel, fitted)
        else:
            yield Row("all pixels lit, all pixels dark", Verdict.OPEN)
        if keypad is None:
            yield Row("the keys", Verdict.OPEN)
            return
        try:
            yield from check_keys(bench, keypad, panel, seconds)
        except PinsFailed as error:
            yield Row(
                f"the pins stopped working: {error}",
                Verdict.FAILED,
                "run it again; if it happens again, read dmesg",
            )


def _check_pins(bench: Bench, stack: ExitStack) -> Generator[Row, None, Keypad | None]:
    config = bench.config.keypad
    yield _header(bench)
    try:
        keypad = bench.open_keypad()
    except Refused:
        raise
    except UserError as error:
        yield Row("keypad pins: out of reach", Verdict.FAILED, str(error))
        return None
    except Exception as error:
        # Each backend has its own errors, and lgpio's derive from nothing but Exception.
        if _busy(error):
            raise UserError(
                f"the keypad's pins are in use ({error}): "
                "stop the service first: sudo systemctl stop tictactoe"
            ) from error
        remedy = f"check rows and columns under keypad: in {bench.where}"
        yield Row(f"keypad pins: {str(error) or type(error).__name__}", Verdict.FAILED, remedy)
        return None
    stack.callback(keypad.close)
    told = f"rows BCM {listed(config.rows)}, columns BCM {listed(config.columns)}"
    yield Row(f"keypad pins: {told}", Verdict.OK)
    return keypad


def _header(bench: Bench) -> Row:
    header = bench.header()
    if header is not None:
        return Row(f"GPIO: {_chip(header)}", Verdict.OK)
    chips = list(bench.chips())
    if not chips:
        remedy = 'on a Raspberry Pi, run "sudo usermod -aG gpio $USER" and log in again'
        return Row("GPIO: there is no chip that may be opened", Verdict.FAILED, remedy)
    told = listed(map(_chip, chips))
    return Row(
        f"GPIO: {told}: no header of a Raspberry Pi's", Verdict.OPEN, f"known are {listed(HEADER_LABELS)}"
    )


def _chip(chip: GpioChip) -> str:
    return f"gpiochip{chip.number} ({chip.label}, {chip.lines} lines)"


def _busy(error: Exception) -> bool:
    told = str(error).lower()
    return getattr(error, "errno", None) == errno.EBUSY or "busy" in told or "in use" in told


def _check_pixels(bench: Bench, panel: Panel, fitted: Fitted) -> Iterator[Row]:
    """Show a picture of lit pixels and one of dark ones, and let the person judge them."""
    for byte, word, question in PICTURES:
        frame = Frame(fitted.width, fitted.height, bytes([byte]) * (fitted.width * fitted.height // 8))
        panel.show_frame(frame, Light(contrast=bench.config.display.contrast), bench.now())
        if not panel.healthy:
            remedy = "check its plug and wires, and keep them short"
            yield Row(f"all pixels {word}: the display does not answer", Verdict.FAILED, remedy)
            continue
        answer = bench.ask(question)
        if answer is None:
            bench.wait(SHOWN)
            yield Row(f"all pixels {word}: shown", Verdict.OPEN)
        elif answer:
            yield Row(f"all pixels {word}", Verdict.OK)
        else:
            remedy = f"check driver and height under display: in {bench.where}; else the glass is broken"
            yield Row(f"all pixels {word}: not all are", Verdict.FAILED, remedy)


def _put_out(bench: Bench, panel: Panel, fitted: Fitted) -> None:
    panel.show_frame(Frame.blank(fitted.width, fitted.height), Light(on=False), bench.now())
    panel.close()
