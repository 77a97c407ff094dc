"""A pseudo-terminal for the tests of the terminal."""

import pytest
from pseudo_terminal import Pty

from appliance.simulator.terminal import Terminal


@pytest.fixture
def tty(monkeypatch):
    """A pseudo-terminal, read while a `Terminal` writes: its buffer holds only some thousand bytes."""
    made, write = Pty(), Terminal._write

    def write_in_pieces(terminal, text):
        for start in range(0, len(text), 500):
            write(terminal, text[start : start + 500])
            made.drain()

    monkeypatch.setattr(Terminal, "_write", write_in_pieces)
    yield made
    made.close()
