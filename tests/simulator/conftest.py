"""What the tests of the terminal share."""

import pytest
from pseudo_terminal import Pty


@pytest.fixture
def tty():
    terminal = Pty()
    yield terminal
    terminal.close()
