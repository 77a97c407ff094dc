"""QEMU's Raspberry Pis: how each is started from the image, and what it lacks compared with a board.

What a machine lacks is worked around here, in its device tree and kernel arguments; the image is unmodified.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PINS = "/soc/gpio@7e200000"
Properties = tuple[tuple[str, ...], ...]
# Of the images that `make test-image` builds, with the names of kernel and initramfs in a slot.
FILES = {"arm64": ("kernel8.img", "initramfs8"), "armel": ("kernel.img", "initramfs")}
ARCHITECTURES = tuple(FILES)


@dataclass(frozen=True)
class Machine:
    """A machine. `properties` are for fdtput, with PINS for that node's phandle."""

    name: str
    tree: str
    revision: str  # the firmware puts it into the tree
    model: str
    lacks: str
    architecture: str = "arm64"
    properties: Properties = ()
    append: str = ""
    card: tuple[str, ...] = ("-drive", "file={card},if=sd,format=raw")
    display: bool = True
    bus: int = 1  # the SoC's number of the header's I2C bus
    ready: float = 6.0  # of the guest's seconds, at most

    @property
    def files(self) -> tuple[str, str]:
        """The names of kernel and initramfs in a slot."""
        return FILES[self.architecture]

    def commands(self, tree: str, phandle: str) -> Iterator[tuple[str, ...]]:
        """Yield the commands that adapt a tree of the image to this machine."""
        yield "fdtput", "-cp", tree, "/system"
        yield "fdtput", "-t", "x", tree, "/system", "linux,revision", self.revision
        for kind, node, name, *values in self.properties:
            cells = [phandle if value == PINS else value for value in values]
            yield "fdtput", "-t", kind, tree, node, name, *cells

    def options(self, card: Path) -> list[str]:
        """Return QEMU's options for the board, its card, and a display that answers on its bus."""
        display = ["-device", f"ssd0303,bus=i2c-bus.{self.bus},address=0x3c"] if self.display else []
        return ["-M", self.name, *(option.format(card=card) for option in self.card), *display]


# Larger boards have memory in place of the power domains' registers; here, reading them would cause a panic.
NO_DOMAINS: Properties = (
    ("x", "/soc/watchdog@7e100000", "reg", "7e100000", "114"),
    ("s", "/soc/watchdog@7e100000", "reg-names", "pm"),
)
PI_3 = Machine(
    "raspi3b", "bcm2837-rpi-3-b.dtb", "a02082", "3 Model B", "firmware, keys and a watchdog that waits"
)
ZERO_2 = Machine(
    "raspi3ap", "bcm2837-rpi-zero-2-w.dtb", "902120", "Zero 2 W",
    f"{PI_3.lacks}, the registers of the power domains", properties=NO_DOMAINS,
)  # fmt: skip
ZERO, ZERO_W, A_PLUS = (
    Machine(name, f"bcm2835-rpi-{tree}.dtb", revision, model, ZERO_2.lacks, "armel", NO_DOMAINS, ready=2.2)
    for name, tree, revision, model in (
        ("raspi0", "zero", "900093", "Zero"),
        ("raspi0", "zero-w", "9000c1", "Zero W"),
        ("raspi1ap", "a-plus", "900021", "Model A+"),
    )
)
PI_4 = Machine(
    "raspi4b", "bcm2711-rpi-4-b.dtb", "b03115", "4 Model B",
    f"{PI_3.lacks}, HDMI, the firmware's GPIO, an interrupt of the display's bus: no byte gets through",
    # The card's regulators switch pins that exist; their drivers are the board's.
    properties=(
        ("x", "/regulator-sd-vcc", "gpio", PINS, "2c", "0"),
        ("x", "/regulator-sd-io-1v8", "gpios", PINS, "2d", "0"),
    ),
    append="initcall_blacklist=brcmstb_l2_driver_init,brcmstb_i2c_driver_init,clk_dvp_driver_init",
    card=(
        "-drive", "file={card},if=none,id=card,format=raw",
        "-device", "sd-card,drive=card,bus=main-system-bus/generic-sdhci/sd-bus",
    ),
    display=False,
    ready=20.0,  # the daemon waits for the bus, and starts without a display
)  # fmt: skip
# The first revision has its header's bus on other pins than all later boards, and a header of 26 pins.
FIRST_B = Machine("raspi1ap", "bcm2835-rpi-b.dtb", "3", "Model B", A_PLUS.lacks, "armel", NO_DOMAINS, bus=0)
MACHINES = {
    "raspi3b": PI_3, "raspi3ap": ZERO_2, "raspi4b": PI_4,
    "raspi0": ZERO, "raspi0-w": ZERO_W, "raspi1ap": A_PLUS,
}  # fmt: skip
