import pytest
from bootcard import (
    APPLIANCE,
    CMDLINE,
    CONFIG,
    DONE,
    IMAGER,
    NOTHING,
    RUN,
    USER_DATA,
    make_card,
    old_block,
    tree,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.card.partition import encode, read_card, write
from appliance.card.prepare import plan_prepare, plan_remove

FIRSTRUN = RUN.replace(b"\\x2ffirmware/tictactoe/first-boot.sh", b"/firstrun.sh")
INCLUDE = b"include tictactoe.txt\n"


def test_a_fresh_card_of_trixie(card, debs, boot):
    before = tree(card)
    options = ("prepare", card, "--package", debs, "--hostname", "box")
    edited = ("cmdline.txt", "user-data", "config.txt")
    ours = [f"{name}.before-tictactoe" for name in edited]
    ours += sorted(f"tictactoe/{path.name}" for path in debs.iterdir())
    ours += ["tictactoe/first-boot.sh", "tictactoe.txt", "tictactoe.yaml"]
    report = [*(f"{name}: written" for name in ours), *(f"{name}: updated" for name in edited), DONE]
    assert boot(*options) == (0, report)
    after = tree(card)
    assert set(after) == {*before, *ours}
    assert {name for name in before if after[name] != before[name]} == set(edited)
    assert after["cmdline.txt"] == CMDLINE.replace(b"\n", b" quiet\n")
    assert after["config.txt"] == CONFIG + INCLUDE
    assert after["user-data"].startswith(USER_DATA + b"# >>> tictactoe boot prepare replaces")
    assert b"hostname: box\n" in after["user-data"]
    assert after["tictactoe/" + APPLIANCE] == (debs / APPLIANCE).read_bytes()
    assert {after[name + ".before-tictactoe"] for name in edited} == {before[name] for name in edited}
    assert boot("check", card)[0] == 0
    assert boot(*options) == (0, [NOTHING])
    assert tree(card) == after
    status, lines = boot("prepare", card, "--remove")
    assert (status, lines[-1]) == (0, "this box is off the card; unmount it before you take it out")
    report = [*(f"{name}: restored" for name in edited), *(f"{name}: removed" for name in ours)]
    assert sorted(lines[:-1]) == sorted(report)
    assert tree(card) == before
    assert not (card / "tictactoe").exists()
    assert boot("prepare", card, "--remove") == (0, ["nothing of this box is on the card"])


def test_a_fresh_card_of_bookworm(tmp_path, debs, boot):
    card = make_card(tmp_path / "card", date="2024-11-19", cloud_init=False)
    for name in ("custom.toml", "userconf.txt"):  # Imager's
        (card / name).write_text("x")
    before = tree(card)
    options = ("prepare", card, "--package", debs, "--hostname", "box")
    assert boot(*options)[1][-1] == DONE
    after = tree(card)
    assert after["cmdline.txt"] == CMDLINE.replace(b"\n", b" quiet" + RUN + b"\n")
    assert b"\nhostname=box\n" in after["tictactoe/first-boot.sh"]
    assert "user-data" not in after
    assert boot(*options) == (0, [NOTHING])

    # The first boot removes its words; nothing else changes, and --remove still works.
    (card / "cmdline.txt").write_bytes(CMDLINE.replace(b"\n", b" quiet\n"))
    (card / "tictactoe/first-boot.log").write_text("installed\n")
    boot("prepare", card, "--remove")
    assert tree(card) == before


def test_a_card_on_which_imager_runs_a_script_of_its_own(tmp_path, boot):
    line = CMDLINE.replace(b"\n", FIRSTRUN + b"\n")
    card = make_card(tmp_path / "card", date="2024-11-19", cloud_init=False, cmdline=line)
    boot("prepare", card)
    added = b" quiet systemd.run=/boot\\x2ffirmware/tictactoe/first-boot.sh\n"
    assert (card / "cmdline.txt").read_bytes() == line.replace(b"\n", added)
    # The image's initramfs corrects Imager's path in the whole line, and must change nothing of ours.
    moved = (card / "cmdline.txt").read_bytes().replace(b"/boot/", b"/boot/firmware/")
    assert moved == line.replace(b"/boot/", b"/boot/firmware/").replace(b"\n", added)
    boot("prepare", card, "--remove")
    assert (card / "cmdline.txt").read_bytes() == line
    # Without the copy, words that Imager's script needs stay.
    boot("prepare", card)
    (card / "cmdline.txt.before-tictactoe").unlink()
    boot("prepare", card, "--remove")
    assert (card / "cmdline.txt").read_bytes() == line.replace(b"\n", b" quiet\n")


def test_options_may_change_and_lines_around_ours_stay(card, boot):
    pins = ("--shutdown-pin", 21, "--led-pin", 20)
    assert boot("prepare", card, *pins)[0] == 0
    led = "dtoverlay=gpio-led,gpio=20,label=tictactoe-power,trigger=default-on\n"
    assert led in (card / "tictactoe.txt").read_text()
    for name, line in (("config.txt", "# mine\narm_boost=1\n"), ("user-data", "timezone: Europe/Paris\n")):
        with (card / name).open("a") as stream:
            stream.write(line)
    assert boot("prepare", card, *pins)[1][::2] == ["user-data: updated", DONE]  # ours goes to the end
    assert boot("prepare", card, *pins)[1][-1] == NOTHING

    assert boot("prepare", card, "--poweroff-pin", 16)[1][::2] == ["tictactoe.txt: updated", DONE]
    assert "gpio-shutdown" not in (card / "tictactoe.txt").read_text()
    assert "dtoverlay=gpio-poweroff,gpiopin=16\n" in (card / "tictactoe.txt").read_text()
    lines = boot("prepare", card, "--remove")[1]
    assert "config.txt.before-tictactoe: left there, because config.txt has changed since" in lines
    assert (card / "config.txt").read_bytes() == CONFIG + b"# mine\narm_boost=1\n"
    assert (card / "user-data").read_bytes() == USER_DATA + b"timezone: Europe/Paris\n"
    boot("prepare", card)
    assert (card / "config.txt.before-tictactoe").read_bytes() == CONFIG  # an older copy is never replaced


# Text as it may be in config.txt and its like: any characters, every kind of line end.
PIECES = "|[all]|[pi5]|dtparam=i2c_arm=on|# caf\udce9|\t#|\x0b|\x85|\u2028|a|\r|\n|\r\n|\n\n|" + "a" * 99
LINES = st.lists(st.sampled_from(PIECES.split("|")), max_size=16).map("".join).map(encode)
WORDS = st.lists(
    st.sampled_from(["quiet", "quieter", "root=/dev/a", "init=/x", "systemd.run=/y", "a"]),
    min_size=1,
    max_size=5,
)
ENDS = st.sampled_from(["", "\n", "\r\n", " \n", "\n\n", "\nquiet\n"])
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
    words=WORDS,
    end=ENDS,
    seed=st.sampled_from(
        [b"", b"\r\n", b"\nhostname: a\n", b"\nruncmd:\n- a", b"\nusers: []\n# x", b"\n\n\n", IMAGER[13:]]
    ),
    cloud_init=st.booleans(),
    pins=st.lists(st.sampled_from([None, 21]), min_size=1, max_size=2),
)
@NO_LIMIT
def test_preparing_and_removing_give_back_every_byte(
    tmp_path_factory, bom, config, words, end, seed, cloud_init, pins
):
    root = make_card(
        tmp_path_factory.mktemp("card") / "c",
        date="2025-11-24",
        cloud_init=cloud_init,
        config=bom + config,
        cmdline=(" ".join(words) + end).encode(),
        user_data=b"#cloud-config" + seed,
        firmware=(),
    )
    before = tree(root)
    for pin in pins:
        prepare = (root, plan_prepare, "# settings\n", {}, {"shutdown_pin": pin})
        change(*prepare)
        prepared = tree(root)
        for name, content in before.items():
            lines = iter([line.rstrip() for line in prepared[name].split(b"\n")])
            assert name == "cmdline.txt" or all(line.rstrip() in lines for line in content.split(b"\n"))
            assert set(content.split()) <= set(prepared[name].split())
        assert not change(*prepare)
    assert change(root, plan_remove)
    assert tree(root) == before
    assert not change(root, plan_remove)


OLD_CONFIG = old_block(
    ["[all]", "dtoverlay=", "", "dtparam=i2c_arm=on", "boot_delay=0", "dtoverlay="]
).encode()
OLD_RUN = old_block(["runcmd:", "  - [sh, /boot/firmware/tictactoe/first-boot.sh]"]).encode()
OLD_MANIFEST = b'{"files": {"root=": [1]}, "words": ["root=/dev/a"]}'  # not to be believed


@pytest.mark.parametrize("copies", [True, False])
@pytest.mark.parametrize("convert", [True, False])
def test_a_card_that_version_0_1_0_prepared_is_converted_and_restored(card, boot, copies, convert):
    before = tree(card)
    (card / "tictactoe").mkdir()
    (card / "tictactoe/prepared.json").write_bytes(OLD_MANIFEST)
    (card / "tictactoe/first-boot.sh").write_bytes(b"#!/bin/sh\n")
    for name, text in (
        ("config.txt", CONFIG + OLD_CONFIG),
        ("user-data", USER_DATA + OLD_RUN),
        ("cmdline.txt", CMDLINE.replace(b"\n", b" quiet\n")),
    ):
        (card / name).write_bytes(text)
        if copies:
            (card / f"{name}.before-tictactoe").write_bytes(before[name])
    if convert:
        assert boot("prepare", card)[0] == 0
        assert (card / "config.txt").read_bytes() == CONFIG + INCLUDE
        assert (card / "user-data").read_bytes().count(b"first-boot.sh]") == 1
        assert b"root=PARTUUID=d89b055c-02" in (card / "cmdline.txt").read_bytes()
        assert not (card / "tictactoe/prepared.json").exists()
        assert boot("prepare", card)[1][-1] == NOTHING
    assert boot("prepare", card, "--remove")[0] == 0
    if not copies:  # whose "quiet" it was cannot be known
        (card / "cmdline.txt").write_bytes(CMDLINE)
    assert tree(card) == before


# Pieces of what these files may hold, and of what nobody expects in them.
ODD = b"""include config.txt
|include tictactoe/first-boot.log
|cmdline=tictactoe.txt
|gpio=0-9999999999999=op
|dtoverlay=gpio-led,gpio=999999999999999999999999999999999999999999
|#cloud-config
runcmd:
|runcmd: {a: [b]}
|&a [*a]
|# >>> tictactoe|# <<< tictactoe boot prepare
|\xef\xbb\xbf|\0|\xff
|2022-01-01|root=""".split(b"|")
ODD += [b"[" * 3000, b"- " * 2000]  # deep
ODD += [OLD_CONFIG, OLD_RUN, OLD_MANIFEST, INCLUDE, USER_DATA, IMAGER, RUN, CMDLINE]
CONTENT = st.lists(st.one_of(st.sampled_from(ODD), st.binary(max_size=20)), max_size=4).map(b"".join)
EDITED = ("config.txt", "cmdline.txt", "user-data", "meta-data")
READ = [*EDITED, *(f"{name}.before-tictactoe" for name in EDITED), "network-config", "issue.txt"]
READ += ["tictactoe.yaml", "tictactoe.txt", "tictactoe/prepared.json", "tictactoe/first-boot.sh"]
READ += ["tictactoe/first-boot.log", "tictactoe/x_1_all.deb"]


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
