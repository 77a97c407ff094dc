"""The page says everything in each language of the box, and nothing in vain."""

import json
import re

import pytest

from appliance.core.session.settings import ALLOWED
from tools.page.site import DESK

WORDS = json.loads((DESK / "words.json").read_text(encoding="utf-8"))
PARTS = [path.read_text(encoding="utf-8") for path in [*DESK.glob("*.js"), *DESK.glob("*.html")]]
USES = r"""data-(?:text|label)="([\w-]+)"|dataset\.(?:text|label) = "([\w-]+)\""""
USES += r"|(?:word|refused|named)\(([^()]*)"


def used():
    found = [use for part in PARTS for groups in re.findall(USES, part) for use in groups if use]
    return {name for use in found for name in re.findall(r'"([\w-]+)"', use) or [use]}


def test_the_languages_are_those_of_the_box():
    assert sorted(WORDS["languages"]) == sorted(ALLOWED["language"])


@pytest.mark.parametrize("key", WORDS["texts"])
def test_each_text_is_there_in_each_language_with_the_same_places(key):
    texts = WORDS["texts"][key]
    assert len(texts) == len(WORDS["languages"])
    assert all(texts)
    assert len({text.count("{}") for text in texts}) == 1


def test_each_text_is_said_somewhere_and_each_that_is_said_is_there():
    said = {name for name in used() if re.fullmatch("[a-z-]+", name)}
    assert said - {"kind", "why", "key", "text", "label"} == {*WORDS["texts"]}  # names of variables
