"""Check 14: the supply under load."""

from appliance.core.picture.scene import PatternScene
from appliance.devices.supply import PERIOD
from appliance.devicetest.judge import CannotRunError, Figure, Figures
from appliance.devicetest.rig import BoardRig

LOAD = 10.0  # seconds

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
