"""The menu: how it opens, responds and closes, and its pages: 3x3 boards of icons, one for each button.

A page is nine items in reading order, None for a button that does nothing. The centre always goes back.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from appliance.core.keys.key_events import Chord, Hold, Press, Release
from appliance.core.keys.scan import CENTRE, KEYS
from appliance.core.session import actions, review, selftest
from appliance.core.session.actions import MenuAction
from appliance.core.session.events import Timeout, Timer
from appliance.core.session.play import IMPATIENT, resume, take_back
from appliance.core.session.settings import FIRST, LEVEL_NAMES, PLAYERS, SERIES
from appliance.core.session.state import Notice, Page, Session, Step, arm, beep, renew, show_page
from appliance.core.words import LANGUAGES
from engine import RULES, SOLVED


class Item(NamedTuple):
    """A button of a page: its icon, action, key in `core.words`, and whether it is the current choice.

    An icon's `{setting}` is replaced by that setting's value.
    """

    icon: str
    action: MenuAction
    name: str
    chosen: Callable[[Session], bool] = lambda _session: False


def open_menu(session: Session, event: Hold) -> Step:
    """Open the menu after a hold of the centre, and take back the mark that its press placed."""
    if event.key != CENTRE or session.pressed != CENTRE:
        return session, ()
    # Drop a pending answer: the turn starts again when the menu closes.
    return show_page(renew(take_back(session)), Page.MAIN)


def close(session: Session, event: Hold | Timeout) -> Step:
    """Close the menu and resume the game: the menu was idle, or the centre was held."""
    if isinstance(event, Hold) and event.key != session.pressed:
        return session, ()
    return resume(session, event.at)


def press_item(session: Session, event: Press) -> Step:
    """Show the item as pressed, and its words beside the board, until its key is released.

    It acts only then, so that whoever holds the key can read without choosing.
    A quick second tap of the key that opened the page was not meant for what it finds, and only shows it.
    But the centre goes back as often as it is tapped.
    """
    hasty = event.key == session.led != CENTRE and event.at - session.pressed_at < IMPATIENT
    session = session._replace(pressed=event.key, pressed_at=event.at, notice=Notice())
    session = session if hasty else session._replace(led=None)
    return session, (*arm(Timer.MENU_IDLE, session.options.menu), *beep(session, "press"))


def forget_item(session: Session, _event: Chord) -> Step:
    """Show the item as not pressed, and do not run its action: its press became a chord."""
    return session._replace(pressed=None), ()


def release_item(session: Session, event: Release) -> Step:
    """Run the action of the pressed item; not after a hold or a hasty press, which only shows its words."""
    if event.key != session.pressed:
        return session, ()
    session, page = session._replace(pressed=None), session.page
    item = page_items(session)[event.key]
    if item is None or not event.soon or event.key == session.led:
        return session, ()
    session, effects = item.action(session, event.at)
    return session._replace(led=event.key if session.page is not page else None), effects


def _record(level: str) -> Item:
    """Return the item that shows the record for a level."""
    return Item(
        level,
        lambda session, _at: (session._replace(record_of=level), ()),
        level,
        lambda session: session.record_of == level,
    )


def _choice(
    icon: str, name: str, field: str, value: object, change: Callable[..., MenuAction] = actions.choose
) -> Item:
    """Return the item that sets a setting to a value; `change` makes its action."""
    return Item(
        icon, change(**{field: value}), name, lambda session: getattr(session.settings, field) == value
    )


CLOSE = Item("back", resume, "back")
PLAYERS_PAGE = Item("players{players}", actions.open_page(Page.PLAYERS), "players")
STATISTICS = Item("stats", actions.open_page(Page.STATISTICS), "statistics")
SETTINGS = Item("settings", actions.open_page(Page.SETTINGS), "settings")
LANGUAGE = Item("language", actions.open_page(Page.LANGUAGE), "language")
BACK = Item("back", actions.open_page(Page.MAIN), "back")
BACK_TO_SETTINGS = Item("back", actions.open_page(Page.SETTINGS), "back")
BACK_TO_STATISTICS = Item("back", actions.open_page(Page.STATISTICS), "back")
SOUND = Item("sound", actions.sound, "sound", lambda session: session.settings.sound)
COACH = Item("smile", actions.coach, "coach", lambda session: session.settings.coach)
HINT = Item("hint", actions.hint, "hint")
REVIEW = Item("review", review.start, "review")  # replaces the hint when the game is over
POWER_OFF = Item("power", actions.open_page(Page.CONFIRM_OFF), "power_off")
BEGINS = tuple(_choice(f"first_{who}", f"first_{who}", "first", who, actions.people) for who in FIRST)
MATCHES = tuple(
    _choice(f"first_to_{wins}", f"first_to_{wins}", "series", wins, actions.match_of) for wins in SERIES
)
WRENCH = Item("wrench", selftest.start, "self_test")
RESTART = Item("restart", actions.open_page(Page.CONFIRM_RESTART), "restart")


def _languages(centre: Item, change: Callable[..., MenuAction] = actions.choose) -> tuple[Item | None, ...]:
    """Return the page of the languages; each icon is the language's code."""
    items = (_choice(f"={code.upper()}", "name", "language", code, change) for code in LANGUAGES)
    return _page(centre, (0, 1, 2, 3, 5, 8, 6, 7), items)


def _page(centre: Item, cells: tuple[int, ...], items: Iterable[Item]) -> tuple[Item | None, ...]:
    """Return a page with its items in these cells, in this order; the last cells may stay empty.

    Raise `ValueError` for more items than cells.
    """
    items = tuple(items)
    if left := items[len(cells) :]:
        raise ValueError(f"a page of the menu has no cell for {', '.join(item.icon for item in left)}")
    placed = {CENTRE: centre, **dict(zip(cells, items, strict=False))}
    return tuple(placed.get(cell) for cell in range(KEYS))


def _confirm(name: str, action: MenuAction, back: Item = BACK_TO_SETTINGS) -> tuple[Item | None, ...]:
    """Return a page that asks for confirmation. The centre says no, and goes back as on every page."""
    return _page(back._replace(icon="no"), (0,), (Item("yes", action, name),))


PAGES: dict[Page, tuple[Item | None, ...]] = {
    Page.MAIN: (
        Item("new", actions.new, "new_game"),
        Item("undo", actions.undo, "undo"),
        HINT,
        Item("{level}", actions.open_page(Page.LEVEL), "level"),
        CLOSE,
        PLAYERS_PAGE,
        STATISTICS,
        SETTINGS,
        Item("{rule}", actions.open_page(Page.RULE), "rule"),
    ),
    Page.LEVEL: _page(
        BACK, (6, 0, 1, 2, 5, 7), (*(_choice(name, name, "level", name) for name in LEVEL_NAMES), COACH)
    ),
    Page.RULE: _page(
        BACK, (0, 1, 2, 6, 7, 8), (_choice(name, name, "rule", name, actions.play_by) for name in RULES)
    ),
    Page.PLAYERS: _page(
        BACK,
        (0, 1, 2, 6, 7, 8),
        (
            *(
                _choice(f"players{number}", f"players_{number}", "players", number, actions.people)
                for number in PLAYERS
            ),
            *BEGINS,
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
            LANGUAGE,
            POWER_OFF,
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

EXHIBIT: dict[Item | None, Item | None] = {
    PLAYERS_PAGE: None,
    STATISTICS: None,
    COACH: None,
    SETTINGS: LANGUAGE,
    BACK_TO_SETTINGS: BACK,
}
"""What an exhibit offers in place of an item."""

OF_TWO: dict[Item | None, Item | None] = dict(zip(BEGINS, MATCHES, strict=True))
"""What two people are offered in place of who begins: they take turns."""


_NAMED = {item.name: item for item in PAGES[Page.RULE] if item and item.name in RULES}


def page_items(session: Session) -> tuple[Item | None, ...]:
    """Return the items of the current page."""
    items = PAGES[session.page]
    if session.options.exhibit:
        items = tuple(EXHIBIT.get(item, item) for item in items)
    if session.settings.players == 2:
        items = tuple(OF_TWO.get(item, item) for item in items)
    if session.match.over:
        items = tuple(REVIEW if item is HINT else item for item in items)
    settings = session.settings._asdict()
    hidden = [] if session.options.power else [POWER_OFF, RESTART, WRENCH]
    hidden += [] if session.box.buzzer else [SOUND]
    hidden += [] if session.settings.players else BEGINS
    hidden += [item for name, item in _NAMED.items() if name not in session.rules]
    hidden += [] if session.match.rule in SOLVED else [COACH, REVIEW]
    return tuple(
        None if item is None or item in hidden else item._replace(icon=item.icon.format_map(settings))
        for item in items
    )
