"""The steps in the virtual machine, as root.

The results go to the second serial port, one JSON object a line.
"""

import contextlib
import ctypes
import fcntl
import json
import os
import re
import socket
import struct
import subprocess
import termios
import time
import traceback
from pathlib import Path

PLAN = json.loads(Path("/srv/vm/plan.json").read_text())
FALLING = 1 << 5  # GPIO_V2_LINE_FLAG_EDGE_FALLING
PATIENCE = 600.0  # seconds; only a failure takes this long
RUN_TIME = Path("/run/systemd/system/tictactoe.service.d")
os.environ["LC_ALL"] = "C.UTF-8"
PORT = os.open("/dev/ttyS1", os.O_WRONLY | os.O_NOCTTY)


def report(**what):
    data = (json.dumps(what) + "\n").encode()
    while data:
        data = data[os.write(PORT, data) :]


def run(*words, timeout=600, cwd=None):
    return subprocess.run(words, capture_output=True, text=True, timeout=timeout, cwd=cwd, check=False)


def show():
    properties = "ActiveState,StatusText,MainPID,NRestarts,ActiveEnterTimestampMonotonic,Result"
    lines = run("systemctl", "show", "tictactoe", f"--property={properties}").stdout.splitlines()
    return dict(line.split("=", 1) for line in lines)


def status():
    """Return what `show` does once the process that runs now has said something; before that, None."""
    shown = show()
    return shown if shown["MainPID"] != "0" and shown["StatusText"] else None


def wait_for(condition):
    """Return the first true value of a condition, or its last value."""
    end = time.monotonic() + PATIENCE
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(0.1)
    return value


def journal(*options):
    return run("journalctl", "--no-pager", "--output=cat", *options).stdout


def descriptors():
    """Return what the service has open."""
    found = []
    for link in Path(f"/proc/{show()['MainPID']}/fd").glob("*"):
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile: it sometimes reads a file
            found.append(str(link.readlink()))
    return found


def has_bus():
    return "/dev/i2c-1" in descriptors()


def seen_chips():
    """Return the GPIO chips in the service's /dev, each with the machine's chip that it is."""
    ours = {path.stat().st_rdev: path.name for path in Path("/dev").glob("gpiochip*")}
    theirs = Path(f"/proc/{show()['MainPID']}/root/dev").glob("*gpio*")
    return {path.name: ours.get(path.stat().st_rdev) for path in theirs}


def holder(line):
    """Return the holder of a line of the chip, and its GPIO_V2_LINE_FLAG_..., from the kernel."""
    info = struct.Struct("=32s32sII Q 176x")  # struct gpio_v2_line_info
    with Path("/dev/tictactoe-gpio").open("rb") as chip:
        answer = fcntl.ioctl(chip, 0xC100B405, info.pack(b"", b"", line, 0, 0))  # GPIO_V2_GET_LINEINFO_IOCTL
    _name, consumer, _line, _count, flags = info.unpack(answer)
    return consumer.split(b"\0")[0].decode(), flags


def at_rest():
    """Return whether the keypad has seen all keys up, and is parked: then the kernel watches the columns."""
    return bool(holder(5)[1] & FALLING)


def start():
    up = wait_for(lambda: show()["ActiveState"] == "active" and has_bus())
    bus = run("systemctl", "show", "dev-i2c\\x2d1.device", "--property=ActiveEnterTimestampMonotonic").stdout
    watched = up and wait_for(at_rest)
    devices = [
        f"{path} {path.stat().st_mode & 0o777:o} {path.group()}"
        for path in Path("/dev").glob("[gi][p2]*[0-9]")
    ]
    report(
        step="start", up=up, show=show(), bus=bus, descriptors=descriptors(), devices=devices,
        watched=watched, seen=seen_chips(), lines={line: holder(line) for line in PLAN["lines"]},
        journal=journal("--unit=tictactoe"), board=journal("--unit=board", "--unit=wires"),
        kernel=os.uname().release, failed=run("systemctl", "--failed", "--plain", "--no-legend").stdout,
    )  # fmt: skip
    return up


def late_bus():
    """Remove the bus, start without it, and bring it back after the service has stopped waiting."""
    place = Path(r"/run/systemd/system/dev-i2c\x2d1.device.d")
    place.mkdir(parents=True)
    (place / "zz.conf").write_text("[Unit]\nJobRunningTimeoutSec=20s\n")  # after vm.conf, which waits longer
    run("systemctl", "daemon-reload")
    run("systemctl", "stop", "tictactoe")
    run("modprobe", "--remove", "i2c-stub")
    run("systemctl", "start", "tictactoe")
    before, opened = show()["MainPID"], descriptors()
    run("modprobe", "i2c-stub", "chip_addr=0x3c")
    report(
        step="late bus", before=before, opened=opened, found=wait_for(has_bus), after=show()["MainPID"],
        journal=journal("--unit=tictactoe", "--lines=8"),
    )  # fmt: skip


def game():
    """Press each key until its mark is there. None is the centre's, which would be held if that took long."""
    wires = ctypes.CDLL("/srv/vm/settle.so")
    for number, cell in enumerate(PLAN["game"], 1):
        wait_for(at_rest)
        wires.wires_press(1 << cell)
        wait_for(lambda number=number: marks(show()["StatusText"]) == number)
        wires.wires_press(0)
    time.sleep(6)  # by the guest's clock the last frame comes within one
    trace = Path("/sys/kernel/tracing/trace").read_text()
    writes = re.findall(r"smbus_write: i2c-1 a=0*3c f=\w+ c=(\w+) \w+ l=(\d+) \[([\w-]*)\]", trace)
    lost = re.search(r"entries-in-buffer/entries-written: (\d+)/(\d+)", trace)
    kept, written = lost.groups() if lost else ("", "")
    for at in range(0, len(writes), 200):
        report(step="bus", writes=writes[at : at + 200])
    report(step="game", show=show(), complete=bool(lost) and kept == written, first=trace.splitlines()[10:16])


def marks(status):
    """Return how many marks are on the board, 0 while the last one may still be taken back."""
    found = re.search(r"^(?:your turn|game over), board ([.xo]{9})", status)
    return 9 - found[1].count(".") if found else 0


def presses():
    run("systemctl", "stop", "tictactoe")
    script = "mount --bind /srv/vm/cpuinfo /proc/cpuinfo; exec python3 -I /srv/vm/presses.py $0"
    for pins in PLAN["pins"]:
        environment = ("env", "LD_PRELOAD=/srv/vm/settle.so", f"GPIOZERO_PIN_FACTORY={pins}")
        command = (*environment, "unshare", "--mount", "sh", "-c", script, str(PLAN["presses"]))
        done = run(*command, timeout=3600, cwd="/run")
        counts = json.loads(done.stdout) if done.returncode == 0 and done.stdout else {}
        report(step="presses", pins=pins, counts=counts, error=done.stderr[-3000:])


def selftest():
    """Run the command at a terminal, and act as the person: press each key, say yes to each question."""
    wires = ctypes.CDLL("/srv/vm/settle.so")
    script = "mount --bind /srv/vm/cpuinfo /proc/cpuinfo; exec tictactoe selftest"
    command = ("env", "LD_PRELOAD=/srv/vm/settle.so", "unshare", "--mount", "sh", "-c", script)
    terminal, end = os.openpty()
    termios.tcsetwinsize(end, (24, 200))  # as wide as each line, which would be wrapped
    process = subprocess.Popen(command, stdin=end, stdout=end, stderr=end, start_new_session=True)
    os.close(end)
    printed, seen = "", 0
    while data := read(terminal):
        printed += data
        asks = re.compile(r"press key (\d) \(.*?\) \.\.\. |once more \(button 2\)")
        if not (asked := asks.search(printed, seen)):
            continue
        seen = asked.end()
        if not asked[1]:
            os.write(terminal, b"y\n")
            continue
        time.sleep(2)  # by then a keypad that parks is parked
        wires.wires_press(1 << int(asked[1]) - 1)
        while data and "ok" not in printed[seen:]:
            printed += (data := read(terminal))
        wires.wires_press(0)
    os.close(terminal)
    report(step="selftest", status=process.wait(), printed=printed)


def read(terminal):
    """Return what has been printed, "" at the command's end."""
    try:
        return os.read(terminal, 4096).decode().replace("\r", "")
    except OSError:  # the other end has been closed
        return ""


def relaxations():
    """Start the service without each of these directives, then with it: each must be necessary.

    Without one it says what it lacks, and waits.
    """
    file = RUN_TIME / "probe.conf"
    RUN_TIME.mkdir(parents=True, exist_ok=True)
    for line in PLAN["relaxations"]:
        said = {}
        for which, text in ("without", f"[Service]\n{line}\n"), ("with", ""):
            file.write_text(text)
            run("systemctl", "stop", "tictactoe")
            run("systemctl", "daemon-reload")
            run("systemctl", "start", "--no-block", "tictactoe")
            said[which] = wait_for(status)
        report(step="relaxation", line=line, **said, journal=journal("--unit=tictactoe", "--lines=12"))
    run("systemctl", "stop", "tictactoe")


def listens():
    with contextlib.suppress(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", 8099)).close()
        return True
    return False


def probes():
    run("systemd-run", "--unit=listener", "python3", "-m", "http.server", "--bind", "127.0.0.1", "8099")
    wait_for(listens)
    command = ("/usr/bin/python3", "-I", "/srv/lib/probe.py")
    for directive in PLAN["probes"]:
        row = {}
        for which, directives in (("without", []), ("with", [directive]), ("unit", PLAN["unit"])):
            words = [f"--property={each}" for each in directives]
            done = run("systemd-run", "--quiet", "--wait", "--pipe", "--collect", *words, *command, directive)
            row[which] = done.returncode == 0
            row[f"{which}, output"] = (done.stdout + done.stderr)[-500:]
        report(step="probe", directive=directive, **row)


def main():
    run("stty", "-F", "/dev/ttyS1", "raw", "115200")
    try:
        if start():
            for step in (game, late_bus, presses, selftest, relaxations, probes):
                step()
    except Exception:  # noqa: BLE001 - the test reports any error
        report(step="error", error=traceback.format_exc())
    report(step="end")
    os.sync()
    subprocess.run(("systemctl", "poweroff"), check=False)


if __name__ == "__main__":
    main()
