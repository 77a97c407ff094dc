"""Checks 14 and 15: the supply under load; the card, and whether its pauses cost presses."""

import threading

from appliance.core.picture.scene import PatternScene
from appliance.devices.supply import PERIOD
from appliance.devicetest.judge import CannotRunError, Figure, Figures, milliseconds, percentile
from appliance.devicetest.rig import BoardRig

LOAD = 10.0  # seconds
SYNCS = 200
POLL = 0.005  # seconds between two polls of the keys, as while a button is down

GOOD, LOW = "ok", "low"
_UNDERVOLTAGE = 1 << 0 | 1 << 16  # of vcgencmd get_throttled: now, and since the start


def power(rig: BoardRig) -> Figures:
    """Read the undervoltage alarm before, during and after all cores are busy and all pixels are lit."""
    if _low(rig) is None:
        raise CannotRunError("this machine does not measure its supply; a Zero has no circuit for it")
    before = _watched(rig, PERIOD)
    with rig.machine.busy() as cores:
        rig.show(PatternScene(edges=False))
        during = _watched(rig, LOAD)
    after = _watched(rig, 2 * PERIOD)
    found: dict[str, Figure] = {"cores": cores, "before": before, "during": during, "after": after}
    throttled = rig.machine.run("vcgencmd", "get_throttled").partition("=")[2]
    return {**found, "throttled": throttled} if throttled else found


def _watched(rig: BoardRig, seconds: float) -> str:
    """Return whether the alarm was raised within this time: the driver forgets it at its next look."""
    end, low = rig.now() + seconds, False
    while rig.now() < end:
        low = bool(_low(rig)) or low
        rig.wait(PERIOD / 4)
    return LOW if low else GOOD


def _low(rig: BoardRig) -> bool | None:
    """Return whether the supply is too low, None where nothing measures it."""
    for path, name in rig.machine.texts("sys/class/hwmon/*/name").items():
        if name == "rpi_volt":
            return rig.machine.text(path.replace("/name", "/in0_lcrit_alarm")) == "1"
    throttled = rig.machine.run("vcgencmd", "get_throttled").partition("=")[2]
    return bool(int(throttled, 16) & _UNDERVOLTAGE) if throttled else None


def card(rig: BoardRig) -> Figures:
    """Sync blocks to the card in a thread, as the game does, while the keys are polled."""
    times: list[float] = []
    failed: list[OSError] = []
    over = threading.Event()

    def write() -> None:
        try:
            times.extend(rig.machine.sync() for _ in range(SYNCS))
        except OSError as error:
            failed.append(error)
        finally:
            over.set()

    with rig.keypad(parks=False) as (keypad, _):
        writer = threading.Thread(target=write, name="card", daemon=True)
        last, longest = rig.now(), 0.0
        writer.start()
        done = False
        while not done:
            done = over.is_set()
            keypad.poll(rig.now())
            rig.wait(POLL)
            now = rig.now()
            last, longest = now, max(longest, now - last)
        writer.join()
    if failed:
        raise CannotRunError(f"{rig.machine.folder} cannot be written: {failed[0].strerror}")
    return {
        "p50_ms": milliseconds(percentile(times, 50)),
        "p99_ms": milliseconds(percentile(times, 99)),
        "max_ms": milliseconds(max(times)),
        "poll_gap_ms": milliseconds(longest),
    }
