"""No date without somebody who vouches for it: a clock that stood still is plausible, and wrong by days."""

import ctypes
from types import SimpleNamespace

import pytest

from appliance.config.schema import Config
from appliance.devices import clock
from appliance.service import start

NOW = 1_800_000_000.0
RTC = "sys/class/rtc/rtc{}/since_epoch"
STAMP = "run/systemd/timesync/synchronized"
OK, INSERT, ERROR, REFUSED = 0, 1, 5, -1  # adjtimex(2)


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Return the reading of a machine's clock: its files, and the kernel's answer."""

    def read(files, answer=ERROR):
        asked = []

        def adjtimex(timex):
            asked.append(bytes(timex))
            return answer

        monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(adjtimex=adjtimex))
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        found = clock.wall(tmp_path, lambda: NOW)
        assert not any(map(any, asked)), "all zeros only asks; anything else would set the clock"
        return found

    return read


@pytest.mark.parametrize(
    ("files", "answer", "trusted"),
    [
        ({}, ERROR, False),  # a Pi without a network
        ({}, REFUSED, False),  # in the service's sandbox
        ({}, OK, True),
        ({}, INSERT, True),  # on the day of a leap second
        ({STAMP: ""}, REFUSED, True),
        ({RTC.format(0): f"{NOW - 200:.0f}\n"}, ERROR, True),
        ({RTC.format(0): "93\n"}, ERROR, False),  # a Pi 5 without a battery
        ({RTC.format(0): f"{NOW - 3600:.0f}\n"}, ERROR, False),  # local time, for another system
        ({RTC.format(0): "93\n", RTC.format(1): f"{NOW:.0f}\n"}, ERROR, True),
        ({RTC.format(0): ""}, ERROR, False),
    ],
)
def test_there_is_a_time_only_while_something_vouches_for_it(machine, files, answer, trusted):
    assert machine(files, answer) == (NOW if trusted else None)


def test_the_kernel_itself_is_asked_and_answers():
    assert clock.kernel_synced() in {True, False}


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
