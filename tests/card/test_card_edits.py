"""Our lines in config.txt and in user-data, over text."""

import bootcard
import pytest
import yaml
from bootcard import old_block

from appliance.card.edits import Edited, include, original, user_data
from appliance.card.table import render
from appliance.core.errors import UserError

I = "include tictactoe.txt\n"  # noqa: E741


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("", I),
        ("a=1\n", "a=1\n" + I),
        ("a=1", "a=1\n" + I),
        ("a=1\r\nb=2", "a=1\r\nb=2\r\ninclude tictactoe.txt\r\n"),
        ("\ufeff", "\ufeff\n" + I),
        ("[pi4]\na=1\n", "[pi4]\na=1\n[all]\n" + I),
        ("[pi4]\na=1\n[all]\nb=2\n", "[pi4]\na=1\n[all]\nb=2\n" + I),
        ("[all]\ninclude mine.txt\n", "[all]\ninclude mine.txt\n[all]\n" + I),  # that file may set a filter
        (I + "a=1\n", I + "a=1\n"),
        ("# <<< tictactoe boot prepare\n", "# <<< tictactoe boot prepare\n" + I),
        ("Include  TicTacToe.txt\na=1\n", "Include  TicTacToe.txt\na=1\n"),
        ("[pi4]\n" + I, "[pi4]\n[all]\n" + I),
        (I + "a=1\n" + I, I + "a=1\n" + I),
        ("a=1\n" + old_block(["[all]", "dtparam=i2c_arm=on"]), "a=1\n" + I),
        (I + old_block(["a=1"]), I),
        ("[cm5]\na=1\n" + old_block(["[all]"]) + "b=2\n", "[cm5]\na=1\n[all]\n" + I + "b=2\n"),
    ],
)
def test_config_txt_gets_one_include_line_that_applies_to_every_model(text, result):
    assert include(Edited(text, None, "config.txt")) == result
    assert include(Edited(result, text, "config.txt")) == result
    assert original(Edited(result, text, "config.txt")) == text
    changed = original(Edited(result + "arm_boost=1\n", text, "config.txt"))
    assert changed == original(Edited(result, None, "config.txt")) + "arm_boost=1\n"


IMAGER = bootcard.IMAGER.decode()
SHORT = IMAGER[: IMAGER.index("timezone")]
RUN = ["sh", "/boot/firmware/tictactoe/first-boot.sh"]
BOX = [{"name": "box", "gecos": "tic-tac-toe box", "lock_passwd": True}]
OURS = {"users": BOX, "hostname": "box", "runcmd": [RUN]}


def combined(text, hostname="box"):
    template = render("user-data", {"hostname": hostname})
    put = user_data(Edited(text, None, "user-data"), template[template.index("\n\n") :])
    assert original(Edited(put, text, "user-data")) == text
    return put


def meaning(text):
    return yaml.safe_load(text.removeprefix("\ufeff"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#cloud-config\n", OURS),
        ("#cloud-config", OURS),
        ("#cloud-config\r\n\r\n# nothing\r\n", OURS),
        ("\ufeff#cloud-config\n", OURS),
        ("#cloud-config\n# hostname: raspberrypi\n", OURS),
        ("#cloud-config\n---\n", OURS),
        ("#cloud-config\na:\n  [b,\n  c]", OURS | {"a": ["b", "c"]}),
        ("#cloud-config\nhostname: box\n", OURS),
        ("#cloud-config\nfoo: |+\n  text\n\n\n", OURS | {"foo": "text\n\n\n"}),  # keeps its empty lines
        (
            "#cloud-config\nruncmd:\n- ls\n- [echo, two]\na: b",
            OURS | {"runcmd": [RUN, "ls", ["echo", "two"]], "a": "b"},
        ),
        (IMAGER, meaning(IMAGER) | {"runcmd": [RUN, *meaning(IMAGER)["runcmd"]]}),
        (SHORT, meaning(SHORT) | {"users": BOX, "runcmd": [RUN]}),
    ],
)
def test_user_data_keeps_what_it_has_and_our_command_comes_first(text, expected):
    assert meaning(combined(text)) == expected


def test_our_part_of_user_data_is_marked_and_indented_as_the_list_is():
    put = combined(IMAGER)
    assert put.count("# >>>") == put.count("# <<<") == 1
    assert "\n  - [sh, /boot/firmware/tictactoe/first-boot.sh]\n  # <<< tictactoe boot prepare\n" in put
    assert combined("#cloud-config\nruncmd:\n- ls\n").count("# >>>") == 2
    assert "hostname" not in meaning(combined("#cloud-config\n", None))


FIRST = 'user-data:1: expected "#cloud-config" as the first line'
LIST = 'user-data:2: runcmd: expected a list with one "- command" a line'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", FIRST),
        ("#!/bin/sh\necho\n", FIRST),
        ("#cloud-config-archive\n- a\n", FIRST),
        ("#cloud-config\n- a\n", 'user-data:2: expected a mapping ("key: value"), found a list'),
        ("#cloud-config\na: [\n", "user-data:2: not valid YAML"),
        ("#cloud-config\na: b\n...\n", "user-data"),
        ("#cloud-config\n{a: b}\n", "user-data"),
        ("#cloud-config\nruncmd: [ls]\n", LIST),
        ("#cloud-config\nruncmd:\n", LIST),
        ("#cloud-config\nruncmd:\n  [ls]\n", LIST),
        ("#cloud-config\nruncmd: |\n  - ls\n", LIST),
        ("#cloud-config\nwrite_files: &a\n  - path: /x\n", "anchors"),
        ("#cloud-config\nfoo: |\n  a text that\n  runs on", "user-data: this box's lines cannot be added"),
        ("#cloud-config\nhostname: pi\n", ':2: hostname: has another value; write "box" here, or omit'),
    ],
)
def test_user_data_that_has_no_room_for_ours_is_refused(text, sentence):
    with pytest.raises(UserError) as caught:
        combined(text)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
