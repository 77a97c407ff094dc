"""Raw scans to key events: reject ghosts, debounce, recognise taps, holds, chords and stuck keys.

What a press means is known only when it ends: after a moment it was a tap, after a second a hold, and with a
second key a chord. Waiting for the end would make the box feel slow. So a press is reported at once, as soon
as it is certain that it is one, and its meaning follows as a second event. The session may show a mark on the
`Press` and take it back on a `Chord`.

Children slap all nine keys, and cheap buttons jam. A `Press` therefore comes only from a clean contact: the
scan is unambiguous and every other key is up. Contacts within the chord window of the last answer belong to
it, so a slap gets one answer. A key that blocks others for some seconds counts as stuck, and stuck keys count
as up: one jammed button costs the cells it shadows, not the game. All of it is a fold over samples, `feed`,
with time as an argument; the state is a few bit sets, and a scan without a key costs one comparison. The
contract is that of `appliance.core.keys.key_events`.
"""

import math
from typing import NamedTuple

from appliance.core.keys.key_events import (
    Blocked,
    Chord,
    Hold,
    HoldProgress,
    KeyEvent,
    Press,
    Release,
    Stuck,
    Tap,
)
from appliance.core.keys.scan import CENTRE, KEYS, Debounce, Edges, accept, debounce, keys_of

Events = tuple[KeyEvent, ...]


# Seconds, unless noted.
CHORD = 0.06  # after a press, in which a second key makes it a chord
HOLD = 1.0  # down, until it is a hold; the configuration may say otherwise
PROGRESS = 0.25  # down, until the first progress towards the hold is reported
HOLD_STEPS = 32  # of progress that a hold is divided into: a pixel or two of the bar each
BLOCKING = 2.0  # after a blocked press, until the keys that blocked it count as stuck
STUCK = 30.0  # down, until a key counts as stuck
RECOVER = 0.5  # up, until a stuck key counts as working again


class Gestures(NamedTuple):
    """The bit sets `down` (debounced) and `stuck`, the press under way, if any, and the last answer.

    `key` is the key whose press has not yet been a tap, a hold or a chord, `last` the key of the last press
    until it is up, `since` the time of that press, `soon` whether it is still shorter than a hold, `step` the
    last step of its progress that was reported. `changed` has for each key when it last went down or up.
    `answered` is the time of the last press, chord or blocked press. `blocking` are the keys (bits) that have
    blocked a press, `blocked` the time of the first such press.
    """

    down: int = 0
    stuck: int = 0
    key: int | None = None
    last: int | None = None
    since: float = 0.0
    soon: bool = True
    step: int = 0
    changed: tuple[float, ...] = (0.0,) * KEYS
    answered: float = -math.inf
    blocking: int = 0
    blocked: float = 0.0


def _gesture(
    state: Gestures, edges: Edges, closed: int, now: float, hold: float, *, clean: bool
) -> tuple[Gestures, Events]:
    """Apply the edges of the sample taken at `now` (seconds); return the new state and the events, in order.

    `closed` are the keys whose contact is closed in this sample: a key that is open but not yet debounced
    makes no progress towards a hold. The sample is `clean` if its scan was unambiguous.
    """
    if not (state.down | state.stuck | edges.pressed):
        return state, ()
    state, timed = _time_passes(state, closed, now, hold)
    state, moved = _keys_move(state, edges, now, clean)
    state, judged = _judge_stuck(state, closed, now)
    return state, (*timed, *moved, *judged)


def _time_passes(state: Gestures, closed: int, now: float, hold: float) -> tuple[Gestures, Events]:
    key, last, held = state.key, state.last, now - state.since
    if last is not None and state.soon and held >= hold and closed >> last & 1:
        state = state._replace(soon=False)
    if key is None:
        return state, ()
    if key != CENTRE:
        return (state._replace(key=None), (Tap(now, key),)) if held >= CHORD else (state, ())
    if not closed >> key & 1:
        return state, ()
    if held >= hold:
        return state._replace(key=None), (Hold(now, key),)
    step = int(held / hold * HOLD_STEPS)
    if held < PROGRESS or step <= state.step:
        return state, ()
    return state._replace(step=step), (HoldProgress(now, key, step / HOLD_STEPS),)


def _keys_move(state: Gestures, edges: Edges, now: float, clean: bool) -> tuple[Gestures, Events]:
    moved = edges.pressed | edges.released
    if not moved:
        return state, ()
    events: list[KeyEvent] = []
    down = state.down & ~edges.released
    if state.key is not None and edges.released >> state.key & 1:
        events.append(Tap(now, state.key))
        state = state._replace(key=None)
    if state.last is not None and edges.released >> state.last & 1:
        events.append(Release(now, state.last, state.soon))
        state = state._replace(last=None)
    if fresh := edges.pressed & ~state.stuck:
        state, answers = _answer(state, fresh, down, now, clean)
        events += answers
    changed = tuple(now if moved >> key & 1 else at for key, at in enumerate(state.changed))
    down |= edges.pressed
    return state._replace(down=down, changed=changed, blocking=state.blocking & down), tuple(events)


def _answer(state: Gestures, fresh: int, down: int, now: float, clean: bool) -> tuple[Gestures, Events]:
    """Answer the keys that just went down (`fresh`) while others (`down`) already were."""
    others = down & ~state.stuck
    first, *rest = keys_of(fresh)
    if clean and not others:
        key = None if rest else first
        state = state._replace(key=key, last=first, since=now, soon=True, step=0, answered=now)
        chord = (Chord(now, (first, rest[0])),) if rest else ()
        return state, (Press(now, first), *chord)
    if state.key is not None and now - state.since < CHORD:
        keys = (state.key, first) if clean else (state.key,)
        return state._replace(key=None, answered=now), (Chord(now, keys),)
    if now - state.answered < CHORD:
        return state, ()
    blocked = state.blocked if state.blocking else now
    state = state._replace(answered=now, blocking=state.blocking | others, blocked=blocked)
    return state, (Blocked(now, keys_of(others or down)),)


def _judge_stuck(state: Gestures, closed: int, now: float) -> tuple[Gestures, Events]:
    stuck = state.stuck
    for key in keys_of(state.down & closed & ~stuck):
        down_since = state.changed[key]
        blocks = state.blocking >> key & 1 and now - max(down_since, state.blocked) >= BLOCKING
        if key != state.key and (blocks or now - down_since >= STUCK):
            stuck |= 1 << key
    for key in keys_of(stuck & ~state.down):
        if now - state.changed[key] >= RECOVER:
            stuck &= ~(1 << key)
    return _set_stuck(state, stuck, now)


def _set_stuck(state: Gestures, stuck: int, now: float, *, at_start: bool = False) -> tuple[Gestures, Events]:
    if stuck == state.stuck:
        return state, ()
    state = state._replace(stuck=stuck, blocking=state.blocking & ~stuck)
    return state, (Stuck(now, keys_of(stuck), at_start),)


class KeyState(NamedTuple):
    """All that is known of the keys.

    `raw` is the last scan as it was read, `started` whether one has been accepted yet, and `doubtful_since`
    the time of the first of the ambiguous scans that led up to the last, None if that was clear.
    """

    raw: int = 0
    started: bool = False
    doubtful_since: float | None = None
    contacts: Debounce = Debounce()
    gestures: Gestures = Gestures()


def feed(state: KeyState, raw: int, now: float, hold: float = HOLD) -> tuple[KeyState, Events]:
    """Apply the scan `raw`, taken at `now` (seconds, never going back); return the new state and the events.

    An ambiguous scan presses no key: contacts that close in one are answered with `Blocked`. If scans stay
    ambiguous for as long as a key may block others, the keys in them count as stuck. So do the keys of the
    first accepted scan: nobody pressed them while the box was looking.
    """
    if not raw and at_rest(state):
        return state, ()
    clean = accept(raw, state.gestures.stuck) is not None
    if clean and not state.started:
        return _declare_stuck(state, raw, now)
    contacts, edges = debounce(state.contacts, raw, now)
    gestures, events = _gesture(state.gestures, edges, raw, now, hold, clean=clean)
    doubtful = None if clean else now if state.doubtful_since is None else state.doubtful_since
    state = KeyState(raw, state.started, doubtful, contacts, gestures)
    if doubtful is not None and now - doubtful >= BLOCKING:
        state, more = _declare_stuck(state, raw, now)
        events += more
    return state, events


def at_rest(state: KeyState) -> bool:
    """Return whether every key is up and none is stuck: then another scan without a key changes nothing."""
    return settled(state) and not state.raw


def settled(state: KeyState) -> bool:
    """Return whether the same scan again makes no difference: each key that is down counts as stuck."""
    return state.started and state.raw == state.contacts.down == state.gestures.stuck


def busy(state: KeyState) -> bool:
    """Return whether a key that is not stuck is down or settling: then the next sample must come soon."""
    return bool((state.raw | state.contacts.down) & ~state.gestures.stuck) or not state.started


def _declare_stuck(state: KeyState, raw: int, now: float) -> tuple[KeyState, Events]:
    """Count the keys in `raw` as down and stuck, except one whose press has yet to end."""
    before = state.gestures
    keys = raw if before.key is None else raw & ~(1 << before.key)
    changed = tuple(now if keys >> key & 1 else at for key, at in enumerate(before.changed))
    before = before._replace(down=before.down | keys, changed=changed)
    gestures, events = _set_stuck(before, before.stuck | keys, now, at_start=not state.started)
    contacts = Debounce(down=state.contacts.down | raw, last=raw)
    return KeyState(raw, True, None, contacts, gestures), events
