"""No date without somebody who vouches for it: a clock that stood still is plausible, and wrong by days."""

import pytest

from appliance.config.schema import Config
from appliance.devices import clock
from appliance.service import start

NOW = 1_800_000_000.0
RTC = "sys/class/rtc/rtc{}/since_epoch"
STAMP = "run/systemd/timesync/synchronized"


@pytest.fixture
def machine(tmp_path):
    """Return the reading of a machine's clock by its files."""

    def read(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return clock.wall(tmp_path, lambda: NOW)

    return read


@pytest.mark.parametrize(("files", "trusted"), [
    ({}, False),  # a Pi without a network
    ({STAMP: ""}, True),
    ({RTC.format(0): f"{NOW - 200:.0f}\n"}, True),
    ({RTC.format(0): "93\n"}, False),  # a Pi 5 without a battery
    ({RTC.format(0): f"{NOW - 3600:.0f}\n"}, False),  # local time, for another system
    ({RTC.format(0): "93\n", RTC.format(1): f"{NOW:.0f}\n"}, True),
    ({RTC.format(0): ""}, False),
])  # fmt: skip
def test_there_is_a_time_only_while_something_vouches_for_it(machine, files, trusted):
    assert machine(files) == (NOW if trusted else None)


def test_another_system_s_computers_have_a_battery(machine, monkeypatch):
    monkeypatch.setattr(clock.sys, "platform", "darwin")
    assert machine({}) == NOW


def test_the_service_dates_its_games_by_that(tmp_path, monkeypatch):
    class Built(Exception):  # noqa: N818 - the store has been given its parts
        pass

    def store(_directory, _put, _now, wall, _configured):
        raise Built(wall)

    monkeypatch.setattr(start, "Store", store)
    with pytest.raises(Built) as built:
        start.prepare(Config(), tmp_path)
    assert built.value.args == (clock.wall,)
