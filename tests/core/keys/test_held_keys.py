"""No press goes unanswered, whichever keys are held: all 512 states, every further key, every phase."""

import pytest
from key_rig import reads
from session_rig import feed, fresh

from appliance.core.keys import gestures
from appliance.core.keys.gestures import KeyState
from appliance.core.keys.key_events import Blocked, Chord, HoldProgress, Press, Stuck, Tap
from appliance.core.keys.scan import KEYS, accept, keys_of
from appliance.core.session import events as fx
from appliance.core.session.events import Timeout, Timer
from appliance.core.session.match import Match
from appliance.core.session.state import READING_SECONDS, Page, Phase
from appliance.core.session.view import view

ANSWER = 0.2  # seconds within which a press must be answered
CHORD = 0.06  # a contact this soon after another belongs to it


class Keys:
    """The state of the keys and what they have reported so far, on a clock of their own; cheap to copy."""

    def __init__(self, state=KeyState(), now=0.0, reported=()):  # noqa: B008 - a frozen value
        self.state, self.now, self.reported = state, now, reported

    def after(self, contacts, seconds):
        """Return the keys after these contacts have been closed for some seconds."""
        state, reported, raw, passed = self.state, list(self.reported), reads(contacts), 0
        while passed < 1000 * seconds:
            passed += 20 if passed < 200 else 200  # ms; once the contacts have settled, less often will do
            state, events = gestures.feed(state, raw, self.now + passed / 1000)
            reported += events
        return Keys(state, self.now + seconds, tuple(reported))

    def shown(self):
        """Return the keys that the display names, or all of them while a message asks for one at a time."""
        last = next((event for event in reversed(self.reported) if isinstance(event, Blocked | Chord)), None)
        if last is not None and self.now - last.at <= READING_SECONDS:
            return (1 << KEYS) - 1
        return self.state.gestures.stuck


@pytest.mark.parametrize("held_for", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("since_start", [True, False], ids=["since power-on", "pressed later"])
def test_every_press_is_answered_in_every_state_of_the_keys(since_start, held_for):
    start = Keys() if since_start else Keys().after(0, 0.1)
    told = [0] * KEYS  # by the number of keys held: the further presses that change a level
    for contacts in range(512):
        held = start.after(contacts, held_for)
        for key in range(KEYS):
            closed = contacts | 1 << key
            if closed == contacts:
                continue
            case = f"{contacts:09b} and {key} after {held_for} s"
            after = held.after(closed, ANSWER)
            if reads(closed) == reads(contacts):
                # No current tells this key from a ghost; but the ghost has been named by then.
                assert held.shown() >> key & 1, case
                continue
            told[contacts.bit_count()] += 1
            kinds = Press | Chord | Blocked
            answers = [event for event in after.reported if isinstance(event, kinds)]
            answers = [event for event in answers if event.at >= held.now - CHORD]
            assert answers, case
            for event in answers:
                if isinstance(event, Press):
                    assert event.key == key, case
                    assert accept(reads(closed), held.state.gestures.stuck) is not None, case
                if isinstance(event, Blocked):
                    assert key not in event.keys, case
    # Of 9, 72, 252, 504, 630, 504, 252, 72 and 9; the others change no level.
    assert told == [9, 72, 252, 468, 450, 144, 18, 0, 0]


def test_a_key_that_is_pressed_again_works_once_the_held_ones_are_left_out():
    """A second key is blocked at first; three seconds later it is a press wherever the scan can tell it."""
    start = Keys().after(0, 0.1)
    clear = 0
    for contacts in range(1, 512):
        held = start.after(contacts, 0.5)
        for key in keys_of(511 & ~reads(contacts)):
            closed = contacts | 1 << key
            again = held.after(closed, 0.1).after(contacts, 3.0)
            assert again.state.gestures.stuck == reads(contacts)
            assert isinstance(again.reported[-1], Stuck)
            pressed = again.after(closed, ANSWER).reported[len(again.reported)]
            if accept(reads(closed), reads(contacts)) is None:
                assert repr(pressed) == repr(Blocked(pressed.at, keys_of(reads(contacts))))
            else:
                clear += 1
                assert repr(pressed) == repr(Press(pressed.at, key))
            rest = again.after(0, 1.0).state
            assert (rest.raw, rest.gestures.down, rest.gestures.stuck, rest.gestures.key) == (0, 0, 0, None)
    assert clear == 297


# The session

FRESH = fresh()
ASLEEP = FRESH._replace(phase=Phase.ASLEEP)
DEMONSTRATION = FRESH._replace(phase=Phase.DEMO, demo=Match.new("classic", "x"), dimmed=True)
PLACED = feed(FRESH, Press(1.0, 4))[0]


@pytest.mark.parametrize(("session", "phase"), [
    (FRESH, Phase.YOUR_TURN), (FRESH._replace(dimmed=True), Phase.YOUR_TURN),
    (PLACED, Phase.PLACED), (feed(PLACED, HoldProgress(1.3, 4, 0.3))[0], Phase.PLACED),
    (feed(PLACED, Tap(1.1, 4))[0], Phase.THINKING),
    (FRESH._replace(phase=Phase.GAME_OVER), Phase.GAME_OVER),
    *((FRESH._replace(phase=Phase.MENU, page=page), Phase.MENU) for page in Page),
    (ASLEEP, Phase.YOUR_TURN), (ASLEEP._replace(asks=True), Phase.MENU),
    (DEMONSTRATION, Phase.YOUR_TURN), (FRESH._replace(phase=Phase.WAKING, pressed=4), Phase.WAKING),
])  # fmt: skip
@pytest.mark.parametrize(("keys", "words"), [
    ((), "One button at a time"), ((2,), "Button 3 is held down"), ((0, 8), "Held down: 1, 9"),
])  # fmt: skip
def test_a_blocked_press_is_answered_in_every_phase(session, phase, keys, words):
    blocked, effects = feed(session, Blocked(2.0, keys))
    assert (blocked.phase, blocked.match, blocked.pressed) == (phase, session.match, session.pressed)
    assert (blocked.lit, blocked.dimmed) == (True, False)
    assert words in str(view(blocked).scene)
    assert view(blocked).scene != view(session).scene
    assert any(isinstance(effect, fx.Arm) and effect.timer == Timer.DIM for effect in effects)
    done, _ = feed(blocked, Timeout(9.0, Timer.NOTICE))
    assert words not in str(view(done).scene) or phase is Phase.WAKING, "this phase ends with its press"
