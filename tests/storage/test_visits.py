"""Visits, day by day: counted in the database, whatever happens to the card, and shown beside the games."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_world import GAME, WALL, World, failing, fill, finish

from appliance.core.errors import UserError
from appliance.core.session.events import Archive, Visit
from appliance.storage import database
from appliance.storage.database import NAME
from appliance.storage.days import SECONDS, UNKNOWN, Day, by_day, day_of
from appliance.storage.faults import Unusable
from appliance.storage.history import History
from appliance.storage.rows import Played
from appliance.storage.writer import Writer

TODAY = int(WALL) // SECONDS  # 2027-01-15, 08:00


@pytest.fixture(autouse=True)
def utc(monkeypatch):
    yield from zone(monkeypatch, "UTC0")


def zone(monkeypatch, name):
    monkeypatch.setenv("TZ", name)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def days(world):
    return History(world.path).days()


def test_a_visit_is_on_the_card_when_keep_returns_and_days_add_up(world):
    store = world.open()
    assert days(world) == []
    store.keep([Visit()])
    assert days(world) == [Day(TODAY, 1, 0)]
    store.keep([Visit(), Archive(GAME)])
    world.wall += SECONDS
    store.keep([Visit(), Visit()])
    store.keep([Archive(GAME), Archive(GAME)])
    assert world.copied(world.path.with_name("cut")).rows("SELECT * FROM visit") == [
        (TODAY, 2),
        (TODAY + 1, 2),
    ]
    assert days(world) == [Day(TODAY, 2, 1), Day(TODAY + 1, 2, 2)]
    world.reopen().keep([Visit()])
    assert days(world)[-1] == Day(TODAY + 1, 3, 2)
    assert store.load() is None, "a visit is no reason to save a state"


def test_a_box_without_a_clock_counts_under_no_day(world):
    world.wall = 60.0  # 1970
    store = world.open()
    store.keep([Visit(), Archive(GAME)])
    world.wall = WALL
    store.keep([Visit()])
    assert days(world) == [Day(UNKNOWN, 1, 1), Day(TODAY, 1, 0)]


@pytest.mark.parametrize(("name", "day"), [("UTC0", TODAY), ("HERE-17", TODAY + 1), ("THERE9", TODAY - 1)])
def test_a_day_is_the_local_one(world, monkeypatch, name, day):
    for _ in zone(monkeypatch, name):
        world.open().keep([Visit(), Archive(GAME)])
        assert days(world) == [Day(day, 1, 1)]


def test_visits_while_the_card_fails_are_counted_when_it_works_again(world):
    store = world.open()
    store.keep([Visit()])
    with failing(database.Database, "write", Unusable("disk full")):
        store.keep([Visit()])
        store.keep([Visit()])
    world.heal()
    assert days(world) == [Day(TODAY, 3, 0)]


def test_visits_of_a_card_that_is_read_late_add_to_those_on_it(world):
    world.open().keep([Visit(), Visit()])
    world.store.close()
    with failing(database.Database, "__init__", Unusable("gone")):
        store = world.open()
        store.keep([Visit()])
    world.heal()
    assert days(world) == [Day(TODAY, 3, 0)]


def test_the_thread_hands_over_every_visit(world):
    writer = Writer(world.open())
    writer.keep([Visit()])
    writer.keep([Visit(), Visit()])
    writer.close()
    assert days(world) == [Day(TODAY, 3, 0)]


@pytest.mark.parametrize("at", [18, 63])  # of the header
def test_what_can_be_read_of_a_damaged_database_has_the_visits(world, at):
    finish(world.open())
    world.store.keep([Visit(), Visit()])
    world.store.close()
    world.harm("INSERT INTO visit VALUES (-7, 3), (8, -1), (9, 'many')")
    data = world.file.read_bytes()
    world.file.write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
    with pytest.raises(UserError, match="damaged"):
        days(world)
    world.open()
    assert (len(world.aside()), days(world)) == (1, [Day(TODAY, 2, 1)])


def test_the_newest_games_alone_count_where_that_is_enough(world):
    ends = [int(WALL) + number * SECONDS for number in range(9)]
    fill(world.path, [Played(number, ended, GAME) for number, ended in enumerate(ends, 1)])
    assert [day.games for day in History(world.path).days()] == [1] * 9
    assert History(world.path).days(newest=2) == [Day(TODAY + 7, 0, 1), Day(TODAY + 8, 0, 1)]


def test_reset_forgets_the_visits(world, capsys):
    from appliance.cli import main  # noqa: PLC0415

    world.open().keep([Visit()])
    world.store.close()
    assert main(["reset", "--yes", "--state", str(world.path)]) == 0
    assert not (world.path / NAME).exists()
    assert days(World(world.path)) == []


TIMES = st.one_of(st.none(), st.integers(-(10**15), 10**15), st.text(max_size=3), st.floats())


@given(st.dictionaries(st.integers(0, 30_000), st.integers(1, 1000)), st.lists(TIMES))
def test_no_visit_and_no_game_is_lost_or_counted_twice(visits, ended):
    found = by_day(visits.items(), ended)
    assert [day.day for day in found] == sorted({*visits, *map(day_of, ended)})
    assert {day.day: day.visits for day in found if day.visits} == visits
    assert sum(day.games for day in found) == len(ended)
