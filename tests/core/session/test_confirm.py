"""No impatient second tap confirms anything."""

from session_rig import fresh, of, tap

from appliance.core.session import events as fx
from appliance.core.session.menu import PAGES
from appliance.core.session.settings import Scores, Tally
from appliance.core.session.state import Page, Phase

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
