"""An error that a person has to fix: reported, shown, and waited for."""

import os
from pathlib import Path

import pytest

from appliance.config.schema import Config, DisplayConfig
from appliance.core.errors import SeveralErrors, UserError
from appliance.core.picture.canvas import Frame
from appliance.core.session.settings import Settings
from appliance.devices.systemd import Notifier
from appliance.service import mistake
from appliance.service.start import stamps
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import Sh1106, Ssd1306


def replace(file):
    new = file.with_name("new")
    new.write_text("a: 2\n")
    os.utime(new, ns=(file.stat().st_atime_ns, file.stat().st_mtime_ns))
    new.replace(file)


@pytest.mark.parametrize(("name", "change"), [
    ("config.yaml", lambda file: file.write_text("a: 22\n")),
    ("config.yaml", replace),
    ("config.yaml", lambda file: file.chmod(0o600)),
    ("config.yaml", Path.unlink),
    ("other.yaml", Path.touch),
    ("gpiochip0", lambda chip: chip.chmod(0o640)),
    ("gpiochip1", Path.touch),
])  # fmt: skip
def test_a_change_that_may_fix_an_error_is_noticed(tmp_path, name, change):
    file, other, chip = tmp_path / "config.yaml", tmp_path / "other.yaml", tmp_path / "gpiochip0"
    file.write_text("a: 1\n")
    chip.touch()
    before = stamps([file, other], tmp_path)
    assert list(before) == [str(path) for path in (file, other, "/etc/group", chip)]
    _tick(chip)
    assert stamps([file, other], tmp_path) == before
    change(tmp_path / name)
    assert stamps([file, other], tmp_path) != before


def _tick(path):
    """Wait until the file system's clock, which is coarse, shows another time than the file's last change."""
    probe = path.with_name("probe")
    while True:
        probe.touch()
        later = probe.stat().st_ctime_ns != path.stat().st_ctime_ns
        probe.unlink()
        if later:
            return


@pytest.mark.parametrize(("journal", "line"), [("", "tictactoe: no\n"), ("8:1", "<3>tictactoe: no\n")])
@pytest.mark.parametrize("change_at", [1, 4, 99])  # not every fix changes a file
def test_an_error_is_reported_once_and_waited_for(monkeypatch, manager, capfd, journal, line, change_at):
    monkeypatch.setenv("JOURNAL_STREAM", journal)
    if not journal:
        monkeypatch.delenv("JOURNAL_STREAM")
    slept = []
    notifier = Notifier({"NOTIFY_SOCKET": manager.getsockname()})
    assert (
        mistake.wait(UserError("no"), Config(), lambda: len(slept) == change_at, notifier, slept.append) == 2
    )
    assert slept == [2.0] * min(change_at, 15)
    assert capfd.readouterr().err == line
    assert manager.recv(4096).decode() == "STATUS=no\nEXTEND_TIMEOUT_USEC=60000000"
    with pytest.raises(BlockingIOError):
        manager.recv(4096)


@pytest.fixture
def bus(monkeypatch):
    bus = SimulatedBus()
    monkeypatch.setattr("appliance.devices.panel.open_smbus", lambda _port: bus)
    return bus


@pytest.mark.parametrize(("chip", "config"), [
    (Ssd1306(), Config()),
    (Ssd1306(height=32), Config(display=DisplayConfig(height=32, address=0x3D))),
    (Sh1106(), Config(Settings(contrast=5), display=DisplayConfig(driver="sh1106"))),
])  # fmt: skip
def test_the_sentence_is_on_the_display(bus, chip, config):
    display = config.display
    bus.attach(display.address, chip)
    mistake.show("box.yaml:1: game.level: expected easy", config, "not ready")
    assert chip.lit
    assert chip.contrast == config.settings.contrast
    first = chip.picture()
    assert first != Frame.blank(display.width, display.height)
    mistake.show("another mistake", config, "not ready")
    assert chip.picture() != first


def test_a_display_that_is_not_there_adds_no_line(bus, capfd, caplog):
    mistake.show("no", Config(), "not ready")
    mistake.show("no", Config(display=DisplayConfig(driver="no.such.module:Display")), "not ready")
    assert capfd.readouterr().err == ""
    assert caplog.records == []


def test_each_of_several_mistakes_is_reported_and_has_its_turn_on_the_display(monkeypatch, manager, capfd):
    monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    shown, several = [], SeveralErrors(tuple(UserError(f"mistake {letter}") for letter in "abcdefg"))
    monkeypatch.setattr(mistake, "show", lambda text, _config, title: shown.append((title, text)))
    notifier, config = Notifier({"NOTIFY_SOCKET": manager.getsockname()}), Config(Settings(language="de"))
    assert mistake.wait(several, config, lambda: False, notifier, lambda _seconds: None) == 2
    pages = [("not ready", f"{number} von 7: {one}") for number, one in enumerate(several.each, 1)]
    assert shown == pages
    assert capfd.readouterr().err.splitlines() == [f"tictactoe: {one}" for one in several.each]
    assert manager.recv(4096).decode() == f"STATUS={several}\nEXTEND_TIMEOUT_USEC=72000000"


def test_before_a_game_half_a_minute_of_pages_is_enough(monkeypatch):
    shown, slept = [], []
    monkeypatch.setattr(mistake, "show", lambda text, _config, _title: shown.append(text))
    found = mistake.pages([UserError(letter) for letter in "abcdefghijkl"], Config(), "note")
    mistake.turn(found, Config(), slept.append)
    assert shown[-1] == "6 of 12: f"
    assert sum(slept) == 36


def test_pages_before_a_game_get_start_up_time_of_their_own(monkeypatch, manager):
    """A slow start, the pages about a configuration, then those about newer games: more than a minute."""
    monkeypatch.setenv("NOTIFY_SOCKET", manager.getsockname())
    monkeypatch.setattr(mistake, "show", lambda *_page: None)
    mistake.turn([("note", "no"), ("note", "nor this")], Config(), lambda _seconds: None)
    told = [manager.recv(4096).decode() for _ in range(2)]
    assert told == [f"STATUS={text}\nEXTEND_TIMEOUT_USEC=36000000" for text in ("no", "nor this")]


def test_a_display_that_does_not_answer_holds_up_no_game(monkeypatch, bus):
    """On a bus that hangs each try costs seconds."""
    tried, slept, real = [], [], mistake.show
    monkeypatch.setattr(mistake, "show", lambda *page: tried.append(page) or real(*page))
    mistake.turn([("note", "no")] * 6, Config(), slept.append)
    assert (len(tried), slept) == (1, [])
