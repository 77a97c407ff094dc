"""The splash: the bytes that light the display before anything is imported, and the file that keeps them."""

import json
import re
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest
from panel_rig import turned as upside_down

from appliance import cli
from appliance.commands.config import example_lines
from appliance.config.reading import possible_paths
from appliance.config.schema import Config, DisplayConfig
from appliance.core.errors import UserError
from appliance.core.picture.raster import render
from appliance.core.session.settings import Settings
from appliance.core.session.view import view
from appliance.service import splash, start
from appliance.service.daemon import first_session
from appliance.service.loop import Loop
from appliance.service.splash import NextSplash, picture, prepare
from appliance.simulator.virtual import Hardware

ROOT = Path(__file__).resolve().parents[2]
HOME = "/var/lib/tictactoe"  # of the service's user: systemd/tictactoe.sysusers
EXAMPLE = "\n".join(example_lines()) + "\n"  # as /etc/tictactoe/config.yaml is installed
DISPLAYS = [
    DisplayConfig(driver=driver, height=height, rotate=rotate)
    for driver, height in (("ssd1306", 64), ("ssd1306", 32), ("ssd1315", 64), ("sh1106", 64), ("ssd1309", 64))
    for rotate in (0, 180)
] + [DisplayConfig("sh1106", column=column, rotate=180) for column in (0, 4)]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("display", DISPLAYS, ids=str)
def test_the_display_shows_the_splash_then_the_board_and_nothing_between(display, turned):
    config = Config(Settings(language="pl", turned=turned, contrast=63), display=display)
    hardware = Hardware(config, lambda: 0.0)

    def on_the_chip(frame):
        return (frame if turned == (display.rotate == 180) else upside_down(frame)).data

    before = on_the_chip(render(picture(config.settings), display.width, display.height))
    for write in splash.unpack(prepare(display, config.settings, {}))[2]:
        hardware.chip.write(write)
        assert not hardware.chip.lit or hardware.chip.picture().data == before
    assert hardware.chip.lit
    assert hardware.chip.contrast == 63
    shown = []
    hardware.bus.listener = lambda *_: shown.append((hardware.chip.lit, hardware.chip.picture().data))
    loop = Loop(first_session(config), hardware.parts(), lambda _request: None, lambda: 0.0)
    loop.start()
    loop.close()
    after = on_the_chip(render(view(loop.session), display.width, display.height))
    assert shown[-1] == (True, after)
    for lit, data in shown:
        assert lit
        assert all(byte in pair for byte, *pair in zip(data, before, after, strict=True))


PACKED = prepare(DisplayConfig(), Settings(), {"/etc/x": "-"})
WRITES = splash.unpack(PACKED)[2]


@pytest.mark.parametrize("place", [0, 1, 3, 4, 5, 30, 100, len(PACKED) // 2, len(PACKED) - 1])
def test_a_file_that_is_torn_is_rejected(place):
    flipped = PACKED[:place] + bytes([PACKED[place] ^ 1]) + PACKED[place + 1 :]
    for torn in (PACKED[:place], PACKED[:place] + bytes(len(PACKED) - place), flipped):
        if torn != PACKED:
            with pytest.raises(ValueError, match="checksum"):
                splash.unpack(torn)


def test_the_format_is_as_stated_and_another_is_rejected(monkeypatch):
    stated = [line[4:].partition("  ")[0] for line in splash.__doc__.splitlines() if line[:4].isspace()]
    packed = splash.pack("/dev/i2c-1", 0x3C, [b"\0\xae"], {"/boot/firmware/x.yaml": "1.2.345"})
    assert ["CCCC", *packed[4:].decode().splitlines()] == [stated[0][:4], stated[0][4:], *stated[1:]]
    monkeypatch.setattr(splash, "FORMAT", splash.FORMAT + 1)
    later = splash.pack("/dev/i2c-1", 0x3C, (), {})
    monkeypatch.undo()
    with pytest.raises(ValueError, match=f"format {splash.FORMAT + 1}"):
        splash.unpack(later)


@pytest.fixture
def sent(tmp_path, monkeypatch):
    """Collect the transactions of each splash that is sent; nothing is shipped."""
    sent = []
    monkeypatch.setattr(splash, "send", lambda _device, _address, writes: sent.append(writes))
    monkeypatch.setattr(splash, "SHIPPED", str(tmp_path / "shipped"))
    return sent


@pytest.mark.parametrize("change", ["", "changed", "gone", "new", "torn", "none"])
def test_a_splash_is_shown_only_for_the_configuration_that_it_was_prepared_for(tmp_path, sent, change):
    config, absent, file = tmp_path / "a \N{SNOWMAN}\udcff.yaml", tmp_path / "none.yaml", tmp_path / "splash"
    config.write_text("language: en\n")
    NextSplash(str(tmp_path), DisplayConfig(), [config, absent]).keep(Settings())
    assert {*tmp_path.iterdir()} == {config, file}
    changes = {
        "changed": lambda: config.write_text("display: {driver: sh1106}\n"),
        "gone": config.unlink,
        "new": absent.touch,
        "torn": lambda: file.write_bytes(b""),
        "none": file.unlink,
    }
    if change:
        changes[change]()
    assert splash.show(str(tmp_path)) is (not change)
    assert sent == [WRITES] * (not change)


# Before the box has run, the file that comes with the program


def shipped():
    """Return the file that ships with the program: for the default display, while nothing is configured."""
    files = possible_paths({"HOME": HOME})
    return prepare(DisplayConfig(), Settings(), dict.fromkeys(map(str, files), splash.UNSET))


def test_the_shipped_file_is_what_the_program_would_prepare_today():
    assert Path(splash.SHIPPED).read_bytes() == shipped(), (
        "the splash has changed: Path(splash.SHIPPED).write_bytes(shipped()) writes it again"
    )
    assert re.search(rf"^u .*\s{HOME}\b", (ROOT / "systemd/tictactoe.sysusers").read_text(), re.MULTILINE)


@pytest.fixture
def first_start(tmp_path, sent):
    """Return a state directory without a splash, and a configuration file that the shipped splash is for."""
    file = tmp_path / "config.yaml"
    shipped = splash.pack("/dev/i2c-1", 0x3C, [b"\0\xaf"], {str(file): splash.UNSET})
    (tmp_path / "shipped").write_bytes(shipped)
    (tmp_path / "state").mkdir()
    return tmp_path / "state", file


@pytest.mark.parametrize(("text", "shown"), [
    (None, True),
    (b"", True),
    (EXAMPLE.encode(), True),
    (b"display: {driver: sh1106}", False),
    (b"game:\n  level: hard\n", False),
    (b"#" * splash.MAX_SIZE, False),
    ("a directory", False),  # it cannot be read
])  # fmt: skip
def test_on_the_first_start_it_is_shown_while_nothing_is_configured(first_start, sent, text, shown):
    state, file = first_start
    if text == "a directory":
        file.mkdir()
    elif text is not None:
        file.write_bytes(text)
    assert splash.show(str(state)) is shown
    assert not splash.show(""), "only the service shows a splash"
    assert sent == [[b"\0\xaf"]] * shown


def test_once_a_splash_is_kept_the_shipped_one_does_not_count(first_start, sent):
    state, _ = first_start
    NextSplash(str(state), DisplayConfig(), []).keep(Settings())
    assert splash.show(str(state))
    assert sent == [WRITES]
    (state / "splash").write_bytes(b"")
    assert not splash.show(str(state))


# Sending it


def test_each_write_is_a_transaction_with_the_display(tmp_path, monkeypatch):
    ioctls, written = [], []
    monkeypatch.setattr("fcntl.ioctl", lambda _handle, *arguments: ioctls.append(arguments))
    monkeypatch.setattr("os.write", lambda _handle, data: written.append(data))
    (tmp_path / "device").touch()
    splash.send(str(tmp_path / "device"), 0x3D, [b"\0\xe3", b"\x40abc"])
    assert ioctls == [(0x0703, 0x3D)]
    assert written == [b"\0\xe3", b"\x40abc"]


def test_a_device_that_is_no_bus_is_closed_and_unchanged(tmp_path):
    device = tmp_path / "device"
    device.write_bytes(b"")
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(OSError, match="ioctl"):
        splash.send(str(device), 0x3C, [b"\0\xaf"])
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert device.read_bytes() == b""


# Keeping it


def test_the_file_follows_the_settings_and_is_written_only_then(tmp_path, monkeypatch):
    keeper, settings = NextSplash(str(tmp_path), DisplayConfig(), []), Settings()
    file, inodes = tmp_path / "splash", []
    for change in ({}, {"level": "hard"}, {"language": "de"}, {"turned": True}, {"contrast": 1}):
        settings = settings._replace(**change)
        keeper.keep(settings)
        inodes.append(file.stat().st_ino)
        assert file.read_bytes() == prepare(DisplayConfig(), settings, {})
    assert inodes[0] == inodes[1]
    monkeypatch.setattr(splash, "prepare", lambda *_: pytest.fail("prepared again for the same settings"))
    keeper.keep(settings)
    monkeypatch.undo()
    NextSplash(str(tmp_path), DisplayConfig(), []).keep(settings)
    assert file.stat().st_ino == inodes[-1], "the next start finds it up to date"


def test_without_a_directory_a_bus_or_a_driver_of_ours_there_is_no_splash(tmp_path, monkeypatch):
    monkeypatch.setattr(splash, "SHIPPED", str(tmp_path / "shipped"))
    for where, display in [
        ("", DisplayConfig()),
        (str(tmp_path / "gone"), DisplayConfig()),
        (str(tmp_path), DisplayConfig(port=99)),
        (str(tmp_path), DisplayConfig(driver="luma.oled.device:ssd1327")),
    ]:
        NextSplash(where, display, []).keep(Settings())
        assert not splash.show(where)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"splash": b""}


def test_only_the_service_has_a_splash():
    given = {"": "", "/var/lib/a": "/var/lib/a", "/a:/b": "/a"}
    assert {name: splash.directory({"STATE_DIRECTORY": name}) for name in given} == given
    assert splash.directory({}) == ""


PROBE = """
import json, sys
before = set(sys.modules)
sys.path.insert(0, {root!r})
from appliance.service import splash
def stop(where):
    print(json.dumps(sorted(set(sys.modules) - before)))
    raise SystemExit
splash.show = stop
sys.argv = ["tictactoe", "run"]
from appliance.cli import main
main()
"""


def test_nothing_is_imported_before_the_splash_is_shown():
    command = [sys.executable, "-I", "-c", PROBE.format(root=str(ROOT))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    ours = {"appliance", "appliance.cli", "appliance.core", "appliance.core.errors", "appliance.service"}
    ours |= {"appliance.service.splash"}
    assert set(json.loads(done.stdout)) - ours <= {"errno", "gc"}, "these are part of the interpreter"


def test_the_service_shows_the_splash_and_then_runs_without_a_parser(monkeypatch, capsys):
    done = []
    monkeypatch.setenv("STATE_DIRECTORY", "/somewhere")
    monkeypatch.setattr(splash, "show", done.append)
    monkeypatch.setattr(cli.gc, "disable", lambda: done.append("gc"))
    monkeypatch.setattr(start, "serve", lambda *args: done.append(args) or 0)
    assert cli.main(["run"]) == 0
    assert done == ["/somewhere", "gc", ()]
    done.clear()
    assert cli.main(["run", "--config", "x.yaml"]) == 0
    assert done == [(Path("x.yaml"), None)], "another configuration has another splash"

    monkeypatch.setattr(start, "serve", Mock(side_effect=UserError("no pins")))
    assert cli.main(["run"]) == 2
    assert capsys.readouterr().err == "tictactoe: no pins\n"
