"""The kinds of value: what each accepts, how it rejects the rest, and that it reads what it writes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.config.kinds import BOOLEAN, choice, integer, number, or_none, several, text
from appliance.config.yamlfile import parse_yaml
from appliance.core.errors import UserError

KEY = integer(1, 9, "a key")
ADDRESS = integer(0x03, 0x77, "an I2C address", hexadecimal=True)
PLAYERS = choice(1, 2, 0)
PAUSE = number(0, 10, "a number of seconds")
IDLE = number(1, 60, "seconds", zero="never")
POWER = choice("cut", "on")
NAME = text("a name", "[a-z].*")
PIN = or_none(integer(0, 27, "a pin"))
PINS = several(3, integer(0, 27, "a pin"))


def value(kind, written):
    return kind.read(parse_yaml(f"v: {written}", "box.yaml").value["v"])


# A kind, each way to write a value, and the way `config show` writes it.
ACCEPTED = [
    (KEY, {"5": 5, "+5": 5, "0x5": 5}, "5"),
    (integer(-5, 5), {"-5": -5}, "-5"),
    (ADDRESS, {"0x3C": 60, "60": 60}, "0x3c"),
    (PLAYERS, {"0": 0}, "0"),
    (PAUSE, {"0": 0.0, "-0.0": 0.0}, "0"),
    (PAUSE, {".5": 0.5, "5e-1": 0.5}, "0.5"),
    (PAUSE, {"2": 2.0, "2.": 2.0}, "2"),
    (PAUSE, {"0.0000001": 1e-7}, "1e-07"),
    (IDLE, {"0": 0.0, "-0.0": 0.0}, "0"),
    (IDLE, {"1": 1.0}, "1"),
    (BOOLEAN, {"on": True, "True": True, "yes": True}, "yes"),
    (BOOLEAN, {"NO": False, "off": False, "false": False}, "no"),
    (POWER, {"on": "on", "'on'": "on"}, "on"),
    (NAME, {"no": "no"}, "no"),
    (NAME, {"a-b.c:D": "a-b.c:D"}, "a-b.c:D"),
    (NAME, {"'no # comment'": "no # comment"}, '"no # comment"'),
    (PIN, {"none": None}, "none"),
    (PIN, {"4": 4}, "4"),
    (PINS, {"[1, 2, 3]": (1, 2, 3)}, "[1, 2, 3]"),
]
# fmt: off
REFUSED = [
    (KEY, "expected a key from 1 to 9", {
        "0": "0", "10": "10", "'5'": '"5" in quotes (write 5)', "5.0": "5.0 (write 5)",
        "-05": "-05", "1:3": '"1:3"',
        "9" * 5000: f"{'9' * 37}...", "true": '"true"', "": "nothing", "[5]": "[5]",
    }),
    (KEY, "expected a key from 1 to 9", {"05": "05 (write 5)", "5 s": '"5 s" (write 5)'}),
    (PLAYERS, "expected one of 1, 2, 0", {"12": "12", "[1]": "[1]"}),
    (PAUSE, "expected a number of seconds from 0 to 10", {
        "10.1": "10.1", "1e999": "1e999", ".inf": '".inf"', "nan": '"nan"', "{a: 1}": "{a: 1}",
        "0,5": '"0,5" (write 0.5)', "250 ms": '"250 ms" (write 0.25)',
    }),
    (IDLE, "expected seconds from 1 to 60, or 0 for never", {"1e-300": "1e-300", "0.99": "0.99"}),
    (BOOLEAN, "expected yes or no", {
        "1": "1 (write yes)", "ne": '"ne" (write no)', "ano": '"ano" (write yes)', "untrue": '"untrue"',
        "yes.": '"yes." (write yes)', "yess": '"yess" (did you mean "yes"?)',
        "'yes'": '"yes" in quotes (write yes)',
    }),
    (POWER, "expected one of cut, on", {
        "Cut": '"Cut" (write cut)', "out": '"out"', "cuut": '"cuut" (did you mean "cut"?)',
    }),
    (NAME, "expected a name", {
        "Anna": '"Anna" (write anna)', "''": '"" in quotes', '"a\\tb"': '"a\\tb" in quotes', "[a]": "[a]",
    }),
    (PIN, "expected a pin from 0 to 27, or none", {
        "28": "28", "non": '"non" (write none)', "on": '"on"', "nnoe": '"nnoe" (did you mean "none"?)',
    }),
]
# fmt: on


@pytest.mark.parametrize(("kind", "values", "written"), ACCEPTED)
def test_accepted_and_written(kind, values, written):
    for example, expected in values.items():
        found = value(kind, example)
        assert (found, type(found), str(found)) == (expected, type(expected), str(expected))  # 0.0, not -0.0
        assert kind.write(found) == written
    assert value(kind, written) == found


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


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.isprintable))
def test_every_text_reads_as_it_was_written(known):
    kind = text("text")
    assert value(kind, kind.write(known)) == known
