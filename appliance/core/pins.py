"""Validate a keypad's pins before one is touched: a wrong one could short another device."""

from collections.abc import Mapping, Sequence

PINS = range(28)  # the BCM numbers on the 40-pin header


def check_pins(rows: Sequence[int], columns: Sequence[int], reserved: Mapping[int, str]) -> None:
    """Raise `ValueError`, with a sentence for a person, if a 3x3 matrix cannot be wired to these BCM pins.

    `reserved` maps pins to what else uses them ("the buzzer"). There must be three rows and three columns; no
    pin may be missing from the header, used twice or reserved.
    """
    taken = dict(reserved)
    for name, pins in (("row", rows), ("column", columns)):
        if len(pins) != 3:
            raise ValueError(f"the keypad needs three {name} pins, not {len(pins)}")
        for number, pin in enumerate(pins, 1):
            if pin not in PINS:
                raise ValueError(
                    f"pin {pin} does not exist: the header has the BCM numbers {PINS[0]} to {PINS[-1]}"
                )
            if pin in taken:
                raise ValueError(
                    f"pin {pin} is used by {taken[pin]} and by {name} {number}: each needs a pin of its own"
                )
            taken[pin] = f"{name} {number}"
