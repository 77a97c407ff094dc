"""Key edges to gestures: tap, hold with its progress, chord, blocked press; and stuck keys.

The contract is that of `appliance.core.events`. A `Press` comes only from a clean contact: the scan is
unambiguous and every other key is up. It is followed by exactly one `Tap`, `Hold` or `Chord` of the same key
before the next `Press`. Every other contact is answered with `Blocked`; contacts within the chord window of
the last answer belong to it, so that a slap of the hand is answered once. A key that blocks others for some
seconds counts as stuck, and stuck keys count as up.
"""

import math
from typing import NamedTuple

from appliance.core.debounce import QUIET, Edges
from appliance.core.events import Blocked, Chord, Hold, HoldProgress, KeyEvent, Press, Stuck, Tap
from appliance.core.matrix import CENTRE, KEYS, keys_of


class KeySettings(NamedTuple):
    """The times by which contacts and gestures are judged, in seconds."""

    quiet: float = QUIET  # without contact, until a key counts as released
    chord: float = 0.06  # after a press, in which a second key makes it a chord
    hold: float = 1.0  # down, until it is a hold
    progress: float = 0.25  # down, until the first progress towards the hold is reported
    steps: int = 16  # of progress that a hold is divided into
    hold_keys: frozenset[int] = frozenset({CENTRE})  # the keys that can be held
    blocking: float = 2.0  # after a blocked press, until the keys that blocked it count as stuck
    stuck: float = 30.0  # down, until a key counts as stuck
    recover: float = 0.5  # up, until a stuck key counts as working again


DEFAULT = KeySettings()


class Gestures(NamedTuple):
    """The bit sets `down` (debounced) and `stuck`, the press under way, if any, and the last answer.

    `key` is the key whose press has not yet been a tap, a hold or a chord, `since` the time of that press,
    `step` the last step of its progress that was reported. `changed` has for each key when it last went down
    or up. `answered` is the time of the last press, chord or blocked press. `blocking` are the keys (bits)
    that have blocked a press, `blocked` the time of the first such press.
    """

    down: int = 0
    stuck: int = 0
    key: int | None = None
    since: float = 0.0
    step: int = 0
    changed: tuple[float, ...] = (0.0,) * KEYS
    answered: float = -math.inf
    blocking: int = 0
    blocked: float = 0.0


def gesture(
    state: Gestures,
    edges: Edges,
    closed: int,
    now: float,
    settings: KeySettings = DEFAULT,
    *,
    clean: bool = True,
) -> tuple[Gestures, tuple[KeyEvent, ...]]:
    """Apply the edges of the sample taken at `now` (seconds); return the new state and the events, in order.

    `closed` are the keys whose contact is closed in this very sample: a key that was just let go of, but
    whose release is still to be debounced, makes no progress towards a hold. The sample is `clean` if its
    scan was unambiguous.
    """
    if not (state.down | state.stuck | edges.pressed):
        return state, ()
    state, timed = _time_passes(state, closed, now, settings)
    state, moved = _keys_move(state, edges, now, settings, clean)
    state, judged = _judge_stuck(state, closed, now, settings)
    return state, (*timed, *moved, *judged)


def declare_stuck(state: Gestures, keys: int, now: float) -> tuple[Gestures, tuple[KeyEvent, ...]]:
    """Count `keys` (bits) as down and stuck, except one whose press has yet to end."""
    if state.key is not None:
        keys &= ~(1 << state.key)
    changed = tuple(now if keys >> key & 1 else at for key, at in enumerate(state.changed))
    return _set_stuck(state._replace(down=state.down | keys, changed=changed), state.stuck | keys, now)


def _time_passes(
    state: Gestures, closed: int, now: float, settings: KeySettings
) -> tuple[Gestures, tuple[KeyEvent, ...]]:
    key, held = state.key, now - state.since
    if key is None:
        return state, ()
    if key not in settings.hold_keys:
        return (state._replace(key=None), (Tap(now, key),)) if held >= settings.chord else (state, ())
    if not closed >> key & 1:
        return state, ()
    if held >= settings.hold:
        return state._replace(key=None), (Hold(now, key),)
    step = int(held / settings.hold * settings.steps)
    if held < settings.progress or step <= state.step:
        return state, ()
    return state._replace(step=step), (HoldProgress(now, key, step / settings.steps),)


def _keys_move(
    state: Gestures, edges: Edges, now: float, settings: KeySettings, clean: bool
) -> tuple[Gestures, tuple[KeyEvent, ...]]:
    moved = edges.pressed | edges.released
    if not moved:
        return state, ()
    events: list[KeyEvent] = []
    down = state.down & ~edges.released
    if state.key is not None and edges.released >> state.key & 1:
        events.append(Tap(now, state.key))
        state = state._replace(key=None)
    if fresh := edges.pressed & ~state.stuck:
        state, answers = _answer(state, fresh, down, now, settings, clean)
        events += answers
    changed = tuple(now if moved >> key & 1 else at for key, at in enumerate(state.changed))
    down |= edges.pressed
    return state._replace(down=down, changed=changed, blocking=state.blocking & down), tuple(events)


def _answer(
    state: Gestures, fresh: int, down: int, now: float, settings: KeySettings, clean: bool
) -> tuple[Gestures, tuple[KeyEvent, ...]]:
    """Answer the keys that just went down (`fresh`) while others (`down`) already were."""
    others = down & ~state.stuck
    first, *rest = keys_of(fresh)
    if clean and not others:
        state = state._replace(key=None if rest else first, since=now, step=0, answered=now)
        chord = (Chord(now, (first, rest[0])),) if rest else ()
        return state, (Press(now, first), *chord)
    if state.key is not None and now - state.since < settings.chord:
        keys = (state.key, first) if clean else (state.key,)
        return state._replace(key=None, answered=now), (Chord(now, keys),)
    if now - state.answered < settings.chord:
        return state, ()
    blocked = state.blocked if state.blocking else now
    state = state._replace(answered=now, blocking=state.blocking | others, blocked=blocked)
    return state, (Blocked(now, keys_of(others or down)),)


def _judge_stuck(
    state: Gestures, closed: int, now: float, settings: KeySettings
) -> tuple[Gestures, tuple[KeyEvent, ...]]:
    stuck = state.stuck
    for key in keys_of(state.down & closed & ~stuck):
        down_since = state.changed[key]
        blocks = state.blocking >> key & 1 and now - max(down_since, state.blocked) >= settings.blocking
        if key != state.key and (blocks or now - down_since > settings.stuck):
            stuck |= 1 << key
    for key in keys_of(stuck & ~state.down):
        if now - state.changed[key] >= settings.recover:
            stuck &= ~(1 << key)
    return _set_stuck(state, stuck, now)


def _set_stuck(state: Gestures, stuck: int, now: float) -> tuple[Gestures, tuple[KeyEvent, ...]]:
    if stuck == state.stuck:
        return state, ()
    return state._replace(stuck=stuck, blocking=state.blocking & ~stuck), (Stuck(now, keys_of(stuck)),)
