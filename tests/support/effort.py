"""How much a test tries: a little in the ordinary run, much in `make test-long`."""

import os

LONG = bool(os.environ.get("LONG"))


def amount(ordinary, much):
    """Return how much to try. Mark the test with `more`, so that `make test-long` runs it, too."""
    return much if LONG else ordinary
