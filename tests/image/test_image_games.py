"""What the booted image writes for people at the start and when it is switched off: games.csv, games.html."""

import csv
import io

import pytest
from boxes import INIT, SERVICE, put_store
from effort import longer
from pi import report

from appliance.games.page import contents
from appliance.storage.history import History

# Nobody can press a key here, so the box plays itself; somebody in the menu is a unit of the test's.
WATCHED = b"language: en\r\ngame: {players: 0, level: easy}\r\nrest: {dim: 0, off: 0}\r\n"
OFF = """
mount -t tmpfs -o mode=755 run /new/run
mkdir -p /new/run/systemd/system/default.target.wants
cat >/new/run/systemd/system/off.service <<'UNIT'
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'until [ -s /boot/firmware/games.html ]; do sleep 1; done'
ExecStart=/usr/bin/busybox sleep 45
ExecStart=/usr/bin/systemctl poweroff
UNIT
busybox ln -s ../off.service /new/run/systemd/system/default.target.wants/off.service
"""


def rows(data):
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


@pytest.mark.parametrize("pi", [*longer("raspi3b"), "raspi3ap"], indirect=True)
def test_the_games_are_on_the_card_after_the_start_and_after_switching_off(pi):
    put_store(pi)
    pi.write("tictactoe.yaml", WATCHED)
    pi.start(INIT.replace("exec switch_root", f"{OFF}exec switch_root"))

    def written(pi):
        try:
            return pi.read("games.html").endswith(b"</html>\n")
        except FileNotFoundError:
            return False

    pi.wait(written)
    first = rows(pi.read("games.csv"))
    pi.ended()
    last, data = rows(pi.read("games.csv")), pi.data()
    report(f"{len(first)} games after the start, {len(last)} after switching off")
    report(pi.console[-2000:])
    assert 3 <= len(first) < len(last)
    assert last[: len(first)] == first
    history = History(data / "tictactoe")
    found = contents(history, "en")
    assert {name: pi.read(name) for name in found} == found
    assert not history.note
    assert {one.ended for one in history.games()} == {None}  # no clock
    assert '<html lang="de">' in pi.read("games.html").decode()
    assert not [path.name for path in pi.boot().rglob("*new*")]
    assert {path.stat().st_uid for path in (data / "tictactoe").iterdir()} == {SERVICE}
