"""What measures each check of the plan, by its name."""

from collections.abc import Mapping

from appliance.devicetest.contacts import bounce
from appliance.devicetest.lines import pins, pulls
from appliance.devicetest.margins import margin, settling
from appliance.devicetest.presses import cost, presses, waking
from appliance.devicetest.runner import Measure

MEASURES: Mapping[str, Measure] = {
    "pins": pins,
    "pulls": pulls,
    "margin": margin,
    "settling": settling,
    "cost": cost,
    "bounce": bounce,
    "presses": presses,
    "waking": waking,
}
