"""The slow tests of damaged databases: every bit of the header, and many of the schema.

They print their figures: `make test-power`. The quick form is in `test_schema.py`.
"""

import logging

import pytest
from flipped_bits import HEADER_BITS, lost, played_on, schema_bits
from power_tools import report
from store_world import World

SCHEMA_BITS = 400


@pytest.mark.parametrize("log", [False, True])
def test_no_wrong_bit_in_header_or_schema_loses_anything(memory, log, caplog):
    caplog.set_level(logging.CRITICAL, "tictactoe")  # a line for each bit
    files = played_on(World(memory / "box"), log)
    missing = [
        [outcome for bit in bits if (outcome := lost(memory / "flipped", files, bit))]
        for bits in (range(HEADER_BITS), schema_bits(files, 1, SCHEMA_BITS))
    ]
    report(
        f"wrong bits {'beside a log' if log else 'alone'}: of {HEADER_BITS} in the header {len(missing[0])} "
        f"lost anything, of {SCHEMA_BITS} in the schema {len(missing[1])}"
    )
    assert missing == [[], []]
