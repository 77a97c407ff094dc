"""Whether cloud-init itself accepts the user-data of prepared cards: `make test-boot`. Needs its package."""

import subprocess

import pytest
from bootcard import IMAGER, USER_DATA, make_card

CARDS = {
    "as the image comes": USER_DATA,
    "with Windows line ends": USER_DATA.replace(b"\n", b"\r\n"),
    "by Imager": IMAGER,
    "by Imager, with Windows line ends and nothing at its end": IMAGER.rstrip().replace(b"\n", b"\r\n"),
    "by Imager, with Wi-Fi alone": b"#cloud-config\nruncmd:\n  - [ rfkill, unblock, wifi ]\n",
    "by Imager, with a name alone": IMAGER[: IMAGER.index(b"timezone")],
}


@pytest.mark.parametrize("user_data", CARDS.values(), ids=CARDS)
def test_cloud_init_accepts_the_user_data_of_a_prepared_card(tmp_path, boot, user_data):
    card = make_card(tmp_path / "card", user_data=user_data)
    assert boot("prepare", card, "--hostname", "box")[0] == 0
    command = ["cloud-init", "schema", "--config-file", card / "user-data"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
