"""A keypad that fails is shown, reported once, and heals; if it does not, the service ends itself."""

import logging
from types import SimpleNamespace

import pytest
from gpio_chip import Chip
from key_rig import COLUMN_PINS, ROW_PINS

from appliance.config.schema import Config
from appliance.core.session.state import Phase
from appliance.devices.keypad import Keypad
from appliance.service.daemon import Service, Stalled, first_session
from appliance.service.loop import Parts
from appliance.service.threads import Scanner


class Box:
    """The service on the pins of a chip, on a clock that goes on only while the scanner waits."""

    def __init__(self, chip):
        self.now, self.drawn = 0.0, []
        panel = SimpleNamespace(
            turn=lambda *_: None, show=lambda picture, _now: self.drawn.append(picture), problem=None
        )
        panel.due, panel.service = lambda: None, lambda _now: None
        nothing = lambda *_: None  # noqa: E731
        # Parked, its thread would sleep in the test.
        keypad = Keypad(ROW_PINS, COLUMN_PINS, chip.network.factory, parks=False)
        parts = Parts(keypad, panel, None, nothing, nothing, nothing)
        self.service = Service(first_session(Config()), parts, lambda: self.now, None)
        self.scanner = self.service._scanner
        self.service.loop.start()

    def run(self, seconds):
        end = self.now + seconds
        while self.now < end:
            self.now += self.scanner.step()
            self.service.loop.turn()

    def tap(self, chip, key):
        chip.network.press(key)
        self.run(0.1)
        chip.network.release(key)
        self.run(0.1)

    @property
    def session(self):
        return self.service.loop.session

    @property
    def shown(self):
        """What the display says."""
        return self.drawn[-1].scene.badges, *self.drawn[-1].scene.notes[:1]

    def trouble(self):
        """Return why the scanner's thread is in trouble; it is the test's own, so it counts as started."""
        return self.scanner.trouble(self.now)


@pytest.fixture
def chip():
    with Chip.in_place() as chip:
        yield chip


@pytest.fixture
def box(chip, caplog):
    caplog.set_level(logging.INFO, "tictactoe")
    box = Box(chip)
    yield box
    box.service.loop.parts.keypad.close()


GONE = "the keys do not answer (LineError: [Errno 19] No such device: '/dev/gpiochip0 line 5')"
SILENT = (("keys",), "Buttons have failed")


def status(box):
    return box.service.status(box.service.problems)


def plain(text, chip):
    return text.replace(str(chip.path), "/dev/gpiochip0")


def test_a_chip_that_goes_and_comes_back_is_shown_reported_once_and_heals(chip, box, caplog):
    box.run(1.0)
    assert (box.session.badges, status(box)) == ((), "your turn, board .........")
    chip.unplug()
    box.run(60.0)
    assert box.shown == SILENT
    assert plain(status(box), chip) == f"your turn, board .........; {GONE}"
    assert [plain(message, chip) for message in caplog.messages] == [f"{GONE}; trying again"]
    chip.plug()
    box.run(15.0)
    assert (box.session.badges, status(box)) == ((), "your turn, board .........")
    assert caplog.messages[1:] == ["the keys answer again"]
    box.tap(chip, 4)
    assert box.session.phase is Phase.THINKING, "the tap was read"


def test_what_does_not_heal_ends_the_service_and_what_does_never(chip, box):
    for _ in range(3):  # each time from the beginning
        box.run(1.0)
        chip.unplug()
        box.run(Scanner.GIVE_UP - 10)
        assert box.trouble() == ""
        chip.plug()
        box.run(15.0)
    chip.unplug()
    box.run(Scanner.GIVE_UP + 10)
    assert plain(box.trouble(), chip).startswith(f"{GONE}, and have not for 1")
    with pytest.raises(Stalled, match=r"No such device.*, and have not for"):
        box.service.check()


@pytest.mark.parametrize("call", range(12))
def test_a_single_fault_of_any_call_is_over_within_a_second(chip, box, call):
    box.run(1.0)
    chip.network.press(4)
    chip.fail_after = call
    box.run(1.0)
    chip.network.release(4)
    box.run(0.1)
    assert (box.session.badges, status(box).partition(";")[2]) == ((), "")


def test_it_lights_a_dark_display_and_keeps_it_lit(chip, box):
    box.run(601.0)
    assert box.session.phase is Phase.ASLEEP
    chip.unplug()
    box.run(30.0)
    assert (box.session.lit, box.shown) == (True, SILENT)
    box.run(3600.0)
    assert box.session.lit
    assert box.shown[0] == ("keys",)
