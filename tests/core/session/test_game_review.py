"""The review on the box: mistakes are marked, better moves blink, and no press in it starts a game."""

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from session_rig import feed, fresh, of, opened, tap, tapped

from appliance.core.keys.key_events import Blocked, Chord, Hold, HoldProgress, Press, Release, Tap
from appliance.core.keys.scan import CENTRE
from appliance.core.picture.scene import Tile
from appliance.core.session import events as fx
from appliance.core.session.events import Judge, Judged, Timeout, Timer
from appliance.core.session.match import Match
from appliance.core.session.settings import Options
from appliance.core.session.state import HINT_FRAMES, Phase
from appliance.core.session.view import scene
from engine import SOLVED, Verdict, review

LOST = (0, 4, 1, 2, 3, 6)  # 4 instead of 7, and the box wins
LATER = (0, 1, 3, 2, 4, 6, 5)  # 5 instead of 7, which wins at once
FLAWLESS = (0, 4, 8, 1, 7, 6, 2, 5, 3)
SLOW = (2, 0, 4, 1, 6)  # o's 1 instead of 5; x's 5 gives a win in 5 plies away; o's 2 does not block 7
LEFT, RIGHT, UP, DOWN = 4, 6, 2, 8  # the keys, counted from 1


def sign(text):
    return text.replace("_", "\N{NO-BREAK SPACE}")


HELP = (sign("◀▶_moves ■_end"), sign("▲▼_mistakes"))
HOW = (sign("■_end"), sign("▼_how?"))


@cache
def remarks(rule, moves):
    return review(SOLVED[rule](), moves)


def asked(moves, **settings):
    """Return the session after choosing Review in the menu."""
    return tap(opened(fresh(moves, **settings)), 3)[0]


def reviewed(moves=LOST, **settings):
    """Return the session after the engine's reply."""
    session = asked(moves, **settings)
    return feed(session, Judged(4.0, session.request.job, remarks=remarks(session.match.rule, moves)))[0]


def test_after_the_end_the_menu_has_the_review_in_place_of_the_hint():
    menu, playing = opened(fresh(LOST)), opened(fresh())
    assert [scene(session).tiles[2].glyph for session in (menu, playing)] == ["review", "hint"]
    assert scene(feed(menu, Press(5.0, 2))[0]).notes == ("Review",)
    session, effects = tap(menu, 3)
    assert (session.phase, of(Judge, effects)) == (Phase.REVIEW, [Judge(session.request.job, session.match)])
    assert (scene(session).headline, scene(session).notes) == ("Move 6", ("One moment…", *HELP))
    assert fx.Arm(Timer.MENU_IDLE, 60.0) in effects, "a position is looked at for longer than a menu"


def test_it_begins_at_the_mistake_and_says_what_it_did_and_what_kept_the_result():
    shown = scene(reviewed())
    assert (shown.mark, shown.headline) == ("x", "Move 5")
    assert shown.notes == ("Missed a block", sign("☹_loses ⬚_⚇_draws"), *HOW)
    assert shown.tiles[3] == Tile("x", inverse=True)
    assert shown.tiles[6] == Tile("x", outline=True)
    assert [tile.glyph for tile in shown.tiles] == ["x", "x", "o", "x", "o", "", "x", "", ""]


def test_a_win_at_once_that_was_missed_is_shown_too():
    shown = scene(reviewed(LATER))
    assert (shown.mark, shown.headline) == ("x", "Move 5")
    assert shown.notes == ("Not at once", sign("☺_wins ⬚_☺_sooner"), *HELP)
    assert shown.tiles[4] == Tile("x", inverse=True)
    assert shown.tiles[6] == Tile("x", outline=True)
    assert places(reviewed(LATER), UP, *[DOWN] * 7)[-3:] == ["2+5", "5", "5 flashes 8"], "it has no line"


def test_what_was_better_blinks_and_then_stands():
    session, seen = reviewed(), []
    for _ in range(HINT_FRAMES):
        seen.append(scene(session).tiles[6].glyph)
        session, effects = feed(session, Timeout(5.0, Timer.FRAME))
    assert seen == ["x", "", "x", "", "x", "", "x", "", "x"]
    assert (scene(session).tiles[6].glyph, of(fx.Arm, effects)) == ("x", [])
    assert feed(session, Timeout(5.0, Timer.FRAME)) == (session, [])


def places(session, *keys):
    """Return where the review is after each key: moves, "+" moves of a line, and the key that flashes."""
    found = []
    for key in keys:
        session, _ = tap(session, key)
        (ply, _, line), flash = session.review, session.notice.cell
        found.append(f"{ply}{f'+{line}' if line else ''}{'' if flash is None else f' flashes {flash + 1}'}")
    return found


def test_the_right_steps_on_the_left_back_and_the_middle_to_the_mistakes():
    assert places(reviewed(), 3, 6, 9, 1, 4, 7) == [
        "6", "6 flashes 6", "6 flashes 9", "5", "4", "3"]  # fmt: skip
    assert places(reviewed(), 2, 1, 7) == ["5 flashes 2", "4", "3"]
    assert places(reviewed(), 1, 4, 7, 1, 1, 1, 8)[-3:] == ["0", "0 flashes 1", "5"]
    start = feed(reviewed(), *[event for _ in range(5) for event in tapped(5.0, 0)])[0]
    assert (scene(start).headline, scene(start).mark, scene(start).notes) == ("Review", "", HELP)
    end = scene(tap(reviewed(), 3)[0])
    assert (end.headline, end.strike, end.notes) == ("Move 6", (2, 6), (sign("☺_wins"), *HELP))
    assert scene(tap(reviewed(), 1)[0]).tiles[2] == Tile("o", last=True), "no mistake: the last move as ever"


def test_a_game_without_mistakes_says_so():
    shown = scene(reviewed(FLAWLESS))
    assert (shown.headline, shown.notes) == ("Review", ("No mistakes", *HELP))
    unproven = asked(FLAWLESS)
    unknown = Verdict(0, "unknown", None)
    unknown = tuple(one._replace(before=unknown, after=unknown) for one in remarks("classic", FLAWLESS))
    unproven, _ = feed(unproven, Judged(4.0, unproven.request.job, remarks=unknown))
    assert scene(unproven).notes == HELP
    assert scene(tap(unproven, 3)[0]).notes == HELP


def test_the_persons_own_mistake_comes_first_and_where_nobody_is_a_person_the_first():
    moves = (0, 1, 2, 4, 3, 5, 7, 6, 8)  # x and o err in turn
    changed = [one.ply + 1 for one in remarks("classic", moves) if one.changed]
    assert changed == [2, 3, 5, 6, 7]
    assert [reviewed(moves, players=players).review.ply for players in (0, 1, 2)] == [2, 3, 2]
    assert places(reviewed(moves), 2, *[8] * 6, 2, 2) == [
        "2", "2+1", "2+2", "2+3", "2+4", "2+5", "3", "2", "2 flashes 2"]  # fmt: skip


def test_keys_work_before_the_engine_has_replied_and_it_moves_nothing_then():
    session, _ = tap(asked(LOST), 1, 1)
    assert session.review.ply == 4
    session, _ = feed(session, Judged(4.0, session.request.job, remarks=remarks("classic", LOST)))
    assert (session.review.ply, scene(session).notes[0]) == (4, sign("⚇_draws"))
    stale = asked(LOST)
    assert feed(stale, Judged(4.0, stale.request.job - 1, remarks=()))[0] == stale
    failed, _ = feed(stale, Judged(4.0, stale.request.job))
    assert scene(failed).notes[0] == "That did not work."
    blocked, _ = feed(stale, Blocked(4.0, (1,)))
    assert scene(blocked).notes[0] == "Button 2 is held down"


@pytest.mark.parametrize("end", [
    tapped(9.0, CENTRE), (Press(9.0, CENTRE), HoldProgress(9.5, CENTRE, 0.5), Hold(10.0, CENTRE),
                          Release(10.5, CENTRE, soon=False)),
    (Timeout(64.0, Timer.MENU_IDLE),), (Timeout(600.0, Timer.OFF), *tapped(700.0, 0)),
])  # fmt: skip
def test_the_centre_a_hold_of_it_idleness_and_sleep_lead_back_to_the_end_of_the_game(end):
    before = fresh(LOST)
    session, _ = feed(reviewed(), *end)
    assert (session.phase, session.match) == (Phase.GAME_OVER, before.match)
    assert scene(session) == scene(before)
    assert tap(session, 1)[0].board == ".........", "the next tap plays again"


def test_a_menu_that_stays_open_keeps_the_review_open_too():
    session, effects = tap(opened(fresh(LOST, options=Options(menu=0.0))), 3)
    assert session.phase is Phase.REVIEW
    assert Timer.MENU_IDLE not in {effect.timer for effect in of(fx.Arm, effects)}


@pytest.mark.parametrize(("rule", "moves", "ply", "why"), [
    ("misere", (1, 8, 4, 2, 7), 5, "Made a line"),
    ("classic", SLOW, 3, "Missed a win"),
    ("classic", SLOW, 4, "Missed a block"),
    ("classic", (0, 4, 8, 2, 6, 3, 7), 4, "Allowed a fork"),
    ("classic", SLOW, 2, "Into a trap"),
    ("classic", LATER, 5, "Not at once"),
])  # fmt: skip
def test_a_mistake_says_why(rule, moves, ply, why):
    session = reviewed(moves, rule=rule)
    session = session._replace(review=session.review._replace(ply=ply))
    shown = scene(session)
    assert (shown.headline, shown.notes[0]) == (f"Move {ply}", why)
    assert sign("■_end") in " ".join(shown.notes)
    assert (HOW[1] in shown.notes) == (why not in {"Made a line", "Not at once"})


def test_the_bottom_key_steps_through_the_line_that_proves_it_and_then_to_the_next_mistake():
    session = reviewed(SLOW)
    assert session.review.ply == 3
    whole_line = ["3+1", "3+2", "3+3", "3+4", "3+5"]
    assert places(session, *[DOWN] * 8) == [*whole_line, "4", "4+1", "4+1 flashes 8"]
    assert places(session, DOWN, RIGHT, RIGHT, 3, 9, RIGHT) == [*whole_line, "3+5 flashes 6"]
    assert places(session, DOWN, DOWN, LEFT, LEFT, LEFT) == ["3+1", "3+2", "3+1", "3", "2"]
    assert places(session, DOWN, DOWN, UP, UP) == ["3+1", "3+2", "3", "2"]
    assert places(session, RIGHT, LEFT) == ["4", "3"], "the line is apart from the game"


def test_a_line_is_shown_as_moves_that_nobody_made():
    session, seen = reviewed(SLOW), []
    while len(seen) < 5:
        session, _ = tap(session, DOWN)
        assert not session.frames, "nothing blinks"
        seen.append(scene(session))
    assert [(one.mark, one.headline) for one in seen] == [
        ("x", "1/5"), ("o", "2/5"), ("x", "3/5"), ("o", "4/5"), ("x", "wins!")]  # fmt: skip
    assert {one.notes for one in seen[:-1]} == {("x forces a win", HELP[0])}, "the bottom key goes on"
    assert seen[-1].notes == ("x forces a win", *HELP)
    line = remarks("classic", SLOW)[2].best_line
    for count, one in enumerate(seen, 1):
        assert [cell for cell, tile in enumerate(one.tiles) if tile.outline] == sorted(line[:count])
        assert [cell for cell, tile in enumerate(one.tiles) if tile.last] == [line[count - 1]]
        there = ["x", "o", "x" if 4 in line[:count] else ""]
        assert [one.tiles[cell].glyph for cell in SLOW[:3]] == there
    assert seen[-1].strike
    flashing, _ = tap(session, RIGHT)
    assert scene(flashing).tiles[RIGHT - 1].inverse


@pytest.mark.parametrize("rule", SOLVED)
def test_each_line_ends_in_the_win_that_it_promises(rule):
    rng, shown = random.Random(rule), 0
    for _ in range(12):
        match = Match.new(rule, "x")
        while not match.over:
            match = match.play(rng.choice(list(match.game.moves())))
        session = reviewed(match.moves, rule=rule, players=2)
        for remark in session.review.remarks:
            at = session._replace(review=session.review._replace(ply=remark.ply + 1))
            assert scene(at).tiles[remark.move].inverse == bool(remark.better)
            while (further := tap(at, DOWN)[0]).review.line > at.review.line:
                at = further
            if at.review.line:
                winner = remark.side if remark.before.value == "win" else "xo"[remark.side == "x"]
                assert (scene(at).mark, scene(at).headline) == (winner, "wins!")
                shown += 1
    assert shown > 12


def whole(kind, at, key):
    """Return the events of a whole press, or a single event."""
    up = Release(at + 3, key, soon=kind != "hold")
    return {
        "tap": (Press(at, key), Tap(at + 0.06, key), up),
        "hold": (Press(at, key), HoldProgress(at + 0.5, key, 0.5), Hold(at + 1, key), up),
        "chord": (Press(at, key), Chord(at + 0.01, (key, (key + 1) % 9)), up),
        "blocked": (Blocked(at, (key,)),),
    }.get(kind) or (Timeout(at, kind),)


KINDS = ("tap", "hold", "chord", "blocked", Timer.FRAME, Timer.NOTICE, Timer.DIM, Timer.MENU_IDLE)


@given(
    st.sampled_from([LOST, FLAWLESS]), st.integers(0, 2), st.booleans(), st.booleans(),
    st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 8)), max_size=15),
)  # fmt: skip
def test_no_press_in_a_review_changes_the_game_or_starts_another(moves, players, turned, judged, presses):
    start = reviewed if judged else asked
    session = start(moves, players=players)
    session = session._replace(settings=session.settings._replace(turned=turned))
    match = session.match
    for at, (kind, key) in enumerate(presses, 10):
        if session.phase is not Phase.REVIEW:
            session = tap(opened(session), 7 if turned else 3)[0]
        session, effects = feed(session, *whole(kind, 10.0 * at, key))
        assert (session.match, session.scores) == (match, fresh(moves, players=players).scores)
        assert session.phase in {Phase.REVIEW, Phase.GAME_OVER}
        assert 0 <= session.review.ply <= len(moves)
        assert not session.review.line or remarks("classic", moves)[session.review.ply - 1].changed
        assert not of(fx.Saved, effects)
        scene(session)
