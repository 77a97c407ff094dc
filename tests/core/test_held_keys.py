"""No press goes unanswered, whichever keys are held: all 512 states, and every further key in each."""

import pytest
from key_rig import reads

from appliance.core.events import Blocked, Chord, Press, Stuck
from appliance.core.keys import KeyState, feed
from appliance.core.matrix import KEYS, accept, keys_of
from appliance.core.state import READING_SECONDS

ANSWER = 0.2  # seconds within which a press must be answered
CHORD = 0.06  # a contact this soon after another belongs to it
SAMPLE = 0.02


class Keys:
    """The state of the keys and what they have reported so far, on a clock of their own; cheap to copy."""

    def __init__(self, state=KeyState(), now=0.0, reported=()):  # noqa: B008 - a frozen value
        self.state, self.now, self.reported = state, now, reported

    def after(self, contacts, seconds):
        """Return the keys after these contacts have been closed for some seconds."""
        state, reported, raw = self.state, list(self.reported), reads(contacts)
        samples = round(seconds / SAMPLE)
        for number in range(1, samples + 1):
            state, events = feed(state, raw, self.now + number * SAMPLE)
            reported += events
        return Keys(state, self.now + samples * SAMPLE, tuple(reported))

    def shown(self):
        """Return the keys that the display names, or all of them while a message asks for one at a time."""
        last = next((event for event in reversed(self.reported) if isinstance(event, Blocked | Chord)), None)
        if last is not None and self.now - last.at <= READING_SECONDS:
            return (1 << KEYS) - 1
        return self.state.gestures.stuck


def answers(before, after):
    return [
        event
        for event in after.reported
        if isinstance(event, Press | Chord | Blocked) and event.at >= before.now - CHORD
    ]


@pytest.mark.untraced
@pytest.mark.parametrize("held_for", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("since_start", [True, False], ids=["since power-on", "pressed later"])
def test_every_press_is_answered_in_every_state_of_the_keys(since_start, held_for):
    start = Keys() if since_start else Keys().after(0, 0.1)
    presses = 0
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
            presses += 1
            given = answers(held, after)
            assert given, case
            for event in given:
                if isinstance(event, Press):
                    assert event.key == key, case
                    assert accept(reads(closed), held.state.gestures.stuck) is not None, case
                if isinstance(event, Blocked):
                    assert key not in event.keys, case
    assert presses == 1413  # of 2304; the others change no level


@pytest.mark.untraced
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
                assert pressed == Blocked(pressed.at, keys_of(reads(contacts)))
            else:
                clear += 1
                assert pressed == Press(pressed.at, key)
            rest = again.after(0, 1.0).state
            assert (rest.raw, rest.gestures.down, rest.gestures.stuck, rest.gestures.key) == (0, 0, 0, None)
    assert clear == 297
