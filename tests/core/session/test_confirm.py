"""No impatient second or third tap confirms, chooses or skips anything."""

from itertools import product

import pytest
from session_rig import feed, fresh, games, of, opened, tapped

from appliance.core.keys.key_events import Hold, HoldProgress, Press
from appliance.core.keys.scan import CENTRE
from appliance.core.session import events as fx
from appliance.core.session.events import Timeout, Timer
from appliance.core.session.match import Match
from appliance.core.session.settings import Options, Record, Scores, Tally
from appliance.core.session.state import BoxFacts, Page, Phase

PLAYED = [Match.replay("classic", "x", moves) for moves in ((), (4, 0), (0, 3, 1, 4, 2))]


@pytest.mark.parametrize("match", [*PLAYED, PLAYED[-1]._replace(counted=True)], ids=str)
@pytest.mark.parametrize("exhibit", [False, True])
@pytest.mark.parametrize(("players", "series"), [(0, 0), (1, 0), (2, 0), (2, 3)])
def test_no_impatient_tap_on_an_item_that_opens_a_page_does_anything_there(players, series, exhibit, match):
    """Whatever lies at that key on the new page: all of the session stays but the time of the press."""
    scores = Scores(Tally(3, 2, 1), Tally(4, 5, 6), {}, {"easy": Record(1, 2, 3)}, Tally(1, 1, 0))
    before = fresh(players=players, series=series, language="de", options=Options(exhibit=exhibit))
    before = before._replace(
        match=match, scores=scores, phase=Phase.MENU, box=BoxFacts(buzzer=True), picked=7
    )
    opened = set()
    for page, key in product(Page, set(range(9)) - {CENTRE}):
        once, _ = feed(before._replace(page=page), *tapped(3.0, key))
        if once.phase is not Phase.MENU or once.page is page:
            continue
        opened.add(once.page)
        session, effects = feed(once, *(event for at in (3.2, 3.4, 3.8) for event in tapped(at, key)))
        assert session == once._replace(pressed_at=3.8), (page, key)
        assert not of((fx.Saved, fx.Power), effects), (page, key)
    assert opened > {Page.LEVEL, Page.RULE, Page.LANGUAGE}


def test_a_later_tap_of_the_same_key_is_meant():
    session, _ = feed(opened(fresh(language="de")), *tapped(9.0, 7), *tapped(9.6, 7))
    assert session.page is Page.CONFIRM_OFF


@pytest.mark.parametrize(("moves", "last"), [
    ((0, 3, 1, 4), 2),
    ((0, 1, 8, 2), 4),
    ((0, 1, 2, 4, 3, 5, 7, 6), 8),
])  # fmt: skip
def test_an_impatient_second_tap_of_the_last_cell_does_not_skip_the_result(moves, last):
    session, _ = feed(fresh(moves, first="you"), *tapped(3.0, last))
    for at in (3.2, 3.4, 3.7):
        session, effects = feed(session, *tapped(at, last))
        assert session.phase is Phase.GAME_OVER, at
        assert not of(fx.Saved, effects)
    hold = Press(3.9, last), HoldProgress(4.4, last, 0.5), Hold(4.9, last)
    assert feed(session, *hold)[0].phase is (Phase.MENU if last == 4 else Phase.GAME_OVER), "a hold is none"
    assert feed(session, *tapped(3.8, 0))[0].phase is Phase.YOUR_TURN, "another cell was meant"
    assert feed(session, *tapped(4.5, last))[0].phase is Phase.YOUR_TURN, "so was this one, later"


@pytest.mark.parametrize("rule", ["classic", "ultimate"])
def test_an_impatient_second_tap_of_the_key_that_brings_the_board_is_no_move(rule):
    """Between two people it would be a move of the other one."""
    _, middle, end = games(rule)
    ended, began = fresh(end, players=2, rule=rule), fresh(middle, players=2, rule=rule)
    asleep, _ = feed(began, Timeout(2.0, Timer.OFF))
    review = ended._replace(phase=Phase.REVIEW)
    for before, key in [(ended, 8), (asleep, 8), (review, 4), *((opened(began), key) for key in (0, 1, 4))]:
        once, _ = feed(before, *tapped(20.0, key))
        assert once.phase in {Phase.YOUR_TURN, Phase.GAME_OVER}
        session, _ = feed(once, *tapped(20.3, key), *tapped(20.6, key))
        assert (session.phase, session.match, session.picked) == (once.phase, once.match, None), key
        other, _ = feed(session, *tapped(20.7, 6 + (rule == "ultimate")))
        assert (other.match, other.picked) != (once.match, None), "another key was meant"
    later, _ = feed(ended, *tapped(20.0, 8), *tapped(20.5, 8))
    assert (later.match.moves, later.picked) in {((8,), None), ((), 8)}, "so was this one, later"
