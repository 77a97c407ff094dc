"""The keypad on every board that the datasheets allow: thresholds, pulls, resistors, leftover registers.

A test fails if a key is wrong or lost, if an input reads a voltage that the datasheet defines as neither low
nor high, or if a wire is read while one is an input without a pull-up.
"""

import re
from collections import Counter

import pytest

LIMIT = 0.016  # A, per pad
ALL = 0b111111  # rows and columns
SPARED = ("wrong", "lost", "shorts", "rows_high", "busy", "floating", "undefined", "unpulled")


def faults(results, names=SPARED):
    """Return what went wrong, by board."""
    found = {
        board: {name: counts[name] for name in names if counts[name]} for board, counts in results.items()
    }
    return {board: counts for board, counts in found.items() if counts}


def table(results):
    """Return the number of polls and what was wrong, by an input's thresholds (V)."""
    sums, lines = {}, ["boards  looks  wrong  lost"]
    for board, counts in results.items():
        name = re.match(r"(picofarads=\d+|low=[\d.]+,high=[\d.]+(,zone=\w+)?)", board)[0]
        sums.setdefault(name, Counter())["boards"] += 1
        sums[name].update({column: counts[column] for column in ("looks", "wrong", "lost")})
    lines += [
        f"{n['boards']:6} {n['looks']:6} {n['wrong']:6} {n['lost']:5}  {name}" for name, n in sums.items()
    ]
    return "\n".join(lines)


@pytest.fixture
def margins(drive):
    def run(what, tabled=True):
        results = drive(what, "margins.py")
        if tabled:
            print(table(results))  # noqa: T201 - figures, for -rP
        return results

    return run


def test_a_tap_of_each_key_on_each_board(margins):
    results = margins("single")
    assert len(results) == 120
    assert faults(results) == {}


def test_two_keys_and_chattering_contacts(margins):
    assert faults(margins("many")) == {}


def test_a_jammed_key_sends_nothing_to_another(margins):
    assert faults(margins("sticking")) == {}


def test_each_of_the_512_states_is_scanned_as_the_wires_are(margins):
    assert faults(margins("scans")) == {}


def test_bridged_wires_are_scanned_as_they_are(margins):
    """A bridge shows as itself, so that the self-test can name it, and shorts nothing."""
    assert faults(margins("bridges")) == {}


def test_what_was_left_in_the_registers_does_no_harm(margins):
    """Alternate functions, outputs of the device tree, and rows that a killed service left low."""
    results = margins("starts", tabled=False)
    assert len(results) == 21
    assert faults(results, (*SPARED, "shorts at the start")) == {}
    ends = {(counts["inputs"], counts["pulled_up"]) for counts in results.values()}
    assert ends == {(ALL, ALL)}, "closed, also where a released output would go on driving"


def test_long_wires_rise_in_time(margins):
    """A rising wire reads low for as long as the datasheet allows; no key is wrong."""
    assert faults(margins("slow_wires"), ("wrong", "lost", "shorts", "rows_high", "unpulled")) == {}


def test_a_row_that_touches_3_3_volts(margins):
    """Without a resistor in its wire the pad carries four times its limit."""
    currents = margins("faults", tabled=False)
    assert currents["0"] > 3 * LIMIT
    assert currents["470"] < LIMIT / 2
