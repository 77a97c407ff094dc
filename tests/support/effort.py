"""How much a test tries: a little in the ordinary run, much in `make test-long`."""

import os

import pytest

LONG = bool(os.environ.get("LONG"))


def amount(ordinary, much):
    """Return how much to try. Mark the test with `more`, so that `make test-long` runs it, too."""
    return much if LONG else ordinary


def longer(*cases):
    """Return cases of a parametrized test, values or tuples of them, that only `make test-long` runs."""
    cases = (case if isinstance(case, tuple) else (case,) for case in cases)
    return [pytest.param(*case, marks=pytest.mark.long) for case in cases]
