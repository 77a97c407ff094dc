"""A browser for all tests, and lessons for it to open."""

import json
import re

import pytest
from chromium import browser

from appliance.cli import main


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("chromium")) as window:
        yield window


@pytest.fixture
def lesson(chromium, tmp_path):
    """Return what writes a lesson, opens it and returns its data. In the end nothing else was requested."""

    def show(*arguments, width=1280, height=720, dark=False):
        path = tmp_path / "lesson.html"
        assert main(["lesson", *arguments, "--output", str(path)]) == 0
        chromium.size(width, height, dark=dark)
        chromium.open(path)
        return json.loads(re.search(r'id="lesson">(.*?)</script>', path.read_text(encoding="utf-8"))[1])

    chromium.log("performance")
    chromium.log("browser")
    yield show
    messages = [json.loads(entry["message"])["message"] for entry in chromium.log("performance")]
    requested = [
        m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"
    ]
    assert requested
    assert {url.rpartition("/")[2] for url in requested} == {"lesson.html"}
    assert chromium.log("browser") == []
    assert chromium.run("return performance.getEntriesByType('resource').length") == 0
