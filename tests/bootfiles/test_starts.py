"""Starts without a game: what image/init and the running box make of their count, on a folder and a file.

The shell text is theirs, and the programs are those of busybox that image/kernel puts into the initramfs.
tests/image/test_image_starts.py starts emulated boxes.
"""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from imagecard import fill

from appliance.slots.status import STATUS_SIZE

IMAGE = Path(__file__).resolve().parents[2] / "image"
INIT = (IMAGE / "init").read_text()
FUNCTIONS = INIT[INIT.index("\nseconds()") : INIT.index("\nload card\n")]
STARTS = (IMAGE / "root/usr/lib/tictactoe-box/starts").read_text()
UNITS = IMAGE / "root/usr/lib/systemd/system"
APPLETS = re.search(r"for name in (.*); do\n *ln -s busybox", (IMAGE / "kernel").read_text())[1].split()
PLACES = re.compile(
    r"(?<![\w.])/(?=(boot|data|sums|hashes|starts|status\.txt|config\.txt|sys/class|proc/mounts|proc/sys|dev/\$card|dev/kmsg)\b)"
)
MARK = b"tic-tac-toe box, starts without a game: "
SECTOR = 3 << 20  # bytes
MORE_THAN_ONCE = "The box was started more than once, and the game has not run yet."
ROTTEN = b"rotten"

pytestmark = pytest.mark.skipif(
    not shutil.which("busybox"), reason="busybox is missing: sudo .ci/packages test"
)


class Card:
    """A card with version 1 in slot a, and whether its next start plays."""

    def __init__(self, root):
        self.root, self.boot, self.disk = root, root / "boot", root / "dev/mmcblk0"
        for folder in ("boot", "data", "dev", "bin", "sys/class/block/mmcblk0p1", "proc/sys/vm"):
            (root / folder).mkdir(parents=True)
        for name in ("busybox", *APPLETS):
            (root / "bin" / name).symlink_to(shutil.which("busybox"))
        (self.boot / "config.txt").write_bytes(b"os_prefix=a/\r\n")
        (self.boot / "status.txt").write_bytes(b"\n" * STATUS_SIZE)
        (root / "proc/mounts").write_text(
            f"tmpfs /run tmpfs rw\n{self.disk}p1 {self.boot}/firmware vfat ro\n"
        )
        (root / "sys/class/block/mmcblk0p1/start").write_text("8192\n")
        (root / "starts").write_text(PLACES.sub(f"{root}/", STARTS))
        fill(self.boot / "a", "1")
        self.disk.touch()
        os.truncate(self.disk, 4 << 20)

    def sh(self, text):
        """Run shell text with the card's places for the machine's; return the calls of what it has not."""
        log = self.root / "calls"
        log.write_bytes(b"")
        others = "".join(
            f'{name}() {{ echo "{name} $*" >>/calls; }}\n' for name in ("mount", "umount", "sync")
        )
        asked = "case $1 in -q) return 1 ;; show) return ;; esac"  # the game neither runs nor says why
        others += f'systemctl() {{ {asked}; echo "systemctl $*" >>/calls; }}\n'
        text = f"{others}reboot() {{ echo reboot >>/calls; exit; }}\n{text}".replace("/calls", str(log))
        done = subprocess.run(
            [self.root / "bin/sh", "-c", PLACES.sub(f"{self.root}/", text)],
            env={"PATH": str(self.root / "bin")}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert not done.stderr
        return log.read_text().splitlines()

    def start(self, more="", named="a", slot="a"):
        """Let image/init judge the slot."""
        other = "b" if slot == "a" else "a"
        return self.sh(
            f"{FUNCTIONS}\n{more}\ncard=mmcblk0 named={named} slot={slot} other={other}\njudge_slot"
        )

    def run(self, unit, more=""):
        """Run a unit's commands."""
        text = (UNITS / unit).read_text().replace("/usr/lib/tictactoe-box/starts", "/starts")
        commands = [shlex.split(line)[2] for line in re.findall("^Exec.*=/bin/(sh .*)$", text, re.MULTILINE)]
        return self.sh("\n".join([more, *(f"( {command} ) || exit" for command in commands)]))

    @property
    def sector(self):
        with self.disk.open("rb") as file:
            file.seek(SECTOR)
            return file.read(512)

    @sector.setter
    def sector(self, content):
        with self.disk.open("r+b") as file:
            file.seek(SECTOR)
            file.write(content)

    @property
    def count(self):
        return self.sector.removeprefix(MARK).decode().strip()

    @count.setter
    def count(self, count):
        self.sector = (MARK + count.encode()).ljust(512)

    @property
    def status(self):
        return (self.boot / "status.txt").read_bytes().decode().rstrip()


@pytest.fixture
def card(tmp_path):
    return Card(tmp_path)


def test_what_is_whole_is_checked_once_and_never_left(card):
    """Twenty power cuts during starts cost nothing."""
    fill(card.boot / "b", "2")
    counts, statuses = [], []
    for _ in range(20):
        assert "reboot" not in card.start()
        counts.append(card.count)
        statuses.append(card.status[: len(MORE_THAN_ONCE)])
    assert counts == ["1", "2", *["w"] * 18]
    assert statuses == ["", *[MORE_THAN_ONCE] * 19]
    card.run("box-starts-played.service")
    assert card.count == "0"


def test_only_the_sector_changes(card):
    before = card.disk.read_bytes()
    card.start()
    after = card.disk.read_bytes()
    assert len(after) == len(before)
    assert after[:SECTOR] + after[SECTOR + 512 :] == before[:SECTOR] + before[SECTOR + 512 :]


def rot(name, letter="a"):
    return lambda card: (card.boot / letter / name).write_bytes(ROTTEN)


def rot_middle(card):
    """Make a part of slot.json zeros, as a lost cluster does."""
    file = card.boot / "a/slot.json"
    text = file.read_bytes()
    file.write_bytes(text[:300] + bytes(200) + text[500:])


def lose(name):
    return lambda card: (card.boot / "a" / name).unlink()


@pytest.mark.parametrize(("damage", "name"), [
    (rot("root.erofs"), "root.erofs"), (rot("cmdline.txt"), "cmdline.txt"), (rot("slot.json"), "slot.json"),
    (rot_middle, "slot.json"), (lose("kernel8.img"), "kernel8.img"), (lose("slot.json"), "slot.json"),
])  # fmt: skip
@pytest.mark.parametrize("other", ["whole", "missing", "root", "empty", "slot.json"])
def test_what_is_damaged_is_left_if_the_other_is_whole(card, damage, name, other):
    damage(card)
    if other != "missing":
        fill(card.boot / "b", "2")
    if other == "root":
        rot("root.erofs", "b")(card)
    elif other == "empty":
        shutil.rmtree(card.boot / "b")
        (card.boot / "b").mkdir()
    elif other == "slot.json":
        rot("slot.json", "b")(card)
    card.count = "1"
    assert "reboot" not in card.start()
    calls = card.start()
    left = other == "whole"
    assert ("reboot" in calls) == left
    assert card.count == ("0" if left else "w")
    assert (card.boot / "config.txt").read_bytes() == (b"os_prefix=b/\r\n" if left else b"os_prefix=a/\r\n")
    assert (card.root / "data/failed").read_text() == f"a {name} is damaged\n"
    if not left:
        assert card.status.startswith(f"a/{name} is damaged, and there is no other version to start: ")
        assert card.start() == [], "nothing more is done"


DROPS = 'dd() { case $* in *config.txt*) cat >/dev/null </dev/null ;; *) busybox dd "$@" ;; esac; }\n'
REFUSES = 'dd() { case $* in *config.txt*) false ;; *) busybox dd "$@" ;; esac; }\n'


@pytest.mark.parametrize("more", [DROPS, REFUSES])
def test_a_card_that_keeps_the_old_letter_is_started_from_and_tried_again_at_the_third_start(card, more):
    fill(card.boot / "b", "2")
    rot("root.erofs")(card)
    for count in ("1", "2", "0", "1", "2"):
        assert "reboot" not in card.start(more)
        assert card.count == count
    assert "reboot" in card.start()


def test_an_update_that_failed_its_trial_is_not_gone_to(card):
    """It never played; the box has not yet removed it."""
    fill(card.boot / "b", "2")
    (card.boot / "tryboot.txt").write_bytes(b"# start 2 of 2\r\nos_prefix=b/\r\n")
    rot("root.erofs")(card)
    card.count = "2"
    assert "reboot" not in card.start()
    assert card.count == "w"
    assert card.status.startswith("a/root.erofs is damaged, and there is no other version to start: ")


def test_one_read_error_is_no_damage(card):
    fill(card.boot / "b", "2")
    card.count = "2"
    once = "sha256sum() { echo 'root.erofs: FAILED'; false; }\n"
    once += 'forget() { sha256sum() { busybox sha256sum "$@"; }; }\n'
    assert "reboot" not in card.start(once)
    assert card.count == "w"
    assert card.status.startswith(MORE_THAN_ONCE)


def test_what_could_not_be_checked_is_not_whole(card):
    """A killed sha256sum has said nothing of it."""
    fill(card.boot / "b", "2")
    rot("root.erofs")(card)
    card.count = "2"
    killed = 'sha256sum() { case $PWD in */b) return 137 ;; *) busybox sha256sum "$@" ;; esac; }\n'
    assert "reboot" not in card.start(killed)
    assert card.count == "w"


def test_a_power_cut_in_a_check_repeats_it_at_the_third_start_from_there(card):
    card.count = "2"
    card.start(more="damage() { reboot; }\ncheck_slot() { damage; }")
    assert card.count == "0"


def test_a_line_is_written_in_its_place_and_only_if_it_changes(card):
    card.count = "1"
    inode = (card.boot / "status.txt").stat().st_ino
    assert f"mount -o remount,rw {card.boot}" in card.start()
    content = (card.boot / "status.txt").read_bytes()
    assert (card.boot / "status.txt").stat().st_ino == inode
    assert len(content) == STATUS_SIZE
    assert content.rstrip(b"\n") == f"{card.status}\r".encode()
    card.count = "1"
    assert card.start() == []
    (card.boot / "status.txt").unlink()  # as status.txt advises
    card.count = "1"
    assert f"mount -o remount,rw {card.boot}" in card.start()
    assert (card.boot / "status.txt").read_bytes() == content
    (card.boot / "status.txt").write_bytes(b"somebody's own")
    card.count = "1"
    assert card.start() == []


@pytest.mark.parametrize("sector", [b"\xeb\x3c\x90 another's boot loader", MARK, MARK + b"12 ", MARK + b"3 "])
def test_a_sector_of_somebody_else_s_is_left_alone(card, sector):
    card.sector = sector = sector.ljust(512, b"x")
    card.start()
    card.run("box-starts-played.service")
    assert card.run("box-starts-silent.service") == []
    assert card.sector == sector


@pytest.mark.parametrize("sector", [bytes(512), (MARK + b"1").ljust(512)])
def test_a_sector_in_a_partition_is_left_alone(card, sector):
    (card.root / "sys/class/block/mmcblk0p1/start").write_text("2048\n")
    card.sector = sector
    card.start()
    card.run("box-starts-played.service")
    assert card.run("box-starts-silent.service") == []
    assert card.sector == sector


@pytest.mark.parametrize(("named", "slot"), [("a", "b"), ("b", "a"), ("", "a")])
def test_a_trial_is_not_counted(card, named, slot):
    card.start(named=named, slot=slot)
    assert card.sector == bytes(512)


@pytest.mark.parametrize("count", ["", "1", "2", "w"])
def test_a_card_that_cannot_be_written_is_never_counted_and_never_restarted(card, count):
    if count:
        card.count = count
    rot("root.erofs")(card)
    fill(card.boot / "b", "2")
    broken = 'busybox() { case $* in *of=*) return 1 ;; esac; command busybox "$@"; }\n'
    before = card.sector
    for _ in range(4):
        assert card.start(more=broken) == []
    assert card.sh(f"{broken}. /starts; check_next && systemctl reboot") == []
    assert card.sector == before


def test_a_sector_that_cannot_be_read_counts_as_a_first_start(card):
    card.count = "2"
    card.start(more='busybox() { case $* in *if=*) return 1 ;; esac; command busybox "$@"; }\n')
    assert card.count == "1"


@pytest.mark.parametrize(("count", "after", "calls"), [
    ("0", "0", []), ("1", "2", ["systemctl reboot"]), ("2", "2", ["systemctl reboot"]), ("w", "w", []),
])  # fmt: skip
def test_a_silent_box_restarts_once_and_not_if_its_slot_is_whole(card, count, after, calls):
    card.count = count
    assert card.run("box-starts-silent.service") == calls
    assert card.count == after


@pytest.mark.parametrize("answer", ["-q) return 0", "show) echo 'game.level: expected one of ...'; return"])
def test_a_game_that_runs_or_says_why_not_after_a_failure_is_not_restarted(card, answer):
    card.count = "1"
    assert (
        card.run("box-starts-silent.service", f"systemctl() {{ case $1 in {answer} ;; *) false; esac; }}")
        == []
    )
    assert card.count == "0"


def test_the_card_of_an_older_image_is_not_written_by_a_box_that_plays(card):
    for unit in ("box-starts-played.service", "box-starts-silent.service"):
        assert card.run(unit) == []
    assert card.sector == bytes(512)
