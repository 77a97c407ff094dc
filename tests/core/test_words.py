"""What the box says: complete in six languages, and in letters that it can show."""

import shutil
import string
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import appliance
from appliance.core.font import bold_glyphs, glyphs
from appliance.core.items import PAGES
from appliance.core.settings import FIRST
from appliance.core.words import KEYS, LANGUAGES, Words, words
from engine import LEVELS, RULES

EACH = pytest.mark.parametrize("language", LANGUAGES)


def holes(text):
    return [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]


def test_six_languages_name_themselves():
    assert {code: words(code).name for code in LANGUAGES} == {
        "en": "English",
        "de": "Deutsch",
        "fr": "Français",
        "es": "Español",
        "pl": "Polski",
        "cs": "Čeština",
    }


SEVENTH = """
from appliance.config import load
from appliance.core.items import PAGES
from appliance.core.settings import Settings
from appliance.core.state import Page
from appliance.simulator.virtual import VirtualBox
from pathlib import Path
import sys
Path("box.yaml").write_text("language: eo\\n")
config = load([Path("box.yaml")])
assert config.settings.language == "eo"
assert [item.icon for item in PAGES[Page.LANGUAGE] if item] == [
    "=EN", "=DE", "=FR", "=EO", "back", "=ES", "=PL", "=CS"
]
box = VirtualBox(load([]), 0, Path("state"))
box.tap(4, 1.2)
for key in (8, 7, 4):
    box.tap(key - 1)
assert box.session.settings.language == "eo"
box.power_cut()
box.power_on()
assert box.session.settings.language == "eo"
"""


def test_a_seventh_language_touches_only_the_words(tmp_path):
    root = Path(appliance.__file__).parents[1]
    for package in ("appliance", "engine"):
        shutil.copytree(root / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    folder = tmp_path / "appliance/core/words"
    (folder / "eo.py").write_text((folder / "en.py").read_text().replace('"English"', '"Esperanto"'))
    init = folder / "__init__.py"
    init.write_text(init.read_text().replace('"cs")', '"cs", "eo")'))
    subprocess.run([sys.executable, "-c", SEVENTH], cwd=tmp_path, check=True)


@EACH
def test_every_key_is_said_and_tidily(language):
    spoken = words(language)
    assert isinstance(spoken, Words)
    for key in KEYS:
        assert spoken[key], key
        assert spoken[key] == spoken[key].strip(), key
        assert "  " not in spoken[key], key


@EACH
def test_the_same_places_wait_for_the_same_values(language):
    for key in KEYS:
        assert holes(words(language)[key]) == holes(words("en")[key]), key
    assert "1, 3" in words(language).stuck_keys.format(keys="1, 3")


@EACH
def test_every_letter_of_every_text_is_in_the_font_in_both_weights(language):
    said = set("".join(words(language)[key] for key in KEYS))
    assert not said - glyphs().keys()
    assert not said - bold_glyphs().keys()


@EACH
def test_what_a_person_must_tell_apart_is_said_differently(language):
    spoken = words(language)
    for group in (
        LEVELS,
        RULES,
        [f"first_{first}" for first in FIRST],
        ["players_0", "players_1", "players_2"],
        ["goodbye_off", "goodbye_restart", "goodbye_stop"],
        ["goodbye", "back_soon", "stopped"],
        ["you_win", "box_wins", "draw"],
        ["your_turn", "box_turn"],
        ["you", "box", "tie"],
        ["sound_on", "sound_off"],
        ["power_off", "restart"],
        ["would_power_off", "would_restart"],
    ):
        said = [spoken[key] for key in group]
        assert len(set(said)) == len(said), said


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_no_sentence_was_left_in_english(language):
    same = {key for key in KEYS if words(language)[key] == words("en")[key]}
    # Words that are the same in both languages, and nothing with a space in it.
    assert not [key for key in same if " " in words("en")[key]]
    assert len(same) <= 12


def test_a_language_that_the_box_does_not_speak_is_answered_in_english():
    assert words("tlh") is words("en")


def test_a_key_that_does_not_exist_is_a_key_error():
    with pytest.raises(KeyError):
        words("en")["__class__"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_is_a_file_of_its_own(language):
    assert import_module(f"appliance.core.words.{language}").WORDS is words(language)


def test_every_choice_of_the_menu_has_words():
    for items in PAGES.values():
        for item in items:
            assert item is None or not item.name or item.name in KEYS


def test_nothing_is_translated_that_is_never_said():
    """Every key stands in the program as `text.key`, as a string, or is made of a mark or a name there."""
    program = "\n".join(
        path.read_text(encoding="utf-8")
        for path in Path(appliance.__file__).parent.rglob("*.py")
        if path.parent.name != "words"
    )
    made = {f"{mark}_{what}" for mark in "xo" for what in ("turn", "wins")}
    made |= {f"players_{count}" for count in range(3)} | {f"first_{first}" for first in FIRST}
    assert not [
        key for key in KEYS if key not in made and f'"{key}"' not in program and f"text.{key}" not in program
    ]
