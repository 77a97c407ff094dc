"""The box as a Mealy machine: one table of its transitions, and `step`, the one function that looks them up.

A box with nine buttons, timers, an engine that thinks in another thread, a card that may fail and a display
that may come loose can receive any event at any moment. Handlers with flags ("is the menu open?") forget
some combination of these. So the box is a Mealy machine: the session (the state) and an event (the input)
determine the next session and the effects (the output). `TABLE` lists for each phase the events that matter;
each row names the function that handles the event, and the phases it may lead to. An event without a row
changes nothing: a late answer of the engine and a press during the goodbye need no code.

`step` is pure: time is in the event, hardware in the effects. So a test can drive every transition without
threads or sleeping, search for one that is never taken (tests/core/session/test_reachable.py), compare the
table with its diagram in CONTRIBUTING.md, and replay a failure from its events. The cost is that data such as
a pressed key lives in the session rather than in a local variable, and that each phase repeats common rows.
A press acts once: when it starts (a mark) or when it ends (a tap, hold or release), never both. No handler
says what follows from the session: the picture (`Loop._enter`), what is saved (`state.keepsakes`), which
timers end with a phase (`carry_over`). Source: Mealy, A method for synthesizing sequential circuits (Bell
System Technical Journal 34, 1955); outputs that follow from the state are Moore's.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from appliance.core.keys.key_events import Blocked, Chord, Hold, HoldProgress, Press, Release, Stuck, Tap
from appliance.core.session import coach, menu, play, rest, review, selftest, state, visit
from appliance.core.session.events import (
    Answer,
    Condition,
    Effect,
    Event,
    Judged,
    Log,
    Reading,
    Refused,
    StopSignal,
    Timeout,
    Timer,
)
from appliance.core.session.state import HELLO_FRAMES, HELLO_SECONDS, Phase, Session, Step, arm, arm_rest

P = Phase
Trigger = type | str  # an event's class, or a timer's name


class Transition(NamedTuple):
    """A transition: the function that handles it, and the phases it may lead to; none if the phase stays."""

    act: Callable[[Session, Any], Step]
    to: frozenset[Phase]


Rows = dict[Trigger, Transition]


def _row(act: Callable[[Session, Any], Step], *to: Phase) -> Transition:
    return Transition(act, frozenset(to))


_ON = (P.YOUR_TURN, P.THINKING, P.GAME_OVER)  # where `resume` may lead
_HOME = (*_ON, P.MENU)  # where `home` may lead

# What can happen in every phase but ENDED.
_ALWAYS: Rows = {
    Stuck: _row(selftest.stuck),
    Condition: _row(rest.condition),
    StopSignal: _row(rest.stop, P.ENDED),
}


def _lit(phase: Phase) -> Rows:
    """Return the rows of every phase with a lit display."""
    return {
        Timer.DRIFT: _row(rest.drift),
        Timer.OFF: _row(rest.sleep, P.ASLEEP, phase),
        Timer.VISIT: _row(visit.end, P.DEMO),
    }


_OWN: dict[Phase, Rows] = {
    P.YOUR_TURN: {
        Stuck: _row(selftest.stuck_at_start, P.YOUR_TURN, P.SELF_TEST),
        Press: _row(play.press_cell, P.PLACED, P.YOUR_TURN),
        Tap: _row(play.let_go),
        Release: _row(play.keep_choice),
        HoldProgress: _row(play.show_progress),
        Hold: _row(menu.open_menu, P.MENU, P.YOUR_TURN),
        Chord: _row(play.refuse_chord),
        Blocked: _row(play.refuse_blocked),
        Answer: _row(play.show_hint),
        Judged: _row(coach.show),
        Timer.FRAME: _row(play.next_frame),
        Timer.CHOICE: _row(play.choose_again),
        Timer.NOTICE: _row(play.clear_notice),
        Timer.DIM: _row(rest.dim, P.YOUR_TURN, P.DEMO),
    },
    P.PLACED: {
        Tap: _row(play.settle, P.PLACED, *_ON),
        Release: _row(play.settle_choice, P.PLACED, *_ON),
        HoldProgress: _row(play.show_progress),
        Hold: _row(menu.open_menu, P.MENU, P.PLACED),
        Chord: _row(play.refuse_chord, P.YOUR_TURN),
        Blocked: _row(play.refuse_blocked),
        Timer.CHOICE: _row(play.choose_again, P.PLACED, P.YOUR_TURN),
        Timer.NOTICE: _row(play.clear_notice),
        Timer.DIM: _row(rest.dim),
    },
    P.THINKING: {
        Stuck: _row(selftest.stuck_at_start, P.THINKING, P.SELF_TEST),
        Press: _row(play.refuse_press),
        Tap: _row(play.stop_watching, P.THINKING, P.YOUR_TURN),
        HoldProgress: _row(play.show_progress),
        Hold: _row(menu.open_menu, P.MENU, P.THINKING),
        Chord: _row(play.let_go),
        Blocked: _row(play.refuse_blocked),
        Answer: _row(play.receive, *_ON),
        Timer.PAUSE: _row(play.pause_over, *_ON),
        Timer.FRAME: _row(play.next_frame),
        Timer.NOTICE: _row(play.clear_notice),
        Timer.DIM: _row(rest.dim),
    },
    P.GAME_OVER: {
        Stuck: _row(selftest.stuck_at_start, P.GAME_OVER, P.SELF_TEST),
        Press: _row(play.note_press_at_end),
        Tap: _row(play.play_again, *_ON),
        HoldProgress: _row(play.show_progress),
        Hold: _row(menu.open_menu, P.MENU, P.GAME_OVER),
        Chord: _row(play.let_go),
        Blocked: _row(play.refuse_blocked),
        Timer.FRAME: _row(play.next_frame),
        Timer.NEXT: _row(play.watch_next, P.GAME_OVER, P.THINKING),
        Timer.NOTICE: _row(play.clear_notice),
        Timer.DIM: _row(rest.dim, P.GAME_OVER, P.DEMO),
    },
    P.MENU: {
        Stuck: _row(selftest.stuck_at_start, P.MENU, P.SELF_TEST),
        Press: _row(menu.press_item),
        Release: _row(menu.release_item, P.MENU, P.REVIEW, P.LEAVING, P.SELF_TEST, *_ON),
        Hold: _row(menu.close, P.MENU, *_ON),
        Chord: _row(menu.forget_item),
        Blocked: _row(play.refuse_blocked),
        Timer.MENU_IDLE: _row(menu.close, *_ON),
        Timer.NOTICE: _row(play.clear_notice),
        Timer.DIM: _row(rest.dim),
    },
    P.REVIEW: {
        Press: _row(review.press, P.REVIEW, P.GAME_OVER),
        Blocked: _row(play.refuse_blocked),
        Judged: _row(review.take_remarks),
        Timer.FRAME: _row(review.blink),
        Timer.MENU_IDLE: _row(review.leave, P.GAME_OVER),
        Timer.NOTICE: _row(play.clear_notice),
        Timer.DIM: _row(rest.dim),
    },
    P.DEMO: {
        Stuck: _row(selftest.stuck_at_start, P.DEMO, P.SELF_TEST),
        Press: _row(rest.end_demo, P.WAKING),
        Blocked: _row(rest.wake_blocked, *_HOME),
        Timer.DEMO: _row(rest.demo_turn),
        Answer: _row(rest.demo_move),
    },
    P.ASLEEP: {
        Press: _row(rest.wake, P.WAKING),
        Blocked: _row(rest.wake_blocked, *_HOME),
        Condition: _row(rest.condition_asleep, P.ASLEEP, *_HOME),
    },
    P.WAKING: {
        Tap: _row(rest.awake, *_HOME),
        Hold: _row(rest.awake, *_HOME),
        Chord: _row(rest.awake, *_HOME),
        Blocked: _row(play.refuse_blocked),
    },
    P.SELF_TEST: {
        Press: _row(selftest.press, P.SELF_TEST, *_HOME),
        Blocked: _row(selftest.press, P.SELF_TEST, *_HOME),
        Stuck: _row(selftest.stuck_in_test),
        Reading: _row(selftest.scan),
        Timer.TEST: _row(selftest.time_up, P.SELF_TEST, *_HOME),
    },
    P.LEAVING: {
        Refused: _row(rest.stay, *_ON),
        Timer.LEAVE: _row(rest.stay, *_ON),
    },
    P.ENDED: {},
}

_RESTLESS = {P.ASLEEP, P.SELF_TEST, P.LEAVING, P.ENDED}  # the timers of rest do not run in these

TABLE: dict[Phase, Rows] = {
    phase: {**({} if phase is P.ENDED else _ALWAYS), **({} if phase in _RESTLESS else _lit(phase)), **rows}
    for phase, rows in _OWN.items()
}


def trigger_of(event: Event) -> Trigger:
    """Return the table's key for an event: a timer's name, or the event's class."""
    return event.timer if isinstance(event, Timeout) else type(event)


def step(session: Session, event: Event) -> Step:
    """Return the session after an event, and the effects to carry out.

    An event without a row in `TABLE` for this phase is ignored, but a press of a key, blocked or not, always
    shows that somebody is there: it postpones dimming, sleep and the end of a visit.
    """
    if session.settings.turned:
        event = turn(event)
    touched: tuple[Effect, ...] = ()
    if isinstance(event, Press | Blocked) and session.phase not in _RESTLESS:
        session, touched = rest.touch(session)
    row = TABLE[session.phase].get(trigger_of(event))
    if row is None:
        return session, touched
    before = session
    session, effects = row.act(session, event)
    if session.phase is not before.phase and isinstance(event, Press | Tap | Release):
        at = event.at if isinstance(event, Press) else session.pressed_at
        session = session._replace(led=event.key, pressed_at=at)
    if session.asks and (session.match.moves, session.settings) != (before.match.moves, before.settings):
        session = session._replace(asks=False)
    return session, (*effects, *touched)


def carry_over(timers: dict[Timer, float], phase: Phase) -> dict[Timer, float]:
    """Return the timers that go on when a phase begins: those that matter in it."""
    return {timer: at for timer, at in timers.items() if timer in TABLE[phase]}


def turn(event: Event) -> Event:
    """Return an event as seen on a box that stands upside down: key 1 is where key 9 was."""
    if isinstance(event, Press | Tap | Hold | HoldProgress | Release):
        return event._replace(key=8 - event.key)
    if isinstance(event, Chord):
        return event._replace(keys=tuple(8 - key for key in event.keys))
    if isinstance(event, Blocked | Stuck):
        return event._replace(keys=tuple(sorted(8 - key for key in event.keys)))
    return event


def begin(session: Session, at: float) -> Step:
    """Start the box: with a new board, the saved game or, if it `asks`, a page of the menu.

    If it is a person's turn, the face says hello, unless a chosen rule cannot be played: then the display
    says so. An exhibit starts with the demonstration.
    """
    drift = arm(Timer.DRIFT, session.options.drift)
    log = (Log(session.fault, warning=True),) if session.fault else ()
    session = session._replace(box=session.box._replace(begun=at, own=session.settings))
    if session.options.exhibit:
        session, effects = visit.end(session)
        return session, (*log, *effects, *arm(Timer.OFF, session.options.off), *drift)
    session, effects = play.home(session, at)
    if session.fault:
        session, message = state.notify(session, "rule_damaged")
        effects = (*effects, *message)
    elif session.phase is P.YOUR_TURN:
        session = session._replace(frames=HELLO_FRAMES, greets=True)
        effects = (*effects, *arm(Timer.FRAME, HELLO_SECONDS))
    return session, (*log, *effects, *arm_rest(session), *drift)
