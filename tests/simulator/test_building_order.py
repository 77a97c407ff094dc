"""After each step in docs/building.md the display shows what the page says, on a box wired that far."""

from pathlib import Path

import pytest

from appliance.config.schema import Config
from appliance.core.session.view import view
from appliance.simulator.key_faults import KEY_FAULTS, KeyFault
from appliance.simulator.scenario import words_of
from appliance.simulator.virtual import VirtualBox

PAGE = " ".join((Path(__file__).parents[2] / "docs/building.md").read_text().split())
GROUND = KeyFault({key: (key, key + 3, key + 6) for key in range(3)})  # row 1
FROM_THE_FRONT = KeyFault({key: (key // 3 * 3 + 2 - key % 3,) for key in range(9)})  # columns 1 and 3


def report(*faults, held=0):
    """Return what the display says while a person holds a key at power-on, then does as it asks."""
    box = VirtualBox(Config())
    box.power_cut()
    for fault in faults:
        fault.apply(box.hardware.network)
    box.press(held)
    box.power_on()
    said = []

    def look(seconds):
        box.wait(seconds)
        said.extend(line for line in words_of(view(box.session).scene) if line not in said)

    look(3)
    box.release(held)
    asked = -1
    while box.phase == "self_test" and box.session.test.page < 5:
        look(0.25)
        walk = box.session.test.walk
        if walk is not None and walk.key != asked:
            asked = walk.key
            box.tap(asked, 0.3)
            look(0.25)
            if "Once more" in words_of(view(box.session).scene):
                box.tap(asked, 0.3)
    return said


def wired(rows):
    return [KEY_FAULTS[f"dead:row{row}"] for row in range(rows + 1, 4)]


@pytest.mark.parametrize(("faults", "held", "words"), [
    (wired(1), 0, ["Let go of the button", "3/9", "Faults: 2", "No contact: 4, 5, 6", "No contact: 7, 8, 9"]),
    (wired(2), 0, ["6/9", "Faults: 1", "No contact: 7, 8, 9"]),
    (wired(3), 0, ["9/9", "All buttons work"]),
    ([KEY_FAULTS["dead:5"]], 0, ["No contact: 5"]),
    ([KEY_FAULTS["dead:row1"]], 8, ["No contact: 1, 2, 3"]),
    ([FROM_THE_FRONT], 0, ["Wires swapped"]),
    ([KEY_FAULTS["bridge"]], 8, ["Shorted"]),
    ([GROUND], 8, ["Ground short"]),
    ([KeyFault(stuck=(0, 3, 6))], 8, ["Stuck: 1, 4, 7"]),
    ([*wired(1), KEY_FAULTS["dead:2"]], 0, ["Unclear"]),
    ([KEY_FAULTS["stuck:3"]], 0, ["Button 3 is stuck"]),
])  # fmt: skip
def test_a_box_that_is_wired_so_far_or_so_wrong_says_what_the_page_says(faults, held, words):
    said = report(*faults, held=held)
    for each in words:
        assert f'"{each}"' in PAGE
        assert any(line.startswith(each) for line in said), (each, said)


@pytest.mark.parametrize("keys", [9, 3])
def test_swapped_columns_are_named_with_their_pins_even_with_a_single_row(keys):
    wrong = {key: contacts if key < keys else () for key, contacts in FROM_THE_FRONT.contacts.items()}
    said = report(KeyFault(wrong))
    assert {"Wires swapped", "Column 1: BCM 5, pin 29", "Column 3: BCM 13, pin 33"} <= set(said)
    assert not any(line.startswith(("Row 1", "Column 2")) for line in said)


def test_a_held_key_without_contact_starts_the_game_instead():
    assert "Self-test" not in report(KEY_FAULTS["dead:1"])


def test_with_the_display_alone_a_new_box_asks_for_the_language_then_shows_the_board(tmp_path):
    box = VirtualBox(Config(), state=tmp_path, ask=True)
    assert box.phase == "menu"
    assert box.lit
    box.wait(21)
    assert box.phase == "your_turn"
    assert "after 20 seconds the board" in PAGE
