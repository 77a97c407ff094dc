"""Whatever a page sends, the desk does or refuses in a sentence: any JSON, and what is none."""

import json
import re

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from appliance.desk.asking import LISTS, PAGE_COMMANDS, SPEEDS
from appliance.desk.desk import encode_message
from appliance.simulator.key_faults import KEY_FAULTS

FIT = st.sampled_from([*range(9), *SPEEDS, *LISTS, *KEY_FAULTS, True, False, None, "- tap: 5\n"])
NEAR = st.one_of(
    FIT,
    st.sampled_from(range(-1, 10)).map(float),
    st.sampled_from(["0", "17", "-1", "²", "__proto__", "\ud800", 10**400, -0.0, 9.5]),
    st.floats(),  # NaN and infinities among them: Python reads them, though JSON has none
    st.integers(),
    st.text(max_size=8),
)
JSON = st.recursive(
    NEAR,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NEAR.map(str), inner, max_size=4),
    max_leaves=6,
)
STORIES = st.builds(
    "config: {{game: {{level: {}}}}}\nseed: {}\nsteps:\n- {}: {}\n".format,
    st.sampled_from(["easy", "[]", "1.0"]), st.integers(), st.sampled_from(["tap", "fault", "wait"]), JSON,
)  # fmt: skip
MESSAGES = st.one_of(
    st.builds(lambda name, value: {name: value}, st.sampled_from(list(PAGE_COMMANDS)), JSON),
    STORIES.map(lambda story: {"scenario": story}),
    JSON,
)
TWICE = st.builds('{{"{0}":{1},"{0}":{2}}}'.format, st.sampled_from(list(PAGE_COMMANDS)), st.integers(), FIT)


def standing(desk):
    return desk.box, desk.box.phase, desk.box.hardware.network.contacts, desk.box.hardware.network.stuck


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(['{"down":1.0}', '{"up":1.0}'])
@example(['{"speed":1.0}', '{"speed":NaN}', '{"speed":1e999}', '{"down":' + "9" * 5000 + "}"])
@given(st.lists(MESSAGES.map(json.dumps) | TWICE | st.text(max_size=20), min_size=1, max_size=4))
def test_any_message_is_done_or_refused_in_a_sentence(make, texts):
    page = make()
    for text in texts:
        count, before = len(page.all), standing(page.desk)
        page.text(text)
        told = [
            json.loads(encode_message(message)) for message in page.all[count:] if isinstance(message, dict)
        ]
        errors = [message["error"] for message in told if "error" in message]
        assert len(errors) <= 1
        assert not errors or standing(page.desk) == before
        for sentence in errors:
            assert sentence.isprintable()
            assert re.match(r"(message|scenario)(:\d+)?: |(next|scenario): ", sentence), (text, sentence)
        page.wait(0.05)
