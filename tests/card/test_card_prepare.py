import contextlib
import errno
import io
import json
import os
from pathlib import Path

import pytest
from bootcard import CMDLINE, CONFIG, IMAGER, USER_DATA, boot, make_card, make_deb, old_block, tree
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.card.partition import read_card, write
from appliance.card.prepare import Options, plan_prepare, plan_remove
from appliance.cli import build_parser
from appliance.commands.config import example_lines
from appliance.config import load
from appliance.errors import UserError

DONE = "the card is prepared; unmount it before you take it out"
NOTHING = "the card is prepared already: nothing to do"
NO_PACKAGE = "note: there is no package to install: give it with --package, or copy it into tictactoe"
RUN = b" systemd.run=/boot\\x2ffirmware/tictactoe/first-boot.sh systemd.run_success_action=reboot"
RUN += b" systemd.unit=kernel-command-line.target"
FIRSTRUN = RUN.replace(b"\\x2ffirmware/tictactoe/first-boot.sh", b"/firstrun.sh")
INCLUDE = b"include tictactoe.txt\n"
DEB = "tictactoe-appliance_0.1.0_all.deb"


@pytest.fixture
def card(tmp_path):
    return make_card(tmp_path / "card")


@pytest.fixture
def debs(tmp_path):
    (tmp_path / "packages").mkdir()
    for name in ("python3-luma.oled_3.10_all.deb", "python3-luma.core_2.4_all.deb", DEB):
        make_deb(tmp_path / "packages" / name)
    return tmp_path / "packages"


def test_a_fresh_card_of_trixie(card, debs, capsys):
    before = tree(card)
    options = ("prepare", card, "--package", debs, "--hostname", "box")
    assert boot(capsys, *options) == (
        0,
        [
            "tictactoe/: 3 packages (12 kB) written",
            "tictactoe/first-boot.sh: written",
            "tictactoe.txt: written",
            "tictactoe.yaml: written",
            "cmdline.txt: updated; cmdline.txt.before-tictactoe is the original",
            "user-data: updated; user-data.before-tictactoe is the original",
            "config.txt: updated; config.txt.before-tictactoe is the original",
            DONE,
        ],
    )
    after = tree(card)
    edited = ("config.txt", "cmdline.txt", "user-data")
    assert after["cmdline.txt"] == CMDLINE.replace(b"\n", b" quiet\n")
    assert after["config.txt"] == CONFIG + INCLUDE
    assert after["user-data"].startswith(USER_DATA + b"# >>> tictactoe boot prepare replaces")
    assert b"hostname: box\n" in after["user-data"]
    assert after["tictactoe/" + DEB] == (debs / DEB).read_bytes()
    assert {after[name + ".before-tictactoe"] for name in edited} == {before[name] for name in edited}
    assert {name: after[name] for name in before if name not in edited} == {
        name: content for name, content in before.items() if name not in edited
    }
    assert boot(capsys, "check", card)[0] == 0
    assert boot(capsys, *options) == (0, [NOTHING])
    assert tree(card) == after
    assert boot(capsys, "prepare", card, "--remove") == (
        0,
        [
            "tictactoe/: 3 packages removed",
            *(f"{name}: restored" for name in edited),
            *(f"{name}: removed" for name in ("tictactoe.yaml", "tictactoe.txt", "tictactoe/first-boot.sh")),
            "this box is off the card; unmount it before you take it out",
        ],
    )
    assert tree(card) == before
    assert not (card / "tictactoe").exists()
    assert boot(capsys, "prepare", card, "--remove") == (0, ["nothing of this box is on the card"])


def test_a_fresh_card_of_bookworm(tmp_path, debs, capsys):
    card = make_card(tmp_path / "card", date="2024-11-19", cloud_init=False)
    for name in ("custom.toml", "userconf.txt"):  # Imager's
        (card / name).write_text("x")
    before = tree(card)
    options = ("prepare", card, "--package", debs, "--hostname", "box")
    assert boot(capsys, *options)[1][-1] == DONE
    after = tree(card)
    assert after["cmdline.txt"] == CMDLINE.replace(b"\n", b" quiet" + RUN + b"\n")
    assert b"    raspi-config nonint do_hostname box\n" in after["tictactoe/first-boot.sh"]
    assert "user-data" not in after
    assert boot(capsys, *options) == (0, [NOTHING])

    # The first boot removes its words; nothing else changes, and --remove still works.
    (card / "cmdline.txt").write_bytes(CMDLINE.replace(b"\n", b" quiet\n"))
    (card / "tictactoe/first-boot.log").write_text("installed\n")
    boot(capsys, "prepare", card, "--remove")
    assert tree(card) == before


def test_a_card_on_which_imager_runs_a_script_of_its_own(tmp_path, capsys):
    line = CMDLINE.replace(b"\n", FIRSTRUN + b"\n")
    card = make_card(tmp_path / "card", date="2024-11-19", cloud_init=False, cmdline=line)
    boot(capsys, "prepare", card)
    added = b" quiet systemd.run=/boot\\x2ffirmware/tictactoe/first-boot.sh\n"
    assert (card / "cmdline.txt").read_bytes() == line.replace(b"\n", added)
    # The image's initramfs corrects Imager's path in the whole line, and must change nothing of ours.
    moved = (card / "cmdline.txt").read_bytes().replace(b"/boot/", b"/boot/firmware/")
    assert moved == line.replace(b"/boot/", b"/boot/firmware/").replace(b"\n", added)
    boot(capsys, "prepare", card, "--remove")
    assert (card / "cmdline.txt").read_bytes() == line


def test_a_card_that_has_no_user_data_gets_it_for_trixie_on_request(tmp_path, capsys):
    card = make_card(tmp_path / "card", date="", cloud_init=False)
    before = tree(card)
    assert boot(capsys, "prepare", card)[1] == [
        f"{card}: cannot tell which release is on this card; give it with --release"
    ]
    for _ in range(2):
        status, lines = boot(capsys, "prepare", card, "--release", "trixie", "--hostname", "box")
        assert status == 0
        assert {"user-data", "meta-data", "network-config"} <= set(tree(card))
        assert b"quiet\n" in (card / "cmdline.txt").read_bytes()
    assert lines == [NO_PACKAGE, NOTHING]
    # If it turns out to be bookworm, they are removed.
    status, lines = boot(capsys, "prepare", card, "--release", "bookworm")
    assert {f"{name}: removed" for name in ("user-data", "meta-data", "network-config")} <= set(lines)
    assert "user-data" not in tree(card)
    boot(capsys, "prepare", card, "--remove")
    assert tree(card) == before


def test_a_system_with_cloud_init_that_is_not_raspberry_pi_os(tmp_path, capsys):
    card = make_card(tmp_path / "card", date="")
    assert boot(capsys, "prepare", card)[0] == 0


def test_files_that_imager_wrote_keep_every_line(tmp_path, capsys):
    card = make_card(tmp_path / "card", user_data=IMAGER)
    before = tree(card)
    boot(capsys, "prepare", card)
    lines = (card / "user-data").read_bytes().split(b"\n")
    assert [line for line in lines if line in IMAGER.split(b"\n")] == IMAGER.split(b"\n")
    boot(capsys, "prepare", card, "--remove")
    assert tree(card) == before


def test_options_may_change_and_lines_around_ours_stay(card, capsys):
    assert boot(capsys, "prepare", card, "--shutdown-pin", 21, "--led-pin", 20)[0] == 0
    ours = (card / "tictactoe.txt").read_text()
    assert "dtoverlay=gpio-led,gpio=20,label=tictactoe-power,trigger=default-on\n" in ours
    for name, line in (("config.txt", "# mine\narm_boost=1\n"), ("user-data", "timezone: Europe/Paris\n")):
        with (card / name).open("a") as stream:
            stream.write(line)
    assert boot(capsys, "prepare", card, "--shutdown-pin", 21, "--led-pin", 20)[1][-1] == NOTHING

    lines = boot(capsys, "prepare", card, "--poweroff-pin", 16)[1]
    assert lines == ["tictactoe.txt: updated", NO_PACKAGE, DONE]
    assert "gpio-shutdown" not in (card / "tictactoe.txt").read_text()
    assert "dtoverlay=gpio-poweroff,gpiopin=16\n" in (card / "tictactoe.txt").read_text()
    lines = boot(capsys, "prepare", card, "--remove")[1]
    assert "config.txt.before-tictactoe: left there, because config.txt has changed since" in lines
    assert (card / "config.txt").read_bytes() == CONFIG + b"# mine\narm_boost=1\n"
    assert (card / "user-data").read_bytes() == USER_DATA + b"timezone: Europe/Paris\n"
    assert (card / "config.txt.before-tictactoe").read_bytes() == CONFIG
    # An older copy is never replaced.
    boot(capsys, "prepare", card)
    assert (card / "config.txt.before-tictactoe").read_bytes() == CONFIG


PINS = "that pin is used by"
NAME = "expected letters a to z, digits and - in between, at most 63"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--shutdown-pin 3", f"--shutdown-pin 3: {PINS} the I2C bus 1; choose another"),
        ("--shutdown-pin 17", f"--shutdown-pin 17: {PINS} row 1; choose another"),
        ("--led-pin 28", "--led-pin 28: expected a BCM pin number from 0 to 27"),
        ("--led-pin 21 --poweroff-pin 21", f"--led-pin 21: {PINS} --poweroff-pin; choose another"),
        ("--hostname My-Box", f"--hostname My-Box: {NAME}"),
        ("--hostname=", f"--hostname : {NAME}"),
        ("--package nothing.deb", "nothing.deb: cannot be read: No such file or directory"),
        ("--package empty", "empty: there is no .deb in this folder"),
        ("--package x.zip", "x.zip: not a Debian package (.deb)"),
        ("--package zip.deb", "zip.deb: not a Debian package (.deb)"),
        ("--package fifo.deb", "fifo.deb: not a Debian package (.deb)"),
        ("--package large.deb", "large.deb: larger than 32 MB; is it the right file?"),
    ],
)
def test_options_that_make_no_sense(card, capsys, monkeypatch, tmp_path, options, sentence):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    make_deb(tmp_path / "x.zip")
    (tmp_path / "zip.deb").write_bytes(b"PK\3\4")
    os.mkfifo(tmp_path / "fifo.deb")
    make_deb(tmp_path / "large.deb")
    os.truncate(tmp_path / "large.deb", 40 * 1024**2)
    before = tree(card)
    assert boot(capsys, "prepare", card, *options.split()) == (2, [sentence])
    assert tree(card) == before


def test_the_settings_on_the_card_may_be_edited_and_stay(card, capsys):
    boot(capsys, "prepare", card)
    path = card / "tictactoe.yaml"
    assert path.read_text() == "".join(f"{line}\n" for line in example_lines())
    assert load([path]) == load([])
    path.write_text("# as an older version described it\ngame:\n  #level: perfect\n")
    assert "tictactoe.yaml: updated" in boot(capsys, "prepare", card)[1]
    path.write_text("keypad:\n  rows: [21, 20, 16]\n")
    kept = ["tictactoe.yaml: left as it is, with your changes", NO_PACKAGE, NOTHING]
    assert boot(capsys, "prepare", card)[1] == kept
    assert boot(capsys, "prepare", card, "--led-pin", "17")[0] == 0  # the keys are not there any more
    taken = "--led-pin 21: that pin is used by row 1; choose another"
    assert boot(capsys, "prepare", card, "--led-pin", "21")[1] == [taken]
    assert "tictactoe.yaml: left there, with your changes" in boot(capsys, "prepare", card, "--remove")[1]
    assert path.read_text() == "keypad:\n  rows: [21, 20, 16]\n"
    path.write_text("keypad:\n  rows: [1]\n")
    assert boot(capsys, "prepare", card)[0] == 2  # better here than on the box


UNENDED = 'no line "# <<< tictactoe boot prepare" follows; remove this box\'s lines, or rename'


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        (
            "config.txt",
            "# >>> tictactoe\na=1",
            f"config.txt:1: {UNENDED} config.txt.before-tictactoe to config.txt",
        ),
        ("user-data", ("# <<<", "# <<"), f"user-data:4: {UNENDED} user-data.before-tictactoe to user-data"),
        ("tictactoe.txt", "x", "txt: was not written by this program; rename it, and run this again"),
        (
            "config.txt",
            None,
            "has no config.txt; rename config.txt.before-tictactoe there to config.txt, or re-flash",
        ),
        (
            "cmdline.txt",
            None,
            "tictactoe there to cmdline.txt, or if the card was started before, re-flash the card",
        ),
        ("cmdline.txt", "\n", "cmdline.txt: line 1 is empty"),
        ("user-data", "#!/bin/sh\n", 'user-data:1: expected "#cloud-config" as the first line'),
        ("issue.txt", "2022-01-01", "this card is of 2022-01-01, older than bookworm (2023-10-10)"),
    ],
)
def test_a_card_that_was_edited_by_hand_may_be_refused_and_is_not_changed(
    card, capsys, name, content, sentence
):
    boot(capsys, "prepare", card)
    if content is None:
        (card / name).unlink()
    elif isinstance(content, tuple):
        (card / name).write_text((card / name).read_text().replace(*content))
    else:
        (card / name).write_text(content)
    before = tree(card)
    for options in (["--shutdown-pin", "21"], ["--remove"][: UNENDED in sentence]):
        status, lines = boot(capsys, "prepare", card, *options)
        assert status == 2
        assert sentence in lines[0]
        assert tree(card) == before


def test_a_tictactoe_txt_of_somebody_else_is_not_removed(card, capsys):
    (card / "tictactoe.txt").write_text("mine\n")
    before = tree(card)
    assert boot(capsys, "prepare", card, "--remove") == (0, ["nothing of this box is on the card"])
    assert tree(card) == before


def test_a_newer_package_replaces_the_older_one_and_others_stay(card, debs, tmp_path, capsys):
    boot(capsys, "prepare", card, "--package", debs)
    assert boot(capsys, "prepare", card)[1] == [NOTHING]
    newer = make_deb(tmp_path / "tictactoe-appliance_0.2.0_all.deb")
    lines = boot(capsys, "prepare", card, "--package", newer)[1]
    assert lines == ["tictactoe/: 1 package (4 kB) written", "tictactoe/: 1 package removed", DONE]
    names = {path.name for path in (card / "tictactoe").glob("*.deb")}
    assert names == {newer.name, "python3-luma.oled_3.10_all.deb", "python3-luma.core_2.4_all.deb"}
    (card / "tictactoe" / newer.name).write_bytes(b"damaged")
    assert boot(capsys, "prepare", card, "--package", newer)[1][0] == "tictactoe/: 1 package (4 kB) written"


def test_a_package_without_those_that_it_needs_is_copied_and_reported(card, debs, capsys):
    text = boot(capsys, "prepare", card, "--package", debs / DEB)[1][-2]
    assert text.startswith(
        "note: the first boot installs what is in the folder tictactoe, without a network, but there is no "
        "python3-luma.oled; "
    )
    assert text.endswith("fetch-packages.sh downloads what else it needs")
    (card / "tictactoe" / DEB).unlink()
    (card / "tictactoe/x_1_all.deb").write_bytes(b"")
    assert "there is no tictactoe-appliance and no python3-luma.oled; " in boot(capsys, "prepare", card)[1][0]


def test_a_card_that_was_started_already_installs_by_systemd(card, debs, capsys):
    started = CMDLINE.replace(b" resize", b"")
    (card / "cmdline.txt").write_bytes(started)
    options = ("prepare", card, "--package", debs)
    text = "note: this card was started before, and cloud-init acts only once: "
    assert boot(capsys, *options)[1][-2] == f"{text}its next start installs, and restarts once"
    assert (card / "cmdline.txt").read_bytes() == started.replace(b"\n", b" quiet" + RUN + b"\n")
    # Another system may boot in another way: promise nothing.
    boot(capsys, "prepare", card, "--remove")
    (card / "issue.txt").unlink()
    by_hand = "run `sudo sh /boot/firmware/tictactoe/first-boot.sh` there"
    assert boot(capsys, *options)[1][-2] == f"{text}{by_hand}"
    assert (card / "cmdline.txt").read_bytes() == started.replace(b"\n", b" quiet\n")


def test_a_copy_that_is_not_there_is_not_recommended(card, capsys):
    (card / "config.txt").unlink()
    assert boot(capsys, "prepare", card) == (2, [f"{card}: has no config.txt; re-flash the card"])


def test_what_conflicts_with_the_box_is_reported_and_not_changed(tmp_path, capsys):
    config = CONFIG + b"dtoverlay=w1-gpio,gpiopin=17\ninclude more.txt\n"
    card = make_card(tmp_path / "card", config=config)
    lines = boot(capsys, "prepare", card)[1]
    text = "occupies GPIO 17 for the one-wire bus, which is used by row 1 (for a zero2, 3, 4, 5)"
    assert f"note: config.txt:11: {text}" in lines
    assert config in (card / "config.txt").read_bytes()
    assert "more.txt" not in "".join(lines)


@pytest.mark.parametrize("options", [[], ["--remove"]])
def test_a_dry_run_says_what_it_would_do_and_writes_nothing(card, debs, capsys, options):
    boot(capsys, "prepare", card, "--package", debs) if options else None
    before = tree(card)
    dry = boot(capsys, "prepare", card, *options, "--dry-run")
    assert tree(card) == before
    assert dry[1][-1] == "nothing was changed (--dry-run)"
    planned = [line for line in dry[1][:-1] if not line.startswith("note")]
    assert [": would " in line for line in planned] == [True] * len(planned)
    wet = boot(capsys, "prepare", card, *options)
    assert len(wet[1]) == len(dry[1])
    assert not [line for line in wet[1] if "would" in line]


@pytest.mark.parametrize(
    ("space", "access", "sentence"),
    [
        ({"f_bavail": 1}, True, "the card is full: "),
        ({}, False, "cannot be written; run this with sudo, or mount it for writing (a card has a lock)"),
    ],
)
def test_a_card_that_cannot_be_written_is_not_changed(card, capsys, monkeypatch, space, access, sentence):
    values = {"f_bavail": 1000, "f_frsize": 4096, "f_blocks": 9999} | space
    monkeypatch.setattr("os.statvfs", lambda _path: type("Space", (), values))
    monkeypatch.setattr("os.access", lambda *_arguments: access)
    before = tree(card)
    status, lines = boot(capsys, "prepare", card)
    assert status == 2
    assert lines[0].startswith(f"{card}: {sentence}")
    assert tree(card) == before


def test_a_file_system_that_does_not_tell_how_full_it_is_may_be_written(card, capsys, monkeypatch):
    values = {"f_bavail": 0, "f_frsize": 0, "f_blocks": 0}
    monkeypatch.setattr("os.statvfs", lambda _path: type("Space", (), values))
    assert boot(capsys, "prepare", card)[1][-1] == DONE


@pytest.mark.parametrize(("where", "name"), [(Path, "replace"), (os, "fsync"), (Path, "unlink")])
def test_a_write_that_fails_is_one_sentence_and_can_be_repeated(card, capsys, monkeypatch, where, name):
    before = tree(card)
    real, calls = getattr(where, name), []

    def fail(*arguments, **more):
        calls.append(arguments)
        if len(calls) == at:
            raise OSError(errno.EIO, "Input/output error")
        return real(*arguments, **more)

    for at in range(1, 99):
        calls.clear()
        with monkeypatch.context() as patch:
            patch.setattr(where, name, fail)
            status, lines = boot(capsys, "prepare", card)
        if len(calls) < at:
            break
        assert status == 2
        assert lines[0].endswith("cannot be written: Input/output error; run this again, or with --remove")
        for file in ("config.txt", "cmdline.txt"):  # it still boots
            assert set(before[file].split()) <= set((card / file).read_bytes().split())
        boot(capsys, "prepare", card, "--remove")
        assert tree(card) == before
    assert at > 5


def test_check_reports_files_and_lines_also_to_programs(card, capsys):
    status, lines = boot(capsys, "check", card)
    assert status == 1
    assert lines[-1].endswith("something is wrong")
    assert any(line.startswith("present   bootcode.bin") for line in lines)
    assert any(line.split()[:4] == ["not", "ours", "issue.txt", "and"] for line in lines)
    assert any(line.split()[:2] == ["present", "initramfs8"] for line in lines)
    assert "unneeded" not in "".join(lines)
    assert any(line.startswith("missing   config.txt") for line in lines)

    status, lines = boot(capsys, "check", card, "--model", "5", "--json")
    data = json.loads("\n".join(lines))
    assert (status, data["ok"], data["models"]) == (1, False, {"5": "5, 500"})
    kernel = next(row for row in data["files"] if row["file"] == "kernel_2712.img")
    assert (kernel["status"], kernel["models"], kernel["why"]) == ("present", ["5"], "the kernel, 64 bit")
    assert kernel["source"].startswith("https://www.raspberrypi.com/")
    assert data["findings"][0]["severity"] == "missing"

    boot(capsys, "prepare", card)
    (card / "kernel8.img").unlink()
    assert boot(capsys, "check", card, "--model", "5")[0] == 0
    status, lines = boot(capsys, "check", card, "--model", "4")
    assert status == 1
    assert lines[1].split()[:3] == ["missing", "kernel8.img", "4"]
    (card / "config.txt").write_text("dtparam=i2c_arm=off\n")
    status, lines = boot(capsys, "check", card, "--model", "5")
    assert "wrong     config.txt:1" in "\n".join(lines)


def test_names_and_values_that_cannot_be_shown_are_escaped(card, capsys):
    with (card / "config.txt").open("ab") as stream:
        stream.write(b"include caf\xe9.txt\ndtoverlay=w1-gpio,gpiopin=17\n")
    (card / os.fsdecode(b"kernel\xe9.img")).touch()
    for options in (("check", card), ("check", card, "--json"), ("prepare", card)):
        status, lines = boot(capsys, *options)
        assert status in (0, 1)
        "\n".join(lines).encode()  # or a terminal would refuse it
    assert any("includes caf\\udce9.txt, which" in line for line in boot(capsys, "check", card)[1])


def test_other_texts_on_the_card_may_hold_anything(card, capsys):
    (card / "notes.txt").write_bytes("my notes".encode("utf-16"))
    assert boot(capsys, "prepare", card)[0] == 0
    assert boot(capsys, "check", card)[0] == 0
    with (card / "config.txt").open("ab") as stream:
        stream.write(b"[pi4]\ncmdline=notes.txt\n")
    assert boot(capsys, "check", card) == (
        2,
        [f"{card}/notes.txt: not a text file; save it as UTF-8, or re-flash the card"],
    )


def test_the_wiring_is_that_of_a_configuration(tmp_path, capsys):
    (tmp_path / "c.yaml").write_text("keypad:\n  rows: [4, 27, 22]\n")
    assert "    11      GPIO 17   keys row 1" in boot(capsys, "wiring")[1]
    assert "     7      GPIO 4    keys row 1" in boot(capsys, "wiring", "--config", tmp_path / "c.yaml")[1]


def test_on_the_box_itself_its_own_configuration_counts(card, capsys, monkeypatch):
    monkeypatch.setattr(Path, "resolve", lambda _self: Path("/boot/firmware"))
    monkeypatch.setattr("appliance.commands.boot.default_paths", lambda: [card / "etc.yaml"])
    (card / "etc.yaml").write_text("keypad:\n  rows: [21, 27, 22]\n")
    assert boot(capsys, "prepare", card, "--led-pin", "21")[0] == 2
    # Nothing is to be installed there, so nothing is said of it, and the next start is like any other.
    (card / "cmdline.txt").write_bytes(CMDLINE.replace(b" resize", b""))
    lines = boot(capsys, "prepare", card)[1]
    assert lines[-1] == "the card is prepared; it takes effect at the next start"
    assert not [line for line in lines if line.startswith("note")]
    assert b"systemd.run" not in (card / "cmdline.txt").read_bytes()


def test_a_card_that_was_started_and_gets_no_package_starts_as_ever(tmp_path, capsys):
    for cloud_init in (False, True):
        started = CMDLINE.replace(b" resize", b"")
        card = make_card(tmp_path / f"{cloud_init}", "2024-11-19", cloud_init, cmdline=started)
        text = "note: there is no package to install: give it with --package"
        assert boot(capsys, "prepare", card)[1][-2:] == [text, DONE]
        assert (card / "cmdline.txt").read_bytes() == started.replace(b"\n", b" quiet\n")


# Lines as they may be in config.txt and its like, with every kind of line end.
LINES = st.lists(
    st.tuples(
        st.sampled_from(
            ["", "[all]", "[pi5]", "dtparam=i2c_arm=on", "# caf\udce9", "dtoverlay=w1-gpio", "\t#", "a" * 99]
        ),
        st.sampled_from(["\n", "\r\n", "\n\n", ""]),
    ),
    max_size=8,
).map(lambda parts: "".join(map("".join, parts)).encode("utf-8", "surrogateescape"))  # fmt: skip
WORDS = st.lists(
    st.sampled_from(["quiet", "root=/dev/a", "init=/x", "systemd.run=/y", "a"]), min_size=1, max_size=5
)
ENDS = st.sampled_from(["", "\n", "\r\n", " \n", "\n\n"])
NO_LIMIT = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def prepare(root, options):
    """Prepare a card; return whether anything was changed."""
    card = read_card(root)
    plan = plan_prepare(card, options)
    write(card, plan.changes)
    return bool(plan.changes)


def remove(root):
    card = read_card(root)
    plan = plan_remove(card)
    write(card, plan.changes)
    return bool(plan.changes)


@given(
    bom=st.sampled_from([b"", b"\xef\xbb\xbf"]),
    config=LINES,
    words=WORDS,
    end=ENDS,
    seed=st.sampled_from(
        [b"", b"\r\n", b"\nhostname: a\n", b"\nruncmd:\n- a", b"\nusers: []\n# x", b"\n\n\n"]
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
    )
    before = tree(root)
    for pin in pins:
        prepare(root, Options("# settings\n", "auto", {}, {"shutdown_pin": pin}))
        prepared = tree(root)
        for name, content in before.items():
            assert set(content.split()) <= set(prepared[name].split())
        assert not prepare(root, Options("# settings\n", "auto", {}, {"shutdown_pin": pin}))
    assert remove(root)
    assert tree(root) == before
    assert not remove(root)


OLD_CONFIG = old_block(
    ["[all]", "dtoverlay=", "", "dtparam=i2c_arm=on", "boot_delay=0", "dtoverlay="]
).encode()
OLD_RUN = old_block(["runcmd:", "  - [sh, /boot/firmware/tictactoe/first-boot.sh]"]).encode()
OLD_MANIFEST = b'{"note": "", "files": {"tictactoe/first-boot.sh": ["0"]}, "words": ["quiet"]}'


@pytest.mark.parametrize("copies", [True, False])
@pytest.mark.parametrize(
    "manifest", [OLD_MANIFEST, b"", b"[" * 200_000, b'{"files": {"root=": [1]}, "words": ["root=/dev/a"]}']
)
def test_a_card_that_version_0_1_0_prepared_is_converted_and_restored(tmp_path, capsys, copies, manifest):
    card = make_card(tmp_path / "card", config=CONFIG.rstrip(b"\n") + b"\n", cmdline=CMDLINE)
    before = tree(card)
    (card / "tictactoe").mkdir()
    (card / "tictactoe/prepared.json").write_bytes(manifest)
    (card / "tictactoe/first-boot.sh").write_bytes(b"#!/bin/sh\n")
    for name, text in (
        ("config.txt", CONFIG + OLD_CONFIG),
        ("user-data", USER_DATA + OLD_RUN),
        ("cmdline.txt", CMDLINE.replace(b"\n", b" quiet\n")),
    ):
        (card / name).write_bytes(text)
        if copies:
            (card / f"{name}.before-tictactoe").write_bytes(before[name])
    old = tree(card)
    for convert in (False, True):
        if convert:
            for name, content in old.items():
                (card / name).parent.mkdir(exist_ok=True)
                (card / name).write_bytes(content)
            assert boot(capsys, "prepare", card)[0] == 0
            assert (card / "config.txt").read_bytes() == CONFIG + INCLUDE
            assert (card / "user-data").read_bytes().count(b"first-boot.sh]") == 1
            assert b"root=PARTUUID=d89b055c-02" in (card / "cmdline.txt").read_bytes()
            assert not (card / "tictactoe/prepared.json").exists()
            assert boot(capsys, "prepare", card)[1][-1] == NOTHING
        assert boot(capsys, "prepare", card, "--remove")[0] == 0
        if not copies:  # whose "quiet" it was cannot be known
            (card / "cmdline.txt").write_bytes(CMDLINE)
        assert tree(card) == before


def test_lines_that_a_person_added_below_an_old_block_stay_where_they_are(card, capsys):
    (card / "config.txt").write_bytes(b"[cm5]\na=1\n" + OLD_CONFIG + b"arm_boost=1\n")
    boot(capsys, "prepare", card)
    assert (card / "config.txt").read_bytes() == b"[cm5]\na=1\n[all]\n" + INCLUDE + b"arm_boost=1\n"


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
ODD += [
    OLD_CONFIG,
    OLD_RUN,
    OLD_MANIFEST,
    INCLUDE,
    USER_DATA,
    IMAGER,
    RUN,
    CMDLINE,
    b"[" * 3000,
    b"- " * 2000,
]
CONTENT = st.lists(st.one_of(st.sampled_from(ODD), st.binary(max_size=20)), max_size=4).map(b"".join)
READ = [
    *("config.txt", "cmdline.txt", "user-data", "meta-data", "network-config", "issue.txt", "tictactoe.yaml"),
    *("tictactoe.txt", "tictactoe/prepared.json", "tictactoe/first-boot.sh", "tictactoe/first-boot.log"),
    *(f"{name}.before-tictactoe" for name in ("config.txt", "cmdline.txt", "user-data", "meta-data")),
    "tictactoe/x_1_all.deb",
]


@given(contents=st.dictionaries(st.sampled_from(READ), CONTENT, min_size=1, max_size=4))
@settings(NO_LIMIT, max_examples=100)
def test_any_bytes_in_any_file_give_a_sentence_or_success(tmp_path_factory, contents):
    root = make_card(tmp_path_factory.mktemp("card") / "c")
    (root / "tictactoe").mkdir()
    for name, content in contents.items():
        (root / name).write_bytes(content)

    def roots():
        return [word for word in (root / "cmdline.txt").read_bytes().split() if word.startswith(b"root=")]

    before_all = roots()
    for words in (["prepare"], ["check", "--json"], ["prepare", "--remove"]):
        before = tree(root)
        parsed = build_parser(["boot"]).parse_args(["boot", words[0], str(root), *words[1:]])
        sentence = ""
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                assert parsed.run(parsed) in (0, 1)
            except UserError as error:
                sentence = str(error)
        assert "\n" not in sentence
        if sentence:
            assert tree(root) == before
    assert roots() == before_all
