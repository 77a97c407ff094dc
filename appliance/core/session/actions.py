"""The actions of the menu's items: each takes the session and the time, and returns a step."""

from collections.abc import Callable
from typing import Any

from appliance.core.session import state
from appliance.core.session.events import Archive, Arm, Judge, Log, Power, Think, Timer
from appliance.core.session.match import Finished, Match, alternates, first_mark, next_match, unplayable
from appliance.core.session.play import next_game, resume
from appliance.core.session.settings import CONTRASTS, Scores
from appliance.core.session.state import Page, Phase, Session, Step, beep, notify, renew, show_page
from engine import RULES

MenuAction = Callable[[Session, float], Step]


def _restart(session: Session) -> Session:
    """Clear the board. If a person had moved, undo restores that game until another game has ended.

    The same side begins; after a finished game the settings decide.
    """
    match, settings = session.match, session.settings
    abandoned = match if match.undo_plies(settings) else session.abandoned
    human = first_mark(settings, match.human) if match.over else match.human
    return session._replace(match=Match.new(settings.rule, human), abandoned=abandoned)


def open_page(page: Page) -> MenuAction:
    """Return an action that shows a page."""
    return lambda session, _at: show_page(session, page)


def choose(**changes: Any) -> MenuAction:
    """Return an action that changes settings and stays on the page."""

    def action(session: Session, _at: float) -> Step:
        return session._replace(settings=session.settings._replace(**changes)), ()

    return action


def new(session: Session, at: float) -> Step:
    """Start the next game after a finished one; restart an unfinished one."""
    return next_game(session, at) if session.match.over else resume(_restart(session), at)


def undo(session: Session, at: float) -> Step:
    """Take back the person's last move and the box's reply; if there is none, restore the abandoned game.

    Of two people's finished game take back the last move, and what it has counted.
    """
    match, scores, abandoned = session.match, session.scores, session.abandoned
    plies, back = match.undo_plies(session.settings), list[Archive]()
    if match.counted and match.people == 2:
        plies, kind, outcome = 1, (match.rule, "", 2, match.human), str(match.game.outcome)
        back.append(Archive(Finished(*kind, match.moves, outcome, 0.0), back=True))
        game = outcome, match.human, -(not match.helped)
        scores = scores._replace(pair=scores.pair.add(*game), series=scores.series.add(*game))
        session = session._replace(scores=scores)
    if plies:
        session = session._replace(match=session.match.take_back(plies))
    elif abandoned:
        settings = session.settings._replace(rule=abandoned.rule)
        session = session._replace(match=abandoned, settings=settings, abandoned=None)
    else:
        return notify(session, "nothing_to_undo")
    session, effects = resume(session, at)
    return session, (*back, *effects)


def hint(session: Session, at: float) -> Step:
    """Ask the engine for a hint: the best move of the person whose turn it is."""
    if session.match.boxes_turn(session.settings):
        return notify(session, "box_turn")
    session, effects = resume(session, at)
    session = renew(session, hinting=True)
    effects = tuple(effect for effect in effects if not isinstance(effect, Judge))  # the coach waits
    match = session.match
    return session, (*effects, Think(session.request.job, match, RULES[match.rule].levels["perfect"]))


def speak(**changes: Any) -> MenuAction:
    """Return an action that changes settings, if any are given, and starts to play."""

    def action(session: Session, at: float) -> Step:
        settings = session.settings._replace(**changes)
        return resume(session._replace(settings=settings, asks=False), at)

    return action


def play_by(rule: str) -> MenuAction:
    """Return an action that starts a game by `rule`, or restores the game in progress if it has that rule.

    It takes effect at once, however the menu is left. An unplayable rule is refused.
    """

    def action(session: Session, _at: float) -> Step:
        if fault := unplayable(rule):
            session, effects = notify(session._replace(fault=fault), "rule_damaged")
            return session, (Log(fault, warning=True), *effects)
        browsed = session.browsed or (session.match, session.abandoned)
        match, abandoned = browsed
        settings = session.settings._replace(rule=rule)
        session = session._replace(match=match, abandoned=abandoned, browsed=browsed, settings=settings)
        return session if rule == match.rule else _restart(session), ()

    return action


def people(**changes: Any) -> MenuAction:
    """Return an action that changes who plays or moves first; an empty board follows it at once.

    Two people take over a game in progress, or its turn to begin: who played the box is the first person. A
    finished game gives way to theirs: its end is not told to others than those who played it.
    """

    def action(session: Session, at: float) -> Step:
        settings = session.settings._replace(**changes)
        match = session.match
        if match.over and settings.players != session.settings.players:
            session = _restart(session._replace(settings=settings))
        elif not match.moves and not alternates(settings):
            session = session._replace(match=next_match(settings), browsed=None)
        return choose(**changes)(session, at)

    return action


def match_of(series: int) -> MenuAction:
    """Return an action that chooses a match of so many wins; chosen again, it ends the match.

    A slip costs nothing: the wins so far count for any number, and stay until a game ends without a match.
    """
    return lambda session, at: choose(series=0 if session.settings.series == series else series)(session, at)


def contrast(session: Session, at: float) -> Step:
    """Select the next higher contrast; the lowest follows the highest."""
    stronger = [level for level in CONTRASTS if level > session.settings.contrast]
    return choose(contrast=stronger[0] if stronger else CONTRASTS[0])(session, at)


def sound(session: Session, at: float) -> Step:
    """Turn the sound on, with a beep, or off."""
    session, effects = choose(sound=not session.settings.sound)(session, at)
    return session, (*effects, *beep(session, "menu"))


def coach(session: Session, at: float) -> Step:
    """Turn the coach on or off."""
    return choose(coach=not session.settings.coach)(session, at)


def turn(session: Session, at: float) -> Step:
    """Turn the picture and the keys upside down, or back."""
    return choose(turned=not session.settings.turned)(session, at)


def power(action: str, goodbye: str) -> MenuAction:
    """Return an action that says goodbye and switches the machine off or reboots it."""

    def act(session: Session, _at: float) -> Step:
        session = session._replace(phase=Phase.LEAVING, goodbye=goodbye, asks=False)
        return session, (Arm(Timer.LEAVE, state.LEAVE_SECONDS), Power(action))

    return act


def clear(session: Session, _at: float) -> Step:
    """Clear the score and the records; keep the adaptive level's beliefs and the history."""
    scores = Scores(beliefs=session.scores.beliefs)
    return show_page(session._replace(scores=scores), Page.STATISTICS)
