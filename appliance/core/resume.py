"""What outlives the power, and how a session is taken up again from it."""

from typing import NamedTuple

from appliance.core.match import Match
from appliance.core.play import first_mark
from appliance.core.settings import ALLOWED, Scores, Settings
from appliance.core.state import Session

Value = str | int

FORMER = {"level": "perfect"}
"""What an earlier version had where the configuration was silent: a new default is no edit of it."""

_SETS_UP_A_GAME = frozenset({"rule", "first", "players"})


class Choice(NamedTuple):
    """A setting as it was kept: its value, and what the configuration said at that time."""

    name: str
    value: Value
    configured: Value


class Kept(NamedTuple):
    """What was kept of a box: the game in progress, the score, the settings.

    The match's `started` has been moved to the clock of the daemon that now runs, so that the time without
    power does not count as play.
    """

    match: Match
    scores: Scores
    choices: tuple[Choice, ...]


def choices(settings: Settings, configured: Settings) -> tuple[Choice, ...]:
    """Return all settings as they are to be kept, beside what the configuration says about each."""
    before = configured._asdict()
    return tuple(Choice(name, value, before[name]) for name, value in settings._asdict().items())


def restore(session: Session, kept: Kept) -> Session:
    """Return a new box's session with what was kept in it. `session` is as the configuration alone makes it.

    A setting changed in the menu outranks the configuration until the configuration says something else than
    it did then. A setting that this version does not know, or whose value it does not know, is left to the
    configuration. A game in progress goes on by its own rule; an empty board is set up again when the
    configuration now asks for another rule, beginner or number of players.
    """
    now = session.settings._asdict()
    known = [choice for choice in kept.choices if choice.value in ALLOWED.get(choice.name, ())]
    edited = {choice.name for choice in known if _edited(choice, now[choice.name])}
    unedited = [choice for choice in known if choice.name not in edited]
    settings = session.settings._replace(
        **{choice.name: type(now[choice.name])(choice.value) for choice in unedited}
    )
    match = kept.match
    if not match.moves and edited & _SETS_UP_A_GAME:
        match = Match.new(settings.rule, first_mark(settings, None))
    return session._replace(match=match, scores=kept.scores, settings=settings)


def _edited(choice: Choice, configured: Value) -> bool:
    """Return whether the configuration has changed since the choice was kept, and so outranks it."""
    if choice.value != choice.configured == FORMER.get(choice.name):
        return configured not in (choice.configured, getattr(Settings(), choice.name))
    return choice.configured != configured
