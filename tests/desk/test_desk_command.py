"""`tictactoe desk` as a person starts it: a process of its own, and its exits."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
import webbrowser

import pytest

from appliance.cli import main
from appliance.commands import desk
from appliance.desk import place

COMMAND = """
import signal, sys
from appliance.cli import main
for number in (signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)  # a shell starts background jobs with SIGINT ignored, nohup SIGHUP
sys.exit(main())
"""


@pytest.fixture
def start(tmp_path):
    processes = []

    def run(*options):
        command = [sys.executable, "-c", COMMAND, "desk", "--no-open", "--state", tmp_path, *options]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        processes.append(process)
        return process, re.search(r"http://\S+", process.stdout.readline())

    yield run
    for process in processes:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_it_with_a_goodbye(start, number, status):
    process, address = start()
    assert urllib.request.urlopen(address[0]).status == 200  # noqa: S310 - it is ours
    process.send_signal(number)
    out, err = process.communicate()
    assert (process.returncode, out.splitlines()[-1], err) == (status, "Goodbye.", "")


def test_two_boxes_do_not_share_their_games(start, tmp_path, capsys):
    start()
    assert main(["desk", "--no-open", "--state", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "in use by a box that is running: stop that one, or choose another directory with --state" in said


@pytest.mark.parametrize(("options", "sentence"), [
    (["--port", "70000"], "--port 70000: expected 0 to 65535, 0 for any that is free"),
    (["--scenario", "none.yaml"], "none.yaml: cannot be read"),
    (["--config", "none.yaml"], "none.yaml: cannot be read"),
])  # fmt: skip
def test_mistakes_are_told_in_a_sentence(options, sentence, tmp_path, capsys):
    assert main(["desk", "--no-open", "--state", str(tmp_path), *options]) == 2
    assert sentence in capsys.readouterr().err


def test_without_aiohttp_the_remedy_is_told(monkeypatch, capsys):
    monkeypatch.setattr(desk, "find_spec", lambda _name: None)
    assert main(["desk"]) == 2
    assert "make desk installs it, or apt install python3-aiohttp" in capsys.readouterr().err


@pytest.mark.parametrize(("display", "opened"), [(":0", 1), ("", 0)])
def test_a_browser_is_opened_where_there_is_a_display(display, opened, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    addresses = []
    monkeypatch.setattr(webbrowser, "open", addresses.append)

    kept = place.remember

    def ended(*args):
        kept(*args)
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(place, "remember", ended)
    assert main(["desk", "--state", str(tmp_path), "--seed", "1"]) == 143
    assert len(addresses) == opened
    assert all(address in capsys.readouterr().out for address in addresses)


def test_a_scenario_waits_for_the_page(tmp_path, monkeypatch, capsys):
    story = tmp_path / "story.yaml"
    story.write_text("- tap: 5\n- screenshot: a.png\n")
    assert main(["desk", "--no-open", "--state", str(tmp_path), "--scenario", str(story)]) == 2
    assert "take screenshot out" in capsys.readouterr().err
