"""Faults of a hand-wired keypad, by name."""

from collections.abc import Mapping
from typing import NamedTuple

from appliance.config.kinds import Kind
from appliance.config.yamlfile import YamlNode
from appliance.core.keys.diagnosis import LINES, on_line
from appliance.core.keys.scan import KEYS, keys_of
from appliance.simulator.switches import SwitchNetwork


class KeyFault(NamedTuple):
    """A fault: the contacts that keys close instead of their own, and the keys that never open."""

    contacts: Mapping[int, tuple[int, ...]] = {}
    stuck: tuple[int, ...] = ()

    def apply(self, network: SwitchNetwork) -> None:
        """Add this fault to a network."""
        network.rewire(self.contacts)
        for key in self.stuck:
            network.stick(key)


def _dead(keys: int) -> KeyFault:
    return KeyFault(dict.fromkeys(keys_of(keys), ()))


KEY_FAULTS = {
    "none": KeyFault({key: (key,) for key in range(KEYS)}),  # ends the other faults of contacts
    **{f"dead:{key + 1}": _dead(1 << key) for key in range(KEYS)},
    **{f"dead:{kind}{index + 1}": _dead(on_line((kind, index))) for kind, index in LINES},
    **{f"stuck:{key + 1}": KeyFault(stuck=(key,)) for key in range(KEYS)},
    "swapped": KeyFault({0: (3,), 1: (4,), 2: (5,), 3: (0,), 4: (1,), 5: (2,)}),  # the wires of rows 1 and 2
    # Of the wires of columns 1 and 2.
    "bridge": KeyFault({left + key: (left, left + 1) for left in (0, 3, 6) for key in (0, 1)}),
}
FAULT_NAMES = "dead:5, dead:row1, dead:column1 (or with other numbers), stuck:3, swapped, bridge or none"


def _accept(node: YamlNode) -> str:
    if not isinstance(node.value, str) or node.value not in KEY_FAULTS:
        raise ValueError
    return node.value


FAULT = Kind(FAULT_NAMES, _accept)
