"""The self-test over pins that can wait for edges, as those of a real box do."""

from math import isfinite

import pytest
from gpio_chip import FALLING, Chip
from selftest_box import Box, bad

from appliance.boardtest.plan import chosen
from appliance.boardtest.runner import run


@pytest.fixture
def chip():
    with Chip.in_place() as chip:
        yield chip


@pytest.mark.parametrize("unanswered", [False, True])
def test_the_walk_ends_whether_or_not_anybody_presses(chip, unanswered):
    box = Box()
    box.network = chip.network
    if unanswered:
        chip.network.rewire(dict.fromkeys(range(9), ()))
    (row,) = run(box, chosen((3,)))
    assert row.verdict == ("failed" if unanswered else "ok")
    assert box.terminal.count("no contact\n") == 9 * unanswered
    assert ("no key makes contact" in box.terminal) == unanswered
    assert isfinite(box.now())
    assert not [flags for _, flags, _ in chip.changes if flags & FALLING], "polled throughout"


def test_a_fault_is_named(chip):
    box = Box()
    box.network = chip.network
    chip.network.rewire({4: ()})
    assert [what for what, _ in bad(box.run())] == ["key 5: no contact"]
