"""The menu: how it opens, responds and closes, and its pages: 3x3 boards of icons under their buttons.

A page is nine items in reading order, None where a button does nothing. The centre always goes back.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from appliance.core import selftest
from appliance.core.events import (
    Arm,
    Chord,
    Disarm,
    Draw,
    Hold,
    Power,
    Press,
    Release,
    Save,
    Think,
    Timeout,
    Timer,
    Turn,
)
from appliance.core.match import Match
from appliance.core.play import first_mark, next_game, resume, save, take_back
from appliance.core.scan import CENTRE, KEYS
from appliance.core.settings import CONTRASTS, FIRST, LEVEL_NAMES, PLAYERS, Scores
from appliance.core.state import LEAVE_SECONDS, Page, Phase, Session, Step, arm, beep, notify
from appliance.core.words import LANGUAGES
from engine import LEVELS, RULES

Action = Callable[[Session, float], Step]


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
    session, effects = show_page(session, Page.MAIN)
    kept = (save(session),) if placed else ()
    return session, (*kept, Disarm(Timer.FRAME), Disarm(Timer.NEXT), *effects)


def show_page(session: Session, page: Page) -> Step:
    """Show a page of the menu."""
    session = session._replace(phase=Phase.MENU, page=page, record="", pressed=None, progress=None)
    session = session._replace(flash=None, notice="", frames=0, mood="")
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
    if session.page is not Page.RULE or rule == session.match.rule:
        return session, ()
    session = _restart(session)
    return session, (save(session),)


def _restart(session: Session) -> Session:
    """Clear the board. Undo brings back a game in which a person has moved, until another one has ended."""
    match, settings = session.match, session.settings
    abandoned = match if match.undo_plies(settings) else session.abandoned
    return session._replace(match=Match.new(settings.rule, match.human), abandoned=abandoned)


def back(session: Session, _at: float) -> Step:
    """Go back to the first page."""
    session, kept = _settle_rule(session)
    session, effects = show_page(session, Page.MAIN)
    return session, (*kept, *effects)


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


def _open(page: Page) -> Action:
    return lambda session, _at: show_page(session, page)


def _set(**changes: Any) -> Action:
    """Return an action that changes settings and stays on the page."""

    def action(session: Session, _at: float) -> Step:
        session = session._replace(settings=session.settings._replace(**changes))
        return session, (save(session), Draw())

    return action


def _new(session: Session, at: float) -> Step:
    """Start the next game after a finished one; restart an unfinished one."""
    if session.match.over:
        session, effects = next_game(session, at)
    else:
        session, effects = resume(_restart(session), at)
        effects = (save(session), *effects)
    return session, (Disarm(Timer.MENU_IDLE), *effects)


def _undo(session: Session, at: float) -> Step:
    """Take back a person's last mark and its answer; without one, bring back the abandoned game."""
    plies, abandoned = session.match.undo_plies(session.settings), session.abandoned
    if plies:
        session = session._replace(match=session.match.take_back(plies))
    elif abandoned:
        settings = session.settings._replace(rule=abandoned.rule)
        session = session._replace(match=abandoned, settings=settings, abandoned=None)
    else:
        return notify(session, "nothing_to_undo")
    session, effects = leave(session, at)
    return session, (save(session), *effects)


def _hint(session: Session, at: float) -> Step:
    if session.match.over:
        return leave(session, at)  # the board says what a tap does
    if session.match.boxes_turn(session.settings):
        return notify(session, "box_turn")
    session, effects = leave(session, at)
    session = session._replace(job=session.job + 1, hinting=True)
    return session, (*effects, Think(session.job, session.match, LEVELS["perfect"]))


def _speak(**changes: Any) -> Action:
    """Return an action that changes settings, or goes on with those in force, and starts to play."""

    def action(session: Session, at: float) -> Step:
        session, effects = leave(session._replace(settings=session.settings._replace(**changes)), at)
        return session, (save(session), *effects)

    return action


def _people(**changes: Any) -> Action:
    """Return an action that changes who plays or begins; it applies to a game without moves at once."""

    def action(session: Session, at: float) -> Step:
        settings = session.settings._replace(**changes)
        if not session.match.moves and settings.first != "alternate":
            session = session._replace(match=Match.new(session.match.rule, first_mark(settings, None)))
        return _set(**changes)(session, at)

    return action


def _contrast(session: Session, at: float) -> Step:
    """Step to the next stronger contrast, and from the strongest to the weakest."""
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
        session = session._replace(phase=Phase.LEAVING, goodbye=goodbye)
        return session, (
            Disarm(Timer.MENU_IDLE),
            save(session),
            Draw(),
            Arm(Timer.LEAVE, LEAVE_SECONDS),
            Power(action),
        )

    return act


def _record(level: str) -> Item:
    """Return the item that shows the record at a level."""
    return Item(
        level,
        lambda session, _at: (session._replace(record=level), (Draw(),)),
        level,
        lambda session: session.record == level,
    )


def _clear(session: Session, _at: float) -> Step:
    """Forget the score and the records; the adaptive level's strength stays, and so does the history."""
    scores = Scores(strengths=session.scores.strengths)
    session, effects = show_page(session._replace(scores=scores), Page.STATISTICS)
    return session, (save(session), *effects)


def _choice(icon: str, name: str, field: str, value: object, change: Callable[..., Action] = _set) -> Item:
    """Return the item that sets a setting to a value by the action that `change` makes."""
    return Item(
        icon, change(**{field: value}), name, lambda session: getattr(session.settings, field) == value
    )


CLOSE = Item("back", leave, "back")
BACK = Item("back", back, "back")
BACK_TO_SETTINGS = Item("back", _open(Page.SETTINGS), "back")
BACK_TO_STATISTICS = Item("back", _open(Page.STATISTICS), "back")
SOUND = Item("sound", _sound, "sound", lambda session: session.settings.sound)
OFF = Item("power", _open(Page.CONFIRM_OFF), "power_off")
WRENCH = Item("wrench", selftest.start, "self_test")
RESTART = Item("restart", _open(Page.CONFIRM_RESTART), "restart")


def _languages(centre: Item, change: Callable[..., Action] = _set) -> tuple[Item | None, ...]:
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
        Item("new", _new, "new_game"),
        Item("undo", _undo, "undo"),
        Item("hint", _hint, "hint"),
        Item("{level}", _open(Page.LEVEL), "level"),
        CLOSE,
        Item("players{players}", _open(Page.PLAYERS), "players"),
        Item("stats", _open(Page.STATISTICS), "statistics"),
        Item("settings", _open(Page.SETTINGS), "settings"),
        Item("{rule}", _open(Page.RULE), "rule"),
    ),
    Page.LEVEL: _page(
        BACK,
        (3, 0, 1, 2, 5),
        (_choice(name, name, "level", name) for name in LEVEL_NAMES),
    ),
    Page.RULE: _page(BACK, (0, 1, 2), (_choice(name, name, "rule", name) for name in RULES)),
    Page.PLAYERS: _page(
        BACK,
        (0, 1, 2, 6, 7, 8),
        (
            *(
                _choice(f"players{number}", f"players_{number}", "players", number, _people)
                for number in PLAYERS
            ),
            *(_choice(f"first_{who}", f"first_{who}", "first", who, _people) for who in FIRST),
        ),
    ),
    Page.SETTINGS: _page(
        BACK,
        (0, 1, 2, 3, 5, 6, 7, 8),
        (
            Item("contrast", _contrast, "contrast"),
            SOUND,
            Item("rotate", _turn, "rotation", lambda session: session.settings.turned),
            Item("about", _open(Page.ABOUT), "about"),
            WRENCH,
            Item("language", _open(Page.LANGUAGE), "language"),
            OFF,
            RESTART,
        ),
    ),
    Page.LANGUAGE: _languages(BACK_TO_SETTINGS),
    Page.FIRST: _languages(Item("back", _speak(), "back"), _speak),
    Page.STATISTICS: _page(
        BACK,
        (3, 0, 1, 2, 5, 8),
        (*map(_record, LEVEL_NAMES), Item("clear", _open(Page.CONFIRM_CLEAR), "clear")),
    ),
    Page.CONFIRM_CLEAR: _confirm("clear", _clear, BACK_TO_STATISTICS),
    Page.ABOUT: (BACK_TO_SETTINGS,) * KEYS,
    Page.CONFIRM_OFF: _confirm("power_off", _power("off", "goodbye_off")),
    Page.CONFIRM_RESTART: _confirm("restart", _power("restart", "goodbye_restart")),
}


def page_items(session: Session) -> tuple[Item | None, ...]:
    """Return the items of the page that is shown."""
    settings, options = session.settings._asdict(), session.options
    hidden = [] if options.power else [OFF, RESTART, WRENCH]
    hidden += [] if options.buzzer is not None else [SOUND]
    return tuple(
        None if item is None or item in hidden else item._replace(icon=item.icon.format_map(settings))
        for item in PAGES[session.page]
    )
