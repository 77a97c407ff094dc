"""The self-test as a phase of the session: how it starts, what it shows, how it ends."""

import pytest
from session_rig import feed, fresh, of, opened, tap

from appliance.core.keys.key_events import Blocked, Press, Stuck
from appliance.core.picture.scene import BoardScene, PatternScene
from appliance.core.session import events as fx
from appliance.core.session.events import Answer, Reading, Timeout, Timer
from appliance.core.session.selftest import KEY_SECONDS, RESULT_PAGES
from appliance.core.session.settings import Options
from appliance.core.session.state import Phase, Stage
from appliance.core.session.transitions import TABLE
from appliance.core.session.view import scene, view

HELD = Stuck(0.1, (2,), at_start=True)
TIMES_UP = Timeout(5.0, Timer.TEST)
STARTED = tap(opened(fresh((0, 4))), 8, 6)[0]
ASKING = feed(STARTED, TIMES_UP, TIMES_UP, TIMES_UP, Reading(5.1, 0), Reading(5.4, 0))[0]


@pytest.mark.parametrize(("session", "events", "phase", "stage"), [
    (fresh(), [HELD], Phase.SELF_TEST, Stage.LET_GO),
    (fresh((), "o"), [HELD], Phase.SELF_TEST, Stage.LET_GO),  # while the box thinks
    (fresh((0, 3, 1, 4, 2)), [HELD], Phase.SELF_TEST, Stage.LET_GO),  # at the end of a game
    (opened(fresh()), [HELD], Phase.SELF_TEST, Stage.LET_GO),  # in a menu that a start may lead to
    (fresh(), [Stuck(40.0, (2,))], Phase.YOUR_TURN, None),  # held after the start
    (fresh(), [HELD, Stuck(3.0, ())], Phase.SELF_TEST, Stage.LIT),
    (fresh(), [HELD, Stuck(3.0, (2, 3))], Phase.SELF_TEST, Stage.LET_GO),
    (fresh(), [HELD, TIMES_UP], Phase.YOUR_TURN, None),  # it is jammed
    (fresh(), [HELD, Press(3.0, 8)], Phase.YOUR_TURN, None),
    (fresh(), [HELD, Blocked(3.0, (2,))], Phase.YOUR_TURN, None),
    (fresh(), [HELD._replace(keys=(0, 2)), Stuck(3.0, (2,))], Phase.SELF_TEST, Stage.LIT),  # one is jammed
    (STARTED, [Stuck(3.0, (1,)), Stuck(4.0, ())], Phase.SELF_TEST, Stage.LIT),
    (STARTED, [Press(3.0, 1), Reading(3.0, 2)], Phase.SELF_TEST, Stage.LIT),
    (ASKING, [Press(6.0, 1), Blocked(6.0, ())], Phase.SELF_TEST, Stage.WALK),
])  # fmt: skip
def test_what_starts_and_what_ends_it(session, events, phase, stage):
    before, (session, effects) = session, feed(session, *events)
    assert (session.phase, session.board) == (phase, before.board)
    assert stage is None or session.test.stage is stage
    tested = before.phase is Phase.SELF_TEST or Timer.TEST in {arm.timer for arm in of(fx.Arm, effects)}
    assert phase is Phase.SELF_TEST or fx.Arm(Timer.DIM, 60.0) in effects or not tested


def test_an_answer_that_comes_meanwhile_is_dropped_and_asked_for_again():
    thinking = fresh((), "o")
    session, _ = feed(thinking, HELD, Answer(0.2, thinking.request.job, 0))
    session, effects = feed(session, TIMES_UP)
    assert (session.phase, session.board) == (Phase.THINKING, ".........")
    assert [think.job for think in of(fx.Think, effects)] == [session.request.job]
    assert feed(session, Answer(6.0, thinking.request.job, 0))[0].request.answer is None


def test_an_exhibit_starts_it_with_the_power_alone():
    exhibit = fresh(options=Options(power=False))
    assert tap(opened(exhibit), 8, 6)[0].phase is Phase.MENU
    assert feed(exhibit, HELD)[0].phase is Phase.SELF_TEST


def test_nothing_else_runs_meanwhile_and_the_patterns_fill_the_display():
    session, _ = tap(opened(fresh((0, 4)))._replace(drift=3), 8, 6)
    assert {*Timer} & TABLE[session.phase].keys() == {Timer.TEST}
    assert view(session).shift == (0, 0)
    assert [scene(session), scene(feed(session, TIMES_UP)[0])] == [PatternScene(False), PatternScene(True)]


@pytest.mark.parametrize("turned", [False, True])
def test_a_cell_is_lit_while_its_key_is_down_and_the_next_is_asked_for(turned):
    asking = ASKING._replace(settings=ASKING.settings._replace(turned=turned))
    first, second = (8, 7) if turned else (0, 1)  # the cells where the person sees these keys
    shown = scene(asking)
    assert isinstance(shown, BoardScene)
    assert shown.tiles[first].glyph == f"={first + 1}"
    session, _ = feed(asking, Reading(6.0, 1))
    assert [cell for cell, tile in enumerate(scene(session).tiles) if tile.inverse] == [first]
    session, _ = feed(session, Reading(6.03, 1), Reading(6.06, 0), Reading(6.09, 0))
    assert [scene(session).tiles[cell].glyph for cell in (first, second)] == ["yes", f"={second + 1}"]


@pytest.mark.parametrize("turned", [False, True])
def test_with_no_key_at_all_it_still_ends_and_names_what_it_found(turned):
    session, said = ASKING._replace(settings=ASKING.settings._replace(turned=turned)), []
    for key in range(9):
        session, effects = feed(session, Reading(5.4 + (key + 1) * (KEY_SECONDS + 0.1), 0))
    assert "no key makes contact" in of(fx.Log, effects)[-1].text
    for _ in range(RESULT_PAGES):
        shown = scene(session)
        said.append((shown.headline, *shown.notes) if isinstance(shown, BoardScene) else tuple(shown)[:2])
        session, effects = feed(session, TIMES_UP)
    assert (session.phase, session.board) == (Phase.YOUR_TURN, "x...o....")
    assert fx.Arm(Timer.OFF, 600.0) in effects
    rows = ["Row 3: BCM 17, pin 11", "Row 2: BCM 27, pin 13"] if turned else [
        "Row 1: BCM 17, pin 11", "Row 2: BCM 27, pin 13"]  # fmt: skip
    assert said[:2] == [("0/9", "Faults: 1", "Tap: next"), ("No contact: 9 of 9", "\n".join(rows) + " +")]
    assert [text.split("B")[0] for _, text in said[2:4]] == [f"+ Row {1 if turned else 3}: ", "+ Column 2: "]
    assert [text[-2:] for _, text in said[2:4]] == [" +", "33"], "they belong together"
    assert said[4:6] == [("0/9", "Faults: 1", "Tap to play"), said[1]], "the pages come round again"
    assert session.test.faults == ()


def walked(*pressed, stuck=0, reads=()):
    """Return the session with the result of a walk on which only these keys are pressed; others are stuck.

    `reads` are further presses by the key that is asked for: what each reads as (bits).
    """
    presses = {key: [1 << key] for key in pressed} | {key: [*presses] for key, presses in reads}
    session, at = feed(STARTED, *[TIMES_UP] * 3, Reading(5.1, stuck), Reading(5.4, stuck))[0], 5.4
    while session.test.stage is Stage.WALK:
        key = session.test.walk.key
        press = presses[key].pop(0) if presses.get(key) else 0
        for keys in (press, press, 0, 0) if press else (0,):
            at += 0.03 if press else KEY_SECONDS + 0.1
            session, _ = feed(session, Reading(at, keys | stuck))
            if session.test.walk.key != key:
                break
    return session


SWAP = [(key, [1 << other] * 2) for key, other in [(0, 1), (1, 0), (3, 4), (4, 3), (6, 7), (7, 6)]]


@pytest.mark.parametrize(("pressed", "reads", "stuck", "found", "left"), [
    ((), [], 0, {"no_contact"}, set()),  # left at once
    ((0, 1), [], 0, {"no_contact", "unclear"}, set()),
    ((0, 1, 2, 3), [], 0, {"no_contact"}, set()),  # left in the middle
    ((0, 1, 2, 3, 5, 6, 7, 8), [], 0, {"no_contact"}, set()),  # a dead key 5, and nobody who sees the result
    ((0, 1), [], 1 << 8, {"stuck_keys", "no_contact"}, {"stuck_keys"}),
    ((), [(0, [1 << 8])], 0, {"swapped", "no_contact"}, set()),  # a wrong key, and left
    ((), [(0, [1 << 8, 1 << 8])], 1 << 2, {"swapped", "stuck_keys", "no_contact"}, {"stuck_keys"}),
    (range(8), [(8, [1])], 0, {"swapped"}, set()),
    ((2, 5), SWAP, 0, {"swapped", "no_contact"}, set()),
    ((2, 5, 8), SWAP, 0, {"swapped"}, {"swapped"}),
    (range(9), [], 0, set(), set()),
])  # fmt: skip
def test_keys_that_nobody_may_have_pressed_are_no_fault_of_a_test_that_was_abandoned(
    pressed, reads, stuck, found, left
):
    session = walked(*pressed, reads=reads, stuck=stuck)
    assert {fault.fault for fault in session.test.faults} == found
    dismissed, _ = feed(session, *[Blocked(200.0, ())] * RESULT_PAGES)
    assert dismissed.phase is Phase.YOUR_TURN
    assert {fault.fault for fault in dismissed.test.faults} == found, "somebody is there"
    session, effects = feed(session, *[TIMES_UP] * RESULT_PAGES)
    assert (session.phase, {fault.fault for fault in session.test.faults}) == (Phase.YOUR_TURN, left)
    assert any("abandoned" in log.text for log in of(fx.Log, effects)) == (found != left)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("pressed", "key", "presses", "blamed"), [
    ((), 3, 1, []),  # "no key makes contact", says the display, and a key sends it away
    ((0, 1, 2, 3, 4), 8, 1, []),  # so nor may anybody have pressed the keys 6 to 8
    ((0, 1, 2, 3, 5, 6, 7, 8), 0, 2, [1 << 4]),
])  # fmt: skip
def test_the_key_that_dismisses_the_result_is_not_blamed_for_having_no_contact(
    turned, pressed, key, presses, blamed
):
    session = walked(*pressed)
    session = session._replace(settings=session.settings._replace(turned=turned))
    session, _ = feed(session, *[Press(200.0, key)] * presses)
    assert session.phase is Phase.YOUR_TURN
    assert [fault.keys for fault in session.test.faults] == blamed


LAST_TWO = ["No contact: 4, 5, 6", "No contact: 7, 8, 9"]
TAP, SLAP, WAIT = Press(200.0, 0), Blocked(200.0, (0, 1)), TIMES_UP


@pytest.mark.parametrize(("events", "shown"), [
    ([TAP, TAP, TAP], [*LAST_TWO, ""]),
    ([SLAP, SLAP, SLAP], [*LAST_TWO, ""]),  # on a box whose stuck buttons block the others
    ([WAIT, TAP, TAP], [*LAST_TWO, ""]),
    ([TAP, WAIT, TAP], [*LAST_TWO, ""]),
    ([WAIT, WAIT, TAP], [*LAST_TWO, ""]),
    ([WAIT, WAIT, WAIT, TAP], [*LAST_TWO, "Tap to play", ""]),  # all have been seen
    ([WAIT, WAIT, WAIT, WAIT, TAP], [*LAST_TWO, "Tap to play", LAST_TWO[0], ""]),
])  # fmt: skip
def test_a_tap_turns_the_page_until_the_last_was_seen_then_plays(events, shown):
    session = walked(0, 1, 2)
    assert scene(session).notes == ("Faults: 2", "Tap: next")
    for event, expected in zip(events, shown, strict=True):
        session, effects = feed(session, event)
        if not expected:
            assert (session.phase, session.board) == (Phase.YOUR_TURN, "x...o....")
        else:
            page = scene(session)
            assert (page.notes[-1] if isinstance(page, BoardScene) else page.title) == expected
            assert (session.phase, effects) == (Phase.SELF_TEST, [fx.Arm(Timer.TEST, 4.0)])


def test_a_result_with_more_pages_than_two_minutes_show_still_ends_by_itself():
    session = walked(0, 1, 2)
    session = session._replace(test=session.test._replace(faults=session.test.faults * RESULT_PAGES))
    session, _ = feed(session, *[TAP] * (RESULT_PAGES + 1))
    assert (session.phase, feed(session, TIMES_UP)[0].phase) == (Phase.SELF_TEST, Phase.YOUR_TURN)


def test_without_faults_each_page_says_so_and_a_tap_leads_back_to_the_game():
    session = walked(*range(9))
    for _ in range(RESULT_PAGES - 1):
        assert scene(session).notes == ("All buttons work", "Tap to play")
        session, _ = feed(session, TIMES_UP)
        assert feed(session, Press(200.0, 8))[0].phase is Phase.YOUR_TURN
