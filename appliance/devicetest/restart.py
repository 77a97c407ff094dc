"""Checks 16 to 18: watchdogs, a cold start, a pulled plug. The game has to run: they go on after it did."""

from collections.abc import Mapping

from appliance.devicetest.answers import NOBODY, YES, instruct, pressed, question
from appliance.devicetest.judge import CannotRunError, Figures
from appliance.devicetest.resume import SuspendedError
from appliance.devicetest.rig import BoardRig

READ = 5.0  # seconds to read an instruction before the game returns
BACK = 40.0  # seconds within which a service that hangs must be back
POLL = 0.2
ROUNDS = 3

UNIT = "tictactoe.service"
READY, STARTED = "ActiveEnterTimestampMonotonic", "ExecMainStartTimestampMonotonic"
BOARD = "sys/class/watchdog/watchdog0"


def watchdogs(rig: BoardRig) -> Figures:
    """Stop the service's process, and return the seconds until the game is ready again."""
    resumed = rig.take_resumed()
    if resumed is not None:
        ready = _seconds(_unit(rig), READY)
        took = {"ready_s": round(ready - float(resumed["at"]), 1)} if ready else {}
        return {**took, **_board(rig)}
    if rig.in_service:
        instruct(rig, "The box hangs now, and starts again. Wait.", "do_hang")
        rig.wait(READ)
        raise SuspendedError({"at": rig.now()}, reboot=False)
    if not rig.machine.root_rights or not _unit(rig).get("FragmentPath"):
        raise CannotRunError("needs root and the installed service: sudo tictactoe device-test --only 16")
    return {**_hang(rig), **_board(rig)}


def _hang(rig: BoardRig) -> Figures:
    """Start the service, stop its process, and wait for another one that is ready."""
    rig.close()
    rig.machine.run("systemctl", "start", UNIT)
    try:
        pid = _unit(rig)["MainPID"]
        stopped = rig.now()
        rig.machine.run("systemctl", "kill", "--kill-whom=main", "--signal=STOP", UNIT)
        while rig.now() < stopped + BACK:
            rig.wait(POLL)
            unit = _unit(rig)
            if unit["MainPID"] not in {pid, "0"} and unit["ActiveState"] == "active":
                return {"ready_s": round(_seconds(unit, READY) - stopped, 1)}
        return {}
    finally:
        rig.machine.run("systemctl", "stop", UNIT)


def _board(rig: BoardRig) -> Figures:
    """Return what is known of the board's own watchdog."""
    machine = rig.machine
    return {
        "systemd": machine.run("systemctl", "show", "--property=RuntimeWatchdogUSec", "--value") or "unknown",
        "driver": machine.text(f"{BOARD}/identity") or "unknown",
        "timeout": machine.text(f"{BOARD}/timeout") or "unknown",
        "holder": machine.holder("/dev/watchdog0") or "unknown",
    }


def _unit(rig: BoardRig) -> Mapping[str, str]:
    """Return systemd's properties of the service."""
    names = ("ActiveState", "MainPID", "FragmentPath", READY, STARTED)
    text = rig.machine.run("systemctl", "show", f"--property={','.join(names)}", UNIT)
    return {**dict.fromkeys(names, ""), **dict(line.split("=", 1) for line in text.splitlines())}


def _seconds(unit: Mapping[str, str], name: str) -> float:
    """Return one of systemd's times, in seconds of the monotonic clock; 0 if there is none."""
    return int(unit[name] or 0) / 1e6


def start(rig: BoardRig) -> Figures:
    """Let the person start the machine anew, and return the seconds from the kernel's start.

    The splash is shown as soon as the service's process runs. What the firmware takes before, nothing here
    can measure.
    """
    resumed = rig.take_resumed()
    if resumed is None:
        _agreed(rig, "do_off")
        raise SuspendedError({"boot": rig.machine.boot}, reboot=True)
    _check_started_anew(rig, resumed)
    unit = _unit(rig)
    if not _seconds(unit, READY):
        raise CannotRunError("systemd does not know when the game was ready")
    return {"process_s": round(_seconds(unit, STARTED), 1), "ready_s": round(_seconds(unit, READY), 1)}


def _agreed(rig: BoardRig, word: str) -> None:
    """Say how the test goes on. Raise `CannotRunError` if nobody presses a button: it would never end."""
    if not rig.in_service:
        raise CannotRunError("runs in the game's place only: start the device test from the box's self-test")
    instruct(rig, "Press a button. The display says how the test goes on.", word)
    if pressed(rig) is None:
        raise CannotRunError(NOBODY)


def _check_started_anew(rig: BoardRig, resumed: Figures) -> None:
    if rig.machine.boot == resumed["boot"]:
        raise CannotRunError("the machine was not switched off")


def unplugged(rig: BoardRig) -> Figures:
    """Let the person pull the plug during a game, and ask whether the board is the same; several times."""
    resumed = rig.take_resumed()
    rounds, same = 0, 0
    if resumed is not None:
        _check_started_anew(rig, resumed)
        rounds, same = int(resumed["rounds"]) + 1, int(resumed["same"])
        answer = question(rig, "Was the board as before?", "ask_same", f"{rounds}/{ROUNDS}")
        if answer is None:
            raise CannotRunError(NOBODY)
        same += answer == YES
    if rounds < ROUNDS:
        _agreed(rig, "do_plug")
        raise SuspendedError({"boot": rig.machine.boot, "rounds": rounds, "same": same}, reboot=True)
    errors = sum(int(count or 0) for count in rig.machine.texts("sys/fs/ext4/*/errors_count").values())
    return {"same": same, "file_system_errors": errors}
