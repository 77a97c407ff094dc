"""Play can reach each arrow of the transition table."""

import random
from itertools import product
from math import inf
from typing import NamedTuple
from unittest.mock import patch

import pytest
from session_rig import fresh, games, tapped

from appliance.core.keys import key_events as keys
from appliance.core.keys.scan import CENTRE
from appliance.core.session import events as fx
from appliance.core.session import play, selftest
from appliance.core.session.events import Timer
from appliance.core.session.match import Match
from appliance.core.session.settings import Options, Settings
from appliance.core.session.state import Page, Phase, Session, show_page
from appliance.core.session.transitions import TABLE, begin, carry_over, step, trigger_of
from engine import SOLVED

# Seconds; the hold is the longest that the configuration allows, so that any event can interrupt it.
TAP, HOLD = 0.06, 10.0
ARROWS = {
    (phase, trigger, target)
    for phase, rows in TABLE.items()
    for trigger, row in rows.items()
    for target in row.to - {phase}
}


class World(NamedTuple):
    """A session with the sources of its events: armed timers, unanswered requests, the key that is down.

    `pending` says that this key's press, which began at `since`, has not ended yet.
    """

    session: Session
    at: float = 0.0
    timers: tuple = ()
    asked: tuple = ()
    key: int | None = None
    since: float = 0.0
    pending: bool = False

    def after(self, session, effects):
        timers, asked = carry_over(dict(self.timers), session.phase), [*self.asked]
        for effect in effects:
            match effect:
                case fx.Arm(timer, seconds):
                    timers[timer] = self.at + seconds
                case fx.Think() | fx.Judge() | fx.Read() | fx.Power():
                    asked.append(effect)
        return self._replace(session=session, timers=tuple(timers.items()), asked=tuple(asked))

    def next(self, chance):
        """Return an event that may come next by the contract of key_events.py, and the world after it."""
        at, key = self.at, self.key
        timer, due = min(self.timers, key=lambda one: one[1], default=(None, inf))
        ends = self.since + (HOLD if key == CENTRE else TAP) if self.pending else inf
        keys_lost = (fx.Condition(at, "keys", on=on) for on in (True, False))
        may = [(chance.choice((fx.StopSignal(at), *keys_lost, keys.Stuck(at, ()))), self)]
        if due < ends:
            left = tuple(one for one in self.timers if one[0] is not timer)
            may += 3 * [(fx.Timeout(max(at, due), timer), self._replace(timers=left))]
        if self.pending:
            ended = self._replace(pending=False)
            may += 2 * [(keys.Tap(at, key), ended)]
            may += [(keys.Chord(at, (key,)), ended)] if at - self.since < TAP else []
            may += 2 * [(keys.Hold(ends, key), ended)] if key == CENTRE and due >= ends else []
        elif key is None:
            pressed = chance.choice((CENTRE, *range(9)))
            may += 3 * [(keys.Press(at, pressed), self._replace(key=pressed, since=at, pending=True))]
            may.append((keys.Blocked(at, ()), self))
        else:
            may += 2 * [(keys.Release(at, key, at - self.since < HOLD), self._replace(key=None))]
            may.append((keys.Blocked(at, (key,)), self))
        for asked in self.asked[:1]:
            match asked:
                case fx.Think(job, game):
                    reply = fx.Answer(at, job, chance.choice(list(game.game.moves())))
                case fx.Judge(job):
                    reply = fx.Judged(at, job, remarks=())
                case fx.Read():
                    reply = fx.Reading(at, 0)
                case fx.Power():
                    reply = fx.Refused(at, "did_not_work")
            may += 2 * [(reply, self._replace(asked=self.asked[1:]))]
        return chance.choice(may)

    def outline(self):
        """Return the key under which the search keeps one world."""
        session = self.session
        # One key on one page of the result ends the self-test: keep a world for each page.
        within = {Phase.MENU: session.page, Phase.SELF_TEST: (session.test.stage, session.test.page)}
        return (
            within.get(session.phase), session.asks, session.settings.players, session.match.human,
            session.match.over, session.options.attract, session.options.exhibit,
            session.match.rule == "ultimate",
        )  # fmt: skip


def starts():
    """Yield worlds at the start, and with each page of the menu open."""
    rests = (
        Options(dim=0, off=2.0, menu=4.0, drift=0),
        Options(dim=5.0, off=30.0, drift=0, attract=True),
        Options(visit=5.0, off=30.0, menu=0, drift=0, exhibit=True),
    )
    for rule, players, played, options in product(SOLVED, (0, 1, 2), range(3), rests):
        moves = games(rule)[played]
        match = Match.replay(rule, "x", moves)
        settings = Settings(rule=rule, players=players, first="alternate" if players else "you")
        session = Session(match._replace(counted=match.over), settings, options)
        world = World(session).after(*begin(session, 0.0))
        yield world
        if not options.exhibit:
            yield World(session).after(*begin(session._replace(asks=True), 0.0))
        if options.exhibit:  # begins with the demonstration
            world = world.after(*play.resume(session, 0.0))
            yield world
        for page in Page:
            yield world.after(*show_page(world.session, page))


@pytest.mark.long
@patch.multiple(selftest, KEY_SECONDS=0.0, RESULT_PAGES=6)  # short, so that the self-test ends; all its pages
def test_play_reaches_each_arrow_of_the_table():
    """A random search: each step continues from a world found before, of a phase drawn at random."""
    chance, reached = random.Random(5), set()
    worlds = {phase: {} for phase in Phase}

    def go_on(world, event, around):
        session, effects = step(world.session, event)
        if session.phase is not world.session.phase:
            reached.add((world.session.phase, trigger_of(event), session.phase))
        found = around._replace(at=event.at).after(session, effects)
        worlds[session.phase][found.outline()] = found
        return found

    for world in starts():
        worlds[world.session.phase][world.outline()] = world
        go_on(world, keys.Stuck(0.0, (3,), at_start=True), world)
    *moves, last = games("ultimate")[-1]
    choose, choice = tapped(1.0, last // 9), fx.Timeout(2.0, Timer.CHOICE)
    press, tap, release = tapped(1.5, last % 9)
    for before, players, after in (moves, 2, release), ((), 2, release), ((), 1, release), ((), 1, choice):
        world = World(fresh(before, rule="ultimate", players=players))
        for event in (*choose, press, tap, after):
            world = go_on(world, event, world)
    for _ in range(60_000):
        phases = [phase for phase in Phase if worlds[phase] and phase is not Phase.ENDED]
        phase = chance.choice((*phases, Phase.MENU, Phase.MENU, Phase.MENU))
        world = chance.choice(list(worlds[phase].values()))
        for _ in range(10):
            world = go_on(world, *world.next(chance))
        if reached == ARROWS:
            break
    assert reached == ARROWS, f"never: {ARROWS - reached}"
