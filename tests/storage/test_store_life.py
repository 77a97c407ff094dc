"""A long life of the store, against a plain model."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from store_world import EMPTY, GAME, MEMORY, WON, World, after, close_all, keep

from appliance.core.events import Save
from appliance.core.resume import restore
from appliance.core.settings import Scores, Settings, Tally
from appliance.core.state import Session
from appliance.storage import database, faults

SAVES = [
    after(),
    after(4),
    after(4, 0),
    after(4, 0, 8, human="o"),
    after(*(0, 1, 2, 3, 5, 4, 6), rule="misere"),
    after(*(0, 1, 3, 4, 8, 2, 5), rule="vanishing"),
]


class Life(RuleBasedStateMachine):
    """Saves, finished games, syncs, cuts, restarts, full disks: what is found is what was kept last."""

    def __init__(self):
        super().__init__()
        self.home = tempfile.TemporaryDirectory(dir=MEMORY)
        self.world = World(Path(self.home.name) / "0")
        self.world.open()
        self.cuts = 0
        self.state, self.games = None, 0  # kept last, and finished
        self.disk_works = pytest.MonkeyPatch()
        self.broken = False

    def teardown(self):
        self.mend()
        self.world.store.close()
        self.home.cleanup()
        close_all()

    @rule(save=st.sampled_from(SAVES), level=st.sampled_from(["easy", "hard"]), turned=st.booleans())
    def move(self, save, level, turned):
        scores = self.state.scores if self.state else Scores()
        self.state = Save(save.match, scores, Settings(level=level, turned=turned))
        keep(self.world.store, self.state)

    @rule()
    def end_of_a_game(self):
        self.games += 1
        before = self.state or after()
        ended = Save(WON._replace(counted=True), Scores(Tally(self.games)), before.settings)
        self.world.store.save(Save(WON, before.scores, before.settings))
        self.world.store.save(ended)
        self.world.store.archive(GAME)
        self.world.store.sync()
        self.state = ended._replace(match=EMPTY)
        keep(self.world.store, self.state)

    @rule(seconds=st.floats(0, 100))
    def time_goes_by(self, seconds):
        self.world.time += seconds
        due = self.world.store.due()
        if due is not None and due <= self.world.time:
            self.world.store.service(self.world.time)

    @precondition(lambda self: not self.broken)
    @rule()
    def the_disk_breaks(self):
        def fail(*_):
            raise faults.Unusable("No space left on device")

        self.disk_works.setattr(database.Database, "write", fail)
        self.broken = True

    @precondition(lambda self: self.broken)
    @rule()
    def mend(self):
        self.disk_works.undo()
        self.broken = False
        self.world.heal()

    @precondition(lambda self: not self.broken)
    @rule(how=st.sampled_from(["kill", "power", "stop"]))
    def restart(self, how):
        """Begin again with the files as they are, as the last sync left them, or closed."""
        if how == "kill":
            self.cuts += 1
            copy = self.world.copied(Path(self.home.name) / str(self.cuts))
            copy.time, copy.wall = self.world.time, self.world.wall
            self.world.store.cut()
            self.world = copy
        elif how == "power":
            self.world.store.cut()
        else:
            self.world.store.close()
        kept = self.world.open().load()
        if self.state is None:
            assert kept is None
        else:
            assert kept.match._replace(started=None) == self.state.match
            session = restore(Session(EMPTY), kept)
            assert (session.scores, session.settings) == (self.state.scores, self.state.settings)

    @invariant()
    def every_game_is_there_once(self):
        if not self.broken:
            assert [one.number for one in self.world.played()] == list(range(1, self.games + 1))

    @invariant()
    def the_badge_is_shown_while_nothing_is_saved(self):
        conditions = self.world.conditions()
        assert (self.world.store._database is None) == (conditions[-1:] == [("unsaved", True)])


TestLife = pytest.mark.untraced(Life.TestCase)
TestLife.settings = hypothesis_settings(max_examples=30, stateful_step_count=25, deadline=None)
