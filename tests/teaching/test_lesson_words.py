"""The texts of the lesson's page: every language has the same keys and places, and its own plural forms."""

import json
import re

import pytest

from appliance.core.words import LANGUAGES
from appliance.teaching.lesson.assemble import HERE

WORDS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in HERE.glob("words/*.json")}
PLURALS = {  # those of Intl.PluralRules
    "en": ["one", "other"],
    "de": ["one", "other"],
    "fr": ["one", "many", "other"],
    "es": ["one", "many", "other"],
    "pl": ["one", "few", "many", "other"],
    "cs": ["one", "few", "many", "other"],
}
LONGEST = 2.2  # times the English, and a little more: a figure has no room for an essay


def texts(language):
    """Return the texts by "group.key", plural forms as an object."""
    return {f"{group}.{key}": text for group, texts in WORDS[language].items() for key, text in texts.items()}


def forms(text):
    return text if isinstance(text, dict) else {"": text}


def places(text):
    return {name for form in forms(text).values() for name in re.findall(r"\{(\w+)\}", form)}


def test_the_page_speaks_the_languages_of_the_box():
    assert set(WORDS) == set(LANGUAGES)


@pytest.mark.parametrize("language", sorted(WORDS))
def test_texts_are_those_of_english(language):
    english, spoken = texts("en"), texts(language)
    assert list(spoken) == list(english)
    for key, text in spoken.items():
        assert places(text) == places(english[key]), key
        assert isinstance(text, dict) == isinstance(english[key], dict), key
        if isinstance(text, dict):
            assert list(text) == PLURALS[language], key
        for form in forms(text).values():
            assert form == form.strip() != "", key
            assert re.sub(r"\{\w+\}", "", form).count("{") == 0, key
            assert len(form) <= LONGEST * max(map(len, forms(english[key]).values())) + 16, key


@pytest.mark.parametrize("language", sorted({*WORDS} - {"en"}))
def test_sentences_are_translated(language):
    english = {key: text for key, text in texts("en").items() if len(str(text)) > 40}
    same = [key for key, text in texts(language).items() if text == english.get(key)]
    assert same == []
