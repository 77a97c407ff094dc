"""The undervoltage alarm, over a directory like the kernel's hwmon class, on the test's own clock."""

import logging
from random import Random

import pytest

from appliance.config.schema import Config
from appliance.devices.supply import CALM, PERIOD, REMEDY, SEARCH_SECONDS, Supply, read_alarm
from appliance.service.daemon import Service, first_session
from appliance.simulator.virtual import Hardware, VirtualBox


@pytest.fixture
def hwmon(tmp_path):
    """A directory of sensors: call it with a name, and the alarm's text if it has one."""

    def make(name, alarm=None):
        device = tmp_path / f"hwmon{len(list(tmp_path.iterdir()))}"
        device.mkdir()
        (device / "name").write_text(f"{name}\n")
        if alarm is not None:
            (device / "in0_lcrit_alarm").write_text(alarm)
        return device

    make.directory = tmp_path
    return make


@pytest.mark.parametrize(("text", "alarm"), [("1\n", True), ("0\n", False)])
def test_the_alarm_is_the_firmware_s_whatever_else_measures(hwmon, text, alarm):
    hwmon("cpu_thermal")
    hwmon("nvme", "1\n" if not alarm else "0\n")
    hwmon("rpi_volt", text)
    assert read_alarm(hwmon.directory) is alarm


def test_without_the_driver_there_is_no_alarm(hwmon):
    assert read_alarm(hwmon.directory / "not there") is None
    assert read_alarm(hwmon.directory) is None
    (hwmon("cpu_thermal") / "name").write_bytes(b"\xff\n")
    hwmon("rpi_volt")  # it is being removed
    assert read_alarm(hwmon.directory) is None


class Alarm:
    """The driver's answer, and the count of reads."""

    value, asked = False, 0

    def __call__(self):
        self.asked += 1
        return self.value


@pytest.fixture
def alarm():
    return Alarm()


def test_a_dip_is_logged_once_shown_and_not_forgotten(alarm, caplog):
    caplog.set_level(logging.INFO)
    supply = Supply(alarm)
    assert (supply.poll(0.0), supply.problem) == (None, None)
    alarm.value = True
    assert supply.poll(2.0) is True
    assert str(supply.problem) == f"the supply voltage is too low: {REMEDY}"
    alarm.value = False
    assert supply.poll(2.0 + CALM - 0.1) is None
    assert supply.poll(2.0 + CALM + PERIOD) is False
    assert str(supply.problem) == f"the supply voltage was too low: {REMEDY}"
    alarm.value = True
    assert supply.poll(100.0) is True
    assert str(supply.problem).startswith("the supply voltage is too low")
    assert caplog.messages == [f"the supply voltage is too low: {REMEDY}"]


def test_one_that_dips_again_and_again_is_one_warning(alarm):
    supply = Supply(alarm)
    found = []
    for at in range(60):
        alarm.value = at % 8 == 0
        found.append(supply.poll(float(at)))
    assert found == [True] + [None] * 59


def test_it_reads_no_more_often_than_the_driver_and_seldom_without_one(alarm):
    supply = Supply(alarm)
    for tenth in range(100):
        supply.poll(tenth / 10)
    assert alarm.asked == 10 / PERIOD
    alarm.value, alarm.asked = None, 0
    for at in range(10, 10 + 2 * int(SEARCH_SECONDS)):
        assert supply.poll(float(at)) is None
    assert alarm.asked == 2
    alarm.value = True
    assert supply.poll(10 + 2 * SEARCH_SECONDS) is not None


def test_a_box_at_rest_is_not_woken_for_it():
    box = VirtualBox(Config())
    box.wait(3)
    due = box.loop.due()
    box.hardware.weak = True
    assert box.loop.due() == due
    assert box.session.badges == ()
    box.time += PERIOD
    box.loop.turn()  # woken by something else
    assert box.session.badges == ("brownout",)


def test_systemd_is_told_as_long_as_the_box_runs():
    desk, time = Hardware(Config(), lambda: 0.0), iter((0.0, 2.0, 4.0, 60.0)).__next__
    service = Service(first_session(Config()), desk.parts(), lambda: now, Random(0))
    said = []
    for desk.weak in (False, True, False, False):
        now = time()
        service.loop.turn()
        said.append(service.status(service.problems).partition("; ")[2])
    assert said == ["", *[f"the supply voltage {verb} too low: {REMEDY}" for verb in ("is", "is", "was")]]
