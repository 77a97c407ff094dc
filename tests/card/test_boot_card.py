import errno
import json
import os
import stat
from pathlib import Path

import pytest
from bootcard import CMDLINE, CONFIG, USER_DATA, boot, make_card, make_deb, tree
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.bootfiles import changes
from appliance.bootfiles.changes import Change, space_needed
from appliance.bootfiles.job import Options
from appliance.bootfiles.partition import read_card
from appliance.bootfiles.prepare import plan_prepare
from appliance.bootfiles.remove import plan_remove
from appliance.commands.config import example_lines
from appliance.config import load
from appliance.errors import UserError

DONE = "the card is prepared; unmount it before you take it out"
NOTHING = "the card is prepared already: nothing to do"
NONE_GIVEN = "note: no package is there to be installed: give it with --package, or copy it into tictactoe"
RUN = b" systemd.run=/boot\\x2ffirmware/tictactoe/first-boot.sh systemd.run_success_action=reboot"
RUN += b" systemd.unit=kernel-command-line.target"
IMAGER = RUN.replace(b"\\x2ffirmware/tictactoe/first-boot.sh", b"/firstrun.sh")


@pytest.fixture
def card(tmp_path):
    return make_card(tmp_path / "card")


@pytest.fixture
def debs(tmp_path):
    folder = tmp_path / "packages"
    folder.mkdir()
    make_deb(folder / "python3-luma.oled_3.10_all.deb", "python3-luma.oled", "python3-luma.core")
    make_deb(folder / "python3-luma.core_2.4_all.deb", "python3-luma.core", "libc6 (>= 2.31)")
    return folder


@pytest.fixture
def ours(tmp_path):
    return make_deb(
        tmp_path / "tictactoe-appliance_0.1.0_all.deb", depends="python3-luma.oled, python3 (>= 3.11)"
    )


def test_a_fresh_card_of_trixie(card, debs, ours, capsys):
    before = tree(card)
    size = sum(path.stat().st_size for path in [ours, *debs.iterdir()]) // 1000
    assert boot(capsys, "prepare", card, "--package", ours, "--package", debs, "--hostname", "box") == (
        0,
        [
            f"tictactoe/: 3 packages copied there, {size} kB",
            "tictactoe/first-boot.sh: written",
            "tictactoe.yaml: written",
            "cmdline.txt: what this box needs put in; cmdline.txt.before-tictactoe is as it was",
            "user-data: what this box needs put in; user-data.before-tictactoe is as it was",
            "config.txt: what this box needs put in; config.txt.before-tictactoe is as it was",
            DONE,
        ],
    )
    after = tree(card)
    assert after["cmdline.txt"] == CMDLINE.replace(b"\n", b" quiet\n")
    assert after["config.txt"].startswith(CONFIG + b"# >>> tictactoe boot prepare")
    assert b"hostname: box\n" in after["user-data"]
    assert after["tictactoe/" + ours.name] == ours.read_bytes()
    for name in ("config.txt", "cmdline.txt", "user-data"):
        assert after[name + ".before-tictactoe"] == before[name]
    assert {
        name: after[name] for name in before if name not in ("config.txt", "cmdline.txt", "user-data")
    } == {name: before[name] for name in before if name not in ("config.txt", "cmdline.txt", "user-data")}
    assert boot(capsys, "check", card)[0] == 0

    assert boot(capsys, "prepare", card, "--package", ours, "--package", debs, "--hostname", "box") == (
        0,
        [NOTHING],
    )
    assert tree(card) == after
    status, lines = boot(capsys, "prepare", card, "--remove")
    assert (status, lines[-1]) == (0, "this box is off the card; unmount it before you take it out")
    assert tree(card) == before
    assert not (card / "tictactoe").exists()
    assert boot(capsys, "prepare", card, "--remove") == (0, ["nothing of this box is on the card"])


def test_a_fresh_card_of_bookworm(tmp_path, debs, ours, capsys):
    card = make_card(tmp_path / "card", date="2024-11-19", cloud_init=False)
    before = tree(card)
    options = ("prepare", card, "--package", ours, "--package", debs, "--hostname", "box")
    assert boot(capsys, *options)[1][-1] == DONE
    after = tree(card)
    assert after["cmdline.txt"] == CMDLINE.replace(b"\n", b" quiet" + RUN + b"\n")
    assert b"    raspi-config nonint do_hostname box\n" in after["tictactoe/first-boot.sh"]
    assert "user-data" not in after
    assert boot(capsys, *options) == (0, [NOTHING])

    # The first boot takes its words out; nothing else changes, and taking all of it off still works.
    (card / "cmdline.txt").write_bytes(CMDLINE.replace(b"\n", b" quiet\n"))
    (card / "tictactoe/first-boot.log").write_text("installed\n")
    boot(capsys, "prepare", card, "--remove")
    assert tree(card) == before


def test_a_card_that_imager_has_told_to_run_a_script_of_its_own(tmp_path, capsys):
    line = CMDLINE.replace(b"\n", IMAGER + b"\n")
    card = make_card(tmp_path / "card", date="2024-11-19", cloud_init=False, cmdline=line)
    boot(capsys, "prepare", card)
    added = b" quiet systemd.run=/boot\\x2ffirmware/tictactoe/first-boot.sh\n"
    assert (card / "cmdline.txt").read_bytes() == line.replace(b"\n", added)
    # The image's initramfs corrects Imager's path in the whole line, and nothing else may change by it.
    moved = (card / "cmdline.txt").read_bytes().replace(b"/boot/", b"/boot/firmware/")
    assert moved == line.replace(b"/boot/", b"/boot/firmware/").replace(b"\n", added)
    boot(capsys, "prepare", card, "--remove")
    assert (card / "cmdline.txt").read_bytes() == line


def test_a_card_that_has_no_user_data_gets_it_when_trixie_is_insisted_on(tmp_path, capsys):
    card = make_card(tmp_path / "card", date="", cloud_init=False)
    before = tree(card)
    assert boot(capsys, "prepare", card)[1] == [
        f"{card}: which release is on this card cannot be seen; give it with --release"
    ]
    for _ in range(2):
        status, lines = boot(capsys, "prepare", card, "--release", "trixie")
        assert status == 0
        assert {"user-data", "meta-data", "network-config"} <= set(tree(card))
        assert b"quiet\n" in (card / "cmdline.txt").read_bytes()
    assert lines == [NONE_GIVEN, NOTHING]
    # And when it turns out to be bookworm, they go again.
    status, lines = boot(capsys, "prepare", card, "--release", "bookworm")
    assert "meta-data: taken off, it is not needed any more" in lines
    assert "user-data" not in tree(card)
    boot(capsys, "prepare", card, "--remove")
    assert tree(card) == before


def test_a_system_with_cloud_init_that_is_not_raspberry_pi_os(tmp_path, capsys):
    card = make_card(tmp_path / "card", date="")
    assert boot(capsys, "prepare", card)[0] == 0


def test_optional_pins_and_changing_ones_mind(card, capsys):
    assert boot(capsys, "prepare", card, "--shutdown-pin", 21, "--led-pin", 20)[0] == 0
    config = (card / "config.txt").read_text()
    assert "dtoverlay=gpio-shutdown,gpio_pin=21\n" in config
    assert "dtoverlay=gpio-led,gpio=20,label=tictactoe-power,trigger=default-on\n" in config
    with (card / "config.txt").open("a") as stream:
        stream.write("# mine\narm_boost=1\n")
    (card / "user-data").write_bytes((card / "user-data").read_bytes() + b"timezone: Europe/Paris\n")
    assert boot(capsys, "prepare", card, "--shutdown-pin", 21, "--led-pin", 20)[1] == [NONE_GIVEN, NOTHING]

    lines = boot(capsys, "prepare", card, "--poweroff-pin", 16)[1]
    assert lines == ["config.txt: what this box needs put in", NONE_GIVEN, DONE]
    config = (card / "config.txt").read_text()
    assert "gpio-shutdown" not in config
    assert "dtoverlay=gpio-poweroff,gpiopin=16\n" in config
    assert config.endswith("# <<< tictactoe boot prepare\n# mine\narm_boost=1\n")
    lines = boot(capsys, "prepare", card, "--remove")[1]
    assert "config.txt.before-tictactoe: left there, since config.txt has changed since" in lines
    assert (card / "config.txt").read_bytes() == CONFIG + b"# mine\narm_boost=1\n"
    assert (card / "user-data").read_bytes() == USER_DATA + b"timezone: Europe/Paris\n"
    assert (card / "config.txt.before-tictactoe").read_bytes() == CONFIG
    # An older copy is never written over.
    boot(capsys, "prepare", card)
    assert (card / "config.txt.before-tictactoe").read_bytes() == CONFIG


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--shutdown-pin", "3"], "--shutdown-pin 3: that pin is used by the display's bus; choose another"),
        (
            ["--shutdown-pin", "17"],
            "--shutdown-pin 17: that pin is used by row 1 of the keys; choose another",
        ),
        (["--led-pin", "28"], "--led-pin 28: expected a BCM pin number from 0 to 27"),
        (
            ["--led-pin", "21", "--poweroff-pin", "21"],
            "--led-pin 21: that pin is used by --poweroff-pin; choose another",
        ),
        (
            ["--hostname", "My Box"],
            "--hostname My Box: expected letters a to z, digits and - in between, at most 63",
        ),
        (["--hostname", ""], "--hostname : expected letters a to z, digits and - in between, at most 63"),
        (["--package", "nothing.deb"], "nothing.deb: cannot be read: No such file or directory"),
        (["--package", "."], ".: no .deb lies in this folder"),
    ],
)
def test_options_that_make_no_sense(card, capsys, monkeypatch, tmp_path, options, sentence):
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    before = tree(card)
    assert boot(capsys, "prepare", card, *options) == (2, [sentence])
    assert tree(card) == before


def test_the_settings_on_the_card_may_be_edited_and_stay(card, capsys):
    boot(capsys, "prepare", card)
    path = card / "tictactoe.yaml"
    assert path.read_text() == "".join(f"{line}\n" for line in example_lines())
    assert load([path]) == load([])
    path.write_text("keypad:\n  rows: [21, 20, 16]\n")
    assert boot(capsys, "prepare", card)[1] == [
        "tictactoe.yaml: left as it is, with your changes",
        NONE_GIVEN,
        NOTHING,
    ]
    assert boot(capsys, "prepare", card, "--led-pin", "17")[0] == 0  # the keys are not there any more
    assert boot(capsys, "prepare", card, "--led-pin", "21")[1] == [
        "--led-pin 21: that pin is used by row 1 of the keys; choose another"
    ]
    assert "tictactoe.yaml: left there, with your changes" in boot(capsys, "prepare", card, "--remove")[1]
    assert path.read_text() == "keypad:\n  rows: [21, 20, 16]\n"
    path.write_text("keypad:\n  rows: [1]\n")
    assert boot(capsys, "prepare", card)[0] == 2  # better here than on the box


def test_settings_that_a_person_had_put_there_are_not_ours(card, capsys):
    for text in ("language: de\n", "".join(f"{line}\n" for line in example_lines())):
        (card / "tictactoe.yaml").write_text(text)
        assert ("tictactoe.yaml: left as it is, with your changes" in boot(capsys, "prepare", card)[1]) == (
            len(text) < 99
        )
        boot(capsys, "prepare", card, "--remove")
        assert (card / "tictactoe.yaml").read_text() == text


EDITED = "the lines of the block were edited by hand; take out what stands from >>> to <<<, or put"


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        (
            "config.txt",
            ("boot_delay=0", "boot_delay=1"),
            f"config.txt:11: {EDITED} config.txt.before-tictactoe back",
        ),
        ("user-data", ("box", "pi"), f"user-data:4: {EDITED} user-data.before-tictactoe back"),
        ("tictactoe/first-boot.sh", "x", "tictactoe/first-boot.sh: was changed by hand, or is not from here"),
        ("tictactoe/prepared.json", "{", "tictactoe/prepared.json: was edited by hand, so what is whose"),
        (
            "tictactoe/prepared.json",
            '{"files": {"a": 1}, "words": []}',
            "was edited by hand, so what is whose",
        ),
        (
            "tictactoe/prepared.json",
            '{"files": {"a": [1]}, "words": []}',
            "was edited by hand, so what is whose",
        ),
        (
            "config.txt",
            None,
            "has no config.txt; rename config.txt.before-tictactoe there to config.txt, or write the card",
        ),
        (
            "cmdline.txt",
            None,
            "cmdline.txt.before-tictactoe there to cmdline.txt, or if the card was started before, write the",
        ),
        ("cmdline.txt", "\n", "cmdline.txt: the first line is empty"),
        ("user-data", "#!/bin/sh\n", 'user-data:1: expected "#cloud-config" as the first line'),
        (
            "issue.txt",
            "2022-01-01",
            "the image on this card is of 2022-01-01, older than bookworm (2023-10-10)",
        ),
    ],
)
def test_a_card_that_was_changed_by_hand_is_refused_and_left_alone(card, capsys, name, content, sentence):
    boot(capsys, "prepare", card)
    if content is None:
        (card / name).unlink()
    elif isinstance(content, tuple):
        (card / name).write_text((card / name).read_text().replace(*content))
    else:
        (card / name).write_text(content)
    before = tree(card)
    status, lines = boot(capsys, "prepare", card, "--shutdown-pin", "21")
    assert status == 2
    assert sentence in lines[0]
    assert tree(card) == before


@pytest.mark.parametrize("name", ["config.txt", "user-data"])
def test_removing_is_refused_when_the_block_was_edited(card, capsys, name):
    boot(capsys, "prepare", card)
    text = (card / name).read_text()
    (card / name).write_text(text.replace("# <<<", "# <<"))
    status, lines = boot(capsys, "prepare", card, "--remove")
    assert status == 2
    assert "the block has lost its end; take out what stands from >>> to <<< yourself" in lines[0]


def test_what_a_person_put_in_the_way_is_not_replaced(card, debs, ours, capsys):
    (card / "tictactoe").mkdir()
    (card / "tictactoe" / ours.name).write_bytes(b"mine")
    options = ("prepare", card, "--package", ours, "--package", debs)
    assert "was changed by hand, or is not from here" in boot(capsys, *options)[1][0]
    (card / "tictactoe" / ours.name).write_bytes(ours.read_bytes())
    assert boot(capsys, *options)[0] == 0
    boot(capsys, "prepare", card, "--remove")
    assert list(tree(card / "tictactoe")) == [ours.name]  # it was there before


def test_a_newer_package_replaces_the_older_one_and_no_package_leaves_it(card, debs, ours, tmp_path, capsys):
    boot(capsys, "prepare", card, "--package", ours, "--package", debs)
    assert boot(capsys, "prepare", card)[1] == [NOTHING]
    newer = make_deb(tmp_path / "tictactoe-appliance_0.2.0_all.deb", version="0.2.0")
    lines = boot(capsys, "prepare", card, "--package", newer)[1]
    assert f"tictactoe/{ours.name}: taken off, it is not needed any more" in lines
    assert [path.name for path in (card / "tictactoe").glob("*.deb")] == [newer.name]
    (card / "tictactoe" / newer.name).write_bytes(b"spoilt")
    boot(capsys, "prepare", card, "--package", ours, "--package", debs)
    assert (card / "tictactoe" / newer.name).read_bytes() == b"spoilt"  # not what was put there: left alone


def test_a_card_that_was_started_already_is_told_by_systemd_to_install(card, debs, ours, capsys):
    started = CMDLINE.replace(b" resize", b"")
    (card / "cmdline.txt").write_bytes(started)
    options = ("prepare", card, "--package", ours, "--package", debs)
    told = "note: this card was started before, and cloud-init acts once: "
    assert boot(capsys, *options)[1][-2] == f"{told}its next start installs, and starts once more"
    assert (card / "cmdline.txt").read_bytes() == started.replace(b"\n", b" quiet" + RUN + b"\n")
    # Another system may have another way to start: there, nothing is promised.
    boot(capsys, "prepare", card, "--remove")
    (card / "issue.txt").unlink()
    assert (
        boot(capsys, *options)[1][-2] == f"{told}run `sudo sh /boot/firmware/tictactoe/first-boot.sh` there"
    )
    assert (card / "cmdline.txt").read_bytes() == started.replace(b"\n", b" quiet\n")


def test_the_files_that_a_missing_config_txt_is_told_of_are_there(card, capsys):
    (card / "config.txt").unlink()
    assert boot(capsys, "prepare", card) == (2, [f"{card}: has no config.txt; write the card anew"])


def test_what_contradicts_the_box_is_said_and_left_alone(tmp_path, capsys):
    config = CONFIG + b"dtoverlay=w1-gpio,gpiopin=17\ninclude more.txt\n"
    card = make_card(tmp_path / "card", config=config)
    lines = boot(capsys, "prepare", card)[1]
    told = (
        "takes GPIO 17 for the one-wire bus, and that pin is used by row 1 of the keys (for a zero2, 3, 4, 5)"
    )
    assert f"note: config.txt:11: {told}" in lines
    assert config in (card / "config.txt").read_bytes()
    assert "more.txt" not in "".join(lines)


def test_what_the_packages_need_besides_is_said(card, debs, ours, tmp_path, capsys):
    make_deb(debs / "python3-luma.core_2.4_all.deb", "python3-luma.core", "python3-pil, python3-smbus2")
    lines = boot(capsys, "prepare", card, "--package", ours, "--package", debs)[1]
    assert lines[-2] == "note: the packages also need python3-pil, python3-smbus2, which most images have"


def test_a_dry_run_says_the_same_and_writes_nothing(card, capsys):
    before = tree(card)
    dry = boot(capsys, "prepare", card, "--dry-run")
    assert tree(card) == before
    wet = boot(capsys, "prepare", card)
    assert dry[1][:-1] == wet[1][:-1]
    assert dry[1][-1] == "nothing was changed (--dry-run)"


def test_a_file_marked_read_only_is_left_alone(card, capsys):
    (card / "config.txt").chmod(0o444)
    before = tree(card)
    sentence = f"{card}/config.txt: marked read-only; take that off first (chmod u+w)"
    assert boot(capsys, "prepare", card) == (2, [sentence])
    assert tree(card) == before


def test_a_link_is_left_alone(card, capsys):
    (card / "config.txt").rename(card / "real.txt")
    (card / "config.txt").symlink_to("real.txt")
    assert boot(capsys, "prepare", card) == (2, [f"{card}/config.txt: not a plain file, so it is left alone"])


@pytest.mark.parametrize(
    ("space", "access", "sentence"),
    [
        (
            {"f_flag": os.ST_RDONLY},
            True,
            "mounted read-only; mount it for writing (a switch on the card's adapter?)",
        ),
        ({"f_bavail": 1}, True, "the card is full: "),
        ({}, False, "you may not write there; run this with sudo"),
    ],
)
def test_a_card_that_cannot_be_written_is_left_alone(card, capsys, monkeypatch, space, access, sentence):
    values = {"f_flag": 0, "f_bavail": 1000, "f_frsize": 4096, "f_blocks": 9999} | space
    monkeypatch.setattr("os.statvfs", lambda _path: type("Space", (), values))
    monkeypatch.setattr("os.access", lambda *_arguments: access)
    before = tree(card)
    status, lines = boot(capsys, "prepare", card)
    assert status == 2
    assert lines[0].startswith(f"{card}: {sentence}")
    assert tree(card) == before


def test_a_file_system_that_does_not_tell_how_full_it_is_may_be_written(card, capsys, monkeypatch):
    values = {"f_flag": 0, "f_bavail": 0, "f_frsize": 0, "f_blocks": 0}
    monkeypatch.setattr("os.statvfs", lambda _path: type("Space", (), values))
    assert boot(capsys, "prepare", card)[1][-1] == DONE


class Broken:
    """The call number `at` of a function that writes fails."""

    def __init__(self, monkeypatch, where, name, error, at):
        self.calls, self.at, self.error = 0, at, error
        self.real = getattr(where, name)
        broken = self

        def call(*arguments, **more):
            return broken.call(*arguments, **more)

        monkeypatch.setattr(where, name, call)

    def call(self, *arguments, **more):
        self.calls += 1
        if self.calls == self.at:
            raise self.error
        return self.real(*arguments, **more)


@pytest.mark.parametrize(("where", "name"), [(Path, "replace"), (os, "fsync"), (Path, "unlink")])
def test_whatever_fails_on_the_way_the_card_is_as_it_was(card, capsys, monkeypatch, where, name):
    before = tree(card)
    for at in range(1, 99):
        with monkeypatch.context() as patch:
            broken = Broken(patch, where, name, OSError(errno.EIO, "Input/output error"), at)
            status, lines = boot(capsys, "prepare", card)
        if broken.calls < at:
            break
        if status == 2:
            assert tree(card) == before
            assert lines[0].endswith("Input/output error; the card is as it was")
        else:  # what a folder's file system cannot flush is no error
            boot(capsys, "prepare", card, "--remove")
            assert tree(card) == before
    assert at > 5


def test_an_interrupted_preparation_leaves_nothing(card, capsys, monkeypatch):
    before = tree(card)
    Broken(monkeypatch, Path, "replace", KeyboardInterrupt(), 4)
    with pytest.raises(KeyboardInterrupt):
        boot(capsys, "prepare", card)
    assert tree(card) == before


def test_what_cannot_be_put_back_is_named(card, capsys, monkeypatch):
    def undone(_root, change):
        return change.name != "cmdline.txt"

    monkeypatch.setattr(changes, "_undone", undone)
    Broken(monkeypatch, Path, "replace", OSError(errno.EIO, "Input/output error"), 9)
    told = "cannot be written: Input/output error; and these could not be put back: cmdline.txt"
    assert boot(capsys, "prepare", card) == (2, [f"{card}/config.txt: {told}"])


def test_a_file_that_cannot_be_put_back_is_counted_as_lost(tmp_path):
    assert not changes._undone(tmp_path, Change("no/such/folder", b"", None))


def test_space_is_counted_in_whole_blocks():
    assert (
        space_needed([Change("a", None, b""), Change("b", b"x" * 9999, b"x"), Change("c", b"", None)], 4096)
        == 16384
    )
    assert space_needed([Change("a", None, b"x" * 4096)], 4096) == 3 * 4096


def test_check_tells_files_and_lines_and_programs_too(card, capsys):
    status, lines = boot(capsys, "check", card)
    assert status == 1
    assert lines[-1].endswith("something is amiss")
    assert any(line.startswith("present   bootcode.bin") for line in lines)
    assert any(line.split()[:3] == ["unneeded", "issue.txt", "and"] for line in lines)
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
    assert any("caf\\udce9.txt is read there" in line for line in boot(capsys, "check", card)[1])


def test_other_texts_on_the_card_may_hold_anything(card, capsys):
    (card / "notes.txt").write_bytes("my notes".encode("utf-16"))
    assert boot(capsys, "prepare", card)[0] == 0
    assert boot(capsys, "check", card)[0] == 0
    with (card / "config.txt").open("ab") as stream:
        stream.write(b"[pi4]\ncmdline=notes.txt\n")
    assert boot(capsys, "check", card) == (
        2,
        [f"{card}/notes.txt: holds bytes that are no text; save it as UTF-8, or write the card anew"],
    )


def test_wiring_is_told_and_drawn(tmp_path, capsys):
    status, lines = boot(capsys, "wiring")
    assert status == 0
    assert "    11      GPIO 17   keys row 1" in lines
    (tmp_path / "c.yaml").write_text("keypad:\n  rows: [4, 27, 22]\n")
    status, lines = boot(capsys, "wiring", "--config", tmp_path / "c.yaml", "--svg", tmp_path / "w.svg")
    assert (status, lines) == (0, [f"{tmp_path}/w.svg: drawn"])
    assert "header pin 7 (GPIO 4) to keys row 1" in (tmp_path / "w.svg").read_text()
    status, lines = boot(capsys, "wiring", "--svg", tmp_path / "no/w.svg")
    assert (status, lines) == (2, [f"{tmp_path}/no/w.svg: cannot be written: No such file or directory"])


def test_on_the_box_itself_its_own_configuration_counts(card, capsys, monkeypatch):
    monkeypatch.setattr(Path, "resolve", lambda _self: Path("/boot/firmware"))
    monkeypatch.setattr("appliance.commands.boot.default_paths", lambda: [card / "etc.yaml"])
    (card / "etc.yaml").write_text("keypad:\n  rows: [21, 27, 22]\n")
    assert boot(capsys, "prepare", card, "--led-pin", "21")[0] == 2
    # Nothing is to be installed there, so nothing is said of it, and the next start is like any other.
    (card / "cmdline.txt").write_bytes(CMDLINE.replace(b" resize", b""))
    lines = boot(capsys, "prepare", card)[1]
    assert lines[-1] == "the card is prepared; it counts from the next start"
    assert not [line for line in lines if line.startswith("note")]
    assert b"systemd.run" not in (card / "cmdline.txt").read_bytes()


def test_a_card_that_was_started_and_gets_no_package_starts_as_ever(tmp_path, capsys):
    for cloud_init in (False, True):
        started = CMDLINE.replace(b" resize", b"")
        card = make_card(tmp_path / f"{cloud_init}", "2024-11-19", cloud_init, cmdline=started)
        told = "note: no package is there to be installed: give it with --package"
        assert boot(capsys, "prepare", card)[1][-2:] == [told, DONE]
        assert (card / "cmdline.txt").read_bytes() == started.replace(b"\n", b" quiet\n")


# Lines as they may be found in config.txt and its like, with every kind of line end.
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


@given(
    bom=st.sampled_from([b"", b"\xef\xbb\xbf"]),
    config=LINES,
    words=WORDS,
    end=ENDS,
    seed=st.sampled_from(
        [b"", b"\r\n", b"\nhostname: a\n", b"\nruncmd:\n- a", b"\nusers: []\n# x", b"\n\n\n"]
    ),
    cloud_init=st.booleans(),
    pin=st.sampled_from([None, 21]),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_preparing_and_removing_give_back_every_byte(
    tmp_path_factory, bom, config, words, end, seed, cloud_init, pin
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
    options = Options("# settings\n", "auto", (), {"shutdown_pin": pin})
    changes.apply(root, plan_prepare(read_card(root), options).changes)
    prepared = tree(root)
    for name, content in before.items():
        assert set(content.split()) <= set(prepared[name].split())
    assert plan_prepare(read_card(root), options).changes == ()
    changes.apply(root, plan_remove(read_card(root)).changes)
    assert tree(root) == before
    assert stat.S_ISDIR(root.stat().st_mode)
    assert plan_remove(read_card(root)).changes == ()


@given(
    cut=st.integers(0, 99),
    half=st.booleans(),
    date=st.sampled_from(["2024-11-19", "2026-04-13"]),
    earlier=st.sampled_from([None, "# older\n", "# settings\n"]),
    then=st.sampled_from(["prepare", "prepare otherwise", "remove"]),
)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_power_cut_between_two_writes_loses_nothing(tmp_path_factory, cut, half, date, earlier, then):
    """What is on the card then can be prepared, to the same end, and restored, to the last byte."""
    root = make_card(tmp_path_factory.mktemp("card") / "c", date=date, cloud_init=date > "2025")
    before = tree(root)
    wanted = Options("# settings\n", "auto", (), {"led_pin": 21, "hostname": "box"})
    if earlier:
        other = Options(earlier, "auto", (), {"shutdown_pin": 20})
        changes.apply(root, plan_prepare(read_card(root), other).changes)
    made = plan_prepare(read_card(root), wanted).changes
    changes.apply(root, made[:cut])
    if half and cut < len(made) and made[cut].after is not None:
        beside = root / (made[cut].name + changes.BESIDE)
        beside.parent.mkdir(exist_ok=True)
        beside.write_bytes(made[cut].after[:7])
    for name in ("config.txt", "cmdline.txt"):  # it still starts
        assert set(before[name].split()) <= set((root / name).read_bytes().split())
    if then == "prepare otherwise":
        changes.apply(root, plan_prepare(read_card(root), Options("# settings\n")).changes)
    if then != "remove":
        changes.apply(root, plan_prepare(read_card(root), wanted).changes)
        after = tree(root)
        assert not [name for name in after if name.endswith(changes.BESIDE)]
        assert plan_prepare(read_card(root), wanted).changes == ()
        assert b"gpio-led,gpio=21" in after["config.txt"]
        assert len(json.loads(after["tictactoe/prepared.json"])["files"]["tictactoe/first-boot.sh"]) == 1
    changes.apply(root, plan_remove(read_card(root)).changes)
    assert tree(root) == before


def test_a_failure_other_than_of_the_card_is_not_hidden(card):
    with pytest.raises(UserError):
        changes.apply(card, [Change("no/such/x", None, b"")])
