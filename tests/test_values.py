"""What one value may be: accepted as it stands, refused with a sentence, written to read the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.errors import UserError
from appliance.values import BOOLEAN, integer, integer_choice, number, or_none, several, text, word
from appliance.yamlfile import parse

KEY = integer(1, 9, "a key")
ADDRESS = integer(0x03, 0x77, "an I2C address", hexadecimal=True)
PLAYERS = integer_choice(1, 2, 0)
PAUSE = number(0, 10, "a number of seconds")
IDLE = number(1, 60, "seconds", zero="never")
POWER = word("cut", "on")
NAME = text("a name", "[a-z].*")
PIN = or_none(integer(0, 27, "a pin"))
PINS = several(3, integer(0, 27, "a pin"))


def value(kind, written):
    return kind.read(parse(f"v: {written}", "box.yaml").value["v"])


@pytest.mark.parametrize(
    ("kind", "written", "expected"),
    [
        (KEY, "1", 1),
        (KEY, "+9", 9),
        (KEY, "0x5", 5),
        (integer(-5, 5), "-5", -5),
        (ADDRESS, "0x3C", 60),
        (ADDRESS, "60", 60),
        (PLAYERS, "0", 0),
        (PAUSE, "0", 0.0),
        (PAUSE, "-0.0", 0.0),
        (PAUSE, "0.4", 0.4),
        (PAUSE, ".5", 0.5),
        (PAUSE, "5.", 5.0),
        (PAUSE, "1e-1", 0.1),
        (IDLE, "0", 0.0),
        (IDLE, "-0.0", 0.0),
        (IDLE, "1", 1.0),
        (BOOLEAN, "on", True),
        (BOOLEAN, "True", True),
        (BOOLEAN, "yes", True),
        (BOOLEAN, "NO", False),
        (BOOLEAN, "off", False),
        (BOOLEAN, "false", False),
        (POWER, "on", "on"),
        (POWER, "'on'", "on"),
        (NAME, "no", "no"),
        (NAME, "'no # comment'", "no # comment"),
        (PIN, "none", None),
        (PIN, "0", 0),
        (PINS, "[1, 2, 3]", (1, 2, 3)),
    ],
)
def test_accepted(kind, written, expected):
    found = value(kind, written)
    assert (found, type(found)) == (expected, type(expected))
    assert str(found) == str(expected)  # tells 0.0 from -0.0


@pytest.mark.parametrize(
    ("kind", "written", "expected"),
    [
        (KEY, "0", "expected a key from 1 to 9, found 0"),
        (KEY, "10", "expected a key from 1 to 9, found 10"),
        (KEY, "'5'", 'expected a key from 1 to 9, found "5" in quotes'),
        (KEY, "5.0", "expected a key from 1 to 9, found 5.0"),
        (KEY, "05", "expected a whole number without a leading 0, found 05"),
        (KEY, "-05", "expected a key from 1 to 9, found -05"),
        (KEY, "1:3", 'expected a key from 1 to 9, found "1:3"'),
        (KEY, "٣", 'expected a key from 1 to 9, found "٣"'),
        (KEY, "9" * 5000, f"expected a key from 1 to 9, found {'9' * 37}..."),
        (KEY, "true", 'expected a key from 1 to 9, found "true"'),
        (KEY, "", "expected a key from 1 to 9, found nothing"),
        (KEY, "[5]", "expected a key from 1 to 9, found a list"),
        (PAUSE, "10.1", "expected a number of seconds from 0 to 10, found 10.1"),
        (PAUSE, "1e999", "expected a number of seconds from 0 to 10, found 1e999"),
        (PAUSE, ".inf", 'expected a number of seconds from 0 to 10, found ".inf"'),
        (PAUSE, "nan", 'expected a number of seconds from 0 to 10, found "nan"'),
        (IDLE, "1e-300", "expected seconds from 1 to 60, or 0 for never, found 1e-300"),
        (IDLE, "0.99", "expected seconds from 1 to 60, or 0 for never, found 0.99"),
        (PAUSE, "{a: 1}", "expected a number of seconds from 0 to 10, found a mapping"),
        (BOOLEAN, "1", "expected yes or no, found 1"),
        (BOOLEAN, "yess", 'expected yes or no, found "yess" (did you mean "yes"?)'),
        (BOOLEAN, "'yes'", 'expected yes or no, found "yes" in quotes (did you mean "yes"?)'),
        (POWER, "Cut", 'expected one of cut, on, found "Cut" (did you mean "cut"?)'),
        (POWER, "[on]", "expected one of cut, on, found a list"),
        (NAME, "Anna", 'expected a name, found "Anna"'),
        (NAME, "''", 'expected a name, found "" in quotes'),
        (NAME, '"a\\nb"', 'expected a name, found "a\\nb" in quotes'),
        (NAME, '"a\\tb"', 'expected a name, found "a\\tb" in quotes'),
        (NAME, "[a]", "expected a name, found a list"),
        (PIN, "28", "expected a pin from 0 to 27, or none, found 28"),
        (PIN, "non", 'expected a pin from 0 to 27, or none, found "non" (did you mean "none"?)'),
    ],
)
def test_refused(kind, written, expected):
    with pytest.raises(UserError) as caught:
        value(kind, written)
    assert str(caught.value) == f"box.yaml:1: v: {expected}"


def test_an_item_at_fault_is_named_by_its_number():
    with pytest.raises(UserError) as caught:
        value(PINS, "[1, 99, 3]")
    assert str(caught.value) == "box.yaml:1: v[2]: expected a pin from 0 to 27, found 99"


def test_none_is_a_value_of_a_list_of_optional_values():
    assert value(several(2, PIN), "[none, 3]") == (None, 3)


@pytest.mark.parametrize(
    ("kind", "known", "written"),
    [
        (KEY, 5, "5"),
        (ADDRESS, 3, "0x03"),
        (PLAYERS, 0, "0"),
        (PAUSE, 2.0, "2"),
        (PAUSE, 0.4, "0.4"),
        (PAUSE, 1e-7, "1e-07"),
        (PAUSE, 0.0002854054144466334, "0.0002854054144466334"),
        (BOOLEAN, True, "yes"),
        (BOOLEAN, False, "no"),
        (POWER, "on", "on"),
        (NAME, "a-b.c:D", "a-b.c:D"),
        (NAME, 'a: "b" \\', '"a: \\"b\\" \\\\"'),
        (PIN, None, "none"),
        (PIN, 4, "4"),
        (PINS, (1, 2, 3), "[1, 2, 3]"),
    ],
)
def test_written(kind, known, written):
    assert kind.write(known) == written
    assert value(kind, written) == known


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.isprintable))
def test_every_text_reads_as_it_was_written(known):
    kind = text("text")
    assert value(kind, kind.write(known)) == known
