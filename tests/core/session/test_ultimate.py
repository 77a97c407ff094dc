"""Ultimate in the session: a board is chosen, a mark is placed, and one sees where that sends."""

from random import Random

import pytest
from mashers import Stand
from session_rig import feed, fresh, games, last_open, of, opened, tap, tapped

from appliance.config.schema import Config
from appliance.core.keys.key_events import Blocked, Chord, Hold, Press, Release, Tap
from appliance.core.picture.scene import SLIDE_FRAMES
from appliance.core.session import events as fx
from appliance.core.session.events import Answer, Timeout, Timer
from appliance.core.session.form import form_of, form_of_rule
from appliance.core.session.match import Match
from appliance.core.session.settings import Options, Settings
from appliance.core.session.state import (
    CHOICE_SECONDS,
    LET_GO_SECONDS,
    STAY_SECONDS,
    WON_SECONDS,
    BoxFacts,
    Notice,
    Page,
    Phase,
)
from appliance.core.session.view import view
from engine import RULES

PLACE = 9 * 4 + 8
CHOICE = (13, 39, 31, 41, 45, 0, 8, 75, 35, 80, 76, 40)  # the last one wins the fifth board


def new(moves=(), **settings):
    return fresh(moves, rule="ultimate", **{"players": 2, **settings})


def frames(session, count):
    return feed(session, *[Timeout(9.0, Timer.FRAME)] * count)[0]


def glyphs(session):
    return "".join(tile.glyph or "." for tile in view(session).scene.tiles)


def test_one_press_chooses_a_board_and_the_next_plays_in_it():
    session, effects = tap(new(), 5)
    assert (session.phase, session.picked, session.match.moves) == (Phase.YOUR_TURN, 4, ())
    assert not of(fx.Saved, effects)
    session, effects = tap(session, 9)
    assert (session.match.moves, session.picked) == ((PLACE,), None)
    assert of(fx.Saved, effects)
    session, _ = tap(frames(session, SLIDE_FRAMES), 1)
    assert session.match.moves == (PLACE, 72), "the cell sent to board 9, in which the next press plays"


@pytest.mark.parametrize("key", [0, 4])
def test_a_key_that_stays_down_or_some_seconds_give_the_choice_up(key):
    chosen, effects = feed(new(), Press(1.0, 4), Tap(1.06, 4))
    assert dict(of(fx.Arm, effects))[Timer.CHOICE] == CHOICE_SECONDS, "the centre's hold is the menu's"
    chosen, effects = feed(new(), Press(1.0, 3), Tap(1.06, 3))
    assert dict(of(fx.Arm, effects))[Timer.CHOICE] == LET_GO_SECONDS
    assert feed(chosen, Timeout(2.0, Timer.CHOICE))[0].picked is None
    chosen, effects = feed(chosen, Release(1.2, 3, soon=True))
    assert dict(of(fx.Arm, effects))[Timer.CHOICE] == CHOICE_SECONDS
    assert feed(chosen, Timeout(11.2, Timer.CHOICE))[0].picked is None
    placed, _ = feed(chosen, Press(3.0, key))
    assert (placed.phase, placed.match.moves) == (Phase.PLACED, (27 + key,))
    if key == 4:
        assert feed(placed, Timeout(4.0, Timer.CHOICE))[0] == placed
        assert feed(placed, Hold(4.0, 4))[0].page is Page.MAIN
        return
    placed, _ = feed(placed, Tap(3.06, key))
    assert placed.phase is Phase.PLACED, "certain only when the key is up"
    session, effects = feed(placed, Timeout(4.0, Timer.CHOICE))
    assert (session.phase, session.match.moves, session.picked) == (Phase.YOUR_TURN, (), None)
    assert of(fx.Saved, effects)[-1].match.moves == ()
    assert feed(session, Release(4.5, key, soon=False))[0].picked is None
    assert feed(placed, Release(3.2, key, soon=True))[0].match.moves == (27,)


def test_two_keys_at_once_give_up_the_mark_and_the_choice():
    session, _ = feed(new(), Press(1.0, 3), Chord(1.02, (3, 5)))
    assert (session.picked, session.notice.word) == (None, "one_key")
    session, _ = tap(new(), 4)
    session, _ = feed(session, Press(2.0, 0), Chord(2.02, (0, 1)))
    assert (session.picked, session.match.moves, session.phase) == (None, (), Phase.YOUR_TURN)


def won():
    """Return a game with a board that x has won, in which x may choose."""
    moves = games("ultimate")[-1]
    game = RULES["ultimate"].start()
    for count, move in enumerate(moves):
        if game.active is None and set(game.boards) > {"."}:
            return moves[:count], game
        game = game.play(move)
    raise AssertionError


def test_a_decided_board_and_a_taken_cell_are_refused_alike():
    moves, game = won()
    decided = next(board for board, owner in enumerate(game.boards) if owner != ".")
    session, effects = feed(new(moves), Press(1.0, decided))
    assert (session.notice, session.picked) == (Notice("taken", decided), None)
    assert of(fx.Beep, effects) == [("refuse",)]
    session = new((PLACE, 72, 0))
    session, _ = feed(session, Press(1.0, 0))
    assert (session.notice, len(session.match.moves)) == (Notice("taken", 0), 3)


def test_the_board_just_played_stays_and_then_the_next_one_slides_in():
    session, effects = tap(new((PLACE, 72)), 8)  # from board 1 to board 8
    assert session.slide == SLIDE_FRAMES
    assert of(fx.Arm, effects)[-1].timer is Timer.FRAME
    assert glyphs(session) == ".......x."
    assert view(session).scene.side.active == 7, "the overview shows at once where the move sends"
    assert glyphs(frames(session, SLIDE_FRAMES)) == "........."


NOBODY = Config(Settings(rule="ultimate", players=2))
LAST = 7  # the cell of the last move, on the first board


@pytest.mark.parametrize(("seconds", "key", "counts"), [
    (0.00, 3, False), (0.15, 3, False), (0.29, 3, False),  # no hand has answered the move yet
    (0.31, 3, True), (0.39, 0, True), (0.41, 3, True), (0.49, 8, True), (0.60, 3, True), (5.00, 3, True),
    (0.15, LAST, False), (0.31, LAST, False), (0.43, LAST, False),  # the same key, tapped twice
    (0.45, LAST, True), (0.60, LAST, True),
])  # fmt: skip
def test_when_a_press_counts_for_the_next_board(seconds, key, counts):
    """The seconds are those after the move was final, 0.06 s after its press."""
    stand = Stand(NOBODY, Random(1))
    for move in (0, 0, 8, 0):  # on the first board, on which x is; it sends to the ninth, and that back
        stand.tap(move)
        stand.wait(2.0)
    assert stand.session.match.moves == (0, 8, 72)
    stand.send(Press(stand.at, LAST))
    stand.wait(0.06)
    stand.send(Tap(stand.at, LAST))
    stand.wait(0.02)
    stand.send(Release(stand.at, LAST, soon=True))
    stand.wait(seconds - 0.02)
    stand.tap(key)
    assert stand.session.match.moves[4:] == ((9 * LAST + key,) if counts else ())
    assert stand.session.slide == (SLIDE_FRAMES if counts and key != LAST else 0), "it ends the slide"
    if not counts:
        stand.wait(0.5)
        stand.tap(key)
        assert stand.session.match.moves[4:] == (9 * LAST + key,), "no second press is lost"


def test_a_press_during_the_slide_may_open_the_menu_and_two_keys_end_it():
    session, _ = tap(new((PLACE, 72)), 8)
    blocked, _ = feed(session, Blocked(5.0, (1,)))
    assert blocked.slide == 0
    assert feed(session, Press(5.0, 4), Hold(6.0, 4))[0].page is Page.MAIN


def test_a_second_tap_of_the_key_that_chose_a_board_is_no_move():
    session, _ = tap(new(), 4)
    again, effects = feed(session, *tapped(session.pressed_at + 0.3, 3))
    assert (again.picked, again.match.moves, again.notice.word) == (3, (), "")
    assert dict(of(fx.Arm, effects))[Timer.CHOICE] == CHOICE_SECONDS, "held it would give the board up"
    assert feed(session, *tapped(session.pressed_at + 0.6, 3))[0].match.moves == (27 + 3,)


def test_a_board_just_won_stays_twice_as_long():
    stay = {moves: dict(of(fx.Arm, tap(new(moves[:-1]), moves[-1] % 9 + 1)[1]))[Timer.FRAME]
            for moves in ((PLACE, 72, 7), CHOICE)}  # fmt: skip
    assert [*stay.values()] == [STAY_SECONDS, WON_SECONDS]


def test_the_last_open_board_is_not_asked_for():
    """There is no choice: the box chooses it, in the form, so that all who ask it agree."""
    moves, game = last_open()
    board = game.boards.index(".")
    form = form_of(game)
    assert (game.active, form.board(game, None), form.side(game, form.board(game, None)).active) == (
        None, board, board)  # fmt: skip
    scene = view(new(moves)).scene
    assert (scene.notes, scene.side.active) == ((), board)
    assert glyphs(new(moves)) == game.cells[9 * board : 9 * board + 9]
    move = game.moves()[0]
    assert form.pick(game, None, move % 9) == (move, None)
    taken = next(cell for cell in range(9) if game.cells[9 * board + cell] != ".")
    assert tap(new(moves), taken + 1)[0].notice == Notice("taken", taken)
    session, effects = tap(new(moves), move % 9 + 1)
    assert session.match.moves == (*moves, move)
    assert Timer.CHOICE not in dict(of(fx.Arm, effects)), "nothing was chosen that could be given up"


def test_the_box_answers_only_when_the_person_has_seen_where_it_is_sent():
    session, effects = tap(new(players=1, first="you"), 5, 9)
    assert (session.phase, session.request.pausing) == (Phase.THINKING, True)
    assert dict(of(fx.Arm, effects))[Timer.PAUSE] > 0.8
    session, _ = feed(session, Answer(3.1, session.request.job, 72))
    assert session.match.moves == (PLACE,)
    session, _ = feed(frames(session, SLIDE_FRAMES), Timeout(4.5, Timer.PAUSE))
    assert (session.match.moves, session.slide, session.phase) == ((PLACE, 72), SLIDE_FRAMES, Phase.YOUR_TURN)
    assert glyphs(session) == "o........", "its mark is seen before the next board"


def test_the_end_is_shown_on_the_nine_boards_after_the_last_mark():
    *moves, last = games("ultimate")[-1]
    session, effects = tap(new(tuple(moves)), last // 9 + 1, last % 9 + 1)
    assert (session.phase, session.slide) == (Phase.GAME_OVER, SLIDE_FRAMES)
    assert of(fx.Archive, effects)[0].game.moves == (*moves, last)
    ended = frames(session, SLIDE_FRAMES)
    assert ended.frames > 0, "now the line is drawn"
    scene = view(frames(ended, 20)).scene
    assert (scene.headline, scene.drawn) == ("wins!", 1.0)
    assert scene.side.last == last
    impatient, _ = feed(session, *tapped(session.pressed_at + 0.1, last % 9))
    assert impatient.phase is Phase.GAME_OVER


def test_undo_goes_back_across_a_choice():
    session, _ = tap(new(), 5, 9)
    session, _ = tap(opened(frames(session, SLIDE_FRAMES)), 2)
    assert (session.match.moves, session.picked, session.phase) == ((), None, Phase.YOUR_TURN)
    assert tap(session, 1)[0].picked == 0


def test_a_choice_ends_with_the_menu_and_with_sleep():
    chosen, _ = tap(new(options=Options(off=30.0)), 4)
    assert tap(opened(chosen), 5)[0].picked is None
    session, _ = feed(chosen, Timeout(60.0, Timer.OFF), *tapped(70.0, 3))
    assert (session.phase, session.picked, session.match.moves) == (Phase.YOUR_TURN, None, ())


def test_a_hint_is_on_both_squares_and_stays_while_its_board_is_chosen():
    asked, effects = tap(opened(new(players=1, first="you")), 3)
    think = of(fx.Think, effects)[0]
    assert think.level == RULES["ultimate"].levels["perfect"]
    session, _ = feed(asked, Answer(3.0, think.job, PLACE))
    scene = view(session).scene
    assert (scene.tiles[4].outline, scene.side.hint) == (True, PLACE)
    session, _ = tap(session, 5)
    assert view(session).scene.tiles[8].outline
    assert not view(tap(session._replace(picked=None), 1)[0]).scene.tiles[8].outline
    assert session.match.helped


def test_what_needs_a_solved_rule_is_not_offered_and_does_nothing():
    session = new(coach=True, players=1, first="you")
    assert not session.match.helped
    session, effects = tap(session, 5, 9)
    assert not of(fx.Judge, effects)
    over = new(games("ultimate")[-1])
    for page, session in ((Page.MAIN, over), (Page.LEVEL, over), (Page.LEVEL, new())):
        icons = [tile.glyph for tile in view(session._replace(phase=Phase.MENU, page=page)).scene.tiles]
        assert not {"review", "smile"} & set(icons)
    assert tap(opened(over), 3)[0].phase is Phase.MENU, "the free cell does nothing"


def test_a_display_of_32_rows_is_not_offered_nine_boards():
    session = fresh()._replace(phase=Phase.MENU, page=Page.RULE)
    boxes = (BoxFacts(small=small) for small in (False, True))
    icons = [[tile.glyph for tile in view(session._replace(box=box)).scene.tiles] for box in boxes]
    assert [one.count("ultimate") for one in icons] == [1, 0]
    assert icons[1].index("vanishing") == icons[0].index("vanishing")


def test_the_form_follows_from_the_game():
    nine, boards = form_of(Match.new("classic", "x").game), form_of(Match.new("ultimate", "x").game)
    assert nine is not boards
    assert [form_of_rule(name) for name in RULES] == [form_of(rule.start()) for rule in RULES.values()]
    assert form_of_rule("of a later version") is nine


def test_a_move_on_nine_boards_is_written_as_board_and_cell():
    """Such moves once read back as others: (40, 36) gave "4137", which is (3, 0, 2, 6)."""
    form, every = form_of_rule("ultimate"), tuple(range(81))
    assert form.pack((40, 36)) == "5551"
    assert form.unpack(form.pack(every)) == every
    for text in ("5", "555", "50", "05", "5a", "-1", 55, None):
        with pytest.raises(ValueError, match="invalid moves"):
            form.unpack(text)
