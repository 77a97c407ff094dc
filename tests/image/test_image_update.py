"""What is no update for this box, on an emulated Raspberry Pi 3B. tests/card/test_update.py has the rest."""

from boxes import DIST
from test_image_start import plays


def test_an_update_that_is_cut_short_is_refused_and_the_box_plays(pi):
    pi.write("update.box", (DIST / "update.box").read_bytes()[: 20 << 20])
    pi.start()
    pi.wait(plays)
    assert "update.box: is damaged or was cut short" in pi.status
    assert pi.slot == "a"
