"""What the lesson says, in Chromium: every sentence of every language, and a few walks word for word."""

import json
import re

import pytest
from conftest import BOARD, OMNIBUS, SEARCH, WORDS
from traced import subjects

from appliance.core.words import LANGUAGES
from appliance.teaching.lesson.assemble import needed, script, words_of

HOLE = re.compile(r"[{}]|\bundefined\b|NaN|\bnull\b|\[object|  ")

SAID = """
const [languages, subject, depth, chosen, table] = arguments;
const outline = outlineOf(subject, depth);
const orders = [...ordersOf(outline), "shuffled:7"];
return languages.map((lang) => ALGORITHMS.flatMap((algorithm, place) => {
  const options = { algorithm, order: orders[(chosen + place) % orders.length], table };
  const walk = walkOf(outline, options);
  const say = new Say(lang, { outline, walk, options });
  const asked = walk.questions.flatMap((question) => {
    const judged = [question.answer, [-1]].map((given) => say.judge(question, given));
    if (!judged[0].right) throw new Error("the right answer is wrong");
    return [say.question(question), ...judged.map(({ text }) => text)];
  });
  const all = replay(outline, walk, Math.floor(walk.steps.length / 2)).state;
  return [
    ...walk.steps.map((step) => say.step(step)), ...asked,
    ...notesOf(say), leadOf(say), say.levels(0), say.levels(1),
    ...all.map((one, id) => say.state(id, { ...one, hand: !id })),
    ...all.map((_, id) => `${say.path(id)} ${say.label(id)}`),
  ];
}));
"""
PLAYOUTS = """
const [languages, subject, depth] = arguments;
const outline = outlineOf(subject, depth);
const lesson = { outline, montecarlo: monteCarlo(outline, 1, 9) };
return languages.map((lang) => {
  const labels = new Labels(lang, lesson);
  return Array.from({ length: 10 }, (_, at) => {
    const now = sampled(outline, lesson.montecarlo, at);
    const names = now.state.map((one, id) => labels.name(id, one, id === now.node));
    const board = labels.board(outline.nodes[now.node]);
    return [labels.sentence(at, now), labels.progress(at, 9), ...names, board];
  }).flat();
});
"""
WALK = """
const [subject, options] = arguments;
const outline = outlineOf(subject, options.depth);
const walk = walkOf(outline, options);
const say = new Say("en", { outline, walk, options });
"""
PLAIN = 'const plain = (text) => text.replaceAll("\u2212", "-");'
STEPS = f"{WALK}{PLAIN} return walk.steps.map((step) => plain(say.step(step)));"
ASKED = f"""{WALK}{PLAIN}
return walk.questions.map((question) => [say.question(question), say.judge(question, question.answer).text,
  say.judge(question, [99])]);
"""


@pytest.fixture
def says(chromium, tmp_path):
    """Return what runs a script beside the lesson's search and words."""
    path = tmp_path / "says.html"
    words = json.dumps(words_of(list(WORDS))).replace("<", "\\u003c")
    path.write_text(
        f"<!DOCTYPE html><meta charset=utf-8><script type='application/json' id='words'>{words}</script>"
        f"<script>{script(needed(*SEARCH, 'notes.js', 'figure.js'))}</script>"
    )
    chromium.open(path)
    return chromium.run


@pytest.mark.parametrize("seed", range(5))
def test_no_sentence_has_a_hole_in_any_language(says, seed):
    told = 0
    for place, (subject, _, depth) in enumerate(subjects(seed, 15, 60)):
        walked = says(SAID, LANGUAGES, subject, depth, place, place % 2 == 1)
        for told_in in [*walked, *says(PLAYOUTS, LANGUAGES, subject, depth)]:
            told += len(told_in)
            for sentence in told_in:
                assert sentence.strip(), (subject, depth)
                assert not HOLE.search(sentence), (sentence, subject, depth)
    assert told > 3_000 * len(LANGUAGES)


def test_a_missing_text_or_value_is_an_error(says):
    missing = "try { Say.tell('en', ...arguments); } catch (error) { return error.message; }"
    assert says(missing, "say.nothing") == "en has no text for say.nothing"
    assert says(missing, "say.returns", {"branch": "x 5"}) == "say.returns in en lacks value"


def sentences(text):
    """Return what is written a sentence a line, with a step a paragraph."""
    return [" ".join(map(str.strip, step.split("\n"))) for step in text.strip().split("\n\n")]


ALPHA_BETA = """
The search begins.
Max is to move and takes the highest value.
Nothing is known yet: alpha is -∞, beta +∞.

Branch 1 is next.
Min is to move and takes the lowest value.
From above, alpha is -∞ and beta +∞.

The leaf 2 is next.
This position is worth 2 for Max.

2 is the lowest value so far: beta falls to 2.

The leaf 7 is next.
This position is worth 7 for Max.

Max gets at most 2 here already: nothing changes.
No branch is left: this position returns 2.

Branch 1 returns 2.
2 is the highest value so far: alpha rises to 2.

Branch 2 is next.
Min is to move and takes the lowest value.
From above, alpha is 2 and beta +∞.

The leaf 1 is next.
This position is worth 1 for Max.

1 is the lowest value so far: beta falls to 1.

Max gets at most 1 here, but has 2 in branch 1.
So the leaf 8 is never looked at.

Branch 2 returns at most 1.
Max has 2 here already: nothing changes.
No branch is left.

The search is over.
Max takes branch 1, which is worth 2.
6 of 7 positions were visited.
"""

NEGAMAX = """
Branch 2 is next.
Min is to move and takes the highest value for itself.
The window from above, negated and its ends swapped, is -∞ to -2.

The leaf 1 is next.
This position is worth 1 for Max, who would move next.

The leaf 1 returns 1; negated, that is -1 for Min.
-1 is the highest value so far: alpha rises to -1.

Min can reach -1 here, but Max allows only -2 in branch 1.
So the leaf 8 is never looked at.

Branch 2 returns at least -1; negated, that is at most 1 for Max.
Max has 2 here already: nothing changes.
No branch is left.
"""

FAIL_HARD = """
The leaf 1 is next.
This position is worth 1 for Max.
That is outside the window from 2 to +∞: fail-hard returns the nearer end, 2.
"""

TABLE = """
o plays 5.
The table has this position, met before as o 5, x 3, o 6: its value is a draw.
It is not searched again.

o plays 5.
The table has this position, met before as o 5, x 3, o 9: its value is at most a draw.
Alpha is a draw, so that is enough, and it is not searched again.

o plays 6.
The table has this position, met before as o 6, x 3, o 9: its value is at most a draw.
Alpha is a draw, so that is enough, and it is not searched again.
"""

CUT = """
The leaf 1 returns 1.
Its parent is branch 2: Min is to move, alpha is 2, beta +∞.
Which branches are cut next?

Right.
Alpha, 2, is not below beta, 1: the window is shut.
Max gets at most 1 here, but has 2 in branch 1.
So the leaf 8 is never looked at.
"""


def test_fail_soft_alpha_beta_word_for_word(says):
    assert says(STEPS, OMNIBUS, {"algorithm": "alpha-beta"}) == sentences(ALPHA_BETA)


def test_fail_hard_says_that_a_value_was_kept_in_the_window(says):
    assert says(STEPS, OMNIBUS, {"algorithm": "fail-hard"})[8:9] == sentences(FAIL_HARD)


def test_negamax_shows_what_min_sees(says):
    assert says(STEPS, OMNIBUS, {"algorithm": "negamax"})[7:12] == sentences(NEGAMAX)


def test_the_table_says_where_it_met_a_position(says):
    steps = says(STEPS, BOARD, {"algorithm": "alpha-beta", "table": True, "order": "worst"})
    assert [step for step in steps if "The table has" in step] == sentences(TABLE)


def test_answers_are_judged_by_the_numbers_that_one_sees(says):
    asked = says(ASKED, OMNIBUS, {"algorithm": "alpha-beta"})
    assert len(asked) == 3
    assert asked[2][:2] == sentences(CUT)
    assert asked[2][2] == {"right": False, "text": sentences(CUT)[1].replace("Right.", "Not so.")}
    assert asked[0][1] == "Right. Nothing is cut yet: alpha, now \u2212∞, is still below beta, 2."
    assert not any(judged["right"] for *_, judged in asked)
