"""A session that is fed with events, and the effects that come out."""

from appliance.core.events import Hold, HoldProgress, Press, Release, Tap
from appliance.core.match import Match
from appliance.core.session import begin, step
from appliance.core.settings import Options, Settings
from appliance.core.state import Session


def fresh(moves=(), human=None, *, options=Options(buzzer=24), **settings):  # noqa: B008 - a named tuple
    """Return the session of a box that has started and said hello, with these moves on the board."""
    chosen = Settings(**settings)
    human = human or ("o" if chosen.first == "box" and chosen.players == 1 else "x")
    session, _ = begin(Session(Match.replay(chosen.rule, human, moves), chosen, options), 0.0)
    return session._replace(frames=0, mood="")


def feed(session, *events):
    """Return the session after these events, and all effects."""
    done = []
    for event in events:
        session, effects = step(session, event)
        done += effects
    return session, done


def of(kind, effects):
    return [effect for effect in effects if isinstance(effect, kind)]


def tapped(at, key):
    """Return the events of a tap on a key, counted from 0."""
    return Press(at, key), Tap(at + 0.06, key), Release(at + 0.08, key, soon=True)


def tap(session, *keys):
    """Tap keys counted from 1, as people count them."""
    done = []
    for key in keys:
        session, effects = feed(session, *tapped(3.0, key - 1))
        done += effects
    return session, done


def opened(session):
    """Return the session with the menu open."""
    return feed(session, Press(1.0, 4), HoldProgress(1.5, 4, 0.5), Hold(2.0, 4))[0]
