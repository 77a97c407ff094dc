"""The life of the service in a real systemd: started, killed, stopped, hung; the game survives it."""

import json
import sqlite3
import statistics
import time
from contextlib import contextmanager

import pytest
from effort import amount
from machine import dump, run
from stage import expected, goodbye, opening, play, starting

DRAWN = (0, 2, 1, 3, 5, 7, 6, 8)  # leaves the centre; nobody has three in a row at any point
KILLS = amount(30, 100)
LOOK_AROUND = """
import json, os, socket

def tried(family):
    try:
        socket.socket(getattr(socket, family)).close()
    except OSError as error:
        return error.strerror
    return "allowed"

found = {family: tried(family) for family in ("AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET", "AF_UNIX")}
found |= {"interfaces": os.listdir("/sys/class/net"), "devices": os.listdir("/dev")}
json.dump(found, open("/var/lib/tictactoe/found", "w"))
"""


@contextmanager
def dropped_in(machine, line):
    """An extra line in the unit's [Service], inside the block."""
    path = "/run/systemd/system/tictactoe.service.d/more.conf"
    machine.shell(f"mkdir -p $(dirname {path}); printf '[Service]\\n{line}\\n' > {path}")
    machine.systemctl("daemon-reload")
    try:
        yield
    finally:
        machine.run("rm", path)
        machine.systemctl("daemon-reload")


def main_pid(machine):
    return int(machine.show()["MainPID"])


def recovery(machine, picture, harm):
    """Return the seconds from a fault until another process has redrawn the picture."""
    stand, old = machine.stand, main_pid(machine)
    stand.forget()  # otherwise the old picture would still be there
    began = time.monotonic()
    harm(old)
    drawn = stand.wait_for(picture)
    assert stand.pid != old
    return drawn - began


def signal_to(machine, name):
    return lambda pid: machine.shell(f"kill -{name} {pid}")


def test_starts_with_the_machine(machine):
    shown = machine.shown_after_boot
    assert shown["ActiveState"] == "active", machine.journal()
    assert shown["StatusText"] == "your turn, board ........."
    assert machine.systemctl("is-enabled", "tictactoe").strip() == "enabled"
    assert machine.systemctl("is-system-running").strip() == "running"


def test_the_splash_comes_first_then_the_board_without_a_dark_frame_and_ready_means_drawn(fresh):
    fresh.systemctl("stop", "tictactoe")
    fresh.stand.forget()
    fresh.systemctl("start", "tictactoe")  # returns once the service is ready
    chip, pictures = fresh.stand.chip, []
    while fresh.stand.step():
        pictures.append(chip.picture() if chip.lit else None)
    lit = pictures[pictures.index(starting()) :]
    assert set(pictures[: -len(lit)]) <= {None}, "nothing before the splash"
    assert None not in lit
    assert opening() in lit, "the board, which says hello"


def test_systemd_understands_the_unit_as_installed(machine):
    assert machine.run("systemd-analyze", "--man=no", "verify", "tictactoe.service").stderr == ""


def test_no_privilege(machine):
    lines = machine.run("cat", f"/proc/{main_pid(machine)}/status").stdout.splitlines()
    status = dict(line.split(":\t", 1) for line in lines)
    assert {status[f"Cap{which}"] for which in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {"0" * 16}
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    assert "0" not in status["Uid"].split()


def test_the_sandbox_from_inside(fresh):
    """What a program sees in the sandbox of the running service, which starts it once it is ready."""
    (fresh.root / "srv/lib/look_around.py").write_text(LOOK_AROUND)
    with dropped_in(fresh, "ExecStartPost=/usr/bin/python3 -I /srv/lib/look_around.py"):
        fresh.systemctl("restart", "tictactoe")
        found = json.loads((fresh.root / "var/lib/tictactoe/found").read_text())
    dump(found)
    refused = "Address family not supported by protocol"
    assert {found[f"AF_{family}"] for family in ("INET", "INET6", "NETLINK", "PACKET")} == {refused}
    assert found["AF_UNIX"] == "allowed"
    assert set(found["interfaces"]) <= {"lo"}
    assert set(found["devices"]) <= {
        "full", "null", "zero", "random", "urandom", "tty", "ptmx", "pts", "shm", "mqueue", "hugepages",
        "log", "char", "core", "fd", "stdin", "stdout", "stderr",
    }  # fmt: skip


@pytest.mark.parametrize("line", ["", "WorkingDirectory=/"])
def test_a_passive_buzzer_is_lgpio_s_and_that_needs_a_directory_to_write_in(fresh, line):
    """Without a buzzer lgpio is not loaded; without its directory the game goes on without sound."""
    file = fresh.root / "etc/tictactoe/config.yaml"
    silent, before = file.read_text(), len(fresh.journal())
    assert "_lgpio" not in fresh.run("cat", f"/proc/{main_pid(fresh)}/maps").stdout
    file.write_text(silent + "sound:\n  pin: 24\n")
    try:
        with dropped_in(fresh, line):
            fresh.systemctl("restart", "tictactoe")
            fresh.stand.tap(3, expected((3,)))
            journal = fresh.journal()[before:]
            loaded = "_lgpio" in fresh.run("cat", f"/proc/{main_pid(fresh)}/maps").stdout
    finally:
        file.write_text(silent)
        fresh.systemctl("restart", "tictactoe")
    assert ("the buzzer at pin 24 is silent" in journal) == bool(line), journal
    assert loaded or line


def test_hung_bus_to_drawn(fresh):
    """The main loop hangs on the bus; the other threads go on."""
    play(fresh, [0])

    def harm(pid):
        fresh.stand.hang(pid)
        fresh.stand.press(0)  # taken already: the box tries to show that, and hangs
        fresh.stand.wait_for_denial()
        fresh.stand.press()

    dump({"hung main loop to drawn, s": round(recovery(fresh, opening([0]), harm), 2)})
    journal = fresh.journal()
    assert "Watchdog timeout" in journal
    assert "Current thread" in journal or "Thread 0x" in journal, "where it hung"


def test_stopped_process_to_drawn(fresh):
    play(fresh, [0])
    dump({"SIGSTOP to drawn, s": round(recovery(fresh, opening([0]), signal_to(fresh, "STOP")), 2)})


def test_a_hundred_kills(fresh):
    times, starts, moves, restarts = [], [], [], 0
    before = len(fresh.journal())
    for _ in range(KILLS):
        if len(moves) == len(DRAWN):
            restarts += int(fresh.show()["NRestarts"])
            fresh.systemctl("stop", "tictactoe")
            fresh.shell("rm -rf /var/lib/tictactoe/*")
            moves = []
            starts.append(recovery(fresh, opening(), lambda _: fresh.systemctl("start", "tictactoe")))
        moves.append(DRAWN[len(moves)])
        play(fresh, moves)
        times.append(recovery(fresh, opening(moves), signal_to(fresh, "KILL")))
        assert fresh.show()["ActiveState"] in {"active", "activating"}
    for name, seconds in ("kill -9 to drawn", times), ("start to drawn", starts):
        dump({f"{name}, median s": round(statistics.median(seconds), 2), "most s": round(max(seconds), 2)})
    journal = fresh.journal()[before:]
    # A recovery waits only for RestartSec=: after a watchdog's or a failed start there would be one more.
    assert restarts + int(fresh.show()["NRestarts"]) == KILLS, journal[-8000:]
    assert "does not answer" not in journal, "no display was waited for"
    assert fresh.systemctl("--failed", "--plain", "--no-legend") == ""


def test_stops_with_a_goodbye(fresh):
    began = time.monotonic()
    fresh.systemctl("stop", "tictactoe")
    dump({"stop, s": round(time.monotonic() - began, 2)})
    assert fresh.stand.catch_up() == goodbye()
    shown = fresh.show()
    assert (shown["ActiveState"], shown["Result"]) == ("inactive", "success"), "not killed by TimeoutStopSec="


def test_games_are_kept_where_they_belong(fresh):
    play(fresh, [0])
    database = fresh.root / "var/lib/tictactoe/tictactoe.db"
    fresh.systemctl("stop", "tictactoe")
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        assert connection.execute("SELECT count(*) FROM progress").fetchone() == (1,)
    listing = run("find", database.parent, "-type", "f", "-printf", "%m\n").stdout.split()
    uid = fresh.run("id", "-u", "tictactoe").stdout.strip()
    assert set(listing) == {"600"}
    assert database.stat().st_uid == int(uid)
    fresh.systemctl("start", "tictactoe")
