"""What a game on nine boards shows, and when: the tiles, the overview, words and banners."""

import pytest

from appliance.core.picture.scene import SLIDE_FRAMES, board_choices
from appliance.core.session.match import Match
from appliance.core.session.settings import Settings
from appliance.core.session.state import Notice, Phase, Session
from appliance.core.session.view import view

CHOICE = (13, 39, 31, 41, 45, 0, 8, 75, 35, 80, 76, 40)  # o has won the fifth board: x may choose any other
WON = (58, 42, 61, 65, 20, 22, 44, 74, 18, 8, 79, 67, 41, 47, 19, 13, 38, 69, 55)  # by x


def scene(*moves, players=1, **fields):
    match = Match.replay("ultimate", "x", moves)
    settings = Settings(rule="ultimate", players=players)
    return view(Session(match._replace(counted=match.over), settings, **fields)).scene


def marks(scene):
    return "".join(tile.glyph or "." for tile in scene.tiles)


def test_a_person_sees_the_active_board_its_place_and_the_last_move():
    shown = scene(40, 36)
    assert (marks(shown), shown.headline, shown.notes) == ("." * 9, "", ())
    assert (shown.side.active, shown.side.last, shown.side.face, shown.mark) == (0, 36, "", "x")


def test_where_any_board_may_be_chosen_the_tiles_are_the_boards_and_a_banner_asks():
    shown = scene(*CHOICE)
    assert shown.tiles == board_choices("....o....")
    assert (shown.headline, shown.notes, shown.side.active) == ("", ("Which board?",), None)
    chosen = scene(*CHOICE, picked=3)
    assert (chosen.notes, chosen.side.active, marks(chosen)) == (("Hold: back",), 3, "....x...x")


def test_a_chosen_board_says_how_to_give_it_up_until_its_mark_is_final():
    for phase, *moves in (Phase.YOUR_TURN, *CHOICE), (Phase.PLACED, *CHOICE, 28):
        assert scene(*moves, picked=3, phase=phase).notes == ("Hold: back",)
    assert scene(*CHOICE, picked=3, notice=Notice("taken", 4)).notes == ("Taken!",)
    assert scene(*CHOICE, 28, slide=SLIDE_FRAMES).notes == ()


def test_an_empty_board_says_the_goal_and_then_the_rule_until_a_board_is_chosen():
    greeting, empty = scene(greets=True, frames=1), scene()
    assert (greeting.headline, greeting.score[1][0], greeting.side.active) == ("Hello!", "waits", None)
    assert empty.headline == "Your turn"
    assert empty.notes[:3] == ("Win 3 boards in a row", "Which board?", "Next board: your cell")
    assert empty.score == ()
    assert not scene(picked=4).covered
    assert scene(hint=40, frames=1).tiles[4].outline


def test_a_refused_press_flashes_and_says_why_without_hiding_the_board():
    shown = scene(40, 36, 0, 8, 72, 4, notice=Notice("taken", 4))
    assert shown.headline == ""
    assert shown.notes == ("Taken!",)
    assert [tile.inverse for tile in shown.tiles] == [place == 4 for place in range(9)]


@pytest.mark.parametrize("fields", [{"notice": Notice("one_key")}, {"progress": 0.5}])
def test_a_message_and_the_hold_take_the_place_of_the_tiles(fields):
    shown = scene(40, 36, **fields)
    assert shown.covered
    assert shown.side.active == 0
    assert shown.bar == fields.get("progress")


def test_a_mark_that_may_be_taken_back_is_not_in_the_overview_yet():
    before, placed = scene(40, 36), scene(40, 36, 4, phase=Phase.PLACED)
    assert marks(placed) == "....x...."
    assert placed.side == before.side
    last = WON[:-1]
    assert scene(*WON, phase=Phase.PLACED).side.boards == scene(*last).side.boards


def test_the_board_just_played_stays_then_the_next_opens_out_of_its_cell():
    way = [scene(40, 36, 8, slide=left) for left in range(SLIDE_FRAMES, -1, -1)]
    assert [marks(step) for step in way] == ["........x", *["........."] * 3]
    assert {step.side.active for step in way} == {8}
    into = [marks(scene(40, 36, 8, 76, slide=left)) for left in range(SLIDE_FRAMES, -1, -1)]
    assert into[0] == "....o...."
    assert into[-1] == "o...x...."


def test_a_line_goes_through_the_board_that_was_just_won_while_it_stays():
    assert scene(*CHOICE, slide=SLIDE_FRAMES).line == (3, 5)
    assert [scene(*CHOICE, slide=left).line for left in range(SLIDE_FRAMES)] == [None] * SLIDE_FRAMES
    assert scene(*CHOICE, phase=Phase.PLACED).line is None, "the mark may yet be taken back"
    assert scene(*CHOICE[:-1], slide=SLIDE_FRAMES).line is None
    assert scene(*WON, phase=Phase.GAME_OVER, slide=SLIDE_FRAMES).line is not None


def test_the_face_of_the_box_is_where_it_has_to_play_and_a_free_choice_gets_a_banner():
    thinking = scene(40, phase=Phase.THINKING)
    assert (thinking.side.active, thinking.side.face, thinking.notes) == (4, "thinks", ())
    free = scene(*CHOICE, phase=Phase.THINKING)
    assert (free.notes, marks(free)) == (("My turn",), "...ooo...")
    assert scene(phase=Phase.THINKING).notes == ("My turn",)


def test_the_end_shows_the_last_board_then_words_beside_the_strike():
    stays = scene(*WON, phase=Phase.GAME_OVER, slide=SLIDE_FRAMES)
    assert not stays.covered
    ended = scene(*WON, phase=Phase.GAME_OVER)
    assert (ended.headline, ended.strike, ended.side.active) == ("You win!", (2, 6), None)
    assert ended.side.last == WON[-1]


def test_a_hint_is_on_both_squares_and_blinks():
    lit = scene(40, 36, hint=4)
    assert (lit.side.hint, lit.tiles[4].outline) == (4, True)
    dark = scene(40, 36, hint=4, frames=2)
    assert (dark.side.hint, dark.tiles[4].outline) == (None, False)
    free = scene(*CHOICE, hint=28)
    assert (free.side.hint, free.tiles[3].outline) == (28, True)


@pytest.mark.parametrize(("players", "mark"), [(0, ""), (1, "x"), (2, "2o")])
def test_between_the_squares_is_the_mark_of_the_person_or_of_who_is_to_move(players, mark):
    assert scene(40, players=players).mark == mark
