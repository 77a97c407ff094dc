"""The installed package under a kernel of our own: a real GPIO chip, a real I2C bus, real control groups.

One virtual machine runs every step and reports the results (guest.py); the tests here check them. Needs root
and the programs in `NEEDED`; fails without. Emulated times are not a real machine's: none is checked.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from effort import amount

HERE = Path(__file__).resolve().parent
SYSTEM = HERE.parent / "system"
sys.path.insert(0, str(SYSTEM))

from machine import CACHE, CONFIGURATION, Machine, built_package, compile_c, dump, need, run  # noqa: E402
from stage import played  # noqa: E402
from table import KERNEL, whole_unit  # noqa: E402

from appliance.core.keys.pins import COLUMN_PINS, ROW_PINS  # noqa: E402
from appliance.simulator.chips import Ssd1306  # noqa: E402

GAME = (0, 3, 1, 5, 2)  # x has the top row
PRESSES = amount(300, 1000)
PINS = ("", "lgpio")  # $GPIOZERO_PIN_FACTORY: our own pins, or gpiozero's on lgpio
BOOTS = 3  # at most, for the kernel to come up on an emulated processor
OUTPUT, WATCHED = 1 << 3, 1 << 2 | 1 << 5 | 1 << 8  # GPIO_V2_LINE_FLAG_...: input, falling edge, pull-up
RELAXATIONS = ("BindPaths=", "DeviceAllow=")
NEEDED = {
    "qemu-system-x86_64": "qemu-system-x86", "busybox": "busybox-static", "mke2fs": "e2fsprogs",
    "depmod": "kmod", "cpio": "cpio", "mmdebstrap": "mmdebstrap", "gcc": "gcc",
}  # fmt: skip
DROP_IN = """[Service]
Environment=LD_PRELOAD=/srv/vm/settle.so
BindPaths=/run/wires
BindReadOnlyPaths=/srv/vm/cpuinfo:/proc/cpuinfo
# All is emulated, and each change of a line waits for the wires.
WatchdogSec=600s
TimeoutStartSec=1800s
TimeoutStopSec=300s
"""
BUS_DROP_IN = "[Unit]\nJobRunningTimeoutSec=1800s\n"
BOARD = """[Unit]
DefaultDependencies=no
After=local-fs.target systemd-udevd.service
Before=systemd-udev-trigger.service tictactoe.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh /srv/vm/board.sh
[Install]
WantedBy=sysinit.target
"""
GUEST = """[Unit]
After=multi-user.target
[Service]
ExecStart=/usr/bin/python3 -I /srv/vm/guest.py
StandardError=journal+console
[Install]
WantedBy=multi-user.target
"""


@pytest.fixture(scope="session")
def reports(tmp_path_factory):
    """Everything that the machine reported, by step."""
    need(NEEDED)
    directory = Path("/var/tmp/tictactoe-vm")  # noqa: S108 - of root's, and big
    machine = Machine("trixie", directory)
    machine.install_dependencies(built_package())
    machine.install(built_package())
    furnish(machine)
    run(HERE / "make_kernel.sh", CACHE / "kernel")
    image, results, console = (directory / name for name in ("image", "results", "console"))
    run(HERE / "make_image.sh", machine.root, CACHE / "kernel", image)
    boot(image, results, console)
    steps = {}
    for line in results.read_text(errors="replace").splitlines():
        report = json.loads(line)
        steps.setdefault(report["step"], []).append(report)
    assert "end" in steps, f"it did not get to the end: {console.read_text(errors='replace')[-4000:]}"
    assert "error" not in steps, steps["error"]
    run("rm", "-rf", directory)
    return steps


def boot(image, results, console):
    """Run the machine until it switches itself off; again if its kernel died before our first program."""
    for _ in range(BOOTS):
        subprocess.run([HERE / "boot.sh", image, results, console], timeout=7200, check=True)
        lines = console.read_text(errors="replace")
        if results.stat().st_size or "Kernel panic" not in lines:
            return
        dump(f"the emulated kernel died before the first program ran: {lines[-2000:]}")


def furnish(machine):
    """Install the tests' own files in the machine's root."""
    root = machine.root
    place = root / "srv/vm"
    place.mkdir()
    (root / "srv/lib").mkdir()
    compile_c(HERE / "wires.c", place / "wires", "-static")
    compile_c(HERE / "settle.c", place / "settle.so", "-shared", "-fPIC")
    for name in ("board.sh", "late_bus.sh", "guest.py", "presses.py"):
        shutil.copy(HERE / name, place)
    shutil.copy(SYSTEM / "probe.py", root / "srv/lib")
    (place / "cpuinfo").write_text("Hardware\t: BCM2835\nRevision\t: a02082\n")  # a Pi 3B
    plan = {
        "game": GAME, "presses": PRESSES, "pins": PINS, "relaxations": RELAXATIONS, "probes": KERNEL,
        "lines": ROW_PINS + COLUMN_PINS, "unit": whole_unit(),
    }  # fmt: skip
    (place / "plan.json").write_text(json.dumps(plan))
    machine.add_lgpio()
    units = root / "etc/systemd/system"
    devices = (r"dev-i2c\x2d1.device", r"dev-tictactoe\x2dgpio.device")
    for unit, lines in (("tictactoe.service", DROP_IN), *((device, BUS_DROP_IN) for device in devices)):
        (units / f"{unit}.d").mkdir()
        (units / f"{unit}.d/vm.conf").write_text(lines)
    for name, text, wanted in (("board", BOARD, "sysinit"), ("guest", GUEST, "multi-user")):
        (units / f"{name}.service").write_text(text)
        (units / f"{wanted}.target.wants").mkdir(exist_ok=True)
        (units / f"{wanted}.target.wants/{name}.service").symlink_to(units / f"{name}.service")
    (root / "etc/tictactoe/config.yaml").write_text(CONFIGURATION)
    (root / "etc/fstab").write_text("")


def test_it_runs_on_the_kernel_s_own_devices(reports):
    (start,) = reports["start"]
    assert start["up"], start["board"] + start["journal"]
    assert start["show"]["StatusText"] == "your turn, board ........."
    assert "anon_inode:gpio-line" in start["descriptors"]
    assert "/dev/i2c-1" in start["descriptors"]
    assert "/dev/gpiochip1 660 gpio" in start["devices"]
    assert start["seen"] == {"gpiochip0": "gpiochip1"}, "the header's chip, and no other"
    assert "/dev/i2c-1 660 i2c" in start["devices"]
    assert start["failed"] == ""


def test_at_rest_the_kernel_watches_the_columns(reports):
    """In the sandbox, with our own pins: watched columns, rows driven low."""
    (start,) = reports["start"]
    dump(start["lines"])
    assert start["watched"], start["journal"]
    assert "polled all the time" not in start["journal"]
    lines = {int(line): holder for line, holder in start["lines"].items()}
    for column in COLUMN_PINS:
        consumer, flags = lines[column]
        assert (consumer, flags & WATCHED) == ("tictactoe", WATCHED)
    for row in ROW_PINS:
        consumer, flags = lines[row]
        assert (consumer, flags & OUTPUT) == ("tictactoe", OUTPUT)
    assert "anon_inode:[eventfd]" in start["descriptors"]


def test_it_waited_for_the_bus(reports):
    """The bus appears after everything else; without waiting, the service would start without it."""
    (start,) = reports["start"]
    bus = int(start["bus"].split("=")[1])
    ready = int(start["show"]["ActiveEnterTimestampMonotonic"])
    dump({"kernel": start["kernel"], "bus, s": bus / 1e6, "ready, s": ready / 1e6})
    assert 0 < bus < ready
    assert start["show"]["NRestarts"] == "0", start["journal"]


def test_with_a_bus_that_comes_too_late_the_service_is_started_again(reports):
    (late,) = reports["late bus"]
    assert late["before"] != "0", late["journal"]
    assert "/dev/i2c-1" not in late["opened"]
    assert late["found"], late["journal"]
    assert late["after"] != late["before"]


def test_a_whole_game_on_the_bus(reports):
    (game,) = reports["game"]
    assert game["complete"], "the kernel's trace lost nothing"
    wanted = played(GAME)
    chip, pictures = Ssd1306(seed=5), []
    writes = [tuple(write) for report in reports["bus"] for write in report["writes"]]
    for command, length, data in writes:
        block = bytes.fromhex(data.replace("-", ""))
        assert len(block) == int(length) == 1 + block[0]  # an SMBus block starts with its length
        chip.write(bytes([int(command, 16)]) + block[1:])
        if chip.lit and (not pictures or pictures[-1] != chip.picture()):
            pictures.append(chip.picture())
    dump({"writes": len(writes), "pictures": len(wanted)})
    position = 0
    for picture in wanted:
        assert picture in pictures[position:], "\n".join(picture.rows())
        position = pictures.index(picture, position)
    assert chip.picture() == wanted[-1]
    assert game["show"]["StatusText"] == "game over, board xxxo.o..."


@pytest.mark.parametrize("pins", PINS, ids=["our pins", "lgpio"])
def test_a_thousand_presses(reports, pins):
    (report,) = (report for report in reports["presses"] if report["pins"] == pins)
    counts = report["counts"]
    dump(counts)
    assert counts, report["error"]
    assert counts["factory"] == ("HeaderFactory" if pins else "KernelFactory")
    assert counts["presses"] == counts["taps"] == PRESSES
    assert counts["events"] == 3 * PRESSES  # Press, Tap, Release
    assert counts["first wrong"] is None
    assert counts["rows high"] == 0
    if pins:  # on lgpio the keys are polled
        assert (counts["parked"], counts["edges"], counts["at rest"]["parked"]) == (0, 0, False)
    else:
        assert counts["parked"] == PRESSES / 20
        assert counts["edges"] >= counts["parked"]
        assert counts["at rest"] == {"parked": True, "wake-ups": 0, "edges": 0}
    assert counts["chip"] == "pinctrl-bcm2835"


def test_the_self_test_gets_to_its_end(reports):
    """tests/chip also does it without presses, which takes twenty seconds a key: too long here."""
    (walk,) = reports["selftest"]
    dump(walk["printed"])
    assert "Traceback" not in walk["printed"]
    answers = re.findall(r"press key \d \([a-z, ]*\) \.\.\. (.*)", walk["printed"])
    assert answers == ["ok"] * 9
    assert "\nok          picture: lit yes, dark yes, frame yes" in walk["printed"]
    assert walk["printed"].endswith("\nno check failed\n")
    assert walk["status"] == 0


@pytest.mark.parametrize("line", RELAXATIONS)
def test_what_relaxes_the_sandbox_is_needed(reports, line):
    (report,) = (report for report in reports["relaxation"] if report["line"] == line)
    dump(report["journal"])
    assert report["with"]["ActiveState"] == "active", report["journal"]
    assert report["without"]["ActiveState"] == "activating"
    assert "/dev/gpiochip0" in report["without"]["StatusText"]


@pytest.mark.parametrize("directive", KERNEL)
def test_directive(reports, directive):
    (probe,) = (report for report in reports["probe"] if report["directive"] == directive)
    assert probe["without"], probe["without, output"]
    assert not probe["with"]
    assert not probe["unit"]
