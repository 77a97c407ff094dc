"""The session's table, driven by any events whatever, and by the stories that it was made for."""

import random
from itertools import product

import pytest
from session_rig import feed, fresh, of, tap

from appliance.core import events as fx
from appliance.core.events import (
    Answer,
    Blocked,
    Chord,
    Condition,
    Hold,
    HoldProgress,
    Press,
    Refused,
    Stop,
    Stuck,
    Tap,
    Timeout,
    Timer,
)
from appliance.core.match import Match
from appliance.core.session import TABLE, begin, step, trigger_of
from appliance.core.settings import Options
from appliance.core.state import Page, Phase
from appliance.core.view import view
from engine import RULES


def any_event(chance, at, session):
    """Return an event. Half of the taps, holds and answers fit, so that games get on."""
    key = chance.randrange(9)
    keys = tuple(sorted(chance.sample(range(9), chance.randrange(4))))
    pressed, cell, job = session.pressed, chance.randrange(9), chance.randrange(12)
    if pressed is not None and chance.random() < 0.5:
        key = 8 - pressed if session.settings.turned else pressed
    if moves := session.match.game.moves():
        cell, job = chance.choice([(cell, job), (chance.choice(list(moves)), session.job)])
    return chance.choice(
        [
            *(Press(at, cell), Press(at, key), Press(at, 4)),
            *(Tap(at, key), Tap(at, key), Tap(at, key)),
            *(Hold(at, key), HoldProgress(at, key, chance.uniform(0.01, 0.99))),
            *(Chord(at, (key, cell)), Blocked(at, keys), Stuck(at, keys)),
            *(Answer(at, job, cell), Answer(at, job, cell)),
            *(Timeout(at, Timer.PAUSE), Timeout(at, chance.choice(list(Timer)))),
            Stop(at) if chance.random() < 0.05 else Refused(at, "power_failed"),
            Condition(at, chance.choice(["unsaved", "damaged"]), chance.random() < 0.5),
        ]
    )


@pytest.mark.parametrize("rule", RULES)
def test_any_events_keep_the_invariants(rule):
    chance = random.Random(rule)
    phases = set()
    for players, first, number in product((0, 1, 2), ("you", "box", "alternate"), range(18)):
        options = Options(pause=chance.choice([0.0, 0.4]), attract=chance.random() < 0.5)
        settings = {"rule": rule, "players": players, "first": first, "turned": chance.random() < 0.3}
        session = fresh(chance.choice([(), (0, 3, 1, 4)]), options=options, **settings)
        if number < len(Page):
            session = session._replace(phase=Phase.MENU, page=list(Page)[number], pressed=8)
        for at in range(40):
            before, event = session, any_event(chance, float(at), session)
            session, effects = step(session, event)
            check(before, event, session, effects, f"{settings}, {number} at {at}: {event}")
            phases.add(session.phase)
    assert phases == set(Phase)


def check(before, event, session, effects, case):
    match = session.match
    assert Match.replay(match.rule, match.human, match.moves).game == match.game, case
    row = TABLE[before.phase].get(trigger_of(event))
    if row is None:
        touched = before._replace(dimmed=False) if isinstance(event, Press | Blocked) else before
        assert session in (before, touched), f"{case}: an event without a row changes nothing"
    assert session.phase in ((row and row.to) or {before.phase}), case
    if isinstance(event, Press):
        assert len(match.moves) - len(before.match.moves) in (0, 1), f"{case}: two marks for one press"
    draws = [index for index, effect in enumerate(effects) if isinstance(effect, fx.Draw)]
    for think in of(fx.Think, effects):
        assert think.job == session.job, case
        assert draws[0] < effects.index(think), f"{case}: the mark is drawn before the engine starts"
    if match.moves != before.match.moves:
        saves = of(fx.Save, effects)
        assert saves, f"{case}: every move is kept"
        assert effects.index(saves[0]) < draws[0], case
    view(session)


def test_a_press_places_the_mark_and_keeps_it_before_it_is_drawn_and_before_the_engine_thinks():
    session, effects = feed(fresh(), Press(1.0, 0))
    assert (session.board, session.phase) == ("x........", Phase.PLACED)
    assert [type(effect) for effect in effects[:2]] == [fx.Save, fx.Draw]
    assert not of(fx.Think, effects)
    session, effects = feed(session, Tap(1.06, 0))
    assert session.phase is Phase.THINKING
    assert [type(effect) for effect in effects] == [fx.Draw, fx.Lamp, fx.Think, fx.Arm]
    assert effects[-1] == fx.Arm(Timer.PAUSE, pytest.approx(0.34))


def test_the_answer_waits_for_the_pause_and_the_pause_for_the_answer():
    thinking, _ = feed(fresh(), Press(1.0, 0), Tap(1.06, 0))
    early, _ = feed(thinking, Answer(1.1, thinking.job, 4))
    assert early.board == "x........"
    early, _ = feed(early, Timeout(1.4, Timer.PAUSE))
    late, _ = feed(thinking, Timeout(1.4, Timer.PAUSE))
    assert late.board == "x........"
    late, _ = feed(late, Answer(2.0, late.job, 4))
    assert early.board == late.board == "x...o...."
    assert early.phase is late.phase is Phase.YOUR_TURN
    # Without a pause it is shown at once.
    session, effects = feed(fresh(options=Options(pause=0.0)), Press(1.0, 0), Tap(1.06, 0))
    assert not [effect for effect in of(fx.Arm, effects) if effect.timer == Timer.PAUSE]
    assert feed(session, Answer(1.1, session.job, 4))[0].board == "x...o...."


def test_a_press_while_the_box_thinks_is_no_move_and_flashes_until_the_box_has_answered():
    session, _ = feed(fresh(), Press(1.0, 0), Tap(1.06, 0))
    session, effects = feed(session, Press(1.1, 8))
    assert (session.flash, session.notice, view(session).scene.headline) == (8, "", "My turn")
    assert isinstance(effects[0], fx.Draw)
    session, _ = feed(session, Tap(1.16, 8), Press(1.18, 7), Answer(1.2, session.job, 4))
    session, _ = feed(session, Timeout(1.4, Timer.PAUSE), Tap(1.45, 7))
    assert (session.flash, session.board, session.phase) == (None, "x...o....", Phase.YOUR_TURN)
    watching = fresh(players=0)
    assert feed(watching, Press(1.0, 8))[0].flash is None, "there a tap starts a game"


def test_a_taken_cell_flashes_and_says_so():
    session, _ = feed(fresh(players=2), Press(1.0, 0), Tap(1.06, 0))
    session, effects = feed(session, Press(2.0, 0))
    assert (session.flash, session.notice, session.board) == (0, "taken", "x........")
    assert of(fx.Beep, effects) == [fx.Beep("refuse")]
    session, _ = feed(session, Tap(2.1, 0), Timeout(3.2, Timer.NOTICE))
    assert (session.flash, session.notice) == (None, "")


def test_the_centre_is_taken_back_when_its_press_becomes_a_hold_and_only_then():
    session, _ = feed(fresh(), Press(1.0, 4))
    assert session.board == "....x...."
    session, _ = feed(session, HoldProgress(1.5, 4, 0.5))
    assert session.progress == 0.5
    released, _ = feed(session, Tap(1.8, 4))
    assert (released.board, released.phase, released.progress) == ("....x....", Phase.THINKING, None)
    session, effects = feed(session, Hold(2.0, 4))
    assert (session.board, session.phase, session.page) == (".........", Phase.MENU, Page.MAIN)
    assert of(fx.Save, effects)[0].match.moves == ()


def test_a_finished_game_is_counted_once_kept_and_followed_by_the_next():
    session, _ = tap(fresh(players=2), 1, 4, 2, 5)
    session, effects = feed(session, Press(9.0, 2), Tap(9.06, 2))
    assert session.phase is Phase.GAME_OVER
    assert (session.scores.pair.first, session.scores.box.first) == (1, 0)
    game = of(fx.Archive, effects)[0].game
    assert (game.result, game.moves, game.seconds) == ("x", (0, 3, 1, 4, 2), pytest.approx(6.06))
    session, _ = feed(session, Press(10.0, 5), Tap(10.06, 5))
    assert (session.board, session.phase) == (".........", Phase.YOUR_TURN)


def test_a_tap_that_began_before_the_end_starts_no_game():
    session = fresh()._replace(match=Match.replay("classic", "o", (0, 3, 1, 4)))
    session, _ = feed(session, Condition(0.0, "unsaved", on=True))
    session, _ = begin(session, 1.0)
    session, _ = feed(session, Press(1.2, 8), Answer(1.3, session.job, 2), Timeout(1.4, Timer.PAUSE))
    assert session.phase is Phase.GAME_OVER
    assert feed(session, Tap(1.5, 8))[0].phase is Phase.GAME_OVER
    assert session.scores.box.second == 1


def test_a_condition_reported_twice_is_drawn_once():
    session, effects = step(fresh(), Condition(0.0, "unsaved", on=True))
    assert (session.badges, effects) == (("unsaved",), (fx.Draw(),))
    assert step(session, Condition(1.0, "unsaved", on=True)) == (session, ())
    # Stuck keys of a box that stands upside down are counted as it stands.
    assert step(fresh(turned=True), Stuck(0.0, (0, 1, 5)))[0].stuck == (3, 7, 8)


def test_who_begins_alternates():
    session = fresh(first="alternate")
    assert session.match.human == "x"
    session = session._replace(match=Match.replay("classic", "x", (0, 3, 1, 4, 2))._replace(counted=True))
    session, _ = tap(begin(session, 1.0)[0], 1)
    assert (session.match.human, session.phase) == ("o", Phase.THINKING)


def test_a_game_that_had_ended_uncounted_when_the_power_went_is_counted_at_start_and_only_then():
    match = Match.replay("classic", "x", (0, 3, 1, 4, 2))
    session = fresh()._replace(match=match)
    for archived in (1, 0):
        session, effects = begin(session, 5.0)
        assert (session.scores.box.first, len(of(fx.Archive, effects))) == (1, archived)


def test_a_press_wakes_a_dark_display_and_does_nothing_else_but_counts_on_a_dim_one():
    session, effects = feed(fresh(), Timeout(600.0, Timer.OFF))
    assert (session.phase, session.lit) == (Phase.ASLEEP, False)
    assert of(fx.Rest, effects) == [fx.Rest(asleep=True)]
    session, effects = feed(session, Press(700.0, 0))
    assert session.lit
    assert of(fx.Rest, effects) == [fx.Rest(asleep=False)]
    session, _ = feed(session, Tap(700.06, 0))
    assert (session.board, session.phase) == (".........", Phase.YOUR_TURN)
    session, _ = feed(fresh(), Timeout(60.0, Timer.DIM))
    assert view(session).light.contrast == 1
    session, _ = feed(session, Press(61.0, 0))
    assert (session.board, view(session).light.contrast) == ("x........", 207)


def test_the_goodbye_says_why_and_a_machine_that_stays_on_plays_on():
    session, effects = feed(fresh(), Stop(1.0))
    assert (session.phase, session.goodbye, effects[-1]) == (Phase.ENDED, "goodbye_stop", fx.Quit())
    leaving = fresh()._replace(phase=Phase.LEAVING, goodbye="goodbye_off")
    assert feed(leaving, Stop(1.0))[0].goodbye == "goodbye_off"
    session, _ = feed(leaving, Refused(1.0, "would_power_off"))
    assert (session.phase, session.notice) == (Phase.YOUR_TURN, "would_power_off")


def test_every_phase_can_be_reached_and_left():
    assert {phase for rows in TABLE.values() for row in rows.values() for phase in row.to} == set(Phase)
    assert [phase for phase in Phase if not TABLE[phase]] == [Phase.ENDED]


def test_a_sentence_stays_longer_than_the_word_beside_a_cell_that_flashes():
    _, effects = feed(fresh(players=2), Press(1.0, 0), Tap(1.06, 0), Press(2.0, 0))
    word = [effect.seconds for effect in of(fx.Arm, effects) if effect.timer == Timer.NOTICE]
    session, effects = feed(fresh(), Press(1.0, 0), Chord(1.01, (0, 8)))
    assert (session.board, session.phase, session.notice) == (".........", Phase.YOUR_TURN, "one_key")
    assert of(fx.Save, effects)[-1].match.moves == (), "two keys at once are no move"
    sentence = [effect.seconds for effect in of(fx.Arm, effects) if effect.timer == Timer.NOTICE]
    assert word < sentence


def test_the_board_names_the_rule_of_its_own_game():
    session = fresh()._replace(match=Match.replay("misere", "x", (0, 4)))
    assert view(session).scene.notes == ("Three in a row loses", "Perfect")
    session = fresh(rule="misere")._replace(match=Match.replay("classic", "x", (0, 4)))
    assert view(session).scene.notes == ("Perfect",)


PLACED = fresh((0,))._replace(phase=Phase.PLACED, pressed=0)
MENU = fresh()._replace(phase=Phase.MENU, page=Page.MAIN, pressed=3)
DEMO_ON = fresh()._replace(phase=Phase.DEMO, demo=Match.new("classic", "x"))
HINTING = fresh((0, 4))._replace(hinting=True, job=7)
OVER = fresh((0, 3, 1, 4, 2))


@pytest.mark.parametrize(("session", "event"), [
    *((fresh()._replace(phase=phase), Blocked(2.0, (1,))) for phase in (Phase.LEAVING, Phase.ENDED)),
    (PLACED, Tap(1.0, 5)), (PLACED, Hold(1.0, 5)), (PLACED, HoldProgress(1.0, 0, 0.5)),
    (MENU, Tap(1.0, 5)), (MENU, Hold(1.0, 4)), (fresh(), Hold(1.0, 4)),
    (fresh((), "o"), Answer(1.0, 1, 99)), (fresh((), "o"), Answer(1.0, 99, 4)),
    (HINTING, Answer(1.0, 6, 8)), (HINTING, Answer(1.0, 7, 4)),
    (DEMO_ON, Answer(1.0, 99, 4)), (DEMO_ON, Answer(1.0, DEMO_ON.job, 9)),
    (OVER, Tap(1.0, 5)), (OVER, Timeout(1.0, Timer.NEXT)),
    (OVER._replace(blinks=0), Timeout(1.0, Timer.BLINK)),
    (fresh(), Timeout(1.0, Timer.NOTICE)), (fresh(), Stuck(1.0, ())),
])  # fmt: skip
def test_an_event_that_does_not_fit_changes_nothing(session, event):
    assert step(session, event) == (session, ())


def test_a_chord_while_nothing_can_be_played_only_ends_the_press():
    session = OVER._replace(pressed=4, progress=0.5)
    after, effects = step(session, Chord(1.0, (4, 8)))
    assert (after.pressed, after.progress, after.phase) == (None, None, Phase.GAME_OVER)
    assert effects
