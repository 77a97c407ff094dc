"""The coach: signs in the empty cells, which never delay play, and games that do not count."""

import random
from itertools import product

import pytest
from session_rig import feed, fresh, of, opened, tap, tapped
from solved_games import solve_board

from appliance.config.schema import Config
from appliance.core.keys.key_events import Chord, Hold, Press, Tap
from appliance.core.picture.font import text_columns, wrap
from appliance.core.picture.raster import lay_out
from appliance.core.picture.scene import Tile
from appliance.core.session import events as fx
from appliance.core.session.events import Answer, Judge, Judged, Timeout, Timer
from appliance.core.session.match import Match
from appliance.core.session.settings import Scores, Settings
from appliance.core.session.state import Phase
from appliance.core.session.view import scene
from appliance.core.words import LANGUAGES, words
from appliance.service.threads import answer
from appliance.simulator.virtual import VirtualBox
from engine import SOLVED

WORTH = ("win", "draw", "loss", "unknown", "draw", "draw", "draw", "draw", "draw")
LEGEND = " ".join(words("en")[key] for key in ("wins", "draws", "loses"))


def judged(session, worth=WORTH):
    """Return the engine's reply to the session's latest request."""
    return Judged(5.0, session.request.job, worth)


def signs(session):
    """Return the icons in the empty cells."""
    board = session.match.game.cells
    return [tile.glyph for tile, mark in zip(scene(session).tiles, board, strict=True) if mark == "."]


SHOWN = feed(fresh(coach=True), judged(fresh(coach=True)))[0]


def test_each_empty_cell_shows_what_a_move_there_is_worth_and_the_words_say_what_the_signs_mean():
    session = fresh(coach=True)
    assert (signs(session), LEGEND in scene(session).notes) == ([""] * 9, False)
    session, effects = feed(session, judged(session))
    assert signs(session) == ["smile", "plain", "frown", "", *["plain"] * 5]
    assert scene(session).notes[:2] == (words("en")["uncounted"], LEGEND)
    assert effects == []


def test_nothing_waits_for_the_signs_and_a_press_takes_them_away_when_it_is_a_move():
    early, _ = feed(fresh(coach=True), Press(1.0, 0))
    assert (early.board, early.phase) == ("x........", Phase.PLACED)
    late, _ = feed(early, judged(early))
    assert late == early, "no picture is sent while a mark settles"
    again, effects = feed(late, Chord(1.05, (0, 8)))
    assert [judge.job for judge in of(Judge, effects)] == [again.request.job]
    again, _ = feed(again, judged(again))
    assert (again.board, signs(again)[0]) == (".........", "smile")
    shown, effects = feed(SHOWN, Press(6.0, 0), Chord(6.05, (0, 8)))
    assert (signs(shown)[0], of(Judge, effects)) == ("smile", []), "they are there already"
    thinking, effects = feed(late, Tap(1.06, 0))
    assert signs(thinking) == [""] * 8
    assert [type(effect) for effect in effects if isinstance(effect, fx.Think | Judge)] == [fx.Think]
    assert feed(thinking, judged(early))[0] == thinking, "what was asked before the move is stale"


def test_it_looks_at_each_turn_of_each_person_and_never_at_the_boxs():
    session, effects = tap(fresh(coach=True, players=2), 1, 5)
    asked = of(Judge, effects)
    assert [judge.match.moves for judge in asked] == [(0,), (0, 4)]
    assert asked[-1].job == session.request.job
    for settings in ({"players": 0}, {"players": 1, "first": "box"}):
        session, effects = tap(opened(fresh(coach=True, **settings)), 5)
        assert (session.phase, of(Judge, effects)) == (Phase.THINKING, [])
    assert not of(Judge, tap(fresh(players=2), 1, 5)[1])


def test_the_menu_switches_it_on_and_off_on_the_page_of_the_levels():
    session, effects = tap(opened(fresh()), 4, 8)
    assert session.settings.coach
    assert of(fx.Saved, effects)[-1].settings.coach
    assert scene(session).tiles[7] == Tile("smile", last=True)
    assert scene(session).notes == ("Adaptive", "Coach")
    playing, effects = tap(session, 5, 5)
    assert [judge.job for judge in of(Judge, effects)] == [playing.request.job]
    off, effects = tap(session, 8, 5, 5)
    assert (off.settings.coach, off.match.helped, of(Judge, effects)) == (False, False, [])


@pytest.mark.parametrize("pressed", [False, True])
def test_a_hint_comes_first_and_the_signs_follow(pressed):
    session, effects = tap(opened(fresh((0, 4), coach=True)), 3)
    think = of(fx.Think, effects)[0]
    if pressed:  # a press of a taken cell cancels the hint
        session, _ = feed(session, *tapped(3.5, 0))
    session, effects = feed(session, Answer(4.0, think.job, 8))
    assert [judge.job for judge in of(Judge, effects)] == [session.request.job]
    session, _ = feed(session, judged(session, ("", "draw", "draw", "draw", "", *["draw"] * 4)))
    assert scene(session).tiles[1] == Tile("plain")
    assert scene(session).tiles[8] == (Tile("plain") if pressed else Tile("x", outline=True))


WON = (0, 3, 1, 4)
ON_OFF = ((4, 8, 5, 5), (4, 8, 5, 5))  # keys in the menu, twice


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("rule", "height"), [*product(("classic", "misere"), (64, 32))])
def test_every_display_says_at_the_end_that_a_helped_game_does_not_count(language, rule, height):
    match = Match.replay(rule, "x", (0, 3, 1, 4, 2))._replace(counted=True, helped=True)
    session = fresh(language=language, rule=rule)._replace(match=match, phase=Phase.GAME_OVER)
    layout = lay_out(scene(session), height=height)
    notes = [item for item in layout.items if item.name == "note"]
    drawn = {item.picture for item in notes}
    said = [words(language, brief=brief)["uncounted"] for brief in (False, True)]
    lines = [{*map(text_columns, wrap(one, layout.right - notes[0].x))} for one in said]
    assert any(each <= drawn for each in lines)


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize(("visits", "counts"), [((), True), (ON_OFF[:1], False), (ON_OFF, False)])
def test_a_game_that_it_has_watched_changes_no_score_even_if_it_was_switched_off(players, visits, counts):
    session = fresh(WON, players=players)
    for keys in visits:
        session, _ = tap(opened(session), *keys)
    session, effects = tap(session, 3)
    assert session.phase is Phase.GAME_OVER
    assert (session.scores == Scores()) == (not counts)
    assert of(fx.Archive, effects)[0].game.helped == (not counts)
    assert (words("en")["uncounted"] in scene(session).notes) == (not counts)
    assert of(fx.Saved, effects)[-1] == session.saved
    session, _ = tap(session._replace(settings=session.settings._replace(coach=False, first="you")), 1)
    assert not session.match.helped, "the next game counts"


def test_taking_moves_back_does_not_make_a_game_count():
    session, _ = tap(opened(fresh(WON, coach=True)), 2)
    session, _ = tap(opened(session), 4, 8, 5, 2)
    assert (session.match.moves, session.match.helped, session.settings.coach) == ((), True, False)


def test_that_the_coach_has_looked_is_kept_when_it_is_asked():
    session, effects = tap(opened(fresh((0, 4))), 4, 8, 5, 5)
    assert of(Judge, effects)
    assert of(fx.Saved, effects)[-1].match.helped
    assert not session.signs
    assert not of(fx.Saved, feed(fresh((0, 4), coach=True), Timeout(60.0, Timer.DIM))[1]), "once a game"


@pytest.mark.parametrize("rule", ["classic", "misere"])
def test_the_signs_are_those_of_the_solved_game(rule):
    chance = random.Random(rule)
    for _ in range(12):
        match = Match.new(rule, "x")
        while not match.over:
            reply = answer(Judge(7, match), chance, None, 1.5)
            assert (reply.at, reply.job, reply.remarks) == (1.5, 7, None)
            mover = match.game.to_move
            other, board = "xo"[mover == "x"], match.game.cells
            for cell, worth in enumerate(reply.worth):
                if board[cell] != ".":
                    assert worth == ""
                    continue
                after = board[:cell] + mover + board[cell + 1 :]
                value = -solve_board(after, other, rule == "classic")[0]
                assert worth == {1: "win", 0: "draw", -1: "loss"}[value]
            match = match.play(chance.choice(list(match.game.moves())))


@pytest.mark.parametrize("rule", SOLVED)
def test_the_box_shows_them_and_its_own_move_does_not_wait(rule):
    settings = Settings(rule=rule, first="you", coach=True, level="perfect")
    box = VirtualBox(Config(settings))
    box.wait(1.0)
    assert set(signs(box.session)) <= {"smile", "plain", "frown"}
    before = box.hardware.chip.picture()
    box.tap(0)
    assert box.wait_for("your_turn", 1.0)
    box.wait(0.1)
    assert box.hardware.chip.picture() != before
    assert any(signs(box.session))
    assert not signs(VirtualBox(Config(settings._replace(players=0))).session)[0]


def test_the_signs_go_when_the_menu_opens_and_are_asked_for_again_when_it_closes():
    session, _ = feed(SHOWN, Press(6.0, 4), Hold(7.0, 4))
    assert (session.phase, session.board) == (Phase.MENU, ".........")
    session, effects = tap(session, 5)
    assert (signs(session), len(of(Judge, effects))) == ([""] * 9, 1), "asked again when the menu closes"
    assert feed(session, judged(SHOWN))[0] == session
