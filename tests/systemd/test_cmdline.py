"""How systemd itself reads our words of cmdline.txt: part of `make test-unit`. Fails without systemd."""

import subprocess
from pathlib import Path

from appliance.card.table import render

GENERATOR = "/usr/lib/systemd/system-generators/systemd-run-generator"
IMAGER = "systemd.run=/boot/firmware/firstrun.sh"  # Raspberry Pi Imager's
REST = "systemd.run_success_action=reboot systemd.unit=kernel-command-line.target"


def test_our_script_is_run_and_imagers_before_it(tmp_path):
    folders = [tmp_path / name for name in ("normal", "early", "late")]
    for folder in folders:
        folder.mkdir()
    line = " ".join((IMAGER, REST, render("cmdline.txt", {}).strip()))
    subprocess.run([GENERATOR, *folders], check=True, env={"SYSTEMD_PROC_CMDLINE": line})
    text = (tmp_path / "normal/kernel-command-line.service").read_text()
    assert [each for each in text.splitlines() if "=/boot" in each] == [
        "ExecStart=/boot/firmware/firstrun.sh",
        "ExecStart=/boot\\x2ffirmware/tictactoe/first-boot.sh",
    ]
    assert "SuccessAction=reboot" in text


def test_the_word_that_nothing_rewrites_is_the_path_of_the_script(tmp_path):
    """Raspberry Pi OS replaces each /boot/ in the file; systemd undoes the escape when it runs a program."""
    unit = tmp_path / "escaped.service"
    unit.write_text("[Service]\nType=oneshot\nExecStart=/nowhere\\x2fat-all/script.sh\n")
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert f"Command {Path('/nowhere/at-all/script.sh')} is not executable: No such file" in done.stderr
