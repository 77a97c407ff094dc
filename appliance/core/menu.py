"""The menu opens, shows a page, answers a press, and closes. What is on its pages stands in `items`."""

from dataclasses import replace

from appliance.core.effects import Arm, Disarm, Draw, Save
from appliance.core.events import Chord, Hold, Press, Timeout
from appliance.core.match import Match
from appliance.core.matrix import CENTRE
from appliance.core.play import let_go, resume, save, take_back
from appliance.core.state import BLINK, MENU_IDLE, NEXT, Page, Phase, Session, Step, beep


def open_menu(session: Session, event: Hold) -> Step:
    """Open the menu when the centre has been held; a mark that its press placed is taken back."""
    if event.key != CENTRE or session.pressed != CENTRE:
        return session, ()
    placed = session.phase is Phase.PLACED
    if placed:
        session = take_back(session)
    # An answer that is under way belongs to a turn which is taken up anew when the menu closes.
    session = replace(session, job=session.job + 1, answer=None, hinting=False, hint=None, notice="")
    session, effects = show_page(session, Page.MAIN)
    kept = (save(session),) if placed else ()
    return session, (*kept, Disarm(BLINK), Disarm(NEXT), *effects)


def _stay_open(session: Session) -> tuple[Arm, ...]:
    """Let the menu close only after another idle time; never, where that is 0."""
    return (Arm(MENU_IDLE, session.options.menu),) if session.options.menu else ()


def show_page(session: Session, page: Page) -> Step:
    """Show a page of the menu."""
    session = replace(session, phase=Phase.MENU, page=page, picked=None, pressed=None, progress=None)
    session = replace(session, flash=None, notice="", blinks=0)
    return session, (Draw(), *_stay_open(session), *beep(session, "menu"))


def close(session: Session, event: Hold | Timeout) -> Step:
    """Close the menu and go on with the game: it has been idle, or the centre was held once more."""
    if isinstance(event, Hold) and event.key != session.pressed:
        return session, ()
    return leave(session, event.at)


def leave(session: Session, at: float) -> Step:
    """Close the menu and go on with the game."""
    session, kept = _settle_rule(session)
    session, effects = resume(session, at)
    return session, (Disarm(MENU_IDLE), *kept, *effects)


def _settle_rule(session: Session) -> tuple[Session, tuple[Save, ...]]:
    """Begin another game if another rule was chosen on the page that is now left.

    Not sooner: to look what the rules are, and to go back to one's own, costs nobody a game.
    """
    rule = session.settings.rule
    if session.page is not Page.LEVEL or rule == session.match.rule:
        return session, ()
    session = replace(session, match=Match.new(rule, session.match.human))
    return session, (save(session),)


def back(session: Session, _at: float) -> Step:
    """Go back to the first page."""
    session, kept = _settle_rule(session)
    session, effects = show_page(session, Page.MAIN)
    return session, (*kept, *effects)


def press_item(session: Session, event: Press) -> Step:
    """Answer a press in the menu: the item is shown pressed until the press has ended."""
    session = replace(session, pressed=event.key, pressed_at=event.at, notice="")
    return session, (Draw(), *_stay_open(session), *beep(session, "press"))


def release_item(session: Session, event: Chord) -> Step:
    """Let the pressed item go without choosing it."""
    session, _ = let_go(session, event)
    return session, (Draw(),)
