"""The splash: what is written before anything is imported, what is kept for it; and nothing flickers."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance import cli, splash
from appliance.commands import run
from appliance.commands.config import example_lines
from appliance.config import Config, DisplayConfig, possible_paths
from appliance.core.raster import render
from appliance.core.settings import Settings
from appliance.core.view import view
from appliance.daemon import first_session
from appliance.errors import UserError
from appliance.loop import Loop
from appliance.simulator.chips import Sh1106, Ssd1306
from appliance.simulator.virtual import Desk
from appliance.splash import NextSplash, picture, prepare

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = "\n".join(example_lines()) + "\n"  # as /etc/tictactoe/config.yaml is installed
DISPLAYS = [
    DisplayConfig(driver=driver, height=height, rotate=rotate)
    for driver, height in (("ssd1306", 64), ("ssd1306", 32), ("sh1106", 64))
    for rotate in (0, 180)
]


@pytest.fixture(params=DISPLAYS, ids=lambda display: f"{display.driver}-{display.height}-{display.rotate}")
def display(request):
    return request.param


def chip_for(display):
    return (Sh1106 if display.driver == "sh1106" else Ssd1306)(display.width, display.height)


def data_of(frame, upside_down):
    """Return a frame as the chip has it: turned by 180 degrees, where the glass is mounted upside down."""
    if not upside_down:
        return frame.data
    return bytes(int(f"{byte:08b}"[::-1], 2) for byte in reversed(frame.data))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("language", ["en", "pl"])
def test_the_bytes_light_a_cold_display_and_show_nothing_else_on_the_way(display, language, turned):
    settings = Settings(language=language, turned=turned, contrast=63)
    chip = chip_for(display)
    expected = render(picture(settings), display.width, display.height)
    upside_down = turned != (display.rotate == 180)
    for write in prepare(display, settings, {}).writes:
        chip.write(write)
        assert not chip.lit or data_of(expected, upside_down) == chip.picture().data
    assert chip.lit
    assert chip.contrast == 63
    assert chip.picture().data == data_of(expected, upside_down)


@pytest.mark.parametrize("turned", [False, True])
def test_from_the_splash_to_the_first_board_the_display_is_never_dark_and_shows_nothing_third(
    display, turned
):
    config = Config(display=display)
    desk = Desk(config, lambda: 0.0)
    session = first_session(config)
    session = session._replace(settings=session.settings._replace(turned=turned))
    for write in prepare(display, session.settings, {}).writes:
        desk.chip.write(write)
    before = desk.chip.picture().data
    shown = []
    desk.bus.listener = lambda _address, _payload: shown.append((desk.chip.lit, desk.chip.picture().data))
    loop = Loop(session, desk.parts(), lambda _request: None, lambda: 0.0)
    loop.start()
    after = desk.chip.picture().data
    loop.close()
    assert len(shown) >= 4
    assert after != before
    for lit, data in shown:
        assert lit
        assert all(byte in pair for byte, *pair in zip(data, before, after, strict=True))
    assert desk.chip.lit
    board = render(view(loop.session), display.width, display.height)
    assert after == data_of(board, turned != (display.rotate == 180))


def test_a_display_that_is_not_ours_has_no_splash():
    assert prepare(DisplayConfig(driver="luma.oled.device:ssd1327"), Settings(), {}) is None


writes = st.lists(st.binary(min_size=1, max_size=1100), max_size=6).map(tuple)
paths = st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"]), min_size=1)


@given(writes, st.dictionaries(paths, st.from_regex(r"-|[0-9]+\.[0-9]+", fullmatch=True), max_size=3))
def test_what_is_packed_is_unpacked(written, stamps):
    again = splash.unpack(splash.Splash("/dev/i2c-7", 0x3D, written, stamps).pack())
    assert (again.device, again.address, again.writes, again.stamps) == ("/dev/i2c-7", 0x3D, written, stamps)


PACKED = prepare(DisplayConfig(), Settings(), {"/etc/x": "-"}).pack()


@given(st.integers(0, len(PACKED) - 1), st.sampled_from(["cut", "zeros", "bit"]), st.integers(0, 7))
def test_a_file_that_is_torn_is_refused(place, damage, bit):
    damaged = {
        "cut": PACKED[:place],
        "zeros": PACKED[:place] + bytes(len(PACKED) - place),
        "bit": PACKED[:place] + bytes([PACKED[place] ^ 1 << bit]) + PACKED[place + 1 :],
    }[damage]
    if damaged != PACKED:
        with pytest.raises(ValueError, match="checksum"):
            splash.unpack(damaged)


def test_another_format_is_refused(monkeypatch):
    monkeypatch.setattr(splash, "FORMAT", 2)
    later = splash.Splash("/dev/i2c-1", 0x3C, (), {}).pack()
    monkeypatch.undo()
    with pytest.raises(ValueError, match="format 2"):
        splash.unpack(later)


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A directory with a splash, its configuration file, and what `send` was given."""
    config = tmp_path / "config.yaml"
    config.write_text("language: en\n")
    NextSplash(str(tmp_path), DisplayConfig(), [config, tmp_path / "none.yaml"]).keep(Settings())
    sent = []
    monkeypatch.setattr(splash, "send", sent.append)
    monkeypatch.setattr(splash, "SHIPPED", str(tmp_path / "shipped"))
    return tmp_path, sent


def test_the_splash_that_was_kept_is_shown(kept):
    where, sent = kept
    assert splash.show(str(where))
    assert sent[0].pack() == (where / "splash").read_bytes()
    assert sorted(path.name for path in where.iterdir()) == ["config.yaml", "splash"]


@pytest.mark.parametrize("change", ["changed", "gone", "new", "torn", "none"])
def test_a_splash_for_another_configuration_is_not_shown(kept, change):
    where, sent = kept
    match change:
        case "changed":
            (where / "config.yaml").write_text("display: {driver: sh1106}\n")
        case "gone":
            (where / "config.yaml").unlink()
        case "new":
            (where / "none.yaml").write_text("")
        case "torn":
            (where / "splash").write_bytes(b"")
        case "none":
            (where / "splash").unlink()
    assert not splash.show(str(where))
    assert sent == []


# Before the box has run, the file that comes with the program


def shipped():
    """Return the file that ships with the program: for the default display, while nothing is configured."""
    files = possible_paths({"HOME": splash.HOME})
    return prepare(DisplayConfig(), Settings(), dict.fromkeys(map(str, files), splash.UNSET)).pack()


def test_the_shipped_file_is_what_the_program_would_prepare_today():
    assert Path(splash.SHIPPED).read_bytes() == shipped(), (
        "the splash has changed: Path(splash.SHIPPED).write_bytes(shipped()) writes it again"
    )
    (user,) = (
        line for line in (ROOT / "systemd/tictactoe.sysusers").read_text().splitlines() if line[:2] == "u "
    )
    assert splash.HOME in user.split()


@pytest.fixture
def first_start(tmp_path, monkeypatch):
    """A state directory without a splash, a file that came with the program, and what `send` was given."""
    file = tmp_path / "config.yaml"
    shipped = splash.Splash("/dev/i2c-1", 0x3C, (b"\0\xaf",), {str(file): splash.UNSET})
    (tmp_path / "shipped").write_bytes(shipped.pack())
    sent = []
    monkeypatch.setattr(splash, "send", sent.append)
    monkeypatch.setattr(splash, "SHIPPED", str(tmp_path / "shipped"))
    (tmp_path / "state").mkdir()
    return tmp_path / "state", file, sent


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (None, True),
        (b"", True),
        (EXAMPLE.encode(), True),
        (EXAMPLE.replace("\n", "\r\n").encode(), True),
        (b"# display: {driver: sh1106}\n\ndisplay:\n  # port: 3\n", True),
        (b"display:\n  port: 3\n", False),
        (b"display: {driver: sh1106}", False),
        (b"game:\n  level: hard\n", False),
        (b"#" * splash.MAX_SIZE, False),
    ],
)
def test_on_the_first_start_it_is_shown_while_nothing_is_configured(first_start, text, shown):
    state, file, sent = first_start
    if text is not None:
        file.write_bytes(text)
    assert splash.show(str(state)) is shown
    assert [one.writes for one in sent] == [(b"\0\xaf",)] * shown


def test_a_configuration_that_cannot_be_read_says_something(first_start):
    state, file, sent = first_start
    file.mkdir()
    assert not splash.show(str(state))
    assert sent == []


def test_once_a_splash_is_kept_that_one_counts(first_start):
    state, _, sent = first_start
    NextSplash(str(state), DisplayConfig(), []).keep(Settings())
    assert splash.show(str(state))
    assert sent[0].writes == prepare(DisplayConfig(), Settings(), {}).writes
    (state / "splash").write_bytes(b"")
    assert not splash.show(str(state))
    assert len(sent) == 1


def test_who_is_no_service_sees_none(first_start):
    assert not splash.show("")
    assert first_start[2] == []


def test_without_a_bus_nothing_is_shown_and_nothing_fails(tmp_path):
    NextSplash(str(tmp_path), DisplayConfig(port=99), []).keep(Settings())
    assert not splash.show(str(tmp_path))
    assert not splash.show("")


def test_a_device_that_is_no_bus_is_let_go_again(tmp_path):
    (tmp_path / "device").write_bytes(b"")
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(OSError, match="ioctl"):
        splash.send(splash.Splash(str(tmp_path / "device"), 0x3C, (b"\0\xaf",), {}))
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert (tmp_path / "device").read_bytes() == b""


def test_the_file_follows_the_settings_and_is_written_only_then(tmp_path, monkeypatch):
    keeper = NextSplash(str(tmp_path), DisplayConfig(), [])
    file = tmp_path / "splash"
    kept = []
    for settings in (
        Settings(),
        Settings(level="hard"),
        Settings(language="de"),
        Settings(language="de", turned=True),
        Settings(language="de", turned=True, contrast=1),
    ):
        keeper.keep(settings)
        kept.append(file.read_bytes())
        assert splash.unpack(kept[-1]).writes == prepare(DisplayConfig(), settings, {}).writes
    assert kept[0] == kept[1]
    assert len(set(kept)) == 4
    inode = file.stat().st_ino
    NextSplash(str(tmp_path), DisplayConfig(), []).keep(settings)
    assert file.stat().st_ino == inode, "the next start finds it as it is to be"
    NextSplash(str(tmp_path), DisplayConfig(driver="a:B"), []).keep(settings)
    assert not file.exists()


def test_what_cannot_be_kept_is_no_fault(tmp_path):
    NextSplash(str(tmp_path / "gone"), DisplayConfig(), []).keep(Settings())
    NextSplash("", DisplayConfig(), []).keep(Settings())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("environ", "where"),
    [({}, ""), ({"STATE_DIRECTORY": "/var/lib/a"}, "/var/lib/a"), ({"STATE_DIRECTORY": "/a:/b"}, "/a")],
)
def test_only_the_service_has_a_splash(environ, where):
    assert splash.directory(environ) == where


def test_every_file_that_could_be_read_is_watched(tmp_path):
    found = possible_paths({"XDG_CONFIG_HOME": "/x"}, tmp_path)
    assert [str(path) for path in found] == [
        f"{tmp_path}/etc/tictactoe/config.yaml",
        f"{tmp_path}/boot/firmware/tictactoe.yaml",
        "/x/tictactoe/config.yaml",
    ]


PROBE = """
import json, sys
before = set(sys.modules)
sys.path.insert(0, {root!r})
from appliance import splash
def stop(where):
    print(json.dumps(sorted(set(sys.modules) - before)))
    raise SystemExit
splash.show = stop
sys.argv = ["tictactoe", "run"]
from appliance.cli import main
main()
"""


def test_nothing_is_imported_before_the_splash_is_shown():
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROBE.format(root=str(ROOT))],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    ours = {"appliance", "appliance.cli", "appliance.errors", "appliance.splash"}
    assert set(json.loads(done.stdout)) - ours <= {"gc"}, "gc is part of the interpreter, nothing else is"


def test_the_service_shows_the_splash_and_then_runs_without_a_parser(monkeypatch, capsys):
    done = []
    monkeypatch.setenv("STATE_DIRECTORY", "/somewhere")
    monkeypatch.setattr(splash, "show", done.append)
    monkeypatch.setattr(cli.gc, "disable", lambda: done.append("gc"))
    monkeypatch.setattr(run, "serve", lambda *args: done.append(args) or 0)
    assert cli.main(["run"]) == 0
    assert done == ["/somewhere", "gc", ()]
    done.clear()
    assert cli.main(["run", "--config", "x.yaml"]) == 0
    assert done == [(Path("x.yaml"), None)], "another configuration has another splash"

    def refuse():
        raise UserError("no pins")

    monkeypatch.setattr(run, "serve", refuse)
    assert cli.main(["run"]) == 2
    assert capsys.readouterr().err == "tictactoe: no pins\n"


def test_each_write_is_a_transaction_with_the_display(tmp_path, monkeypatch):
    asked, sent = [], []
    monkeypatch.setattr("fcntl.ioctl", lambda _handle, *what: asked.append(what))
    monkeypatch.setattr("os.write", lambda _handle, data: sent.append(data))
    (tmp_path / "device").touch()
    splash.send(splash.Splash(str(tmp_path / "device"), 0x3D, (b"\0\xe3", b"\x40abc"), {}))
    assert asked == [(0x0703, 0x3D)]
    assert sent == [b"\0\xe3", b"\x40abc"]
