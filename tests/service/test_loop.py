"""The loop: order of events and timers, effects carried out, nothing done that is not due."""

from queue import Empty, SimpleQueue
from types import SimpleNamespace

from appliance.core.keys.key_events import Hold, Press, Release, Tap
from appliance.core.session.actions import clear
from appliance.core.session.events import (
    Archive,
    Arm,
    Beep,
    Condition,
    Judge,
    Judged,
    Power,
    Saved,
    StopSignal,
    Timer,
)
from appliance.core.session.match import Match
from appliance.core.session.settings import Options, Scores, Settings, Tally
from appliance.core.session.state import Phase, Session
from appliance.service.loop import BATCH, Loop, Parts


class Recorder:
    """A panel, a keeper and everything else: writes down what is asked of it."""

    def __init__(self):
        self.log, self.next_service = [], None

    def __getattr__(self, name):
        def note(*arguments):
            words = [str(one) for one in arguments if isinstance(one, (bool, str))]
            self.log.append(" ".join([name, *words]))

        return note

    def turn(self, turned, now):
        pass

    def rest(self, asleep):
        pass

    def lamp(self, on):
        self.lit = on

    def service(self, now):
        if self.next_service is not None and now >= self.next_service:
            self.log.append("service")
            self.next_service = None

    def due(self):
        return self.next_service

    def keep(self, effects):
        kinds = [type(effect).__name__ for effect in effects if isinstance(effect, Saved | Archive)]
        self.log.append(" ".join(["keep", *kinds]))

    def think(self, request):
        self.log.append(f"think {request.job}")

    def power(self, action, refuse):
        self.log.append(f"power {action}")
        self.refuse = refuse


class Clock:
    time = 100.0

    def __call__(self):
        return self.time


def click(loop, at, *keys, gesture=Tap):
    for key in keys:
        loop.turn(Press(at, key))
        loop.turn(gesture(at + 0.1, key))
        loop.turn(Release(at + 0.2, key, gesture is Tap))


def make(session=None):
    clock, out = Clock(), Recorder()
    parts = Parts(out, out, out, out.beep, out.lamp, out.power)
    loop = Loop(session or Session(Match.new("classic", "x")), parts, out.think, clock)
    loop.start()
    del loop._timers[Timer.FRAME]  # of the hello
    out.log.clear()
    return loop, out, clock


def test_a_press_is_shown_then_heard_then_kept_and_only_a_tap_starts_the_engine():
    loop, out, _ = make()
    loop.turn(Press(100.0, 0))
    assert out.log == ["show", "beep press", "keep Saved"]
    assert out.lit
    out.log.clear()
    loop.turn(Tap(100.1, 0))
    assert out.log == ["show", "think 1"]
    assert not out.lit


def test_a_mark_is_shown_before_the_coach_is_asked_and_before_that_is_saved():
    loop, out, _ = make(Session(Match.new("classic", "x"), Settings(players=2)))
    click(loop, 100.0, 0)
    loop._enter(loop.session._replace(settings=Settings(players=2, coach=True)), ())
    out.log.clear()
    click(loop, 101.0, 1)
    assert out.log == ["show", "beep press", "keep Saved", "show", "think 1", "keep Saved"]
    loop.turn(Judged(102.0, 1, ("draw",) * 9))
    assert out.log[6:] == ["show"], "a sign changes nothing that is saved"


def test_effects_are_carried_out_in_order_but_saved_last_or_first_if_the_score_is_cleared():
    won = Session(Match.new("classic", "x"), scores=Scores(Tally(1)))
    loop, out, clock = make(won)
    shown = ["show", "beep win", "think 7", "power off"]
    again = loop.session._replace(scores=Scores(Tally(2)))
    loop._enter(again, (Archive(None), Beep("win"), Judge(7, None), Power("off")))
    assert out.log == [*shown, "keep Saved Archive"]
    out.log.clear()
    loop._enter(*clear(loop.session, clock.time))
    assert out.log == ["keep Saved", "show", "beep menu"]


def test_what_changes_nothing_is_not_drawn_again():
    """A scan of the self-test comes fifty times a second."""
    loop, out, _ = make()
    session, drawn = loop.session, []
    loop._show = lambda: drawn.append(loop.session)
    loop._enter(session._replace(badges=()), ())
    loop.turn(Condition(100.0, "keys", on=False))
    assert drawn == []
    loop.turn(Condition(100.0, "keys", on=True))
    assert len(drawn) == 1
    assert out.log == []


def test_a_timer_set_anew_runs_once_and_ends_with_its_phase():
    loop, _, clock = make(Session(Match.new("classic", "x"), options=Options(dim=0, off=10, drift=0)))
    assert loop.due() == 110.0
    clock.time = 105.0
    loop.turn(Press(105.0, 0))
    loop._enter(loop.session, (Arm(Timer.OFF, 3.0), Arm(Timer.CHOICE, 4.0)))
    assert loop.due() == 108.0
    loop._enter(loop.session._replace(phase=Phase.MENU), (Arm(Timer.MENU_IDLE, 1.0),))
    assert [timer for timer, _ in loop._timers.items()] == [Timer.OFF, Timer.MENU_IDLE]
    loop._enter(loop.session._replace(phase=Phase.ASLEEP), ())
    assert loop.due() is None


def test_a_device_is_served_when_it_is_due():
    loop, out, clock = make()
    out.next_service = 101.0
    assert loop.due() == 101.0
    loop.turn()
    assert "service" not in out.log
    clock.time = 101.0
    loop.turn()
    assert "service" in out.log


def test_waiting_ends_with_an_event_or_at_once_when_something_is_due():
    loop, _, clock = make()
    loop.put(Press(100.0, 0))
    loop.wait(30.0)
    assert loop.session.board == "x........"
    clock.time = 10_000.0
    loop.wait(30.0)  # the rest timers are overdue
    assert loop.session.phase is Phase.ASLEEP
    loop.wait(0.0)  # and now nothing is due
    assert loop.due() is None


def test_a_turn_handles_a_limited_number_of_events_and_the_next_one_the_rest():
    loop, _, _ = make()
    for _ in range(2 * (BATCH + 1) + 1):
        loop.put(Press(100.0, 0))
    while loop._queue.qsize():
        loop.wait(30.0)
    assert loop.turns == 3  # the event that was waited for comes on top


def test_a_turn_takes_what_waits_in_order_until_an_event_has_taken_long():
    loop, out, clock = make()
    show = out.show

    def slowly(picture, now):
        clock.time += 0.3
        show(picture, now)

    out.show = slowly
    for event in (Press(100.0, 0), Tap(100.1, 0), Press(100.2, 1), Tap(100.3, 1)):
        loop.put(event)
    loop.turn()
    assert loop._queue.qsize() == 2
    loop.turn()
    assert (loop._queue.qsize(), loop.session.board) == (0, "x........")


def test_a_timer_that_is_armed_for_no_time_does_not_keep_a_turn_from_ending(monkeypatch):
    loop, _, clock = make(Session(Match.new("classic", "x"), options=Options(dim=0, off=10, drift=0)))
    handled = []

    def step(session, event):
        handled.append(event.timer)
        return session, (Arm("a", 0.0), Arm("b", 9.0))

    monkeypatch.setattr("appliance.service.loop.step", step)
    loop._timers.clear()
    loop._enter(loop.session, (Arm("a", 0.0), Arm("b", 1.0)))
    clock.time = 105.0
    loop.turn()
    assert handled == ["a"]
    loop.turn()
    assert handled == ["a", "a"]


def test_a_clock_that_stands_still_is_noticed_by_the_sleeps_that_do_not_advance_it():
    loop, _, clock = make(Session(Match.new("classic", "x"), options=Options(dim=0, off=0, drift=0)))
    advances, troubles = [0.6, 0.0, 1e-9, 0.0, 0.0, 0.6], []

    def sleep(timeout):
        assert timeout == 0.6
        clock.time += advances[len(troubles)]
        raise Empty

    loop._queue = SimpleNamespace(get=sleep, get_nowait=SimpleQueue().get_nowait)
    for _ in advances:
        loop.wait(0.6)
        troubles.append(loop.trouble())
    assert troubles == ["", "", "", "", "the clock stands still: 1 s were slept", ""]


def test_stopping_ends_the_loop_and_leaves_the_rest_of_the_queue():
    loop, out, _ = make()
    loop.put(StopSignal(100.0))
    loop.put(Press(100.0, 0))
    loop.turn()
    assert loop.ended
    assert loop.session.board == "........."
    assert (out.log[0], out.log[-1]) == ("show", "keep Saved")


def test_switching_off_that_is_refused_is_shown():
    loop, out, _ = make()
    click(loop, 100.0, 4, gesture=Hold)
    click(loop, 102.0, 7)  # settings
    click(loop, 103.0, 7, 0)  # off, yes
    assert "power off" in out.log
    assert loop.session.phase is Phase.LEAVING
    out.refuse("did_not_work")  # from another thread, some time later
    loop.turn()
    assert loop.session.phase is Phase.YOUR_TURN
    assert loop.session.notice.word == "did_not_work"
