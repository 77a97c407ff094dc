"""Pins that a board's header lacks are named, with pins that it has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.boardtest.rig import Rig
from appliance.config.pinuse import fit_header, pins_in_use
from appliance.config.schema import Config, KeypadConfig
from appliance.core.errors import FileError
from appliance.core.keys.pins import PINS, SPARE_PINS, on_header
from appliance.devices import pinout
from appliance.service import start

B_1, B_2 = "Raspberry Pi Model B Rev 1", "Raspberry Pi Model B Rev 2"


@pytest.mark.parametrize(("model", "absent", "only_there"), [
    (B_1, {0, 1, 2, 3, 27}, {21}), ("Raspberry Pi Model B", {0, 1, 2, 3, 27}, {21}),
    (B_2, {0, 1, 21}, {2, 3, 27}), ("Raspberry Pi Model B rev2", {0, 1, 21}, {2, 3, 27}),
    ("Raspberry Pi Model A Rev 2", {0, 1, 21}, {2, 3, 27}), ("Raspberry Pi Model A", {0, 1, 21}, {2, 3, 27}),
])  # fmt: skip
def test_the_first_a_and_b_have_26_pins(model, absent, only_there):
    """GPIO 0 and 1 of the first revision are its only bus, the display's."""
    pins = on_header(model)
    assert len(pins) == (15 if only_there == {21} else 17)
    assert not pins & {5, 6, 12, 13, 16, 19, 20, 26, *absent}
    assert only_there | set(SPARE_PINS) <= pins


@pytest.mark.parametrize("model", [
    "", "Raspberry Pi Model B Plus Rev 1.2", "Raspberry Pi Model B+", "Raspberry Pi Model A+",
    "Raspberry Pi Model A Plus Rev 1.1", "Raspberry Pi Zero W Rev 1.1", "Raspberry Pi 3 Model B Rev 1.2",
])  # fmt: skip
def test_all_others_have_40(model):
    assert on_header(model) == set(PINS)
    fit_header(Config(), model)


@pytest.mark.parametrize(("config", "model", "keys", "absent", "remedy"), [
    (Config(), B_2, "keypad.columns", "5, 6, 13", 'write "columns: [23, 18, 4]"'),
    (Config(buzzer=23, led=12), B_1, "keypad.rows, keypad.columns, led.pin", "27, 5, 6, 13, 12",
     'write "rows: [17, 18, 22]" and "columns: [4, 24, 25]" and "pin: 8"'),
])  # fmt: skip
def test_the_sentence_names_pins_that_are_there(config, model, keys, absent, remedy):
    with pytest.raises(FileError) as raised:
        fit_header(config, model)
    sentence = f"{keys}: the header of this {model} has 26 pins, and no free GPIO {absent} ({remedy})"
    assert str(raised.value) == sentence
    assert raised.value.page("not ready") == ("not ready", f"{absent} in {keys}: {remedy}")


@given(st.permutations(PINS), st.sampled_from([B_1, B_2]))
def test_there_are_always_enough(pins, model):
    config = Config(keypad=KeypadConfig(tuple(pins[:3]), tuple(pins[3:6])), buzzer=pins[6], led=pins[7])
    there = {use.pin for use in pins_in_use(config) if use.path != "display.port"} <= on_header(model)
    try:
        fit_header(config, model)
    except FileError as error:
        assert not there
        numbers = {int(word) for word in str(error).split("(")[1].replace(",", " ").split() if word.isdigit()}
        assert numbers <= on_header(model)
    else:
        assert there


@pytest.mark.parametrize("opens", [lambda: start.real_parts(Config(), None), Rig(Config(), "").open_factory])
def test_game_and_self_test_refuse_before_they_touch_a_pin(monkeypatch, tmp_path, opens):
    (tmp_path / "model").write_bytes(B_2.encode() + b"\0")
    assert pinout.board_name(tmp_path) == B_2
    assert pinout.board_name(tmp_path / "none") == ""
    for module in ("appliance.devices.pinout", "appliance.boardtest.rig"):
        monkeypatch.setattr(f"{module}.board_name", lambda: B_2)
        monkeypatch.setattr(f"{module}.make_factory", lambda: pytest.fail("a pin is touched"))
    with pytest.raises(FileError, match="has 26 pins"):
        opens()
