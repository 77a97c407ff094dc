"""What all tests have in common."""

import os

import pytest
from hypothesis import settings

# Machines differ in speed, so no example has a deadline. CI sees the same examples every time; at home each
# run looks at others.
settings.register_profile("ordinary", deadline=None, print_blob=True)
settings.register_profile("ci", parent=settings.get_profile("ordinary"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "ordinary")


@pytest.fixture(autouse=True)
def _home_away_from_home(tmp_path, monkeypatch):
    """Keep every test away from the games and the configuration of whoever runs it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("STATE_DIRECTORY", "RUNTIME_DIRECTORY", "NOTIFY_SOCKET", "WATCHDOG_USEC"):
        monkeypatch.delenv(name, raising=False)
