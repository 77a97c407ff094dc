"""The image's test of the board on a real systemd: once for a file on the card, and before the game."""

import shutil

import pytest
from machine import CHECKOUT, DROP_IN, wait_until
from stage import opening

from appliance.boardtest.plan import planned
from appliance.boardtest.report import parse_report
from appliance.slots.publish import REPORT

UNITS = CHECKOUT / "image/root/usr/lib/systemd/system"
UNIT = "box-test.service"
# The card's two partitions. The unit remounts the first one, which must not be a part of this machine's disk.
CARD = """
mkdir -p /boot/firmware /data/tictactoe
mount -t tmpfs tmpfs /boot/firmware
chown tictactoe: /data/tictactoe
touch /boot/firmware/selftest.txt
systemctl daemon-reload
"""
NO_CARD = f"umount /boot/firmware; rm -r /data /etc/systemd/system/{UNIT}* /etc/systemd/system/box-.service.d"


@pytest.fixture
def boxed(stopped):
    """The machine with that unit, its sandbox, and a card that asks for a test."""
    folder = stopped.root / "etc/systemd/system"
    shutil.copy(UNITS / UNIT, folder)
    shutil.copytree(UNITS / "box-.service.d", folder / "box-.service.d")
    drop_in = folder / f"{UNIT}.d/stand.conf"
    drop_in.parent.mkdir()
    drop_in.write_text(DROP_IN)
    stopped.shell(CARD)
    yield stopped
    stopped.systemctl("stop", UNIT, "tictactoe")
    stopped.shell(f"{NO_CARD}; systemctl daemon-reload")


def test_a_file_on_the_card_asks_for_one_test_and_the_game_starts_after_it(boxed):
    report = boxed.root / "data/tictactoe" / REPORT
    boxed.systemctl("start", "--no-block", UNIT, "tictactoe")
    assert wait_until(lambda: "2 display" in text(report)), boxed.journal()
    assert not boxed.run("ls", "/boot/firmware").stdout
    assert boxed.show()["ActiveState"] == "inactive", "the game waits"
    boxed.systemctl("kill", "--signal=TERM", UNIT)  # as its timeout does; the walk would wait three minutes
    assert wait_until(lambda: boxed.show()["StatusText"].startswith("your turn")), boxed.journal()
    boxed.stand.wait_for(opening())
    rows = parse_report(text(report)).rows
    assert [row.name for row in rows] == [check.name for check in planned(full=True, buzzer=False)]
    assert dict(rows[0].figures) == {"faults": 0}
    assert {row.measured().get("reason") for row in rows[2:]} == {"interrupted"}
    boxed.systemctl("start", UNIT)
    assert boxed.systemctl("show", "-P", "ConditionResult", UNIT).strip() == "no", "it runs once"


def text(file):
    try:
        return file.read_text()
    except FileNotFoundError:
        return ""
