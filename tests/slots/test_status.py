"""What status.txt says, and how it is written."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from effort import amount
from hypothesis import given, settings
from hypothesis import strategies as st
from imagecard import System

from appliance.cli import main
from appliance.commands import image
from appliance.core.problems import SENTENCES, Problem
from appliance.devices.supply import REMEDY
from appliance.service import health
from appliance.slots import jobs
from appliance.slots.box import run_command

HEAD = "Tic-tac-toe box, version 0.1.0, in slot a, on a Raspberry Pi 3 Model B Rev 1.2."
OLD = (
    "This may be from an earlier start. "
    "To find out, delete this file, start the box, wait a minute, and look again."
)
WIRES = "Check the display's four wires, and display.address and display.port in tictactoe.yaml."
RUNS, WORKS, SAVED = "The game runs.", "The display works.", "Games and scores are saved."
OFF_AND_ON = "Switch the box off and on; if that does not help, check keypad: in tictactoe.yaml."
OLED, DATABASE = "ssd1306 at 0x3c on bus 1", "/var/lib/tictactoe/tictactoe.db"
DARK = Problem("display", "silent", OLED, "[Errno 121] Remote I/O error")
FULL = Problem("store", "unusable", DATABASE, "disk full", "free some space")
MISTAKE = '/boot/firmware/tictactoe.yaml:3: game.level: expected one of easy, hard, found "hrad"'


def says(box, state, status=""):
    """Let systemd say this, in its order, whatever was asked."""
    box.run.service = f"StatusText={status}\nActiveState={state}\n"


def play(box, *problems):
    """Let the game run, with these problems."""
    says(box, "active", "your turn, board .........")
    box.runtime.mkdir(exist_ok=True)
    health.write(problems, {"RUNTIME_DIRECTORY": str(box.runtime)})


def text(box):
    data = (box.boot / "status.txt").read_bytes()
    assert len(data) == 4096
    content = data.rstrip(b"\n")
    assert content.endswith(b"\r")
    assert content.count(b"\n") + 1 == content.count(b"\r") == content.count(b"\r\n") + 1
    head, old, *lines = content.decode().replace("\r", "").split("\n")
    assert old == OLD
    return [head, *lines]


@pytest.mark.parametrize(("problems", "lines"), [
    ((), [WORKS, SAVED]),
    ((DARK,), [SAVED, f"The display ({OLED}) does not answer ([Errno 121] Remote I/O error).", WIRES]),
    ((Problem("display", "slow", OLED, "1 s"),),
     [SAVED, f"The display ({OLED}) is too slow: it held the box up for 1 s."]),
    ((Problem("display", "unusable", OLED, "KeyError: \n\t'a'"),),
     [SAVED, f"The display ({OLED}) cannot be used (KeyError: 'a')."]),
    ((Problem("display", "unusable", OLED, "é" * 9000),),
     [SAVED, f"The display ({OLED}) cannot be used ({'é' * 900})."]),
    ((Problem("keys", "silent", reason="OSError: [Errno 5] gone"),),
     [WORKS, SAVED, "The keys do not answer (OSError: [Errno 5] gone).", OFF_AND_ON]),
    ((FULL,), [WORKS, f"{DATABASE} cannot be used (disk full), playing from memory: free some space."]),
    ((Problem("store", "damaged", DATABASE, "no header", "2 games were kept"),),
     [WORKS, f"{DATABASE} is damaged (no header): 2 games were kept."]),
    ((Problem("store", "slow", DATABASE),), [WORKS, f"{DATABASE}: the card is slow."]),
    ((Problem("supply", "low", remedy=REMEDY),),
     [WORKS, SAVED, f"The supply voltage is too low: {REMEDY}."]),
    ((Problem("supply", "dipped"),), [WORKS, SAVED, "The supply voltage was too low."]),
    ((Problem("wiring", "faulty", reason="key 5: no contact"),),
     [WORKS, SAVED, "Self-test: key 5: no contact."]),
    ((Problem("configuration", "wrong", reason=MISTAKE),), [WORKS, SAVED, f"{MISTAKE}."]),
    ((Problem("configuration", "wrong"),), [WORKS, SAVED, "."]),  # forged
    ((DARK, FULL), [f"The display ({OLED}) does not answer ([Errno 121] Remote I/O error).", WIRES,
                    f"{DATABASE} cannot be used (disk full), playing from memory: free some space."]),
])  # fmt: skip
def test_the_problems_of_a_game_that_runs_are_worded_for_people(box, problems, lines):
    play(box, *problems)
    jobs.status(box)
    assert text(box) == [HEAD, RUNS, *lines]


@pytest.mark.parametrize(("state", "status", "reason"), [
    ("activating", MISTAKE, MISTAKE),
    ("failed", "", "it has not started"),
    ("activating", "a\x1bb", r"a\x1bb"),
])  # fmt: skip
def test_a_game_that_does_not_run_has_no_problems_but_that(box, state, status, reason):
    play(box, DARK)
    says(box, state, status)
    jobs.status(box)
    assert text(box) == [HEAD, f"The game does not run: {reason}."]


FACTS = st.text().map(lambda text: " ".join(text.split()))


@pytest.mark.more
@settings(max_examples=amount(20, 100))
@given(
    st.lists(
        st.builds(
            lambda key, more: Problem(*key, *more), st.sampled_from(list(SENTENCES)), st.tuples(*[FACTS] * 3)
        )
    )
)
def test_what_the_service_writes_is_what_others_read(problems):
    with TemporaryDirectory() as folder:
        health.write(problems, {"RUNTIME_DIRECTORY": f"{folder}:/elsewhere"})
        assert health.read(Path(folder)) == problems


@pytest.mark.parametrize("make", [
    Path.mkdir, os.mkfifo,
    lambda file: file.write_bytes(b"\xff\0"),
    lambda file: file.write_text("root:x:0:0:root:/root:/bin/sh\ndisplay\tsilent\n"),
    lambda file: file.write_text("display\tbroken\t\t\t\n"),
])  # fmt: skip
def test_what_the_service_did_not_write_tells_nothing(tmp_path, make):
    make(tmp_path / health.HEALTH_FILE)
    assert health.read(tmp_path) == []


@pytest.mark.parametrize(("notes", "lines"), [
    ({"update": "version 0.2.0 is installed"}, ["Last update: version 0.2.0 is installed."]),
    ({"failed": "b its root.erofs cannot be read"}, ["Slot b was left: its root.erofs cannot be read."]),
    # The user has switched back to it by hand, or there is no other one.
    ({"failed": "a kernel is damaged"}, ["Slot a: kernel is damaged. Write the image to a card again."]),
    ({"repaired": "A new partition was made."}, ["A new partition was made."]),
])  # fmt: skip
def test_what_happened_to_updates_and_to_the_card_is_reported(box, notes, lines):
    for name, note in notes.items():
        (box.data / name).write_text(f"{note}\n")
    jobs.status(box)
    assert text(box)[2:] == lines


def test_the_file_is_only_written_if_it_changes_and_in_its_place(box):
    remounts = ["mount -o remount,rw", "mount -o remount,ro"]
    file = box.boot / "status.txt"
    jobs.status(box)  # it was missing
    inode = file.stat().st_ino
    assert box.run.calls == remounts
    jobs.status(box)
    assert box.run.calls == remounts
    play(box)
    jobs.status(box)
    assert box.run.calls == 2 * remounts
    says(box, "active", "box turn, board x........")
    jobs.status(box)  # it does not say whose turn it is, so a game writes nothing
    assert box.run.calls == 2 * remounts
    assert file.stat().st_ino == inode
    for content in (b"", b"x" * 9000, b"mine\r\n"):
        file.write_bytes(content)
        jobs.status(box)
        assert text(box) == [HEAD, RUNS, WORKS, SAVED]


def test_a_long_text_is_cut_at_a_letter(box):
    says(box, "failed", "ž" * 5000)
    jobs.status(box)
    data = (box.boot / "status.txt").read_bytes()
    assert (len(data), data.decode().count("ž") > 1900) == (4096, True)


def test_one_write_and_one_sync(box, monkeypatch):
    jobs.status(box)
    play(box)
    calls, real = [], os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (calls.append(os.fstat(file).st_size), real(file)))
    jobs.status(box)
    assert calls == [4096]


def test_a_card_that_cannot_be_written_and_a_computer_without_a_name(box, tmp_path, monkeypatch, capsys):
    (box.tree / "model").unlink()
    jobs.status(box)
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
    assert run_command("echo", "yes") == "yes\n"
    assert run_command("printf", r"\377\n") == "\ufffd\n"
    with pytest.raises(OSError, match=r"^\[Errno 5\] first$"):
        run_command("sh", "-c", "printf 'first.\nsecond\n' >&2; exit 1")


@pytest.mark.parametrize(("broken", "words"), [
    (None, ["card image, version 0.1.0, slot a: all is well"]),
    ("root.erofs", ["a/root.erofs: is damaged", "card image, version 0.1.0, slot a: write the image again"]),
    ("slot.json", ["a/slot.json: is missing or invalid", "card image, version unknown, slot a: write"]),
])  # fmt: skip
def test_boot_check_reads_a_card_of_the_image(box, capsys, broken, words):
    if broken:
        (box.boot / "a" / broken).write_bytes(b"?")
    assert main(["boot", "check", str(box.boot), "--model", "5"]) == bool(broken)  # no overlay, no dtparam=
    lines = capsys.readouterr().out.splitlines()
    assert [line.startswith(word) for line, word in zip(lines, words, strict=True)] == [True] * len(words)
    (box.boot / "a/root.erofs").unlink(missing_ok=True)
    main(["boot", "check", str(box.boot)])
    assert broken == "slot.json" or "a/root.erofs: cannot be read: No such file" in capsys.readouterr().out
    (box.boot / "tictactoe.yaml").write_bytes(b"game: {level: harder}\r\n")
    assert main(["boot", "check", str(box.boot)]) == 2
    assert "game.level" in capsys.readouterr().err
