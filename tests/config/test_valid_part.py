"""What is used of a configuration with mistakes."""

import pytest

from appliance.config.reading import read_config
from appliance.config.schema import DisplayConfig, KeypadConfig
from appliance.core.errors import UserError
from appliance.service import start


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
    ([f"display: {{{', '.join('abcdefghij')}, driver: sh1106}}\n"], DisplayConfig("sh1106")),
    (["game: {rule: ultimate}\ndisplay: {address: 0x3d, height: 32}\n"],
     DisplayConfig(address=0x3D, height=32)),
    (["display: {height: 32}\n", "display: {driver: sh1106, port: 3}\n"], DisplayConfig("sh1106", 3)),
    (["display: {port: 3}\n", "- list\n"], DisplayConfig(port=3)),
    (["", "display:\n"], DisplayConfig()),
    ([None, "display: {rotate: 180}\n"], DisplayConfig(rotate=180)),
])  # fmt: skip
def test_the_valid_display_settings_of_an_invalid_configuration_are_used(tmp_path, texts, display):
    files = [tmp_path / f"{number}.yaml" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        if text is not None:
            file.write_text(text)
    assert read_config([file for file in files if file.exists()]).config.display == display


def test_the_language_is_found_even_where_the_display_is_not(tmp_path):
    file = tmp_path / "box.yaml"
    file.write_text("display: {height: 33}\nlanguage: pl\n")
    config = read_config([file]).config
    assert (config.settings.language, config.display) == ("pl", DisplayConfig())


def test_a_mistake_on_the_card_is_played_past_and_another_is_not(tmp_path, monkeypatch):
    other, card = tmp_path / "config.yaml", tmp_path / "tictactoe.yaml"
    monkeypatch.setattr(start, "ON_CARD", card)
    other.write_text("game: {level: easy}\n")
    card.write_text("language: pl\ngame: {level: hrad}\nkeypad: {hold: 2.0}\n")
    config, mistakes = start.configuration([other, card], strict=False)
    assert len(mistakes) == 1
    assert (config.settings.language, config.settings.level, config.keypad.hold) == ("pl", "easy", 2.0)
    other.write_text("game: {level: hrad}\n")
    for text in ("", "game: {level: hrad}\n"):
        card.write_text(text)
        with pytest.raises(UserError, match=rf"^{other}:1: game\.level: "):
            start.configuration([other, card], strict=False)


def test_keys_that_fit_only_together_stay_together(tmp_path):
    file = tmp_path / "box.yaml"
    keypad = "keypad: {rows: [5, 6, 13], colums: [1, 2, 3], columns: [17, 27, 22]}\n"
    file.write_text(f"{keypad}rest: {{off: 30, dim: 9, x: }}\n")
    config = read_config([file]).config
    assert config.keypad == KeypadConfig((5, 6, 13), (17, 27, 22))
    assert (config.options.off, config.options.dim) == (30, 9)


TABS = "".join(f"\tx{number}: 1\n" for number in range(20))


@pytest.mark.parametrize(("text", "exhibit", "power"), [
    ("exhibit: ja", True, True), ("exhibit: Yes.", True, True), ("exhibit:", True, True),
    ("Exhibit: yes\nlanguage: xx", True, True), ("exhibit = yes\ngame: hard", True, True),
    ("game:\n  exhibit: yes", True, True), ("exhibit: no\nlog: loud", False, True),
    ("log: loud", False, True), ("power: {menu: nein}", False, False), ("power: {menu: YES.}", False, True),
    ("power: no", False, False), ("power: aus", False, False), ("exhibition: yes", True, True),
    ("exibit: no", False, True), ("* exhibit: yes", True, True), ("exhibit: yes; log: info", True, True),
    (f"game:\n{TABS}exhibit: yes", True, True), ("exhibit: [yes", True, True),
])  # fmt: skip
def test_a_box_for_the_public_stays_one_whatever_else_is_wrong(tmp_path, text, exhibit, power):
    file = tmp_path / "box.yaml"
    file.write_text(text)
    found = read_config([file])
    assert found.mistakes
    assert (found.config.options.exhibit, found.config.options.power) == (exhibit, power)


def test_every_mistake_is_found_and_every_right_key_is_kept(tmp_path):
    file = tmp_path / "box.yaml"
    file.write_text(
        "game:\n  level: hrad\n  frist: you\n  pause: 1\ndisplay:\n  driver sh1106\n  contrast: 100\n"
        "keypad:\n  rows: [17, 27, 99]\nrest: {off: 30, visit: 9}\nlanguage: deutsch\nled: {pin: 5}\n"
    )
    config, mistakes, _ = read_config([file])
    assert sorted(one.line for one in mistakes) == [2, 3, 6, 9, 10, 11, 12]
    kept = {"game.pause", "display.driver", "display.contrast", "rest.visit", "language"}
    assert set(config.origins) == kept
    assert (config.display.driver, config.settings.language) == ("sh1106", "de")


@pytest.mark.parametrize("text", [
    "language: de\n- exhibit: yes", "language: de\n@x: 1\n  y: 2\n  z: 3\nlog: info", "power: aus",
    "display:\n  driver: sh1106\n  rotate. 0\n  height: 64\nlanguage: de\nrest:\n  menu: 9\nled:\n  pin: 4",
    "language: de\nrest&\n  menu: 20\n  dim: 60\nlog: info",
    "keypad:\n  !hold: 1\ndisplay:\n  port: 1\nlog: info", "-----\nlanguage: de", "power: perhaps",
    "[display]\ndriver: sh1106", "game:\n  @a\n  @b\n  @c",
])  # fmt: skip
def test_one_broken_block_is_one_mistake(tmp_path, text):
    file = tmp_path / "box.yaml"
    file.write_text(text)
    assert len(read_config([file]).mistakes) == 1


def test_a_slip_of_a_whole_file_is_one_mistake_of_one_page(tmp_path):
    file = tmp_path / "box.yaml"
    file.write_text("rest:\n" + "\tdim: 1\n" * 900)
    found, _ = map(str, read_config([file]).mistakes)
    assert found.endswith(
        "(indent with spaces, not with a tab; also lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, "
        "15, 16, 17, 18, 19, 20, 21 and 22, ...)"
    )


@pytest.mark.parametrize("text", [
    "keypad:\n  rows: [5, 6, 13]\n  columns: [17, 27, 99]", "display: {driver: ssd1322, column: 3}",
    "display: {driver: sh1106, height: 33}", "rest: {off: 30, dim: x}",
])  # fmt: skip
def test_what_conflicts_only_with_a_default_is_no_mistake_of_its_own(tmp_path, text):
    file = tmp_path / "box.yaml"
    file.write_text(text)
    assert len(read_config([file]).mistakes) == 1


def test_a_wrong_file_has_as_many_mistakes_as_a_person_can_read(tmp_path):
    """2,499 would keep a Pi Zero longer than a start may take, and then slow every press."""
    file = tmp_path / "box.yaml"
    file.write_text("".join(f"name{number}: 1\n" for number in range(2_499)))
    mistakes = read_config([file]).mistakes
    assert len(mistakes) == 51
    assert (
        str(mistakes[-1]) == f"{file}:51: more than 50 mistakes, the rest is not read; is it the right file?"
    )


def test_a_key_is_named_briefly(tmp_path):
    """A page about a key of 65,000 letters would take longer than a start may."""
    file = tmp_path / "box.yaml"
    file.write_text("a" * 65_000 + ":")
    [mistake] = read_config([file]).mistakes
    assert mistake.path == "a" * 37 + "..."
