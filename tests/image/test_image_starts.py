"""A version that rots on the card of an emulated first Zero, and a box that mends itself.

Each start but the last ends without a game: by a panic, or by the box itself. tests/bootfiles/test_starts.py
has the shell text of the count and of the check, test_image_cuts.py twenty power cuts, test_image_start.py
the count after starts that play.
"""

import random
import re

import pytest
from boxes import INIT, fill_other, rot, starts, update_box
from effort import longer
from pi import report
from test_image_start import play

FIRST = "/usr/lib/systemd/systemd"
PYTHON = "/usr/bin/python3.13"
DATABASE = "/usr/lib/python3.13/lib-dynload/_sqlite3.cpython-313-arm-linux-gnueabi.so"  # of the game alone
# A game that ends twice a second for minutes takes a quarter of an hour here. An update may take minutes.
SELDOM = """
mount -t tmpfs -o mode=755 run /new/run
mkdir -p /new/run/systemd/system/tictactoe.service.d /new/run/systemd/system/box-update.service.d
printf '[Service]\\nRestartSec=100s\\n' >/new/run/systemd/system/tictactoe.service.d/test.conf
cat >/new/run/systemd/system/box-update.service.d/test.conf <<'UNIT'
[Unit]
ConditionPathExistsGlob=
[Service]
ExecStart=
ExecStart=/usr/bin/busybox sleep 200
UNIT
"""

pytestmark = pytest.mark.parametrize("pi", ["raspi0"], indirect=True)


def start_and_end(pi):
    """Start, and wait until the box restarts."""
    pi.start(INIT.replace("exec switch_root", f"{SELDOM}exec switch_root"))
    pi.ended()
    report(f"{starts(pi)}, slot {pi.slot}: {pi.status.splitlines()[0]}")


def plays_from_b(pi):
    """Start it once more, and let it play."""
    assert (starts(pi), pi.slot) == ("0", "b")
    play(pi)
    pi.cut()
    assert starts(pi) == "0"
    assert "version 9.0, in slot b" in pi.status


@pytest.mark.parametrize(
    ("file", "lost"), [(PYTHON, True), *longer((DATABASE, False))], ids=["python", "database"]
)
def test_a_box_whose_python_rots_restarts_by_itself_and_plays_the_other_version(pi, file, lost):
    """After a job that holds the game up. With a lost data partition nothing says why the slot was left."""
    fill_other(pi, update_box(pi, "9.0"))
    rot(pi, file, 4096)
    start_and_end(pi)
    assert (starts(pi), pi.slot) == ("2", "a")
    (seconds,) = re.findall(r"^\[ *([\d.]+)\] reboot: ", pi.console, re.MULTILINE)
    report(f"it restarted {seconds} s after the kernel's start")
    assert float(seconds) > 350, "150 s after the update"
    if lost:
        pi.damage(random.Random(1).randbytes(1 << 20))
    start_and_end(pi)
    plays_from_b(pi)
    assert ("Slot a was left: root.erofs is damaged." in pi.status) != lost
    assert "Games and scores are saved." in pi.status


@pytest.mark.long
def test_a_first_process_that_rots_resets_the_box_which_plays_the_other_version(pi):
    fill_other(pi, update_box(pi, "9.0"))
    rot(pi, FIRST, 65536)
    for count in ("1", "2"):
        start_and_end(pi)
        assert (starts(pi), pi.slot) == (count, "a")
    start_and_end(pi)
    plays_from_b(pi)


def test_without_another_version_the_card_says_what_is_damaged(pi):
    rot(pi, FIRST, 65536)
    for count in ("1", "2", "w"):
        start_and_end(pi)
        assert (starts(pi), pi.slot) == (count, "a")
    line = "a/root.erofs is damaged, and there is no other version to start: write the image to a card again."
    assert pi.status.rstrip() == line
