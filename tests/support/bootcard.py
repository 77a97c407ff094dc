"""Boot partitions for tests."""

from pathlib import Path

from appliance.bootfiles.partition import Card

CONFIG = b"""# For more options and information see
dtparam=audio=on
auto_initramfs=1
dtoverlay=vc4-kms-v3d
arm_64bit=1

[cm5]
dtoverlay=dwc2,dr_mode=host

[all]
"""
CMDLINE = b"console=tty1 root=PARTUUID=d89b055c-02 rootfstype=ext4 rootwait resize\n"
FIRMWARE = """
bootcode.bin start.elf fixup.dat start4.elf fixup4.dat start_x.elf LICENCE.broadcom
kernel8.img kernel_2712.img initramfs8 initramfs_2712 overlays/README overlays/bcm2712d0.dtbo
bcm2710-rpi-zero-2-w.dtb bcm2710-rpi-3-b.dtb bcm2710-rpi-3-b-plus.dtb bcm2711-rpi-4-b.dtb
bcm2711-rpi-400.dtb bcm2712-rpi-5-b.dtb bcm2712-rpi-500.dtb bcm2712-rpi-cm5-cm5io.dtb
overlays/gpio-shutdown.dtbo overlays/gpio-led.dtbo overlays/w1-gpio.dtbo
""".split()  # noqa: SIM905 - a list of strings would take 24 lines

# Everything printed.
DONE = "the card is prepared; unmount it before you take it out"
NOTHING = "the card is already prepared: nothing to do"


def make_card(root, config=CONFIG, cmdline=CMDLINE, firmware=FIRMWARE):
    """A fresh card of Raspberry Pi OS, 64 bit."""
    (root / "overlays").mkdir(parents=True)
    for name in firmware:
        (root / name).write_bytes(name.encode())
    (root / "config.txt").write_bytes(config)
    (root / "cmdline.txt").write_bytes(cmdline)
    return root


def tree(root):
    """Every file below a folder, with its content."""
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


class _MemoryCard(Card):
    def text(self, name):
        return self.names.get(name.lower(), "")


def memory_card(files):
    """A card that consists of these texts only; nothing is read from a disk."""
    return _MemoryCard(Path("/card"), {name.lower(): text for name, text in files.items()})
