"""An exhibit: a visit begins with a press during the demonstration, and nothing of it is left at its end.

`make test-long` sends the million events.
"""

import sys
from collections import Counter
from random import Random

import pytest
from effort import amount
from mashers import AFTER, BEFORE, Stand, crowd
from session_rig import feed, of, tap, tapped

from appliance.config.schema import Config
from appliance.core.keys.key_events import Blocked, Hold, Press, Stuck, Tap
from appliance.core.picture.raster import render
from appliance.core.session import events as fx
from appliance.core.session.events import Timeout, Timer
from appliance.core.session.match import Match
from appliance.core.session.settings import Options, Settings
from appliance.core.session.state import Page, Phase
from appliance.core.session.transitions import TABLE, begin
from appliance.core.session.view import scene, view
from appliance.core.session.visit import DEMO_MOVES
from appliance.core.words import LANGUAGES, words
from appliance.service.daemon import first_session
from appliance.simulator.virtual import VirtualBox

EVENTS = amount(60_000, 1_000_000)
OUTLAST_A_VISIT = ("request", "drift", "test", "stuck", "badges")


def exhibit(off=0.0, visit=60.0, **settings):
    return Config(Settings(**settings), Options(exhibit=True, off=off, visit=visit))


def started(config):
    return begin(first_session(config), 0.0)[0]


def as_new(session, config):
    """Return the session of a box that has just been switched on, but for what is no visitor's."""
    return started(config)._replace(**{name: getattr(session, name) for name in OUTLAST_A_VISIT})


def over(session):
    """Return the session after the visit's time without a press."""
    return feed(session, Timeout(100.0, Timer.VISIT))[0]


PLAY = exhibit(language="de", level="easy", first="you", contrast=127)
VISITING = feed(started(PLAY), *tapped(1.0, 4))[0]
HOLD = Press(2.0, 4), Hold(3.0, 4)
MENU = feed(VISITING, *HOLD)[0]
HALF = feed(VISITING, *tapped(2.0, 0))[0]
ENDED = feed(
    HALF._replace(match=Match.replay("classic", "x", (0, 3, 1, 4)), phase=Phase.YOUR_TURN), *tapped(9.0, 2)
)[0]


@pytest.mark.parametrize(("phase", "session"), [
    ("your_turn", VISITING), ("placed", feed(VISITING, Press(2.0, 3))[0]), ("thinking", HALF),
    ("game_over", ENDED), ("menu", MENU), ("menu", tap(MENU, 9, 2)[0]), ("menu", tap(MENU, 8, 8)[0]),
    ("menu", tap(MENU, 4, 6)[0]), ("review", tap(feed(ENDED, *HOLD)[0], 3)[0]),
    ("waking", feed(started(PLAY), Press(1.0, 4))[0]),
    ("your_turn", feed(VISITING, Stuck(40.0, (3,)))[0]), ("menu", feed(MENU, Blocked(9.0, (4,)))[0]),
    ("demo", started(PLAY)),
])  # fmt: skip
def test_a_visit_ends_in_whatever_phase_and_nothing_of_it_is_left(phase, session):
    assert session.phase.value == phase
    session, _ = feed(session, Timeout(100.0, Timer.VISIT))
    assert session == as_new(session, PLAY)
    assert (session.phase, view(session).light.contrast) == (Phase.DEMO, 127)
    assert {*Timer} & TABLE[Phase.DEMO].keys() == {Timer.OFF, Timer.DRIFT, Timer.VISIT, Timer.DEMO}


@pytest.mark.parametrize("seconds", [60.0, 25.0])
def test_each_press_gives_the_visit_its_time_again(seconds):
    session, effects = feed(started(exhibit(visit=seconds)), *tapped(1.0, 4))
    assert [arm.seconds for arm in of(fx.Arm, effects) if arm.timer is Timer.VISIT] == [seconds]
    assert not [arm for arm in of(fx.Arm, effects) if arm.timer in {Timer.DIM, Timer.OFF}]
    for event in Press(2.0, 0), Blocked(2.0, (1,)):
        assert fx.Arm(Timer.VISIT, seconds) in feed(session, event)[1]


def test_an_ordinary_box_has_no_visits():
    _, effects = feed(started(Config()), *tapped(1.0, 4))
    assert Timer.VISIT not in {arm.timer for arm in of(fx.Arm, effects)}
    assert not of(fx.CountVisit, effects)


@pytest.mark.parametrize(("first", "phase"), [("you", Phase.YOUR_TURN), ("box", Phase.THINKING)])
def test_the_first_press_begins_a_visit_and_a_new_game_and_does_nothing_else(first, phase):
    box = started(exhibit(first=first))
    pressed, effects = feed(box, Press(1.0, 4))
    assert of(fx.CountVisit, effects) == [fx.CountVisit()]
    assert (pressed.board, scene(pressed).tiles[4].glyph) == ("." * 9, "")
    for event in Tap(1.1, 4), Hold(2.0, 4):
        session, effects = feed(pressed, event)
        assert (session.phase, session.board, of(fx.CountVisit, effects)) == (phase, "." * 9, [])


def test_a_visit_begins_on_a_dark_display_and_beside_a_held_key_too():
    asleep = feed(started(exhibit(off=600.0)), Timeout(600.0, Timer.OFF))[0]
    assert asleep.phase is Phase.ASLEEP
    for session in asleep, started(PLAY):
        for event in Press(700.0, 4), Blocked(700.0, (3,)):
            begun, effects = feed(session, event)
            assert (of(fx.CountVisit, effects), begun.board) == ([fx.CountVisit()], "." * 9)
            assert fx.Arm(Timer.VISIT, 60.0) in effects
            assert over(begun) == as_new(over(begun), exhibit(off=600.0) if session is asleep else PLAY)


def test_a_key_held_at_power_on_starts_the_self_test_and_then_there_is_a_game():
    session, _ = feed(started(PLAY), Stuck(0.1, (2,), at_start=True))
    assert session.phase is Phase.SELF_TEST
    session, effects = feed(session, Press(3.0, 8))
    assert (session.phase, fx.Arm(Timer.VISIT, 60.0) in effects) == (Phase.YOUR_TURN, True)


@pytest.mark.parametrize("own", LANGUAGES)
def test_the_demonstration_says_in_each_language_how_to_begin_its_own_first(own):
    stand, said = Stand(exhibit(language=own), Random(1)), []
    for _ in range(42 * len(LANGUAGES)):
        shown = scene(stand.session)
        if not said or said[-1] != (shown.headline, *shown.notes):
            said.append((shown.headline, *shown.notes))
        stand.wait(0.1)
    first = LANGUAGES.index(own)
    each = [words(code) for code in (*LANGUAGES[first:], *LANGUAGES[:first])]
    assert said[: len(each)] == [(text["invitation"], text["press_any"]) for text in each]
    assert stand.session.phase is Phase.DEMO


@pytest.mark.parametrize("shown", range(len(LANGUAGES)))
def test_from_a_key_to_the_chip_a_visit_speaks_the_language_just_shown(shown):
    """After the visit the demonstration begins anew, in the configured language."""
    own = "fr"
    spoken = LANGUAGES[(LANGUAGES.index(own) + shown) % len(LANGUAGES)]
    config = exhibit(language=own, first="you")
    box = VirtualBox(config._replace(options=config.options._replace(drift=0.0)))
    assert box.wait_until(lambda: scene(box.session).headline == words(spoken)["invitation"])
    box.tap(4)
    assert (box.phase, box.session.settings.language) == ("your_turn", spoken)
    assert scene(box.session).headline == words(spoken)["your_turn"]
    assert box.hardware.chip.picture() == render(view(box.session))
    box.wait(61.0)
    assert (box.phase, box.session.settings.language) == ("demo", own)
    assert scene(box.session).headline == words(own)["invitation"]


def test_a_visit_beside_a_held_key_speaks_the_language_just_shown_and_on_a_dark_display_its_own():
    demo = started(exhibit(language="de", off=600.0))._replace(shown=DEMO_MOVES)
    assert feed(demo, Blocked(5.0, (3,)))[0].settings.language == "fr"
    asleep = feed(demo, Timeout(600.0, Timer.OFF))[0]
    for event in Press(700.0, 4), Blocked(700.0, (3,)):
        assert feed(asleep, event)[0].settings.language == "de"


def test_a_demonstration_at_home_changes_no_language():
    session = started(Config(Settings(language="de"), Options(attract=True)))
    demo = feed(session, Timeout(60.0, Timer.DIM))[0]._replace(shown=DEMO_MOVES)
    assert demo.phase is Phase.DEMO
    assert feed(demo, *tapped(70.0, 4))[0].settings.language == "de"


def test_the_menu_offers_a_new_game_help_rule_level_and_language_only():
    def glyphs(*keys):
        return [tile.glyph for tile in scene(tap(MENU, *keys)[0]).tiles]

    assert glyphs() == ["new", "undo", "hint", "easy", "back", "", "", "language", "classic"]
    assert glyphs(4) == ["easy", "medium", "hard", "", "back", "perfect", "adaptive", "", ""]
    reached, waiting = set(), [MENU]
    while waiting:
        session = waiting.pop()
        if session.phase is Phase.MENU and session.page not in reached:
            reached.add(session.page)
            waiting += [tap(session, key)[0] for key in range(1, 10)]
    assert reached == {Page.MAIN, Page.LEVEL, Page.RULE, Page.LANGUAGE}
    assert tap(MENU, 8, 5)[0].page is Page.MAIN, "from the languages the centre leads to the first page"


def any_exhibit(chance):
    """Return an exhibit as somebody might configure it; where the menu stays open, visits end in it."""
    settings = Settings(
        level=chance.choice(["adaptive", "easy", "perfect"]),
        rule=chance.choice(["classic", "misere", "vanishing", "ultimate"]),
        first=chance.choice(["you", "box", "alternate"]), players=chance.choice([1, 1, 2, 0, 0]),
        turned=chance.random() < 0.2, language=chance.choice(LANGUAGES), coach=chance.random() < 0.2,
    )  # fmt: skip
    off, visit, menu = chance.choice([0.0, 300.0]), chance.choice([5.0, 60.0]), chance.choice([0.0, 20.0])
    return Config(settings, Options(exhibit=True, off=off, visit=visit, menu=menu))


@pytest.mark.more
def test_whatever_a_masher_does_nothing_of_it_outlasts_the_visit():
    """After each visit the session is that of a box that was just switched on, and nothing was saved."""
    visits = {"begun": 0, "ended": 0, "ended in": Counter()}
    before = None

    def watch(event, effects):
        nonlocal before
        session = stand.session
        assert not of(fx.Saved, effects)
        visits["begun"] += len(of(fx.CountVisit, effects))
        if isinstance(event, Timeout) and event.timer is Timer.VISIT:
            visits["ended"] += 1
            visits["ended in"][before] += 1
            assert session == as_new(session, config), event
            assert set(stand.timers) <= {Timer.DEMO, Timer.OFF, Timer.DRIFT}
        before = session.phase

    events, number = 0, 0
    while events < EVENTS:
        chance = Random(number)
        config = any_exhibit(chance)
        stand = Stand(config, chance, watch)
        for _ in range(10):
            stand.mash(chance.expovariate(1 / 20))
            stand.wait(chance.choice([61.0, 61.0, 400.0]))
        events += stand.events
        number += 1
    ends = visits.pop("ended in")
    assert min(visits.values()) > EVENTS / 500, visits
    assert set(ends) >= {Phase.YOUR_TURN, Phase.GAME_OVER, Phase.MENU, Phase.THINKING}
    sys.stdout.write(f"\n{events:,} events, {number} boxes, {visits}, in {dict(ends)}\n")


@pytest.mark.long
def test_forty_mashers_leave_nothing_behind_at_an_exhibit_and_much_at_an_ordinary_box():
    before, after = crowd(BEFORE), crowd(AFTER)
    assert sum(map(bool, after)) == 0
    assert sum(bool(left & set(Settings._fields)) for left in before) > 20
