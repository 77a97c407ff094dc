"""The plug is pulled at any moment: the box comes back with the board, score and settings that it showed."""

import tempfile
from pathlib import Path

import pytest
from effort import amount
from hypothesis import given, settings
from hypothesis import strategies as st
from store_world import MEMORY, World

from appliance.config.schema import Config
from appliance.core.session.settings import Scores, Settings
from appliance.simulator.virtual import VirtualBox
from appliance.storage.database import NAME

# Keys, counted from 1.
MENUS = ([5], [2], [4, 1, 5, 5], [9, 3, 5, 5], [6, 2, 5, 5], [6, 8, 5, 5], [8, 3, 5, 5], [8, 1, 5, 5], [1])
ACTIONS = st.one_of(
    st.tuples(st.sampled_from(["tap", "tap", "press", "release"]), st.integers(0, 8)),
    st.tuples(st.just("wait"), st.sampled_from([0.01, 0.1, 0.5, 2.0, 70.0])),
    st.tuples(st.just("menu"), st.sampled_from(MENUS)),
    st.just(("cut",)),  # perhaps while the finger is still down
)


def cut(box):
    """Cut the power, and check that nothing is lost."""
    before = box.session
    box.power_cut()
    assert not box.lit
    box.wait(3)
    for key in range(9):
        box.hardware.network.release(key)
    box.power_on()
    after = box.session
    if before.match.counted or not after.match.counted:  # else the last mark's game is counted only now
        assert (after.scores, after.match.counted) == (before.scores, before.match.counted)
    for one in "rule", "human", "moves", "over":
        assert getattr(after.match, one) == getattr(before.match, one)
    assert (after.settings, after.match.game.to_move) == (before.settings, before.match.game.to_move)
    assert box.lit


@pytest.mark.more
@settings(max_examples=amount(6, 40))
@given(
    st.sampled_from(["classic", "misere", "vanishing"]),
    st.sampled_from([0, 1, 2]),
    st.integers(0, 99),
    st.lists(ACTIONS, max_size=8),
)
def test_nothing_that_was_shown_is_lost(rule, players, seed, actions):
    with tempfile.TemporaryDirectory(dir=MEMORY) as directory:
        box = VirtualBox(Config(Settings(rule=rule, players=players)), seed, Path(directory))
        for action, *arguments in actions:
            if action == "cut":
                cut(box)
            elif action == "menu":
                box.tap(4, 1.1)
                for key in arguments[0]:
                    box.tap(key - 1)
            else:
                getattr(box, action)(*arguments)
        cut(box)
        box.power_cut()


def test_a_damaged_file_is_shown_as_a_badge_until_a_game_is_kept(memory):
    box = VirtualBox(Config(Settings(players=2)), 0, memory)
    box.tap(0)
    box.power_cut()
    (memory / NAME).write_text("text")
    (memory / f"{NAME}-wal").unlink()
    box.power_on()
    box.wait(20)
    assert (box.session.badges, box.session.board) == (("damaged",), "x........")
    for key in (3, 1, 4, 2):
        box.tap(key)
    box.wait(1)
    assert box.session.badges == ()
    box.power_cut()


def test_a_cut_leaves_the_files_as_they_are(memory):
    """Closing SQLite would copy the log into the database and remove it; a power cut does not."""
    box = VirtualBox(Config(Settings(players=2)), 0, memory)
    box.tap(0)
    before = World(memory).files()
    box.power_cut()
    after = World(memory).files()
    names = "tictactoe-2.db", "tictactoe-2.db-wal", "tictactoe.db", "tictactoe.db-wal"
    assert tuple(sorted(after)) == names  # the logs' indexes are in memory
    assert all(before[name] == data for name, data in after.items())
    assert after["tictactoe.db-wal"]
    box.power_on()
    assert (box.session.board, box.session.scores) == ("x........", Scores())
    box.power_cut()
