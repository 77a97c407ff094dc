"""The exception whose text is for the user."""


class UserError(Exception):
    """A mistake that the user can fix. `str(error)` is one sentence on one line and names the remedy.

    The command line prints it on standard error, without a traceback, and exits with status 2.
    """
