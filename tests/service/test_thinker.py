"""The engine's thread, run without a thread: requests in, answers out."""

import logging
import random
from types import SimpleNamespace

import pytest

from appliance.core.events import Think
from appliance.core.match import Match
from appliance.service import thinker
from engine import RULES


def answers(*requests):
    """Return what a thinker answers to these requests, all asked before it has looked at the first."""
    put = []
    engine = thinker.Thinker(put.append, lambda: 1.5, random.Random(7))
    for request in requests:
        engine.ask(request)
    engine._requests.put(None)  # as stop() does, which would also end the newest search
    engine.run()
    return put


def test_only_the_newest_request_is_answered():
    game = Match.new("classic", "x")
    (reply,) = answers(Think(1, game, "easy"), Think(2, game, "perfect"))
    assert (reply.at, reply.job) == (1.5, 2)


@pytest.mark.parametrize("rule", RULES)
def test_an_engine_that_fails_still_moves_and_says_so(rule, monkeypatch, caplog):
    monkeypatch.setattr(thinker, "LEVELS", {"easy": SimpleNamespace(choose=lambda *_: 1 / 0)})
    match = Match.new(rule, "x")
    with caplog.at_level(logging.ERROR):
        (reply,) = answers(Think(3, match, "easy"))
    assert reply.job == 3
    assert reply.cell in match.game.moves()
    (record,) = caplog.records
    assert "the engine failed" in record.message
    assert record.exc_info[0] is ZeroDivisionError


def test_a_search_that_asks_whether_to_stop_shows_that_it_moves(monkeypatch):
    engine, troubles, now = thinker.Thinker([].append, lambda: 0.0, random.Random(7)), [], 0.0

    def choose(game, _rng, stop):
        nonlocal now
        for seconds in (9.0, 9.0, 11.0, 9.0):
            troubles.append(engine.trouble(now))
            troubles.append(engine.trouble(now := now + seconds))
            stop()
        return game.moves()[0]

    monkeypatch.setattr(thinker, "LEVELS", {"easy": SimpleNamespace(choose=choose)})
    monkeypatch.setattr(thinker.Thinker, "ident", 1)
    monkeypatch.setattr(thinker.Thinker, "is_alive", lambda _: True)
    engine.ask(Think(1, Match.new("classic", "x"), "easy"))
    engine._requests.put(None)
    engine.run()
    hung = "the thread engine has not moved for 11 s"
    assert troubles == ["", "", "", "", "", hung, "", ""]
    assert engine.trouble(now) == engine.trouble(now + 1e6) == "", "it may wait for work for ever"


def test_a_stopped_thinker_answers_nothing():
    put = []
    engine = thinker.Thinker(put.append, lambda: 0.0, random.Random(7))
    engine.ask(Think(1, "easy", Match.new("classic", "x")))
    engine.stop()
    engine.run()
    assert put == []
