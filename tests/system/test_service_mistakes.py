"""Errors that a person must fix: the service reports one, waits, and goes on once it is fixed."""

import re
import time

import pytest
from machine import CONFIGURATION, dump, wait_until
from stage import expected

WRONG = "game:\n  players: 2\n  level: hrad\n"
LOOKS = 3  # at the files that a fix would change
HEADER = "gpiochip15"  # as on a Pi 5 with a new kernel; the service sees it as gpiochip0
HAND_OVER = "sudo dpkg-reconfigure tictactoe-appliance, or reboot"


@pytest.fixture
def box(stopped):
    """A machine with the service stopped and without any state; after the test it plays again."""
    stopped.journal_before = len(stopped.journal())
    yield stopped
    stopped.shell("rm -f /dev/gpiochip15 /dev/tictactoe-gpio /dev/i2c-1; rm -rf /boot/firmware")
    (stopped.root / "etc/tictactoe/config.yaml").write_text(CONFIGURATION)
    stopped.systemctl("restart", "tictactoe")
    stopped.stand.wait_for(expected(()))


def begin(box):
    box.systemctl("--no-block", "start", "tictactoe")


def new_lines(box):
    """Return the journal since the test started."""
    return box.journal()[box.journal_before :]


def wait_for_status(box, words):
    assert wait_until(lambda: words in box.show()["StatusText"]), new_lines(box)
    return box.show()


def sleeps(box, pid):
    """Return how often the process has slept; None if it has ended."""
    status = box.run("cat", f"/proc/{pid}/status", check=False).stdout
    found = re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status, re.MULTILINE)
    return int(found[1]) if found else None


def looks_again(box):
    """Return whether the process that runs now sleeps, and looks at the files, a few times before it ends."""
    pid = box.show()["MainPID"]
    before = now = sleeps(box, pid)
    while now is not None and now < before + LOOKS:
        time.sleep(0.1)
        now = sleeps(box, pid)
    return now is not None


def assert_waits(box, sentence):
    """It has reported the sentence once, also on the display, and waits without being restarted."""
    shown = wait_for_status(box, sentence)
    assert (shown["ActiveState"], shown["SubState"]) == ("activating", "start"), "it is not ready"
    # The display comes after systemd, whose start-up time the pages need.
    assert wait_until(lambda: box.stand.catch_up() != expected(()) and box.stand.chip.lit)
    assert any("#" in row for row in box.stand.catch_up().rows())
    assert wait_until(lambda: looks_again(box)), new_lines(box)
    lines = new_lines(box)
    restarts = int(box.show()["NRestarts"])  # each process gives up after half a minute
    dump({"restarts": restarts, "status": shown["StatusText"]})
    assert 1 <= lines.count(f"tictactoe: {shown['StatusText']}") <= restarts + 1
    assert "Traceback" not in lines


def assert_mended(box):
    began = time.monotonic()
    box.stand.wait_for(expected(()))
    dump({"mended to playing, s": round(time.monotonic() - began, 1)})
    assert wait_until(lambda: box.show()["ActiveState"] == "active")
    assert box.show()["StatusText"] == "your turn, board ........."


def refuse(box, name):
    """Put a file in a device's place that only root may open, which the stand-in respects."""
    box.run("install", "--mode=600", "/dev/null", f"/dev/{name}")
    if name == HEADER:
        box.run("ln", "-s", name, "/dev/tictactoe-gpio")  # our udev rule's link; there is no udev here


def test_a_mistake_in_the_configuration(box):
    file = box.root / "etc/tictactoe/config.yaml"
    file.write_text(WRONG)
    begin(box)
    assert_waits(box, "/etc/tictactoe/config.yaml:3: game.level: ")
    file.write_text(CONFIGURATION)
    assert_mended(box)


def test_while_it_waits_it_is_stopped_at_once_and_has_not_failed(box):
    (box.root / "etc/tictactoe/config.yaml").write_text(WRONG)
    begin(box)
    wait_for_status(box, "game.level")
    began = time.monotonic()
    box.systemctl("stop", "tictactoe")
    dump({"stop, s": round(time.monotonic() - began, 2)})
    shown = box.show()
    assert (shown["ActiveState"], shown["Result"]) == ("inactive", "success")


def test_a_chip_that_is_roots_alone(box):
    refuse(box, HEADER)
    begin(box)
    sentence = f"permission denied on /dev/gpiochip0: it does not belong to the group gpio: {HAND_OVER}"
    assert_waits(box, sentence)
    box.shell("chgrp gpio /dev/gpiochip15; chmod 660 /dev/gpiochip15")
    assert_mended(box)


def test_a_user_who_is_not_in_the_group(box):
    refuse(box, HEADER)
    box.shell("chgrp gpio /dev/gpiochip15; chmod 660 /dev/gpiochip15; gpasswd -d tictactoe gpio")
    try:
        begin(box)
        wait_for_status(box, "/dev/gpiochip0: tictactoe is not in the group gpio: sudo usermod -aG gpio ")
    finally:
        box.run("usermod", "-aG", "gpio", "tictactoe")
    assert_mended(box)


def test_without_the_group(box):
    refuse(box, HEADER)
    box.run("groupdel", "gpio")
    try:
        begin(box)
        assert_waits(box, "permission denied on /dev/gpiochip0: there is no group gpio: ")
    finally:
        box.run("rm", "/dev/gpiochip15")  # there is no udev here to give it to the group
        box.run("dpkg-reconfigure", "tictactoe-appliance")  # as the sentence says
    assert "gpio" in box.run("id", "--name", "--groups", "tictactoe").stdout.split()
    assert_mended(box)


def test_a_bus_that_is_roots_alone(box):
    """The box plays without its display, and logs why once."""
    refuse(box, "i2c-1")
    box.systemctl("start", "tictactoe")
    problem = "the display (ssd1306 at 0x3c on bus 1) does not answer"
    assert box.show()["StatusText"].startswith(f"your turn, board .........; {problem}")
    assert box.run("cat", "/run/tictactoe/health").stdout.startswith("display\tsilent\t")
    sentence = f"permission denied on /dev/i2c-1: it does not belong to the group i2c: {HAND_OVER}"
    box.stand.wait_for_denial()  # of the next try
    assert new_lines(box).count(sentence) == 1
    assert box.stand.catch_up() != expected(())
    box.shell("chgrp i2c /dev/i2c-1; chmod 660 /dev/i2c-1")
    box.stand.wait_for(expected(()))
    assert "is back after" in new_lines(box)


def test_a_device_that_comes_late_has_the_service_started_again_if_it_is_one_of_its_own(box):
    """What udev makes systemd start when a device appears. Here /dev/i2c-1 is absent."""
    box.systemctl("start", "tictactoe")
    before = box.show()
    box.systemctl("start", "tictactoe-late@i2c-20.service")
    assert box.show()["MainPID"] == before["MainPID"]
    box.systemctl("start", "tictactoe-late@i2c-1.service")
    box.stand.forget()
    box.stand.wait_for(expected(()))
    assert box.show()["MainPID"] != before["MainPID"]
    (box.root / "etc/tictactoe/config.yaml").write_text(WRONG)
    box.systemctl("stop", "tictactoe")
    box.systemctl("start", "tictactoe-late@gpiochip0.service")
    assert box.show()["ActiveState"] == "inactive", "who is stopped stays so"
    begin(box)
    before = wait_for_status(box, "game.level")
    box.systemctl("start", "tictactoe-late@gpiochip0.service")
    assert wait_until(lambda: box.show()["MainPID"] not in {before["MainPID"], "0"})
    after = wait_for_status(box, "game.level")
    assert int(after["NRestarts"]) == int(before["NRestarts"]) + 1


def test_the_hardware_watchdog_is_ours_to_set(machine):
    """Raspberry Pi OS has a similar file; ours is read after it."""
    other = machine.root / "usr/lib/systemd/system.conf.d/70-other.conf"
    other.write_text("[Manager]\nRuntimeWatchdogSec=1min\n")
    try:
        text = machine.run("systemd-analyze", "cat-config", "systemd/system.conf").stdout
        values = [line for line in text.splitlines() if line.startswith("RuntimeWatchdogSec=")]
        assert values == ["RuntimeWatchdogSec=1min", "RuntimeWatchdogSec=15s"]
        machine.systemctl("daemon-reexec")
        loaded = machine.systemctl("show", "--property=RuntimeWatchdogUSec").strip()
        assert loaded == "RuntimeWatchdogUSec=15s"
    finally:
        other.unlink()
        machine.systemctl("daemon-reexec")
