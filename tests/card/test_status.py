"""What status.txt tells, and how it is written."""

import os

import pytest
from imagecard import System, make_box

from appliance.card.status import STORE
from appliance.cli import main
from appliance.commands import image
from appliance.devices.supply import REMEDY
from appliance.storage.database import NAME

HEAD = "Tic-tac-toe box, version 0.1.0, in slot a, on a Raspberry Pi 3 Model B Rev 1.2."
WIRES = "Check the display's four wires, and display.address and display.port in tictactoe.yaml."
RUNS, WORKS, SAVED = "The game runs.", "The display works.", "Games and scores are saved."
DARK = "the display (ssd1306 at 0x3c on bus 1) does not answer ([Errno 121] Remote I/O error)"
KEYS = "the keys do not answer (LineError: [Errno 19] No such device: '/dev/gpiochip0 line 5')"
OFF_AND_ON = "Switch the box off and on; if that does not help, check keypad: in tictactoe.yaml."
FULL = "/var/lib/tictactoe/tictactoe.db cannot be used (disk full), playing from memory: free some space"
WEAK = f"the supply voltage was too low: {REMEDY}"
MISTAKE = '/boot/firmware/tictactoe.yaml:3: game.level: expected one of easy, hard, found "hrad"'


@pytest.fixture
def box(tmp_path):
    return make_box(tmp_path)


def text(box):
    data = (box.boot / "status.txt").read_bytes()
    assert len(data) == 4096
    content = data.rstrip(b"\n")
    assert content.endswith(b"\r")
    assert content.count(b"\n") + 1 == content.count(b"\r") == content.count(b"\r\n") + 1
    return content.decode().replace("\r", "").split("\n")


@pytest.mark.parametrize(("state", "status", "lines"), [
    ("active", "your turn, board x...o....", [RUNS, WORKS, SAVED]),
    ("active", f"your turn, board .........; {DARK}", [RUNS, SAVED, f"T{DARK[1:]}.", WIRES]),
    ("active", f"game over, board xxxoo....; {FULL}", [RUNS, WORKS, f"{FULL}."]),
    ("active", f"off, board .........; {DARK}; {FULL}", [RUNS, f"T{DARK[1:]}; {FULL}.", WIRES]),
    ("active", f"your turn, board .........; {KEYS}", [RUNS, WORKS, SAVED, f"T{KEYS[1:]}.", OFF_AND_ON]),
    ("active", f"box turn, board .........; {MISTAKE}", [RUNS, WORKS, SAVED, f"{MISTAKE}."]),
    ("active", f"your turn, board .........; {WEAK}", [RUNS, WORKS, SAVED, f"T{WEAK[1:]}."]),
    ("activating", MISTAKE, [f"The game does not run: {MISTAKE}."]),
    ("failed", "", ["The game does not run: it has not started."]),
    ("activating", "a\x1bb", [r"The game does not run: a\x1bb."]),
])  # fmt: skip
def test_what_systemd_says_is_worded_for_people(box, state, status, lines):
    box.run.service = f"StatusText={status}\nActiveState={state}\n"  # in systemd's order, whatever was asked
    image.status(box)
    assert text(box) == [HEAD, *lines]
    assert STORE == NAME


@pytest.mark.parametrize(("notes", "lines"), [
    ({"update": "version 0.2.0 is installed"}, ["Last update: version 0.2.0 is installed."]),
    ({"failed": "b its root.erofs cannot be read"}, ["Slot b was left: its root.erofs cannot be read."]),
    ({"failed": "a its root.erofs cannot be read"}, []),  # somebody has gone back to it by hand
    ({"repaired": "A new partition was made."}, ["A new partition was made."]),
])  # fmt: skip
def test_what_happened_to_updates_and_to_the_card_is_reported(box, notes, lines):
    for name, note in notes.items():
        (box.data / name).write_text(f"{note}\n")
    image.status(box)
    assert text(box)[2:] == lines


def test_the_file_is_only_written_if_it_changes_and_in_its_place(box):
    remounts = ["mount -o remount,rw", "mount -o remount,ro"]
    file = box.boot / "status.txt"
    image.status(box)  # it was missing
    inode = file.stat().st_ino
    assert box.run.calls == remounts
    image.status(box)
    assert box.run.calls == remounts
    box.run.service = "ActiveState=active\nStatusText=your turn, board .........\n"
    image.status(box)
    assert box.run.calls == 2 * remounts
    box.run.service = "ActiveState=active\nStatusText=box turn, board x........\n"
    image.status(box)  # it does not say whose turn it is: a game writes nothing
    assert box.run.calls == 2 * remounts
    assert file.stat().st_ino == inode
    for content in (b"", b"x" * 9000, b"mine\r\n"):
        file.write_bytes(content)
        image.status(box)
        assert text(box) == [HEAD, RUNS, WORKS, SAVED]


def test_a_long_text_is_cut_at_a_letter(box):
    box.run.service = f"ActiveState=failed\nStatusText={'ž' * 5000}\n"
    image.status(box)
    data = (box.boot / "status.txt").read_bytes()
    assert (len(data), data.decode().count("ž") > 1900) == (4096, True)


def test_one_write_and_one_sync(box, monkeypatch):
    image.status(box)
    box.run.service = "ActiveState=active\nStatusText=your turn, board .........\n"
    calls, real = [], os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (calls.append(os.fstat(file).st_size), real(file)))
    image.status(box)
    assert calls == [4096]


def test_a_card_that_cannot_be_written_and_a_computer_without_a_name(box, tmp_path, monkeypatch, capsys):
    (box.tree / "model").unlink()
    image.status(box)
    assert text(box)[0].endswith(", on a machine without a name.")
    (box.boot / "status.txt").unlink()
    system = System()
    system.read_only = True
    monkeypatch.setattr(image.Box, "__new__", lambda _cls, *_: box._replace(run=system))
    assert main(["image", "status"]) == 2
    reason = "/boot/firmware: cannot remount read-write, is write-protected"
    remedy = "run it as root on a box that was made from the card image"
    assert capsys.readouterr().err == f"tictactoe: image status: {reason}; {remedy}\n"


def test_commands_are_run_and_their_error_is_the_reason():
    assert image._command("echo", "yes") == "yes\n"
    with pytest.raises(OSError, match=r"^\[Errno 5\] first$"):
        image._command("sh", "-c", "printf 'first\nsecond\n' >&2; exit 1")


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (None, ["card image, version 0.1.0, slot a: all is well"]),
        (
            "root.erofs",
            ["a/root.erofs: is damaged", "card image, version 0.1.0, slot a: write the image again"],
        ),
        ("slot.json", ["a/slot.json: is missing or invalid", "card image, version unknown, slot a: write"]),
    ],
)
def test_boot_check_reads_a_card_of_the_image(box, capsys, broken, words):
    if broken:
        (box.boot / "a" / broken).write_bytes(b"?")
    assert main(["boot", "check", str(box.boot)]) == bool(broken)
    lines = capsys.readouterr().out.splitlines()
    assert [line.startswith(word) for line, word in zip(lines, words, strict=True)] == [True] * len(words)
    (box.boot / "a/root.erofs").unlink(missing_ok=True)
    main(["boot", "check", str(box.boot)])
    assert broken == "slot.json" or "a/root.erofs: cannot be read: No such file" in capsys.readouterr().out
    (box.boot / "tictactoe.yaml").write_bytes(b"game: {level: harder}\r\n")
    assert main(["boot", "check", str(box.boot)]) == 2
    assert "game.level" in capsys.readouterr().err
