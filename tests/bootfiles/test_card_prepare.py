import errno
import os
from pathlib import Path

import pytest
from bootcard import CONFIG, NOTHING, tree

from appliance.commands.config import example_lines
from appliance.config.reading import load_config


def test_the_settings_on_the_card_may_be_edited_and_stay(card, boot):
    boot("prepare", card)
    path = card / "tictactoe.yaml"
    assert path.read_text() == "".join(f"{line}\n" for line in example_lines())
    assert load_config([path]) == load_config([])
    path.write_text("# as an older version described it\ngame:\n  #level: perfect\n")
    assert "tictactoe.yaml: updated" in boot("prepare", card)[1]
    path.write_text("keypad:\n  rows: [21, 20, 16]\n")
    kept = ["tictactoe.yaml: left as it is, with your changes", NOTHING]
    assert boot("prepare", card)[1] == kept
    with (card / "config.txt").open("a") as stream:
        stream.write("dtoverlay=gpio-led,gpio=17\ndtoverlay=gpio-fan,gpiopin=21\n")  # 17 no longer has a key
    fan = "occupies GPIO 21 for a fan, which is used by row 1 (for a zero2, 3, 4, 5)"
    assert boot("prepare", card)[1] == [kept[0], f"note: config.txt:14: {fan}", NOTHING]
    assert "tictactoe.yaml: left there, with your changes" in boot("prepare", card, "--remove")[1]
    assert path.read_text() == "keypad:\n  rows: [21, 20, 16]\n"
    path.write_text("keypad:\n  rows: [1]\n")
    assert boot("prepare", card)[0] == 2  # rather than fail on the box


@pytest.mark.parametrize(("name", "content", "sentence"), [
    ("config.txt", None, "has no config.txt; restore it, or re-flash the card"),
    ("a/slot.json", "",
     "card: made from the card image, so it is already prepared; edit tictactoe.yaml there"),
])  # fmt: skip
def test_an_edited_card_that_is_refused_is_not_changed(card, boot, name, content, sentence):
    boot("prepare", card)
    (card / name).parent.mkdir(exist_ok=True)
    (card / name).unlink() if content is None else (card / name).write_text(content)
    before = tree(card)
    status, [line] = boot("prepare", card)
    assert (status, line.endswith(sentence)) == (2, True)
    assert tree(card) == before


@pytest.mark.parametrize("options", [[], ["--remove"]])
def test_a_dry_run_says_what_it_would_do_and_writes_nothing(card, boot, options):
    boot("prepare", card) if options else None
    before = tree(card)
    dry = boot("prepare", card, *options, "--dry-run")
    assert tree(card) == before
    assert dry[1][-1] == "nothing was changed (--dry-run)"
    assert all(": would " in line or line.startswith("note") for line in dry[1][:-1])
    wet = boot("prepare", card, *options)
    assert len(wet[1]) == len(dry[1])
    assert not [line for line in wet[1] if "would" in line]


LOCKED = "run this with sudo, or mount it for writing (check the card's lock switch)"


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
        assert (card / "config.txt").read_bytes().startswith(CONFIG)  # the card still boots
        assert at > 1 or tree(card) == before
        boot("prepare", card, "--remove")
        assert tree(card) == before
    assert at == 4


def test_names_and_values_that_cannot_be_shown_are_escaped(card, boot):
    with (card / "config.txt").open("ab") as stream:
        stream.write(b"include caf\xe9.txt\n")
    (card / os.fsdecode(b"caf\xe9.txt")).write_text("dtoverlay=w1-gpio,gpiopin=17\n")
    for options in (("check", card), ("prepare", card)):
        status, lines = boot(*options)
        assert status in (0, 1)
        "\n".join(lines).encode()  # or a terminal would refuse it
    assert any(line.split()[:2] == ["wrong", "caf\\udce9.txt:1"] for line in boot("check", card)[1])


def test_on_the_box_itself_its_own_configuration_counts(card, boot, monkeypatch):
    monkeypatch.setattr(Path, "resolve", lambda _self: Path("/boot/firmware"))
    monkeypatch.setattr("appliance.commands.boot.default_paths", lambda: [card / "etc.yaml"])
    (card / "etc.yaml").write_text("keypad:\n  rows: [21, 27, 22]\n")
    with (card / "config.txt").open("a") as stream:
        stream.write("dtoverlay=gpio-led,gpio=21\n")
    *_, note, done = boot("prepare", card)[1]
    assert note.startswith("note: config.txt:11: occupies GPIO 21 for an LED, which is used by row 1 ")
    assert done == "the card is prepared; reboot to apply this"
