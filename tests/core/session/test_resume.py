"""What a box saves, and how its session continues from that."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.session.events import Saved
from appliance.core.session.form import form_of_rule
from appliance.core.session.match import Finished, Match, next_match
from appliance.core.session.play import resume
from appliance.core.session.resume import Choice, Kept, restore, saved_choices
from appliance.core.session.settings import ALLOWED, LEVEL_NAMES, Options, Record, Scores, Settings, Tally
from appliance.core.session.state import BoxFacts, Session
from appliance.storage import rows
from appliance.storage.rows import EARLIEST, Played, State
from engine import KINDS, RULES, Belief

COUNTS = st.integers(0, 10**6)
TALLIES = st.builds(Tally, COUNTS, COUNTS, COUNTS)
DEFAULTS = Settings()._asdict().items()
VALUES = {name: st.sampled_from([type(value)(one) for one in ALLOWED[name]]) for name, value in DEFAULTS}
SETTINGS = st.builds(Settings, **VALUES)
RECORDS = st.builds(Record, st.integers(1, 10**6), COUNTS, COUNTS, COUNTS, COUNTS)
WEIGHTS = st.lists(st.integers(0, 10_000), min_size=len(KINDS), max_size=len(KINDS)).filter(any).map(tuple)
SCORES = st.builds(
    Scores, TALLIES, TALLIES,
    st.dictionaries(st.sampled_from(list(RULES)), st.builds(Belief, COUNTS, WEIGHTS)),
    st.dictionaries(st.sampled_from(LEVEL_NAMES), RECORDS), TALLIES,
)  # fmt: skip
TIMES = st.floats(0, 1e6)


@st.composite
def matches(draw):
    match = Match.new(draw(st.sampled_from(list(RULES))), draw(st.sampled_from("xo")))
    for _ in range(draw(st.integers(0, 12))):
        if match.over:
            break
        match = match.play(draw(st.sampled_from(list(match.game.moves()))), 3.0)
    return match._replace(counted=match.over and draw(st.booleans()), helped=draw(st.booleans()))


def session(**settings):
    chosen = Settings(**settings)
    return Session(Match.new(chosen.rule, "x"), chosen)


def kept(before, then, match=None):
    """Return what a box saves that was configured as `before`, then changed in the menu to `then`."""
    return Kept(match or Match.new(then.rule, "x"), Scores(), saved_choices(then, before))


def as_stored(row):
    """Return a row as SQLite has it: without truth values."""
    return tuple(int(value) if isinstance(value, bool) else value for value in row)


@given(matches(), SCORES, SETTINGS, SETTINGS, TIMES, TIMES)
def test_what_is_packed_comes_out_again_on_another_clock(match, scores, chosen, configured, before, after):
    match = match._replace(started=before if match.moves else None)
    state = rows.pack_state(Saved(match, scores, chosen), configured, before + 10.0)
    found = rows.unpack_state(state._replace(settings=tuple(map(as_stored, state.settings))), after)
    assert (found.match.moves, found.match.game) == (match.moves, match.game)
    assert found.match.started == (pytest.approx(after - 10.0) if match.moves else None)
    assert found.match._replace(started=None) == match._replace(started=None)
    assert found.scores == scores
    again = restore(Session(Match.new(configured.rule, "x"), configured), found)
    assert again.settings == chosen
    assert [type(value) for value in again.settings] == [type(value) for _, value in DEFAULTS]


def test_a_display_without_room_for_nine_boards_begins_a_new_game_and_keeps_the_score():
    chosen, score = Settings(rule="ultimate", level="easy"), Scores(Tally(1, 2, 3))
    played = kept(Settings(), chosen, Match.replay("ultimate", "o", (44, 72)))._replace(scores=score)
    found = restore(session(first="you")._replace(box=BoxFacts(small=True)), played)
    assert (found.match, found.scores) == (next_match(Settings()), score)
    assert found.settings == Settings(level="easy", first="you")
    assert restore(session(), played).match == played.match._replace(people=1)


@pytest.mark.parametrize(("before", "menu", "now", "expected"), [
    ("medium", "hard", "medium", "hard"),  # the menu overrides the configuration
    ("medium", "hard", "easy", "easy"),  # until the configuration changes
    ("medium", "medium", "easy", "easy"),
])  # fmt: skip
def test_the_menu_overrides_the_configuration_until_that_is_edited(before, menu, now, expected):
    found = restore(session(level=now), kept(Settings(level=before), Settings(level=menu)))
    assert found.settings.level == expected


@pytest.mark.parametrize("choice", [
    ("level", "godlike", "medium"), ("level", 3, "medium"), ("contrast", 256, 207),
    ("contrast", "bright", 207), ("players", 3, 1), ("sound", 2, 1), ("wallpaper", "roses", "none"),
])  # fmt: skip
def test_an_unknown_setting_or_value_is_left_to_the_configuration(choice):
    found = restore(session(), Kept(Match.new("classic", "o"), Scores(), (Choice(*choice),)))
    assert found.settings == Settings()
    assert found.match.human == "o"


@pytest.mark.parametrize("edit", [{"rule": "misere"}, {"first": "box"}, {"players": 2}])
def test_an_empty_board_is_set_up_again_when_the_configuration_was_edited(edit):
    configured = Settings(first="you")
    found = restore(session(**{"first": "you", **edit}), kept(configured, configured))
    assert found.match.rule == found.settings.rule
    assert found.match.human == ("o" if found.settings.first == "box" else "x")


@pytest.mark.parametrize("players", [1, 2, 0])
def test_a_game_does_not_count_if_the_configuration_has_others_go_on_with_it(players):
    match = Match.new("classic", "x").play(4)
    found = restore(session(players=players), kept(Settings(), Settings(), match))
    going_on, _ = resume(found, 0.0)
    assert (going_on.settings.players, going_on.match.helped) == (players, players != 1)


def test_a_game_in_progress_goes_on_by_its_own_rule():
    match = Match.new("misere", "o").play(4)
    found = restore(session(rule="vanishing"), kept(Settings(rule="misere"), Settings(rule="misere"), match))
    assert found.match == match._replace(people=1)
    assert found.settings.rule == "vanishing"
    # An empty board keeps its sides if nothing was edited.
    match = Match.new("classic", "o")
    found = restore(session(first="alternate"), kept(Settings(), Settings(), match))
    assert found.match == match._replace(people=1)


def test_an_exhibit_begins_as_configured_but_for_what_only_the_menu_sets():
    chosen = Settings(level="hard", rule="misere", contrast=1, language="pl", sound=False, turned=True)
    before = session(level="easy", language="de")._replace(options=Options(exhibit=True))
    found = restore(before, kept(before.settings, chosen, Match.new("classic", "x").play(4)))
    assert found == before._replace(settings=before.settings._replace(sound=False, turned=True))


GOOD = ("classic", "x", "519", 0, 1, *range(1, 10))


@pytest.mark.parametrize(("place", "value"), [
    (0, "checkers"), (0, None), (1, "z"), (2, "55"), (2, "50"), (2, "5a"), (2, 519), (2, b"519"),
    (3, 1), (3, 7), (4, 2), (5, -1), (6, 1.5), (10, "6"), (13, -1),  # (3, 1): counted, but not over
    (None, -1.0), (None, float("inf")), (None, float("nan")), (None, "3"), (None, 3),  # the duration
])  # fmt: skip
def test_rows_that_hold_no_game_are_refused(place, value):
    row = GOOD if place is None else (*GOOD[:place], value, *GOOD[place + 1 :])
    elapsed, message = (value, "duration") if place is None else (2.5, r"invalid|rule|counted|taken")
    with pytest.raises(ValueError, match=message):
        rows.unpack_state(State(row, elapsed, (), (), ()), 100.0)


WEIGHED = "1 2 3 4 5 6 7 8"


@pytest.mark.parametrize("row", [
    (b"classic", 3, WEIGHED), (None, 3, WEIGHED), ("checkers", 3, WEIGHED),
    *(("classic", losses, WEIGHED) for losses in (-1, 1.5, "1", None)),
    *(("classic", 3, weights) for weights in (
        "", "0 0 0 0 0 0 0 0", WEIGHED[:-2], f"{WEIGHED} 9", "1 2 3 4 5 6 7 -8", "1 2 3 4 5 6 7 800000",
        "1 2 3 4 5 6 7 8.0", f"{WEIGHED}\n", WEIGHED.encode(), 12345678,
    )),
])  # fmt: skip
def test_an_invalid_belief_or_record_begins_anew(row):
    records = (("hard", 1, 2, 3, 0, 1), ("easy", 1, 2, "3", 0, 1), ("perfect", 1, -2, 3, 0, 1))
    found = rows.unpack_state(State(GOOD, 2.5, (), records, (row, ("misere", 3, WEIGHED))), 100.0)
    assert found.scores.beliefs == {"misere": Belief(3, (1, 2, 3, 4, 5, 6, 7, 8))}
    assert found.scores.records == {"hard": Record(1, 2, 3, 0, 1)}
    assert found.match.moves == (4, 0, 8)


def test_a_belief_that_begins_anew_replaces_the_saved_one():
    learned = Scores(beliefs={"misere": Belief(2, (1,) * 8)})
    states = [
        rows.pack_state(Saved(Match.new("misere", "x"), scores, Settings()), Settings(), 0.0)
        for scores in (learned, Scores())
    ]
    assert {row[0] for row in states[1].beliefs} == set(RULES)
    assert rows.unpack_state(states[1], 0.0).scores.beliefs == {}


def test_when_the_card_comes_back_the_later_belief_of_each_rule_counts():
    early = {"classic": Belief(1), "misere": Belief(2)}
    late = {"classic": Belief(3), "vanishing": Belief(4)}
    earlier, state = (
        rows.pack_state(
            Saved(Match.new("classic", "x"), Scores(beliefs=beliefs), Settings()), Settings(), 0.0
        )
        for beliefs in (early, late)
    )
    found = rows.unpack_state(rows.merged(earlier, state, played=True), 0.0)
    assert found.scores.beliefs == early | late


@pytest.mark.parametrize("played", [False, True])
def test_whether_the_box_has_helped_stays_with_its_game_when_the_card_comes_back(played):
    watched, other = (
        rows.pack_state(Saved(match._replace(helped=helped), Scores(), Settings()), Settings(), 0.0)
        for match, helped in ((Match.new("classic", "x").play(0), True), (Match.new("misere", "x"), False))
    )
    for earlier, state in ((watched, other), (other, watched)):
        found = rows.unpack_state(rows.merged(earlier, state, played=played), 0.0).match
        assert found.helped == ((state if played else earlier) is watched)
        assert found.helped == (found.rule == "classic")


GAME = Played(7, EARLIEST, Finished("classic", "hard", 1, "o", (4, 0, 8), "draw", 12.5))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (1, "noon"),
        (2, "long"),
        (3, 5),
        (4, None),
        (5, 3),
        (6, "y"),
        (7, "0"),
        (7, None),
        (8, "z"),
        (9, 2),
        (10, 3),
    ],
)
def test_a_finished_game_is_restored_and_a_row_that_is_none_is_refused(place, value):
    row = rows.pack_game(GAME)
    assert (rows.unpack_game(row), row[7]) == (GAME, "519")
    with pytest.raises(ValueError, match="invalid"):
        rows.unpack_game((*row[:place], value, *row[place + 1 :]))


def test_a_game_on_nine_boards_is_restored_move_by_move():
    game = GAME._replace(game=GAME.game._replace(rule="ultimate", moves=(40, 36)))
    row = rows.pack_game(game)
    assert (rows.unpack_game(row), row[7]) == (game, "5551")
    with pytest.raises(ValueError, match="invalid"):
        rows.unpack_game((*row[:7], "555", *row[8:]))


@given(st.lists(st.integers(0, 8)).map(tuple))
def test_moves_are_kept_as_people_count_the_cells(moves):
    form = form_of_rule("classic")
    assert form.unpack(form.pack(moves)) == moves
    assert form.pack([0, 8]) == "19"


def test_a_clock_that_cannot_be_right_tells_no_time():
    assert rows.wall_time(EARLIEST + 0.9) == EARLIEST
    assert rows.wall_time(86_400.0) is None  # a Pi without a clock believes that it is 1970
    assert rows.wall_time(None) is None
