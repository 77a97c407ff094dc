"""The device test in the service's place, in a real systemd: the unit stays active, and the game comes back.

The test of the watchdog stops its own process. Nobody is needed: a suspended test goes on by itself.
"""

from machine import dump, wait_until
from stage import opening

from appliance.devicetest.report import Report, parse
from appliance.devicetest.resume import RESTART, Pending, save

STATE = "var/lib/tictactoe"


def test_the_unit_goes_on_with_a_suspended_test_and_is_ended_by_its_watchdog(stopped):
    """Check 14 has nothing to measure here; check 16 hangs, and goes on after the restart."""
    folder = stopped.root / STATE
    save(folder, Pending((14, 16), {}, Report((("model", "a container"),), ())), RESTART)
    stopped.shell(f"chown tictactoe:tictactoe /{STATE}/device-test")
    stopped.systemctl("start", "tictactoe")
    first = stopped.show()
    assert wait_until(lambda: stopped.show()["StatusText"] == "device test"), stopped.journal()
    during = stopped.show()
    assert (during["MainPID"], during["ActiveState"]) == (first["MainPID"], "active")
    assert wait_until(lambda: "16 watchdogs" in report(folder)), stopped.journal()
    # The report is written when the test ends; then the game starts.
    assert wait_until(lambda: stopped.show()["StatusText"].startswith("your turn"))
    rows = {row.name: row for row in parse(report(folder)).rows}
    dump({"SIGSTOP to ready, s": rows["watchdogs"].measured()["ready_s"]})
    assert rows["power"].verdict == "not run"
    assert rows["watchdogs"].measured()["ready_s"] >= 5, "no sooner than the watchdog allows"
    assert "Watchdog timeout" in stopped.journal()
    assert not (folder / "device-test").exists()
    assert stopped.show()["Result"] == "success"
    stopped.stand.wait_for(opening())


def report(folder):
    try:
        return (folder / "device-report.txt").read_text()
    except FileNotFoundError:
        return ""
