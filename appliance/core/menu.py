"""The menu: a 3x3 board of icons, each under the button that picks it. The centre is always the way back.

A page is nine items in reading order, None where a button does nothing.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from appliance.core.effects import Arm, Disarm, Draw, Power, Think, Turn
from appliance.core.events import Chord, Hold, Press, Tap, Timeout
from appliance.core.match import Match
from appliance.core.play import first_mark, let_go, next_game, resume, save, take_back
from appliance.core.settings import CONTRASTS
from appliance.core.state import (
    BLINK,
    CENTRE,
    LEAVE,
    LEAVE_SECONDS,
    MENU_IDLE,
    NEXT,
    Page,
    Phase,
    Session,
    Step,
    beep,
    notify,
)
from appliance.records import dataclass

Action = Callable[[Session, float], Step]


@dataclass(frozen=True, slots=True)
class Item:
    """One button of a page: its icon, the words' key of its name, what it does, whether it is the choice."""

    icon: str
    name: str
    action: Action
    chosen: Callable[[Session], bool] = lambda _session: False


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
    session = replace(
        session, phase=Phase.MENU, page=page, pressed=None, progress=None, flash=None, notice="", blinks=0
    )
    return session, (Draw(), *_stay_open(session), *beep(session, "menu"))


def close(session: Session, event: Hold | Timeout) -> Step:
    """Close the menu and go on with the game: it has been idle, or the centre was held once more."""
    if isinstance(event, Hold) and event.key != session.pressed:
        return session, ()
    return leave(session, event.at)


def leave(session: Session, at: float) -> Step:
    """Close the menu and go on with the game."""
    session, effects = resume(session, at)
    return session, (Disarm(MENU_IDLE), *effects)


def press_item(session: Session, event: Press) -> Step:
    """Answer a press in the menu: the item is shown pressed until the press has ended."""
    session = replace(session, pressed=event.key, pressed_at=event.at, notice="")
    return session, (Draw(), *_stay_open(session), *beep(session, "press"))


def release_item(session: Session, event: Chord) -> Step:
    """Let the pressed item go without choosing it."""
    session, _ = let_go(session, event)
    return session, (Draw(),)


def choose(session: Session, event: Tap) -> Step:
    """Do what the tapped item does."""
    if event.key != session.pressed:
        return session, ()
    session = replace(session, pressed=None)
    if session.page is Page.STATISTICS:
        return show_page(session, Page.MAIN)
    item = PAGES[session.page][event.key]
    return item.action(session, event.at) if item else (session, (Draw(),))


def _open(page: Page) -> Action:
    return lambda session, _at: show_page(session, page)


def _set(**changes: Any) -> Action:
    """Return the action that changes settings and stays on the page."""

    def action(session: Session, _at: float) -> Step:
        session = replace(session, settings=replace(session.settings, **changes))
        return session, (save(session), Draw())

    return action


def _new(session: Session, at: float) -> Step:
    """Start anew: a finished game is followed by the next, an unfinished one by its own beginning."""
    if session.match.over:
        session, effects = next_game(session, at)
    else:
        session = replace(session, match=Match.new(session.settings.rule, session.match.human))
        session, effects = resume(session, at)
        effects = (save(session), *effects)
    return session, (Disarm(MENU_IDLE), *effects)


def _undo(session: Session, at: float) -> Step:
    plies = session.match.undo_plies(session.settings)
    if not plies:
        return notify(session, "nothing_to_undo")
    session, effects = leave(replace(session, match=session.match.take_back(plies)), at)
    return session, (save(session), *effects)


def _hint(session: Session, at: float) -> Step:
    if session.match.over:
        return notify(session, "tap_again")
    if session.match.boxes_turn(session.settings):
        return notify(session, "box_turn")
    session, effects = leave(session, at)
    session = replace(session, job=session.job + 1, hinting=True)
    return session, (*effects, Think(session.job, session.match, "perfect"))


def _rule(rule: str) -> Action:
    """Return the action that changes the rule. Another rule needs another game."""

    def action(session: Session, at: float) -> Step:
        if rule == session.settings.rule:
            return _set()(session, at)
        session = replace(session, match=Match.new(rule, session.match.human))
        return _set(rule=rule)(session, at)

    return action


def _first(first: str) -> Action:
    """Return the action that changes who begins, at once where no move has been made yet."""

    def action(session: Session, at: float) -> Step:
        session = replace(session, settings=replace(session.settings, first=first))
        if not session.match.moves and first != "alternate":
            session = replace(
                session, match=Match.new(session.match.rule, first_mark(session.settings, None))
            )
        return _set()(session, at)

    return action


def _contrast(session: Session, at: float) -> Step:
    """Go to the next stronger contrast, from the strongest to the weakest."""
    stronger = [level for level in CONTRASTS if level > session.settings.contrast]
    return _set(contrast=stronger[0] if stronger else CONTRASTS[0])(session, at)


def _sound(session: Session, at: float) -> Step:
    session, effects = _set(sound=not session.settings.sound)(session, at)
    return session, (*effects, *beep(session, "menu"))


def _turn(session: Session, at: float) -> Step:
    turned = not session.settings.turned
    session, effects = _set(turned=turned)(session, at)
    return session, (Turn(turned), *effects)


def _power(action: str, goodbye: str) -> Action:
    def act(session: Session, _at: float) -> Step:
        session = replace(session, phase=Phase.LEAVING, goodbye=goodbye)
        return session, (Disarm(MENU_IDLE), save(session), Draw(), Arm(LEAVE, LEAVE_SECONDS), Power(action))

    return act


def _choice(icon: str, name: str, action: Action, field: str, value: object) -> Item:
    return Item(icon, name, action, lambda session: getattr(session.settings, field) == value)


def _level(level: str, icon: str) -> Item:
    return _choice(icon, level, _set(level=level), "level", level)


def _language(code: str) -> Item:
    return _choice(f"={code.upper()}", "name", _set(language=code), "language", code)


CLOSE = Item("back", "back", leave)
BACK = Item("back", "back", _open(Page.MAIN))
BACK_TO_SETTINGS = Item("back", "back", _open(Page.SETTINGS))
NO = Item("no", "no", _open(Page.MAIN))


def _confirm(action: Action) -> tuple[Item | None, ...]:
    """Return the page that asks. The centre, where a finger rests and the way back always is, says no."""
    return (None, None, None, None, NO, None, None, None, Item("yes", "yes", action))


PAGES: dict[Page, tuple[Item | None, ...]] = {
    Page.MAIN: (
        Item("new", "new_game", _new),
        Item("undo", "undo", _undo),
        Item("hint", "hint", _hint),
        Item("level", "level", _open(Page.LEVEL)),
        CLOSE,
        Item("players", "players", _open(Page.PLAYERS)),
        Item("stats", "statistics", _open(Page.STATISTICS)),
        Item("settings", "settings", _open(Page.SETTINGS)),
        Item("power", "power", _open(Page.POWER)),
    ),
    Page.LEVEL: (
        _level("easy", "level1"),
        _level("medium", "level2"),
        _level("hard", "level3"),
        None,
        BACK,
        _level("perfect", "level4"),
        _choice("classic", "classic", _rule("classic"), "rule", "classic"),
        _choice("misere", "misere", _rule("misere"), "rule", "misere"),
        _choice("vanishing", "vanishing", _rule("vanishing"), "rule", "vanishing"),
    ),
    Page.PLAYERS: (
        _choice("players1", "players_1", _set(players=1), "players", 1),
        _choice("players2", "players_2", _set(players=2), "players", 2),
        _choice("players0", "players_0", _set(players=0), "players", 0),
        None,
        BACK,
        None,
        _choice("first_you", "first_you", _first("you"), "first", "you"),
        _choice("first_box", "first_box", _first("box"), "first", "box"),
        _choice("first_alternate", "first_alternate", _first("alternate"), "first", "alternate"),
    ),
    Page.SETTINGS: (
        Item("contrast", "contrast", _contrast),
        Item("sound", "sound", _sound, lambda session: session.settings.sound),
        Item("rotate", "rotation", _turn, lambda session: session.settings.turned),
        None,
        BACK,
        None,
        Item("language", "language", _open(Page.LANGUAGE)),
        None,
        None,
    ),
    Page.LANGUAGE: (
        _language("en"),
        _language("de"),
        _language("fr"),
        None,
        BACK_TO_SETTINGS,
        None,
        _language("es"),
        _language("pl"),
        _language("cs"),
    ),
    Page.STATISTICS: (None,) * 9,
    Page.POWER: (
        Item("off", "power_off", _open(Page.CONFIRM_OFF)),
        None,
        Item("restart", "restart", _open(Page.CONFIRM_RESTART)),
        None,
        BACK,
        None,
        None,
        None,
        None,
    ),
    Page.CONFIRM_OFF: _confirm(_power("off", "goodbye_off")),
    Page.CONFIRM_RESTART: _confirm(_power("restart", "goodbye_restart")),
}
