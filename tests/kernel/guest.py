"""What is done in the virtual machine, as root.

The results go out of the second serial port, one JSON object a line.
"""

import ctypes
import fcntl
import json
import os
import re
import struct
import subprocess
import sys
import time
import traceback
from pathlib import Path

PLAN = json.loads(Path("/srv/vm/plan.json").read_text())
FALLING = 1 << 5  # GPIO_V2_LINE_FLAG_EDGE_FALLING
PATIENCE = 300.0  # seconds; only what has failed takes so long
RUN_TIME = Path("/run/systemd/system/tictactoe.service.d")
# The fingers, in this process; the wires that they move are a process of their own.
os.environ["LC_ALL"] = "C.UTF-8"
PORT = os.open("/dev/ttyS1", os.O_WRONLY | os.O_NOCTTY)


def tell(**what):
    data = (json.dumps(what) + "\n").encode()
    while data:
        data = data[os.write(PORT, data) :]


def run(*words, timeout=600):
    return subprocess.run(words, capture_output=True, text=True, timeout=timeout, check=False)


def show():
    properties = "ActiveState,StatusText,MainPID,NRestarts,ActiveEnterTimestampMonotonic,Result"
    lines = run("systemctl", "show", "tictactoe", f"--property={properties}").stdout.splitlines()
    return dict(line.split("=", 1) for line in lines)


def wait_for(condition, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.1)
    return False


def sees_bus():
    links = Path(f"/proc/{show()['MainPID']}/fd").glob("*")
    return "/dev/i2c-1" in [str(link.readlink()) for link in links if link.is_symlink()]


def holder(line):
    """Return who holds a line of the chip, and with which GPIO_V2_LINE_FLAG_..., as the kernel tells."""
    info = struct.Struct("=32s32sII Q 176x")  # struct gpio_v2_line_info
    with Path("/dev/gpiochip0").open("rb") as chip:
        told = fcntl.ioctl(chip, 0xC100B405, info.pack(b"", b"", line, 0, 0))  # GPIO_V2_GET_LINEINFO_IOCTL
    _name, consumer, _line, _count, flags = info.unpack(told)
    return consumer.split(b"\0")[0].decode(), flags


def start():
    up = wait_for(lambda: show()["ActiveState"] == "active" and sees_bus())
    late = run("systemctl", "show", "late-bus", "--property=ActiveEnterTimestampMonotonic").stdout
    bus = run("systemctl", "show", "dev-i2c\\x2d1.device", "--property=ActiveEnterTimestampMonotonic").stdout
    watched = up and wait_for(lambda: holder(5)[1] & FALLING)
    shown = show()
    links = Path(f"/proc/{shown['MainPID']}/fd").glob("*")
    descriptors = [str(link.readlink()) for link in links]
    devices = [
        f"{path} {path.stat().st_mode & 0o777:o} {path.group()}"
        for path in Path("/dev").glob("[gi][p2]*[0-9]")
    ]
    tell(
        step="start", up=up, show=shown, late=late, bus=bus, descriptors=descriptors, devices=devices,
        watched=watched, lines={line: holder(line) for line in PLAN["lines"]},
        journal=run("journalctl", "--no-pager", "--output=short-monotonic", "--unit=tictactoe").stdout,
        board=run("journalctl", "--no-pager", "--output=cat", "--unit=board", "--unit=wires").stdout,
        kernel=os.uname().release, failed=run("systemctl", "--failed", "--plain", "--no-legend").stdout,
    )  # fmt: skip
    return up


def late_bus():
    """Take the bus away, start without it, and bring it back after the service has given up waiting."""
    run("systemctl", "stop", "tictactoe")
    run("modprobe", "--remove", "i2c-stub")
    run("systemctl", "start", "tictactoe")
    before = show()["MainPID"]
    seen = [str(link.readlink()) for link in Path(f"/proc/{before}/fd").glob("*")]
    run("modprobe", "i2c-stub", "chip_addr=0x3c")
    after = wait_for(sees_bus)
    said = run("journalctl", "--no-pager", "--output=cat", "--unit=tictactoe", "--lines=8").stdout
    tell(
        step="late bus",
        without="/dev/i2c-1" not in seen,
        up=before != "0",
        sees=after,
        pid=show()["MainPID"],
        before=before,
        said=said,
    )


def exposure():
    told = run("systemd-analyze", "--no-pager", "security", "--threshold=2", "tictactoe.service")
    tell(step="exposure", status=told.returncode, said=told.stdout.splitlines()[-1:], err=told.stderr)


def game(wires):
    for cell in PLAN["game"]:
        before = show()["StatusText"]
        wires.wires_press(1 << cell)
        time.sleep(0.4)
        wires.wires_press(0)
        wait_for(lambda before=before: show()["StatusText"] != before)
        time.sleep(0.5)
    time.sleep(6)
    trace = Path("/sys/kernel/tracing/trace").read_text()
    writes = re.findall(r"smbus_write: i2c-1 a=0*3c f=\w+ c=(\w+) \w+ l=(\d+) \[([\w-]*)\]", trace)
    lost = re.search(r"entries-in-buffer/entries-written: (\d+)/(\d+)", trace)
    kept, written = lost.groups() if lost else ("", "")
    for at in range(0, len(writes), 200):
        tell(step="bus", writes=writes[at : at + 200])
    tell(step="game", show=show(), complete=bool(lost) and kept == written, first=trace.splitlines()[10:16])


def presses():
    run("systemctl", "stop", "tictactoe")
    command = (
        "unshare",
        "--mount",
        "sh",
        "-c",
        "mount --bind /srv/vm/cpuinfo /proc/cpuinfo; exec python3 -I /srv/vm/presses.py $0",
        str(PLAN["presses"]),
    )
    for pins in PLAN["pins"]:
        environment = {
            "LD_PRELOAD": "/srv/vm/settle.so",
            "GPIOZERO_PIN_FACTORY": pins,
            "PATH": os.environ["PATH"],
        }
        done = subprocess.run(
            command,
            capture_output=True, text=True, env=environment, cwd="/run", timeout=3600, check=False,
        )  # fmt: skip
        told = json.loads(done.stdout) if done.returncode == 0 and done.stdout else {}
        tell(step="presses", pins=pins, told=told, error=done.stderr[-3000:])


def relaxations():
    """Without each of these, the service must not come up: it says why it is there."""
    for line in PLAN["relaxations"]:
        RUN_TIME.mkdir(parents=True, exist_ok=True)
        for name, lines in (("without", f"[Service]\n{line}\n"), ("with", None)):
            file = RUN_TIME / "probe.conf"
            if lines:
                file.write_text(lines)
            else:
                file.unlink()
            run("systemctl", "stop", "tictactoe")
            run("systemctl", "daemon-reload")
            run("systemctl", "start", "--no-block", "tictactoe")
            up = wait_for(lambda: show()["ActiveState"] == "active", 8 if lines else PATIENCE)
            said = run("journalctl", "--no-pager", "--output=cat", "--unit=tictactoe", "--lines=6").stdout
            tell(step="relaxation", line=line, which=name, up=up, said=said)
    run("systemctl", "stop", "tictactoe")


def probes():
    run("systemd-run", "--unit=listener", "python3", "-m", "http.server", "--bind", "127.0.0.1", "8099")
    time.sleep(5)
    for directive, probe, besides in PLAN["probes"]:
        row = {}
        for name, settings in (("without", besides), ("with", [*besides, directive]), ("unit", PLAN["unit"])):
            words = [f"--property={setting}" for setting in settings]
            done = run(
                "systemd-run", "--quiet", "--wait", "--pipe", "--collect", *words,
                "/usr/bin/python3", "-I", "/srv/lib/probe.py", probe,
            )  # fmt: skip
            row[name] = done.returncode == 0
            row[f"{name} said"] = (done.stdout + done.stderr)[-500:]
        tell(step="probe", directive=directive, **row)


def main():
    run("stty", "-F", "/dev/ttyS1", "raw", "115200")
    steps = {
        "start": start, "exposure": exposure, "game": lambda: game(ctypes.CDLL("/srv/vm/settle.so")),
        "late bus": late_bus, "presses": presses, "relaxations": relaxations, "probes": probes,
    }  # fmt: skip
    for name in sys.argv[1:] or steps:
        try:
            if steps[name]() is False:
                break
        except Exception:  # noqa: BLE001 - whatever it is, the test is told
            tell(step="error", name=name, error=traceback.format_exc())
    tell(step="end")
    os.sync()
    subprocess.run(("systemctl", "poweroff"), check=False)


if __name__ == "__main__":
    main()
