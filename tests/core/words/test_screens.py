"""Every screen in every language: its words fit both sizes of display, unbroken, and nothing overlaps."""

import random
import re
from functools import cache
from itertools import combinations, product

import pytest
from effort import longer

from appliance.boardtest.prompts import Prompt, question_picture
from appliance.core.keys.diagnosis import FAILED, LINES, Check, Tried
from appliance.core.keys.walk import Walk
from appliance.core.picture.canvas import Canvas
from appliance.core.picture.font import text_columns, text_width
from appliance.core.picture.raster import Layout, lay_out
from appliance.core.picture.scene import BoardScene, PageScene
from appliance.core.session.match import Match
from appliance.core.session.menu import PAGES, page_items
from appliance.core.session.settings import LEVEL_NAMES, Options, Scores, Settings, Tally
from appliance.core.session.state import BoxFacts, Notice, Page, Phase, Review, SelfTest, Session, Stage
from appliance.core.session.view import view
from appliance.core.words import LANGUAGES, words
from appliance.service.splash import picture as splash
from engine import REASONS, SOLVED, review

each_language = pytest.mark.parametrize("language", LANGUAGES)


def sessions(language):
    scores = Scores(Tally(999, 456, 789), Tally(23, 99_999, 888))
    notices = ["taken", "one_key", "nothing_to_undo", "box_turn"]
    notices += ["would_power_off", "did_not_work", "damaged_store", "rule_damaged"]
    games = [(), (0,), (0, 4), (0, 3, 1, 4, 2), (0, 3, 1, 4, 8, 5), (0, 1, 2, 4, 3, 5, 7, 6, 8)]
    for rule, players, moves in product(SOLVED, (1, 2, 0), games):
        level = LEVEL_NAMES[(len(moves) + players) % len(LEVEL_NAMES)]
        settings = Settings(level=level, rule=rule, players=players, language=language)
        match = Match.replay("classic", "x", moves)
        match = match._replace(rule=rule, counted=match.over)
        phase = Phase.GAME_OVER if match.over else Phase.YOUR_TURN
        session = Session(match, settings, scores=scores, phase=phase)
        several = ("brownout", "damaged", "keys", "unsaved")
        for badges in ((), ("brownout",), ("damaged",), ("keys",), ("damaged", "unsaved"), several):
            yield session._replace(badges=badges)
        yield session._replace(match=match._replace(human="o"))
        yield session._replace(progress=0.5, badges=("unsaved",))
        yield session._replace(greets=True, frames=1)
        yield session._replace(hint=8)
        yield session._replace(signs=("plain",) * 9)
        yield session._replace(match=match._replace(helped=True))
        yield session._replace(stuck=(1,), badges=("brownout", "damaged", "unsaved"))
        for stuck in ((1, 2, 5), tuple(range(8))):
            yield session._replace(stuck=stuck)
        for notice in notices if len(moves) in {1, 5} else ():
            yield session._replace(notice=Notice(notice, 4))
        yield session._replace(notice=Notice("held_key", keys=(8,)), progress=0.5, stuck=(1,))
        yield session._replace(notice=Notice("held_keys", keys=(0, 1, 3, 4)))
    yield from reviews(language)
    settings = Settings(language=language, level="perfect", rule="vanishing")
    session = Session(
        Match.new("classic", "x"), settings, scores=scores, box=BoxFacts(buzzer=True), phase=Phase.MENU
    )
    yield session._replace(page=Page.STATISTICS, record_of="medium")
    for page, items in PAGES.items():
        yield session._replace(page=page)
        yield session._replace(page=page, badges=("unsaved",), pressed_at=3600 * 9999)
        yield session._replace(page=page, settings=settings._replace(rule="misere", sound=False, turned=True))
        yield session._replace(page=page, settings=settings._replace(rule="ultimate"))
        for notice in [*notices, "would_restart"]:
            yield session._replace(page=page, notice=Notice(notice))
        for players, series in ((1, 0), (2, 0), (2, 3)):  # each has items that the others have not
            of = session._replace(page=page, settings=settings._replace(players=players, series=series))
            for key, item in enumerate(page_items(of)):
                if item and item.name != "name":
                    yield of._replace(pressed=key)
        for key, item in enumerate(items):
            if item and (item.name != "name" or item.icon == f"={language.upper()}"):  # no other language's
                yield session._replace(page=page, pressed=key)
                settings = settings._replace(sound=not settings.sound)
                yield item.action(session._replace(page=page, settings=settings), 0.0)[0]
    for goodbye in ("goodbye_off", "goodbye_restart", "goodbye_stop"):
        yield session._replace(phase=Phase.LEAVING, goodbye=goodbye)
    for test in self_tests():
        yield session._replace(phase=Phase.SELF_TEST, test=test)
    for badges in ((), ("damaged", "keys", "unsaved")):
        demo = session._replace(phase=Phase.DEMO, demo=Match.replay("classic", "x", (0, 4)), badges=badges)
        yield demo
        yield demo._replace(options=Options(exhibit=True))
    for page in (Page.MAIN, Page.LEVEL, Page.LANGUAGE):
        yield session._replace(page=page, options=Options(exhibit=True))


# fmt: off
ULTIMATE = (  # empty, begun, with a free choice, won by x, by o, drawn
    (),
    (40, 36),
    (13, 39, 31, 41, 45, 0, 8, 75, 35, 80, 76, 40),
    (58, 42, 61, 65, 20, 22, 44, 74, 18, 8, 79, 67, 41, 47, 19, 13, 38, 69, 55),
    (13, 39, 31, 41, 45, 0, 8, 75, 35, 80, 76, 40, 27, 1, 17, 79, 71, 78, 62, 2),
    (26, 76, 37, 13, 43, 70, 66, 31, 40, 50, 46, 10, 14, 53, 73, 16, 68, 47, 23, 3, 35, 75, 34, 65, 20, 77,
     67, 29, 33, 55, 6, 54, 2, 56),
)
# fmt: on


def nine_boards(language):
    """Yield what only a game on nine boards shows: a display of 64 rows has room for it."""
    scores = Scores(Tally(999, 456, 789), Tally(23, 99_999, 888))
    for players, moves in product((1, 2, 0), ULTIMATE):
        settings = Settings(rule="ultimate", level="adaptive", players=players, language=language)
        match = Match.replay("ultimate", "x", moves)
        match = match._replace(counted=match.over)
        phase = Phase.GAME_OVER if match.over else Phase.YOUR_TURN
        session = Session(match, settings, scores=scores, phase=phase)
        for badges in ((), ("brownout",), ("damaged", "keys", "unsaved")):
            yield session._replace(badges=badges)
            yield session._replace(badges=badges, progress=0.5)
        for notice in ("one_key", "nothing_to_undo", "would_power_off", "did_not_work", "damaged_store"):
            yield session._replace(notice=Notice(notice))
        yield session._replace(notice=Notice("held_keys", keys=(0, 1, 3, 4)), stuck=(1,))
        yield session._replace(notice=Notice("taken", 4))
        yield session._replace(greets=True, frames=1)
        yield session._replace(hint=40, frames=1)
        yield session._replace(match=match._replace(helped=True, human="o"))
        if not match.over:
            yield session._replace(phase=Phase.THINKING)
            yield session._replace(picked=3)


@cache
def long_game():
    """Return a game of more than a hundred moves, by the rule that allows one."""
    chance, match = random.Random(1), Match.new("vanishing", "x")
    while len(match.moves) < 128:
        match = match.play(chance.choice([cell for cell in match.game.moves() if not match.play(cell).over]))
    return match


REVIEWED = (  # with every reason, and moves without a mistake
    ("classic", (2, 0, 4, 1, 6)),
    ("classic", (0, 1, 3, 2, 4, 6, 5)),
    ("classic", (0, 4, 8, 2, 6, 3, 7)),
    ("misere", (1, 8, 4, 2, 7)),
)


@cache
def remarks_on(rule, moves):
    return review(SOLVED[rule](), moves)


def reviews(language):
    for players, (rule, moves) in product((0, 1), REVIEWED):
        match = Match.replay(rule, "x", moves)._replace(counted=True)
        session = Session(match, Settings(players=players, language=language), phase=Phase.REVIEW)
        remarks = remarks_on(rule, moves)
        for ply, notice in product(range(len(moves) + 1), ("", "held_keys", "did_not_work")):
            session = session._replace(review=Review(ply, remarks), notice=Notice(notice, keys=(0, 1, 3, 4)))
            yield session
            yield session._replace(badges=("damaged", "unsaved"), stuck=(1,))
        for remark in remarks:
            for line in range(1, 1 + len(remark.best_line or remark.reply_line)):
                yield session._replace(review=Review(remark.ply + 1, remarks, line), notice=Notice())
        yield session._replace(review=Review(len(moves)), notice=Notice())
    long = long_game()
    yield session._replace(match=long, review=Review(len(long.moves)), notice=Notice())
    menu = Session(match, Settings(language=language), phase=Phase.MENU)
    yield menu
    yield menu._replace(pressed=2)


def self_tests():
    yield from map(SelfTest, Stage)
    walk = Walk(6.0, 0.0, key=8, found=tuple(Tried(key, (1 << key,)) for key in range(8)))
    for readings in ((), (1,)):
        yield SelfTest(Stage.WALK, walk=walk._replace(readings=readings))
    kinds = ["no_contact", "loose", "swapped", "joined", "grounded", "unclear", "stuck_keys"]
    faults = [Check("", FAILED, "", kind, keys, LINES) for kind in kinds for keys in (1, 0b1110, 0b1111, 511)]
    for page in range(2 + 3 * len(faults)):
        yield SelfTest(Stage.RESULT, walk=walk._replace(key=9), faults=tuple(faults), page=page)


def lit(picture):
    return sum(column.bit_count() for column in picture)


def text_lit(*texts, bold=False):
    """Return the number of lit pixels in texts, which breaking at spaces does not change."""
    return sum(lit(text_columns(text, bold=bold)) for text in texts)


def shows_its_words(scene, items, height):
    """Return whether all words of a scene are shown unbroken.

    Of a board's notes, the first is enough, in either wording: others that do not fit are left out.
    """
    shown = dict.fromkeys(("headline", "title", "note", "line", "figures"), 0)
    for item in items:
        if item.name in shown:
            shown[item.name] += lit(item.picture)
    if isinstance(scene, PageScene):
        labels, counts = [label for label, _ in scene.figures], [str(count) for _, count in scene.figures]
        lines = text_lit(*scene.text.split("\n"), *labels)
        expected = text_lit(scene.title, bold=True), lines, text_lit(*counts)
        return (shown["title"], shown["line"], shown["figures"]) == expected
    width = Layout(128, height).right - Layout(128, height).board - (3 if height == 64 else 5)
    if any(text_width(word) > width for note in scene.notes for word in note.split(" ")):
        return False
    wordings = [said for said in (scene.notes, scene.brief) if said or not scene.notes]
    notes = {text_lit(*said[:count]) for said in wordings for count in range(bool(said), len(said) + 1)}
    return shown["headline"] == text_lit(scene.headline, bold=True) and shown["note"] in notes


def blamed(scene, language):
    """Return the message of a test that fails: the texts of a scene, with their keys."""
    page = isinstance(scene, PageScene)
    shown = " ".join((scene.title, scene.text) if page else (scene.headline, *scene.notes))
    found = [
        f"{key}: {text!r}"
        for key, text in words(language).items()
        if re.search(re.sub(r"\\\{\w+\\\}", ".*", re.escape(text)), shown)
    ]
    return f"one of these has no room: {', '.join(found)}, in {scene}"


def rectangle(item):
    """Return the bounds of an item's lit pixels: left, top, right and bottom, the last two exclusive."""
    rows = 0
    for column in item.picture:
        rows |= column
    inked = [x for x, column in enumerate(item.picture, item.x) if column]
    return inked[0], item.y + (rows & -rows).bit_length() - 1, inked[-1] + 1, item.y + rows.bit_length()


def overlap(one, other, shared):
    across = min(one[2], other[2]) - max(one[0], other[0])
    return across > 0 and min(one[3], other[3]) - max(one[1], other[1]) > shared


def updating(spoken):
    return PageScene(spoken["updating"].format(percent=100), spoken["may_unplug"])


def hardware_test(spoken):
    for word in spoken:
        if word.startswith(("do_", "ask_")):
            yield question_picture(
                Prompt("", word, done="6/6", wire="VCC", question=word.startswith("ask_")), spoken
            )


def all_scenes(language):
    pages = {splash(Settings(language=language)).scene, updating(words(language))}
    pages |= set(hardware_test(words(language)))
    return pages | {view(session).scene for session in sessions(language)}


def test_a_screen_of_a_language_has_no_words_of_another(monkeypatch):
    """So a word that is too wide fails the tests of its own language alone."""
    before = all_scenes("en")
    for key in words("cs"):
        monkeypatch.setitem(words("cs"), key, "W" * 40)
    assert all_scenes("en") == before != all_scenes("de")


@each_language
@pytest.mark.parametrize("height", [64, *longer(32)])
def test_every_screen_has_room_for_its_words_and_nothing_overlaps(language, height):
    scenes = all_scenes(language)
    boards = {
        scene._replace(tiles=(), strike=None, drawn=1) for scene in scenes if isinstance(scene, BoardScene)
    }
    pages = {scene for scene in scenes if isinstance(scene, PageScene)}
    assert len(boards) > 150
    for scene in {*boards, *pages}:
        assert_room(scene, language, height, Layout(128, height).board if scene in boards else 0, 126)


def assert_room(scene, language, height, first, end):
    """Assert that all words are shown between two columns, and that nothing overlaps."""
    items = [item for item in lay_out(scene, 128, height).items if item.name != "overview"]
    assert shows_its_words(scene, items, height), blamed(scene, language)
    canvas = Canvas(128, height)
    placed = [(rectangle(item), item.name in {"headline", "title", "note", "line"}) for item in items]
    for (left, top, right, bottom), _ in placed:
        assert left >= first, blamed(scene, language)
        assert top >= 0
        assert right <= end, blamed(scene, language)
        assert bottom <= (62 if height == 64 else 31), blamed(scene, language)
    for (one, text), (other, other_text) in combinations(placed, 2):
        # Lines may share the row of tails and accents, if no two pixels coincide.
        assert not overlap(one, other, text and other_text), blamed(scene, language)
    for item in items:
        canvas.blit(item.picture, item.x, item.y)
    assert lit(canvas.columns()) == sum(lit(item.picture) for item in items), blamed(scene, language)


@each_language
def test_words_over_a_board_beside_nine_fit_and_a_banner_is_one_line(language):
    banners = set()
    empty = Session(Match.new("ultimate", "x"), Settings(rule="ultimate", language=language))
    items = lay_out(view(empty).scene).items
    said = [words(language)[key] for key in ("win_boards", "which_board", "next_board")]
    assert sum(lit(item.picture) for item in items if item.name == "note") == text_lit(*said)
    for scene in {view(session).scene for session in nine_boards(language)}:
        if scene.covered:
            assert_room(scene, language, 64, 0, 62)
        else:
            assert not any((*scene.score, scene.bar, scene.notes[1:]))
            banners |= {*scene.notes}
    assert banners == {words(language)[key] for key in ("taken", "which_board", "box_turn", "hold_back")}
    assert all(text_width(banner) <= 60 for banner in banners)


@each_language
@pytest.mark.parametrize("height", [64, 32])
@pytest.mark.parametrize("rule", ["misere", "vanishing"])
def test_an_empty_board_says_its_rule_first_and_keeps_the_score(language, height, rule):
    match, settings = Match.new(rule, "x"), Settings(rule=rule, language=language)
    session = Session(match, settings, scores=Scores(Tally(12, 7, 3)))
    for one in (
        session,
        session._replace(settings=settings._replace(players=2)),
        session._replace(signs=("plain",) * 9),  # the coach's
        session._replace(match=match.play(4), phase=Phase.PLACED),
        session._replace(stuck=(3,)),
        session._replace(badges=("unsaved",)),
    ):
        items = lay_out(view(one).scene, 128, height).items
        notes = [item.picture for item in items if item.name == "note"]
        says = {text_lit(words(language, brief=brief)[rule]) for brief in (False, True)}
        assert says & {sum(map(lit, notes[:count])) for count in range(1, 3)}
        helped = one.signs  # such a game does not count in the score
        assert [item.name for item in items].count("count") == 3 or one.badges or one.stuck or helped


@each_language
@pytest.mark.parametrize("height", [64, 32])
def test_the_statistics_say_whose_games_they_count_and_show_the_counts_at_once(language, height):
    scores = Scores(*[Tally(99_999, 99_999, 99_999)] * 2)
    for players, record, badges in product((0, 1, 2), ("", "adaptive"), ((), ("unsaved",))):
        settings = Settings(players=players, language=language)
        session = Session(Match.new("classic", "x"), settings, scores=scores, badges=badges)
        session = session._replace(phase=Phase.MENU, page=Page.STATISTICS, record_of=record)
        shown = [item.name for item in lay_out(view(session).scene, 128, height).items]
        assert (shown.count("headline"), shown.count("count")) == (1, 3)
        assert "note" in shown


@each_language
@pytest.mark.parametrize("height", [64, 32])
def test_a_mistake_says_why_and_a_high_display_also_its_value_and_the_way_out(language, height):
    text, reasons = words(language), set()
    for session in reviews(language):
        ply, remarks, line = session.review
        mistake = remarks[ply - 1] if remarks and ply else None
        if session.notice.word or session.badges or line or not (mistake and mistake.better):
            continue
        reason, value = text[mistake.reason], view(session).scene.notes[1]
        reasons.add(reason)
        items = lay_out(view(session).scene, 128, height).items
        notes = [item.picture for item in items if item.name == "note"]
        assert notes[0] == text_columns(reason)
        if height == 64:
            assert sum(map(lit, notes[1:3])) == text_lit(value)
            assert text_columns(text["key_end"]) in notes
    assert reasons == {text[key] for key in REASONS}


@each_language
@pytest.mark.parametrize("height", [64, 32])
@pytest.mark.parametrize("badges", [(), ("brownout", "damaged", "unsaved")])
def test_the_menu_says_in_two_lines_what_a_press_will_do(language, height, badges):
    settings = Settings(players=2, rule="misere", language=language)
    session = Session(Match.new("misere", "x"), settings, phase=Phase.MENU, badges=badges)
    items = lay_out(view(session._replace(box=BoxFacts(small=height == 32))).scene, 128, height).items
    notes = [item.picture for item in items if item.name == "note"]
    assert notes[:2] == [text_columns(words(language)[key]) for key in ("tap_choose", "hold_name")]
