"""Animations: the hello, the winning line and the box's face; what ends them early, and their cost."""

import pytest
from session_rig import feed, fresh, of

from appliance.config.schema import Config, DisplayConfig
from appliance.core.keys.key_events import Blocked, Chord, Hold, Press, Tap
from appliance.core.picture.icons import LABELS
from appliance.core.session import events as fx
from appliance.core.session.events import Timeout, Timer
from appliance.core.session.match import Match
from appliance.core.session.settings import Options, Settings
from appliance.core.session.state import HELLO_SECONDS, LINE_SECONDS, EngineRequest, Phase, Session
from appliance.core.session.transitions import begin
from appliance.core.session.view import view
from appliance.simulator.virtual import VirtualBox

START, STARTING = begin(Session(Match.new("classic", "x")), 0.0)
LOSING = fresh((0, 3, 1, 4, 8), "x")._replace(request=EngineRequest(answer=5, pausing=True))
LOST, LOSS = feed(LOSING, Timeout(5.0, Timer.PAUSE))


def scene(session):
    return view(session).scene


def face(session):
    return scene(session).score[1][0]


def run(session, effects):
    """Return the sessions until the animation ends, and its duration in seconds."""
    sessions, seconds = [session], 0.0
    while armed := [effect for effect in of(fx.Arm, effects) if effect.timer is Timer.FRAME]:
        seconds += armed[0].seconds
        session, effects = feed(session, Timeout(9.0, Timer.FRAME))
        sessions.append(session)
    assert seconds <= 1.5
    return sessions, seconds


def test_at_the_start_the_face_wakes_and_says_hello():
    sessions, seconds = run(START, STARTING)
    shown = [(face(session), scene(session).headline) for session in sessions]
    faces = ("sleeps", "waits", "winks", "waits")
    assert shown == [*((face, "Hello!") for face in faces), ("waits", "Your turn")]
    assert seconds == pytest.approx(4 * HELLO_SECONDS)
    assert START.greets
    for moves in ((0,), (0, 3, 1, 4, 2)):  # the box is to move; the game is over
        assert begin(Session(Match.replay("classic", "x", moves)), 0.0)[0].greets is False


def test_the_winning_line_draws_itself_once():
    sessions, seconds = run(LOST, LOSS)
    assert [scene(session).drawn for session in sessions] == [part / 8 for part in range(9)]
    assert seconds == pytest.approx(8 * LINE_SECONDS)
    assert {face(session) for session in sessions} == {"wins"}
    assert begin(LOST, 9.0)[0].frames == 0
    placed, _ = feed(fresh((0, 3, 1, 4)), Press(1.0, 2))
    assert (placed.match.over, scene(placed).strike) == (True, None), "a mark that may be taken back"


@pytest.mark.parametrize(("session", "shown"), [
    (fresh(), "waits"), (fresh((0,)), "thinks"), (LOST, "wins"), (feed(fresh(), Press(1.0, 0))[0], "waits"),
    (fresh((0, 3, 1, 4, 2), "x"), "loses"), (fresh((0, 3, 1, 4, 2), "x", rule="misere"), "wins"),
    (fresh((0, 1, 2, 4, 3, 5, 7, 6, 8)), "draws"),
    (feed(fresh(), Timeout(60.0, Timer.DIM))[0], "sleeps"),
    (feed(LOST, Timeout(60.0, Timer.DIM))[0], "sleeps"),
    (feed(fresh(), Timeout(600.0, Timer.OFF))[0], "sleeps"),
    (feed(fresh(), Timeout(600.0, Timer.OFF), Press(700.0, 0))[0], "sleeps"),
    (feed(fresh(), Timeout(600.0, Timer.OFF), Press(700.0, 0), Tap(700.1, 0))[0], "waits"),
])  # fmt: skip
def test_the_face_follows_the_game(session, shown):
    assert face(session) == shown
    assert len(LABELS[shown]) == 15


def test_every_face_is_different():
    faces = [picture for picture in LABELS.values() if len(picture) == 15]
    assert len(set(faces)) == len(faces) == 7


MOVING = {"hello": run(START, STARTING)[0], "line": run(LOST, LOSS)[0]}
PRESSES = {
    "tap": (Press(9.0, 8), Tap(9.1, 8)),
    "press": (Press(9.0, 8), Blocked(9.1, (8,))),
    "chord": (Press(9.0, 8), Chord(9.01, (0, 8))),
    "blocked": (Blocked(9.0, (3,)),),
    "centre": (Press(9.0, 4), Hold(10.0, 4)),
}


@pytest.mark.parametrize("moving", MOVING)
def test_a_face_that_sleeps_is_not_woken_by_the_end_of_what_moves(moving):
    for session in MOVING[moving]:
        dimmed, _ = feed(session, Timeout(9.0, Timer.DIM), *[Timeout(10.0, Timer.FRAME)] * 8)
        assert (face(dimmed), dimmed.frames) == ("sleeps", 0)


@pytest.mark.parametrize("events", PRESSES.values(), ids=PRESSES)
@pytest.mark.parametrize("moving", MOVING)
def test_a_press_counts_as_if_nothing_moved_and_ends_it(moving, events):
    *sessions, still = MOVING[moving]
    for session in sessions:
        assert (
            feed(session, *events)[0]._replace(frames=0, greets=False, sleeps=False)
            == feed(still, *events)[0]
        )
    after, effects = feed(feed(sessions[0], *events)[0], Timeout(10.0, Timer.FRAME))
    assert (after.frames, effects) == (0, []) or after.phase is Phase.PLACED


@pytest.mark.parametrize("options", [{}, {"height": 32}, {"driver": "sh1106"}], ids=str)
@pytest.mark.parametrize("seconds", [0.0, 0.35, 0.65, 0.95, 1.25, 65.0])
def test_a_mark_costs_at_most_60_bytes_whatever_the_face_does(options, seconds):
    """A face that says hello, or sleeps on a dimmed display, only changes after the press."""
    box = VirtualBox(Config(Settings(first="you"), display=DisplayConfig(**options)))
    box.wait(seconds)
    before, shown = box.hardware.bus.bytes, face(box.session)
    box.press(8)
    assert box.phase == "placed"
    assert box.hardware.bus.bytes - before <= (66 if options.get("driver") else 60)
    assert face(box.session) == shown


def test_asleep_nothing_is_due_even_if_something_moved():
    box = VirtualBox(Config(Settings(first="you"), Options(dim=0, off=1)))
    box.wait(1.1)
    assert (box.lit, box.loop.due()) == (False, None)
    bytes_sent = box.hardware.bus.bytes
    box.wait(100)
    assert box.hardware.bus.bytes == bytes_sent
