"""From key edges to what a person meant: tap, hold with its progress, chord; and keys that are stuck.

The contract is that of `appliance.core.events`: a `Press` comes only when every other key is up, and is
followed by exactly one `Tap`, `Hold` or `Chord` of the same key before the next `Press`. After a `Hold`, a
`Chord`, or a `Tap` whose key stays down, nothing more comes until all keys are up. Stuck keys are left out of
all this: they count as up.
"""

from dataclasses import replace

from appliance.core.debounce import QUIET, Edges
from appliance.core.events import Chord, Hold, HoldProgress, KeyEvent, Press, Stuck, Tap
from appliance.core.matrix import KEYS, keys_of
from appliance.records import dataclass

CENTRE = 4


@dataclass(frozen=True, slots=True)
class KeySettings:
    """The times by which contacts and gestures are judged, in seconds."""

    quiet: float = QUIET  # without contact, until a key counts as released
    chord: float = 0.06  # after a press, in which a second key makes it a chord
    hold: float = 1.0  # down, until it is a hold
    progress: float = 0.25  # down, until the first progress towards the hold is told
    steps: int = 16  # of progress that a hold is divided into
    hold_keys: frozenset[int] = frozenset({CENTRE})  # the keys whose holding means something
    stuck: float = 30.0  # down, until a key counts as stuck
    recover: float = 0.5  # up, until a stuck key counts as well again

    def __post_init__(self) -> None:
        if not max(self.chord, self.hold) < self.stuck:
            # Otherwise a press could become stuck before it was a tap, a hold or a chord.
            raise ValueError("a key must count as stuck later than a chord or a hold is over")


DEFAULT = KeySettings()


@dataclass(frozen=True, slots=True)
class Gestures:
    """What is known of the keys: bit sets `down` (debounced) and `stuck`, and the press under way, if any.

    `key` is the key whose press has not yet been a tap, a hold or a chord, `since` the time of that press,
    `step` the last step of its progress that was told. `changed` holds for each key when it last went down or
    up.
    """

    down: int = 0
    stuck: int = 0
    key: int | None = None
    since: float = 0.0
    step: int = 0
    changed: tuple[float, ...] = (0.0,) * KEYS


def gesture(
    state: Gestures, edges: Edges, closed: int, now: float, settings: KeySettings = DEFAULT
) -> tuple[Gestures, tuple[KeyEvent, ...]]:
    """Take the edges of the sample made at `now` (seconds); return the new state and the events, in order.

    `closed` are the down keys whose contact is closed in this very sample: a key that was just let go of,
    but whose release is still to be debounced, makes no progress towards a hold.
    """
    if not (state.down | state.stuck | edges.pressed):
        return state, ()
    state, timed = _time_passes(state, closed, now, settings)
    state, moved = _keys_move(state, edges, now, settings)
    state, judged = _judge_stuck(state, closed, now, settings)
    return state, (*timed, *moved, *judged)


def declare_stuck(state: Gestures, keys: int, now: float) -> tuple[Gestures, tuple[KeyEvent, ...]]:
    """Count `keys` (bits) as down and stuck from now on; return the new state, and the event if any."""
    changed = tuple(now if keys >> key & 1 else at for key, at in enumerate(state.changed))
    fresh = replace(state, down=state.down | keys, changed=changed)
    return _set_stuck(fresh, state.stuck | keys, now)


def _time_passes(
    state: Gestures, closed: int, now: float, settings: KeySettings
) -> tuple[Gestures, tuple[KeyEvent, ...]]:
    key, held = state.key, now - state.since
    if key is None:
        return state, ()
    if key not in settings.hold_keys:
        return (replace(state, key=None), (Tap(now, key),)) if held >= settings.chord else (state, ())
    if not closed >> key & 1:
        return state, ()
    if held >= settings.hold:
        return replace(state, key=None), (Hold(now, key),)
    step = int(held / settings.hold * settings.steps)
    if held < settings.progress or step <= state.step:
        return state, ()
    return replace(state, step=step), (HoldProgress(now, key, step / settings.steps),)


def _keys_move(
    state: Gestures, edges: Edges, now: float, settings: KeySettings
) -> tuple[Gestures, tuple[KeyEvent, ...]]:
    if not (edges.pressed | edges.released):
        return state, ()
    events: list[KeyEvent] = []
    key, since, step = state.key, state.since, state.step
    down = state.down & ~edges.released
    if key is not None and edges.released >> key & 1:
        events.append(Tap(now, key))
        key = None
    for fresh in keys_of(edges.pressed & ~state.stuck):
        if not down & ~state.stuck:
            events.append(Press(now, fresh))
            key, since, step = fresh, now, 0
        elif key is not None and now - since < settings.chord:
            events.append(Chord(now, (key, fresh)))
            key = None
        down |= 1 << fresh
    moved = edges.pressed | edges.released
    changed = tuple(now if moved >> each & 1 else at for each, at in enumerate(state.changed))
    return Gestures(down | edges.pressed, state.stuck, key, since, step, changed), tuple(events)


def _judge_stuck(
    state: Gestures, closed: int, now: float, settings: KeySettings
) -> tuple[Gestures, tuple[KeyEvent, ...]]:
    stuck = state.stuck
    for key in keys_of(state.down & closed & ~stuck):
        if now - state.changed[key] > settings.stuck:
            stuck |= 1 << key
    for key in keys_of(stuck & ~state.down):
        if now - state.changed[key] >= settings.recover:
            stuck &= ~(1 << key)
    return _set_stuck(state, stuck, now)


def _set_stuck(state: Gestures, stuck: int, now: float) -> tuple[Gestures, tuple[KeyEvent, ...]]:
    if stuck == state.stuck:
        return state, ()
    return replace(state, stuck=stuck), (Stuck(now, keys_of(stuck)),)
