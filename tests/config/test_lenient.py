"""What is used of a configuration with mistakes."""

import pytest

from appliance.config import lenient
from appliance.config.lenient import play_past, valid_part
from appliance.config.schema import DisplayConfig, KeypadConfig
from appliance.core.errors import UserError


@pytest.mark.parametrize(("texts", "display"), [
    ([], DisplayConfig()),
    (["game: {level: hrad}\ndisplay: {driver: sh1106, port: 3}\n"], DisplayConfig("sh1106", 3)),
    (["display: {address: 0x3d}\n", "display: {height: 32}\na: 1\n"], DisplayConfig(address=0x3D, height=32)),
    (["display: {port: 3}\n", "not yaml: ["], DisplayConfig(port=3)),
    (["display: {port: 3}\n", "display: {height: 33}\n"], DisplayConfig(port=3)),
    # Only the key that is wrong is left out: the page about it has to be visible.
    (["display:\n  driver: sh1106\n  contrst: 200\n"], DisplayConfig("sh1106")),
    (["display: {'a[b': 1, contrast: 999, driver: sh1106}\n"], DisplayConfig("sh1106")),
    (["display: {width: [1], driver: sh1106, port: [2, x]}\n"], DisplayConfig("sh1106")),
    (["display: {column: 3, address: 0x3d}\n"], DisplayConfig(address=0x3D)),
    (["display: {address: 0x3d, height: 32, driver: sh1106}\n"], DisplayConfig("sh1106", address=0x3D)),
    ([f"display: {{{', '.join('abcdefghij')}, driver: sh1106}}\n"], DisplayConfig()),
    (["game: {rule: ultimate}\ndisplay: {address: 0x3d, height: 32}\n"],
     DisplayConfig(address=0x3D, height=32)),
    (["display: {height: 32}\n", "display: {driver: sh1106, port: 3}\n"], DisplayConfig(height=32)),
    (["display: {port: 3}\n", "- list\n"], DisplayConfig(port=3)),
    (["", "display:\n"], DisplayConfig()),
    ([None, "display: {rotate: 180}\n"], DisplayConfig(rotate=180)),
])  # fmt: skip
def test_the_valid_display_settings_of_an_invalid_configuration_are_used(tmp_path, texts, display):
    files = [tmp_path / f"{number}.yaml" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        if text is not None:
            file.write_text(text)
    assert valid_part(files).display == display


def test_the_language_is_found_even_where_the_display_is_not(tmp_path):
    file = tmp_path / "box.yaml"
    file.write_text("display: {height: 33}\nlanguage: pl\n")
    config = valid_part([file])
    assert (config.settings.language, config.display) == ("pl", DisplayConfig())


def test_a_mistake_on_the_card_is_played_past_and_another_is_not(tmp_path, monkeypatch):
    other, card = tmp_path / "config.yaml", tmp_path / "tictactoe.yaml"
    monkeypatch.setattr(lenient, "ON_CARD", card)
    other.write_text("game: {level: easy}\n")
    card.write_text("language: pl\ngame: {level: hrad}\nkeypad: {hold: 2.0}\n")
    config = play_past([other, card])
    assert (config.settings.language, config.settings.level, config.keypad.hold) == ("pl", "easy", 2.0)
    other.write_text("game: {level: hrad}\n")
    for text in ("", "game: {level: hrad}\n"):
        card.write_text(text)
        with pytest.raises(UserError, match=rf"^{other}:1: game\.level: "):
            play_past([other, card])


def test_keys_that_fit_only_together_stay_together(tmp_path):
    file = tmp_path / "box.yaml"
    keypad = "keypad: {rows: [5, 6, 13], colums: [1, 2, 3], columns: [17, 27, 22]}\n"
    file.write_text(f"{keypad}rest: {{off: 30, dim: 9, x: }}\n")
    config = valid_part([file])
    assert config.keypad == KeypadConfig((5, 6, 13), (17, 27, 22))
    assert (config.options.off, config.options.dim) == (30, 9)
