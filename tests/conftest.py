"""What all tests have in common."""

import os
import signal
import socket
import time
from importlib import import_module
from itertools import count
from pathlib import Path
from pkgutil import walk_packages

import pytest
from hypothesis import HealthCheck, settings

import appliance

# A busy machine is slow: no example has a deadline, nor has its generation. CI sees the same examples every
# time; at home each run looks at others.
settings.register_profile(
    "ordinary", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("ci", parent=settings.get_profile("ordinary"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "ordinary")

os.environ["TZ"] = "UTC0"  # days are local ones, and tests compare them
time.tzset()

NUMBERS = count()


@pytest.fixture(autouse=True)
def _home_away_from_home(tmp_path_factory, monkeypatch):
    """Keep every test away from the games and the configuration of whoever runs it."""
    # A directory that does not exist: making one for each test costs too much.
    home = tmp_path_factory.getbasetemp() / f"home{next(NUMBERS)}"
    monkeypatch.setenv("XDG_STATE_HOME", f"{home}/state")
    monkeypatch.setenv("XDG_CONFIG_HOME", f"{home}/config")
    for name in ("STATE_DIRECTORY", "RUNTIME_DIRECTORY", "NOTIFY_SOCKET", "WATCHDOG_USEC"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def _signals_as_they_were():
    """Unblock what a service in this process has left blocked: programs of later tests would inherit it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    yield
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


@pytest.fixture
def loaded(monkeypatch):
    """Load what commands load late: no other user may enter root's home, if checkout or Python lie there."""
    here = Path(appliance.__file__).parent
    for room in ("bootfiles", "commands", "config", "games", "storage", "teaching"):
        for module in walk_packages([str(here / room)], f"appliance.{room}."):
            import_module(module.name)
    files = [*here.glob("bootfiles/data/*"), *here.glob("games/page.*"), *here.glob("games/words/*")]
    texts, read = {path: path.read_text("utf-8") for path in files}, Path.read_text
    monkeypatch.setattr(Path, "read_text", lambda path, *how, **kw: texts.get(path) or read(path, *how, **kw))
    page = import_module("appliance.commands.lesson").lesson_page()
    monkeypatch.setattr("appliance.commands.lesson.lesson_page", lambda: page)


@pytest.fixture
def manager(tmp_path):
    """Return the socket of a stand-in for systemd, which takes notifications."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(str(tmp_path / "notify"))
        receiver.setblocking(False)
        yield receiver
