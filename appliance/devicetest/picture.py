"""Checks 11 to 13: what the person sees; a display that is unplugged in use; interference.

They go through the panel, as the game does: whether it heals is what they are about.
"""

from collections.abc import Callable, Iterator

from appliance.core.picture.canvas import Frame, columns
from appliance.core.picture.scene import Light, PatternScene
from appliance.devices.i2c import STATUS_OFF, I2cSerial
from appliance.devices.oled import NOP
from appliance.devices.panel import Panel
from appliance.devicetest.answers import AGAIN, NOBODY, YES, instruct, pressed, question
from appliance.devicetest.bus import GIVE_UP, Wire
from appliance.devicetest.judge import CannotRunError, Figures
from appliance.devicetest.rig import BoardRig

LOOK = 3.0  # seconds that a picture is shown before the question about it
STEPS = 16  # of the contrast
STEADY = 5  # initialisations
STEP = 0.05  # seconds between two looks at the bus
SANE = 20  # reads of "on" in a row, without which the status byte is not believed

YES_TEXT, NO_TEXT, NO_ANSWER = "yes", "no", "no answer"

F = columns(["########", "#.......", "#.......", "######..", "#.......", "#.......", "#......."])  # fmt: skip
SCALE = 4  # pixels for each of the letter's


def edge(width: int, height: int) -> Frame:
    """Return a frame one pixel wide along the four sides."""
    bits = (1 << height) - 1
    return Frame.of([bits, *[1 | 1 << height - 1] * (width - 2), bits], height)


def letter(width: int, height: int) -> Frame:
    """Return a large F near the top left, which is unlike its mirror images."""
    big = [_stretched(column) << 2 for column in F for _ in range(SCALE)]
    return Frame.of([0, 0, *big, *[0] * (width - 2 - len(big))], height)


def _stretched(column: int) -> int:
    bit = (1 << SCALE) - 1
    return sum(bit << SCALE * y for y in range(column.bit_length()) if column >> y & 1)


def picture(rig: BoardRig) -> Figures:
    """Show six pictures, and ask about each. Whoever sees nothing gives no answer."""
    Wire(rig)  # something answers
    size = rig.config.display.width, rig.config.display.height
    lit = rig.render(PatternScene(edges=False))
    asked: tuple[tuple[str, str, Callable[[], Iterator[None]]], ...] = (
        ("ask_lit", "Was every pixel lit?", lambda: _still(rig, lit)),
        ("ask_dark", "Was every pixel dark?", lambda: _still(rig, Frame.blank(*size))),
        (
            "ask_frame",
            "Was there a thin frame, unbroken on all four sides?",
            lambda: _still(rig, edge(*size)),
        ),
        ("ask_upright", "Was there an F, upright, at the top left?", lambda: _still(rig, letter(*size))),
        ("ask_ramp", "Did it get brighter?", lambda: _ramp(rig, lit)),
        ("ask_steady", "Did the F stay, without a flicker?", lambda: _again(rig, letter(*size))),
    )
    answers: dict[str, str] = {}
    for place, (word, text, show) in enumerate(asked, 1):
        name = word.removeprefix("ask_")
        if NO_ANSWER in answers.values():
            answers[name] = NO_ANSWER
            continue
        while (answer := _after(rig, show, text, word, f"{place}/{len(asked)}")) == AGAIN:
            pass
        answers[name] = NO_ANSWER if answer is None else YES_TEXT if answer == YES else NO_TEXT
    return answers


def _after(rig: BoardRig, show: Callable[[], Iterator[None]], text: str, word: str, done: str) -> int | None:
    for _ in show():
        rig.wait(STEP)
    return question(rig, text, word, done)


def _panel(rig: BoardRig) -> Panel:
    panel = rig.panel()
    if panel is None:
        raise CannotRunError("the display's driver cannot be loaded")
    return panel


def _still(rig: BoardRig, frame: Frame, seconds: float = LOOK, light: Light = Light()) -> Iterator[None]:  # noqa: B008 - a named tuple
    """Show a frame for so long; yield between two looks of the panel at its display."""
    panel, end = _panel(rig), rig.now() + seconds
    panel.show_frame(frame, light, rig.now())
    while rig.now() < end:
        panel.service(rig.now())
        yield


def _ramp(rig: BoardRig, frame: Frame) -> Iterator[None]:
    for step in range(STEPS):
        yield from _still(rig, frame, LOOK / STEPS, Light(contrast=255 * step // (STEPS - 1)))


def _again(rig: BoardRig, frame: Frame) -> Iterator[None]:
    for _ in range(STEADY):
        rig.forget()  # the next panel does not know what is shown, so it sends everything
        yield from _still(rig, frame, LOOK / STEADY)


def replug(rig: BoardRig) -> Figures:
    """Let the person unplug the display's power, then its data line, and note when it is back."""
    power = _replugged(rig, "VCC")
    return {**power, **_replugged(rig, "SDA")} if power["vcc_back"] == YES_TEXT else power


def _replugged(rig: BoardRig, wire: str) -> Figures:
    """Return the seconds from the display's first answer to the press that says that its picture is back."""
    Wire(rig)
    text = f"Unplug the display's {wire} for three seconds. Press a button once the picture is back."
    instruct(rig, text, "do_replug", wire=wire)
    panel = _panel(rig)
    serial = I2cSerial(rig.open_bus, rig.config.display.address, rig.now)
    lost, back_at = False, 0.0

    def look() -> None:
        nonlocal lost, back_at
        panel.service(rig.now())
        try:
            serial.command(NOP)
        except OSError:
            serial.cleanup()
            lost, back_at = True, 0.0
        else:
            back_at = back_at or rig.now()

    answer = pressed(rig, meanwhile=look)
    if answer is None and not lost:
        raise CannotRunError(NOBODY)
    name = wire.lower()
    found = {f"{name}_noticed": YES_TEXT if lost else NO_TEXT}
    if answer is None:
        return {**found, f"{name}_back": NO_TEXT}
    return {**found, f"{name}_back": YES_TEXT, f"{name}_s": round(rig.now() - back_at, 1) if lost else 0.0}


def noise(rig: BoardRig) -> Figures:
    """Send pictures and read the status while the person makes interference."""
    wire = Wire(rig)
    frames = [letter(*wire.size), edge(*wire.size)]
    text = "Switch a lamp at the same outlet on and off ten times, then press a button."
    instruct(rig, text, "do_lamp")
    wire = Wire(rig)
    wire.show(frames[0], anew=True)
    readable = not any(_off(wire, otherwise=True) for _ in range(SANE))
    rounds = resets = 0

    def send() -> None:
        nonlocal rounds, resets
        if wire.failed >= GIVE_UP:
            return
        rounds += 1
        wire.show(frames[rounds % 2])
        if readable and _off(wire):
            resets += 1
            wire.show(frames[rounds % 2], anew=True)

    if pressed(rig, meanwhile=send) is None:
        raise CannotRunError(NOBODY)
    return {"rounds": rounds, "errors": wire.failed, "kinds": wire.kinds(), "resets": resets}


def _off(wire: Wire, *, otherwise: bool = False) -> bool:
    """Return whether the display says that it is off; `otherwise` if it says nothing."""
    try:
        return bool(wire.bus.read_byte(wire.address) & STATUS_OFF)
    except OSError:
        return otherwise
