"""Visits, day by day: counted in the database, whatever happens to the card, and shown beside the games."""

import time

import pytest
from store_world import GAME, WALL, after, failing

from appliance.core.session.events import Archive, CountVisit
from appliance.storage import database
from appliance.storage.days import DAY_SECONDS, UNKNOWN, day_of
from appliance.storage.faults import Unusable
from appliance.storage.history import History, summarise
from appliance.storage.rows import LATEST
from appliance.storage.writer import Writer

TODAY = int(WALL) // DAY_SECONDS  # 2027-01-15, 08:00


def zone(monkeypatch, name):
    monkeypatch.setenv("TZ", name)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def days(world):
    return History(world.path).visits()


def test_a_visit_is_on_the_card_when_keep_returns_and_days_add_up(world):
    assert days(world) == {}, "there is no database"
    store = world.open()
    assert days(world) == {}
    store.keep([CountVisit()])
    assert days(world) == {TODAY: 1}
    store.keep([CountVisit(), Archive(GAME)])
    world.wall += DAY_SECONDS
    store.keep([CountVisit(), CountVisit()])
    store.keep([Archive(GAME), Archive(GAME)])
    assert world.copied(world.path.with_name("cut")).rows("SELECT day, visits FROM day") == [
        (TODAY, 2),
        (TODAY + 1, 2),
    ]
    assert days(world) == {TODAY: 2, TODAY + 1: 2}
    world.reopen().keep([CountVisit()])
    assert days(world)[TODAY + 1] == 3
    assert store.load() is None, "a visit is no reason to save a state"


def test_a_run_of_wins_ends_with_its_visit(world):
    """Two strangers who win twice each have not won four games in a row; nor has the owner who plays next."""
    won, lost = GAME._replace(result=GAME.human), GAME._replace(result="o" if GAME.human == "x" else "x")
    store = world.open()
    store.keep([Archive(won), Archive(won), Archive(won)])  # at home
    store.keep([CountVisit(), Archive(won._replace(helped=True)), Archive(won)])
    store.keep([Archive(won), CountVisit(), Archive(lost), CountVisit()])
    store.keep([CountVisit(), Archive(won), Archive(won)])
    played = list(History(world.path).games())
    assert [one.visit for one in played] == [0, 0, 0, 1, 2, 2, 1, 1, 2]
    assert summarise(played[3:]).levels == {GAME.level: (2, 2)}
    assert summarise(played).levels == {GAME.level: (2, 3)}
    world.reopen().keep([Archive(won)])  # at home again
    assert summarise(History(world.path).games()).levels == {GAME.level: (1, 3)}


def test_a_box_without_a_clock_counts_under_no_day(world):
    world.wall = 60.0  # 1970
    store = world.open()
    store.keep([CountVisit(), Archive(GAME)])
    world.wall = WALL
    store.keep([CountVisit()])
    assert days(world) == {UNKNOWN: 1, TODAY: 1}


@pytest.mark.parametrize(("name", "day"), [("UTC0", TODAY), ("HERE-17", TODAY + 1), ("THERE9", TODAY - 1)])
def test_a_day_is_the_local_one(world, monkeypatch, name, day):
    for _ in zone(monkeypatch, name):
        world.open().keep([CountVisit(), Archive(GAME)])
        assert days(world) == {day: 1}


@pytest.mark.parametrize(
    ("name", "when"), [("FAR-167:59", LATEST - DAY_SECONDS - 1), ("WEST167:59", 0), ("WEST9", 3600)]
)
def test_a_day_that_no_calendar_has_is_unknown(monkeypatch, name, when):
    for _ in zone(monkeypatch, name):
        assert day_of(when) == UNKNOWN


def test_visits_while_the_card_fails_are_counted_when_it_works_again(world):
    store = world.open()
    store.keep([CountVisit()])
    with failing(database.Database, "commit", Unusable("disk full")):
        store.keep([CountVisit()])
        store.keep([CountVisit()])
    world.heal()
    assert days(world) == {TODAY: 3}


def test_visits_of_a_card_that_is_read_late_add_to_those_on_it(world):
    world.open().keep([CountVisit(), CountVisit()])
    world.store.close()
    with failing(database.Database, "__init__", Unusable("gone")):
        store = world.open()
        store.keep([CountVisit()])
    world.heal()
    assert days(world) == {TODAY: 3}


def test_the_thread_hands_over_every_visit(world):
    writer = Writer(world.open())
    writer.keep([CountVisit()])
    writer.keep([CountVisit(), CountVisit()])
    writer.close()
    assert days(world) == {TODAY: 3}


def test_an_invalid_day_hides_no_other(world):
    world.open().keep([after(), CountVisit(), CountVisit()])
    world.store.close()
    world.harm("INSERT INTO day VALUES (-7, 3, 1), (8, -1, 1), (9, 'many', 1), (1 << 40, 1, 1)", copies=2)
    assert days(world) == {TODAY: 2}
