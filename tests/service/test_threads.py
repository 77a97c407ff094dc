"""The threads: they put events, survive faults, show that they are alive, end when they are stopped."""

import logging
import random
import threading
from itertools import count
from types import SimpleNamespace

import pytest

from appliance.core.keys.key_events import Stuck, Tap
from appliance.core.session.events import Condition, Judge, Think
from appliance.core.session.match import Match
from appliance.devices.keypad import AWAKE, PARKED
from appliance.service.threads import Scanner, Thinker, WatchedThread
from engine import LEVELS, RULES, Belief

PARK, NOTHING = ((), PARKED), ((), AWAKE)


class Keys:
    """A keypad that follows a script: what `poll` or `wait` returns or raises."""

    def __init__(self, *script):
        self.script = list(script)
        self.calls = []
        self.after = lambda: None

    def _next(self, name):
        self.calls.append(name)
        entry = self.script.pop(0)
        if not self.script:
            self.after()
        if isinstance(entry, BaseException):
            raise entry
        return entry

    def poll(self, now):
        assert now == 3.0
        return self._next("poll")

    def wait(self):
        return self._next("wait")

    def missed(self):
        return self._next("missed")

    def wake(self):
        self.calls.append("wake")


def test_the_scanner_survives_faults_and_logs_each_once_and_stuck_keys(caplog):
    caplog.set_level(logging.INFO)
    error, stuck, free, events = OSError(5, "Input/output error"), Stuck(3.0, (0, 8)), Stuck(3.0, ()), []
    tap = Tap(3.0, 4)
    keys = Keys(
        NOTHING, *[error] * 7, ((stuck, tap), AWAKE), ((free,), AWAKE),
        PARK, RuntimeError("again"), PARK, True, NOTHING,
    )  # fmt: skip
    scanner = Scanner(keys, lambda: 3.0, events.append)
    delays = [scanner.step() for _ in range(13)]
    assert delays == [AWAKE, 0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0, AWAKE, AWAKE, 0.25, 0.0, AWAKE]
    failed, fine = (Condition(3.0, "keys", on) for on in (True, False))
    assert repr(events) == repr([failed, fine, stuck, tap, free, failed, fine])
    assert [record.message for record in caplog.records] == [
        "the keys do not answer (OSError: [Errno 5] Input/output error); trying again",
        "the keys answer again",
        "stuck keys, counted from 1: 1, 9",
        "stuck keys, counted from 1: none",
        "the keys do not answer (RuntimeError: again); trying again",
        "the keys answer again",
    ]


@pytest.mark.parametrize(("script", "calls"), [
    ([((), 0.0)] * 3, ["poll", "poll", "poll"]),
    ([PARK, True, ((), 0.0), PARK, True], ["poll", "wait", "poll", "poll", "wait"]),
    # a nudge costs no poll, only a look
    ([PARK, False, False, False, False, True], ["poll", "wait", "missed", "wait", "missed", "wait"]),
    ([PARK, False, True, ((), 0.0)], ["poll", "wait", "missed", "poll"]),  # an edge was lost
    ([PARK, False, False, False], ["poll", "wait", "missed", "wait"]),  # stopped while parked
])  # fmt: skip
def test_the_scanner_polls_or_sleeps_until_it_is_stopped(script, calls):
    keys = Keys(*script)
    scanner = Scanner(keys, lambda: 3.0, [].append)
    keys.after = scanner.stop
    scanner.run()
    assert [name for name in keys.calls if name != "wake"] == calls
    assert keys.calls.count("wake") == 1


class Parks:
    """A keypad that is parked. It wakes when it is nudged, unless it is deaf, as if its thread hung."""

    def __init__(self):
        self.asleep, self.woken = threading.Event(), threading.Semaphore(0)
        self.deaf, self.nudges = False, 0

    def poll(self, now):
        return (), PARKED

    def wait(self):
        self.asleep.set()
        self.woken.acquire()
        return False

    def missed(self):
        return False

    def wake(self):
        self.nudges += 1
        if not self.deaf:
            self.woken.release()


def test_a_parked_scanner_is_nudged_now_and_then_and_is_in_trouble_if_it_does_not_reply():
    keypad = Parks()
    scanner = Scanner(keypad, lambda: 0.0, [].append)
    assert scanner.trouble(0.0) == "", "not started yet"
    scanner.start()
    keypad.asleep.wait()
    times = count(step=2.5)
    for nudges in range(1, 4):
        move, checks = scanner._move, 0
        while keypad.nudges < nudges:
            assert scanner.trouble(next(times)) == ""
            checks += 1
        assert checks == 10  # the first sees the last move, the tenth 22.5 s later nudges
        while scanner._move == move:
            assert scanner.is_alive()
    keypad.deaf = True
    troubles = [scanner.trouble(next(times)) for _ in range(13)]
    assert troubles == [""] * 12 + ["the thread keypad has not moved for 8 s"]
    keypad.deaf = False
    scanner.stop()
    scanner.stop()
    assert not scanner.is_alive()


def test_a_scanner_that_hangs_in_a_poll_is_in_trouble():
    polls, inside, end = count(), threading.Event(), threading.Event()

    def hang(_now):
        if next(polls):  # not in the first poll: the bound of the start is another
            inside.set()
            end.wait()
        return (), 2.0

    scanner = Scanner(SimpleNamespace(poll=hang, wake=end.set), lambda: 0.0, [].append)
    scanner._stopped.wait = lambda _delay: scanner._stopped.is_set()
    scanner.start()
    inside.wait()
    # All the time before the first call counts for nothing.
    troubles = [scanner.trouble(now) for now in (100.0, 106.9, 107.1)]
    assert troubles == ["", "", "the thread keypad has not moved for 7 s"]
    scanner.stop()


class Wakes(WatchedThread):
    """A thread that wakes from a long sleep just after its watcher has read one of its attributes."""

    wakes = False

    def __getattribute__(self, name):
        value = super().__getattribute__(name)
        if name.startswith("_move") and self.wakes:
            self.wakes = False
            self.moved(1.0)
        return value


def test_a_thread_that_wakes_while_it_is_looked_at_is_not_late(monkeypatch):
    monkeypatch.setattr(Wakes, "ident", 1)
    monkeypatch.setattr(Wakes, "is_alive", lambda _: True)
    thread = Wakes("waking")
    thread.moved(None)
    troubles = [thread.trouble(0.0), thread.trouble(100.0)]
    thread.wakes = True
    assert [*troubles, thread.trouble(200.0), thread.wakes, thread.trouble(300.0)] == ["", "", "", False, ""]


# The engine's thread, run without a thread: requests in, answers out


def answers(*requests):
    """Return what a thinker answers to these requests, all asked before it has looked at the first."""
    put = []
    engine = Thinker(put.append, lambda: 1.5, random.Random(7))
    for request in requests:
        engine.ask(request)
    engine._requests.put(None)  # as stop() does, which would also end the newest search
    engine.run()
    return put


def test_only_the_newest_request_is_answered():
    game = Match.new("classic", "x")
    (reply,) = answers(Think(1, game, LEVELS["easy"]), Think(2, game, LEVELS["perfect"]))
    assert (reply.at, reply.job) == (1.5, 2)


@pytest.mark.parametrize("rule", RULES)
def test_an_engine_that_fails_still_moves_and_says_so(rule, caplog):
    match = Match.new(rule, "x")
    with caplog.at_level(logging.ERROR):
        (reply,) = answers(Think(3, match, SimpleNamespace(choose=lambda *_: 1 / 0)))
    assert reply.job == 3
    assert reply.move in match.game.moves()
    (record,) = caplog.records
    assert "the engine failed" in record.message
    assert record.exc_info[0] is ZeroDivisionError


def superseded(monkeypatch, request, newer, moves):
    """Return the replies to a request that a newer one follows after so many moves, and the moves' bounds."""
    put, bounds = [], []
    engine = Thinker(put.append, lambda: 1.5, random.Random(7))
    moved = engine.moved

    def move(bound):
        moved(bound)
        bounds.append(bound)
        if len(bounds) == moves:  # in the midst of the search
            engine.ask(newer)
            engine._requests.put(None)

    monkeypatch.setattr(engine, "moved", move)
    engine.ask(request)
    engine.run()
    return put, bounds


def test_a_judgement_gives_way_to_the_boxs_own_move_and_shows_that_it_moves(monkeypatch):
    """The search for the worth of moves polls, as soon as a newer request is there it is over."""
    game = Match.new("vanishing", "x")
    newer = Think(2, game.play(0), LEVELS["easy"])
    put, bounds = superseded(monkeypatch, Judge(1, game), newer, moves=3)
    assert [reply.job for reply in put] == [1, 2]
    assert {"", "unknown"} & set(put[0].worth), "it is not complete, and stale"
    assert bounds.index(None, 1) < 10, "it ended at once"
    assert set(bounds) == {None, Thinker.BOUND}


def test_a_long_search_for_a_move_gives_way_to_a_newer_request(monkeypatch):
    match = Match.new("ultimate", "x").play(40).play(36)
    long = Think(1, match, RULES["ultimate"].levels["perfect"])
    put, bounds = superseded(monkeypatch, long, Think(2, match, Belief()), moves=4)
    assert [reply.job for reply in put] == [1, 2]
    assert all(reply.move in match.game.moves() for reply in put)
    assert bounds.index(None, 1) < 10, "it ended at once"


def test_an_engine_that_fails_judges_nothing_and_says_so(caplog):
    match = Match.new("classic", "x")._replace(game=None, rule="checkers")
    with caplog.at_level(logging.ERROR):
        (reply,) = answers(Judge(3, match._replace(game=SimpleNamespace(outcome="x"))))
    assert (reply.job, reply.worth, reply.remarks) == (3, (), None)
    assert "failed to judge" in caplog.text


def test_a_search_that_asks_whether_to_stop_shows_that_it_moves(monkeypatch):
    engine, troubles, now = Thinker([].append, lambda: 0.0, random.Random(7)), [], 0.0

    def choose(game, _rng, stop, _table):
        nonlocal now
        for seconds in (9.0, 9.0, 11.0, 9.0):
            troubles.append(engine.trouble(now))
            troubles.append(engine.trouble(now := now + seconds))
            stop()
        return game.moves()[0]

    monkeypatch.setattr(Thinker, "ident", 1)
    monkeypatch.setattr(Thinker, "is_alive", lambda _: True)
    engine.ask(Think(1, Match.new("classic", "x"), SimpleNamespace(choose=choose)))
    engine._requests.put(None)
    engine.run()
    hung = "the thread engine has not moved for 11 s"
    assert troubles == ["", "", "", "", "", hung, "", ""]
    assert engine.trouble(now) == engine.trouble(now + 1e6) == "", "it may wait for work for ever"


def test_a_stopped_thinker_answers_nothing():
    put = []
    engine = Thinker(put.append, lambda: 0.0, random.Random(7))
    engine.ask(Think(1, Match.new("classic", "x"), LEVELS["easy"]))
    engine.stop()
    engine.run()
    assert put == []


def test_one_table_is_kept_over_a_game_and_cleared_when_another_begins():
    engine, sizes = Thinker([].append, lambda: 0.0, random.Random(7)), []

    def choose(game, _rng, _stop, table):
        sizes.append(len(table))
        table.put(game.key(), (0, 1, "exact", -1))
        return game.moves()[0]

    games = ((), (4, 0), (4, 0, 1, 2), (3,), (3, 0, 1))
    for job, moves in enumerate(games, 1):
        match = Match.replay("classic", "x", moves)
        engine.ask(Think(job, match, SimpleNamespace(choose=choose)))
        engine._requests.put(None)
        engine.run()
    assert sizes == [0, 1, 2, 0, 1]
