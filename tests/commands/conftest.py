"""A box with saved games, and a way to run commands on it."""

import pytest
from store_world import GAME, close_all, fill, numbered

from appliance.cli import main

HISTORY = (
    *(GAME, GAME, GAME._replace(result="o"), GAME._replace(human="o", result="draw")),
    GAME._replace(level="perfect", rule="misere"),
    *(GAME._replace(players=2, human="o", result="o"), GAME._replace(players=2, result="draw", level="hard")),
    GAME._replace(players=0),
)


@pytest.fixture
def box(tmp_path):
    """A state directory with the games of HISTORY."""
    fill(tmp_path, numbered(HISTORY))
    yield tmp_path
    close_all()


@pytest.fixture
def tictactoe(box, capsys):
    """Return a function that runs a command on the box and returns its exit status, output and errors."""

    def run(*arguments, state=box):
        status = main([*arguments, "--state", str(state)])
        return status, *capsys.readouterr()

    return run
