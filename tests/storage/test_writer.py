"""The writer: the main thread waits for a commit, but not for a slow card. No test here depends on time."""

import threading
from types import SimpleNamespace

import pytest
from store_world import GAME, WON, after, failing

from appliance.core.events import Save
from appliance.core.settings import Scores, Settings, Tally
from appliance.storage import database, faults
from appliance.storage.writer import MAX_WAITING, Writer

LONG = 600.0  # seconds: a test that waits for this has failed


@pytest.fixture
def card(monkeypatch):
    """A card whose commits wait until `works` is set; `commits` are the numbers of games in each."""
    card = SimpleNamespace(works=threading.Event(), busy=threading.Event(), commits=[])
    card.works.set()
    real = database.Database.write

    def write(of, state, games):
        card.busy.set()
        assert card.works.wait(LONG)
        real(of, state, games)
        card.commits.append(len(games))

    monkeypatch.setattr(database.Database, "write", write)
    return card


def writer(world, max_wait=LONG):
    world.put = threading.Event()
    world.open()
    world.store._put = lambda event: (world.events.append((event.name, event.on)), world.put.set())
    return Writer(world.store, lambda: world.time, max_wait)


def slow_writer(world, card):
    """Return a writer that waits for its first commit of a card that does not work."""
    keeper = writer(world, max_wait=0.01)
    card.works.clear()
    keeper.save(after(4))
    keeper.sync()
    card.busy.wait(LONG)
    return keeper


def test_a_commit_is_durable_when_sync_returns(world, card):
    keeper = writer(world)
    keeper.save(after(4))
    assert card.commits == []
    keeper.sync()
    assert world.rows("SELECT moves FROM progress") == [("5",)]
    keeper.archive(GAME)
    keeper.close()
    assert [one.game for one in world.played()] == [GAME]
    assert (world.events, keeper.problem, keeper.trouble(0.0), keeper.due()) == ([], "", "", None)


def test_the_game_goes_on_while_a_slow_card_commits(world, card):
    keeper = slow_writer(world, card)
    assert world.events == [("unsaved", True)]
    assert "the card is slow" in keeper.problem
    assert keeper.trouble(1e9) == ""
    keeper._max_wait = LONG  # from now on nothing waits, or this test hangs
    for number in range(1, 1500):  # the latest state wins, the games queue up
        keeper.save(after(*range(number % 3)))
        keeper.archive(GAME)
        keeper.sync()
    assert len(keeper._handed) == 1 + MAX_WAITING
    assert world.events == [("unsaved", True)]
    world.put.clear()
    card.works.set()
    assert world.put.wait(LONG)
    assert world.events == [("unsaved", True), ("unsaved", False)]
    assert card.commits == [0, MAX_WAITING]
    assert world.rows("SELECT moves FROM progress") == [("12",)]
    assert keeper.problem == ""
    keeper.close()


def test_a_state_never_goes_to_the_disk_without_the_game_that_it_counts(world, card):
    keeper = slow_writer(world, card)
    keeper.save(Save(WON, Scores(Tally(1)), Settings()))
    card.works.set()  # the thread comes round between the two
    keeper.archive(GAME)
    keeper.sync()
    keeper._max_wait = LONG
    keeper.close()
    assert card.commits == [0, 1]


def test_closing_does_not_wait_for_a_slow_card(world, card, caplog):
    keeper = slow_writer(world, card)
    keeper.close()
    assert "the card is too slow" in caplog.text
    card.works.set()
    keeper._thread.join()
    assert world.rows("SELECT moves FROM progress") == [("5",)]


def test_the_thread_retries_on_a_failing_disk(world):
    keeper = writer(world)
    with failing(database.Database, "write", faults.Unusable("No space left on device")):
        keeper.save(after(4))
        keeper.sync()
        assert world.events == [("unsaved", True)]
        assert "No space left" in keeper.problem
    world.time = 100.0
    keeper.sync()
    assert world.events == [("unsaved", True), ("unsaved", False)]
    keeper.close()
    assert world.open().load().match.moves == (4,)


def test_a_thread_that_dies_is_reported_and_holds_nobody_up(world, monkeypatch):
    keeper = writer(world)
    keeper.sync()
    assert keeper.trouble(0.0) == ""
    monkeypatch.setattr(world.store, "sync", lambda: 1 / 0)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    keeper.save(after(4))
    keeper.sync()
    assert keeper.trouble(0.0) == "the store's thread has ended"
    keeper._thread.join()
    keeper.close()


def test_a_writer_that_was_never_used_closes_its_store(world):
    keeper = writer(world)
    keeper.close()
    keeper.service(0.0)
    assert world.open().load() is None
