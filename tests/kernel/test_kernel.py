"""The installed package under a kernel of our own: a real GPIO chip, a real I2C bus, real control groups.

One virtual machine does it all and tells what it saw (guest.py); the tests here judge it. Needs root and
what `NEEDED` asks for; fails without. Emulated times are not those of any real machine: none is judged.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "system"))

from machine import CACHE, CHECKOUT, Machine, dump, run  # noqa: E402
from stage import CONFIG, played  # noqa: E402
from table import KERNEL, whole_unit  # noqa: E402

from appliance.simulator.chips import Ssd1306  # noqa: E402

SUITE = "trixie"
GAME = (0, 3, 1, 4, 2)  # x has the top row
PRESSES = 1000
PINS = ("", "lgpio")  # $GPIOZERO_PIN_FACTORY: our own pins, and gpiozero's on lgpio
BOOTS = 3  # at most, for the kernel to come up on an emulated processor
ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)
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
# All is emulated, some twenty times slower than a computer.
WatchdogSec=60s
TimeoutStartSec=600s
TimeoutStopSec=30s
"""
BUS_DROP_IN = "[Unit]\nJobRunningTimeoutSec=40s\n"
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
def told(tmp_path_factory):
    """Everything that the machine told, by step."""
    missing = [package for program, package in NEEDED.items() if not shutil.which(program)]
    if missing:
        pytest.exit(
            f"missing: {' '.join(missing)}. Remedy: sudo apt install {' '.join(missing)}", returncode=2
        )
    (package,) = (CHECKOUT / "dist").glob("tictactoe-appliance_*_all.deb")
    directory = Path("/var/tmp/tictactoe-vm")  # noqa: S108 - of root's, and big
    run("rm", "-rf", directory)
    machine = Machine.make(SUITE, directory)
    machine.install_dependencies(package)
    machine.install(package)
    furnish(machine.root)
    run(HERE / "make_kernel.sh", CACHE / "kernel")
    image, results, console = (directory / name for name in ("image", "results", "console"))
    run(HERE / "make_image.sh", machine.root, CACHE / "kernel", image)
    run("rm", "-rf", machine.root)
    boot(image, results, console)
    steps = {}
    for line in results.read_text(errors="replace").splitlines():
        message = json.loads(line)
        steps.setdefault(message["step"], []).append(message)
    assert "end" in steps, (
        f"it did not get to the end; its console:\n{console.read_text(errors='replace')[-4000:]}"
    )
    assert "error" not in steps, steps["error"]
    run("rm", "-rf", directory)
    return steps


def boot(image, results, console):
    """Run the machine until it switches itself off; again if its kernel died before anything of ours ran."""
    for _ in range(BOOTS):
        subprocess.run([HERE / "boot.sh", image, results, console], timeout=7200, check=True)
        told = console.read_text(errors="replace")
        if results.stat().st_size or "Kernel panic" not in told:
            return
        dump(f"the emulated kernel died before the first program ran: {told[-2000:]}")


def furnish(root):
    """Put the tests' own things into the machine's root."""
    place = root / "srv/vm"
    place.mkdir()
    (root / "srv/lib").mkdir()
    flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror"]
    run("gcc", *flags, "-static", "-o", place / "wires", HERE / "wires.c")
    run("gcc", *flags, "-shared", "-fPIC", "-o", place / "settle.so", HERE / "settle.c", "-ldl", "-pthread")
    for name in ("board.sh", "guest.py", "presses.py"):
        shutil.copy(HERE / name, place)
    shutil.copy(HERE.parent / "system/probe.py", root / "srv/lib")
    (place / "cpuinfo").write_text("Hardware\t: BCM2835\nRevision\t: a02082\n")  # a Pi 3B
    plan = {
        "game": GAME, "presses": PRESSES, "pins": PINS, "relaxations": RELAXATIONS, "probes": KERNEL,
        "lines": ROWS + COLUMNS, "unit": [f"{name}={value}" for name, value in whole_unit()],
    }  # fmt: skip
    (place / "plan.json").write_text(json.dumps(plan))
    run(HERE.parent / "system/make_lgpio.sh", CACHE / f"{SUITE}.tar", CACHE / f"lgpio-{SUITE}")
    (python,) = (root / "usr/lib").glob("python3.*")
    packages = root / "usr/local/lib" / python.name / "dist-packages"
    packages.mkdir(parents=True, exist_ok=True)
    for file in (CACHE / f"lgpio-{SUITE}").iterdir():
        shutil.copy(file, packages)
    units = root / "etc/systemd/system"
    for unit, lines in (("tictactoe.service", DROP_IN), (r"dev-i2c\x2d1.device", BUS_DROP_IN)):
        (units / f"{unit}.d").mkdir()
        (units / f"{unit}.d/vm.conf").write_text(lines)
    for name, text, wanted in (("board", BOARD, "sysinit"), ("guest", GUEST, "multi-user")):
        (units / f"{name}.service").write_text(text)
        (units / f"{wanted}.target.wants").mkdir(exist_ok=True)
        (units / f"{wanted}.target.wants/{name}.service").symlink_to(units / f"{name}.service")
    # Slow as the machine is, the picture must not drift, nor the light be dimmed, before the game has ended.
    still = "rest: {dim: 0, off: 0, drift: 0}\n"
    (root / "etc/tictactoe/config.yaml").write_text(f"game: {{players: 2}}\n{still}")
    (root / "etc/fstab").write_text("")


def test_it_runs_on_the_kernel_s_own_devices(told):
    (start,) = told["start"]
    assert start["up"], start["board"] + start["journal"]
    assert start["show"]["StatusText"] == "your turn, board ........."
    assert "anon_inode:gpio-line" in start["descriptors"]
    assert "/dev/i2c-1" in start["descriptors"]
    assert "/dev/gpiochip0 660 gpio" in start["devices"]
    assert "/dev/i2c-1 660 i2c" in start["devices"]
    assert start["failed"] == ""


def test_at_rest_the_kernel_watches_the_columns(told):
    """In the sandbox, with our own pins: the columns in one request, the rows one by one."""
    (start,) = told["start"]
    dump(start["lines"])
    assert start["watched"], start["journal"]
    assert "polled all the time" not in start["journal"]
    lines = {int(line): holder for line, holder in start["lines"].items()}
    for column in COLUMNS:
        consumer, flags = lines[column]
        assert (consumer, flags & WATCHED) == ("tictactoe", WATCHED)
    for row in ROWS:
        consumer, flags = lines[row]
        assert (consumer, flags & OUTPUT) == ("tictactoe", OUTPUT)
    assert "anon_inode:[eventfd]" in start["descriptors"]


def test_it_waited_for_the_bus(told):
    """The bus came seconds after everything else; a service that had not waited would never have seen it."""
    (start,) = told["start"]
    bus = int(start["bus"].split("=")[1])
    ready = int(start["show"]["ActiveEnterTimestampMonotonic"])
    dump({"kernel": start["kernel"], "bus, s": bus / 1e6, "ready, s": ready / 1e6})
    assert 0 < bus < ready
    assert start["show"]["NRestarts"] == "0"


def test_a_bus_that_comes_too_late_is_seen(told):
    """The service has started without it, and is started again with it."""
    (late,) = told["late bus"]
    assert late["up"], late["said"]
    assert late["without"]
    assert late["sees"], late["said"]
    assert late["pid"] != late["before"]


def test_exposure_loaded(told):
    (exposure,) = told["exposure"]
    dump(exposure["said"])
    assert exposure["status"] == 0


def test_a_whole_game_seen_from_the_bus(told):
    (game,) = told["game"]
    assert game["complete"], "the kernel's trace lost nothing"
    wanted = played(GAME)
    chip, seen = Ssd1306(seed=5), []
    writes = [tuple(write) for message in told["bus"] for write in message["writes"]]
    for command, length, data in writes:
        block = bytes.fromhex(data.replace("-", ""))
        assert len(block) == int(length) == 1 + block[0]  # an SMBus block begins with its length
        chip.write(bytes([int(command, 16)]) + block[1:])
        if chip.lit and (not seen or seen[-1] != chip.picture()):
            seen.append(chip.picture())
    dump({"writes": len(writes), "pictures": len(wanted)})
    position = 0
    for picture in wanted:
        assert picture in seen[position:], "\n".join(picture.rows())
        position = seen.index(picture, position)
    assert chip.picture() == wanted[-1]
    assert game["show"]["StatusText"] == "game over, board xxxoo...."
    assert CONFIG.settings.players == 2


@pytest.mark.parametrize("pins", PINS, ids=["our pins", "lgpio"])
def test_a_thousand_presses(told, pins):
    (presses,) = (message for message in told["presses"] if message["pins"] == pins)
    seen = presses["told"]
    dump(seen)
    assert seen, presses["error"]
    assert seen["factory"] == ("LGPIOFactory" if pins else "KernelFactory")
    assert (seen["pressed"], seen["presses"], seen["taps"], seen["events"]) == (
        PRESSES,
        PRESSES,
        PRESSES,
        2 * PRESSES,
    )
    assert seen["in order"]
    assert seen["rows high"] == 0
    if pins:  # on lgpio the keys are polled
        assert (seen["parked"], seen["edges"], seen["at rest"]["parked"]) == (0, 0, False)
    else:
        assert seen["parked"] == PRESSES / 20
        assert seen["edges"] >= seen["parked"]
        assert seen["at rest"] == {"parked": True, "wake-ups": 0, "edges": 0}
    assert seen["chip"] == "pinctrl-bcm2835"


def test_what_relaxes_the_sandbox_is_needed(told):
    outcome = {(message["line"], message["which"]): message["up"] for message in told["relaxation"]}
    said = {
        message["line"]: message["said"] for message in told["relaxation"] if message["which"] == "without"
    }
    dump(said)
    for line in RELAXATIONS:
        assert outcome[line, "with"], line
        assert not outcome[line, "without"], line


@pytest.mark.parametrize("directive", [row[0] for row in KERNEL])
def test_directive(told, directive):
    (probe,) = (message for message in told["probe"] if message["directive"] == directive)
    assert probe["without"], probe["without said"]
    assert not probe["with"]
    assert not probe["unit"]
