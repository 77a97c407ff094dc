"""Whoever writes what a message advises is not refused again, and gets what was meant."""

import re
from itertools import islice, product

import pytest
from effort import amount
from hypothesis import given
from hypothesis import strategies as st

from appliance.config.reading import config_from_node
from appliance.config.schema import SECTIONS, Config
from appliance.config.yamlfile import parse_yaml
from appliance.core.errors import UserError

KEYS = [key for _, keys in SECTIONS.values() for key in keys.values()]
NUMBERS = ("0", "1", "5", "24", "39", "80", "120", "600", "0,5", "2.5", "1,800")
UNITS = ("", "s", " sec", " min", " minutes", "h", " days", " weeks", "ms", "%", "c", "x")
WORDS = ("GPIO24", "BCM 24", "0x7b", "ssd1315 ", "SSD-1306", "ssd1305", "SH1106", "never", "off", "HARD", "y")
WORDS += ("Deutsch", "YES,", "en_GB", "Expert", "schwer", "None", "17, 27, 22", "(5 6 13)", "hrad", "/x")
TEXTS = (*WORDS, *(number + unit for number in NUMBERS for unit in UNITS))

STRIDE = 7  # has no divisor in common with their number, so that each key meets each kind of text


def error_of(text):
    try:
        config_from_node(parse_yaml(text, "box.yaml"))
    except UserError as error:
        return str(error)
    return ""


@pytest.mark.more
def test_a_value_that_is_advised_is_accepted():
    followed = 0
    for key, written in islice(product(KEYS, TEXTS), 0, None, amount(STRIDE, 1)):
        line = f"{key.section}:\n  {key.name}: {{}}" if key.section else f"{key.name}: {{}}"
        found = re.search(r"\(write ([^\":]+?)(: header pin .*)?\)$", error_of(line.format(written)))
        if found:
            followed += 1
            again = error_of(line.format(found[1]))
            assert "expected" not in again, f"{key.path}: {written}"  # though it may clash with another key
    assert followed > amount(300 // STRIDE, 300)


@given(st.lists(st.integers(1, 27), min_size=3, max_size=3), st.sampled_from(["rows", "columns"]))
def test_pins_of_the_header_are_advised_only_where_they_fit(pins, kind):
    found = re.search(r'\(write "(.*)" if the ', error_of(f"keypad: {{{kind}: {pins}}}"))
    assert not found or not error_of(f"keypad: {{{found[1]}}}")


@pytest.mark.parametrize(("written", "seconds"), [
    ("30 s", 30), ("30 sec.", 30), ("20 seconds", 20), ("10 min", 600), ("1,5 minutes", 90), ("2h", 7200),
    ("2,5", 2.5),
])  # fmt: skip
def test_a_time_with_a_unit(written, seconds):
    error = error_of(f"rest:\n  visit: {written}")
    found = re.search(r"\(write ([0-9.]+)\)$", error)
    config = config_from_node(parse_yaml(f"rest: {{visit: {found[1]}}}", "box.yaml"), Config())
    assert config.options.visit == seconds


@pytest.mark.parametrize("written", ["2 weeks", "50%", "3c", "1 mois", "10 x", "1,800"])
def test_no_number_is_advised_for_an_unknown_unit(written):
    assert "write" not in error_of(f"rest:\n  visit: {written}")


@pytest.mark.parametrize("line", [
    "exhibit: yes/no", "exhibit: nah", "exhibit: untrue", "game: {coach: 'not true'}", "i2c-1: yes",
    "game: {first: not you}", "game: {level: not hard}", "game: {pause: .5s}", "led: {pin: on}",
    "led: {pin: pin 22}", "rest: {off: 1:30}", "rest: 600", "sound: {kind: inactive}", "Mein Spiel: ja",
    "keypad: {rows: [29, 31]}",
])  # fmt: skip
def test_nothing_is_advised_where_it_could_be_the_opposite(line):
    assert not re.search("write|did you mean", error_of(line))


@pytest.mark.parametrize(("line", "remedy"), [
    ("sound: {kind: active-lo}", 'did you mean "active-low"?'), ("exhibit: ANO", "write yes"),
    ("sound: {kind: active low level}", "write active-low"), ("rest: {dim: aus}", "write 0"),
    ("keypad: {rows: [GPIO 17, GPIO 27, GPIO 22]}", "write [17, 27, 22]"), ("state: nein", "write none"),
])  # fmt: skip
def test_advice_that_could_easily_be_the_opposite(line, remedy):
    assert error_of(line).endswith(f" ({remedy})")
