"""Updates on an emulated Raspberry Pi 3B, and some on a first Zero, started by the model of their firmware.

After a dead kernel, a dead initramfs or a hang the test cuts the power, in place of the watchdog that the
firmware starts; once the watchdog's driver is loaded, a panic resets the machine. tests/slots tests rejected
updates, and power cuts.
"""

import random

import pytest
from boxes import INIT, offer, put_on_trial, update_box, update_file, with_init, without_game
from effort import longer
from pi import report
from test_image_start import play, plays

from appliance.slots import pair


def settled(pi):
    return plays(pi) and pi.slot == "b" and "Last update: version 9.0 is installed." in pi.status


@pytest.mark.parametrize(
    ("pi", "other"), [("raspi3b", "armel"), *longer(("raspi0", "arm64"))], indirect=["pi"]
)
def test_an_update_for_the_other_architecture_is_refused_and_the_box_plays(pi, other):
    name = update_file(other).name
    pi.write(name, update_file(other).read_bytes())
    play(pi)
    this = pi.machine.architecture
    assert f"Last update: {name}: is for {other} machines; this box is for {this}.\n" in pi.status
    assert pi.read(name.replace(".box", ".bad"))
    assert pi.slot == "a"


@pytest.mark.parametrize("pi", ["raspi3b", *longer("raspi0")], indirect=True)
def test_a_good_update_is_tried_and_put_in_force(pi):
    """It is already in slot b: writing takes minutes here. In test_image_cuts.py the box does it."""
    offer(pi, update_box(pi, "9.0"))
    pi.start()
    pi.ended()
    assert (pi.slot, pi.chosen().prefix) == ("a", "b/")
    pi.start()
    pi.wait(settled)
    pi.cut()
    report(pi.status)
    assert "version 9.0, in slot b" in pi.status
    assert pi.chosen().prefix == "b/"
    assert not pair.faults(pi.boot(), "b")
    with pytest.raises(FileNotFoundError):
        pi.read("update.box")


@pytest.mark.long
def test_an_update_with_a_dead_kernel_is_tried_twice_and_undone(pi):
    offer(pi, update_box(pi, "9.0", **{"kernel8.img": bytes(1 << 20)}))
    for _ in range(2):
        assert pi.chosen().prefix == "a/"
        pi.start()
        pi.ended()
        assert pi.chosen().prefix == "b/"
        pi.start()
        pi.wait(lambda pi: pi.seconds > 5)
        assert pi.console == ""
        pi.cut()
    play(pi)
    assert "in slot a" in pi.status
    assert "Last update: update.box: version 9.0 did not start in 2 tries." in pi.status


GARBAGE = random.Random(1).randbytes(1 << 20)
HANG = "\nsay hang; sleep 9999\n"
DEAD = {  # what is wrong with an update; whether it resets the machine or needs a power cut; what it prints
    "initramfs": (lambda pi: update_box(pi, "9.0", initramfs8=GARBAGE), False, "Kernel panic"),
    "panic": (lambda pi: with_init(pi, INIT.replace("\nfind_card\n", "\nexit 1\n")), True, "Kernel panic"),
    "hang": (lambda pi: with_init(pi, INIT.replace("\nfind_card\n", HANG)), False, "hang"),
    "root": (lambda pi: update_box(pi, "9.0", **{"root.erofs": GARBAGE}), True, "cannot mount the root"),
    "game": (without_game, True, "The box plays"),
}  # fmt: skip


@pytest.mark.parametrize("fault", DEAD)
def test_an_update_that_does_not_start_is_undone(pi, fault):
    make, resets, words = DEAD[fault]
    put_on_trial(pi, make(pi))
    assert pi.chosen().prefix == "b/"
    pi.start(verbose=True)
    if resets:
        pi.ended()
    else:
        pi.wait(lambda pi: words in pi.console)
        pi.cut()
    assert words in pi.console
    assert pi.chosen().prefix == "a/"
    assert not pair.faults(pi.boot(), "a")


def test_a_settled_slot_whose_root_is_broken_hands_over(pi):
    offer(pi, update_box(pi, "9.0"))
    pi.write("a/root.erofs", bytes(1 << 20))
    pi.start()
    pi.ended()
    assert pi.chosen().prefix == "b/"
    play(pi)
    assert "version 9.0, in slot b" in pi.status
    assert "Slot a was left: its root.erofs cannot be read." in pi.status


def test_an_os_prefix_in_upper_case_after_another(pi):
    pi.write("config.txt", pi.read("config.txt").replace(b"os_prefix=a/", b"os_prefix=b/\r\nos_prefix=A/"))
    play(pi)
    assert "in slot a" in pi.status


def test_without_an_os_prefix_nothing_starts(pi):
    """None of our programs runs then; README.txt on the card says what to do."""
    pi.write("config.txt", pi.read("config.txt").replace(b"os_prefix=a/", b""))
    assert pi.chosen() is None
    assert b"os_prefix" in pi.read("README.txt")
