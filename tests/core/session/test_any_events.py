"""Invariants of the session: any events, in any order."""

import random
from itertools import accumulate, islice, product

import pytest
from effort import LONG, amount
from session_rig import fresh, games, of

from appliance.core.keys.key_events import Blocked, Chord, Hold, HoldProgress, Press, Release, Stuck, Tap
from appliance.core.picture.scene import SLIDE_FRAMES
from appliance.core.session import events as fx
from appliance.core.session import review
from appliance.core.session.events import (
    Answer,
    Condition,
    Judged,
    Reading,
    Refused,
    StopSignal,
    Timeout,
    Timer,
)
from appliance.core.session.match import Match
from appliance.core.session.settings import Options
from appliance.core.session.state import Page, Phase, show_page
from appliance.core.session.transitions import TABLE, step, trigger_of
from appliance.core.session.view import view
from engine import RULES, SOLVED, Remark, Verdict

VALUES = ("win", "draw", "loss", "unknown", "")


def any_line(chance, game):
    """Return up to five legal moves from a position."""
    line = []
    while not game.terminal and len(line) < chance.randrange(6):
        line.append(chance.choice(list(game.moves())))
        game = game.play(line[-1])
    return tuple(line)


def any_remarks(chance, match):
    """Return remarks on the game, not necessarily true, or none."""
    if chance.random() < 0.2:
        return None
    games = accumulate(match.moves, lambda game, cell: game.play(cell), initial=RULES[match.rule].start())
    steps = enumerate(zip(match.moves, games, strict=False))
    missed = ((chance.randrange(9),), ("not_at_once",))
    return tuple(
        Remark(ply, game.to_move, cell, *(Verdict(0, chance.choice(VALUES[:3]), None) for _ in range(2)),
               tuple(game.moves()[:2]), None, *chance.choice([missed, ((), ("trap",)), ((), ())]), None, (),
               any_line(chance, game), any_line(chance, game.play(cell)))
        for ply, (cell, game) in steps
    )  # fmt: skip


def any_event(chance, at, session):
    """Return a random event. Half of the taps, holds and answers fit, so that games progress."""
    key = chance.randrange(9)
    keys = tuple(sorted(chance.sample(range(9), chance.randrange(4))))
    pressed, move, job = session.pressed, chance.randrange(9), chance.randrange(12)
    if pressed is not None and chance.random() < 0.5:
        key = 8 - pressed if session.settings.turned else pressed
    timers = [one for one in Timer if one is not Timer.VISIT or session.options.exhibit]
    if moves := session.match.game.moves():
        move, job = chance.choice([(move, job), (chance.choice(list(moves)), session.request.job)])
    cell = move % 9
    return chance.choice(
        [
            *(Press(at, cell), Press(at, key), Press(at, 4)),
            *(Tap(at, key), Tap(at, key), Tap(at, key)),
            *(Release(at, key, soon=True), Release(at, key, soon=chance.random() < 0.5)),
            *(Hold(at, key), HoldProgress(at, key, chance.uniform(0.01, 0.99))),
            *(Chord(at, (key, cell)), Blocked(at, keys), Stuck(at, keys, chance.random() < 0.1)),
            *(Reading(at, 1 << key), Reading(at, chance.randrange(512)), Timeout(at, Timer.TEST)),
            *(Answer(at, job, move), Answer(at, job, move)),
            Judged(at, job, tuple(chance.choice(VALUES) for _ in range(9))),
            Judged(at, session.request.job, remarks=any_remarks(chance, session.match)),
            *(Timeout(at, Timer.PAUSE), Timeout(at, chance.choice(timers))),
            StopSignal(at) if chance.random() < 0.05 else Refused(at, "did_not_work"),
            Condition(at, chance.choice(["unsaved", "damaged", "brownout", "keys"]), chance.random() < 0.5),
        ]
    )


@pytest.mark.more
@pytest.mark.parametrize("rule", RULES)
def test_any_events_keep_the_invariants(rule):
    chance = random.Random(rule)
    phases = set()
    boxes = product((0, 1, 2), ("you", "box", "alternate"), range(30))
    for players, first, number in islice(boxes, 0, None, amount(4, 1)):
        attract, exhibit = chance.random() < 0.5, chance.random() < 0.3
        options = Options(pause=chance.choice([0.0, 0.4]), attract=attract, exhibit=exhibit)
        settings = {"rule": rule, "players": players, "first": first, "turned": chance.random() < 0.3,
                    "coach": chance.random() < 0.4}  # fmt: skip
        session = fresh(chance.choice(games(rule)), options=options, **settings)
        if number < len(Page):
            page = list(Page)[number]  # of the two that lead to LEAVING key 1 does so
            pressed = 0 if page in {Page.CONFIRM_OFF, Page.CONFIRM_RESTART} else chance.choice((0, 8))
            session = show_page(session, page)[0]._replace(pressed=pressed)
        elif session.match.over and rule in SOLVED:
            session = review.start(session, 0.0)[0]
        session = session._replace(asks=not exhibit and chance.random() < 0.3)
        for at in range(40):
            before, event = session, any_event(chance, float(at), session)
            session, effects = step(session, event)
            check(before, event, session, effects, f"{settings}, {number} at {at}: {event}")
            phases.add(session.phase)
    if not LONG:
        return
    rare = {Phase.LEAVING, *(() if rule in SOLVED else (Phase.REVIEW,))}  # test_reachable has every arrow
    assert phases | rare == set(Phase)


def check(before, event, session, effects, case):
    match = session.match
    assert Match.replay(match.rule, match.human, match.moves).game == match.game, case
    assert match.rule == session.settings.rule, f"{case}: the game is by the rule that was chosen"
    assert before.asks or not session.asks, case
    same = (match.moves, session.settings) == (before.match.moves, before.settings)
    assert same or not session.asks, f"{case}: a new box asks until there is something to keep"
    row = TABLE[before.phase].get(trigger_of(event))
    if row is None:
        touched = before._replace(dimmed=False) if isinstance(event, Press | Blocked) else before
        assert session in (before, touched), f"{case}: an event without a row changes nothing"
    assert session.phase in ((row and row.to) or {before.phase}), case
    if isinstance(event, Press):
        assert len(match.moves) - len(before.match.moves) in (0, 1), f"{case}: two marks for one press"
        if before.slide == SLIDE_FRAMES:
            assert match.moves == before.match.moves, f"{case}: a move on a board that nobody could see"
    if session.slide:
        assert session.form.home(match.moves[-1]) != session.form.board(match.game, None), case
    if session.picked is not None and session.phase is Phase.YOUR_TURN:
        assert (match.game.active, match.game.boards[session.picked]) == (None, "."), case
    if session.phase is Phase.YOUR_TURN and not session.slide and match.moves != before.match.moves:
        assert session.picked is None or before.phase is Phase.PLACED, f"{case}: a choice is for one move"
    assert all(judge.job == session.request.job for judge in of(fx.Judge, effects)), case
    for think in of(fx.Think, effects):
        assert think.job == session.request.job, case
    if Phase.REVIEW in {before.phase, session.phase}:
        assert match == before.match, f"{case}: a review changes no game"
        assert 0 <= session.review.ply <= len(match.moves), case
        assert 0 <= session.review.line <= 5, case
    if session.settings.coach and match.rule in SOLVED and session.phase is Phase.YOUR_TURN:
        assert match.helped, case
    if of(fx.Archive, effects) and session.settings.players and session.phase is not Phase.DEMO:
        assert (session.scores == before.scores) == match.helped, f"{case}: what was helped does not count"
    if session.options.exhibit:
        assert session.saved is None, f"{case}: nothing outlasts the visit"
    elif match.moves != before.match.moves:
        assert session.saved, f"{case}: every move is kept"
    view(session)
