"""`tictactoe selftest` as a person runs it: the real command at a terminal, over pins that can park.

The display is driven by luma's own class, which only writes to the bus. Real time goes by: half a minute.
"""

import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
STAND_INS = HERE / "fakechip.c", HERE.parent / "bench/fakebus.c"
COMMAND = Path(sys.executable).with_name("tictactoe")
SLOW = 1.5  # seconds until a press: longer than a keypad that parks polls keys at rest
PATIENCE = 2.5  # seconds for each key, instead of 20: nobody presses nine of them


@pytest.fixture(scope="session")
def stand_ins(tmp_path_factory):
    """Return the chip and the bus, for LD_PRELOAD."""
    flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    directory, libraries = tmp_path_factory.mktemp("stand-ins"), []
    for source in STAND_INS:
        libraries.append(str(directory / source.stem))
        command = ["gcc", *flags, "-o", libraries[-1], source, "-ldl", "-pthread"]
        subprocess.run(command, check=True)
    return ":".join(libraries)


class Terminal:
    """A person at a terminal in which the command runs. `text` is what it has printed."""

    def __init__(self, stand_ins, directory):
        config, fingers = directory / "config.yaml", directory / "fingers"
        config.write_text('display: {driver: "luma.oled.device:ssd1306"}\n')
        os.mkfifo(fingers)
        environment = os.environ | {
            "LD_PRELOAD": stand_ins, "PYTHONPATH": str(HERE / "fingers"), "FINGERS": str(fingers),
            "PATIENCE": str(PATIENCE),
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

    def until(self, *patterns):
        """Return the first match behind the last one that is printed; None at the command's end."""
        while not (found := re.compile("|".join(patterns)).search(self.text, self._read)):
            try:
                self.text += os.read(self._pty, 4096).decode().replace("\r", "")
            except OSError:  # nobody holds the other end any more
                return None
        self._read = found.end()
        return found

    def type(self, text):
        os.write(self._pty, text.encode())

    def close_keys(self, keys):
        with suppress(BrokenPipeError):  # the command has ended
            self._keys.write(f"{keys}\n")

    def end(self):
        """Return the exit status."""
        self._keys.close()
        os.close(self._pty)
        return self._process.wait()


def walk(stand_ins, directory, presses):
    """Answer what the command asks; return its exit status, and what it printed."""
    terminal = Terminal(stand_ins, directory)
    while asked := terminal.until(r"\[y/n\] ", r"press key (\d)"):
        if asked[1] is None:
            terminal.type("y\n")
        elif presses:
            time.sleep(SLOW)
            terminal.close_keys(1 << int(asked[1]) - 1)
            terminal.until("ok")
            terminal.close_keys(0)
    return terminal.end(), terminal.text


@pytest.mark.parametrize("presses", [True, False], ids=["answered", "unanswered"])
def test_the_walk_gets_to_its_end(stand_ins, tmp_path, presses):
    status, printed = walk(stand_ins, tmp_path, presses)
    assert "Traceback" not in printed
    asked = re.findall(r"press key (\d) \([a-z, ]*\) \.\.\. (.*)", printed)
    answer = "ok" if presses else "no contact"
    assert asked == [(str(number), answer) for number in range(1, 10)]
    found = "ok          keys 1 to 9: each answers alone, as itself"
    assert (found if presses else "failed      no key makes contact") in printed.splitlines()
    assert re.search(r"\nno check failed\n$" if presses else r"\n1 of \d checks failed\n$", printed), printed
    assert status == (0 if presses else 1)
