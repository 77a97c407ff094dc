"""Checks 4 and 15 to 18: what the person sees and hears; a display unplugged; interference; supply.

They go through the panel, as the game does: whether it heals is what they are about.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from appliance.boardtest.display_bus import GIVE_UP, TimedDisplay
from appliance.boardtest.plan import CannotRunError, Figures
from appliance.boardtest.prompts import AGAIN, ICONS, NO, YES, Prompt, heed
from appliance.boardtest.rig import Rig
from appliance.config.schema import CHIPS, WIDE, DisplayConfig
from appliance.core.keys.key_events import Press
from appliance.core.keys.scan import CENTRE, KEYS
from appliance.core.picture.canvas import Frame, columns
from appliance.core.picture.scene import Light, PatternScene
from appliance.devices.i2c import STATUS_OFF, I2cSerial
from appliance.devices.keypad import Keypad
from appliance.devices.oled import NOP
from appliance.devices.panel import Panel
from appliance.devices.supply import PERIOD

SHOW_FOR = 3.0  # seconds that a picture is shown before the question about it
RAMP_STEPS = 16  # of the contrast
INITIALISATIONS = 5
BUS_LOOK_SECONDS = 0.05  # seconds between two looks at the bus
SANE = 20  # reads of "on" in a row, without which the status byte is not believed

TYPED = {"y": YES, "a": AGAIN, "n": NO}
ANSWER_SECONDS = 60.0
TERMINAL_POLL = 0.02  # seconds between looks at the terminal, without buttons

NOBODY_ANSWERED = f"nobody answered for {ANSWER_SECONDS:.0f} s"

YES_TEXT, NO_TEXT, NO_ANSWER = "yes", "no", "no answer"

LOAD = 10.0  # seconds

GOOD, LOW = "ok", "low"

F = columns(["########", "#.......", "#.......", "######..", "#.......", "#.......", "#......."])  # fmt: skip
SCALE = 4  # pixels for each of the letter's


# Answers of the person: by the box's own buttons, or from the terminal. Without either, none comes.


def answer(rig: Rig, text: str, word: str, done: str) -> int | None:
    """Ask a question; return YES, AGAIN or NO, None if nobody answers. `done` is the progress, as "2/6"."""
    text = f"{text} y (button 1), n (button 3), a: once more (button 2)"
    rig.ask(Prompt(text, word, done=done, question=True))
    return pressed(rig, ANSWER_SECONDS, tuple(ICONS))


def pressed(
    rig: Rig,
    seconds: float = ANSWER_SECONDS,
    keys: tuple[int, ...] = tuple(range(KEYS)),
    meanwhile: Callable[[], object] = lambda: None,
) -> int | None:
    """Wait until one of these buttons is pressed, or something is typed; return the button, None for nobody.

    Enter stands for the first of the buttons. `meanwhile` is called every few milliseconds. Whoever holds the
    centre ends the whole test: raise `KeyboardInterrupt`.
    """
    with _keypad(rig) as keypad:
        end = rig.now() + seconds
        while rig.now() < end:
            if (typed := rig.typed()) is not None:
                key = TYPED.get(typed[:1].lower(), keys[0] if len(keys) == KEYS else -1)
                if key in keys:
                    return key
            delay = TERMINAL_POLL
            if keypad is not None:
                events, delay = keypad.poll(rig.now())
                for event in heed(events):
                    if isinstance(event, Press) and event.key in keys and event.key != CENTRE:
                        return event.key
            meanwhile()
            rig.wait(delay)
    return None


@contextmanager
def _keypad(rig: Rig) -> Iterator[Keypad | None]:
    """Claim the keypad; without usable pins there are still answers on the terminal."""
    with ExitStack() as stack:
        try:
            keypad = stack.enter_context(rig.game_keypad())
        except Exception:  # noqa: BLE001 - each backend has its own errors
            yield None
        else:
            yield keypad


# The checks


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


def picture(rig: Rig) -> Figures:
    """Show six pictures, and ask about each. Whoever sees nothing gives no answer."""
    size = rig.config.display.width, rig.config.display.height
    lit = rig.render(PatternScene(edges=False))
    if not rig.flash(lit):
        raise CannotRunError("the display shows nothing")
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
        nobody = NO_ANSWER in answers.values()
        said = NO_ANSWER if nobody else _said(rig, show, text, word, f"{place}/{len(asked)}")
        answers[word.removeprefix("ask_")] = said
    if answers["frame"] == NO_TEXT:
        rig.line(f"    {if_an_edge_is_missing(rig.config.display, rig.where)}")
    return answers


def _said(rig: Rig, show: Callable[[], Iterator[None]], text: str, word: str, done: str = "") -> str:
    """Show something, and ask about it, until the answer is not "again"; return the answer's figure."""
    said: int | None = AGAIN
    while said == AGAIN:
        for _ in show():
            rig.wait(BUS_LOOK_SECONDS)
        said = answer(rig, text, word, done)
    return NO_ANSWER if said is None else YES_TEXT if said == YES else NO_TEXT


def if_an_edge_is_missing(display: DisplayConfig, where: str) -> str:
    """Return what to do about it: the display's memory may be wider than its panel."""
    fitting = [chip for chip in WIDE if display.height in CHIPS[chip].heights]
    if display.driver not in CHIPS or not fitting:
        return ""
    lower, higher = ("left", "right") if display.rotate else ("right", "left")
    remedy = "set " + " or ".join(f'"driver: {chip}"' for chip in fitting)
    if display.driver in WIDE:
        change = f'change "column: {display.column}" (0 to 4)'
        remedy = f"{change}: lower if it is the {lower} one, higher if the {higher}"
    return f"If an edge is missing, under display: in {where} {remedy}."


def _panel(rig: Rig) -> Panel:
    panel = rig.panel()
    if panel is None:
        raise CannotRunError("the display's driver cannot be loaded")
    return panel


def _still(rig: Rig, frame: Frame, seconds: float = SHOW_FOR, light: Light = Light()) -> Iterator[None]:  # noqa: B008 - a named tuple
    """Show a frame for so long; yield between two looks of the panel at its display."""
    panel, end = _panel(rig), rig.now() + seconds
    panel.show_frame(frame, light, rig.now())
    while rig.now() < end:
        panel.service(rig.now())
        yield


def _ramp(rig: Rig, frame: Frame) -> Iterator[None]:
    for step in range(RAMP_STEPS):
        yield from _still(rig, frame, SHOW_FOR / RAMP_STEPS, Light(contrast=255 * step // (RAMP_STEPS - 1)))


def _again(rig: Rig, frame: Frame) -> Iterator[None]:
    for _ in range(INITIALISATIONS):
        rig.forget()  # the next panel does not know what is shown, so it sends everything
        yield from _still(rig, frame, SHOW_FOR / INITIALISATIONS)


def replug(rig: Rig) -> Figures:
    """Let the person unplug the display's power, then its data line, and note when it is back."""
    power = _replugged(rig, "VCC")
    return {**power, **_replugged(rig, "SDA")} if power["vcc_back"] == YES_TEXT else power


def _replugged(rig: Rig, wire: str) -> Figures:
    """Return the seconds from the display's first answer to the press that says that its picture is back."""
    TimedDisplay(rig)
    text = f"Unplug the display's {wire} for three seconds. Press a button once the picture is back."
    rig.ask(Prompt(text, "do_replug", wire=wire))
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
        raise CannotRunError(NOBODY_ANSWERED)
    name = wire.lower()
    found = {f"{name}_noticed": YES_TEXT if lost else NO_TEXT}
    if answer is None:
        return {**found, f"{name}_back": NO_TEXT}
    return {**found, f"{name}_back": YES_TEXT, f"{name}_s": round(rig.now() - back_at, 1) if lost else 0.0}


def noise(rig: Rig) -> Figures:
    """Send pictures and read the status while the person makes interference."""
    timed = TimedDisplay(rig)
    frames = [letter(*timed.size), edge(*timed.size)]
    text = "Switch a lamp at the same outlet on and off ten times, then press a button."
    rig.ask(Prompt(text, "do_lamp"))
    timed = TimedDisplay(rig)
    timed.show(frames[0], anew=True)
    readable = not any(_off(timed, otherwise=True) for _ in range(SANE))
    rounds = resets = 0

    def send() -> None:
        nonlocal rounds, resets
        if timed.failed >= GIVE_UP:
            return
        rounds += 1
        timed.show(frames[rounds % 2])
        if readable and _off(timed):
            resets += 1
            timed.show(frames[rounds % 2], anew=True)

    if pressed(rig, meanwhile=send) is None:
        raise CannotRunError(NOBODY_ANSWERED)
    return {"rounds": rounds, "errors": timed.failed, "kinds": timed.kinds(), "resets": resets}


def _off(timed: TimedDisplay, *, otherwise: bool = False) -> bool:
    """Return whether the display says that it is off; `otherwise` if it says nothing."""
    try:
        return bool(timed.bus.read_byte(timed.address) & STATUS_OFF)
    except OSError:
        return otherwise


def power(rig: Rig) -> Figures:
    """Read the undervoltage alarm before, during and after all cores are busy and all pixels are lit."""
    if rig.undervoltage() is None:
        raise CannotRunError("this machine does not measure its supply; a Zero has no circuit for it")
    before = _watched(rig, PERIOD)
    with rig.machine.busy() as cores:
        rig.show(PatternScene(edges=False))
        during = _watched(rig, LOAD)
    return {"cores": cores, "before": before, "during": during, "after": _watched(rig, 2 * PERIOD)}


def _watched(rig: Rig, seconds: float) -> str:
    """Return whether the alarm was raised within this time: the driver forgets it at its next look."""
    end, low = rig.now() + seconds, False
    while rig.now() < end:
        low = bool(rig.undervoltage()) or low
        rig.wait(PERIOD / 4)
    return LOW if low else GOOD


def sound(rig: Rig) -> Figures:
    """Play the tune of a win as the game does, and ask whether it was heard."""

    def tune() -> Iterator[None]:
        rig.play("win")
        yield

    return {"heard": _said(rig, tune, "Did you hear the buzzer?", "ask_heard")}
