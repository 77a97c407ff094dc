"""What a box sends to its display while it plays scenarios, on any Python that has the program."""

from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from appliance.config.yamlfile import parse_yaml
from appliance.simulator.scenario import STEPS, scenario_from_node
from appliance.simulator.virtual import VirtualBox


def sent(text):
    """Play a scenario without its screenshots; return how many pictures it had, and a digest of the bytes."""
    scenario, digest = scenario_from_node(parse_yaml(text, "scenario")), sha256()
    with TemporaryDirectory() as folder:
        box = VirtualBox(scenario.config, scenario.seed, Path(folder), ask=scenario.ask)
        box.hardware.bus.watcher = lambda address, payload, _: digest.update(bytes([address]) + payload)
        for name, value in scenario.steps:
            if name != "screenshot":
                assert not STEPS[name].play(box, value), (name, value)
        frames = box.frames
        box.power_cut()
    return [frames, digest.hexdigest()]
