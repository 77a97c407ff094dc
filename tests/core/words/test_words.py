"""The texts of the display: complete in each language, and in letters of the font."""

import shutil
import string
import subprocess
import sys
from pathlib import Path

import pytest

import appliance
from appliance.core.picture.font import letter_columns
from appliance.core.session.settings import FIRST, LEVEL_NAMES
from appliance.core.words import LANGUAGES, words
from engine import REASONS, RULES

ENGLISH = words("en")
each_language = pytest.mark.parametrize("language", LANGUAGES)


def placeholders(text):
    return [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]


ANOTHER = """
from appliance.config.reading import load_config
from appliance.core.session.menu import PAGES
from appliance.core.session.state import Page
from appliance.simulator.virtual import VirtualBox
from pathlib import Path
Path("box.yaml").write_text("language: eo\\n")
config = load_config([Path("box.yaml")])
assert config.settings.language == "eo"
(key,) = [cell for cell, item in enumerate(PAGES[Page.LANGUAGE]) if item and item.icon == "=EO"]
box = VirtualBox(load_config([]), 0, Path("state"))
box.tap(4, 1.2)
for cell in (7, 6, key):
    box.tap(cell)
assert box.session.settings.language == "eo"
box.power_cut()
box.power_on()
assert box.session.settings.language == "eo"
"""


def test_languages_have_different_names_and_another_one_touches_only_the_words(tmp_path):
    assert len({words(code)["name"] for code in LANGUAGES}) == len(LANGUAGES)
    root = Path(appliance.__file__).parents[1]
    for package in ("appliance", "engine"):
        shutil.copytree(root / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    folder = tmp_path / "appliance/core/words"
    (folder / "eo.py").write_text((folder / "en.py").read_text().replace('"English"', '"Esperanto"'))
    init = folder / "__init__.py"
    init.write_text(init.read_text().replace(f'"{LANGUAGES[-1]}")', '"eo")'))  # the menu may be full
    subprocess.run([sys.executable, "-c", ANOTHER], cwd=tmp_path, check=True)


@each_language
def test_a_language_has_every_text_in_the_fonts_letters_with_the_same_placeholders(language):
    spoken = words(language)
    assert list(spoken) == list(ENGLISH)
    for key, text in spoken.items():
        assert text, key
        assert text == text.strip(), key
        assert "  " not in text, key
        assert placeholders(text) == placeholders(ENGLISH[key]), key
        if language != "en" and " " in text:
            assert text != ENGLISH[key], f"{key} is left in English"
        lacking = {letter for letter in text if letter_columns(letter) == letter_columns("?")}
        assert lacking <= {"?"}, f"{key}, {text!r}: draw {lacking} in core/picture/font.py"


@each_language
@pytest.mark.parametrize("keys", [
    LEVEL_NAMES, RULES, [f"first_{first}" for first in FIRST], ["alternate_you", "alternate_box"],
    ["first_1", "first_2"],
    ["players_0", "players_1", "players_2"],
    ["goodbye_off", "goodbye_restart", "goodbye_stop"], ["goodbye", "back_soon", "stopped"],
    ["you_win", "box_wins", "draw"], ["your_turn", "box_turn"],
    ["run", "best", "clear"], ["sound_on", "sound_off"], ["power_off", "restart"],
    ["would_power_off", "would_restart"], REASONS,
    ["key_moves", "key_mistakes", "key_how", "key_end"],
], ids="-".join)  # fmt: skip
def test_choices_have_different_words(language, keys):
    assert len({words(language)[key] for key in keys}) == len(keys)


def test_every_text_is_used():
    """Its key is a string in the program, or is built from a setting."""
    files = [path for path in Path(appliance.__file__).parent.rglob("*.py") if path.parent.name != "words"]
    program = "\n".join(path.read_text(encoding="utf-8") for path in files)
    made = {
        *LEVEL_NAMES,
        *RULES,
        *REASONS,
        *(f"players_{count}" for count in range(3)),
        *(f"first_{first}" for first in FIRST),
        *("alternate_you", "alternate_box", "first_1", "first_2"),
    }
    assert not [key for key in ENGLISH if key not in made and f'"{key}"' not in program]
