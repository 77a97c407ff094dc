"""Session to picture: the marks and words on the display."""

from appliance import __version__
from appliance.core.picture.scene import BoardScene, Light, PageScene, Picture, Scene, Tile
from appliance.core.session import coach, review, selftest, two_people, visit, wide
from appliance.core.session.form import form_of
from appliance.core.session.match import Match, alternates
from appliance.core.session.menu import page_items
from appliance.core.session.score import counts, face, score
from appliance.core.session.settings import CONTRASTS, SERIES, Record, Tally
from appliance.core.session.state import Page, Phase, Session
from appliance.core.words import Words, numbers, words
from engine import RULES
from engine.shape import ends

DIMMED = 1  # the contrast of a dimmed display

# Shifts by a pixel at a time, so that no edge stays in one place for long.
DRIFT_PATH = ((0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0))

CONDITIONS = {  # badge -> the key of its words; the most important first
    "keys": "keys_silent",
    "brownout": "weak_supply",
    "damaged": "damaged_store",
    "unsaved": "nothing_kept",
}
FAREWELLS = {  # goodbye -> its title and icon
    "goodbye_off": ("goodbye", "power"),
    "goodbye_restart": ("back_soon", "restart"),
    "goodbye_stop": ("stopped", "stop"),
}


def view(session: Session) -> Picture:
    """Return the picture of a session."""
    contrast = DIMMED if session.dimmed else session.settings.contrast
    shift = (0, 0) if session.phase is Phase.SELF_TEST else DRIFT_PATH[session.drift % len(DRIFT_PATH)]
    return Picture(scene(session), Light(on=session.lit, contrast=contrast), shift)


def scene(session: Session) -> Scene:
    """Return the scene of a session: its marks and words."""
    text = words(session.settings.language)
    match session.phase:
        case Phase.MENU if session.page is Page.ABOUT and not session.notice.word:
            return _about(session, text)
        case Phase.MENU:
            return _menu(session, text)
        case Phase.REVIEW:
            return review.scene(session, text)._replace(badges=_badges(session))
        case Phase.SELF_TEST:
            return selftest.scene(session, text)
        case Phase.LEAVING | Phase.ENDED:
            title, icon = FAREWELLS[session.goodbye]
            return PageScene(text[title], text[session.goodbye], icon)
        case Phase.DEMO:
            demo, text = session.demo.game, words(visit.language(session))
            form = form_of(demo)
            key, note = ("invitation", "press_any") if session.options.exhibit else ("demo", "tap_play")
            last = session.demo.moves[-1] if session.demo.moves and demo.outcome is None else None
            board = None if last is None else form.home(last)
            side = form.side(demo, form.board(demo, None))
            said = side is None or last is None or session.shown % visit.DEMO_MOVES == 0
            return BoardScene(
                form.tiles(demo, board, None),
                text[key] if said else "",
                notes=(text[note],) if said else (),
                strike=ends(demo.line),
                badges=_badges(session),
                side=side and side._replace(last=last),
            )
        case _:
            return _board(session, text)


def _newest(session: Session) -> int | None:
    """Return the move to mark as the last: the box's, or between two people the other person's.

    People know what they have just pressed, and a cell without corners takes fewer bytes on the bus.
    """
    moves = session.match.moves
    shown = len(moves)
    if session.settings.players == 1:
        shown -= (shown % 2 == 1) == (session.match.human == "x")
    elif session.phase is Phase.PLACED:
        shown -= 1
    return moves[shown - 1] if shown > 0 else None


def _board(session: Session, text: Words) -> BoardScene:
    """Return the board; beside it are the turn, the level, the rule and the score, or the other boards."""
    match, newest, form = session.match, _newest(session), session.form
    board = form.board(match.game, session.picked)
    if session.phase is Phase.PLACED:
        board = form.home(match.moves[-1])
    tiles = coach.tiles(session, list(form.tiles(match.game, board, newest)))
    hint = session.hint if session.frames % 2 or not session.frames else None
    if hint is not None and (hinted := form.tile(hint, board)) is not None:
        tiles[hinted] = Tile(match.mark(match.game.to_move), outline=True)
    key, mark = ("hello", "") if session.greets else _headline(session)
    notes, first = _notes(session, text)
    scene = BoardScene(
        tuple(tiles),
        text[key],
        mark,
        notes,
        score(session),
        ends(match.game.line) if match.counted else None,  # not yet for a mark that may be taken back
        two_people.line_drawn(session),
        session.progress,
        _badges(session),
        first=first,
        brief=_notes(session, words(session.settings.language, brief=True))[0],
    )
    if two_people.celebrates(session):
        scene = two_people.celebration(session, scene)
    elif side := form.side(match.game, board):
        scene = wide.arrange(session, scene, side._replace(last=newest, hint=hint), text)
    flashed = (tile._replace(inverse=cell == session.notice.cell) for cell, tile in enumerate(scene.tiles))
    return scene._replace(tiles=tuple(flashed))


def _notes(session: Session, text: Words) -> tuple[tuple[str, ...], int]:
    """Return the words below the headline, and how many of them come before the score.

    They are in the order of what it costs to miss them. What a press has done comes first: it soon goes.
    """
    match = session.match
    empty = len(match.moves) == (session.phase is Phase.PLACED)  # no move, or one that may be taken back
    rule = match.rule if match.over or match.game.fading is None else "oldest_goes"
    kind = _game_kind(session, rule, text)
    boards = session.form.side(match.game, None)
    known = rule == "classic" or boards or match.counted
    reminder = [text[rule]] if RULES[match.rule].loses or not known else []
    if session.notice.word:
        first, others = [_message(session, text)], reminder
    elif session.progress is not None:
        first, others = [f"{text['menu']}…"], reminder
    elif session.hint is not None:
        first, others = [text["uncounted"], *reminder, text["hint_text"]], []
    else:
        first, others = _standing(session, text, empty=empty)
        first = [*reminder, *first] if empty else [*first, *reminder]
        if session.signs:
            first.append(" ".join(text[sign] for sign in coach.VERDICT_WORDS.values()))
        if empty and boards:
            first = [text["win_boards"], text["which_board"], text["next_board"], *first]
    return tuple(dict.fromkeys((*first, *others, *kind))), max(len(first), 1)  # without repetition


def _standing(session: Session, text: Words, *, empty: bool) -> tuple[list[str], list[str]]:
    """Return what is said about the game or the box for as long as it is so, and what a press will do.

    Each warning has its badge, too, so the first of several is enough before the score.
    """
    match, settings = session.match, session.settings
    warnings = [text[name] for badge, name in CONDITIONS.items() if badge in session.badges]
    if session.stuck:
        message = text["stuck_key"] if len(session.stuck) == 1 else text["stuck_keys"]
        warnings = [message.format(keys=numbers(session.stuck))]
    helped = [text["uncounted"]] if session.signs or (match.counted and match.helped) else []
    if warnings or session.signs:
        more = []
    elif match.counted:
        won = [text["match_won"]] if two_people.won(session) else []
        begins = [text[f"first_{_next_to_begin(match, settings.players)}"]] if alternates(settings) else []
        more = [*won, text["tap_again"], *begins]
    elif settings.players == 0:
        more = [text["tap_play"]]
    else:
        more = [text["hold_menu"]] if empty else []
    return [*warnings[:1], *helped], [*warnings[1:], *more]


def _next_to_begin(match: Match, players: int = 1) -> str:
    """Return who begins the next game (an empty board's own) if that alternates: "you", "box", "1" or "2"."""
    first, second = ("1", "2") if players == 2 else ("you", "box")
    return first if (match.human == "x") == (not match.moves) else second


def _message(session: Session, text: Words) -> str:
    return text[session.notice.word].format(keys=numbers(session.notice.keys))


def _called(text: Words, rule: str) -> Words:
    """Return the words; the best level of a rule that is not solved is the strongest, not perfect."""
    solved = rule not in RULES or RULES[rule].solved
    return text if solved else {**text, "perfect": text["strongest"]}


def _game_kind(session: Session, rule: str, text: Words) -> tuple[str, ...]:
    """Return the rule unless it is classic, and the level or, if two people play one, their match."""
    text, settings = _called(text, rule), session.settings
    kind = text[settings.level]
    if settings.players == 2:
        kind = text["first_to"].format(count=settings.series) if settings.series else ""
    return tuple(filter(None, ("" if rule == "classic" else text[rule], kind)))


def _headline(session: Session) -> tuple[str, str]:
    """Return the headline's key in `core.words`, and the mark beside it."""
    match, players = session.match, session.settings.players
    outcome = match.game.outcome if match.counted else None
    if outcome == "draw":
        return "draw", ""
    if outcome is not None:
        if players == 1:
            return ("you_win" if outcome == match.human else "box_wins"), match.mark(outcome)
        return "mark_wins", two_people.person(match, outcome) if players else outcome
    # Keep the words until a press is final: otherwise they could change twice during a tap.
    to_move = match.game.to_move
    if session.phase is Phase.PLACED:
        to_move = "x" if to_move == "o" else "o"
    if players == 1:
        return ("your_turn" if to_move == match.human else "box_turn"), match.mark(to_move)
    return "mark_turn", two_people.person(match, to_move) if players else to_move


def _badges(session: Session) -> tuple[str, ...]:
    return (*session.badges, *(("stuck",) if session.stuck else ()))


def _menu(session: Session, text: Words) -> BoardScene:
    """Return a page of the menu: nine icons with the choices marked, and the words beside them."""
    items = page_items(session)
    if session.pressed is not None and (pressed := items[session.pressed]) and pressed.name == "name":
        text = words(pressed.icon[1:].lower())  # name each language in that language
    tiles = tuple(
        Tile(
            item.icon if item else "",
            last=item is not None and item.chosen(session),
            inverse=key == session.pressed,
        )
        for key, item in enumerate(items)
    )
    # The usual titles of these two pages may be too wide beside a board.
    titles = {Page.STATISTICS: session.record_of or "games", Page.ABOUT: "menu"}
    title = titles.get(session.page, session.page.value)
    # Leave the score in place on the first page: unchanged pixels need not be sent. 32 rows lack the room.
    shown = score(session) if session.page is Page.MAIN and not session.box.small else ()
    if session.page is Page.STATISTICS:
        if _of_pair(session):
            shown = counts(("1", "2"), session.scores.pair)
        else:
            tally = Tally(*_record(session)[:3]) if session.record_of else session.scores.box
            shown = counts(("person", face(session)), tally)
    return BoardScene(tiles, text[title], "", _menu_notes(session, text), shown, badges=_badges(session))


def _menu_notes(session: Session, text: Words) -> tuple[str, ...]:
    """Return the words below the headline of a page of the menu.

    They name the pressed item, or else the current choices in reading order; on the first page, where the
    icons show these, they say what a press will do.
    """
    settings, items = session.settings, page_items(session)
    if session.notice.word:
        return (_message(session, text),)
    # Records are of all rules together, so a level has its usual name there.
    called = text if session.page is Page.STATISTICS else _called(text, settings.rule)
    names = {**called, "first_alternate": text[f"alternate_{_next_to_begin(session.match)}"]}
    names |= {f"first_to_{wins}": text["first_to"].format(count=wins) for wins in SERIES}
    if session.pressed is not None and (pressed := items[session.pressed]):
        return (names[pressed.name],)
    if session.page is Page.STATISTICS:
        if session.record_of:
            return (f"{text['run']} {_record(session).run}, {text['best']} {_record(session).best}",)
        return (text["players_2" if _of_pair(session) else "all_levels"],)
    if session.page is Page.CONFIRM_CLEAR:
        return (text["clear_what"],)
    if session.page in {Page.CONFIRM_OFF, Page.CONFIRM_RESTART}:
        return (text["really"],)
    if session.page is Page.MAIN:
        return (text["tap_choose"], text["hold_name"])
    if session.page is Page.SETTINGS:
        step = sum(level <= settings.contrast for level in CONTRASTS)
        rotation = (text["rotation"],) if settings.turned else ()
        on = text["sound_on" if settings.sound else "sound_off"]
        sound = (on,) if session.box.buzzer else ()
        return (f"{text['contrast']} {step}/{len(CONTRASTS)}", *sound, *rotation)
    return tuple(names[item.name] for item in items if item and item.chosen(session))


def _about(session: Session, text: Words) -> PageScene:
    """Return the version, the number of games, and the hours since the start (a box may have no clock)."""
    games = min(session.scores.games, 99_999)  # five digits fit
    hours = int((session.pressed_at - session.box.begun) / 3600)
    figures = ((text["games"], games), (text["hours"], hours))
    return PageScene(text["game"], f"{text['version']} {__version__}", "logo", figures)


def _record(session: Session) -> Record:
    """Return the record for the level that is shown."""
    return session.scores.records.get(session.record_of, Record())


def _of_pair(session: Session) -> bool:
    """Return whether the statistics show the games of two people."""
    return session.settings.players == 2 and not session.record_of
