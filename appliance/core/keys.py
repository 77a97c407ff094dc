"""Raw scans to key events, as one pure function: reject ghosts, debounce, recognise gestures."""

from typing import NamedTuple

from appliance.core.debounce import Debounce, debounce
from appliance.core.events import KeyEvent
from appliance.core.gestures import DEFAULT, Gestures, KeySettings, declare_stuck, gesture
from appliance.core.matrix import accept


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


def feed(
    state: KeyState, raw: int, now: float, settings: KeySettings = DEFAULT
) -> tuple[KeyState, tuple[KeyEvent, ...]]:
    """Apply the scan `raw`, taken at `now` (seconds, never going back); return the new state and the events.

    An ambiguous scan presses no key: contacts that close in one are answered with `Blocked`. If scans stay
    ambiguous for as long as a key may block others, the keys in them count as stuck; so do those of the first
    accepted scan, because nobody pressed them while the box was looking.
    """
    if not raw and at_rest(state):
        return state, ()
    clean = accept(raw, state.gestures.stuck) is not None
    if clean and not state.started:
        return _stuck(state, raw, now)
    contacts, edges = debounce(state.contacts, raw, now, settings.quiet)
    gestures, events = gesture(state.gestures, edges, raw, now, settings, clean=clean)
    doubtful = None if clean else now if state.doubtful_since is None else state.doubtful_since
    state = KeyState(raw, state.started, doubtful, contacts, gestures)
    if doubtful is not None and now - doubtful >= settings.blocking:
        state, more = _stuck(state, raw, now)
        events += more
    return state, events


def at_rest(state: KeyState) -> bool:
    """Return whether every key is up and none is stuck: then another scan without a key changes nothing."""
    return state.started and not (state.raw | state.contacts.down | state.gestures.stuck)


def busy(state: KeyState) -> bool:
    """Return whether a key that is not stuck is down or settling: then the next sample must come soon."""
    return bool((state.raw | state.contacts.down) & ~state.gestures.stuck) or not state.started


def _stuck(state: KeyState, raw: int, now: float) -> tuple[KeyState, tuple[KeyEvent, ...]]:
    gestures, events = declare_stuck(state.gestures, raw, now)
    contacts = Debounce(down=state.contacts.down | raw, last=raw)
    return KeyState(raw, True, None, contacts, gestures), events
