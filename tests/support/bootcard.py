"""A card's boot partition and packages, made up for tests."""

from pathlib import Path

from appliance.card.partition import Card

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
USER_DATA = b"#cloud-config\n\n#hostname: raspberrypi\n"
# user-data as Raspberry Pi Imager writes it.
IMAGER = b"""\
#cloud-config
hostname: box
manage_etc_hosts: true
packages:
- avahi-daemon
apt:
  conf: |
    Acquire {
      Check-Date "false";
    };
timezone: Europe/London
keyboard:
  model: pc105
  layout: "gb"
enable_ssh: true
users:
- name: ada
  groups: users,adm,gpio,i2c,sudo
  shell: /bin/bash
  lock_passwd: false
  passwd: "$5$saltsalt$hash"
  ssh_authorized_keys:
    - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 ada@home
  sudo: ALL=(ALL) NOPASSWD:ALL
ssh_pwauth: false
rpi:
  interfaces:
    i2c: true
    serial: true
runcmd:
  # unblock
  - [ rfkill, unblock, wifi ]
  - [ sh, -c, "for f in /var/lib/systemd/rfkill/*:wlan; do echo 0 > \\"$f\\"; done" ]
"""
FIRMWARE = """
bootcode.bin start.elf fixup.dat start4.elf fixup4.dat start_x.elf LICENCE.broadcom
kernel8.img kernel_2712.img initramfs8 initramfs_2712 overlays/README overlays/bcm2712d0.dtbo
bcm2710-rpi-zero-2-w.dtb bcm2710-rpi-3-b.dtb bcm2710-rpi-3-b-plus.dtb bcm2711-rpi-4-b.dtb
bcm2711-rpi-400.dtb bcm2712-rpi-5-b.dtb bcm2712-rpi-500.dtb bcm2712-rpi-cm5-cm5io.dtb
overlays/gpio-shutdown.dtbo overlays/gpio-led.dtbo overlays/w1-gpio.dtbo
""".split()  # noqa: SIM905 - a list of words, a line each, would be 24 lines

# What is printed, and our words in cmdline.txt.
DONE = "the card is prepared; unmount it before you take it out"
NOTHING = "the card is prepared already: nothing to do"
NO_PACKAGE = "note: there is no package to install: give it with --package, or copy it into tictactoe"
RUN = b" systemd.run=/boot\\x2ffirmware/tictactoe/first-boot.sh systemd.run_success_action=reboot"
RUN += b" systemd.unit=kernel-command-line.target"
APPLIANCE = "tictactoe-appliance_0.1.0_all.deb"


def make_card(
    root,
    date="2026-04-13",
    cloud_init=True,
    config=CONFIG,
    cmdline=CMDLINE,
    user_data=USER_DATA,
    firmware=FIRMWARE,
):
    """A fresh card of Raspberry Pi OS, 64 bit."""
    (root / "overlays").mkdir(parents=True)
    for name in firmware:
        (root / name).write_bytes(name.encode())
    (root / "config.txt").write_bytes(config)
    (root / "cmdline.txt").write_bytes(cmdline)
    (root / "issue.txt").write_text(f"Raspberry Pi reference {date}\nGenerated using pi-gen\n")
    if cloud_init:
        (root / "user-data").write_bytes(user_data)
        (root / "meta-data").write_bytes(b"dsmode: local\ninstance_id: rpios-image\n")
        (root / "network-config").write_bytes(b"# network\n")
    return root


def tree(root):
    """Every file below, with its content."""
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def memory_card(files):
    """A card of which only these files are known: nothing is read from a disk."""
    contents = {name.lower(): text.encode("utf-8", "surrogateescape") for name, text in files.items()}
    return Card(Path("/card"), {name.lower(): name for name in files}, contents)


def make_deb(path, content=b"0" * 4000):
    """What looks like a package to a program that only copies it."""
    path.write_bytes(b"!<arch>\n" + content)
    return path


def old_block(lines):
    """The block that version 0.1.0 put into config.txt and user-data."""
    first = "# >>> tictactoe boot prepare writes the lines down to <<< (5d41402a)"
    return "".join(f"{line}\n" for line in (first, *lines, "# <<< tictactoe boot prepare"))
