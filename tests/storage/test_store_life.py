"""A long life of the store, against a plain model."""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from store_world import EMPTY, GAME, MEMORY, WON, World, after, close_all

from appliance.core.effects import Save
from appliance.core.resume import restore
from appliance.core.settings import Scores, Settings, Tally
from appliance.core.state import Session
from appliance.storage import database, faults

MATCHES = [
    after().match,
    after(4).match,
    after(4, 0).match,
    after(4, 0, 8, human="o").match,
    after(*(0, 1, 2, 3, 5, 4, 6), rule="misere").match,
    after(*(0, 1, 3, 4, 8, 2, 5), rule="vanishing").match,
]


class Life(RuleBasedStateMachine):
    """Saves, finished games, syncs, cuts, restarts, full disks: what is found is what was last kept.

    `self.state` is what the box was last told to keep, `self.games` the games that it finished.
    """

    @initialize()
    def first_start(self):
        self.home = tempfile.TemporaryDirectory(dir=MEMORY)
        self.world = World(Path(self.home.name) / "0")
        self.cuts = 0
        self.state, self.games, self.broken = None, 0, False
        self.store = self.world.open()

    def teardown(self):
        if hasattr(self, "store"):
            self.mend()
            self.store.close()
            self.home.cleanup()
            close_all()

    @rule(match=st.sampled_from(MATCHES), level=st.sampled_from(["easy", "hard"]), turned=st.booleans())
    def move(self, match, level, turned):
        scores = self.state.scores if self.state else Scores()
        self.state = Save(match, scores, Settings(level=level, turned=turned))
        self.store.save(self.state)
        self.store.sync()

    @rule()
    def end_of_a_game(self):
        self.games += 1
        settings = self.state.settings if self.state else Settings()
        self.store.save(Save(WON, self.state.scores if self.state else Scores(), settings))
        self.state = Save(WON._replace(counted=True), Scores(Tally(self.games)), settings)
        self.store.save(self.state)
        self.store.archive(GAME)
        self.store.sync()
        self.store.save(self.state._replace(match=EMPTY))
        self.store.sync()
        self.state = self.state._replace(match=EMPTY)

    @rule(seconds=st.floats(0, 100))
    def time_goes_by(self, seconds):
        self.world.time += seconds
        self.store.sync()
        due = self.store.due()
        if due is not None and due <= self.world.time:
            self.store.service(self.world.time)

    @precondition(lambda self: not self.broken)
    @rule()
    def the_disk_breaks(self):
        self.real, self.broken = database.Database.write, True

        def fail(*_, **__):
            raise faults.Unusable("No space left on device")

        database.Database.write = fail

    @precondition(lambda self: self.broken)
    @rule()
    def mend(self):
        if self.broken:
            database.Database.write, self.broken = self.real, False
            self.settle()

    def settle(self):
        while self.store.due() is not None:
            self.world.time = max(self.world.time, self.store.due())
            self.store.service(self.world.time)

    @precondition(lambda self: not self.broken)
    @rule(how=st.sampled_from(["kill", "power", "stop"]))
    def restart(self, how):
        """Begin again with the files as they lie there: as they are, as the last sync left them, closed."""
        if how == "kill":
            self.cuts += 1
            copy = World(Path(self.home.name) / str(self.cuts))
            shutil.copytree(self.world.path, copy.path)
            copy.time = self.world.time
            self.store.cut()
            self.world = copy
        elif how == "power":
            self.store.cut()
        else:
            self.store.close()
        self.store = self.world.open()
        kept = self.store.load()
        if self.state is None:
            assert kept is None
        else:
            assert kept.match._replace(started=None) == self.state.match
            assert kept.scores == self.state.scores
            found = restore(Session(EMPTY), kept)
            assert found.settings == self.state.settings

    @invariant()
    def every_game_is_there_once(self):
        if hasattr(self, "store") and not self.broken:
            assert [one.number for one in self.world.played()] == list(range(1, self.games + 1))

    @invariant()
    def the_badge_tells_the_truth(self):
        if hasattr(self, "store") and self.broken and self.store._database is None:
            assert ("unsaved", True) in self.world.conditions()


TestLife = pytest.mark.untraced(Life.TestCase)
TestLife.settings = hypothesis_settings(max_examples=60, stateful_step_count=25, deadline=None)
