"""The transposition table: results of earlier visits, in bounded memory."""

from collections.abc import Hashable

from .position import whole

EXACT, LOWER, UPPER = "exact", "lower", "upper"

Entry = tuple[int, int, str, int]
"""A score, the depth in plies that it was searched to, its bound, and the best move; -1: none is known."""


class Table:
    """Maps keys of positions to at most `entries` entries of up to 240 bytes each; with 0 it stores nothing.

    Entries live in two generations. New ones join the young generation; once it holds half the allowed
    entries, it becomes the old one, and the previous old one is dropped. A probe moves an entry from old to
    young. So entries in use survive, without ages to keep or anything to sort.
    """

    __slots__ = ("_half", "_old", "_young")

    def __init__(self, entries: int = 1 << 18) -> None:
        whole("the entries of a table", entries, 0)
        self._half = entries // 2
        self._young: dict[Hashable, Entry] = {}
        self._old: dict[Hashable, Entry] = {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get(self, key: Hashable) -> Entry | None:
        """Return the entry stored under `key`, or None."""
        entry = self._young.get(key)
        if entry is None and (entry := self._old.pop(key, None)) is not None:
            self.put(key, entry)
        return entry

    def clear(self) -> None:
        """Forget all entries."""
        self._young, self._old = {}, {}

    def put(self, key: Hashable, entry: Entry) -> None:
        """Store `entry` under `key`, replacing what is there."""
        if len(self._young) >= self._half:
            if not self._half:
                return
            self._old, self._young = self._young, {}
        self._young[key] = entry
