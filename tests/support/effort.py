"""How much a test tries: with `LONG=1` much, as `make test-long` and each night; without it less.

So do the slow targets: `make test-image` takes half an hour, and with `LONG=1` all there is.
"""

import os

import pytest

LONG = bool(os.environ.get("LONG"))


def amount(ordinary, much):
    """Return how much to try. Mark an ordinary test with `more`, so that `make test-long` runs it, too."""
    return much if LONG else ordinary


def longer(*cases):
    """Return cases of a parametrized test, values or tuples of them, that run only with `LONG=1`."""
    cases = (case if isinstance(case, tuple) else (case,) for case in cases)
    return [pytest.param(*case, marks=pytest.mark.long) for case in cases]
