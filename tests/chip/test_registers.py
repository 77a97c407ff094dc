"""The stand-in itself: what it starts with, keeps and rejects, by the datasheet's table and the kernel."""

import pytest


@pytest.fixture
def found(drive):
    return drive("", "registers.py")


@pytest.mark.parametrize("pins", [""], ids=["no pins"])
def test_the_stand_in_is_a_raspberry_pi_s_chip(found):
    assert found["levels_at_power_on"] == [1] * 9 + [0] * 19, "BCM2835 ARM Peripherals, table 6-31"
    refused = found["refusals"]
    assert {name for name, answer in refused.items() if answer == "ok"} == {
        "fine: input",
        "fine: output",
        "fine: as it is",
    }
    assert refused.pop("a second holder") == "EBUSY"
    assert refused.pop("writing to an input") == "EPERM"
    assert set(refused.values()) == {"ok", "EINVAL"}
    assert found["kept"] == {
        "a pull": 1,
        "a pull, by way of an output": 1,
        "an output": 0,
        "an output that persists": 1,
    }
    halfway = {"low=1.6,high=1.6": 1, "low=1.7,high=1.7": 0, "zone=high": 1, "zone=low": 0}
    assert found["voltages"] == halfway, "two equal pulls make 1.65 V"
    assert found["edges"] == 2
