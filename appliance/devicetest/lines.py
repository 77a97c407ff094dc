"""Checks 1 and 2: the chip, its lines, and their pulls with no button pressed."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress

from appliance.core.keys.scan import COLUMNS
from appliance.devices.keypad import SETTLE_READS
from appliance.devicetest.asking import Request
from appliance.devicetest.chip import TracedPin
from appliance.devicetest.judge import Figure, Figures
from appliance.devicetest.rig import BoardRig, Pins

SETTLE = 0.001  # seconds: a pull of 100 kilohms charges even a nanofarad of wire in a tenth of it
PAUSE = 2.0  # seconds for the person to take the hands off
HANDS_OFF = Request("Hands off the buttons, please.", "hands_off")


def pins(rig: BoardRig) -> Figures:
    """Return what the kernel says about the chip and the keypad's lines; claim none of them."""
    chip = rig.chip()
    held = [line for line in chip.lines if line.holder]
    return {
        "label": chip.label,
        "held": len(held),
        "holders": ", ".join(f"{line.number} {line.holder}" for line in held),
        "outputs": " ".join(str(line.number) for line in chip.lines if line.output),
        "access": rig.access(chip),
    }


def pulls(rig: BoardRig) -> Figures:
    """Return how the lines were left, whether each follows its pulls, and which are joined."""
    rig.ask(HANDS_OFF)
    rig.wait(PAUSE)
    with rig.pins() as claimed:
        lines = dict(zip(rig.numbers, (*claimed.rows, *claimed.columns), strict=True))
        left = {number: bool(pin.state) for number, pin in lines.items()}
        levels = {pull: _levels(rig, lines, pull) for pull in ("floating", "down", "up")}
        low = [number for number, level in levels["up"].items() if not level]
        high = [number for number, level in levels["down"].items() if level]
        joined = None if high else _joined(rig, lines, low)  # low against 3.3 V would be a short
    figures: dict[str, Figure] = {
        "left": _digits(left),
        "off": _digits(levels["floating"]),
        "up_reads_low": len(low),
        "down_reads_high": len(high),
        "lines": " ".join((*map(str, sorted({*low, *high})), *(joined or ()))),
    }
    return figures if joined is None else figures | {"joined": len(joined)}


def _digits(levels: Mapping[int, bool]) -> str:
    return "".join(str(int(level)) for level in levels.values())


def _levels(rig: BoardRig, lines: Mapping[int, TracedPin], pull: str) -> Mapping[int, bool]:
    """Return what each line reads while all have this pull, so that bridged lines follow it, too."""
    for pin in lines.values():
        pin.input_with_pull(pull)
    rig.wait(SETTLE)
    return {number: bool(pin.state) for number, pin in lines.items()}


def _joined(rig: BoardRig, lines: Mapping[int, TracedPin], low: Sequence[int]) -> list[str]:
    """Return the pairs of lines of which one pulls the other down: "5-17". Those in `low` always are."""
    found = set()
    for number, pin in lines.items():
        pin.output_with_state(state=False)
        rig.wait(SETTLE)
        follow = [other for other, line in lines.items() if other not in {number, *low} and not line.state]
        found |= {(min(number, other), max(number, other)) for other in follow}
        pin.input_with_pull("up")
        rig.wait(SETTLE)
    return [f"{one}-{other}" for one, other in sorted(found)]


def pull_up(claimed: Pins) -> None:
    """Make all pins inputs with a pull-up."""
    for pin in (*claimed.columns, *claimed.rows):
        pin.input_with_pull("up")


def scan(claimed: Pins) -> int:
    """Return the closed keys (bits), ghosts included; every pin is pulled up before and after."""
    return sum(closed << row * COLUMNS for row, closed in enumerate(_scanned(claimed)))


def _scanned(claimed: Pins) -> Iterator[int]:
    """Yield the columns (bits) that each row pulls down."""
    for pin in claimed.rows:
        pin.output_with_state(state=False)
        low = [not line.state for line in claimed.columns]
        yield sum(closed << column for column, closed in enumerate(low))
        pin.input_with_pull("up")
        for line in compress(claimed.columns, low):
            any(line.state for _ in range(SETTLE_READS))
