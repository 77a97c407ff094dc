import errno
import os
from pathlib import Path

import pytest
from bootcard import APPLIANCE, CMDLINE, CONFIG, DONE, NO_PACKAGE, NOTHING, RUN, make_card, make_deb, tree

from appliance.commands.config import example_lines
from appliance.config.schema import load

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
def test_invalid_options_are_refused(card, boot, monkeypatch, tmp_path, options, sentence):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    make_deb(tmp_path / "x.zip")
    (tmp_path / "zip.deb").write_bytes(b"PK\3\4")
    os.mkfifo(tmp_path / "fifo.deb")
    make_deb(tmp_path / "large.deb")
    os.truncate(tmp_path / "large.deb", 40 * 1024**2)
    before = tree(card)
    assert boot("prepare", card, *options.split()) == (2, [sentence])
    assert tree(card) == before


def test_the_settings_on_the_card_may_be_edited_and_stay(card, boot):
    boot("prepare", card)
    path = card / "tictactoe.yaml"
    assert path.read_text() == "".join(f"{line}\n" for line in example_lines())
    assert load([path]) == load([])
    path.write_text("# as an older version described it\ngame:\n  #level: perfect\n")
    assert "tictactoe.yaml: updated" in boot("prepare", card)[1]
    path.write_text("keypad:\n  rows: [21, 20, 16]\n")
    kept = ["tictactoe.yaml: left as it is, with your changes", NO_PACKAGE, NOTHING]
    assert boot("prepare", card)[1] == kept
    assert boot("prepare", card, "--led-pin", "17")[0] == 0  # the keys are not there any more
    taken = "--led-pin 21: that pin is used by row 1; choose another"
    assert boot("prepare", card, "--led-pin", "21")[1] == [taken]
    assert "tictactoe.yaml: left there, with your changes" in boot("prepare", card, "--remove")[1]
    assert path.read_text() == "keypad:\n  rows: [21, 20, 16]\n"
    path.write_text("keypad:\n  rows: [1]\n")
    assert boot("prepare", card)[0] == 2  # better here than on the box


UNENDED = 'no line "# <<< tictactoe boot prepare" follows; remove this box\'s lines, or rename'
BACK = "rename config.txt.before-tictactoe there to config.txt"
RE_FLASH = "tictactoe there to cmdline.txt, or if the card was started before, re-flash the card"
# fmt: off
EDITED = [
    ("config.txt", "# >>> tictactoe\na=1", f"txt:1: {UNENDED} config.txt.before-tictactoe to config.txt"),
    ("user-data", ("# <<<", "# <<"), f"user-data:4: {UNENDED} user-data.before-tictactoe to user-data"),
    ("tictactoe.txt", "x", "txt: was not written by this program; rename it, and run this again"),
    ("config.txt", None, f"has no config.txt; {BACK}, or re-flash"),
    ("cmdline.txt", None, RE_FLASH),
    ("cmdline.txt", "\n", "cmdline.txt: line 1 is empty"),
    ("issue.txt", None, "cannot tell which release is on this card (no date in issue.txt); re-flash it"),
    ("issue.txt", "2022-01-01", "this card is of 2022-01-01, older than bookworm (2023-10-10)"),
]
# fmt: on


@pytest.mark.parametrize(("name", "content", "sentence"), EDITED)
def test_an_edited_card_that_is_refused_is_not_changed(card, boot, name, content, sentence):
    boot("prepare", card)
    if content is None:
        (card / name).unlink()
    elif isinstance(content, tuple):
        (card / name).write_text((card / name).read_text().replace(*content))
    else:
        (card / name).write_text(content)
    before = tree(card)
    for options in (["--shutdown-pin", "21"], ["--remove"][: UNENDED in sentence]):
        status, [line] = boot("prepare", card, *options)
        assert (status, sentence in line) == (2, True)
        assert tree(card) == before


def test_of_a_card_that_was_never_prepared_no_copy_is_recommended_and_nothing_removed(card, boot):
    (card / "tictactoe.txt").write_text("mine\n")
    before = tree(card)
    assert boot("prepare", card, "--remove") == (0, ["nothing of this box is on the card"])
    assert tree(card) == before
    (card / "tictactoe.txt").unlink()
    (card / "config.txt").unlink()
    assert boot("prepare", card) == (2, [f"{card}: has no config.txt; re-flash the card"])


def test_a_newer_package_replaces_the_older_one_and_others_stay(card, debs, tmp_path, boot):
    boot("prepare", card, "--package", debs)
    assert boot("prepare", card)[1] == [NOTHING]
    newer = make_deb(tmp_path / "tictactoe-appliance_0.2.0_all.deb")
    lines = boot("prepare", card, "--package", newer)[1]
    old = "tictactoe/tictactoe-appliance_0.1.0_all.deb: removed"
    assert lines == [old, f"tictactoe/{newer.name}: written", DONE]
    names = {path.name for path in (card / "tictactoe").glob("*.deb")}
    assert names == {newer.name, "python3-luma.oled_3.10_all.deb", "python3-luma.core_2.4_all.deb"}
    (card / "tictactoe" / newer.name).write_bytes(b"damaged")
    assert boot("prepare", card, "--package", newer)[1][0] == f"tictactoe/{newer.name}: updated"


def test_a_package_without_those_that_it_needs_is_copied_and_reported(card, debs, boot):
    text = boot("prepare", card, "--package", debs / APPLIANCE)[1][-2]
    installs = "note: the first boot installs what is in the folder tictactoe, without a network"
    assert text.startswith(f"{installs}, but there is no python3-luma.oled; ")
    assert text.endswith("fetch-packages.sh downloads what else it needs")
    (card / "tictactoe" / APPLIANCE).unlink()
    (card / "tictactoe/x_1_all.deb").write_bytes(b"")
    assert "there is no tictactoe-appliance and no python3-luma.oled; " in boot("prepare", card)[1][0]


ONCE = "note: this card was started before, and cloud-init acts only once: its next start installs, and"
NONE = "note: there is no package to install: give it with --package"


@pytest.mark.parametrize("cloud_init", [True, False])
def test_a_card_that_was_started_already_installs_by_systemd(tmp_path, debs, boot, cloud_init):
    started = CMDLINE.replace(b" resize", b"")
    card = make_card(tmp_path / "card", cloud_init=cloud_init, cmdline=started)
    assert boot("prepare", card)[1][-2:] == [NONE, DONE]
    assert (card / "cmdline.txt").read_bytes() == started.replace(b"\n", b" quiet\n")
    notes = [line for line in boot("prepare", card, "--package", debs)[1] if line.startswith("note")]
    assert notes == [f"{ONCE} restarts once"] * cloud_init
    assert (card / "cmdline.txt").read_bytes() == started.replace(b"\n", b" quiet" + RUN + b"\n")


def test_what_conflicts_with_the_box_is_reported_and_not_changed(tmp_path, boot):
    config = CONFIG + b"dtoverlay=w1-gpio,gpiopin=17\ninclude more.txt\n"
    card = make_card(tmp_path / "card", config=config)
    lines = boot("prepare", card)[1]
    text = "occupies GPIO 17 for the one-wire bus, which is used by row 1 (for a zero2, 3, 4, 5)"
    assert f"note: config.txt:11: {text}" in lines
    assert config in (card / "config.txt").read_bytes()
    assert "more.txt" not in "".join(lines)


@pytest.mark.parametrize("options", [[], ["--remove"]])
def test_a_dry_run_says_what_it_would_do_and_writes_nothing(card, debs, boot, options):
    boot("prepare", card, "--package", debs) if options else None
    before = tree(card)
    dry = boot("prepare", card, *options, "--dry-run")
    assert tree(card) == before
    assert dry[1][-1] == "nothing was changed (--dry-run)"
    assert all(": would " in line or line.startswith("note") for line in dry[1][:-1])
    wet = boot("prepare", card, *options)
    assert len(wet[1]) == len(dry[1])
    assert not [line for line in wet[1] if "would" in line]


LOCKED = "run this with sudo, or mount it for writing (a card has a lock)"


@pytest.mark.parametrize(
    ("code", "remedy"),
    [(errno.EACCES, LOCKED), (errno.EROFS, LOCKED), (errno.EIO, "run this again, or with --remove")],
)
def test_a_write_that_fails_is_one_sentence_and_can_be_repeated(card, boot, monkeypatch, code, remedy):
    before = tree(card)
    real, calls = Path.replace, []

    def fail(*arguments, **more):
        calls.append(arguments)
        if len(calls) == at:
            raise OSError(code, "cause")
        return real(*arguments, **more)

    for at in range(1, 99):
        calls.clear()
        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", fail)
            status, lines = boot("prepare", card)
        if len(calls) < at:
            break
        assert (status, lines[0].partition("cannot be ")[2]) == (2, f"written: cause; {remedy}")
        for file in ("config.txt", "cmdline.txt"):  # it still boots
            assert set(before[file].split()) <= set((card / file).read_bytes().split())
        assert at > 1 or tree(card) == before
        boot("prepare", card, "--remove")
        assert tree(card) == before
    assert at > 5


def test_names_and_values_that_cannot_be_shown_are_escaped(card, boot):
    with (card / "config.txt").open("ab") as stream:
        stream.write(b"include caf\xe9.txt\ndtoverlay=w1-gpio,gpiopin=17\n")
    (card / os.fsdecode(b"kernel\xe9.img")).touch()
    for options in (("check", card), ("prepare", card)):
        status, lines = boot(*options)
        assert status in (0, 1)
        "\n".join(lines).encode()  # or a terminal would refuse it
    assert any(line.split()[:2] == ["missing", "caf\\udce9.txt"] for line in boot("check", card)[1])


def test_on_the_box_itself_its_own_configuration_counts(card, boot, monkeypatch):
    monkeypatch.setattr(Path, "resolve", lambda _self: Path("/boot/firmware"))
    monkeypatch.setattr("appliance.commands.boot.default_paths", lambda: [card / "etc.yaml"])
    (card / "etc.yaml").write_text("keypad:\n  rows: [21, 27, 22]\n")
    assert boot("prepare", card, "--led-pin", "21")[0] == 2
    # Nothing is installed there, so there is no note, and the next start is like any other.
    (card / "cmdline.txt").write_bytes(CMDLINE.replace(b" resize", b""))
    lines = boot("prepare", card)[1]
    assert lines[-1] == "the card is prepared; it takes effect at the next start"
    assert not [line for line in lines if line.startswith("note")]
    assert b"systemd.run" not in (card / "cmdline.txt").read_bytes()
