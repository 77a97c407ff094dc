"""The exceptions for mistakes that the user can fix, and the escaping of unprintable text."""


def printable(text: str) -> str:
    """Return `text` on one line, its unprintable characters escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class UserError(Exception):
    """A mistake that the user can fix. `str(error)` is one sentence on one line, with the remedy.

    It may quote anything: `str(error)` escapes what is unprintable. The command line prints it to standard
    error without a traceback, and exits with status 2.
    """

    line = 0  # of the file that has it, if it is in one and the line is known

    def __str__(self) -> str:
        """Return the sentence."""
        return printable(super().__str__())

    @property
    def each(self) -> "tuple[UserError, ...]":
        """The mistakes that it reports, in order."""
        return (self,)

    def page(self, title: str) -> tuple[str, str]:
        """Return the title and the text of the display's page about it; `title` if it has none of its own."""
        return title, str(self)


class SeveralErrors(UserError):  # noqa: N818 - each is an error, and all are one to whoever catches it
    """Several mistakes at once. The command line prints a line for each."""

    def __init__(self, mistakes: tuple[UserError, ...]) -> None:
        super().__init__("; ".join(map(str, mistakes)))
        self._mistakes = mistakes

    @property
    def each(self) -> tuple[UserError, ...]:
        """The mistakes that it reports, in order."""
        return self._mistakes


class FileError(UserError):
    """A mistake in a file of the user's.

    `place` is file and line (`/etc/box.yaml:7`), `path` the key's (`game.level`), each "" if unknown;
    `wrong` is what the file has there, as written. The sentence ends with `remedy`, in brackets. `brief` is
    what the display says after the wrong value: by default the remedy, or the sentence without one.
    """

    def __init__(
        self, place: str, path: str, sentence: str, wrong: str = "", remedy: str = "", brief: str = ""
    ) -> None:
        bracket = f" ({remedy})" if remedy else ""
        super().__init__(": ".join(part for part in (place, path, f"{sentence}{bracket}") if part))
        self.path = path
        if (number := place.rpartition(":")[2]).isdecimal():
            self.line = int(number)
        self._title = place.rpartition("/")[2]
        where = " in ".join(part for part in (wrong, path) if part)
        self._text = ": ".join(part for part in (where, brief or remedy or sentence) if part)

    def page(self, title: str) -> tuple[str, str]:
        """Return file and line as the title; as the text what is wrong, then its key and the remedy.

        A small display shows only the beginning of a long text, so the place is short and the wrong value
        comes first.
        """
        return printable(self._title) or title, printable(self._text)
