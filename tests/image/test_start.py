"""Where the seconds of a start go: a table, and systemd's own plot in dist/*-start.svg.

The card's initramfs gets a second archive with an init that also has systemd plot the start; nothing of the
image itself is different. Times are the guest's. The kernel's trace of the bus dates what the display gets.
"""

import re
from itertools import pairwise

from pi import ROOT, Pi, scratch, tool

[IMAGE] = (ROOT / "dist").glob("tictactoe-box_*.img.xz")
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
STEPS = {  # what ends when, as the kernel's log and systemd say it, in seconds or microseconds
    "kernel": r"\[ *([\d.]+)\] Run /init as init process",
    "initramfs, to the splash": r"\[ *([\d.]+)\] i2c_write: .* l=2 \[00-af\]",
    "initramfs, the rest": r"\[ *([\d.]+)\] systemd\[1\]: systemd \d+",
    "systemd, to the daemon's start": r"ExecMainStartTimestampMonotonic=(\d+)",
    "daemon, to the board": r"ActiveEnterTimestampMonotonic=(\d+)",
}


def with_plot(pi):
    """Return the initramfs of the card, with `PLOT` before systemd is started."""
    init = (ROOT / "image/init").read_text()
    folder = pi.folder / "plot"
    folder.mkdir()
    (folder / "init").write_text(init.replace("exec switch_root", f"{PLOT}exec switch_root"))
    (folder / "init").chmod(0o755)
    archive = tool("sh", "-c", f"cd {folder} && echo init | cpio -oH newc --quiet | zstd").stdout
    return pi.read("a/initramfs8") + archive


def plotted():
    """Start the card, keep the plot in dist/, and return the journal."""
    with scratch() as folder:
        pi = Pi(IMAGE, folder)
        words = pi.read("a/cmdline.txt").decode().strip()
        pi.write("a/cmdline.txt", f"{words} trace_event=i2c:i2c_write tp_printk\n".encode())
        pi.write("a/initramfs8", with_plot(pi))
        pi.start()
        try:
            pi.wait(lambda pi: "plotted" in pi.console)
        finally:
            pi.cut()
        IMAGE.with_name(IMAGE.name.replace(".img.xz", "-start.svg")).write_bytes(pi.data("/start.svg"))
        return pi.data("/start.log").decode(errors="replace")


def test_the_splash_comes_within_the_first_third_of_the_start():
    log = plotted()
    ends = [re.search(f"^{line}", log, re.MULTILINE) for line in STEPS.values()]
    assert all(ends), (ends, log)
    at = [float(end[1]) if "." in end[1] else int(end[1]) / 1e6 for end in ends]
    for step, (start, end) in zip(STEPS, pairwise([0.0, *at]), strict=True):
        print(f"{end - start:5.2f} s  {step}")  # noqa: T201 - the table, for whoever runs this with -rP
    assert at[1] <= at[-1] / 3, at
