"""The transposition table: what a search has found out about positions, in bounded memory."""

from collections.abc import Hashable

EXACT, LOWER, UPPER = "exact", "lower", "upper"

Entry = tuple[int, int, str]
"""A score, the depth in plies it was searched to, and what it is: exact or a bound."""

ENTRY_BYTES = 240
"""What an entry takes at most: its tuple, its numbers, and its share of a dictionary that is just growing."""


class Table:
    """Maps the keys of positions to entries, at most `entries` of them; with 0 it keeps nothing.

    There are two generations. New entries join the young one. When it holds half of what is allowed it
    becomes the old one, and what was old is forgotten. An old entry that is asked for is young again: so
    what is in use stays, and nothing has to be counted or sorted.
    """

    __slots__ = ("_half", "_old", "_young")

    def __init__(self, entries: int = 1 << 18) -> None:
        if entries < 0:
            raise ValueError(f"a table of {entries} entries cannot be: 0 is the least")
        self._half = entries // 2
        self._young: dict[Hashable, Entry] = {}
        self._old: dict[Hashable, Entry] = {}

    @classmethod
    def of_megabytes(cls, megabytes: float) -> "Table":
        """Return a table that never takes more than so much memory (of 2^20 bytes)."""
        return cls(int(megabytes * (1 << 20)) // ENTRY_BYTES)

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get(self, key: Hashable) -> Entry | None:
        """Return the entry stored under `key`, or None."""
        entry = self._young.get(key)
        if entry is None and (entry := self._old.pop(key, None)) is not None:
            self.put(key, entry)
        return entry

    def put(self, key: Hashable, entry: Entry) -> None:
        """Store `entry` under `key` in place of what is there."""
        if len(self._young) >= self._half:
            if not self._half:
                return
            self._old, self._young = self._young, {}
        self._young[key] = entry
