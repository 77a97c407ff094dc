"""What `make soak` judges by; the target itself lasts thirty days."""

import pytest
from soak import Row, grown

DAY = Row(40.0, 40_000, files=15, threads=1, database=1_200_000, games=50, lines=20, presses=750, seconds=8.0)


@pytest.mark.parametrize(("change", "sentence"), [
    ({}, ""),
    ({"MB": 40.9}, ""),
    ({"MB": 41.1}, "memory grew from 40.00 to 41.10 MB"),
    ({"files": 19}, ""),
    ({"files": 20}, "files were left open"),
    ({"threads": 2}, "threads were left or have ended"),
    ({"database": 1_800_000}, "a database is too large"),
    ({"lines": 200}, "a day had more than 72 lines of the log"),
])  # fmt: skip
def test_growth_is_found(change, sentence):
    week = [DAY] * 7
    assert grown([*week, DAY, *[DAY._replace(**change)] * 7], 1.0) == [sentence] * bool(sentence)
