"""The writer: the main thread waits for a commit, but not for a slow card. No test here depends on time."""

import threading
from types import SimpleNamespace

import pytest
from store_world import GAME, WON, after, failing

from appliance.core.session.events import Archive, Saved
from appliance.core.session.settings import Scores, Settings, Tally
from appliance.storage import database, faults, writer
from appliance.storage.writer import MAX_WAITING, Writer

LONG = 600.0  # seconds: a test that waits for this has failed


@pytest.fixture
def card(monkeypatch):
    """A card whose commits wait until `works` is set; `commits` are the numbers of games in each."""
    card = SimpleNamespace(works=threading.Event(), busy=threading.Event(), commits=[])
    card.works.set()
    real = database.Database.commit

    def commit(of, *args):
        card.busy.set()
        assert card.works.wait(LONG)
        games = len(of.games)
        real(of, *args)
        if of.path.name == database.NAME:
            card.commits.append(games)

    monkeypatch.setattr(database.Database, "commit", commit)
    return card


@pytest.fixture
def keeper(world, monkeypatch):
    monkeypatch.setattr(writer, "MAX_WAIT", LONG)
    world.put = threading.Event()
    world.open()._put = lambda event: (world.events.append((event.name, event.on)), world.put.set())
    return Writer(world.store)


@pytest.fixture
def slow(keeper, card, monkeypatch):
    """A writer that no longer waits for its first commit, of a card that does not work."""
    card.works.clear()
    with monkeypatch.context() as patch:
        patch.setattr(writer, "MAX_WAIT", 0.01)
        keeper.keep([after(4)])
    card.busy.wait(LONG)
    return keeper


def test_a_commit_is_durable_when_keep_returns(world, keeper):
    keeper.keep([after(4)])
    assert world.rows("SELECT moves FROM progress") == [("5",)]
    keeper.keep([Archive(GAME)])
    assert [one.game for one in world.played()] == [GAME]
    keeper.close()
    assert (world.events, keeper.problem, keeper.trouble(0.0)) == ([], None, "")


def test_the_game_goes_on_while_a_slow_card_commits(world, card, slow):
    assert world.events == [("unsaved", True)]
    assert "the card is slow" in str(slow.problem)
    assert slow.trouble(1e9) == ""
    for number in range(1, 1500):  # the latest state wins, the games queue up
        slow.keep((after(*range(number % 3)), Archive(GAME)))  # if this waits, the test hangs
    assert len(slow._waiting) == 1 + MAX_WAITING
    assert world.events == [("unsaved", True)]
    world.put.clear()
    card.works.set()
    assert world.put.wait(LONG)
    assert world.events == [("unsaved", True), ("unsaved", False)]
    assert card.commits == [0, MAX_WAITING]
    assert world.rows("SELECT moves FROM progress") == [("12",)]
    assert slow.problem is None
    slow.close()


def test_closing_does_not_wait_for_a_slow_card_that_commits_later(world, card, slow, monkeypatch, caplog):
    slow.keep((Saved(WON, Scores(Tally(1)), Settings()), Archive(GAME)))
    monkeypatch.setattr(writer, "MAX_WAIT", 0.01)
    slow.close()
    assert "the card is too slow" in caplog.text
    card.works.set()
    slow._thread.join()
    assert card.commits == [0, 1]
    assert world.rows("SELECT box_first FROM progress") == [(1,)]


def test_the_thread_retries_on_a_failing_disk(world, keeper):
    with failing(database.Database, "commit", faults.Unusable("No space left on device")):
        keeper.keep([after(4)])
        assert world.events == [("unsaved", True)]
        assert "No space left" in str(keeper.problem)
    world.time = 100.0
    keeper.keep(())
    assert world.events == [("unsaved", True), ("unsaved", False)]
    keeper.close()
    assert world.open().load().match.moves == (4,)


def test_a_thread_that_dies_is_reported_and_holds_nobody_up(world, keeper, monkeypatch):
    keeper.keep(())
    assert keeper.trouble(0.0) == ""
    monkeypatch.setattr(world.store, "commit", lambda _: 1 / 0)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    keeper.keep([after(4)])
    assert keeper.trouble(0.0) == "the store's thread has ended"
    keeper._thread.join()
    keeper.close()


def test_a_writer_that_was_never_used_closes_its_store(world, keeper):
    keeper.close()
    assert world.open().load() is None
