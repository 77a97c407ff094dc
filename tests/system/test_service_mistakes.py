"""Errors that a person has to fix: the service reports one, waits, and goes on when it is fixed."""

import time

import pytest
from machine import dump
from stage import PATIENCE, expected

WRONG = "game:\n  players: 2\n  level: hrad\n"
RIGHT = "game:\n  players: 2\n"
HAND_OVER = "sudo dpkg-reconfigure tictactoe-appliance, or reboot"


@pytest.fixture
def stopped(machine):
    """The machine with the service stopped, without a past; afterwards it plays again."""
    machine.run("systemctl", "stop", "tictactoe")
    machine.run("sh", "-c", "rm -rf /var/lib/tictactoe/*")
    machine.stand.press()
    machine.stand.catch_up()
    machine.stand.chip.power_on()
    machine.told = len(machine.journal())
    yield machine
    machine.run("sh", "-c", "rm -f /dev/gpiochip0 /dev/i2c-1; rm -rf /boot/firmware")
    (machine.root / "etc/tictactoe/config.yaml").write_text(RIGHT)
    machine.run("systemctl", "restart", "tictactoe")
    machine.stand.wait_for(expected(()))


def begin(machine):
    machine.run("systemctl", "--no-block", "start", "tictactoe")


def news(machine):
    """Return what the journal has got since the test began."""
    return machine.journal()[machine.told :]


def wait_for_status(machine, words):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        shown = machine.show()
        if words in shown["StatusText"]:
            return shown
        time.sleep(0.1)
    raise AssertionError(f"{shown}\n{news(machine)}")


def assert_waits(machine, sentence):
    """It has said the sentence once, on the display too, and waits without being started again and again."""
    shown = wait_for_status(machine, sentence)
    assert (shown["ActiveState"], shown["SubState"]) == ("activating", "start"), "it is not ready"
    before = int(shown["NRestarts"])
    picture = machine.stand.catch_up()
    assert machine.stand.chip.lit
    assert any("#" in row for row in picture.rows())
    assert picture != expected(())
    time.sleep(5)
    shown = machine.show()
    dump({"restarts in 5 s": int(shown["NRestarts"]) - before, "status": shown["StatusText"]})
    assert int(shown["NRestarts"]) - before <= 1
    assert 1 <= news(machine).count(f"tictactoe: {shown['StatusText']}") <= 2
    assert "Traceback" not in news(machine)


def assert_mended(machine):
    began = time.monotonic()
    machine.stand.wait_for(expected(()))
    dump({"mended to playing, s": round(time.monotonic() - began, 1)})
    end = time.monotonic() + PATIENCE
    while machine.show()["ActiveState"] != "active" and time.monotonic() < end:
        time.sleep(0.1)
    assert machine.show()["StatusText"] == "your turn, board ........."


def refuse(machine, name):
    """Put a file where a device would be; only root may open it, and what stands in heeds that."""
    machine.run("install", "--mode=600", "/dev/null", f"/dev/{name}")


@pytest.mark.parametrize("name", ["etc/tictactoe/config.yaml", "boot/firmware/tictactoe.yaml"])
def test_a_mistake_in_the_configuration(stopped, name):
    file = stopped.root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(WRONG)
    begin(stopped)
    assert_waits(stopped, f"/{name}:3: game.level: ")
    file.write_text(RIGHT)
    assert_mended(stopped)


def test_while_it_waits_it_is_stopped_at_once_and_has_not_failed(stopped):
    (stopped.root / "etc/tictactoe/config.yaml").write_text(WRONG)
    begin(stopped)
    wait_for_status(stopped, "game.level")
    began = time.monotonic()
    stopped.run("systemctl", "stop", "tictactoe")
    seconds = time.monotonic() - began
    dump({"stop, s": round(seconds, 2)})
    shown = stopped.show()
    assert (shown["ActiveState"], shown["Result"]) == ("inactive", "success")


def test_a_chip_that_is_roots_alone(stopped):
    refuse(stopped, "gpiochip0")
    begin(stopped)
    sentence = f"permission denied on /dev/gpiochip0: it does not belong to the group gpio: {HAND_OVER}"
    assert_waits(stopped, sentence)
    stopped.run("sh", "-c", "chgrp gpio /dev/gpiochip0; chmod 660 /dev/gpiochip0")
    assert_mended(stopped)


def test_a_user_who_is_not_in_the_group(stopped):
    refuse(stopped, "gpiochip0")
    stopped.run("sh", "-c", "chgrp gpio /dev/gpiochip0; chmod 660 /dev/gpiochip0; gpasswd -d tictactoe gpio")
    try:
        begin(stopped)
        wait_for_status(
            stopped,
            "/dev/gpiochip0: tictactoe is not in the group gpio: sudo usermod -aG gpio tictactoe, then ",
        )
    finally:
        stopped.run("usermod", "-aG", "gpio", "tictactoe")
    assert_mended(stopped)


def test_without_the_group(stopped):
    refuse(stopped, "gpiochip0")
    stopped.run("groupdel", "gpio")
    try:
        begin(stopped)
        assert_waits(stopped, "permission denied on /dev/gpiochip0: there is no group gpio: ")
    finally:
        stopped.run("rm", "/dev/gpiochip0")  # no udev here that could give it to the group
        # What the sentence says.
        command = ("env", "DEBIAN_FRONTEND=noninteractive", "dpkg-reconfigure", "tictactoe-appliance")
        stopped.run(*command)
    assert "gpio" in stopped.run("id", "--name", "--groups", "tictactoe").stdout.split()
    assert_mended(stopped)


def test_a_bus_that_is_roots_alone(stopped):
    """The box is played on without its display, and says why once."""
    refuse(stopped, "i2c-1")
    stopped.run("systemctl", "start", "tictactoe")
    status = stopped.show()["StatusText"]
    assert status.startswith(
        "your turn, board .........; the display (ssd1306 at 0x3c on bus 1) does not answer"
    )
    sentence = f"permission denied on /dev/i2c-1: it does not belong to the group i2c: {HAND_OVER}"
    time.sleep(3)
    assert news(stopped).count(sentence) == 1
    assert stopped.stand.catch_up() != expected(())
    stopped.run("sh", "-c", "chgrp i2c /dev/i2c-1; chmod 660 /dev/i2c-1")
    stopped.stand.wait_for(expected(()))
    assert "is back after" in news(stopped)


def test_a_device_that_comes_late_has_the_service_started_again_if_it_is_one_of_its_own(stopped):
    """What udev has systemd start for a device that appears. Here /dev/i2c-1 is absent."""
    stopped.run("systemctl", "start", "tictactoe")
    before = stopped.show()
    stopped.run("systemctl", "start", "tictactoe-late@i2c-20.service")
    assert stopped.show()["MainPID"] == before["MainPID"]
    stopped.run("systemctl", "start", "tictactoe-late@i2c-1.service")
    stopped.stand.catch_up()
    stopped.stand.chip.power_on()
    stopped.stand.wait_for(expected(()))
    assert stopped.show()["MainPID"] != before["MainPID"]
    (stopped.root / "etc/tictactoe/config.yaml").write_text(WRONG)
    stopped.run("systemctl", "stop", "tictactoe")
    stopped.run("systemctl", "start", "tictactoe-late@gpiochip0.service")
    assert stopped.show()["ActiveState"] == "inactive", "who is stopped stays so"
    begin(stopped)
    before = wait_for_status(stopped, "game.level")
    stopped.run("systemctl", "start", "tictactoe-late@gpiochip0.service")
    end = time.monotonic() + PATIENCE
    while stopped.show()["MainPID"] in {before["MainPID"], "0"} and time.monotonic() < end:
        time.sleep(0.1)
    after = wait_for_status(stopped, "game.level")
    assert int(after["NRestarts"]) == int(before["NRestarts"]) + 1


def test_the_hardware_watchdog_is_ours_to_set(machine):
    """Raspberry Pi OS brings such a file, too: ours is read after it."""
    other = machine.root / "usr/lib/systemd/system.conf.d/70-other.conf"
    other.write_text("[Manager]\nRuntimeWatchdogSec=1min\n")
    try:
        text = machine.run("systemd-analyze", "cat-config", "systemd/system.conf").stdout
        values = [line for line in text.splitlines() if line.startswith("RuntimeWatchdogSec=")]
        assert values == ["RuntimeWatchdogSec=1min", "RuntimeWatchdogSec=15s"]
        machine.run("systemctl", "daemon-reexec")
        loaded = machine.run("systemctl", "show", "--property=RuntimeWatchdogUSec").stdout.strip()
        assert loaded == "RuntimeWatchdogUSec=15s"
    finally:
        other.unlink()
        machine.run("systemctl", "daemon-reexec")
