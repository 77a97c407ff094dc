"""From the game to the device test: when a box offers it, and how it is started."""

import sys

import pytest

from appliance.core.session.settings import Options, Settings
from appliance.devicetest import session
from appliance.service import handover
from appliance.service.handover import command, possible

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


def test_service_and_device_test_mean_the_same_file():
    assert (handover.REPORT, handover.SO_FAR) == (session.REPORT, session.SO_FAR)


def test_what_a_crash_has_left_becomes_the_report(tmp_path):
    handover.publish(str(tmp_path))  # nothing was left
    (tmp_path / session.SO_FAR).write_text("checks 1 to 7")
    (tmp_path / session.REPORT).write_text("of last year")
    handover.publish(str(tmp_path))
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {session.REPORT: "checks 1 to 7"}
