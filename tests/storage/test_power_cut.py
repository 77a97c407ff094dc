"""The plug is pulled at any moment: the box comes back with the board, score and settings that it showed."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.config import Config
from appliance.core import effects as fx
from appliance.core.match import Match
from appliance.core.settings import Scores, Settings, Tally
from appliance.simulator.virtual import VirtualBox

MENUS = ([5], [2], [4, 1, 5, 5], [4, 9, 5, 5], [6, 2, 5, 5], [6, 8, 5, 5], [8, 3, 5, 5], [8, 1, 5, 5], [1])
ACTION = st.one_of(
    st.tuples(st.just("press"), st.integers(0, 8), st.floats(0.0, 0.3)),
    st.tuples(st.just("press"), st.integers(0, 8), st.floats(0.0, 0.3)),
    st.tuples(st.just("wait"), st.sampled_from([0.1, 0.5, 2.0, 700.0])),
    st.tuples(st.just("menu"), st.sampled_from(MENUS)),
    st.tuples(st.just("cut")),
    st.tuples(st.just("cut")),
)


def kept(box):
    session = box.session
    match = session.match
    return (match.rule, match.human, match.moves, match.counted, session.scores, session.settings)


def whose(box):
    return box.session.match.game.to_move, box.session.match.over


@pytest.mark.untraced
@settings(max_examples=40)
@given(
    st.sampled_from(["classic", "misere", "vanishing"]),
    st.sampled_from([0, 1, 2]),
    st.integers(0, 99),
    st.lists(ACTION, max_size=12),
)
def test_nothing_that_was_shown_is_lost(rule, players, seed, actions):
    with tempfile.TemporaryDirectory() as directory:
        box = VirtualBox(Config(Settings(rule=rule, players=players)), seed, Path(directory))
        for action, *arguments in [*actions, ("cut",)]:
            match action:
                case "press":
                    key, seconds = arguments
                    box.desk.network.press(key)
                    box.wait(seconds)  # perhaps cut while the finger is still down
                    if seconds < 0.2:
                        box.desk.network.release(key)
                        box.wait(0.06)
                case "wait":
                    box.wait(arguments[0])
                case "menu":
                    box.tap(4, 1.1)
                    for key in arguments[0]:
                        box.tap(key - 1)
                case "cut":
                    before, turn = kept(box), whose(box)
                    box.power_cut()
                    assert not box.lit
                    box.wait(3)
                    for key in range(9):
                        box.desk.network.release(key)
                    box.power_on()
                    after = kept(box)
                    if before[3] is False and after[3] is True:
                        # It had ended with the last mark, and is counted now.
                        assert before[2] == after[2]
                    else:
                        assert after == before
                    assert whose(box) == turn
                    assert box.lit
        box.power_cut()


def test_a_file_that_is_damaged_is_told_on_the_display_until_a_game_is_kept():
    with tempfile.TemporaryDirectory() as directory:
        box = VirtualBox(Config(Settings(players=2)), 0, Path(directory))
        box.tap(0)
        box.power_cut()
        for path in Path(directory).iterdir():
            header = path.read_bytes()[:100]
            path.write_bytes(header + b"\xff" * (path.stat().st_size - len(header)))
        box.power_on()
        box.wait(1)
        assert box.session.badges == ("damaged",)
        assert box.session.board == "........."
        for key in (0, 3, 1, 4, 2):
            box.tap(key)
        box.wait(1)
        assert box.session.badges == ()
        box.power_cut()
        aside = [path.name for path in Path(directory).iterdir() if "damaged" in path.name]
        assert aside


def test_the_settings_that_the_configuration_has_changed_since_are_the_configurations():
    with tempfile.TemporaryDirectory() as directory:
        config = Config(Settings(level="easy"))
        box = VirtualBox(config, 0, Path(directory))
        box.tap(4, 1.1)
        for key in (4, 3):  # level: hard
            box.tap(key - 1)
        box.power_cut()
        box.power_on()
        assert box.session.settings.level == "hard"
        box.power_cut()
        edited = VirtualBox(Config(), 0, Path(directory))
        assert edited.session.settings.level == "perfect"
        edited.power_cut()


def test_a_cut_tidies_nothing_up():
    """Closing SQLite would copy the log into the database and remove it; a power cut does not."""
    with tempfile.TemporaryDirectory() as directory:
        box, state = VirtualBox(Config(Settings(players=2)), 0, Path(directory)), Path(directory)
        box.tap(0)
        before = {file.name: file.read_bytes() for file in state.iterdir()}
        box.power_cut()
        after = {file.name: file.read_bytes() for file in state.iterdir()}
        assert sorted(after) == ["tictactoe.db", "tictactoe.db-wal"]  # the log's index is in memory
        assert all(before[name] == data for name, data in after.items())
        assert after["tictactoe.db-wal"]
        box.power_on()
        assert box.session.board == "x........"
        box.power_cut()


def test_what_was_not_committed_is_gone_after_a_cut():
    with tempfile.TemporaryDirectory() as directory:
        box = VirtualBox(Config(Settings(players=2)), 0, Path(directory))
        box.tap(0)
        box._store.save(fx.Save(Match.new("classic", "o"), Scores(Tally(9)), box.session.settings))
        box.power_cut()
        box.power_on()
        assert (box.session.board, box.session.scores) == ("x........", Scores())
        box.power_cut()
