"""The exception for mistakes that the user can fix, and the escaping of unprintable text."""


def printable(text: str) -> str:
    """Return `text` on one line, its unprintable characters escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class UserError(Exception):
    """A mistake that the user can fix. `str(error)` is one sentence on one line, with the remedy.

    It may quote anything: `str(error)` escapes what is unprintable. The command line prints it to standard
    error without a traceback, and exits with status 2.
    """

    def __str__(self) -> str:
        """Return the sentence."""
        return printable(super().__str__())
