"""Configurations as people write them in six languages: who does as the messages say gets what was meant."""

import re
from pathlib import Path

import pytest

from appliance import cli
from appliance.config.reading import config_from_node, read_config
from appliance.config.schema import Config
from appliance.config.yamlfile import parse_yaml
from appliance.core.errors import SeveralErrors
from appliance.core.problems import Problem
from appliance.devices.systemd import Notifier
from appliance.service import health, mistake
from appliance.slots.status import Facts, status_file
from tests.support.reader import follow

ESCAPES = {"\\n": "\n", "\\t": "\t", "\\xa0": "\xa0", "\\\\": "\\"}


def rows():
    """Yield the rows of the table: the text of a file, and what was meant, "" if no message can know."""
    for block in Path(__file__).with_name("people.txt").read_text().split("\n\n")[1:]:
        text, meant = block.strip("\n").split("\n    ")
        for written, character in ESCAPES.items():
            text, meant = text.replace(written, character), meant.replace(written, character)
        yield text, meant.removeprefix("?")


ROWS = list(rows())


def messages(text, file):
    """Return what is wrong with a text, each from its line on."""
    file.write_text(text)
    return [str(one).removeprefix(f"{file}:") for one in read_config([file]).mistakes]


def config(text):
    return config_from_node(parse_yaml(text, "box.yaml"))._replace(origins={})


each_row = pytest.mark.parametrize(("text", "meant"), ROWS, ids=[text for text, _ in ROWS])


def test_there_are_enough_of_them():
    assert len(ROWS) >= 120
    assert len([meant for _, meant in ROWS if meant]) >= 100


@each_row
def test_it_is_refused_and_all_advice_leads_to_what_was_meant_with_fewer_mistakes_each_time(
    text, meant, tmp_path
):
    """So no advice reverses a meaning, and none makes another mistake."""
    file = tmp_path / "box.yaml"
    found = messages(text, file)
    assert found
    for one in found:
        assert one[0].isdecimal(), one
    while meant and found:
        text = follow(text, found[0])
        assert text is not None, found
        after = messages(text, file)
        assert len(after) < len(found), (text, after)
        found = after
    if meant:
        assert config(text) == config(meant)


@each_row
def test_check_journal_status_and_display_say_the_same(text, meant, tmp_path, monkeypatch, capfd):
    file = tmp_path / "tictactoe.yaml"
    file.write_text(text)
    mistakes = read_config([file]).mistakes
    said = [f"tictactoe: {one}" for one in mistakes]
    assert cli.main(["config", "check", str(file)]) == 2
    assert capfd.readouterr().err.splitlines() == said
    monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    monkeypatch.setattr(mistake, "show", lambda *_: None)
    mistake.wait(SeveralErrors(mistakes), Config(), lambda: True, Notifier({}), lambda _: None)
    assert capfd.readouterr().err.splitlines() == said
    problems = [Problem("configuration", "wrong", reason=str(one)) for one in mistakes]
    health.write(problems, {"RUNTIME_DIRECTORY": str(tmp_path)})
    status = status_file(Facts("a", "1", "box", {"ActiveState": "active"}, health.read(tmp_path))).decode()
    for one in mistakes:
        assert f"\r\n{one}.\r\n" in status
        shown = " ".join(words for _, words in mistake.pages([one], Config(), "note")).split()
        remedy = re.search(r"(?: \(|: )([^()]+?)\)?$", str(one).rpartition(", found ")[2])
        assert not remedy or remedy[1].split() == shown[-len(remedy[1].split()) :]
