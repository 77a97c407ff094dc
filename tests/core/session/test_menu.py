"""The menu: each item of each page does what it says."""

from itertools import product

import pytest
from session_rig import feed, fresh, of, opened, tap, tapped

from appliance import __version__
from appliance.config.schema import Config
from appliance.core.keys.key_events import Chord, Hold, Press, Release, Tap
from appliance.core.keys.scan import KEYS
from appliance.core.picture.raster import render
from appliance.core.session import events as fx
from appliance.core.session import menu as pages
from appliance.core.session.events import Refused, Timeout, Timer
from appliance.core.session.menu import PAGES, page_items
from appliance.core.session.settings import CONTRASTS, Options, Record, Scores, Settings, Tally
from appliance.core.session.state import Page, Phase
from appliance.core.session.transitions import begin
from appliance.core.session.view import scene, view
from appliance.core.words import LANGUAGES, words
from appliance.service.daemon import first_session
from engine import Belief


def test_the_menu_opens_from_your_turn_from_the_end_and_while_the_box_thinks():
    your_turn, over, thinking = opened(fresh()), opened(fresh((0, 3, 1, 4, 2))), opened(fresh((), "o"))
    assert your_turn.phase is over.phase is thinking.phase is Phase.MENU
    closed, effects = tap(thinking, 5)
    assert closed.phase is Phase.THINKING
    assert [think.job for think in of(fx.Think, effects)] == [closed.request.job]


def test_each_page_is_reached_and_drawn():
    first = begin(fresh()._replace(asks=True), 0.0)[0]
    reached, waiting = set(), [opened(fresh()), first]
    while waiting:
        session = waiting.pop()
        if session.phase is Phase.MENU and session.page not in reached:
            reached.add(session.page)
            assert any("#" in row for row in render(view(session)).rows())
            waiting += [tap(session, key)[0] for key in range(1, 10)]
            assert session.page is Page.ABOUT or scene(session).tiles[4].glyph in {"back", "no"}
            for _ in range(3):  # the centre leads back to the game
                session = tap(session, 5)[0] if session.phase is Phase.MENU else session
            assert session.phase is Phase.YOUR_TURN
    assert reached == set(Page)


def test_a_page_refuses_items_that_it_has_no_cell_for():
    with pytest.raises(ValueError, match=r"no cell for hint, power$"):
        pages._page(pages.BACK, (0, 1), (pages.SOUND, pages.COACH, pages.HINT, pages.POWER_OFF))


def test_the_menu_stays_for_20_seconds_after_each_press_and_closes_by_itself_or_by_a_hold():
    menu, effects = tap(opened(fresh()), 4)
    assert fx.Arm(Timer.MENU_IDLE, 20.0) in effects
    for end in (Timeout(25.0, Timer.MENU_IDLE),), (Press(3.0, 4), Hold(4.0, 4)):
        assert feed(menu, *end)[0].phase is Phase.YOUR_TURN


def test_new_game_clears_the_board_and_saves_that():
    session, effects = tap(opened(fresh((0, 4))), 1)
    assert (session.board, session.phase) == (".........", Phase.YOUR_TURN)
    assert [save.match.moves for save in of(fx.Saved, effects)] == [()]
    assert tap(opened(fresh((0, 3, 1, 4, 2))), 1)[0].match.human == "o", "after the end it is the next game"


@pytest.mark.parametrize(("keys", "setting", "value"), [
    ((4, 1), "level", "easy"), ((4, 2), "level", "medium"), ((4, 3), "level", "hard"),
    ((4, 6), "level", "perfect"), ((4, 1, 7), "level", "adaptive"),
    ((9, 1), "rule", "classic"), ((9, 2), "rule", "misere"), ((9, 3), "rule", "vanishing"),
    ((6, 1), "players", 1), ((6, 2), "players", 2), ((6, 3), "players", 0),
    ((6, 7), "first", "you"), ((6, 8), "first", "box"), ((6, 9), "first", "alternate"),
    ((8, 1), "contrast", CONTRASTS[4]), ((8, 1, 1), "contrast", CONTRASTS[0]),  # the lowest follows
    ((8, 1, 1, 1), "contrast", CONTRASTS[1]),
    ((8, 2), "sound", False), ((8, 3), "turned", True),
    ((8, 7, 1), "language", "en"), ((8, 7, 2), "language", "de"), ((8, 7, 3), "language", "fr"),
    ((8, 7, 4), "language", "es"), ((8, 7, 6), "language", "pl"), ((8, 7, 9), "language", "cs"),
])  # fmt: skip
def test_a_setting_is_changed_and_kept(keys, setting, value):
    session, effects = tap(opened(fresh()), *keys)
    assert getattr(session.settings, setting) == value
    if session.settings != fresh().settings:
        assert of(fx.Saved, effects)[-1].settings == session.settings
    assert session.phase is Phase.MENU


def test_an_exhibit_cannot_be_switched_off_and_those_cells_answer_like_any_empty_cell():
    sessions = (opened(fresh(options=Options(power=power))) for power in (False, True))
    (session, _), (before, _) = (tap(session, 8) for session in sessions)
    glyphs = [tile.glyph for tile in scene(before).tiles]
    assert [tile.glyph for tile in scene(session).tiles] == [*glyphs[:5], "", glyphs[6], "", ""]
    empty, others = tap(session._replace(page=Page.PLAYERS), 4)
    for key in (6, 8, 9):
        tapped, effects = tap(session, key)
        assert (tapped.phase, tapped.page, tapped.notice) == (Phase.MENU, Page.SETTINGS, empty.notice)
        assert effects == others


LEAVE_THE_PAGE = {
    "back": tapped(5.0, 4),
    "hold": (Press(5.0, 4), Hold(6.0, 4)),
    "idle": (Timeout(25.0, Timer.MENU_IDLE),),
    "sleep": (Timeout(600.0, Timer.OFF), *tapped(700.0, 0)),
    "stop": (fx.StopSignal(5.0),),
}


@pytest.mark.parametrize("way", LEAVE_THE_PAGE)
def test_another_rule_begins_another_game_however_its_page_is_left(way):
    session, effects = tap(opened(fresh((0, 4))), 9, 2)
    assert (session.settings.rule, session.match.rule, session.board) == ("misere", "misere", ".........")
    saved = of(fx.Saved, effects)[-1]
    assert saved == session.saved
    session, _ = feed(session, *LEAVE_THE_PAGE[way])
    assert (session.settings.rule, session.match.rule, session.board) == ("misere", "misere", ".........")


@pytest.mark.parametrize("way", LEAVE_THE_PAGE)
@pytest.mark.parametrize("moves", [(), (0,), (0, 4), (0, 3, 1, 4, 2)])
@pytest.mark.parametrize("keys", [(9, 2, 3, 1), (9, 2, 5, 9, 3, 5, 4, 5, 9, 1)], ids=["page", "menu"])
def test_browsing_the_rules_ends_no_game(keys, moves, way):
    before = opened(tap(opened(fresh((8,))), 1)[0]._replace(match=fresh(moves).match))
    assert before.abandoned
    session, effects = tap(before, *keys)
    assert of(fx.Saved, effects)[-1].match == before.saved.match
    session, _ = feed(session, *LEAVE_THE_PAGE[way])
    assert (session.match, session.abandoned) == (before.match, before.abandoned)


def test_who_begins_holds_for_a_rule_that_was_browsed_before():
    session, _ = tap(opened(fresh()), 9, 2, 5, 6, 8, 5, 9, 1)
    assert (session.match.rule, session.match.human) == ("classic", "o")


@pytest.mark.parametrize(("moves", "begins"), [((), "x"), ((0, 4), "x"), ((0, 3, 1, 4, 2), "o")])
def test_after_a_finished_game_another_rule_keeps_the_turns_to_begin(moves, begins):
    session, _ = tap(opened(fresh(moves, first="alternate")), 9, 2)
    assert (session.match.rule, session.match.human) == ("misere", begins)


def test_a_button_without_an_item_answers_a_press_too():
    page, _ = tap(opened(fresh()), 9)
    pressed, _ = feed(page, Press(5.0, 3))
    assert scene(pressed).tiles[3].inverse
    assert scene(feed(page, *tapped(5.0, 3))[0]) == scene(page)


def test_an_item_names_itself_while_its_key_is_down_and_acts_if_that_was_shorter_than_a_hold():
    menu = opened(fresh(language="de"))
    pressed, _ = feed(menu, Press(5.0, 8), Tap(5.06, 8))
    assert (scene(pressed).headline, scene(pressed).notes) == ("Menü", ("Regel",))
    assert feed(pressed, Release(5.9, 8, soon=True))[0].page is Page.RULE
    told, _ = feed(pressed, Release(6.1, 8, soon=False))
    assert scene(told) == scene(menu)
    # It does nothing after a chord, or when the menu has closed by itself.
    for event in Chord(5.03, (8, 7)), Timeout(25.0, Timer.MENU_IDLE):
        session, _ = feed(menu, Press(5.0, 8), event, Release(25.9, 8, soon=True))
        assert (session.page, session.pressed) == (Page.MAIN, None)


def test_each_item_has_words_and_a_language_those_of_its_own():
    names = {page: [] for page in PAGES}
    for page, key in product(PAGES, range(KEYS)):
        session = opened(fresh())._replace(page=page, pressed=key)
        if page is not Page.ABOUT and page_items(session)[key]:
            names[page].append(scene(session).notes[0])
    assert all(len(names[page]) == len(set(names[page])) for page in PAGES)
    assert {*names[Page.LANGUAGE]} == {"Back", *(words(code)["name"] for code in LANGUAGES)}
    assert names[Page.MAIN][6:] == ["Statistics", "Settings", "Rule"]


def test_who_begins_holds_for_an_empty_board_when_people_come_and_go():
    for players, first, keys in ((2, "box", (6, 1, 5, 5)), (1, "alternate", (6, 8, 5, 5))):
        session, _ = tap(opened(fresh(players=players, first=first)), *keys)
        assert (session.match.human, session.phase) == ("o", Phase.THINKING)


def test_statistics_show_the_score_and_the_record_of_each_level_and_ask_before_they_are_cleared():
    records = {"hard": Record(3, 2, 1, run=2, best=3)}
    scores = Scores(Tally(5, 4, 3), Tally(0, 4, 6), {"classic": Belief(7)}, records)
    session, _ = tap(opened(fresh())._replace(scores=scores), 7)
    hard, easy = tap(session, 3)[0], tap(session, 1)[0]
    pair = session._replace(settings=Settings(players=2))
    shown = [(one.headline, *one.notes, [count for _, count in one.score]) for one in map(scene, (
        session, hard, easy, pair))]  # fmt: skip
    assert shown == [
        ("Games", "All levels", [5, 4, 3]),
        ("Hard", "In a row 2, best 3", [3, 2, 1]),
        ("Easy", "In a row 0, best 0", [0, 0, 0]),
        ("Games", "Two people", [0, 4, 6]),
    ]
    assert scene(tap(hard, 5, 5)[0]).score == scene(fresh()._replace(scores=scores)).score
    asked, effects = tap(session, 9)
    assert (asked.page, of(fx.Saved, effects)) == (Page.CONFIRM_CLEAR, [])
    assert (tap(asked, 5)[0].page, tap(asked, 5)[0].scores) == (Page.STATISTICS, scores)
    cleared, effects = tap(asked, 1)
    assert (cleared.page, cleared.scores) == (Page.STATISTICS, Scores(beliefs={"classic": Belief(7)}))
    assert of(fx.Saved, effects)[-1].scores == cleared.scores


def test_a_record_counts_wins_in_a_row():
    runs = [("win", 1, 1), ("win", 2, 2), ("draw", 0, 2), ("win", 1, 2), ("loss", 0, 2)]
    record = Record()
    for result, run, best in runs:
        record = record.add(result)
        assert (record.run, record.best) == (run, best)
    assert record == Record(3, 1, 1, 0, 2)
    won = Record(2, 0, 0, 2, 2)
    assert won.join(won) == Record(4, 0, 0, 4, 4)
    assert won.join(record) == Record(5, 1, 1, 0, 2)
    ended = tap(fresh((0, 3, 1, 4), level="easy"), 3)[0]
    assert ended.scores.records == {"easy": Record(1, 0, 0, 1, 1)}


def test_about_says_the_version_the_games_and_the_hours_since_the_start():
    session = begin(fresh()._replace(scores=Scores(Tally(3, 2, 1), Tally(0, 4, 5))), 1000.0)[0]
    session = opened(session)._replace(page=Page.SETTINGS)
    page, _ = feed(session, *tapped(1000.0 + 7 * 3600, 3))
    assert page.page is Page.ABOUT
    assert scene(page).text == f"Version {__version__}"
    assert scene(page).figures == (("Games", 15), ("Hours on", 7))
    assert tap(page, 9)[0].page is Page.SETTINGS


def test_turning_the_box_turns_its_keys():
    session, _ = tap(opened(fresh()), 8, 3)
    assert session.settings.turned
    session, _ = tap(session, 5)  # key 5 stays the centre
    assert session.page is Page.MAIN
    session, _ = tap(session, 6)  # now where key 4 was
    assert session.page is Page.LEVEL


def test_watching_the_box_play_itself_ends_with_a_tap():
    session, _ = tap(opened(fresh()), 6, 3, 5, 5)
    assert session.phase is Phase.THINKING
    assert scene(session).notes[0] == words("en")["tap_play"]
    session, _ = tap(session, 1)
    assert (session.settings.players, session.board) == (1, ".........")


@pytest.mark.parametrize(
    ("key", "action", "goodbye"), [(8, "off", "goodbye_off"), (9, "restart", "goodbye_restart")]
)
def test_switching_off_asks_and_no_is_the_default(key, action, goodbye):
    asked, effects = tap(opened(fresh()), 8, key)
    assert not of(fx.Power, effects)
    assert tap(asked, 5)[0].phase is Phase.MENU
    assert feed(asked, Timeout(30.0, Timer.MENU_IDLE))[0].phase is Phase.YOUR_TURN
    leaving, effects = tap(asked, 1)
    assert fx.Power(action) in effects
    assert (leaving.phase, leaving.goodbye) == (Phase.LEAVING, goodbye)
    assert feed(leaving, Timeout(40.0, Timer.LEAVE))[0].notice.word == "did_not_work"
    assert feed(leaving, Refused(4.0, "would_power_off"))[0].phase is Phase.YOUR_TURN


def test_sound_is_offered_only_where_there_is_a_buzzer():
    starts = (begin(first_session(Config(buzzer=pin)), 0.0)[0] for pin in (None, 24))
    (session, _), (before, _) = (tap(opened(start), 8) for start in starts)
    glyphs = [tile.glyph for tile in scene(before).tiles]
    assert [tile.glyph for tile in scene(session).tiles] == [glyphs[0], "", *glyphs[2:]] != glyphs
    assert scene(session).notes == ("Contrast 4/5",)


@pytest.mark.parametrize(("settings", "keys", "notes"), [
    ({}, (), ("Tap: choose", "Hold: name")),
    ({}, (7, 9), ("Score and statistics?",)), ({}, (8, 8), ("Really?",)), ({}, (8, 9), ("Really?",)),
    ({"first": "box"}, (6,), ("You and the box", "Box starts")),
    ({}, (6,), ("You and the box", "Take turns: you next")),
    ({"first": "box"}, (6, 2), ("Two people",)),  # who begins matters only against the box
    ({}, (8,), ("Contrast 4/5", "Sound on")), ({"sound": False}, (8,), ("Contrast 4/5", "Sound off")),
    ({}, (8, 3), ("Contrast 4/5", "Sound on", "Rotation")), ({}, (8, 1), ("Contrast 5/5", "Sound on")),
    ({"first": "box"}, (6, 9), ("You and the box", "Take turns: box next")),  # in reading order
    ({}, (4, 1), ("Easy",)), ({}, (9, 2), ("Three in a row loses",)),
    ({"level": "perfect"}, (4,), ("Perfect",)),
    ({"level": "perfect", "rule": "ultimate"}, (4,), ("Strongest",)),  # nobody knows perfect play there
])  # fmt: skip
def test_a_page_says_what_a_press_does_or_names_the_settings_in_reading_order(settings, keys, notes):
    assert scene(tap(opened(fresh(**settings)), *keys)[0]).notes == notes


def test_a_level_has_its_usual_name_in_the_statistics_which_are_of_all_rules():
    session = tap(opened(fresh(level="perfect", rule="ultimate")), 7)[0]
    places = [key for key, tile in enumerate(scene(session).tiles, 1) if tile.glyph == "perfect"]
    pressed = feed(session, Press(20.0, places[0] - 1))[0]
    assert scene(pressed).notes == ("Perfect",)
