"""The database in its directory: used by one box at a time, and set aside for a new one when damaged."""

import logging
import os
from collections.abc import Callable
from pathlib import Path

from appliance.storage.database import Database, peek
from appliance.storage.directory import take
from appliance.storage.place import NAME, Damaged, Unwritable, faults, set_aside
from appliance.storage.records import State

log = logging.getLogger("tictactoe")

Accept = Callable[[State | None, int], None]
"""Takes what `Database.read` returns; raises `ValueError` when that cannot be."""


class Vault:
    """A directory and, while it is open, the database in it.

    `wall` reads the wall clock, in seconds since 1970 UTC; `told` is called when a database was set aside.
    """

    def __init__(self, directory: Path, wall: Callable[[], float], told: Callable[[], None]) -> None:
        self.path = directory / NAME
        self.database: Database | None = None
        self._directory, self._wall, self._told = directory, wall, told
        self._lock: int | None = None
        self._spoiled = False  # what lies there is to be set aside, and could not be yet

    def open(self, accept: Accept | None = None) -> None:
        """Open the database, or begin a new one; let `accept` see what is kept, if it is given.

        Raise `UserError` for what is not ours, `Unwritable`, and `Damaged` when not even a new one will do.
        """
        if self._lock is None:
            self._lock = take(self._directory)
        if self._spoiled:
            self.replace("it could not be read when the box was started")
            return
        try:
            self._use(accept)
        except Damaged:
            # What is read wrongly once may be read rightly the next time.
            self.drop()
            try:
                self._use(accept)
            except Damaged as error:
                self.replace(str(error))

    def _use(self, accept: Accept | None) -> None:
        self.database = Database(self.path)
        if accept is not None:
            with faults():
                accept(*self.database.read())

    def look(self, accept: Accept) -> None:
        """Let `accept` see what is kept where nothing can be written.

        What cannot be read either will not be written over: it is set aside as soon as that can be done.
        """
        try:
            with faults():
                accept(*peek(self.path))
        except (Damaged, Unwritable):
            self._spoiled = True

    def replace(self, why: str) -> None:
        """Set a damaged database aside and begin a new one. Raise `Unwritable` if that cannot be done now."""
        self.drop()
        aside = set_aside(self.path, self._wall())
        self._spoiled = False
        log.error("%s is damaged (%s): set aside as %s, a new one begun", self.path, why, aside.name)
        self._told()
        self.database = Database(self.path)

    def drop(self) -> None:
        """Let the database go as it is."""
        if self.database is not None:
            self.database.close()
            self.database = None

    def close(self) -> None:
        """Let the database and the directory go as they are."""
        self.drop()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
