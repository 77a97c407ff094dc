import bootcard
import pytest
import yaml

from appliance.card import edits
from appliance.card.table import render
from appliance.card.userdata import combine
from appliance.errors import UserError

RUN = ["sh", "/boot/firmware/tictactoe/first-boot.sh"]
IMAGER = bootcard.IMAGER.decode()
BOX = [{"name": "box", "gecos": "tic-tac-toe box", "lock_passwd": True}]


def ours(hostname=None):
    text = render("user-data", {"hostname": hostname})
    return text[text.index("\n\n") :]


def combined(text, hostname=None):
    put = combine(text, ours(hostname), "user-data")
    assert edits.unchanged(put, text)
    return yaml.safe_load(put.removeprefix("\ufeff"))


@pytest.mark.parametrize(
    "text",
    [
        "#cloud-config\n",
        "#cloud-config",
        "#cloud-config\r\n\r\n# nothing\r\n",
        "\ufeff#cloud-config\n",
        "#cloud-config\n# hostname: raspberrypi\n",
        "#cloud-config\n---\n",
    ],
)
def test_a_fresh_image(text):
    assert combined(text) == {"users": BOX, "runcmd": [RUN]}
    assert combined(text, "box") == {"users": BOX, "hostname": "box", "runcmd": [RUN]}


def test_what_raspberry_pi_imager_wrote_stays_and_our_command_comes_first():
    before = yaml.safe_load(IMAGER)
    assert combined(IMAGER) == before | {"runcmd": [RUN, *before["runcmd"]]}
    put = combine(IMAGER, ours(), "user-data")
    assert len(edits.marked(put)) == 1
    assert "\n  - [sh, /boot/firmware/tictactoe/first-boot.sh]\n  # <<< tictactoe boot prepare\n" in put


def test_our_part_follows_a_text_without_a_last_line_end():
    text = IMAGER[: IMAGER.index("timezone")]
    assert combined(text) == yaml.safe_load(text) | {"users": BOX, "runcmd": [RUN]}


def test_a_user_is_added_where_there_is_none_and_a_command_where_there_are_others():
    text = "#cloud-config\nruncmd:\n- echo one\n- [echo, two]\nssh_pwauth: true"
    assert combined(text) == {"runcmd": [RUN, "echo one", ["echo", "two"]], "ssh_pwauth": True, "users": BOX}
    assert len(edits.marked(combine(text, ours(), "user-data"))) == 2


def test_a_hostname_that_is_there_may_be_the_same():
    assert combined("#cloud-config\nhostname: box\n", "box")["hostname"] == "box"


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
        (
            "#cloud-config\nhostname: pi\n",
            'user-data:2: hostname: has another value; write "box" here, or omit',
        ),
    ],
)
def test_text_that_has_no_room_for_ours_is_refused(text, sentence):
    with pytest.raises(UserError) as caught:
        combined(text, "box")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_text_that_keeps_its_empty_lines_does_not_swallow_ours():
    text = "#cloud-config\nfoo: |+\n  text\n\n\n"
    assert combined(text)["foo"] == "text\n\n\n"


def test_the_template_is_what_cloud_init_reads():
    text = render("user-data", {"hostname": "box"})
    assert text.startswith("#cloud-config\n")
    assert yaml.safe_load(text) == {"users": BOX, "hostname": "box", "runcmd": [RUN]}
