"""What survives a power cut, and how a session continues from it. `storage.rows` judges if it is valid."""

from typing import NamedTuple

from appliance.core.session.match import Match, next_match, unplayable
from appliance.core.session.settings import ALLOWED, Scores, Settings
from appliance.core.session.state import Session

Value = str | int

_SETS_UP_A_GAME = frozenset({"rule", "first", "players"})
_IN_THE_MENU_ALONE = frozenset({"sound", "turned"})  # the configuration has no key for these


class Choice(NamedTuple):
    """A saved setting: its value, and the configuration's value at that time."""

    name: str
    value: Value
    configured: Value


class Kept(NamedTuple):
    """What a box has saved: the game in progress, the score, the settings.

    The match's `started` is converted to the running daemon's clock, so that time without power is not
    counted as play. If the game's rule cannot be played, `match` is an empty board of classic, and `fault`
    says why.
    """

    match: Match
    scores: Scores
    choices: tuple[Choice, ...]
    fault: str = ""


def saved_choices(settings: Settings, configured: Settings) -> tuple[Choice, ...]:
    """Return all settings to save, each with the configuration's value."""
    before = configured._asdict()
    return tuple(Choice(name, value, before[name]) for name, value in settings._asdict().items())


def restore(session: Session, kept: Kept) -> Session:
    """Return a session that continues from what was saved; `session` comes from the configuration alone.

    A setting changed in the menu overrides the configuration until the configuration's value changes.
    Settings or values unknown to this version are left to the configuration, as is a rule that cannot be
    played. A game in progress keeps its rule, unless that cannot be played or the display no longer has room
    for it; an empty board is set up again if the configuration changed the rule, the first player or the
    number of players. An exhibit begins as configured, and leaves what was saved for the time after it.
    """
    now, exhibit = session.settings._asdict(), session.options.exhibit
    names = _IN_THE_MENU_ALONE if exhibit else ALLOWED.keys()
    saved = (choice for choice in kept.choices if choice.name in names)
    allowed = {**ALLOWED, "rule": session.rules}
    known = [choice for choice in saved if choice.value in allowed[choice.name]]
    edited = {choice.name for choice in known if choice.configured != now[choice.name]}
    unedited = [choice for choice in known if choice.name not in edited]
    settings = session.settings._replace(
        **{choice.name: type(now[choice.name])(choice.value) for choice in unedited}
    )
    if exhibit:
        return session._replace(settings=settings)
    people = next((int(choice.value) for choice in known if choice.name == "players"), None)
    match, fault = kept.match._replace(people=people), unplayable(settings.rule)
    if fault:
        settings = settings._replace(rule=session.settings.rule)
    if kept.fault or match.rule not in session.rules or (not match.moves and edited & _SETS_UP_A_GAME):
        match = next_match(settings)
    fault = fault or kept.fault or session.fault
    return session._replace(match=match, scores=kept.scores, settings=settings, fault=fault)
