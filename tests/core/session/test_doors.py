"""Whatever leads from elsewhere to play asks first, in a new box."""

from itertools import product

import pytest
from session_rig import fresh

from appliance.core.keys import key_events as keys
from appliance.core.session import events as fx
from appliance.core.session.events import Timer
from appliance.core.session.state import Page, Phase, SelfTest, Stage
from appliance.core.session.transitions import TABLE, step, trigger_of

PLAY = {Phase.YOUR_TURN, Phase.PLACED, Phase.THINKING, Phase.GAME_OVER, Phase.REVIEW}
ELSEWHERE = [phase for phase in Phase if phase not in PLAY | {Phase.MENU, Phase.LEAVING}]
EVENTS = [
    *(keys.Press(1.0, key) for key in (0, 4, 8)),
    *(keys.Tap(1.0, 0), keys.Hold(1.0, 4), keys.HoldProgress(1.0, 4, 0.5), keys.Chord(1.0, (0, 1))),
    *(keys.Release(1.0, 0, soon=soon) for soon in (True, False)),
    *(keys.Blocked(1.0, (0,)), keys.Stuck(1.0, ()), keys.Stuck(1.0, (3,), at_start=True)),
    *(fx.Reading(1.0, 0), fx.Answer(1.0, 0, 0), fx.Judged(1.0, 0), fx.Condition(1.0, "keys", on=True)),
    *(fx.StopSignal(1.0), fx.Refused(1.0, "did_not_work")),
    *(fx.Timeout(1.0, timer) for timer in Timer),
]
GAMES = [(moves, players) for moves in ((), (0,), (0, 3, 1, 4, 2)) for players in (0, 1, 2)]


def test_there_is_an_event_for_each_row_of_the_table():
    assert {trigger_of(event) for event in EVENTS} >= {trigger for rows in TABLE.values() for trigger in rows}


@pytest.mark.parametrize("phase", ELSEWHERE, ids=lambda phase: phase.value)
def test_no_row_leads_a_new_box_from_elsewhere_to_play_and_others_never_to_the_question(phase):
    led = set()
    for event, (moves, players), stage, page, asks in product(EVENTS, GAMES, Stage, (0, 29), (True, False)):
        session = fresh(moves, players=players)._replace(
            asks=asks, phase=phase, test=SelfTest(stage, page=page), goodbye="goodbye_off"
        )
        after, _ = step(session, event)
        if asks:
            assert after.phase not in PLAY, event
        else:
            assert after.phase is not Phase.MENU, event
        if after.phase is Phase.MENU:
            assert (after.page, after.asks) == (Page.FIRST, True)
            led.add(trigger_of(event))
    assert led == {trigger for trigger, row in TABLE[phase].items() if Phase.MENU in row.to}


def test_a_box_that_says_goodbye_from_the_menu_is_not_new():
    """So `rest.stay` may continue the match."""
    arrows = [
        (phase, row) for phase, rows in TABLE.items() for row in rows.values() if Phase.LEAVING in row.to
    ]
    assert [phase for phase, _ in arrows] == [Phase.MENU]
    for action in ("off", "restart"):
        session = fresh()._replace(asks=True, phase=Phase.MENU, pressed=0)
        page = {"off": Page.CONFIRM_OFF, "restart": Page.CONFIRM_RESTART}[action]
        after, _ = step(session._replace(page=page), keys.Release(1.0, 0, soon=True))
        assert (after.phase, after.asks) == (Phase.LEAVING, False)
