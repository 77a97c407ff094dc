"""Preparing a card and removing it again: our lines come and go, every other byte stays."""

import pytest
from bootcard import CMDLINE, CONFIG, DONE, NOTHING, make_card, tree
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.card.partition import encode, read_card, write
from appliance.card.prepare import include, plan_prepare, plan_remove

I = "include tictactoe.txt\n"  # noqa: E741
INCLUDE = I.encode()


def old_block(*lines):
    """The block that version 0.1.0 put into config.txt and user-data."""
    first = "# >>> tictactoe boot prepare writes the lines down to <<< (5d41402a)"
    return "".join(f"{line}\n" for line in (first, *lines, "# <<< tictactoe boot prepare"))


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
        ("# >>> tictactoe\na=1\n" + old_block("b=2"), "# >>> tictactoe\na=1\n" + I),
        ("Include  TicTacToe.txt\na=1\n", "Include  TicTacToe.txt\na=1\n"),
        ("[pi4]\n" + I, "[pi4]\n[all]\n" + I),
        (I + "a=1\n" + I, I + "a=1\n" + I),
        ("[cm5]\na=1\n" + old_block("[all]", "c=3") + "b=2\n", "[cm5]\na=1\nb=2\n[all]\n" + I),
    ],
)
def test_config_txt_gets_one_include_line_that_applies_to_every_model(text, result):
    assert include(text) == include(result) == result


def test_a_fresh_card(card, boot):
    before = tree(card)
    ours = ["config.txt.before-tictactoe", "tictactoe.txt", "tictactoe.yaml"]
    assert boot("prepare", card) == (0, [*(f"{name}: written" for name in ours), "config.txt: updated", DONE])
    after = tree(card)
    assert set(after) == {*before, *ours}
    assert {name for name in before if after[name] != before[name]} == {"config.txt"}
    assert after["config.txt"] == CONFIG + INCLUDE
    assert after["config.txt.before-tictactoe"] == CONFIG
    assert boot("check", card)[0] == 0
    assert boot("prepare", card) == (0, [NOTHING])
    assert tree(card) == after
    status, lines = boot("prepare", card, "--remove")
    assert (status, lines[-1]) == (0, "this box is off the card; unmount it before you take it out")
    assert sorted(lines[:-1]) == sorted(["config.txt: restored", *(f"{name}: removed" for name in ours)])
    assert tree(card) == before
    assert boot("prepare", card, "--remove") == (0, ["nothing of this box is on the card"])


def test_options_may_change_and_lines_around_ours_stay(card, boot):
    pins = ("--shutdown-pin", 21, "--led-pin", 20)
    assert boot("prepare", card, *pins)[0] == 0
    led = "dtoverlay=gpio-led,gpio=20,label=tictactoe-power,trigger=default-on\n"
    assert led in (card / "tictactoe.txt").read_text()
    with (card / "config.txt").open("a") as stream:
        stream.write("# mine\narm_boost=1\n")
    assert boot("prepare", card, *pins)[1] == [NOTHING]
    assert boot("prepare", card, "--poweroff-pin", 16)[1] == ["tictactoe.txt: updated", DONE]
    assert "gpio-shutdown" not in (card / "tictactoe.txt").read_text()
    assert "dtoverlay=gpio-poweroff,gpiopin=16\n" in (card / "tictactoe.txt").read_text()
    lines = boot("prepare", card, "--remove")[1]
    assert "config.txt.before-tictactoe: left there, because config.txt has changed since" in lines
    assert (card / "config.txt").read_bytes() == CONFIG + b"# mine\narm_boost=1\n"
    boot("prepare", card)
    assert (card / "config.txt.before-tictactoe").read_bytes() == CONFIG  # an older copy is never replaced


# Text as it may be in config.txt: any characters, every kind of line end.
PIECES = "|[all]|[pi5]|dtparam=i2c_arm=on|# caf\udce9|\t#|\x0b|\x85|\u2028|a|\r|\n|\r\n|\n\n|" + "a" * 99
LINES = st.lists(st.sampled_from(PIECES.split("|")), max_size=16).map("".join).map(encode)
NO_LIMIT = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def change(root, plan, *arguments):
    """Make a plan's changes to a card; return whether there were any."""
    card = read_card(root)
    changes = plan(card, *arguments).changes
    write(card, changes)
    return bool(changes)


@given(
    bom=st.sampled_from([b"", b"\xef\xbb\xbf"]),
    config=LINES,
    pins=st.lists(st.sampled_from([None, 21]), min_size=1, max_size=2),
)
@NO_LIMIT
def test_preparing_and_removing_give_back_every_byte(tmp_path_factory, bom, config, pins):
    root = make_card(tmp_path_factory.mktemp("card") / "c", config=bom + config, firmware=())
    before = tree(root)
    for pin in pins:
        prepare = (root, plan_prepare, "# settings\n", {"shutdown_pin": pin})
        change(*prepare)
        prepared = tree(root)
        assert prepared["config.txt"].startswith(before["config.txt"])
        assert prepared["cmdline.txt"] == CMDLINE
        assert not change(*prepare)
    assert change(root, plan_remove)
    assert tree(root) == before
    assert not change(root, plan_remove)


USER_DATA = b"#cloud-config\n\n#hostname: raspberrypi\n"
OLD_CONFIG = old_block("[all]", "dtoverlay=", "", "dtparam=i2c_arm=on", "dtoverlay=").encode()
OLD_USER_DATA = old_block("runcmd:", "  - [sh, /boot/firmware/tictactoe/first-boot.sh]").encode()
OLD_RUN = b" systemd.run=/boot\\x2ffirmware/tictactoe/first-boot.sh"
OLD_REST = b" systemd.run_success_action=reboot systemd.unit=kernel-command-line.target"
IMAGER = b" systemd.run=/boot/firstrun.sh" + OLD_REST


@pytest.mark.parametrize("copies", [True, False])
@pytest.mark.parametrize("prepare_again", [True, False])
@pytest.mark.parametrize(("words", "added"), [(b"", OLD_RUN + OLD_REST), (IMAGER, OLD_RUN), (b"", b"")])
def test_a_card_that_an_earlier_version_prepared_is_restored(card, boot, copies, prepare_again, words, added):
    line = CMDLINE.replace(b"\n", words + b"\n")
    (card / "cmdline.txt").write_bytes(line)
    (card / "user-data").write_bytes(USER_DATA)
    before = tree(card)
    (card / "tictactoe").mkdir()
    for name in ("prepared.json", "first-boot.sh", "first-boot.log", "tictactoe-appliance_0.1.0_all.deb"):
        (card / "tictactoe" / name).touch()
    for name, text in (
        ("config.txt", CONFIG + OLD_CONFIG),
        ("user-data", USER_DATA + OLD_USER_DATA),
        ("cmdline.txt", line.replace(b"\n", added + b"\n")),
    ):
        (card / name).write_bytes(text)
        if copies:
            (card / f"{name}.before-tictactoe").write_bytes(before[name])
    if prepare_again:
        assert boot("prepare", card)[0] == 0
        assert (card / "config.txt").read_bytes() == CONFIG + INCLUDE
        assert (card / "cmdline.txt").read_bytes() == line.replace(b"\n", added + b"\n")
        assert (card / "tictactoe/first-boot.sh").exists()  # its first start runs it
    assert boot("prepare", card, "--remove")[0] == 0
    assert tree(card) == before
    assert not (card / "tictactoe").exists()


# Pieces of what these files may hold, and of what nobody expects in them.
ODD = b"""include config.txt
|include tictactoe/first-boot.log
|cmdline=tictactoe.txt
|gpio=0-9999999999999=op
|dtoverlay=gpio-led,gpio=999999999999999999999999999999999999999999
|# >>> tictactoe|# <<< tictactoe boot prepare
|\xef\xbb\xbf|\0|\xff
|root=""".split(b"|")
ODD += [b"[" * 3000, OLD_CONFIG, OLD_USER_DATA, OLD_RUN, IMAGER, INCLUDE, CMDLINE]
CONTENT = st.lists(st.one_of(st.sampled_from(ODD), st.binary(max_size=20)), max_size=4).map(b"".join)
EDITED = ("config.txt", "cmdline.txt", "user-data")
READ = [*EDITED, *(f"{name}.before-tictactoe" for name in EDITED), "tictactoe.yaml", "tictactoe.txt"]
READ += ["tictactoe/first-boot.sh", "tictactoe/first-boot.log"]


@given(contents=st.dictionaries(st.sampled_from(READ), CONTENT, min_size=1, max_size=4))
@settings(NO_LIMIT, max_examples=100)
def test_any_bytes_in_any_file_give_a_sentence_or_success(tmp_path_factory, boot, contents):
    root = make_card(tmp_path_factory.mktemp("card") / "c", firmware=["kernel8.img"])
    (root / "tictactoe").mkdir()
    for name, content in contents.items():
        (root / name).write_bytes(content)

    def roots():
        return [word for word in (root / "cmdline.txt").read_bytes().split() if word.startswith(b"root=")]

    roots_before = roots()
    for words in (["prepare", root], ["check", root], ["prepare", root, "--remove"]):
        before = tree(root)
        status, lines = boot(*words)
        if status == 2:
            assert "\n" not in lines[0]
            assert tree(root) == before
    assert roots() == roots_before
