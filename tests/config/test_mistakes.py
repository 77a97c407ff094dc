"""Mistakes that makers make in a configuration: what the terminal says, and what the display shows of it."""

import pytest

from appliance import cli
from appliance.config.reading import config_from_node, load_config
from appliance.config.schema import CHIPS, SECTIONS
from appliance.config.yamlfile import parse_yaml
from appliance.core.errors import UserError
from appliance.core.keys.pins import HEADER
from appliance.core.picture.font import text_columns
from appliance.core.picture.raster import PITCH, render
from appliance.core.picture.scene import PageScene, Picture
from appliance.core.session.settings import LEVEL_NAMES, RULE_NAMES
from appliance.core.words import LANGUAGES

TOP = f"one of {', '.join([*filter(None, SECTIONS), *SECTIONS[''][1]])}"
GAME, KEYPAD, DISPLAY = (f"one of {', '.join(SECTIONS[name][1])}" for name in ("game", "keypad", "display"))
LEVEL, RULE, LANGUAGE = (
    f"{path}: expected one of {', '.join(names)}, found"
    for path, names in (("game.level", LEVEL_NAMES), ("game.rule", RULE_NAMES), ("language", LANGUAGES))
)
CLASS = 'a luma device class as "package.module:Class"'
DRIVER = f"display.driver: expected one of {', '.join(CHIPS)}, or {CLASS}, found"
IN_GAME, IN_DISPLAY, IN_REST = (
    f"{name}: expected one of {', '.join(SECTIONS[name][1])} with a colon and a value, found"
    for name in ("game", "display", "rest")
)
ADDRESS = "an I2C address from 0x03 to 0x77 (0x78 and 0x7a, as printed on modules, mean 0x3c and 0x3d)"
ROWS = "keypad.rows: expected a list of 3 in brackets, each a BCM pin number from 0 to 27, found"
IDLE = "expected a number of seconds from 1 to 86400, or 0 for never, found"
PIN = "expected a BCM pin number from 0 to 27"
COMMA = "write a decimal point, or brackets around a list"
INVALID = "not valid YAML:"
OWN = "each needs a pin of its own"
HEADER_ROWS = 'write "rows: [17, 27, 22]" if the rows are header pins'

# The file; what the terminal prints after the file's name; what the display shows of the wrong text.
# fmt: off
MISTAKES = [
    # A key in the wrong place, or under another name.
    ("level: hard", '1: level: write "level:" indented under "game:"', "level"),
    ("display:\naddress: 0x3d", '2: address: write "address:" indented under "display:"', "address"),
    ("game.level: hard", '1: game.level: write "level:" indented under "game:"', "game.level"),
    ("game:\n  dim: 60", '2: game.dim: write "dim:" indented under "rest:"', "game.dim"),
    ("game:\n  language: de", '2: game.language: write "language:" at the margin', "game.language"),
    ("game:\n  display: {height: 32}", '2: game.display: write "display:" at the margin', "game.display"),
    ("buzzer: 24", f"1: buzzer: unknown key, expected {TOP}", "buzzer"),
    ("display:\n  i2c: 0x3d", f"2: display.i2c: unknown key, expected {DISPLAY}", "display.i2c"),
    ("display:\n  brightness: 9", f"2: display.brightness: unknown key, expected {DISPLAY}",
     "display.brightness"),
    ("Game:\n  level: hard", f'1: Game: unknown key, expected {TOP} (did you mean "game"?)', "Game"),
    ("display:\n  adress: 0x3d",
     f'2: display.adress: unknown key, expected {DISPLAY} (did you mean "address"?)', "display.adress"),
    ("wifi: no", f"1: wifi: unknown key, expected {TOP}", "wifi"),
    # A value without its key.
    ("game: hard", f'1: {IN_GAME} "hard"', '"hard"'),
    ("sound: 24", "1: sound: expected one of pin, kind with a colon and a value, found 24", "24"),
    ("power: off", '1: power: expected menu with a colon and a value, found "off"', '"off"'),
    ("rest: 60", f"1: {IN_REST} 60", "60"),
    # A word that means one of the values.
    ("game:\n  level: hrad", f'2: {LEVEL} "hrad" (did you mean "hard"?)', '"hrad"'),
    ("game:\n  level: Expert", f'2: {LEVEL} "Expert" (did you mean "perfect"?)', '"Expert"'),
    ("game:\n  level: schwer", f'2: {LEVEL} "schwer" (write hard)', '"schwer"'),
    ("game:\n  level: “hard”", f'2: {LEVEL} "“hard”" (write hard)', '"“hard”"'),
    ("game:\n  first: computer",
     '2: game.first: expected one of you, box, alternate, found "computer"', '"computer"'),
    ("game:\n  rule: klassisch",
     f'2: {RULE} "klassisch" (did you mean "classic"?)',
     '"klassisch"'),
    ("language: cz", f'1: {LANGUAGE} "cz"', '"cz"'),
    ("game:\n  coach: ja", '2: game.coach: expected yes or no, found "ja"', '"ja"'),
    ("language: english", f'1: {LANGUAGE} "english" (write en)', '"english"'),
    ("language: Deutsch", f'1: {LANGUAGE} "Deutsch" (write de)', '"Deutsch"'),
    ("language: en_GB", f'1: {LANGUAGE} "en_GB" (write en)', '"en_GB"'),
    ("led:\n  pin: off", f'2: led.pin: {PIN}, or none, found "off"', '"off"'),
    # A number that is written otherwise.
    ("game:\n  pause: 0,5",
     '2: game.pause: expected a number of seconds from 0 to 10, found "0,5" (write 0.5)', '"0,5"'),
    ("game: {pause: 0,5}", f"1: game.5: unknown key, expected {GAME} ({COMMA})", "game.5"),
    ("rest:\n  dim: 10 min", f'2: rest.dim: {IDLE} "10 min" (write 600)', '"10 min"'),
    ("rest:\n  dim: 2 Stunden", f'2: rest.dim: {IDLE} "2 Stunden"', '"2 Stunden"'),
    ("rest:\n  off: 2 hours", f'2: rest.off: {IDLE} "2 hours" (write 7200)', '"2 hours"'),
    ("rest:\n  off: 1,800", f'2: rest.off: {IDLE} "1,800"', '"1,800"'),
    ("rest:\n  dim: 50%", f'2: rest.dim: {IDLE} "50%"', '"50%"'),
    ("rest:\n  off: never", f'2: rest.off: {IDLE} "never"', '"never"'),
    ("rest:\n  dim: yes", f'2: rest.dim: {IDLE} "yes"', '"yes"'),
    ("rest:\n  dim: -1", f"2: rest.dim: {IDLE} -1", "-1"),
    ("display:\n  contrast: 80%",
     '2: display.contrast: expected a whole number from 0 to 255, found "80%"', '"80%"'),
    ("sound:\n  pin: '24'", f'2: sound.pin: {PIN}, or none, found "24" in quotes (write 24)', '"24"'),
    ("rest:\n  off: 30", "2: rest.off: off (30 s) must be longer than dim (60 s), unless dim is 0", "30"),
    # The keypad's pins.
    ("keypad:\n  columns: [29, 31, 33]",
     f"2: keypad.columns[1]: {PIN}, found 29 (write 5: header pin 29 is BCM 5)", "29"),
    ("keypad:\n  rows: [17, 27, 39]", f"2: keypad.rows[3]: {PIN}, found 39 (header pin 39 is GND)", "39"),
    ("keypad:\n  rows: [11, 13, 15]",
     f"2: keypad.rows: pin 13 is used by row 2 and by column 3: {OWN} ({HEADER_ROWS})", "[11, 13, 15]"),
    ("keypad:\n  rows: [3, 5, 7]",
     f"2: keypad.rows: pin 3 is used by the I2C bus 1 and by row 1: {OWN}", "[3, 5, 7]"),
    ("keypad:\n  rows: 17", f"2: {ROWS} 17", "17"),
    ("keypad:\n  rows: 17, 27, 22", f'2: {ROWS} "17, 27, 22" (write [17, 27, 22])', '"17, 27, 22"'),
    ("keypad: {rows: 17, 27, 22}", f"1: keypad.27: unknown key, expected {KEYPAD} ({COMMA})", "keypad.27"),
    ("keypad:\n  rows: [GPIO17, GPIO27, GPIO22]", f'2: keypad.rows[1]: {PIN}, found "GPIO17" (write 17)',
     '"GPIO17"'),
    ("keypad:\n  rows: [17, 27, 17]", f"2: keypad.rows: pin 17 is used by row 1 and by row 3: {OWN}",
     "[17, 27, 17]"),
    ("keypad:\n  columns: [2, 3, 4]",
     f"2: keypad.columns: pin 2 is used by the I2C bus 1 and by column 1: {OWN}", "[2, 3, 4]"),
    # The display.
    ("display: ssd1306",
     f'1: {IN_DISPLAY} "ssd1306"', '"ssd1306"'),
    ("display:\n  driver: SSD1306", f'2: {DRIVER} "SSD1306" (write ssd1306)', '"SSD1306"'),
    ("display:\n  driver: sdd1306", f'2: {DRIVER} "sdd1306" (did you mean "ssd1306"?)', '"sdd1306"'),
    ("display:\n  driver: ssd1327", f'2: {DRIVER} "ssd1327"', '"ssd1327"'),
    ("display:\n  address: 3c", f"2: display.address: expected {ADDRESS}, found 3c (write 0x3c)", "3c"),
    ("display:\n  rotate: 90", "2: display.rotate: expected one of 0, 180, found 90", "90"),
    ("display:\n  height: 128", "2: display.height: expected one of 64, 32, found 128", "128"),
    ("display:\n  driver: sh1106\n  height: 32",
     "3: display.height: sh1106 has 64 rows, not 32 (128x32 is ssd1306, ssd1315)", "32"),
    # Text that is not YAML.
    ("game:\n\tlevel: hard", f'2: {INVALID} "level: hard" (indent with spaces, not with a tab)',
     '"level: hard"'),
    ("game:\n  level:hard\n  first: you", f'2: {INVALID} "level:hard" (put a space after the colon)',
     '"level:hard"'),
    ("game:\n  level:hard", f'1: {IN_GAME} "level:hard" (put a space after the colon)', '"level:hard"'),
    ("game:\n  level = hard", f'1: {IN_GAME} "level = hard" (write : instead of =)', '"level = hard"'),
    ("game:\n  level hard\n  first: you", f'2: {INVALID} "level hard" (put a colon after the key)',
     '"level hard"'),
    ("keypad:\n  rows: [17, 27, 22\n  hold: 1", f'2: {INVALID} "rows: [17, 27, 22" (close the bracket)',
     '"rows: [17, 27, 22"'),
    ("game: {level: hard\nlanguage: de", f'1: {INVALID} "game: {{level: hard" (close the brace)',
     '"game: {level: hard"'),
    ("language: 'de\nlog: info\nrest:\n  dim: 30\n  off: 60\nexhibit: no",
     f"1: {INVALID} \"language: 'de\" (close the quote)", "\"language: 'de\""),
    ("game:\n\xa0\xa0level: hard",
     f"2: \\xa0\\xa0level: unknown key, expected {TOP} (write a plain space instead of the no-break space)",
     "level"),
    ("game: very hard", f'1: {IN_GAME} "very hard"', '"very hard"'),
    ("game:\n  level: hard\n   first: you",
     f'3: {INVALID} "first: you" (check indentation, colons, quotes, brackets here and above)',
     '"first: you"'),
    ("game:\n  level: hard\n  level: easy",
     "3: game.level: duplicate key: line 2 has it too (keep one of them)", '"easy"'),
    ("game:\n  level: hard\ngame:\n  first: you",
     "3: game: duplicate key: line 1 has it too (move what is below it there)", "{first: you}"),
]
# fmt: on


def error_of(text, file="/boot/firmware/tictactoe.yaml"):
    with pytest.raises(UserError) as caught:
        config_from_node(parse_yaml(text, file))
    return caught.value


@pytest.mark.parametrize(("text", "sentence", "_wrong"), MISTAKES)
def test_the_sentence_names_line_and_key_and_says_what_to_write(text, sentence, _wrong):
    assert str(error_of(text, "box.yaml")) == f"box.yaml:{sentence}"


def columns(frame):
    """Return a frame's columns as numbers, the lowest bit at the top."""
    pages = frame.pages
    return [sum(page[x] << 8 * number for number, page in enumerate(pages)) for x in range(frame.width)]


def shows(frame, text, *, bold=False):
    """Return whether a frame has these words on one line: each pixel of the letters, and none beside."""
    letters = 0x3FE  # the rows between two lines that belong to both are left out
    word = [column & letters for column in (0, *text_columns(text, bold=bold), 0)]
    found = [0, *columns(frame)]  # a line begins at the edge
    lines = ([column >> y & letters for column in found] for y in range(frame.height - PITCH))
    return any(line[x : x + len(word)] == word for line in lines for x in range(frame.width))


@pytest.mark.parametrize("height", [64, 32])
@pytest.mark.parametrize(("text", "sentence", "wrong"), MISTAKES)
def test_the_display_shows_file_and_line_and_the_wrong_value_whole(text, sentence, wrong, height):
    title, words = error_of(text).page("note")
    frame = render(Picture(PageScene(title, words)), 128, height)
    assert shows(frame, f"tictactoe.yaml:{sentence.partition(':')[0]}", bold=True)
    assert shows(frame, wrong)
    assert not shows(frame, "another value")


@pytest.mark.parametrize("height", [64, 32])
def test_a_long_value_is_shown_up_to_forty_characters(height):
    def shown(value):
        title, words = error_of(f"language: {value}").page("note")
        frame = render(Picture(PageScene(title, words)), 128, height)
        return any(shows(frame, value[:cut]) and shows(frame, value[cut:]) for cut in range(1, len(value)))

    assert shown("the.language.that.my.grandmother.speaks0")
    assert not shown("the.language.that.my.grandmother.speaks01")


def test_other_digits_are_another_controller_and_no_misspelling():
    for name, meant in {"ssd1036": "ssd1306", "sh-1106": "sh1106", "SSD 1315": "ssd1315"}.items():
        assert str(error_of(f"display: {{driver: {name}}}")).endswith(
            f'found "{name}" (did you mean "{meant}"?)'
        )
    for name in ("ssd1316", "sh1108", "ssd1307"):
        assert "did you mean" not in str(error_of(f"display: {{driver: {name}}}"))


def test_every_header_pin_above_27_is_answered_with_its_bcm_number():
    for pin in range(28, 41):
        bcm = HEADER[pin - 1]
        remedy = (
            f"header pin {pin} is {bcm}" if bcm == "GND" else f"write {bcm}: header pin {pin} is BCM {bcm}"
        )
        assert str(error_of(f"led: {{pin: {pin}}}")).endswith(f", found {pin} ({remedy})")
        hold = str(error_of(f"keypad: {{hold: {pin}}}"))
        assert hold.endswith(f", found {pin}"), "a number of seconds is no pin"


@pytest.mark.parametrize(("printed", "meant"), [("0x78", 0x3C), ("0x7A", 0x3D), ("0x3c", 0x3C), ("61", 0x3D)])
def test_an_address_as_printed_on_a_module(printed, meant):
    assert (
        config_from_node(parse_yaml(f"display: {{address: {printed}}}", "box.yaml")).display.address == meant
    )


@pytest.mark.parametrize("command", [
    "config check FILE", "config show --config FILE", "boot wiring --config FILE", "boot check DIR",
    "simulate --config FILE", "selftest --simulate --config FILE", "run --config FILE",
])  # fmt: skip
def test_every_command_says_the_same(command, tmp_path, capfd):
    for name in ("config.txt", "cmdline.txt", "start.elf"):
        (tmp_path / name).touch()
    file = tmp_path / "tictactoe.yaml"
    file.write_text("game:\n  level: schwer\n")
    words = command.replace("FILE", str(file)).replace("DIR", str(tmp_path))
    assert cli.main(words.split()) == 2
    assert capfd.readouterr().err == f'tictactoe: {file}:2: {LEVEL} "schwer" (write hard)\n'


def test_the_file_of_a_windows_editor(tmp_path):
    file = tmp_path / "tictactoe.yaml"
    for encoding in ("utf-16", "utf-8-sig"):
        file.write_bytes("game:\r\n  level: hard  # für Gäste\r\n".encode(encoding))
        assert load_config([file]).settings.level == "hard"
    file.write_bytes("language: de\r\n# für Gäste\r\n".encode("cp1252"))
    with pytest.raises(UserError) as caught:
        load_config([file])
    assert str(caught.value) == f"{file}:2: expected UTF-8 text, found the byte 0xfc (save the file as UTF-8)"
    assert caught.value.page("note") == ("tictactoe.yaml:2", "0xfc: save the file as UTF-8")
