"""How long each part of a start takes: a table, and systemd's own plot in dist/*-start.svg.

A second archive in the card's initramfs has an init that also makes systemd plot the start; the image itself
is unmodified. Times are the guest's. The kernel's trace of the bus dates what the display receives.
"""

import re
import shutil
from itertools import pairwise

import pytest
from boxes import image_file
from effort import longer
from pi import ROOT, report

PLOT = r"""
mount -t tmpfs -o mode=755 run /new/run
mkdir -p /new/run/systemd/system/box.target.wants
printf '[Timer]\nOnActiveSec=4s\nAccuracySec=1s\n' >/new/run/systemd/system/plot.timer
busybox ln -s ../plot.timer /new/run/systemd/system/box.target.wants/
cat >/new/run/systemd/system/plot.service <<'UNIT'
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'systemd-analyze plot >/data/start.svg'
ExecStart=/bin/sh -c '{ busybox dmesg; systemctl show tictactoe; } >/data/start.log'
ExecStart=/usr/bin/busybox sync
ExecStart=/bin/sh -c 'echo plotted >/dev/console'
UNIT
"""
TIMER = """
chroot /new busybox sh -c 'echo "timer $(busybox devmem {address})" >/dev/kmsg'
"""  # microseconds since the machine's start
ADDRESSES = {"arm64": "0x3f003004", "armel": "0x20003004"}
STEPS = {  # when each step ends, by the kernel's log and systemd, in seconds or microseconds
    "kernel": r"\[ *([\d.]+)\] Run /init as init process",
    "initramfs, to the splash": r"\[ *([\d.]+)\] i2c_write: .* l=2 \[00-af\]",
    "initramfs, the rest": r"\[ *([\d.]+)\] systemd\[1\]: systemd \d+",
    "systemd, to the daemon's start": r"ExecMainStartTimestampMonotonic=(\d+)",
    "daemon, to the board": r"ActiveEnterTimestampMonotonic=(\d+)",
}


def plotted(pi):
    """Start the card, keep the plot in dist/, and return the journal."""
    words = pi.read("a/cmdline.txt").decode().strip()
    pi.write("a/cmdline.txt", f"{words} trace_event=i2c:i2c_write tp_printk\n".encode())
    init = (ROOT / "image/init").read_text()
    timer = TIMER.format(address=ADDRESSES[pi.machine.architecture])
    pi.start(init.replace("exec switch_root", f"{PLOT}{timer}exec switch_root"))
    pi.wait(lambda pi: "plotted" in pi.console)
    pi.cut()
    data = pi.data()
    image = image_file(pi.machine.architecture)
    shutil.copy(data / "start.svg", image.with_name(image.name.replace(".img.xz", "-start.svg")))
    return (data / "start.log").read_text(errors="replace")


@pytest.mark.parametrize("pi", [*longer("raspi3b"), "raspi0"], indirect=True)
def test_the_splash_comes_within_the_first_third_of_the_start(pi):
    log = plotted(pi)
    ends = [re.search(f"^{line}", log, re.MULTILINE) for line in STEPS.values()]
    assert all(ends), (ends, log)
    at = [float(end[1]) if "." in end[1] else int(end[1]) / 1e6 for end in ends]
    if timer := re.search(r"^\[ *([\d.]+)\] timer (0x\w+)$", log, re.MULTILINE):
        report(f"{int(timer[2], 16) / 1e3 - float(timer[1]) * 1e3:5.0f} ms  before the kernel's clock")
    for step, (start, end) in zip(STEPS, pairwise([0.0, *at]), strict=True):
        report(f"{(end - start) * 1e3:5.0f} ms  {step}")
    assert at[1] <= at[-1] / 3, at
    if pi.machine.architecture == "armel":  # 2,200,000 * 250 loops a second, of two cycles: up to 1.1 GHz
        assert "1100.00 BogoMIPS (lpj=2200000)" in log
