"""What measures each check of the plan, by its name."""

from collections.abc import Mapping

from appliance.devicetest.bus import bus, status
from appliance.devicetest.contacts import bounce
from appliance.devicetest.lines import pins, pulls
from appliance.devicetest.load import power
from appliance.devicetest.margins import margin, settling
from appliance.devicetest.picture import noise, picture, replug
from appliance.devicetest.presses import cost, presses, waking
from appliance.devicetest.runner import Measure

MEASURES: Mapping[str, Measure] = {
    measure.__name__: measure
    for measure in (
        *(pins, pulls, margin, settling, cost, bounce, presses, waking),
        *(bus, status, picture, replug, noise, power),
    )
}
