"""Events that have a row in the table and make no sense at that moment change nothing."""

import pytest

from appliance.core.events import Answer, Chord, Hold, HoldProgress, Stuck, Tap, Timeout
from appliance.core.match import Match
from appliance.core.session import begin, step
from appliance.core.settings import Options, Settings
from appliance.core.state import BLINK, DEMO, NEXT, NOTICE, Page, Phase, Session


def fresh(moves=(), human="x", **changes):
    settings = Settings(**changes)
    session = Session(Match.replay(settings.rule, human, moves), settings, Options(attract=True))
    return begin(session, 0.0)[0]


PLACED = fresh((0,))._replace(phase=Phase.PLACED, pressed=0)
MENU = fresh()._replace(phase=Phase.MENU, page=Page.MAIN, pressed=3)
DEMO_ON = fresh()._replace(phase=Phase.DEMO, demo=Match.new("classic", "x"))
HINTING = fresh((0, 4))._replace(hinting=True, job=7)
OVER = fresh((0, 3, 1, 4, 2))


@pytest.mark.parametrize(
    ("session", "event"),
    [
        (PLACED, Tap(1.0, 5)),
        (PLACED, Hold(1.0, 5)),
        (PLACED, HoldProgress(1.0, 0, 0.5)),
        (MENU, Tap(1.0, 5)),
        (MENU, Hold(1.0, 4)),
        (fresh(), Hold(1.0, 4)),
        (fresh((), "o"), Answer(1.0, 1, 99)),
        (fresh((), "o"), Answer(1.0, 99, 4)),
        (HINTING, Answer(1.0, 6, 8)),
        (HINTING, Answer(1.0, 7, 4)),
        (OVER, Timeout(1.0, NEXT)),
        (OVER, Tap(1.0, 5)),
        (OVER._replace(blinks=0), Timeout(1.0, BLINK)),
        (fresh(), Timeout(1.0, NOTICE)),
        (fresh(), Stuck(1.0, ())),
        (DEMO_ON._replace(demo=None), Timeout(1.0, DEMO)),
        (DEMO_ON._replace(demo=None), Answer(1.0, 0, 4)),
        (DEMO_ON, Answer(1.0, 99, 4)),
        (DEMO_ON, Answer(1.0, DEMO_ON.job, 9)),
    ],
)
def test_nothing_changes(session, event):
    assert step(session, event) == (session, ())


def test_a_chord_while_nothing_can_be_played_only_ends_the_press():
    session = OVER._replace(pressed=4, progress=0.5)
    after, effects = step(session, Chord(1.0, (4, 8)))
    assert (after.pressed, after.progress, after.phase) == (None, None, Phase.GAME_OVER)
    assert effects


def test_no_hint_while_it_is_the_boxs_turn():
    session = fresh((), "o")._replace(phase=Phase.MENU, page=Page.MAIN, pressed=2)
    after, _ = step(session, Tap(1.0, 2))
    assert (after.phase, after.notice) == (Phase.MENU, "box_turn")
