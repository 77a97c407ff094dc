"""Each device tree in the images: the kernel drives all that the box needs, and leaves the box its pins.

A driver is built into the kernel if one of its tables of devices has the device, or is a module of the
initramfs that claims the device. Both are read from the update, whose files are those on the card.
"""

import re
import tarfile
from collections import Counter
from functools import cache
from typing import NamedTuple

import pytest
import rp1
from boxes import update_file
from machines import ARCHITECTURES, FILES
from pi import Pi, report, scratch, tool, unpacked
from trees import RP1_GROUPS, Node, Tree

from appliance.core.keys.pins import BUS_PINS, COLUMN_PINS, ROW_PINS, SPARE_PINS
from appliance.devices.pinout import HEADER_LABELS


class System(NamedTuple):
    """A kernel with its initramfs, and what the box needs of its boards, as paths in their trees."""

    architecture: str
    kernel: str
    initramfs: str
    display: str = "/soc/i2c@7e804000"
    pins: str = "/soc/gpio@7e200000"
    watchdog: str = "/soc/watchdog@7e100000"


RP1 = "/axi/pcie@1000120000/pci@0,0/dev@0,0/pci-ep-bus@1"
PI_5 = System(
    "arm64", "kernel_2712.img", "initramfs_2712",
    f"{RP1}/i2c@40074000", f"{RP1}/pinctrl@400d0000", "/soc@107c000000/watchdog@7d200000",
)  # fmt: skip
SYSTEMS = {**{one: System(one, *FILES[one]) for one in ARCHITECTURES}, "pi5": PI_5}
FIRST = "/soc/i2c@7e205000"  # the header's bus of the first revision of the Model B
OPTIONAL = (24, 25)  # docs/makers.md's pins for a buzzer and an LED
TREES = {"arm64": 14, "armel": 12, "pi5": 2}  # eight, seven and one, most of them also under other names


@cache
def slot(architecture: str) -> dict[str, bytes]:
    """The slot's files."""
    with tarfile.open(update_file(architecture)) as box:
        return {member.name: box.extractfile(member).read() for member in box}


NAMES = [
    ("pi5" if name.startswith("bcm2712") else one, name)
    for one in ARCHITECTURES
    for name in sorted(slot(one))
    if name.endswith(".dtb")
]
EACH = pytest.mark.parametrize(("system", "name"), NAMES, indirect=["system"])


@cache
def kernel(system: System) -> bytes:
    """The kernel, unpacked."""
    return unpacked(slot(system.architecture)[system.kernel])


@cache
def built_in(system: System, compatible: bytes) -> bool:
    """Whether a `struct of_device_id` of the kernel has it: name and type, 32 empty bytes each, then this."""
    return bytes(64) + compatible.ljust(128, b"\0") in kernel(system)


@pytest.fixture(scope="module")
def rams():
    """Folders with the modules of each initramfs."""
    with scratch() as folder:
        for name, system in SYSTEMS.items():
            place = folder / name
            place.mkdir()
            (place / "packed").write_bytes(slot(system.architecture)[system.initramfs])
            command = 'cd "$1" && zstd -qdcf packed | cpio --quiet -id "modules/*"'
            tool("sh", "-euc", command, "sh", str(place))
        yield {system: folder / name / "modules" for name, system in SYSTEMS.items()}


@pytest.fixture(params=SYSTEMS)
def system(request):
    return SYSTEMS[request.param]


@pytest.fixture
def ram(rams, system):
    """A folder with the initramfs's modules."""
    return rams[system]


def tree_of(system, name):
    """Return a tree of the slot."""
    return Tree(slot(system.architecture)[name])


def bus_of(system, tree):
    """Return the header's bus, and its number in BUS_PINS."""
    first = tree.root.text("compatible")[0] == "raspberrypi,model-b"
    return (FIRST, 0) if first else (system.display, 1)


def information(module):
    """Return a module's information: (key, value) pairs."""
    return re.findall(rb"(?<=\0)(alias|depends|name|vermagic)=([^\0]*)\0", module.read_bytes())


def loaded(ram, phase):
    """Return the modules that a phase loads, in order."""
    return (ram / phase).read_text().split()


def claims(ram, names):
    """Return the devices that these modules claim: compatible -> module. Of PCI's there is RP1 alone."""
    aliases = ((key, value, name) for name in names for key, value in information(ram / name))
    pci = {b"pci:v00001DE4d00000001sv*sd*bc*sc*i*": "pci1de4,1"}
    return {
        pci.get(value, value.partition(b"C")[2].decode().removesuffix("C*")): name
        for key, value, name in aliases
        if key == b"alias" and (value.startswith(b"of:N*T*C") or value in pci)
    }


def driver(system: System, node: Node, modules: dict[str, str]) -> str:
    """Return what drives a node: a module, "built in", or nothing."""
    for name in node.text("compatible"):
        if name in modules:
            return modules[name]
        if built_in(system, name.encode()):
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
    assert Counter(system for system, _ in NAMES) == TREES


@EACH
def test_what_a_node_names_is_there(system, name):
    """Of all nodes, also of those that the box does not use, but the kernel sets up."""
    tree = tree_of(system, name)
    assert [other for node in tree for other in tree.references(node)]


@EACH
def test_each_driver_that_is_needed_is_built_in_or_loaded_in_time(system, name, ram):
    """For card, display, keypad and watchdog, and for random numbers, which may load later."""
    tree = tree_of(system, name)
    [card] = cards(tree)
    random = next(node for node in tree if node.name.startswith("rng@"))
    first = claims(ram, loaded(ram, "card"))
    later = claims(ram, loaded(ram, "box"))
    missing = []
    for path in (card.path, bus_of(system, tree)[0], system.pins, system.watchdog, random.path):
        modules = {**first, **later} if path == random.path else first
        # The root is the board, and pin groups are not devices.
        needed = [node for node in tree.needed(tree.nodes[path]) if node.parent and node.text("compatible")]
        found = {node.path: driver(system, node, modules) for node in needed}
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


def test_the_kernel_and_earlier_modules_have_each_symbol_that_a_module_needs(ram, system):
    """The kernel's own names are among its strings, some as the ends of longer ones."""
    image = kernel(system)
    known = set(re.findall(rb"[A-Za-z_]\w+(?=\0)", image))
    names = list(dict.fromkeys(loaded(ram, "card") + loaded(ram, "box")))
    nm = {"arm64": "aarch64-linux-gnu-nm", "armel": "arm-linux-gnueabi-nm"}[system.architecture]
    text = tool(nm, *(str(ram / name) for name in names)).stdout
    for name, table in zip(names, re.split(rb"\n\S+:\n", text)[1:], strict=True):
        needed = set(re.findall(rb"^ +U (\S+)$", table, re.MULTILINE)) - known
        assert not {symbol for symbol in needed if symbol + b"\0" not in image}, name
        known |= needed | set(re.findall(rb" __ksymtab_(\S+)$", table, re.MULTILINE))


def test_each_module_is_of_its_kernel(ram, system):
    found = (pair for path in ram.glob("*.ko") for pair in information(path))
    [version] = {value for key, value in found if key == b"vermagic"}
    report(f"{system.kernel}: {version.decode()}")
    assert b"Linux version " + version.split()[0] + b" " in kernel(system)


def test_the_watchdog_is_loaded_first_and_the_speed_of_the_processor_is_driven(ram, system):
    """The kernel reads the watchdog's argument, which the firmware adds, if its core is built in."""
    assert b"watchdog.open_timeout\0" in kernel(system)
    ready = b"Broadcom BCM2835 watchdog timer\0" in kernel(system)
    assert ready or loaded(ram, "card")[0] == "bcm2835_wdt.ko"
    assert {"raspberrypi-cpufreq.ko", "cpufreq-dt.ko"} <= set(loaded(ram, "box"))
    assert not {"leds-gpio.ko", "gpio_keys.ko"} & {path.name for path in ram.iterdir()}


@EACH
def test_a_board_can_be_switched_off_and_no_pin_of_the_box_is_taken(system, name):
    """The watchdog switches off, so the tree must say so; a Zero 2 W's tree made GPIO 5 and 6 outputs."""
    tree = tree_of(system, name)
    bus, number = bus_of(system, tree)
    assert "system-power-controller" in tree.nodes[system.watchdog].properties
    taken = {(pin, node.path) for node, _, pin in tree.takers(tree.nodes[system.pins])}
    report(f"pins taken: {sorted(taken)}")
    assert {(pin, bus) for pin in BUS_PINS[number]} <= taken
    ours = {*ROW_PINS, *COLUMN_PINS, *BUS_PINS[number], *OPTIONAL, *SPARE_PINS}
    assert not {(pin, node) for pin, node in taken if pin in ours and node != bus}


@EACH
def test_the_bus_of_the_display_is_number_1_at_400_kilohertz(system, name):
    tree = tree_of(system, name)
    bus, _ = bus_of(system, tree)
    [aliases] = [node for node in tree.root.children if node.name == "aliases"]
    assert tree.nodes[bus].enabled
    assert aliases.text("i2c1") == [bus]
    assert tree.nodes[bus].numbers("clock-frequency") == [400_000]


def test_a_pi_5s_header_has_the_bus_on_its_pins(rams):
    """Set up like the other buses of RP1. The driver's own table says which pins a group has."""
    tree = tree_of(PI_5, "bcm2712-rpi-5-b.dtb")
    pinctrl = (rams[PI_5] / "pinctrl-rp1.ko").read_bytes()
    assert rp1.groups(pinctrl).items() >= RP1_GROUPS.items()
    display = tree.nodes[PI_5.display]
    [group] = [other for name, other, _ in tree.references(display) if name == "pinctrl-0"]
    assert display.text("pinctrl-names") == ["default"]
    assert group.text("function") == ["i2c1"]
    assert RP1_GROUPS[group.text("groups")[0]] == BUS_PINS[1]
    other = tree.nodes[f"{PI_5.pins}/rp1-i2c6-default-state"]
    assert {*group.properties} == {*other.properties}
    assert group.properties["drive-strength"] == other.properties["drive-strength"]
    assert f"{HEADER_LABELS[-1]}\0".encode() in pinctrl


def test_a_pi_5s_tree_fits_both_steppings_of_its_processor():
    """It names nothing whose registers, pins or interrupts differ: image/pi5 compares both trees."""
    tree = tree_of(PI_5, "bcm2712-rpi-5-b.dtb")
    assert not [node.path for node in tree if "2712c0" in str(node.text("compatible"))]
    phandles = [number for node in tree for number in node.numbers("phandle")]
    assert len(phandles) == len(set(phandles))
    [card] = cards(tree)
    # Its pin for this would need setting up. Without it the driver takes the card as present, and asks it.
    assert not {"pinctrl-0", "cd-gpios"} & {*card.properties}
    assert "broken-cd" in card.properties
    assert slot("arm64")["bcm2712-rpi-500.dtb"] == slot("arm64")["bcm2712-rpi-5-b.dtb"]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_firmware_on_the_card_knows_each_line_of_its_configuration(image, folder, architecture):
    card = Pi(image(architecture), folder)
    lines = [line for line in card.read("config.txt").decode().split("\n") if line and line[0] != "#"]
    for program in ("start.elf", "start4.elf")[: 1 + (architecture == "arm64")]:
        firmware = card.read(program)
        unknown = [
            line for line in lines if re.split("[= ]", line.strip("[]"))[0].encode() + b"\0" not in firmware
        ]
        assert not unknown, program
    assert "initial_turbo=60" in lines
