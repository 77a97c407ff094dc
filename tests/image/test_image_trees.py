"""Each device tree in the image: does its kernel drive all that the box needs, and leave it its pins?

A driver is built in if the kernel has the device in a table of those that it knows, or a module of the
initramfs that claims the device there. Both are read from the image: what counts is what is on the card.
"""

import gzip
import re
import tarfile
from functools import cache

import pytest
from boxes import DIST
from pi import Pi, report, scratch, tool
from trees import Node, Tree

from appliance.core.pins import BUS_PINS, COLUMNS, ROWS

DISPLAY, PINS, WATCHDOG = "/soc/i2c@7e804000", "/soc/gpio@7e200000", "/soc/watchdog@7e100000"
OPTIONAL = (24, 25)  # README's pins for a buzzer and an LED
TREES = 10  # six, and four under the names of Raspberry Pi's own


@cache
def slot() -> dict[str, bytes]:
    """The files of the slot."""
    with tarfile.open(DIST / "update.box") as box:
        return {member.name: box.extractfile(member).read() for member in box}


NAMES = sorted(name for name in slot() if name.endswith(".dtb"))


@cache
def kernel() -> bytes:
    """The kernel, unpacked."""
    return gzip.decompress(slot()["kernel8.img"])


@cache
def built_in(compatible: bytes) -> bool:
    """Whether the kernel has it in a `struct of_device_id`: name and type, 32 empty bytes each, then this."""
    places = (found.start() for found in re.finditer(re.escape(compatible), kernel()))
    entry = bytes(64) + compatible.ljust(128, b"\0")
    return any(kernel()[place - 64 : place + 128] == entry for place in places)


@pytest.fixture(scope="module")
def ram():
    """A folder with the initramfs's modules."""
    with scratch() as folder:
        (folder / "initramfs").write_bytes(slot()["initramfs8"])
        command = 'cd "$1" && zstd -qdc initramfs | cpio --quiet -id "modules/*"'
        tool("sh", "-euc", command, "sh", str(folder))
        yield folder / "modules"


def information(module):
    """Return what a module says of itself: (key, value) pairs."""
    return re.findall(rb"(?<=\0)(alias|depends|name)=([^\0]*)\0", module.read_bytes())


def loaded(ram, phase):
    """Return the modules that are loaded in a phase, in that order."""
    return (ram / phase).read_text().split()


def claims(ram, names):
    """Return which devices these modules claim: compatible -> module."""
    aliases = ((key, value, name) for name in names for key, value in information(ram / name))
    return {
        value.partition(b"C")[2].decode().removesuffix("C*"): name
        for key, value, name in aliases
        if key == b"alias" and value.startswith(b"of:N*T*C")
    }


def driver(node: Node, modules: dict[str, str]) -> str:
    """Return what drives a node: a module, "built in", or nothing."""
    for name in node.text("compatible"):
        if name in modules:
            return modules[name]
        if built_in(name.encode()):
            return "built in"
    return ""


def cards(tree):
    """Return the controllers of cards that can be taken out: the others have the Wi-Fi chip."""
    return [
        node
        for node in tree
        if node.enabled and node.name.startswith("mmc@") and "non-removable" not in node.properties
    ]


def test_there_are_trees_for_each_board():
    assert len(NAMES) == TREES


@pytest.mark.parametrize("name", NAMES)
def test_each_driver_that_is_needed_is_built_in_or_loaded_in_time(name, ram):
    """On the way to card, display, keypad and watchdog, and to random numbers, which may come later."""
    tree = Tree(slot()[name])
    [card] = cards(tree)
    random = next(node for node in tree if node.name.startswith("rng@"))
    first = claims(ram, loaded(ram, "card"))
    later = claims(ram, loaded(ram, "box"))
    missing = []
    for path in (card.path, DISPLAY, PINS, WATCHDOG, random.path):
        modules = {**first, **later} if path == random.path else first
        found = {
            node.path: driver(node, modules)
            for node in tree.needed(tree.nodes[path])
            if node.parent
            and node.text("compatible")  # the root is the board, and groups of pins are no devices
        }
        way = [f"{node} ({by or 'NOTHING'})" for node, by in sorted(found.items())]
        report(f"{path}: {', '.join(way)}")
        assert path in found
        missing += [f"{node}, for {path}" for node, by in found.items() if not by]
    assert not missing


def test_each_module_is_loaded_after_those_that_it_needs(ram):
    known = set()
    for name in loaded(ram, "card") + loaded(ram, "box"):
        [depends] = [value.decode() for key, value in information(ram / name) if key == b"depends"]
        assert set(depends.replace("-", "_").split(",")) - {""} <= known, name
        known.add(name.removesuffix(".ko").replace("-", "_"))


def test_the_watchdog_is_loaded_first_and_the_speed_of_the_processor_is_driven(ram):
    assert loaded(ram, "card")[0] == "bcm2835_wdt.ko"
    assert {"raspberrypi-cpufreq.ko", "cpufreq-dt.ko"} <= set(loaded(ram, "box"))
    assert not {"leds-gpio.ko", "gpio_keys.ko"} & {path.name for path in ram.iterdir()}


@pytest.mark.parametrize("name", NAMES)
def test_a_board_can_be_switched_off_and_no_pin_of_the_box_is_taken(name):
    """By the watchdog, whose driver must be named for it; and GPIO 5 and 6 of a Zero 2 W were outputs."""
    tree = Tree(slot()[name])
    assert "system-power-controller" in tree.nodes[WATCHDOG].properties
    taken = {(pin, node.path) for node, _, pin in tree.takers(tree.nodes[PINS])}
    report(f"pins taken: {sorted(taken)}")
    assert {(pin, DISPLAY) for pin in BUS_PINS[1]} <= taken
    ours = {*ROWS, *COLUMNS, *BUS_PINS[1], *OPTIONAL}
    assert not {(pin, node) for pin, node in taken if pin in ours and node != DISPLAY}


@pytest.mark.parametrize("name", NAMES)
def test_the_bus_of_the_display_is_number_1_at_400_kilohertz(name):
    tree = Tree(slot()[name])
    [aliases] = [node for node in tree.root.children if node.name == "aliases"]
    assert aliases.text("i2c1") == [DISPLAY]
    assert tree.nodes[DISPLAY].numbers("clock-frequency") == [400_000]


def test_the_firmware_on_the_card_knows_each_line_of_its_configuration(image, folder):
    """`core_freq_fixed=1`, one line for all models, is newer than Debian's firmware: it would do nothing.

    The core clock, which the display's bus divides, is fixed on each model.
    """
    card = Pi(image, folder)
    lines = [line for line in card.read("config.txt").decode().split("\n") if line and line[0] != "#"]
    for program in ("start.elf", "start4.elf"):
        firmware = card.read(program)
        unknown = [
            line for line in lines if re.split("[= ]", line.strip("[]"))[0].encode() + b"\0" not in firmware
        ]
        assert not unknown, program
        assert b"core_freq_fixed" not in firmware
    others, pi4 = "\n".join(lines).split("[pi4]\n")
    assert "initial_turbo=60" in others
    for model in (others, pi4):
        assert (
            len({int(value) for value in re.findall(r"^core_freq(?:_min)?=(\d+)$", model, re.MULTILINE)}) == 1
        )
        assert model.count("core_freq") == 2
