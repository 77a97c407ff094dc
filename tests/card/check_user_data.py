"""Ask cloud-init itself whether it accepts the user-data that prepared cards have.

Run by `make test-boot`. Needs the package cloud-init, and no root.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bootcard import IMAGER, USER_DATA, make_card

from appliance.card.partition import read_card, write
from appliance.card.prepare import plan_prepare

CARDS = {
    "an image as it comes": USER_DATA,
    "an image with Windows line ends": USER_DATA.replace(b"\n", b"\r\n"),
    "an image that Imager has customised": IMAGER,
    "the same with Windows line ends and nothing at its end": IMAGER.rstrip().replace(b"\n", b"\r\n"),
    "an image with Imager's Wi-Fi alone": b"#cloud-config\nruncmd:\n  - [ rfkill, unblock, wifi ]\n",
    "an image with Imager's name alone": IMAGER[: IMAGER.index(b"timezone")],
}


def main() -> int:
    """Check each card; return 1 when one is not accepted, 2 when there is no cloud-init to ask."""
    if not shutil.which("cloud-init"):
        sys.stderr.write("cloud-init is missing: sudo apt install --no-install-recommends cloud-init\n")
        return 2
    bad = 0
    for name, user_data in CARDS.items():
        with tempfile.TemporaryDirectory() as folder:
            card = read_card(make_card(Path(folder) / "card", user_data=user_data))
            write(card, plan_prepare(card, "", {}, {"hostname": "box"}).changes)
            command = ["cloud-init", "schema", "--config-file", card.path("user-data")]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        bad += done.returncode != 0
        sys.stdout.write(f"{name}: {'not ' * bool(done.returncode)}accepted\n")
        sys.stdout.write(done.stdout + done.stderr if done.returncode else "")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
