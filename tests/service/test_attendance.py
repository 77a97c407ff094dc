"""The visits and games of the last days, from the database to what status.txt says."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.service import attendance
from appliance.service.attendance import DAYS, Attendance
from appliance.slots.status import SIZE, Facts, compose, page
from appliance.storage.database import NAME, Database
from appliance.storage.days import LAST, Day

DAY = 20_780  # 2026-11-23


def counted(tmp_path, *rows):
    tmp_path.mkdir(exist_ok=True)
    database = Database(tmp_path / NAME)
    database.write(None, [], rows)
    database.close()
    return attendance.count(tmp_path)


def says(found):
    return compose(Facts("a", "1", "Pi", {"ActiveState": "active"}, attendance=found)).split("\r\n")[4:-1]


def test_the_last_seven_days_that_had_a_visit_and_the_sum_of_all(tmp_path):
    found = counted(tmp_path, (0, 2), *((DAY - number, number + 1) for number in range(0, 20, 2)))
    assert [day.day for day in found.days] == [DAY - number for number in range(0, 14, 2)] + [0]
    assert found.visits == 2 + sum(range(1, 20, 2))
    assert says(found._replace(days=(Day(DAY, 1, 1234), Day(DAY - 1, 0, 1), Day(0, 5, 0)))) == [
        "Visits so far: 102.",
        "2026-11-23: 1 visit, 1,234 games.",
        "2026-11-22: 0 visits, 1 game.",
        "On days that the box did not know: 5 visits, 0 games.",
    ]


def test_without_a_database_or_with_a_damaged_one_nothing_is_said(tmp_path):
    assert attendance.count(tmp_path) == Attendance()
    (tmp_path / NAME).write_bytes(b"SQLite format 3\0 and nonsense" * 40)
    assert attendance.count(tmp_path) == Attendance()
    assert says(Attendance()) == []


COUNTS = st.integers(0, 10**12 - 1)
FOUND = st.builds(
    Attendance,
    COUNTS,
    st.lists(st.builds(Day, st.integers(0, LAST), COUNTS, COUNTS), max_size=DAYS + 1).map(tuple),
)


@given(FOUND)
def test_what_the_service_writes_is_what_root_reads_and_it_fits_the_file(tmp_path_factory, found):
    folder = tmp_path_factory.mktemp("run")
    attendance.write(found, {"RUNTIME_DIRECTORY": str(folder)})
    assert attendance.read(folder) == found
    assert len(page("\r\n".join(says(found)))) == SIZE
    assert len("\r\n".join(says(found))) < SIZE / 2


@pytest.mark.parametrize("forged", [
    b"", b"\xff", b"1\t2\n", b"-1\n", b"99999999999999\n", "٣\n".encode(), b"0x10\n1\t1\t1\n" * 0,
    b"\n99999999\t1\t1\n", b"\n1\t1\n", b"\n1\t1\t1\t1\n",
])  # fmt: skip
def test_what_the_service_did_not_write_says_nothing(tmp_path, forged):
    (tmp_path / attendance.NAME).write_bytes(forged)
    assert attendance.read(tmp_path) == Attendance()


def test_a_longer_file_is_cut(tmp_path):
    (tmp_path / attendance.NAME).write_text("5\n" + "1\t1\t1\n" * 5000)
    assert len(attendance.read(tmp_path).days) == DAYS + 1
    assert attendance.read(Path("/nowhere")) == Attendance()
