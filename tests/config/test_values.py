"""What one value may be: accepted as it stands, refused with a sentence, written to read the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.config.values import BOOLEAN, integer, integer_choice, number, or_none, several, text, word
from appliance.config.yamlfile import parse
from appliance.core.errors import UserError

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


# fmt: off
ACCEPTED = [
    (KEY, {"1": 1, "+9": 9, "0x5": 5}),
    (integer(-5, 5), {"-5": -5}),
    (ADDRESS, {"0x3C": 60, "60": 60}),
    (PLAYERS, {"0": 0}),
    (PAUSE, {"0": 0.0, "-0.0": 0.0, "0.4": 0.4, ".5": 0.5, "5.": 5.0, "1e-1": 0.1}),
    (IDLE, {"0": 0.0, "-0.0": 0.0, "1": 1.0}),
    (BOOLEAN, {"on": True, "True": True, "yes": True, "NO": False, "off": False, "false": False}),
    (POWER, {"on": "on", "'on'": "on"}),
    (NAME, {"no": "no", "'no # comment'": "no # comment"}),
    (PIN, {"none": None, "0": 0}),
    (PINS, {"[1, 2, 3]": (1, 2, 3)}),
    (several(2, PIN), {"[none, 3]": (None, 3)}),
]
REFUSED = [
    (KEY, "expected a key from 1 to 9", {
        "0": "0", "10": "10", "'5'": '"5" in quotes', "5.0": "5.0", "-05": "-05", "1:3": '"1:3"', "٣": '"٣"',
        "9" * 5000: f"{'9' * 37}...", "true": '"true"', "": "nothing", "[5]": "a list",
    }),
    (KEY, "expected a whole number without a leading 0", {"05": "05"}),
    (PAUSE, "expected a number of seconds from 0 to 10", {
        "10.1": "10.1", "1e999": "1e999", ".inf": '".inf"', "nan": '"nan"', "{a: 1}": "a mapping",
    }),
    (IDLE, "expected seconds from 1 to 60, or 0 for never", {"1e-300": "1e-300", "0.99": "0.99"}),
    (BOOLEAN, "expected yes or no", {
        "1": "1", "yess": '"yess" (did you mean "yes"?)', "'yes'": '"yes" in quotes (did you mean "yes"?)',
    }),
    (POWER, "expected one of cut, on", {"Cut": '"Cut" (did you mean "cut"?)', "[on]": "a list"}),
    (NAME, "expected a name", {
        "Anna": '"Anna"', "''": '"" in quotes', '"a\\nb"': '"a\\nb" in quotes',
        '"a\\tb"': '"a\\tb" in quotes', "[a]": "a list",
    }),
    (PIN, "expected a pin from 0 to 27, or none", {"28": "28", "non": '"non" (did you mean "none"?)'}),
]
# fmt: on


@pytest.mark.parametrize(
    ("kind", "written", "expected"),
    [(kind, written, expected) for kind, cases in ACCEPTED for written, expected in cases.items()],
)
def test_accepted(kind, written, expected):
    found = value(kind, written)
    assert (found, type(found)) == (expected, type(expected))
    assert str(found) == str(expected)  # 0.0 is not -0.0


@pytest.mark.parametrize(
    ("kind", "written", "expected"),
    [
        (kind, written, f"{wanted}, found {found}")
        for kind, wanted, cases in REFUSED
        for written, found in cases.items()
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
