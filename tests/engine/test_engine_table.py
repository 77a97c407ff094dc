"""The transposition table keeps what is in use, and keeps within its bounds."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Board, Limit, Table, search

KEYS = st.integers(0, 40)


@given(st.integers(0, 30), st.lists(st.tuples(KEYS, st.booleans())))
def test_it_never_lies_and_never_grows_too_large(entries, script):
    table, written = Table(entries), {}
    for step, (key, write) in enumerate(script):
        if write:
            written[key] = (step, 1, "exact")
            table.put(key, written[key])
        else:
            assert table.get(key) in (None, written.get(key))
        assert len(table) <= entries


def test_what_is_used_stays():
    table = Table(100)
    table.put("used", (1, 1, "exact"))
    for key in range(1000):
        table.put(key, (key, 1, "exact"))
        assert table.get("used") == (1, 1, "exact")
    assert table.get(0) is None
    assert table.get(999) == (999, 1, "exact")


def test_it_takes_no_more_memory_than_allowed():
    tracemalloc.start()
    try:
        table = Table.of_megabytes(2)
        for key in range(40_000):
            table.put(key << 64, (key << 20, key << 10, "exact"))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 1 << 20 < peak <= 2 << 20


def test_a_small_table_changes_no_value():
    assert search(Board(4, 5, 4), Limit(depth=20), table=Table(200)).value == "draw"


def test_refuses_a_negative_size():
    with pytest.raises(ValueError, match="0 is the least"):
        Table(-1)
