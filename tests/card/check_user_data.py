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
    "an image as it comes": {"user_data": USER_DATA},
    "an image with Windows line ends": {"user_data": USER_DATA.replace(b"\n", b"\r\n")},
    "an image that Imager has customised": {"user_data": IMAGER},
    "the same with Windows line ends and nothing at its end": {
        "user_data": IMAGER.rstrip().replace(b"\n", b"\r\n")
    },
    "an image to which Imager added Wi-Fi alone": {
        "user_data": b"#cloud-config\nruncmd:\n  - [ rfkill, unblock, wifi ]\n"
    },
    "an image to which Imager added a name alone": {"user_data": IMAGER[: IMAGER.index(b"timezone")]},
}


def main() -> int:
    """Check each card; return 1 when one is not accepted, 2 when there is no cloud-init to ask."""
    program = shutil.which("cloud-init")
    if not program:
        sys.stderr.write(
            "cloud-init is missing; remedy: sudo apt install --no-install-recommends cloud-init\n"
        )
        return 2
    bad = 0
    for name, made in CARDS.items():
        with tempfile.TemporaryDirectory() as folder:
            card = make_card(Path(folder) / "card", **made)
            found = read_card(card)
            write(found, plan_prepare(found, "", {}, {"hostname": "box"}).changes)
            command = [program, "schema", "--config-file", str(card / "user-data")]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        bad += done.returncode != 0
        sys.stdout.write(f"{name}: {'not accepted' if done.returncode else 'accepted'}\n")
        sys.stdout.write(done.stdout + done.stderr if done.returncode else "")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
