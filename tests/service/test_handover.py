"""From the game to the device test: when a box offers it, and how it is started."""

import errno
import os
import sys
from pathlib import Path

import pytest

from appliance.core.errors import UserError
from appliance.core.session.settings import Options, Settings
from appliance.devicetest import resume, session
from appliance.service import handover
from appliance.service.handover import claim, command, possible, resumes

UNDER_SYSTEMD = {"NOTIFY_SOCKET": "/run/systemd/notify"}


@pytest.mark.parametrize(("options", "environ", "offered"), [
    (Options(), UNDER_SYSTEMD, True),
    (Options(), {}, False),  # in a terminal nothing would bring the game back
    (Options(power=False), UNDER_SYSTEMD, False),
    (Options(exhibit=True), UNDER_SYSTEMD, False),
])  # fmt: skip
def test_when_a_box_offers_it(options, environ, offered):
    assert possible(options, environ) == offered


@pytest.mark.parametrize(("line", "program"), [
    (["/usr/bin/python3", "-I", "/usr/bin/tictactoe", "run"], ["-I", "/usr/bin/tictactoe"]),
    (["python3", "/home/me/tictactoe", "run"], ["/home/me/tictactoe"]),
])  # fmt: skip
def test_the_same_program_is_started_with_another_command(line, program):
    words = command(line, line[-1:], Settings(language="de"))
    assert words == [sys.executable, *program, "device-test", "--box", "--language", "de"]
    assert command(line, line[-1:], Settings(turned=True))[-1] == "--turned"
    assert command(line, line[-1:], Settings(), resume=True)[-1] == "--resume"


@pytest.mark.parametrize(("first", "goes_on"), [
    (None, False),
    ("restart", True),
    ("boot-1", True),  # the machine was started again since
    ("boot-2", False),
])  # fmt: skip
def test_when_a_suspended_device_test_goes_on_by_itself(tmp_path, first, goes_on):
    (tmp_path / "boot_id").write_text("boot-2\n")
    if first:
        (tmp_path / resume.NAME).write_text(f"{first}\n[]\n")
    assert resumes(str(tmp_path), tmp_path / "boot_id") == goes_on
    assert not resumes("", tmp_path / "boot_id")


def test_service_and_device_test_mean_the_same_file():
    names = handover.SUSPENDED, handover.CLAIMED, handover.RESTART
    assert (handover.REPORT, handover.SO_FAR) == (session.REPORT, session.SO_FAR)
    assert names == (resume.NAME, resume.CLAIMED, resume.RESTART)


def test_a_suspended_test_is_gone_on_with_once_however_that_ends(tmp_path, monkeypatch):
    """Otherwise the game would be interrupted twenty seconds after each start, for ever."""
    (tmp_path / resume.NAME).write_text("restart\n")
    assert claim(str(tmp_path))
    assert not resumes(str(tmp_path))
    assert not claim(str(tmp_path))
    with pytest.raises(UserError, match="damaged"):
        resume.take(tmp_path)
    assert not list(tmp_path.iterdir())


def test_on_a_card_that_cannot_be_written_the_game_goes_on(tmp_path, monkeypatch):
    (tmp_path / resume.NAME).write_text("restart\n")

    def refuse(*_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(Path, "replace", refuse)
    assert not claim(str(tmp_path))


def test_what_a_crash_has_left_becomes_the_report(tmp_path):
    handover.publish(str(tmp_path))  # nothing was left
    (tmp_path / session.SO_FAR).write_text("checks 1 to 7")
    (tmp_path / session.REPORT).write_text("of last year")
    handover.publish(str(tmp_path))
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {session.REPORT: "checks 1 to 7"}
