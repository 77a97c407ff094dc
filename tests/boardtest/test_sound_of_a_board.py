"""The check of the buzzer: what comes out of the pin, and what the person says about it."""

import sys

import pytest

from appliance.boardtest.plan import chosen
from appliance.boardtest.prompts import AGAIN, NO, YES
from appliance.boardtest.runner import run
from appliance.config.schema import Config
from appliance.devices.kernelpins import SET_VALUES, VALUES, KernelFactory

PIN = 24


@pytest.fixture
def heard(board, monkeypatch):
    """Return a function that runs the check: its verdict and figures, and how often the pin was high."""

    def check(kind, answers, pin=PIN):
        rig = board()
        rig.config = Config(buzzer=pin, buzzer_kind=kind)
        rig.open_factory = lambda: KernelFactory(0, rig.devices)
        waiting = iter(answers)
        monkeypatch.setattr("appliance.boardtest.picture.answer", lambda *_: next(waiting))
        levels, ioctl = [], rig.ioctl

        def noted(fd, number, data):
            if number == SET_VALUES:
                levels.append(VALUES.unpack(data)[0])
            return ioctl(fd, number, data)

        monkeypatch.setattr("appliance.devices.kernelpins.fcntl.ioctl", noted)
        [row] = run(rig, chosen((18,)), lambda _rows: None)
        assert list(waiting) == []
        assert rig.chip_stand_in.held() == set()
        return row.verdict, row.measured(), sum(levels)

    return check


@pytest.mark.parametrize(("answers", "found", "beeps"), [
    ([YES], ("ok", "yes"), 4), ([NO], ("failed", "no"), 4),
    ([AGAIN, AGAIN, YES], ("ok", "yes"), 12), ([None], ("failed", "no answer"), 4),
])  # fmt: skip
def test_the_tune_of_a_win_is_played_until_the_person_says_whether_it_was_heard(heard, answers, found, beeps):
    assert heard("active", answers) == (found[0], {"heard": found[1]}, beeps)


def test_a_passive_buzzer_on_the_image_fails_with_the_remedy(heard, monkeypatch):
    monkeypatch.setitem(sys.modules, "lgpio", None)
    verdict, figures, beeps = heard("passive", [])
    assert (verdict, beeps) == ("failed", 0)
    assert figures["reason"].endswith(
        'on the image, use an active one, and write "kind: active" under "sound:"'
    )


def test_without_a_buzzer_it_is_not_run(heard):
    assert heard("active", [], pin=None) == ("not run", {"reason": "no buzzer is configured: sound.pin"}, 0)
