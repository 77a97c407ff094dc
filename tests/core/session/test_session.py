"""The session's table, told in the stories that it was made for."""

import random

import pytest
from session_rig import feed, fresh, of, tap

from appliance.core.keys.key_events import Blocked, Chord, Hold, HoldProgress, Press, Release, Stuck, Tap
from appliance.core.session import events as fx
from appliance.core.session.events import Answer, Condition, Refused, StopSignal, Timeout, Timer
from appliance.core.session.match import Match
from appliance.core.session.settings import Options, Record, Scores, Settings, Tally
from appliance.core.session.state import NOTICE_SECONDS, READING_SECONDS, EngineRequest, Notice, Page, Phase
from appliance.core.session.transitions import begin, step
from appliance.core.session.view import view
from appliance.service.threads import answer
from engine import LEVELS, RULES, SOLVED, Belief, adaptive, people


def test_the_answer_waits_for_the_pause_and_the_pause_for_the_answer():
    thinking, effects = feed(fresh(), Press(1.0, 0), Tap(1.06, 0))
    assert effects[-1] == fx.Arm(Timer.PAUSE, pytest.approx(0.34)), "it counts from the press"
    early, _ = feed(thinking, Answer(1.1, thinking.request.job, 4))
    assert early.board == "x........"
    early, _ = feed(early, Timeout(1.4, Timer.PAUSE))
    late, _ = feed(thinking, Timeout(1.4, Timer.PAUSE))
    assert late.board == "x........"
    late, _ = feed(late, Answer(2.0, late.request.job, 4))
    assert early.board == late.board == "x...o...."
    assert early.phase is late.phase is Phase.YOUR_TURN
    # Without a pause the answer is shown at once.
    session, effects = feed(fresh(options=Options(pause=0.0)), Press(1.0, 0), Tap(1.06, 0))
    assert not [effect for effect in of(fx.Arm, effects) if effect.timer == Timer.PAUSE]
    assert feed(session, Answer(1.1, session.request.job, 4))[0].board == "x...o...."


def test_a_press_while_the_box_thinks_is_no_move_and_flashes_until_the_box_has_answered():
    session, _ = feed(fresh(), Press(1.0, 0), Tap(1.06, 0), Press(1.1, 8))
    assert (session.notice, view(session).scene.headline) == (Notice("", 8), "My turn")
    session, _ = feed(session, Tap(1.16, 8), Press(1.18, 7), Answer(1.2, session.request.job, 4))
    session, _ = feed(session, Timeout(1.4, Timer.PAUSE), Tap(1.45, 7))
    assert (session.notice.cell, session.board, session.phase) == (None, "x...o....", Phase.YOUR_TURN)


ON_THE_WAY = feed(fresh(), Press(1.0, 4), HoldProgress(1.5, 4, 0.5))[0]
TAKEN = feed(fresh(players=2), Press(1.0, 0), Tap(1.06, 0), Press(2.0, 0))[0]
DIMMED = feed(fresh(), Timeout(60.0, Timer.DIM))[0]
ASLEEP = feed(fresh(), Timeout(600.0, Timer.OFF))[0]
NO_KEYS = fresh()._replace(badges=("keys",))
HINTING = fresh((0, 4))._replace(request=EngineRequest(7, hinting=True))
OVER = fresh((0, 3, 1, 4, 2))
MENU = fresh()._replace(phase=Phase.MENU, page=Page.MAIN, pressed=3)
LEAVING = fresh()._replace(phase=Phase.LEAVING, goodbye="goodbye_off")
LOSING = begin(fresh()._replace(match=Match.replay("classic", "o", (0, 3, 1, 4))), 1.0)[0]
LAST = (Press(1.2, 8), Answer(1.3, LOSING.request.job, 2), Timeout(1.4, Timer.PAUSE))
LOST = feed(LOSING, *LAST)[0]
STORIES = {  # a session, the events, some of the fields afterwards, and one of the effects
    "a press places a mark, whose answer waits for its end": (
        fresh(), (Press(1.0, 0),), {"board": "x........", "phase": Phase.PLACED}, fx.Beep("press")),
    "where the box plays itself a press flashes nothing: a tap starts a game": (
        fresh(players=0), (Press(1.0, 8),), {"notice": Notice()}, None),
    "a taken cell flashes and says so": (
        TAKEN, (), {"notice": Notice("taken", 0), "board": "x........"}, None),
    "a refusal sounds": (TAKEN, (Tap(2.1, 0), Press(2.2, 0)), {}, fx.Beep("refuse")),
    "its one word is shown for a shorter time than a sentence": (
        TAKEN, (Tap(2.1, 0), Press(2.2, 0)), {}, fx.Arm(Timer.NOTICE, NOTICE_SECONDS)),
    "the next mark takes the word away": (
        TAKEN, (Tap(2.1, 0), Press(2.2, 1)), {"notice": Notice(), "board": "xo......."}, None),
    "a press ends the wait for a hint": (
        HINTING, (Press(1.0, 0), Answer(1.1, 7, 8)), {"hint": None, "notice": Notice("taken", 0)}, None),
    "what was said goes after a while": (
        TAKEN, (Tap(2.1, 0), Timeout(3.2, Timer.NOTICE)), {"notice": Notice()}, None),
    "the centre is a mark at once, and stays one on its way to a hold": (
        ON_THE_WAY, (), {"board": "....x....", "progress": 0.5}, None),
    "the centre let go of is a move": (
        ON_THE_WAY, (Tap(1.8, 4),),
        {"board": "....x....", "phase": Phase.THINKING, "progress": None, "awaits": False}, None),
    "the centre held is taken back": (
        ON_THE_WAY, (Hold(2.0, 4),), {"board": ".........", "phase": Phase.MENU, "page": Page.MAIN}, None),
    "two keys at once are no move": (
        fresh(), (Press(1.0, 0), Chord(1.01, (0, 8))),
        {"board": ".........", "phase": Phase.YOUR_TURN, "notice": Notice("one_key")},
        fx.Arm(Timer.NOTICE, READING_SECONDS)),
    "nor is a chord a choice in the menu": (
        MENU, (Chord(3.01, (3, 4)),), {"phase": Phase.MENU, "page": Page.MAIN, "pressed": None}, None),
    "nor anything but the end of a press when nothing can be played": (
        OVER._replace(pressed=4, progress=0.5), (Chord(1.0, (4, 8)),),
        {"phase": Phase.GAME_OVER, "pressed": None, "progress": None}, None),
    "the box wins": (LOSING, LAST, {"phase": Phase.GAME_OVER}, fx.Beep("loss")),
    "a tap that began before the end starts no game": (
        LOST, (Tap(1.5, 8),),
        {"phase": Phase.GAME_OVER,
         "scores": Scores(
             Tally(second=1), beliefs={"classic": LOST.match.believed(Belief()).ended("loss")},
             records={"adaptive": Record(lost=1)})},
        None),
    "the next tap does": (
        LOST, (Press(2.0, 8), Tap(2.1, 8)), {"board": ".........", "phase": Phase.YOUR_TURN}, None),
    "a condition begins": (
        fresh(), (Condition(0.0, "unsaved", on=True),), {"badges": ("unsaved",)}, None),
    "stuck keys of a box that stands upside down are counted as it stands": (
        fresh(turned=True), (Stuck(0.0, (0, 1, 5)),), {"stuck": (3, 7, 8)}, None),
    "and so are those that block a press": (
        fresh(turned=True), (Blocked(2.0, (0, 1)),), {"notice": Notice("held_keys", keys=(7, 8))}, None),
    "a display goes dark": (fresh(), (Timeout(600.0, Timer.OFF),), {"lit": False}, None),
    "but not while no key can be read, since no press could light it again": (
        NO_KEYS, (Timeout(600.0, Timer.OFF),), {"lit": True}, fx.Arm(Timer.OFF, 600.0)),
    "nor does it stay dark then": (
        ASLEEP, (Condition(700.0, "keys", on=True),), {"lit": True}, None),
    "a card that cannot be written lights nothing": (
        ASLEEP, (Condition(700.0, "unsaved", on=True),), {"lit": False, "badges": ("unsaved",)}, None),
    "a press wakes it": (ASLEEP, (Press(700.0, 0),), {"lit": True}, None),
    "and does nothing else": (
        ASLEEP, (Press(700.0, 0), Tap(700.1, 0)), {"board": ".........", "phase": Phase.YOUR_TURN}, None),
    "a press counts on a dim display and brightens it": (
        DIMMED, (Press(61.0, 0),), {"board": "x........", "dimmed": False}, None),
    "the goodbye says that the game does not run": (
        fresh(), (StopSignal(1.0),), {"phase": Phase.ENDED, "goodbye": "goodbye_stop"}, fx.Quit()),
    "or that the machine goes off": (LEAVING, (StopSignal(1.0),), {"goodbye": "goodbye_off"}, fx.Quit()),
    "a machine that stays on plays on": (
        LEAVING, (Refused(1.0, "would_power_off"),),
        {"phase": Phase.YOUR_TURN, "notice": Notice("would_power_off")}, None),
    "and dims, sleeps and drifts again, though these timers ran out meanwhile": (
        LEAVING, (Timeout(1.0, Timer.DRIFT), Timeout(20.0, Timer.LEAVE)), {}, fx.Arm(Timer.DRIFT, 60.0)),
}  # fmt: skip


@pytest.mark.parametrize(("session", "events", "expected", "effect"), STORIES.values(), ids=STORIES)
def test_stories(session, events, expected, effect):
    session, effects = feed(session, *events)
    assert {name: getattr(session, name) for name in expected} == expected
    assert effect is None or repr(effect) in map(repr, effects)


@pytest.mark.parametrize(("settings", "helped", "changed"), [
    ({}, False, True), ({}, True, False), ({"level": "easy"}, False, False), ({"players": 2}, False, False),
    ({"players": 0}, False, False),
])  # fmt: skip
def test_only_a_game_against_the_adaptive_box_without_help_changes_what_it_believes(
    settings, helped, changed
):
    beliefs = {"classic": Belief(4), "misere": Belief(1)}
    lost = LOST._replace(
        match=LOST.match._replace(counted=False, helped=helped),
        settings=Settings(**settings),
        scores=Scores(beliefs=beliefs),
    )
    session, _ = begin(lost, 1.0)
    expected = lost.match.believed(Belief(4)).ended("loss") if changed else Belief(4)
    assert session.scores.beliefs == beliefs | {"classic": expected}, "and only by that rule"
    assert expected.losses == 4 + changed
    assert session.saved.scores == session.scores
    again, _ = begin(session, 2.0)
    assert again.scores == session.scores


def test_the_engine_follows_the_moves_of_a_person_and_no_others():
    moves = (0, 4, 1, 2, 8, 3)  # x does not block
    session = fresh(moves)
    assert session.match.believed(Belief()).weights != Belief().weights
    thinks = [of(fx.Think, tap(fresh(moves, **settings), 6)[1]) for settings in ({}, {"level": "hard"})]
    assert [[think.level for think in found] for found in thinks] == [[Belief()], [LEVELS["hard"]]]
    watched, effects = begin(fresh(moves)._replace(settings=Settings(players=0)), 1.0)
    assert of(fx.Think, effects)[0].level == watched.level == adaptive(Belief().strength("classic"))
    helped = session.match._replace(helped=True)
    assert helped.believed(Belief(2)) == Belief(2), "moves after help show nothing"


def test_a_finished_game_is_counted_once_kept_and_followed_by_the_next():
    session, _ = tap(fresh(players=2), 1, 4, 2, 5)
    session, effects = feed(session, Press(9.0, 2), Tap(9.06, 2))
    assert session.phase is Phase.GAME_OVER
    assert (session.scores.pair.first, session.scores.box.first) == (1, 0)
    game = of(fx.Archive, effects)[0].game
    assert (game.result, game.moves, game.seconds) == ("x", (0, 3, 1, 4, 2), pytest.approx(8.06))
    session, _ = feed(session, Press(10.0, 5), Tap(10.06, 5))
    assert (session.board, session.phase) == (".........", Phase.YOUR_TURN)


def test_a_game_that_had_ended_uncounted_when_the_power_went_is_counted_at_start_and_only_then():
    session = fresh()._replace(match=Match.replay("classic", "x", (0, 3, 1, 4, 2)))
    for archived in (1, 0):
        session, effects = begin(session, 5.0)
        assert (session.scores.box.first, len(of(fx.Archive, effects))) == (1, archived)
    session, _ = tap(session, 1)
    assert (session.match.human, session.phase) == ("o", Phase.THINKING), "who begins alternates"


def test_a_dimmed_display_has_the_lowest_contrast():
    assert (view(DIMMED).light.contrast, view(fresh()).light.contrast) == (1, 207)


def test_the_board_names_the_rule_of_its_own_game():
    session = fresh()._replace(match=Match.replay("misere", "x", (0, 4)))
    assert view(session).scene.notes == ("Three in a row loses", "Adaptive")
    session = fresh(rule="misere")._replace(match=Match.replay("classic", "x", (0, 4)))
    assert view(session).scene.notes == ("Adaptive",)


def test_where_both_place_the_same_mark_the_words_show_it(monkeypatch):
    monkeypatch.setitem(RULES, "classic", RULES["classic"]._replace(alike=True))
    assert view(fresh((0,))).scene.mark == "x"
    assert view(fresh((0,), players=2)).scene.mark == "2x"
    hinted = view(fresh((0,), "o")._replace(hint=4)).scene
    assert (hinted.mark, hinted.tiles[4].glyph) == ("x", "x")
    assert view(fresh((0, 3, 1, 4, 8, 5), "x")).scene.mark == "x"  # o has won


DRAWN = (0, 1, 4, 8, 2, 6, 7, 3, 5)
VANISHING = (0, 1, 2, 3, 4, 5)  # the next move removes the first mark


@pytest.mark.parametrize(("settings", "moves", "human", "notes"), [
    ({"rule": "misere"}, (0, 3, 1, 4, 2), "x", ("Three in a row loses", "Play again?", "Adaptive")),
    ({"rule": "misere"}, DRAWN, "x", ("Three in a row loses", "Play again?", "Adaptive")),
    ({"first": "alternate"}, (0, 3, 1, 4, 2), "x", ("Play again?", "Box starts", "Adaptive")),
    ({"first": "alternate"}, (0, 3, 1, 4, 8, 5), "o", ("Play again?", "You start", "Adaptive")),
    ({"first": "you", "players": 2}, (0, 3, 1, 4, 2), "x", ("Play again?", "❷ starts")),
    ({"first": "box", "players": 2}, (0, 3, 1, 4, 2), "o", ("Play again?", "❶ starts")),
    ({"rule": "vanishing"}, VANISHING[:5], "o", ("Three marks each", "Adaptive")),
    ({"rule": "vanishing"}, VANISHING, "x", ("The oldest goes", "Adaptive")),
])  # fmt: skip
def test_the_words_say_why_a_game_ended_who_begins_next_and_which_mark_goes(settings, moves, human, notes):
    assert view(fresh(moves, human, **{"first": "you", **settings})).scene.notes == notes


PLACED = fresh((0,))._replace(phase=Phase.PLACED, pressed=0)
DEMO_ON = fresh()._replace(phase=Phase.DEMO, demo=Match.new("classic", "x"))


@pytest.mark.parametrize(("session", "event"), [
    *((fresh()._replace(phase=phase), Blocked(2.0, (1,))) for phase in (Phase.LEAVING, Phase.ENDED)),
    (PLACED, Tap(1.0, 5)), (PLACED, Hold(1.0, 5)), (PLACED, HoldProgress(1.0, 0, 0.5)),
    (MENU, Tap(1.0, 3)), (MENU, Release(1.0, 5, soon=True)), (MENU, Hold(1.0, 4)), (fresh(), Hold(1.0, 4)),
    (fresh((), "o"), Answer(1.0, 1, 99)), (fresh((), "o"), Answer(1.0, 99, 4)),
    (HINTING, Answer(1.0, 6, 8)), (HINTING, Answer(1.0, 7, 4)),
    (DEMO_ON, Answer(1.0, 99, 4)), (DEMO_ON, Answer(1.0, DEMO_ON.request.job, 9)),
    (OVER, Tap(1.0, 5)), (OVER, Timeout(1.0, Timer.NEXT)),
    (OVER._replace(frames=0), Timeout(1.0, Timer.FRAME)),
    (fresh(), Timeout(1.0, Timer.NOTICE)), (fresh(), Stuck(1.0, ())),
    (fresh()._replace(badges=("unsaved",)), Condition(1.0, "unsaved", on=True)),
])  # fmt: skip
def test_an_event_that_does_not_fit_changes_nothing(session, event):
    assert step(session, event) == (session, ())


@pytest.mark.parametrize("rule", SOLVED)
def test_the_box_looks_at_a_persons_moves_while_it_thinks_and_hardly_when_the_game_ends(rule, monkeypatch):
    """The main thread keeps the display and the keys: at most the last move is left to it."""
    people.evidence.cache_clear()
    looks, search = [], people.search
    monkeypatch.setattr(
        people, "search", lambda *args, **kwargs: looks.append(args) or search(*args, **kwargs)
    )
    chance, thought = random.Random(rule), 0
    for _ in range(6):
        session, inside = fresh(rule=rule), 0
        while session.phase is not Phase.GAME_OVER:
            before = len(looks)
            session, effects = tap(session, chance.choice(list(session.match.game.moves())) + 1)
            inside, before = inside + len(looks) - before, len(looks)
            for think in of(fx.Think, effects):
                reply = answer(think, chance, None, 5.0)
                thought, before = thought + len(looks) - before, len(looks)
                session, _ = feed(session, reply, Timeout(6.0, Timer.PAUSE))
                inside += len(looks) - before
        assert inside <= 1
    assert thought > 0
