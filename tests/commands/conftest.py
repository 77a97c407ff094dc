"""A box that has played, and what runs a command on it."""

import pytest
from history import HISTORY, fill, numbered
from store_world import close_all

from appliance.cli import main


@pytest.fixture
def box(tmp_path):
    """A directory in which a box has kept the games of HISTORY."""
    fill(tmp_path, numbered(HISTORY))
    yield tmp_path
    close_all()


@pytest.fixture
def tictactoe(box, capsys):
    """Return what runs a command on the box: its exit status, its output, its errors."""

    def run(*arguments, state=box):
        status = main([*arguments, "--state", str(state)])
        return status, *capsys.readouterr()

    return run
