"""What measures each check of the plan, by its name."""

from collections.abc import Mapping

from appliance.devicetest.runner import Measure

MEASURES: Mapping[str, Measure] = {}
