"""What all tests have in common."""

import os
import signal
import socket
import time
from itertools import count

import pytest
from hypothesis import HealthCheck, settings

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
def manager(tmp_path):
    """Return the socket of a stand-in for systemd, which takes notifications."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(str(tmp_path / "notify"))
        receiver.setblocking(False)
        yield receiver
