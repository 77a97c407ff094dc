"""The menu's undo and hint."""

import pytest
from session_rig import feed, fresh, of, opened, tap, tapped

from appliance.core.keys.key_events import Press
from appliance.core.session import events as fx
from appliance.core.session.events import Answer, Timeout, Timer
from appliance.core.session.match import Match
from appliance.core.session.settings import Scores, Settings, Tally
from appliance.core.session.state import LINE_FRAMES, LINE_SECONDS, Phase
from appliance.core.session.transitions import begin
from appliance.core.session.view import scene
from engine import LEVELS


@pytest.mark.parametrize(
    ("moves", "human", "players", "left"),
    [
        ((0, 4), "x", 1, ()),
        ((0, 4, 1, 2), "x", 1, (0, 4)),
        ((4, 0, 1), "o", 1, (4,)),
        ((0, 4, 1), "x", 2, (0, 4)),
        ((0,), "x", 1, ()),  # before the box has answered: the one mark
    ],
)
def test_undo_takes_back_the_pair(moves, human, players, left):
    session, effects = tap(opened(fresh(moves, human, players=players)), 2)
    assert (session.match.moves, session.phase) == (left, Phase.YOUR_TURN)
    assert left in [save.match.moves for save in of(fx.Saved, effects)]


@pytest.mark.parametrize("keys", [
    (1,), (9, 2, 3, 5, 5),  # other rules, browsed; undo restores the game with its own
    (1, "menu", 1), (1, 7, "box", "menu", 2), (1, 7, "menu", 2),  # undo removes the new game's marks first
])  # fmt: skip
def test_undo_brings_back_the_game_that_another_has_replaced_until_that_has_ended(keys):
    before = session = opened(fresh((0, 4, 8, 2)))
    for key in keys:
        if key == "menu":
            session = opened(session)
        elif key == "box":
            session, _ = feed(session, Answer(4.0, session.request.job, 4), Timeout(5.0, Timer.PAUSE))
        else:
            session, _ = tap(session, key)
    assert len(session.match.moves) < 2
    session, effects = tap(opened(session), 2)
    assert (session.match, session.settings) == (before.match, before.settings)
    assert (session.phase, of(fx.Saved, effects)[-1]) == (Phase.YOUR_TURN, before.saved)
    assert tap(opened(session), 2)[0].board == "x...o....", "then its own marks"
    # It is lost when another game has ended, and no game counts twice.
    session, _ = tap(before, 1)
    session = begin(session._replace(match=Match.replay("classic", "x", (0, 3, 1, 4, 2))), 9.0)[0]
    session, _ = tap(session, 1)
    assert (session.board, session.scores.box) == (".........", Tally(1))
    assert tap(opened(session), 2)[0].notice.word == "nothing_to_undo"


@pytest.mark.parametrize(("moves", "human"), [((), "x"), ((4,), "o"), ((0, 3, 1, 4, 2), "x")])
def test_undo_says_when_there_is_nothing_to_take_back(moves, human):
    session, _ = tap(opened(fresh(moves, human)), 2)
    assert (session.match.moves, session.phase, session.notice.word) == (moves, Phase.MENU, "nothing_to_undo")
    assert feed(session, Timeout(5.0, Timer.NOTICE))[0].notice.word == ""


def test_a_line_is_drawn_even_if_a_hint_had_as_many_frames_left():
    session, effects = tap(opened(fresh((0, 3, 1, 4))), 3)
    session, _ = feed(session, Answer(4.0, of(fx.Think, effects)[0].job, 2), Timeout(4.4, Timer.FRAME))
    session, effects = feed(session, *tapped(5.0, 2))
    assert (session.phase, session.frames) == (Phase.GAME_OVER, LINE_FRAMES)
    assert fx.Arm(Timer.FRAME, LINE_SECONDS) in effects


def test_a_hint_blinks_and_goes_with_the_next_press():
    session, effects = tap(opened(fresh((0, 4))), 3)
    think = of(fx.Think, effects)[0]
    assert (session.phase, think.level) == (Phase.YOUR_TURN, LEVELS["perfect"])
    assert not session.match.helped
    session, effects = feed(session, Answer(4.0, think.job, 8))
    assert session.hint == 8
    assert scene(session).notes[:2] == ("Helped: not counted", "Try this one")
    assert of(fx.Saved, effects)[-1].match.helped
    session, _ = feed(session, Press(5.0, 1))
    assert (session.hint, session.board) == (None, "xx..o....")


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("shown", [True, False])
def test_a_game_with_a_hint_is_kept_and_counts_in_no_score(players, shown):
    session, effects = tap(opened(fresh((0, 3, 1, 4), players=players)), 3)
    if not shown:  # a press comes before the hint
        session, _ = feed(session, *tapped(3.5, 0))
    session, _ = feed(session, Answer(4.0, of(fx.Think, effects)[0].job, 2))
    session, effects = tap(session, 3)
    assert session.phase is Phase.GAME_OVER
    assert of(fx.Archive, effects)[0].game.helped == shown
    assert (session.scores == Scores()) == shown
    assert ("Helped: not counted" in scene(session).notes) == shown
    assert not tap(session._replace(settings=Settings(players=players, first="you")), 1)[0].match.helped


def test_there_is_no_hint_while_the_box_moves():
    session, _ = tap(opened(fresh((0,))), 3)
    assert (session.phase, session.notice.word) == (Phase.MENU, "box_turn")
