"""The menu opens, shows a page, responds to a press, and closes. `items` has what is on its pages."""

from appliance.core.events import Chord, Disarm, Draw, Hold, Press, Save, Timeout, Timer
from appliance.core.match import Match
from appliance.core.play import let_go, resume, save, take_back
from appliance.core.scan import CENTRE
from appliance.core.state import Page, Phase, Session, Step, arm, beep


def open_menu(session: Session, event: Hold) -> Step:
    """Open the menu after a hold of the centre; take back the mark that its press placed."""
    if event.key != CENTRE or session.pressed != CENTRE:
        return session, ()
    placed = session.phase is Phase.PLACED
    if placed:
        session = take_back(session)
    # A pending answer is dropped: the turn starts again when the menu closes.
    session = session._replace(job=session.job + 1, answer=None, hinting=False, hint=None, notice="")
    session, effects = show_page(session, Page.MAIN)
    kept = (save(session),) if placed else ()
    return session, (*kept, Disarm(Timer.BLINK), Disarm(Timer.NEXT), *effects)


def show_page(session: Session, page: Page) -> Step:
    """Show a page of the menu."""
    session = session._replace(phase=Phase.MENU, page=page, picked=None, pressed=None, progress=None)
    session = session._replace(flash=None, notice="", blinks=0)
    return session, (Draw(), *arm(Timer.MENU_IDLE, session.options.menu), *beep(session, "menu"))


def close(session: Session, event: Hold | Timeout) -> Step:
    """Close the menu and resume the game: it was idle, or the centre was held again."""
    if isinstance(event, Hold) and event.key != session.pressed:
        return session, ()
    return leave(session, event.at)


def leave(session: Session, at: float) -> Step:
    """Close the menu and resume the game."""
    session, kept = _settle_rule(session)
    session, effects = resume(session, at)
    return session, (Disarm(Timer.MENU_IDLE), *kept, *effects)


def _settle_rule(session: Session) -> tuple[Session, tuple[Save, ...]]:
    """Choosing another rule starts a new game when you leave the page; browsing does not."""
    rule = session.settings.rule
    if session.page is not Page.LEVEL or rule == session.match.rule:
        return session, ()
    session = session._replace(match=Match.new(rule, session.match.human))
    return session, (save(session),)


def back(session: Session, _at: float) -> Step:
    """Go back to the first page."""
    session, kept = _settle_rule(session)
    session, effects = show_page(session, Page.MAIN)
    return session, (*kept, *effects)


def press_item(session: Session, event: Press) -> Step:
    """Show the item as pressed until the press ends."""
    session = session._replace(pressed=event.key, pressed_at=event.at, notice="")
    return session, (Draw(), *arm(Timer.MENU_IDLE, session.options.menu), *beep(session, "press"))


def release_item(session: Session, event: Chord) -> Step:
    """Release the pressed item without choosing it."""
    session, _ = let_go(session, event)
    return session, (Draw(),)
