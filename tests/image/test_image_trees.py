"""Each device tree in the images: the kernel drives all that the box needs, and leaves the box its pins.

A driver is built into the kernel if one of its tables of devices has the device, or is a module of the
initramfs that claims the device. Both are read from the update, whose files are those on the card.
"""

import gzip
import re
import tarfile
from collections import Counter
from functools import cache

import pytest
from boxes import update_file
from machines import ARCHITECTURES, FILES
from pi import Pi, report, scratch, tool
from trees import Node, Tree

from appliance.core.keys.pins import BUS_PINS, COLUMNS, ROWS, SPARE

FIRST, DISPLAY = (
    "/soc/i2c@7e205000",
    "/soc/i2c@7e804000",
)  # the first revision of the Model B has the other bus
PINS, WATCHDOG = "/soc/gpio@7e200000", "/soc/watchdog@7e100000"
OPTIONAL = (24, 25)  # docs/makers.md's pins for a buzzer and an LED
TREES = {"arm64": 10, "armel": 12}  # six and seven, most of them also under the names of Raspberry Pi's own


@cache
def slot(architecture: str) -> dict[str, bytes]:
    """The slot's files."""
    with tarfile.open(update_file(architecture)) as box:
        return {member.name: box.extractfile(member).read() for member in box}


NAMES = [(one, name) for one in ARCHITECTURES for name in sorted(slot(one)) if name.endswith(".dtb")]
EACH = pytest.mark.parametrize(("architecture", "name"), NAMES)


@cache
def kernel(architecture: str) -> bytes:
    """The kernel, unpacked."""
    packed = slot(architecture)[FILES[architecture][0]]
    return gzip.decompress(packed) if architecture == "arm64" else packed


@cache
def built_in(architecture: str, compatible: bytes) -> bool:
    """Whether a `struct of_device_id` of the kernel has it: name and type, 32 empty bytes each, then this."""
    known = kernel(architecture)
    entry = bytes(64) + compatible.ljust(128, b"\0")
    return entry in known


@pytest.fixture(scope="module")
def rams():
    """Folders with the modules of each initramfs."""
    with scratch() as folder:
        for architecture in ARCHITECTURES:
            place = folder / architecture
            place.mkdir()
            (place / "packed").write_bytes(slot(architecture)[FILES[architecture][1]])
            command = 'cd "$1" && zstd -qdcf packed | cpio --quiet -id "modules/*"'
            tool("sh", "-euc", command, "sh", str(place))
        yield {architecture: folder / architecture / "modules" for architecture in ARCHITECTURES}


@pytest.fixture(params=ARCHITECTURES)
def architecture(request):
    return request.param


@pytest.fixture
def ram(rams, architecture):
    """A folder with the initramfs's modules."""
    return rams[architecture]


def bus_of(tree):
    """Return the header's bus, and its number in BUS_PINS."""
    return (FIRST, 0) if tree.root.text("compatible")[0] == "raspberrypi,model-b" else (DISPLAY, 1)


def information(module):
    """Return a module's information: (key, value) pairs."""
    return re.findall(rb"(?<=\0)(alias|depends|name)=([^\0]*)\0", module.read_bytes())


def loaded(ram, phase):
    """Return the modules that a phase loads, in order."""
    return (ram / phase).read_text().split()


def claims(ram, names):
    """Return the devices that these modules claim: compatible -> module."""
    aliases = ((key, value, name) for name in names for key, value in information(ram / name))
    return {
        value.partition(b"C")[2].decode().removesuffix("C*"): name
        for key, value, name in aliases
        if key == b"alias" and value.startswith(b"of:N*T*C")
    }


def driver(architecture: str, node: Node, modules: dict[str, str]) -> str:
    """Return what drives a node: a module, "built in", or nothing."""
    for name in node.text("compatible"):
        if name in modules:
            return modules[name]
        if built_in(architecture, name.encode()):
            return "built in"
    return ""


def cards(tree):
    """Return the controllers of removable cards: others have the Wi-Fi chip."""
    return [
        node
        for node in tree
        if node.enabled and node.name.startswith("mmc@") and "non-removable" not in node.properties
    ]


def test_there_are_trees_for_each_board():
    assert Counter(architecture for architecture, _ in NAMES) == TREES


@EACH
def test_each_driver_that_is_needed_is_built_in_or_loaded_in_time(architecture, name, ram):
    """For card, display, keypad and watchdog, and for random numbers, which may load later."""
    tree = Tree(slot(architecture)[name])
    [card] = cards(tree)
    random = next(node for node in tree if node.name.startswith("rng@"))
    first = claims(ram, loaded(ram, "card"))
    later = claims(ram, loaded(ram, "box"))
    missing = []
    for path in (card.path, bus_of(tree)[0], PINS, WATCHDOG, random.path):
        modules = {**first, **later} if path == random.path else first
        found = {
            node.path: driver(architecture, node, modules)
            for node in tree.needed(tree.nodes[path])
            if node.parent
            and node.text("compatible")  # the root is the board, and pin groups are not devices
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


def test_the_watchdog_is_loaded_first_and_the_speed_of_the_processor_is_driven(ram, architecture):
    ready = b"Broadcom BCM2835 watchdog timer\0" in kernel(architecture)
    assert ready or loaded(ram, "card")[0] == "bcm2835_wdt.ko"
    assert {"raspberrypi-cpufreq.ko", "cpufreq-dt.ko"} <= set(loaded(ram, "box"))
    assert not {"leds-gpio.ko", "gpio_keys.ko"} & {path.name for path in ram.iterdir()}


@EACH
def test_a_board_can_be_switched_off_and_no_pin_of_the_box_is_taken(architecture, name):
    """The watchdog switches off, so the tree must say so; a Zero 2 W's tree made GPIO 5 and 6 outputs."""
    tree = Tree(slot(architecture)[name])
    bus, number = bus_of(tree)
    assert "system-power-controller" in tree.nodes[WATCHDOG].properties
    taken = {(pin, node.path) for node, _, pin in tree.takers(tree.nodes[PINS])}
    report(f"pins taken: {sorted(taken)}")
    assert {(pin, bus) for pin in BUS_PINS[number]} <= taken
    ours = {*ROWS, *COLUMNS, *BUS_PINS[number], *OPTIONAL, *SPARE}
    assert not {(pin, node) for pin, node in taken if pin in ours and node != bus}


@EACH
def test_the_bus_of_the_display_is_number_1_at_400_kilohertz(architecture, name):
    tree = Tree(slot(architecture)[name])
    bus, _ = bus_of(tree)
    [aliases] = [node for node in tree.root.children if node.name == "aliases"]
    assert aliases.text("i2c1") == [bus]
    assert tree.nodes[bus].numbers("clock-frequency") == [400_000]


def test_the_firmware_on_the_card_knows_each_line_of_its_configuration(image, folder, architecture):
    """Debian's firmware is too old for `core_freq_fixed=1`, a single line for all models.

    The core clock, from which the display's bus is derived, is fixed on each model.
    """
    card = Pi(image(architecture), folder)
    lines = [line for line in card.read("config.txt").decode().split("\n") if line and line[0] != "#"]
    for program in ("start.elf", "start4.elf")[: 1 + (architecture == "arm64")]:
        firmware = card.read(program)
        unknown = [
            line for line in lines if re.split("[= ]", line.strip("[]"))[0].encode() + b"\0" not in firmware
        ]
        assert not unknown, program
        assert b"core_freq_fixed" not in firmware
    others, some = re.split(r"\[pi[04]\]\n", "\n".join(lines))
    assert "initial_turbo=60" in others
    for model in (others, some):
        assert (
            len({int(value) for value in re.findall(r"^core_freq(?:_min)?=(\d+)$", model, re.MULTILINE)}) == 1
        )
        assert model.count("core_freq") == 2
