"""An error that a person has to fix: reported, shown, and waited for."""

import os
from pathlib import Path

import pytest

from appliance.config.schema import Config, DisplayConfig
from appliance.core.canvas import Frame
from appliance.core.errors import UserError
from appliance.core.settings import Settings
from appliance.devices.systemd import Notifier
from appliance.service import mistake
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import Sh1106, Ssd1306


def replace(file):
    new = file.with_name("new")
    new.write_text("a: 2\n")
    os.utime(new, ns=(file.stat().st_atime_ns, file.stat().st_mtime_ns))
    new.replace(file)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("config.yaml", lambda file: file.write_text("a: 22\n")),
        ("config.yaml", replace),
        ("config.yaml", lambda file: file.chmod(0o600)),
        ("config.yaml", Path.unlink),
        ("other.yaml", Path.touch),
        ("gpiochip0", lambda chip: chip.chmod(0o640)),
        ("gpiochip1", Path.touch),
    ],
)
def test_a_change_that_may_fix_an_error_is_noticed(tmp_path, name, change):
    file, other, chip = tmp_path / "config.yaml", tmp_path / "other.yaml", tmp_path / "gpiochip0"
    file.write_text("a: 1\n")
    chip.touch()
    before = mistake.stamps([file, other], tmp_path)
    assert list(before) == [str(path) for path in (file, other, "/etc/group", chip)]
    _tick(chip)
    assert mistake.stamps([file, other], tmp_path) == before
    change(tmp_path / name)
    assert mistake.stamps([file, other], tmp_path) != before


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
def test_an_error_is_reported_once_and_waited_for(
    tmp_path, monkeypatch, manager, capfd, journal, line, change_at
):
    monkeypatch.setenv("JOURNAL_STREAM", journal)
    if not journal:
        monkeypatch.delenv("JOURNAL_STREAM")
    file, slept = tmp_path / "config.yaml", []
    before = mistake.stamps([file])

    def sleep(seconds):
        slept.append(seconds)
        if len(slept) == change_at:
            file.touch()

    notifier = Notifier({"NOTIFY_SOCKET": manager.getsockname()})
    assert mistake.wait("no", [file], before, notifier, sleep) == 2
    assert slept == [2.0] * min(change_at, 15)
    assert capfd.readouterr().err == line
    assert manager.recv(4096).decode() == "STATUS=no\nEXTEND_TIMEOUT_USEC=60000000"
    with pytest.raises(BlockingIOError):
        manager.recv(4096)


@pytest.mark.parametrize(("texts", "display"), [
    ([], DisplayConfig()),
    (["game: {level: hrad}\ndisplay: {driver: sh1106, port: 3}\n"], DisplayConfig("sh1106", 3)),
    (["display: {address: 0x3d}\n", "display: {height: 32}\na: 1\n"], DisplayConfig(address=0x3D, height=32)),
    (["display: {port: 3}\n", "not yaml: ["], DisplayConfig(port=3)),
    (["display: {port: 3}\n", "display: {height: 33}\n"], DisplayConfig(port=3)),
    (["display: {port: 3}\n", "- list\n"], DisplayConfig(port=3)),
    (["", "display:\n"], DisplayConfig()),
    ([None, "display: {rotate: 180}\n"], DisplayConfig(rotate=180)),
])  # fmt: skip
def test_the_valid_display_settings_of_an_invalid_configuration_are_used(tmp_path, texts, display):
    files = [tmp_path / f"{number}.yaml" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        if text is not None:
            file.write_text(text)
    assert mistake.valid_part(files).display == display


def test_the_language_is_found_even_where_the_display_is_not(tmp_path):
    file = tmp_path / "box.yaml"
    file.write_text("display: {height: 33}\nlanguage: pl\n")
    config = mistake.valid_part([file])
    assert (config.settings.language, config.display) == ("pl", DisplayConfig())


def test_a_mistake_on_the_card_is_played_past_and_another_is_not(tmp_path, monkeypatch):
    other, card = tmp_path / "config.yaml", tmp_path / "tictactoe.yaml"
    monkeypatch.setattr(mistake, "ON_CARD", card)
    other.write_text("game: {level: easy}\n")
    card.write_text("language: pl\ngame: {level: hrad}\nkeypad: {hold: 2.0}\n")
    config, sentence = mistake.load_or_report([other, card], strict=False)
    assert (config.settings.language, config.settings.level, config.keypad.hold) == ("pl", "easy", 2.0)
    with pytest.raises(UserError, match=r"game\.level"):
        mistake.load_or_report([other, card], strict=True)
    assert sentence.startswith(f"{card}:2: game.level: ")
    card.write_text("game: {level: hard}\n")
    assert mistake.load_or_report([other, card], strict=False)[1] == ""
    other.write_text("game: {level: hrad}\n")
    for text in ("", "game: {level: hrad}\n"):
        card.write_text(text)
        with pytest.raises(UserError, match=rf"^{other}:1: game\.level: "):
            mistake.load_or_report([other, card], strict=False)


@pytest.fixture
def bus(monkeypatch):
    bus = SimulatedBus()
    monkeypatch.setattr("appliance.devices.panel.open_smbus", lambda _port: bus)
    return bus


@pytest.mark.parametrize(
    ("chip", "config"),
    [
        (Ssd1306(), Config()),
        (Ssd1306(height=32), Config(display=DisplayConfig(height=32, address=0x3D))),
        (Sh1106(), Config(Settings(contrast=5), display=DisplayConfig(driver="sh1106"))),
    ],
)
def test_the_sentence_is_on_the_display(bus, chip, config):
    display = config.display
    bus.attach(display.address, chip)
    mistake.show("box.yaml:1: game.level: expected easy", config)
    assert chip.lit
    assert chip.contrast == config.settings.contrast
    first = chip.picture()
    assert first != Frame.blank(display.width, display.height)
    mistake.show("another mistake", config)
    assert chip.picture() != first


def test_a_display_that_is_not_there_adds_no_line(bus, capfd, caplog):
    mistake.show("no", Config())
    mistake.show("no", Config(display=DisplayConfig(driver="no.such.module:Display")))
    assert capfd.readouterr().err == ""
    assert caplog.records == []
