"""Mistakes that makers make in a configuration: what the terminal says, and what the display shows of it."""

from pathlib import Path
from typing import NamedTuple

import pytest

from appliance import cli
from appliance.config.reading import config_from_node, load_config, read_config
from appliance.config.schema import CHIPS, SECTIONS, Config, DisplayConfig
from appliance.config.yamlfile import parse_yaml
from appliance.core.errors import UserError
from appliance.core.keys.pins import HEADER
from appliance.core.picture.font import text_columns
from appliance.core.picture.raster import PITCH, render
from appliance.core.picture.scene import PageScene, Picture
from appliance.core.session.settings import LEVEL_NAMES, RULE_NAMES
from appliance.service import mistake

TABLE = Path(__file__).with_name("mistakes.txt")
LEVEL = f"game.level: expected one of {', '.join(LEVEL_NAMES)}, found"
NAMES = {"drivers": CHIPS, "rules": RULE_NAMES} | {
    section: keys for section, (_, keys) in SECTIONS.items() if section
}
WIDTH = 126  # the display's, less what it drifts
ESCAPES = {"\n": "\\n", "\t": "\\t", "\xa0": "\\xa0"}


class Row(NamedTuple):
    """A file that somebody wrote: its text; for each mistake the sentence, and the lines on the display."""

    text: str
    sentences: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


def rows():
    """Return the rows of the table; its head says how they are written."""
    for block in TABLE.read_text().split("\n\n")[1:]:
        text, *found = block.strip("\n").split("\n")
        for character, written in ESCAPES.items():
            text = text.replace(written, character)
        for name, values in NAMES.items():
            found = [line.replace(f"{{{name}}}", ", ".join(values)) for line in found]
        sentences, shown = found[::2], found[1::2]
        assert all(line.startswith("    ") for line in shown)
        yield Row(text, tuple(sentences), tuple(filled(line.strip()) for line in shown))


def filled(text):
    """Return a text as the lines of a display, as full as can be."""
    first, *words = text.split(" ")
    lines = [first]
    for word in words:
        longer = f"{lines[-1]} {word}"
        if len(text_columns(longer, bold=False)) <= WIDTH:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


def mistakes_in(text, file):
    file.write_text(text)
    return read_config([file]).mistakes


def test_the_table_has_what_people_were_seen_to_write():
    assert len(ROWS) >= 60
    assert len({row.text for row in ROWS}) == len(ROWS)


ROWS = list(rows())
each_row = pytest.mark.parametrize("row", ROWS, ids=[row.text for row in ROWS])


@each_row
def test_each_sentence_names_line_and_key_and_says_what_to_write(row, tmp_path):
    file = tmp_path / "tictactoe.yaml"
    found = [str(one).removeprefix(f"{file}:").strip() for one in mistakes_in(row.text, file)]
    assert found == list(row.sentences)


@pytest.mark.parametrize("height", [64, 32])
@each_row
def test_the_display_shows_file_line_and_all_words_and_turns_the_pages(row, height, tmp_path):
    config, room = Config(display=DisplayConfig(height=height)), 5 if height == 64 else 2
    errors = mistakes_in(row.text, tmp_path / "tictactoe.yaml")
    pages = iter(mistake.pages(errors, config, "note"))
    for error, lines in zip(errors, row.lines, strict=True):
        for first in range(0, len(lines), room):
            title, text = next(pages)
            frame = render(Picture(PageScene(title, text)), 128, height)
            assert shows(frame, "tictactoe.yaml" + (f":{error.line}" if error.line else ""), bold=True)
            for line in lines[first : first + room]:
                assert shows(frame, line), line
            assert not shows(frame, "another value")
    assert list(pages) == []


def error_of(text, file="/boot/firmware/tictactoe.yaml"):
    with pytest.raises(UserError) as caught:
        config_from_node(parse_yaml(text, file))
    return caught.value


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
