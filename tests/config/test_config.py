"""The configuration: which keys and values a file may have, which file wins, and each error."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

import appliance
from appliance.commands.config import example_lines, shown_lines
from appliance.config.reading import config_from_node, default_paths, load_config, possible_paths
from appliance.config.schema import CHIPS, SECTIONS, Config, DisplayConfig, KeypadConfig
from appliance.config.yamlfile import one_of, parse_yaml
from appliance.core.errors import UserError
from appliance.core.picture.raster import render
from appliance.core.session.match import Match
from appliance.core.session.settings import SMALL_RULES, Options, Settings
from appliance.core.session.state import Session
from appliance.core.session.view import view
from appliance.simulator.virtual import Hardware


def config(text, base=None):
    return config_from_node(parse_yaml(text, "box.yaml"), base)


@pytest.mark.parametrize("text", ["", "# nothing\n", "game:\nrest:\n", "game: {}\nkeypad:\n  # rows: none\n"])
def test_a_missing_key_has_its_default(text):
    assert config(text) == Config()


def test_every_key_sets_a_field_of_its_own():
    keys = [key for _, keys in SECTIONS.values() for key in keys.values()]
    fields = [key.field or key.path for key in keys]
    held = [
        f"{part}.{field}" if hasattr(value, "_fields") else part
        for part, value in Config()._asdict().items()
        for field in getattr(value, "_fields", ("",))
    ]
    # Only the menu sets the sound and the orientation.
    assert sorted(fields) == sorted({*held} - {"origins", "settings.sound", "settings.turned"})
    assert all(key.meaning and key.kind.expected for key in keys)


def test_what_a_key_sets_is_read_somewhere():
    files = (path for path in Path(appliance.__file__).parent.rglob("*.py") if path.parent.name != "config")
    program = "".join(path.read_text() for path in files)
    for _, keys in SECTIONS.values():
        for key in keys.values():
            part, _, name = (key.field or key.path).rpartition(".")
            assert re.search(rf"\b{part or 'config'}\.{name}\b", program), f"nothing reads {key.path}"


def test_every_key_can_be_set_and_is_shown_as_set():
    text = """
    game: {level: hard, first: box, players: 0, rule: misere, pause: 0}
    keypad: {rows: [4, 14, 15], columns: [18, 23, 24], hold: 0.5}
    display:
      {driver: sh1106, port: 3, address: 0x3D, width: 128, height: 64, rotate: 180, column: 4, contrast: 1}
    rest: {menu: 0, dim: 30, off: 91.5, visit: 90, drift: 0, attract: on}
    power: {menu: no}
    sound: {pin: 12, kind: active}
    led: {pin: 16}
    exhibit: yes
    language: cs
    state: /var/lib/tictactoe
    log: debug
    """
    found = config(text)
    assert found.origins["rest.off"] == "box.yaml:6"
    seconds = Options(pause=0.0, menu=0.0, dim=30.0, off=91.5, drift=0.0, visit=90)
    assert found._replace(origins={}) == Config(
        Settings("hard", "misere", "box", players=0, contrast=1, language="cs"),
        seconds._replace(attract=True, power=False, exhibit=True),
        keypad=KeypadConfig(rows=(4, 14, 15), columns=(18, 23, 24), hold=0.5),
        display=DisplayConfig("sh1106", 3, 0x3D, 128, 64, 180, 4),
        buzzer=12,
        buzzer_kind="active",
        led=16,
        state="/var/lib/tictactoe",
        log="debug",
    )
    shown = config("\n".join(shown_lines(found)))
    assert shown._replace(origins=found.origins) == found
    assert shown.origins.keys() == {key.path for _, keys in SECTIONS.values() for key in keys.values()}


@pytest.mark.parametrize(
    ("driver", "height"), [(chip, rows) for chip in CHIPS for rows in CHIPS[chip].heights]
)
def test_each_driver_shows_a_picture_on_its_emulated_chip(driver, height):
    desk = Hardware(config(f"display: {{driver: {driver}, height: {height}}}"), lambda: 0.0)
    panel, picture = desk.parts().panel, view(Session(Match.new("classic", "x")))
    panel.show(picture, 0.0)
    assert panel.problem is None
    assert desk.chip.name.lower() == driver
    assert desk.chip.picture() == render(picture, 128, height)


TOP = f"one of {', '.join([*filter(None, SECTIONS), *SECTIONS[''][1]])}"
GAME = f"one of {', '.join(SECTIONS['game'][1])}"
PIN = "a BCM pin number from 0 to 27"
LEVELS = "adaptive, easy, medium, hard, perfect"
DRIVER = f'one of {", ".join(CHIPS)} (or a luma device class as "package.module:Class")'

# The message after "box.yaml:". test_mistakes.py has more of them.
# fmt: off
WRONG = [
    ("[]", f"1: expected {TOP} with a colon and a value, found []"),
    ("\ngmae:", f'2: gmae: unknown key, expected {TOP} (did you mean "game"?)'),
    ("display.address: 0x3d", '1: display.address: write "address:" indented under "display:"'),
    ("pin: 24", '1: pin: write "pin:" indented under "sound:" or "led:"'),
    ("game:\n  levle: hard", f'2: game.levle: unknown key, expected {GAME} (did you mean "level"?)'),
    ("game: {level: }", f"1: game.level: expected one of {LEVELS}, found nothing"),
    ("game: {players: 3}", "1: game.players: expected one of 1, 2, 0, found 3"),
    ("game: {pause: -1}", "1: game.pause: expected a number of seconds from 0 to 10, found -1"),
    ("keypad:\n  rows:\n  - 17\n  - 28\n  - 22",
     f"4: keypad.rows[2]: expected {PIN}, found 28 (write 1: header pin 28 is BCM 1)"),
    ("keypad: {hold: 0}", "1: keypad.hold: expected a number of seconds from 0.2 to 10, found 0"),
    ("display: {driver: 'os:'}", f'1: display.driver: expected {DRIVER}, found "os:" in quotes'),
    ("display: {address: 0x80}",
     f"1: display.address: expected {SECTIONS['display'][1]['address'].kind.expected}, found 0x80"),
    ("display: {width: 64}", "1: display.width: expected 128, found 64"),
    ("display: {height: 48}", "1: display.height: expected one of 64, 32, found 48"),
    ("display: {driver: sh1106, column: 5}",
     "1: display.column: expected a whole number from 0 to 4, found 5"),
    ("display: {contrast: 256}", "1: display.contrast: expected a whole number from 0 to 255, found 256"),
    ("rest: {drift: 0.01}",
     "1: rest.drift: expected a number of seconds from 1 to 86400, or 0 for never, found 0.01"),
    ("rest: {attract: sometimes}", '1: rest.attract: expected yes or no, found "sometimes"'),
    ("power: {menu: never}",
     '1: power.menu: expected yes or no (anything else counts as no), found "never" (write no)'),
    ("sound: {pin: 41}", f"1: sound.pin: expected {PIN}, or none, found 41"),
    ("language: xx", f'1: language: expected {SECTIONS[""][1]["language"].kind.expected}, found "xx"'),
    ("state: games", '1: state: expected a full path as /... or ~/..., or none, found "games"'),
    ("log: loud", '1: log: expected one of debug, info, warning, error, found "loud"'),
    # Values that are valid one by one, but conflict.
    ("display: {column: 0}",
     "1: display.column: the memory of ssd1306 is no wider than its panel (remove column)"),
    ("display:\n  height: 32\ngame:\n  rule: ultimate",
     f"4: game.rule: ultimate needs a display of 64 rows, not 32 (choose {one_of(SMALL_RULES)})"),
    ("rest:\n  off: 60",
     "2: rest.off: off (60 s) must be longer than dim (60 s), unless dim is 0"),
    ("rest:\n  dim: 900",
     "2: rest.dim: off (600 s) must be longer than dim (900 s), unless dim is 0"),
    ("rest:\n  dim: 0\n  attract: yes",
     "3: rest.attract: the box plays itself only while dimmed, and dim 0 means never"),
    ("exhibit: sometimes", '1: exhibit: expected yes or no (anything else counts as yes), found "sometimes"'),
    ("rest: {visit: 0}", "1: rest.visit: expected a number of seconds from 1 to 86400, found 0"),
    ("exhibit: yes\nrest:\n  off: 60", "3: rest.off: off (60 s) must be longer than visit (60 s)"),
    ("exhibit: yes\nrest: {visit: 90, off: 80}",
     "2: rest.off: off (80 s) must be longer than visit (90 s)"),
]
CLASHES = [  # the place after "box.yaml:", the pin, its two users
    ("keypad:\n  rows: [17, 27, 5]", "2: keypad.rows", 5, "row 3", "column 1"),
    ("keypad:\n  rows: [4, 14, 15]\n  columns: [4, 6, 13]", "3: keypad.columns", 4, "row 1", "column 1"),
    ("keypad:\n  columns: [4, 2, 13]", "2: keypad.columns", 2, "the I2C bus 1", "column 2"),
    ("display: {port: 0}\nkeypad:\n  rows: [0, 27, 22]", "3: keypad.rows", 0, "the I2C bus 0", "row 1"),
    ("sound:\n  pin: 13", "2: sound.pin", 13, "column 3", "the buzzer"),
    ("led:\n  pin: 17", "2: led.pin", 17, "row 1", "the LED"),
    ("sound: {pin: 12}\nled: {pin: 12}", "2: led.pin", 12, "the buzzer", "the LED"),
]
# fmt: on
WRONG += [
    (text, f"{place}: pin {pin} is used by {one} and by {other}: each needs a pin of its own")
    for text, place, pin, one, other in CLASHES
]


@pytest.mark.parametrize(("text", "expected"), WRONG)
def test_an_invalid_value_is_reported_in_one_line(text, expected):
    with pytest.raises(UserError) as caught:
        config(text)
    assert str(caught.value) == f"box.yaml:{expected}"


@pytest.mark.parametrize("text", [
    "display: {port: 3}\nkeypad: {rows: [2, 3, 4]}",  # an overlay decides on bus 3's pins
    "display: {port: 0}\nkeypad: {rows: [2, 3, 4]}",
    "rest: {dim: 0, off: 1}",
    "rest: {dim: 900, off: 0}",
    "exhibit: yes\nrest: {dim: 0, attract: yes}",  # neither plays a part
    "exhibit: yes\nrest: {dim: 900, off: 800}",
    "display: {driver: 'luma.oled.device:ssd1309', height: 32}",
    "display: {driver: 'mine:Panel'}",
])  # fmt: skip
def test_values_without_a_conflict_are_accepted(text):
    assert config(text)._replace(origins={}) != Config()


def test_later_files_win_key_by_key_and_each_value_knows_its_place(tmp_path):
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    first.write_text("game:\n  level: hard\n  pause: 1\n")
    second.write_text("game:\n  level: easy\nsound:\n  pin: 12\n")
    merged = load_config([first, second])
    assert (merged.settings.level, merged.options.pause, merged.settings.first) == ("easy", 1.0, "alternate")
    assert merged.buzzer == 12
    origins = {"game.level": f"{second}:2", "game.pause": f"{first}:3", "sound.pin": f"{second}:4"}
    assert merged.origins == origins
    assert load_config([second, first]).settings.level == "hard"
    assert load_config([]) == Config()


def test_a_later_file_can_resolve_a_conflict(tmp_path):
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    first.write_text("display: {driver: sh1106}\n")
    second.write_text("display: {height: 32}\n")
    with pytest.raises(UserError) as caught:
        load_config([first, second])
    assert str(caught.value).startswith(f"{second}:1: display.height: sh1106 has 64 rows")
    third = tmp_path / "third.yaml"
    third.write_text("display: {driver: ssd1306}\n")
    assert load_config([first, second, third]).display == DisplayConfig(height=32)


def test_a_node_of_another_file_overrides_the_keys_that_it_has():
    base = Config(Settings(level="hard", language="de"))
    top = parse_yaml("seed: 1\nconfig:\n  game: {pause: 0}\n", "scenario.yaml")
    expected = base._replace(options=Options(pause=0.0), origins={"game.pause": "scenario.yaml:3"})
    assert config_from_node(top.value["config"], base) == expected
    with pytest.raises(UserError) as caught:
        config_from_node(parse_yaml("config:\n  game: {pause: x}\n", "scenario.yaml").value["config"])
    assert str(caught.value).startswith("scenario.yaml:2: config.game.pause: expected a number of seconds")


def test_the_files_that_are_read_if_none_is_named(tmp_path):
    etc, boot = tmp_path / "etc/tictactoe/config.yaml", tmp_path / "boot/firmware/tictactoe.yaml"
    user = tmp_path / "home/.config/tictactoe/config.yaml"
    home = {"HOME": str(tmp_path / "home")}
    assert default_paths(home, tmp_path) == []
    for path in (user, etc, boot):
        path.parent.mkdir(parents=True)
        path.touch()
    assert default_paths(home, tmp_path) == [etc, boot, user]
    assert default_paths({}, tmp_path) == [etc, boot]
    assert default_paths({**home, "XDG_CONFIG_HOME": str(user.parent.parent)}, tmp_path) == [etc, boot, user]
    assert possible_paths({**home, "XDG_CONFIG_HOME": "relative"}, tmp_path) == [etc, boot]
    boot.unlink()
    assert default_paths({**home, "XDG_CONFIG_HOME": ""}, tmp_path) == [etc, user]


def test_the_file_as_installed_is_read_without_yaml(tmp_path):
    file = tmp_path / "box.yaml"
    file.write_text("\n".join(example_lines()))
    script = (
        "import sys; from pathlib import Path; from appliance.config.reading import load_config; "
        "load_config([Path(sys.argv[1])]); "
        "print(sorted({'yaml', 'difflib', 'json', 'argparse'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script, file], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


KEYS = [key.name for _, keys in SECTIONS.values() for key in keys.values()]
WORDS = st.sampled_from([*SECTIONS, *KEYS, "no", "sh1106", "1", "none"])


def flow(found):
    """Return a value as YAML in one line."""
    if isinstance(found, dict):
        return "{" + ", ".join(f"{key}: {flow(value)}" for key, value in found.items()) + "}"
    return f"[{', '.join(map(flow, found))}]" if isinstance(found, list) else found


VALUES = st.recursive(
    WORDS | st.integers().map(str) | st.text(max_size=5).map(repr),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
).map(flow)


YAMLISH = st.lists(
    st.sampled_from([*"{}[],:-?&*!|>'\"%@`#~ \n\t\\", "a", "1", ": ", "- ", "--- ", "\n  ", "\\U"])
).map("".join)


@given(st.one_of(VALUES, st.text(), YAMLISH), st.sampled_from(["CSafeLoader", "SafeLoader"]))
@example("display: {driver: sh1106, height: 32}", "CSafeLoader")
def test_any_text_gives_a_configuration_or_one_line(text, loader):
    message = "box.yaml:"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml, "CSafeLoader", getattr(yaml, loader))
        try:
            config(text)
        except UserError as error:
            message = str(error)
    assert len(message.splitlines()) == 1
    assert message.startswith("box.yaml:")
