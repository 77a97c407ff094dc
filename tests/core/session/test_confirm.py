"""No impatient second or third tap confirms, chooses or skips anything."""

import pytest
from session_rig import feed, fresh, games, of, opened, tap, tapped

from appliance.core.keys.events import Hold, HoldProgress, Press
from appliance.core.session import events as fx
from appliance.core.session.events import Timeout, Timer
from appliance.core.session.menu import PAGES
from appliance.core.session.settings import Options, Scores, Tally
from appliance.core.session.state import Page, Phase
from appliance.core.words import LANGUAGES

CONFIRMING = {page for page in Page if page.name.startswith("CONFIRM")}


def test_no_double_tap_of_any_key_from_any_page_confirms_anything():
    scores = Scores(Tally(5, 4, 3))
    for page in set(Page) - CONFIRMING:
        for key in range(1, 10):
            session = fresh()._replace(phase=Phase.MENU, page=page, scores=scores)
            session, effects = tap(session, key, key)
            assert not of(fx.Power, effects), (page, key)
            assert session.scores == scores, (page, key)


def test_yes_is_at_no_key_that_opens_its_page():
    opened = {}
    for page, items in PAGES.items():
        for key, item in enumerate(items):
            if item:
                session = item.action(fresh()._replace(phase=Phase.MENU, page=page), 0.0)[0]
                if session.page in CONFIRMING - {page}:
                    opened.setdefault(session.page, set()).add(key)
    assert opened.keys() == CONFIRMING
    for page, keys in opened.items():
        (yes,) = (key for key, item in enumerate(PAGES[page]) if item and item.icon == "yes")
        assert yes not in keys, page


@pytest.mark.parametrize(("exhibit", "pages"), [(False, {Page.MAIN, Page.SETTINGS}), (True, {Page.MAIN})])
def test_impatient_taps_on_an_item_that_opens_a_page_choose_nothing_there(exhibit, pages):
    start = fresh(language="de", level="hard", rule="misere")._replace(phase=Phase.MENU)
    opened = set()
    for page in pages:
        before = start._replace(page=page, options=Options(exhibit=exhibit))
        for key in range(1, 10):
            once, _ = tap(before, key)
            if once.phase is Phase.MENU and once.page is not page:
                opened.add(once.page)
                for impatient in ((key,), (key, key)):
                    chosen = tap(once, *impatient)[0].settings
                    more = chosen.language in LANGUAGES[6:]  # a seventh has no other cell
                    assert chosen == before.settings or more, (page, key)
    assert opened >= {Page.LEVEL, Page.RULE, Page.LANGUAGE}


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
