"""Starts on emulated Raspberry Pis: good ones, wrong configurations, damaged, read-only and small cards."""

import os
import random
import re

import pytest
from boxes import EMPTY, boards, starts
from effort import longer
from machines import MACHINES
from pi import ROOT, report

from appliance.boardtest.report import DamagedError, parse_report
from appliance.core.picture.canvas import Frame

FOR_WRITING = {"/data": "ext4", "/var/lib/tictactoe": "ext4", "/tmp": "tmpfs", "/var/tmp": "tmpfs"}  # noqa: S108
KERNEL_S = ("/dev", "/run", "/proc", "/sys")  # the kernel's own file systems
MEGABYTE = 1 << 20
UNLIKE = ("raspi3b", "raspi4b", "raspi0")  # 64 bits, no display, 32 bits; the others are like one of these
SAY = "busybox dmesg | busybox grep '\\bbox: ' >/dev/console"
WATCHDOG = """
for name in open_timeout handle_boot_enabled; do
    echo "$name: $(cat /sys/module/watchdog/parameters/$name)" >/dev/console
done
busybox dmesg | busybox grep 'BCM2835 watchdog timer' >/dev/console
"""
ALARM = 'cd /sys/class/hwmon/hwmon*; echo "$(cat name): $(cat in0_lcrit_alarm)" >/dev/console'
FEW_CHECKS = """
mount -t tmpfs -o mode=755 run /new/run
mkdir -p /new/run/systemd/system/box-test.service.d
cat >/new/run/systemd/system/box-test.service.d/few.conf <<'UNIT'
[Service]
ExecStart=
ExecStart=-/usr/bin/tictactoe selftest --full --only 1 5 --report /data/tictactoe/device-report.txt
UNIT
"""
READ_ONLY = "for part in 1 2; do busybox blockdev --setro /dev/mmcblk0p$part; done\n"


def plays(pi):
    """Whether the box has started, and has reported it on the card."""
    return "The box plays" in pi.console and "The game runs." in pi.status


def play(pi):
    """Start the box, and wait until it plays."""
    pi.start()
    pi.wait(plays)
    report(pi.status)


@pytest.mark.parametrize("pi", [*UNLIKE, *longer(*sorted(MACHINES.keys() - set(UNLIKE)))], indirect=True)
def test_it_starts(pi):
    """It starts in time, each driver loads, nothing listens, and only the named places are writable."""
    report(f"{pi.machine.name} cannot show: {pi.machine.lacks}")
    play(pi)
    pi.cut()
    log = (pi.data() / "log").read_text()
    times = dict(re.findall(r"^(\w+)TimestampMonotonic=(\d+)$", log, re.MULTILINE))
    for what, microseconds in times.items():
        report(f"{what}: {int(microseconds) / 1e6:.2f} s after the kernel's start")
    assert 0 < int(times["ActiveEnter"]) / 1e6 <= pi.machine.ready
    assert "can't insert" not in log
    assert len(pi.read("status.txt")) == 4096
    assert starts(pi) == "0"
    assert f"in slot a, on a Raspberry Pi {pi.machine.model}." in pi.status
    if pi.machine.display:
        assert "The display works." in pi.status
        assert list(pi.pictures())[-1] != Frame.blank()
    writable = dict(re.findall(r"^\S+ (\S+) (\S+) rw\b", log, re.MULTILINE))
    own = {place: kind for place, kind in writable.items() if not place.startswith(KERNEL_S)}
    report(f"writable: {own}")
    assert own == FOR_WRITING
    sockets = re.findall(r"^ *\d+: ([0-9A-F]+:[0-9A-F]{4}) ", log, re.MULTILINE)
    report(f"open ports: {sockets or 'none'}")
    assert "local_address" in log
    assert not sockets


@pytest.mark.long
@pytest.mark.parametrize("pi", ["first B"], indirect=True)
def test_the_first_model_b_is_told_which_pins_it_has_and_plays_with_them(pi):
    """A start that says why there is no game is not counted as one without."""
    pi.start()
    pi.wait(lambda pi: "The game does not run" in pi.status and starts(pi) == "0")
    report(pi.status)
    pi.cut()
    assert "the header of this Raspberry Pi Model B has 26 pins, and no free GPIO 27, 5, 6, 13" in pi.status
    [rows, columns] = re.findall(r'"(\w+: \[[\d, ]+\])"', pi.status)
    assert list(pi.pictures())[-1] != Frame.blank()
    pi.write("tictactoe.yaml", f"language: en\r\nkeypad: {{{rows}, {columns}}}\r\n".encode())
    play(pi)
    assert "The display works." in pi.status
    assert boards(pi.pictures())[-1] == EMPTY


def test_a_file_on_the_card_asks_for_one_test_of_the_board_before_the_game(pi):
    """By its two quick checks: the others take minutes here, or wait for a person."""
    pi.write("tictactoe.yaml", b"language: en\r\n")
    pi.write("selftest.txt", b"")
    init = (ROOT / "image/init").read_text()
    pi.start(init.replace("exec switch_root", f"{FEW_CHECKS}exec switch_root"))

    def tested(pi):
        try:
            return plays(pi) and parse_report(pi.read("device-report.txt").decode())
        except (FileNotFoundError, DamagedError):
            return None

    pi.wait(tested)
    pi.cut()
    found = tested(pi)
    report("\n".join(f"{row.number} {row.name} {row.verdict} {row.measured()}" for row in found.rows))
    with pytest.raises(FileNotFoundError):  # so it is the only one
        pi.read("selftest.txt")
    assert found.fact("model") == f"Raspberry Pi {pi.machine.model}"
    assert {row.name: row.verdict for row in found.rows} == {"pins": "ok", "chip": "ok"}


def test_a_driver_that_cannot_be_loaded_is_in_the_log(pi):
    """At each try; a driver that is loaded a second time is not."""
    head = (ROOT / "image/init").read_text().split("\nload card\n")[0]
    pi.start(f"{head}\necho junk >/modules/fixed.ko\nload card\nload card\n{SAY}\nload box\nreboot -f\n")
    pi.ended()
    said = re.findall(r"\] box: .*", pi.console)
    report("\n".join(said))
    assert len(said) == 2
    assert all("/modules/fixed.ko" in line for line in said)


def test_the_undervoltage_alarm_is_read_and_off(pi):
    """QEMU's firmware reports that the supply was never too low."""
    head = (ROOT / "image/init").read_text().split("\nload card\n")[0]
    pi.start(f"{head}\nload card\nload box\n{ALARM}\n{SAY}\nreboot -f\n")
    pi.ended()
    report(pi.console)
    assert "rpi_volt: 0" in pi.console
    assert "box: " not in pi.console


@pytest.mark.parametrize("pi", ["raspi3b", "raspi0"], indirect=True)
def test_the_kernel_feeds_the_firmware_s_watchdog_soon_and_for_a_while(pi):
    """Its counter, which QEMU lacks, leaves 15 seconds for that."""
    head = (ROOT / "image/init").read_text().split("\nload card\n")[0]
    pi.start(f"{head}\nload card\n{WATCHDOG}\n{SAY}\nreboot -f\n")
    pi.ended()
    report(pi.console)
    assert f"open_timeout: {pi.chosen().watchdog}\n" in pi.console.replace("\r", "")
    assert pi.chosen().watchdog > 300
    assert "handle_boot_enabled: Y" in pi.console
    [seconds] = re.findall(r"^\[ *([\d.]+)\] .*BCM2835 watchdog timer", pi.console, re.MULTILINE)
    assert float(seconds) < 1.5
    assert "box: " not in pi.console


def test_a_wrong_configuration_is_shown_and_played_past(pi):
    pi.write("tictactoe.yaml", b"language: de\r\ngame: {level: hrad}\r\n")
    play(pi)
    assert "/boot/firmware/tictactoe.yaml:2: game.level: expected one of" in pi.status
    pictures = list(pi.pictures())
    assert boards(pictures)[-1] == EMPTY


@pytest.mark.parametrize(("damage", "sentence"), [
    *longer((lambda _: random.Random(1).randbytes(2 * 1024), "")),  # the superblock, which has copies
    (bytes, "The card had no partition for games and scores; a new one was made."),
], ids=["superblock", "zeros"])  # fmt: skip
def test_a_damaged_data_partition_is_repaired_and_a_missing_one_made(pi, damage, sentence):
    """tests/kernel/test_faulty_card.py has read errors, which must not lose anything."""
    pi.damage(damage(pi.partition(2)[1]))
    play(pi)
    assert "Games and scores are saved." in pi.status
    assert ("a new one was made" in pi.status) == bool(sentence)
    assert sentence in pi.status


def test_a_card_that_is_smaller_than_the_image_is_played_from(pi):
    os.truncate(pi.card, 128 * MEGABYTE)
    assert pi.partition(2)[0] > 128 * MEGABYTE
    play(pi)
    assert "smaller than the image" in pi.status
    assert "playing from memory" in pi.status
    assert "Games and scores are saved." not in pi.status


def test_a_card_that_turned_read_only_is_played_from(pi):
    """Even at its first start. The display reports it; status.txt is unchanged."""
    pi.write("tictactoe.yaml", b"language: en\r\n")  # otherwise a new box asks for it
    before = pi.read("status.txt")
    init = (ROOT / "image/init").read_text()
    head, tail = init.split("\nfind_card\n")
    pi.start(f"{head}\nfind_card\n{READ_ONLY}{tail}")
    pi.wait(lambda pi: boards(pi.pictures())[-1:] == [EMPTY])
    assert pi.read("status.txt") == before
