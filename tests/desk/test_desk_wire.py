"""What a transaction says, by chip and addressing mode; saying it leaves the chip as it was."""

import re

import pytest

from appliance.config.schema import Config
from appliance.desk.wire import decode
from appliance.simulator.chips import Sh1106, Ssd1306
from appliance.simulator.virtual import VirtualBox


@pytest.mark.parametrize(("before", "payload", "says"), [
    ("", "00 ae", "display off"),
    ("", "00 81 cf", "contrast 207"),
    ("", "00 8d 14", "charge pump 20"),
    ("", "00 20 00 43 a8 3f", "addressing mode 0; start line 3; multiplex ratio 63"),
    ("", "00 81", "an unfinished command"),
    ("00 81", "00 10", "contrast 16"),
    ("", "80 ae 80 e3", "display off; no operation"),
    ("", "", "nothing"),
    ("00 b3 11", "40 ff ff", "data, page 3, columns 16-17"),
    ("00 20 00 21 00 11 22 03 04", "40" + "ff" * 20, "data, pages 3-4, columns 0-17"),
    ("00 20 01", "40" + "ff" * 9, "data, pages 0-7, columns 0-1"),
])  # fmt: skip
def test_what_a_transaction_says(before, payload, says):
    chip, data = Ssd1306(), bytes.fromhex(payload)
    chip.write(bytes.fromhex(before))
    memory = chip.memory
    assert decode(chip, data, len(data)) == says
    assert (chip.memory, chip.pending) == (memory, bytes.fromhex(before)[1:] if before == "00 81" else b"")


def test_pages_of_a_chip_without_windows():
    assert decode(Sh1106(), bytes.fromhex("00b00012"), 4) == "page 0; column, low half 0; column, high half 2"


def test_bytes_that_nobody_takes():
    assert decode(Ssd1306(), b"\0\xae", -1) == "no answer from this address"
    assert decode(Ssd1306(), b"\0\xae\xe3", 2) == "display off; not acknowledged after 2 bytes"


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_a_game_changes_only_what_its_transactions_say(driver):
    config = Config()
    box = VirtualBox(config._replace(display=config.display._replace(driver=driver)))
    chip, bus, said = box.hardware.chip, box.hardware.bus, []
    bus.watcher = lambda _address, payload, taken: said.append((decode(chip, payload, taken), chip.memory))

    def compare(_address, _payload):
        says, before = said[-1]
        found = re.search(r"data, pages? (\d+)(?:-(\d+))?, columns? (\d+)(?:-(\d+))?", says)
        changed = [at for at, (old, new) in enumerate(zip(before, chip.memory, strict=True)) if old != new]
        first, last, left, right = (int(part or -1) for part in found.groups()) if found else (1, 0, 1, 0)
        pages, columns = range(first, max(first, last) + 1), range(left, max(left, right) + 1)
        assert all(at // chip.columns in pages and at % chip.columns in columns for at in changed), says

    bus.listener = compare
    for key in (4, 0, 2, 8):
        box.wait(2)
        box.tap(key)
    assert len(said) > 20
