"""A visit of an exhibit: a press during the demonstration begins it, and at its end nothing of it is left.

`end` makes a new session, and lists what it takes over from the old one, so that nothing else can stay. Of
what a visitor does only finished games and the number of visits are saved (see transitions.py): after a power
cut the box starts with the demonstration.
"""

from appliance.core.session import state
from appliance.core.session.events import Arm, CountVisit, Timeout, Timer
from appliance.core.session.match import Match, next_match
from appliance.core.session.state import Phase, Session, Step, renew
from appliance.core.words import LANGUAGES

DEMO_MOVES = 3  # of the demonstration, for which its words stay in one language


def start(session: Session) -> Step:
    """Begin a visit in the language of the demonstration's words, and count it; no-op outside an exhibit."""
    if not session.options.exhibit:
        return session, ()
    if session.phase is Phase.DEMO:  # a dark display has shown none
        session = session._replace(settings=session.settings._replace(language=language(session)))
    return session, (CountVisit(),)


def end(session: Session, _event: Timeout | None = None) -> Step:
    """Forget the visit, if there was one, and start the demonstration."""
    own = session.box.own
    session = Session(
        next_match(own),
        own,
        session.options,
        box=session.box,
        phase=Phase.DEMO,
        request=renew(session).request,  # an answer on its way is stale
        demo=Match.new(own.rule, "x"),
        drift=session.drift,
        test=session.test,  # its faults are in the box's status
        stuck=session.stuck,
        badges=session.badges,
        fault=session.fault,
    )
    return session, (Arm(Timer.DEMO, state.DEMO_SECONDS),)


def language(session: Session) -> str:
    """Return the language of the demonstration's words: in an exhibit all in turn, its own first."""
    own = session.settings.language
    if not session.options.exhibit:
        return own
    return LANGUAGES[(LANGUAGES.index(own) + session.shown // DEMO_MOVES) % len(LANGUAGES)]
