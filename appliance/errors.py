"""The one exception that is a sentence for a person."""


class UserError(Exception):
    """Something a person can put right. `str(error)` is one sentence on one line, and names the remedy.

    The command line prints it on standard error, without a traceback, and exits 2.
    """
