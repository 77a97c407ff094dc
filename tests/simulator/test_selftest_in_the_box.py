"""The box's own self-test on simulated wires, by a person who presses what the display asks for."""

import logging
import re
from types import SimpleNamespace

import pytest

from appliance import cli
from appliance.commands import selftest as command
from appliance.config.schema import Config
from appliance.service.daemon import Service
from appliance.simulator.key_faults import KEY_FAULTS
from appliance.simulator.virtual import VirtualBox


@pytest.mark.parametrize("fault", ["", "dead:5", "dead:row1", "dead:column2", "stuck:3", "swapped", "bridge"])
def test_the_box_finds_what_the_command_finds(fault, monkeypatch, capsys, caplog):
    monkeypatch.setattr(command, "default_paths", list)
    cli.main(["selftest", "--simulate", *(["--fault", fault] if fault else [])])
    reported = re.findall(
        r"^(?:ok|failed) +(keys? .*|(?:the wires of )?\w+ \d \(.*)$", capsys.readouterr().out, re.MULTILINE
    )
    assert reported

    box = VirtualBox(Config())
    box.tap(4, 1.1)
    box.tap(7)
    caplog.set_level(logging.INFO)
    box.tap(5)
    if fault:
        KEY_FAULTS[fault].apply(box.hardware.network)
    assert box.wait_until(lambda: box.session.test.walk.key >= 0)
    for tried in range(9):
        if (walk := box.session.test.walk).over:
            break
        box.tap(walk.key)
        box.wait_until(lambda: len(box.session.test.walk.found) > tried)  # noqa: B023 - called at once
    lines = [record.getMessage().partition(";")[0] for record in caplog.records]
    assert lines == [f"self-test: {what}" for what in reported]
    faults = [record for record in caplog.records if record.levelno == logging.WARNING]
    scanner = SimpleNamespace(problem=None)
    problems = Service.problems.fget(SimpleNamespace(loop=box.loop, _scanner=scanner, _mistakes=()))
    assert [str(problem) for problem in problems] == [
        record.getMessage().partition(";")[0] for record in faults
    ]
    assert len(faults) == bool(fault)
    assert box.wait_for("your_turn", 130.0), "it ends by itself"
    box.power_cut()
