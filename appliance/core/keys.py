"""The whole way from raw scans to key events, as one pure function: accept, debounce, gesture."""

from appliance.core.debounce import Debounce, debounce
from appliance.core.events import KeyEvent
from appliance.core.gestures import DEFAULT, Gestures, KeySettings, declare_stuck, gesture
from appliance.core.matrix import accept
from appliance.records import dataclass


@dataclass(frozen=True, slots=True)
class KeyState:
    """All that is known of the keys.

    `raw` is the last scan as it was read, `started` whether one has been accepted yet, and `doubtful_since`
    the time of the first of those scans, up to the last, that were not accepted.
    """

    raw: int = 0
    started: bool = False
    doubtful_since: float | None = None
    contacts: Debounce = Debounce()
    gestures: Gestures = Gestures()


def feed(
    state: KeyState, raw: int, now: float, settings: KeySettings = DEFAULT
) -> tuple[KeyState, tuple[KeyEvent, ...]]:
    """Take the scan `raw`, made at `now` (seconds, never going back); return the new state and the events.

    The keys of the first accepted scan are stuck: nobody pressed them while the box was looking. So are those
    of scans that have told nothing for as long as a key may be down.
    """
    if not raw and at_rest(state):
        return state, ()
    scan = accept(raw, state.gestures.stuck)
    if not state.started:
        if scan is not None:
            return _stuck(state, raw, now)
        sample = 0
    elif scan is None:
        # No key is accepted; but a bit that is not set is true, so keys may still be seen to open.
        sample = raw & state.contacts.down
    else:
        sample = scan
    contacts, edges = debounce(state.contacts, sample, now, settings.quiet)
    gestures, events = gesture(state.gestures, edges, sample, now, settings)
    doubtful = None if scan is not None else now if state.doubtful_since is None else state.doubtful_since
    state = KeyState(raw, state.started, doubtful, contacts, gestures)
    if doubtful is not None and now - doubtful > settings.stuck:
        state, more = _stuck(state, raw, now)
        events += more
    return state, events


def at_rest(state: KeyState) -> bool:
    """Return whether every key is up and well: then another scan without a key changes nothing."""
    return state.started and not (state.raw | state.contacts.down | state.gestures.stuck)


def busy(state: KeyState) -> bool:
    """Return whether a key is down or settling, stuck ones apart: then the next sample must come soon."""
    return bool((state.raw | state.contacts.down) & ~state.gestures.stuck) or not state.started


def _stuck(state: KeyState, raw: int, now: float) -> tuple[KeyState, tuple[KeyEvent, ...]]:
    gestures, events = declare_stuck(state.gestures, raw, now)
    contacts = Debounce(down=state.contacts.down | raw, last=raw)
    return KeyState(raw, True, None, contacts, gestures), events
