"""How the box is wired for a configuration: as a table, and as a drawing."""

from appliance.wiring.drawing import svg
from appliance.wiring.listing import lines

__all__ = ["lines", "svg"]
