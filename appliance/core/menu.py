"""The menu: how it opens, responds and closes, and its pages: 3x3 boards of icons under their buttons.

A page is nine items in reading order, None where a button does nothing. The centre always goes back.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from appliance.core import actions, review, selftest
from appliance.core.actions import Action
from appliance.core.events import Chord, Disarm, Draw, Hold, Press, Release, Timeout, Timer
from appliance.core.play import take_back
from appliance.core.scan import CENTRE, KEYS
from appliance.core.settings import FIRST, LEVEL_NAMES, PLAYERS
from appliance.core.state import Page, Phase, Session, Step, arm, beep, save
from appliance.core.words import LANGUAGES
from engine import RULES


class Item(NamedTuple):
    """A button of a page: icon, action, the key of its words, and whether it is the current choice.

    An icon with the name of a setting in braces shows that setting's value.
    """

    icon: str
    action: Action
    name: str
    chosen: Callable[[Session], bool] = lambda _session: False


def open_menu(session: Session, event: Hold) -> Step:
    """Open the menu after a hold of the centre; take back the mark that its press placed."""
    if event.key != CENTRE or session.pressed != CENTRE:
        return session, ()
    placed = session.phase is Phase.PLACED
    if placed:
        session = take_back(session)
    # A pending answer is dropped: the turn starts again when the menu closes.
    session = session._replace(job=session.job + 1, answer=None, hinting=False, hint=None, notice="")
    session, effects = actions.show_page(session, Page.MAIN)
    kept = (save(session),) if placed else ()
    return session, (*kept, Disarm(Timer.FRAME), Disarm(Timer.NEXT), *effects)


def close(session: Session, event: Hold | Timeout) -> Step:
    """Close the menu and resume the game: it was idle, or the centre was held again."""
    if isinstance(event, Hold) and event.key != session.pressed:
        return session, ()
    return actions.leave(session, event.at)


def press_item(session: Session, event: Press) -> Step:
    """Show the item as pressed, and its words beside it, until the key is up."""
    session = session._replace(pressed=event.key, pressed_at=event.at, notice="")
    return session, (Draw(), *arm(Timer.MENU_IDLE, session.options.menu), *beep(session, "press"))


def forget_item(session: Session, _event: Chord) -> Step:
    """Show the item as it was: its press was not meant alone."""
    return session._replace(pressed=None), (Draw(),)


def release_item(session: Session, event: Release) -> Step:
    """Run the action of the pressed item. After a hold do nothing: its words were wanted."""
    if event.key != session.pressed:
        return session, ()
    session = session._replace(pressed=None)
    if not event.soon:
        return session, (Draw(),)
    item = page_items(session)[event.key]
    return item.action(session, event.at) if item else (session, (Draw(),))


def _record(level: str) -> Item:
    """Return the item that shows the record at a level."""
    return Item(
        level,
        lambda session, _at: (session._replace(record=level), (Draw(),)),
        level,
        lambda session: session.record == level,
    )


def _choice(
    icon: str, name: str, field: str, value: object, change: Callable[..., Action] = actions.choose
) -> Item:
    """Return the item that sets a setting to a value by the action that `change` makes."""
    return Item(
        icon, change(**{field: value}), name, lambda session: getattr(session.settings, field) == value
    )


CLOSE = Item("back", actions.leave, "back")
BACK = Item("back", actions.back, "back")
BACK_TO_SETTINGS = Item("back", actions.open_page(Page.SETTINGS), "back")
BACK_TO_STATISTICS = Item("back", actions.open_page(Page.STATISTICS), "back")
SOUND = Item("sound", actions.sound, "sound", lambda session: session.settings.sound)
COACH = Item("smile", actions.coach, "coach", lambda session: session.settings.coach)
HINT = Item("hint", actions.hint, "hint")
REVIEW = Item("review", review.start, "review")  # in its place when the game is over
OFF = Item("power", actions.open_page(Page.CONFIRM_OFF), "power_off")
WRENCH = Item("wrench", selftest.start, "self_test")
RESTART = Item("restart", actions.open_page(Page.CONFIRM_RESTART), "restart")


def _languages(centre: Item, change: Callable[..., Action] = actions.choose) -> tuple[Item | None, ...]:
    """Return the page of the languages, each under its code."""
    items = (_choice(f"={code.upper()}", "name", "language", code, change) for code in LANGUAGES)
    return _page(centre, (0, 1, 2, 6, 7, 8, 3, 5), items)


def _page(centre: Item, cells: tuple[int, ...], items: Iterable[Item]) -> tuple[Item | None, ...]:
    """Return a page with its items in these cells, in this order; some cells may stay empty."""
    placed = {CENTRE: centre, **dict(zip(cells, items, strict=False))}
    return tuple(placed.get(cell) for cell in range(KEYS))


def _confirm(name: str, action: Action, back: Item = BACK_TO_SETTINGS) -> tuple[Item | None, ...]:
    """Return a page that asks. The centre, which always goes back, says no."""
    return _page(back._replace(icon="no"), (8,), (Item("yes", action, name),))


PAGES: dict[Page, tuple[Item | None, ...]] = {
    Page.MAIN: (
        Item("new", actions.new, "new_game"),
        Item("undo", actions.undo, "undo"),
        HINT,
        Item("{level}", actions.open_page(Page.LEVEL), "level"),
        CLOSE,
        Item("players{players}", actions.open_page(Page.PLAYERS), "players"),
        Item("stats", actions.open_page(Page.STATISTICS), "statistics"),
        Item("settings", actions.open_page(Page.SETTINGS), "settings"),
        Item("{rule}", actions.open_page(Page.RULE), "rule"),
    ),
    Page.LEVEL: _page(
        BACK,
        (3, 0, 1, 2, 5, 7),
        (*(_choice(name, name, "level", name) for name in LEVEL_NAMES), COACH),
    ),
    Page.RULE: _page(BACK, (0, 1, 2), (_choice(name, name, "rule", name) for name in RULES)),
    Page.PLAYERS: _page(
        BACK,
        (0, 1, 2, 6, 7, 8),
        (
            *(
                _choice(f"players{number}", f"players_{number}", "players", number, actions.people)
                for number in PLAYERS
            ),
            *(_choice(f"first_{who}", f"first_{who}", "first", who, actions.people) for who in FIRST),
        ),
    ),
    Page.SETTINGS: _page(
        BACK,
        (0, 1, 2, 3, 5, 6, 7, 8),
        (
            Item("contrast", actions.contrast, "contrast"),
            SOUND,
            Item("rotate", actions.turn, "rotation", lambda session: session.settings.turned),
            Item("about", actions.open_page(Page.ABOUT), "about"),
            WRENCH,
            Item("language", actions.open_page(Page.LANGUAGE), "language"),
            OFF,
            RESTART,
        ),
    ),
    Page.LANGUAGE: _languages(BACK_TO_SETTINGS),
    Page.FIRST: _languages(Item("back", actions.speak(), "back"), actions.speak),
    Page.STATISTICS: _page(
        BACK,
        (3, 0, 1, 2, 5, 8),
        (*map(_record, LEVEL_NAMES), Item("clear", actions.open_page(Page.CONFIRM_CLEAR), "clear")),
    ),
    Page.CONFIRM_CLEAR: _confirm("clear", actions.clear, BACK_TO_STATISTICS),
    Page.ABOUT: (BACK_TO_SETTINGS,) * KEYS,
    Page.CONFIRM_OFF: _confirm("power_off", actions.power("off", "goodbye_off")),
    Page.CONFIRM_RESTART: _confirm("restart", actions.power("restart", "goodbye_restart")),
}


def page_items(session: Session) -> tuple[Item | None, ...]:
    """Return the items of the page that is shown."""
    items = PAGES[session.page]
    if session.match.over:
        items = tuple(REVIEW if item is HINT else item for item in items)
    settings, options = session.settings._asdict(), session.options
    hidden = [] if options.power else [OFF, RESTART, WRENCH]
    hidden += [] if options.buzzer is not None else [SOUND]
    return tuple(
        None if item is None or item in hidden else item._replace(icon=item.icon.format_map(settings))
        for item in items
    )
