"""What measures each check of the plan, by its name."""

from collections.abc import Mapping

from appliance.devicetest.bus import bus, status
from appliance.devicetest.contacts import bounce
from appliance.devicetest.lines import pins, pulls
from appliance.devicetest.load import card, power
from appliance.devicetest.margins import margin, settling
from appliance.devicetest.picture import noise, picture, replug
from appliance.devicetest.presses import cost, presses, waking
from appliance.devicetest.restart import start, unplugged, watchdogs
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
    "bus": bus,
    "status": status,
    "picture": picture,
    "replug": replug,
    "noise": noise,
    "power": power,
    "card": card,
    "watchdogs": watchdogs,
    "start": start,
    "unplugged": unplugged,
}
