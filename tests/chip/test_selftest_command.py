"""`tictactoe selftest` as a person runs it: the real command at a terminal, on pins that can park.

It uses no bus: the display is a dummy of luma's.
"""

import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
COMMAND = Path(sys.executable).with_name("tictactoe")
LONG, SHORT = 600.0, 0.5  # seconds for each key and answer: for a person, and where nobody presses


@pytest.fixture(scope="session")
def stand_in(tmp_path_factory):
    """Return the stand-in for the chip, for LD_PRELOAD."""
    library = tmp_path_factory.mktemp("stand-in") / "fakechip"
    flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "-o", library, HERE / "fakechip.c", "-ldl", "-pthread"], check=True)
    return str(library)


class Terminal:
    """A person at a terminal in which the command runs. `text` is the output so far."""

    def __init__(self, stand_in, directory, patience):
        config, fingers = directory / "config.yaml", directory / "fingers"
        config.write_text('display: {driver: "luma.core.device:dummy"}\n')
        os.mkfifo(fingers)
        environment = os.environ | {
            "LD_PRELOAD": stand_in, "PYTHONPATH": str(HERE / "fingers"), "FINGERS": str(fingers),
            "PATIENCE": str(patience),
        }  # fmt: skip
        environment.pop("GPIOZERO_PIN_FACTORY", None)
        self._pty, end = os.openpty()
        self._process = subprocess.Popen(
            [COMMAND, "selftest", "--config", config],
            stdin=end, stdout=end, stderr=end, cwd=directory, env=environment, start_new_session=True,
        )  # fmt: skip
        os.close(end)
        self._keys = fingers.open("w", buffering=1)
        self.text, self._read = "", 0

    def until(self, pattern):
        """Return the first match after the previous one, once it is printed; None at the command's end."""
        while not (found := re.compile(pattern).search(self.text, self._read)):
            try:
                self.text += os.read(self._pty, 4096).decode().replace("\r", "")
            except OSError:  # the other end has been closed
                return None
        self._read = found.end()
        return found

    def close_keys(self, keys):
        with suppress(BrokenPipeError):  # the command has ended
            self._keys.write(f"{keys}\n")

    def type(self, line):
        os.write(self._pty, f"{line}\n".encode())

    def end(self):
        """Return the exit status."""
        self._keys.close()
        os.close(self._pty)
        return self._process.wait()


def walk(stand_in, directory, presses):
    """Answer the command's questions; return its exit status and its output."""
    terminal = Terminal(stand_in, directory, LONG if presses else SHORT)
    while asked := terminal.until(r"press key (\d)|\?\s"):
        if presses and not asked[1]:
            terminal.type("y")
        elif presses:
            terminal.close_keys(1 << int(asked[1]) - 1)
            terminal.until("ok")
            terminal.close_keys(0)
    return terminal.end(), terminal.text


@pytest.mark.parametrize("presses", [True, False], ids=["answered", "unanswered"])
def test_the_walk_gets_to_its_end(stand_in, tmp_path, presses):
    status, printed = walk(stand_in, tmp_path, presses)
    assert "Traceback" not in printed
    asked = re.findall(r"press key (\d) \([a-z, ]*\) \.\.\. (.*)", printed)
    answer = "ok" if presses else "no contact"
    assert asked == [(str(number), answer) for number in range(1, 10)]
    found = "ok          keys 1 to 9: read correctly"
    assert (found if presses else "failed      no key makes contact") in printed.splitlines()
    assert (
        "ok          picture: lit yes, dark" if presses else "failed      picture: lit no answer"
    ) in printed
    assert re.search(r"\nno check failed\n$" if presses else r"\n2 of 4 checks failed\n$", printed), printed
    assert status == (0 if presses else 1)
