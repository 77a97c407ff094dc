"""Whether a file sets nothing has one answer: for who reads it, for the splash, and for who prepares a card.

The card image's script gives the same: tests/service/test_early_splash.py has its half.
"""

import subprocess
import sys

import pytest
from unset_files import ALL, SET, UNSET

from appliance.bootfiles.partition import Card
from appliance.bootfiles.prepare import SETTINGS, plan_remove
from appliance.config import yamlfile
from appliance.config.reading import read_config
from appliance.config.unset import empty_sections
from appliance.core.errors import UserError
from appliance.service import splash


@pytest.fixture
def file(tmp_path):
    """Return what writes a text to a file."""

    def write(text):
        path = tmp_path / SETTINGS
        path.write_bytes(text)
        return path

    return write


@pytest.mark.parametrize("name", ALL)
def test_one_answer_for_all_who_ask(file, monkeypatch, name):
    path = file(ALL[name])
    text = ALL[name].decode("utf-8", "surrogateescape")
    assert (empty_sections(text) is not None) is (name in UNSET)
    assert splash.sets_nothing(str(path)) is (name in UNSET)
    if "UTF-16" in name:
        return  # the reader alone decodes it
    card = Card(path.parent, {SETTINGS: SETTINGS})
    assert bool(plan_remove(card).changes) is (name in UNSET)
    monkeypatch.setitem(sys.modules, "yaml", None)
    try:
        yamlfile.read_yaml(path)
        parsed = False
    except ImportError:
        parsed = True
    except UserError:
        parsed = None  # it is not UTF-8
    assert parsed in (None, name not in UNSET)


@pytest.mark.parametrize("name", ALL)
def test_the_answer_is_what_yaml_would_give(file, monkeypatch, name):
    """What is unset leaves the box every default; a file that sets a key is never taken for one."""
    monkeypatch.setattr(yamlfile, "empty_sections", lambda _text: None)
    config, mistakes, _ = read_config([file(ALL[name])])
    assert bool(config.origins and not mistakes) is (name in SET)


def test_the_sections_have_their_lines():
    assert empty_sections("# x\n\ngame:\n  # level: hard\ndisplay: # mine\n") == {"game": 3, "display": 5}


def test_a_line_separator_ends_a_comment_as_in_yaml():
    for end in "\x85\u2028\u2029":
        assert empty_sections(f"# mine:{end}language: de\n") is None


def test_asking_imports_nothing(file):
    """The splash asks on a first start, before anything else is imported."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); from appliance.service import splash\n"
        "before = set(sys.modules); assert splash.sets_nothing(sys.argv[2])\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    root = yamlfile.__file__.rpartition("/appliance/")[0]
    done = subprocess.run(
        [sys.executable, "-I", "-c", script, root, str(file(b"game:\n"))],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["appliance.config", "appliance.config.unset"]
