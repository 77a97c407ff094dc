"""What the lesson says, in Chromium: every sentence of every language, and a few walks word for word."""

import json

import pytest
from traced import subjects

from appliance.core.words import LANGUAGES
from appliance.teaching.lesson.page import HERE, SEARCH, script

OMNIBUS = {"kind": "tree", "tree": [[2, 7], [1, 8]]}
BOARD = {"kind": "board", "cells": "xo.x..ox.", "rows": 3, "columns": 3, "k": 3, "rule": "classic"}
BOARD |= {"toMove": "o", "past": None}
WORDS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in HERE.glob("words/*.json")}
SPOKEN = [language for language in LANGUAGES if language in WORDS]

SAID = """
const [languages, subject, depth, chosen, table] = arguments;
const outline = outlineOf(subject, depth);
const orders = [...ordersOf(outline), "shuffled:7"];
return languages.map((lang) => ALGORITHMS.flatMap((algorithm, place) => {
  const options = { algorithm, order: orders[(chosen + place) % orders.length], table };
  const walk = walkOf(outline, options);
  const say = new Say(lang, { outline, walk, options });
  const asked = walk.questions.flatMap((question) => {
    const other = { cut: [], value: question.answer + 1, window: { alpha: -INFINITE, beta: INFINITE } }[question.kind];
    const judged = [question.answer, other].map((given) => say.judge(question, given));
    if (!judged[0].right) throw new Error("the right answer is wrong");
    return [say.question(question), ...judged.map(({ text }) => text)];
  });
  const all = replay(outline, walk, Math.floor(walk.steps.length / 2)).state;
  return [
    ...walk.steps.map((step) => say.step(step)), ...asked, ...say.notes(), say.lead(), say.levels(0), say.levels(1),
    ...all.map((one, id) => say.state(id, { ...one, hand: !id })), ...all.map((_, id) => `${say.path(id)} ${say.label(id)}`),
  ];
}));
"""
WALK = """
const [subject, options] = arguments;
const outline = outlineOf(subject, options.depth);
const walk = walkOf(outline, options);
const say = new Say("en", { outline, walk, options });
"""
STEPS = WALK + "return walk.steps.map((step) => say.step(step));"
ASKED = (
    WALK
    + """
return walk.questions.map((question) => [say.question(question), say.judge(question, question.answer).text,
  say.judge(question, { cut: [99], value: 99, window: {} }[question.kind])]);
"""
)


@pytest.fixture
def says(chromium, tmp_path):
    """Return what runs a script beside the lesson's search and words."""
    path = tmp_path / "says.html"
    words = json.dumps(WORDS).replace("<", "\\u003c")
    path.write_text(
        f"<!DOCTYPE html><meta charset=utf-8><script type='application/json' id='words'>{words}</script>"
        f"<script>{script((*SEARCH, 'say.js', 'replay.js'))}</script>"
    )
    chromium.open(path)
    return chromium.run


@pytest.mark.parametrize("seed", range(5))
def test_no_sentence_has_a_hole_in_any_language(says, seed):
    told = 0
    for place, (subject, _, depth) in enumerate(subjects(seed, 15, 60)):
        for sentences in says(SAID, SPOKEN, subject, depth, place, place % 2 == 1):
            told += len(sentences)
            for sentence in sentences:
                assert sentence.strip(), (subject, depth)
                for hole in ("{", "}", "undefined", "NaN", "null", "[object", "  "):
                    assert hole not in sentence, (sentence, subject, depth)
    assert told > 3_000 * len(SPOKEN)


def test_a_missing_text_or_value_is_an_error(says):
    missing = "try { Say.tell('en', ...arguments); } catch (error) { return error.message; }"
    assert says(missing, "say.nothing") == "en has no text for say.nothing"
    assert says(missing, "say.returns", {"branch": "x 5"}) == "say.returns in en lacks value"
