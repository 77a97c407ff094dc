"""The device test in the place of a service of a real systemd: the unit stays active, the game comes back."""

from machine import wait_until
from session_rig import feed, fresh
from stage import opening

from appliance.core.picture.raster import render
from appliance.core.picture.scene import PageScene, Picture
from appliance.core.session import selftest
from appliance.core.session.events import Reading, Timeout, Timer
from appliance.core.session.view import view
from appliance.core.words import words
from appliance.devicetest.report import parse

STATE = "var/lib/tictactoe"


def test_from_the_self_test_to_the_device_test_and_by_its_watchdog_back_to_the_game(stopped):
    stand, folder = stopped.stand, stopped.root / STATE
    stand.press(4)
    stopped.systemctl("start", "tictactoe")
    stand.wait_for(page("self_test", "let_go"))
    stand.press()
    stand.wait_for(first_key())
    for cell in range(9):
        stand.tap(cell)
        stand.rest()
    stand.wait_for(page("device_test", "device_test_keys"))
    game = stopped.show()
    stand.tap(8)
    assert wait_until(lambda: "2 pulls" in text(folder / "device-report.part")), stopped.journal()
    during = stopped.show()
    assert (during["MainPID"], during["ActiveState"]) == (game["MainPID"], "active")
    assert during["StatusText"] == "device test"
    stopped.systemctl("kill", "--kill-whom=main", "--signal=STOP", "tictactoe")
    assert wait_until(lambda: stopped.show()["StatusText"].startswith("your turn"))
    assert "Watchdog timeout" in stopped.journal()
    assert stopped.show()["Result"] == "success"
    assert [row.name for row in parse(text(folder / "device-report.txt")).rows][:2] == ["pins", "pulls"]
    stand.wait_for(opening())


def page(title, words_of_it):
    return render(Picture(PageScene(words("en")[title], words("en")[words_of_it])))


def first_key():
    """Return the picture of the self-test that asks for the first key."""
    session, _ = selftest.start(fresh(players=2), 0.0)
    ends = (Timeout(at, Timer.TEST) for at in (1.0, 2.0, 3.0))
    session, _ = feed(session, *ends, Reading(3.1, 0), Reading(3.4, 0))
    return render(view(session))


def text(file):
    try:
        return file.read_text()
    except FileNotFoundError:
        return ""
