"""The unmodified keypad on a stand-in for the kernel's GPIO chip (fakechip.c), with both kinds of pins.

These are our own, directly on the kernel, and gpiozero's on the real lgpio library, with which the keypad
never parks. Needs gcc and lgpio, and fails without them: `make test-chip` runs it.
"""

import re
from itertools import combinations

from appliance.devices.keypad import ASLEEP, AWAKE

ALL_INPUTS, COLUMNS = 0b111111, 0b111000


def pins_were_spared(report):
    return not any(
        report[name] for name in ("shorts", "rows_high", "busy", "floating", "undefined", "unpulled")
    )


def test_all_states_of_the_keys(drive, pins):
    figures = drive("states")
    assert figures["ghosts"] == []
    assert figures["silent"] == []
    assert figures["slow"] == [], "accepted later than by the second equal sample"
    assert figures["missed"] == [], "every state ended the parking, and all keys up began it"
    assert figures["taps"] == [1 << key for key in range(9)], "each key alone is a tap"
    running, closed = figures["running"], figures["closed"]
    assert pins_were_spared(running)
    assert running["inputs"] == COLUMNS, "at rest the rows are outputs"
    assert running["pulled_up"] & COLUMNS == COLUMNS
    assert closed["pulled_up"] == ALL_INPUTS, "no wire is left to the pull that it had at power-on"
    parked = (running["watched"], running["armed"] >= 512)
    assert parked == ((0, False) if pins == "lgpio" else (COLUMNS, True))
    assert pins_were_spared(closed)
    assert (closed["inputs"], closed["watched"]) == (ALL_INPUTS, 0)
    assert closed["releases"] == closed["requests"], "every line was released"


def test_a_walk_names_each_bridge_and_each_wire_at_ground_or_at_3_3_v(drive):
    """The voltages of two wires that are joined are those of the model that a diagnosis searches.

    A wire at 3.3 V reads as one that is off, so both are named.
    """
    pins = [(f"row {number}", pin) for number, pin in enumerate((17, 27, 22), start=1)]
    pins += [(f"column {number}", pin) for number, pin in enumerate((5, 6, 13), start=1)]
    rows = drive("walks")
    remedies = {wires: [remedy for _, remedy in found] for wires, found in rows.items()}
    found = {
        wires: re.sub(r" \(.*?\)", "", "; ".join(what for what, _ in found)) for wires, found in rows.items()
    }
    for name, pin in pins:
        assert (
            found.pop(f"{pin}:gnd") == f"{name}{' is shorted to ground' if 'row' in name else ': held low'}"
        )
        assert found.pop(f"{pin}:3v3") == f"{name}: no contact"
        (remedy,) = remedies[f"{pin}:3v3"]
        assert re.fullmatch(
            rf"check the wire to {name} \(BCM {pin}, .*\): it is off, or at 3.3 V \(.*\)", remedy
        )
    for (one, pin), (other, second) in combinations(pins, 2):
        key = int(one[-1]) * 3 + int(other[-1]) - 3
        in_kind = one[:3] == other[:3]
        said = f"{one} and {other} are bridged" if in_kind else f"key {key}: down with nobody pressing"
        assert found.pop(f"{pin}:{second}") == said
    assert not found


# Calls of the chip, and lines released. Our pins release none before the end.
MAX_COSTS = {
    "": {
        "sense": (3, 0), "next scan": (14, 0), "first scan": (22, 0), "last scan": (22, 0),
        "parking": (9, 0), "first scan, parked": (22 + 3, 0),
    },
    "lgpio": {"sense": (3, 0), "next scan": (18, 4), "first scan": (28, 8), "last scan": (28, 8)},
}  # fmt: skip
# Calls that can fail: of a scan, of constructing a keypad, of closing it.
CALLS = {"": (14, 6, 3), "lgpio": (18, 9, 3)}


def test_what_a_look_costs(drive, pins):
    costs = drive("costs")
    print(costs)  # noqa: T201 - figures, for -rP
    assert costs.keys() == MAX_COSTS[pins].keys()
    for name, (ioctls, releases) in MAX_COSTS[pins].items():
        assert costs[name]["ioctls"] <= ioctls, name
        assert costs[name]["releases"] <= releases, name


def test_faults_leave_inputs_and_heal(drive, pins):
    figures = drive("faults")
    assert len(figures["polls"]) >= CALLS[pins][0]
    assert len(figures["makes"]) >= CALLS[pins][1]
    assert len(figures["closes"]) >= CALLS[pins][2]
    for fault in figures["closes"]:
        assert fault == {"inputs": ALL_INPUTS, "pulled_up": ALL_INPUTS}
    for fault in figures["polls"] + figures["makes"]:
        assert fault["error"]
        assert fault["inputs"] == ALL_INPUTS
        assert fault.get("healed") in (["Press", "Tap"], None)
    assert pins_were_spared(figures["end"])


def test_what_wakes_it_at_rest_and_closing_while_it_rests(drive, pins):
    figures = drive("wakeups")
    print(figures["awake"], figures["asleep"])  # noqa: T201 - as above
    for name, pause in ("awake", AWAKE), ("asleep", ASLEEP):
        assert figures[name]["polls"] <= figures[name]["seconds"] / pause + 1
        assert figures[name]["scanner"] <= 2 * figures[name]["polls"], "one a poll; two if a lock was held"
    parked, closed = figures["parked"], figures["closed"]
    if pins != "lgpio":
        for name in "awake", "asleep":
            assert [figures[name][count] for count in ("polls", "scanner", "others")] == [0, 0, 0]
        assert parked["watched"] == COLUMNS
        assert parked["edges"] >= 9
    assert (closed["inputs"], closed["watched"]) == (ALL_INPUTS, 0)
    assert pins_were_spared(closed)
    assert not figures["alive"]


def test_an_active_buzzer_sounds_on_both_kinds_of_pins_and_is_silent_when_they_are_closed(drive):
    """A win is three short beeps and a long one; a low level trigger needs the opposite levels."""
    levels = "0101010111100"
    assert drive("sounds") == {"active": levels, "active-low": levels.translate({48: "1", 49: "0"})}
