"""A new version is tried by the firmware's one-shot flag, and either settles, or the old one stays."""

import re

import pytest
from imagecard import CONFIG, GOOD, SET_FLAG, fill, offer, started, update_box

from appliance.slots import jobs, pair, trial


def status_of(box):
    return (box.boot / "status.txt").read_bytes().decode().split("\r\n")


def test_an_update_gets_two_starts_and_is_then_refused_until_it_is_copied_again(box, shown, capsys):
    offer(box, GOOD)
    for _ in range(trial.STARTS - 1):
        jobs.update(box)  # the old version has started, after a reset or a power cut
        assert box.run.calls[-2:] == [SET_FLAG, "systemctl reboot"]
    box.run.calls.clear()
    jobs.update(box)
    sentence = "update.box: version 0.2.0 did not start in 2 tries"
    assert shown[-1] == (sentence, "no update")
    assert f"Last update: {sentence}." in status_of(box)
    assert (box.boot / "update.bad").exists()
    assert pair.in_force(box.boot) == "a"
    assert SET_FLAG not in box.run.calls
    assert [title for _, title in shown].count("Updating… 0%") == 1  # it is written only once
    assert pair.installed(box.boot, "b") is None  # nothing falls back to it
    offer(box, GOOD)
    assert started(box, tryboot=True) == "b"
    jobs.settle(box)
    box.boot.joinpath("config.txt").write_bytes(CONFIG)  # the user switches back by hand, and forward again
    started(box, tryboot=False)
    for _ in range(trial.STARTS):
        offer(box, GOOD)
        assert box.run.calls[-2:] == [SET_FLAG, "systemctl reboot"]


def test_another_update_gets_its_own_starts(box, shown):
    offer(box, GOOD)
    offer(box, GOOD)
    offer(box, update_box("0.3.0"))
    assert trial.starts(box.boot, "b") == 1
    assert started(box, tryboot=True) == "b"


def test_a_box_whose_flag_cannot_be_set_says_so_and_plays_on(box, shown):
    """The card is whole, and however often it is tried, the version was not started."""
    box.run.broken = "busybox"
    for _ in range(trial.STARTS + 1):
        offer(box, GOOD)
        assert re.fullmatch(
            r"update\.box: cannot be tried: the firmware refused \(insmod: .*\); "
            "update the EEPROM of a 4 or 5, or write the new image to the card", shown[-1][0],
        )  # fmt: skip
    assert pair.in_force(box.boot) == "a"
    box.run.broken = ""
    offer(box, GOOD)
    assert started(box, tryboot=True) == "b"


@pytest.mark.parametrize(("line", "letter"), [
    (b"os_prefix=A/\r\n", "a"),
    (b"os_prefix=a/\nos_prefix=B/\n", "b"),
    (b"os_prefix=b/\nos_prefix=a/\n", "a"),
])  # fmt: skip
def test_an_os_prefix_that_the_firmware_takes_is_taken_and_changed(box, shown, line, letter):
    fill(box.boot / "b", "0.1.0")
    (box.boot / "config.txt").write_bytes(CONFIG.replace(b"os_prefix=a/\r\n", line))
    assert started(box, tryboot=False) == letter
    assert pair.in_force(box.boot) == letter
    offer(box, GOOD)
    assert started(box, tryboot=False) == letter
    other = started(box, tryboot=True)
    assert other != letter
    jobs.settle(box)
    assert started(box, tryboot=False) == other
    size = len(CONFIG) - len(b"os_prefix=a/\r\n") + len(line)
    assert len((box.boot / "config.txt").read_bytes()) == size


def test_an_os_prefix_that_cannot_be_changed_is_named_where_people_look(box, shown):
    """The firmware may start such a slot; with no os_prefix at all, it starts nothing."""
    (box.tree / "chosen").mkdir()
    (box.tree / "chosen/os_prefix").write_bytes(b"./a/\0")
    (box.boot / "config.txt").write_bytes(CONFIG.replace(b"=a/", b"=./a/"))
    (box.boot / "update.box").write_bytes(GOOD)
    jobs.update(box)
    sentence = "config.txt: expected a line os_prefix=a/ or os_prefix=b/"
    assert shown[-1][0] == sentence
    assert f"{sentence}." in status_of(box)
    assert ", in slot a, on a Raspberry Pi 3" in status_of(box)[0]


def test_a_version_that_the_other_slot_holds_is_tried_without_being_written(box, shown):
    """As after switching back by hand. A card made before tryboot.txt has none."""
    fill(box.boot / "b", "0.2.0")
    offer(box, GOOD)
    assert shown == []
    assert box.run.calls[-2:] == [SET_FLAG, "systemctl reboot"]
    assert started(box, tryboot=True) == "b"


def test_a_version_that_the_other_slot_holds_damaged_is_written_again(box):
    """As a copied update that shall mend a slot which was left."""
    fill(box.boot / "b", "0.2.0")
    (box.boot / "b/root.erofs").write_bytes(b"rotten")
    offer(box, GOOD)
    assert not pair.faults(box.boot, "b")
    assert started(box, tryboot=True) == "b"
