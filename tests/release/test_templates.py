"""The forge's forms: what GitHub refuses in silence, and what they ask for."""

import re
from pathlib import Path

import pytest
import yaml

from appliance.bootfiles.file_table import boot_table
from appliance.slots.publish import REPORT

FORMS = {path.stem: path for path in (Path(__file__).parents[2] / ".github/ISSUE_TEMPLATE").glob("*.yml")}
KEYS = {  # of an element of GitHub's form schema, as documented
    "markdown": {"value"},
    "input": {"label", "description", "placeholder", "value"},
    "textarea": {"label", "description", "placeholder", "value", "render"},
    "dropdown": {"label", "description", "multiple", "options", "default"},
    "checkboxes": {"label", "description", "options"},
}


def form(name):
    return yaml.safe_load(FORMS[name].read_text())


@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_one_that_github_takes(name):
    content = form(name)
    assert {"name", "description", "body"} == set(content)
    asked = [one for one in content["body"] if one["type"] != "markdown"]
    assert asked
    for one in content["body"]:
        assert set(one) <= {"type", "id", "attributes", "validations"}
        assert set(one["attributes"]) <= KEYS[one["type"]]
        assert ("label" if one in asked else "value") in one["attributes"]
        assert all(isinstance(text, str) for text in one["attributes"].get("options", []))
        assert set(one.get("validations", {})) <= {"required"}
    for each in ([one["id"] for one in asked], [one["attributes"]["label"] for one in asked]):
        assert len(set(each)) == len(each)
    assert all(re.fullmatch(r"[\w-]+", one["id"]) for one in asked)


def test_the_forms_ask_for_the_report_and_offer_each_model():
    assert all(REPORT in " ".join(path.read_text().split()) for path in FORMS.values())
    (model,) = [one for one in form("problem")["body"] if one.get("id") == "model"]
    *named, other = model["attributes"]["options"]
    assert named == [each.name for each in boot_table().models.values()]
    assert other == "Another, or none"
