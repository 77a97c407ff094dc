"""The page of a release: each file has its row, and what a reader types is so."""

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.release import imager, note

ROOT = Path(__file__).parents[2]
ARM64 = imager.Image(
    "tictactoe-box_0.2.0_arm64.img.xz", "0.2.0", "arm64",
    ("raspberrypi,model-zero-2-w", "raspberrypi,5-model-b"), 5, "a" * 64, 50, "b" * 64,
)  # fmt: skip
ARMEL = ARM64._replace(
    file="tictactoe-box_0.2.0_armel.img.xz", architecture="armel", machines=("raspberrypi,model-zero",)
)
BASE = "https://example.org/v0.2.0"
SECTION = "For you:\na box.", "### Added\n\n- A face\n  that sulks.\n- 100,000 games\n  2. a number."


def names():
    """Return the names of a release's files: what image/assemble writes, and what comes beside it."""
    script = (ROOT / "image/assemble").read_text()
    out = "".join(line for line in script.splitlines() if '"$out/' in line)
    ends = set(re.findall(r'"\$(?:out|work|slot)/\$name\.([a-z.]+)"', out))
    assert {"img.xz", "licences.zip", "spdx.json"} <= ends
    [update] = set(re.findall(r'"\$out/(update-\S+\.box)"', out))
    found = ["tictactoe-appliance_0.2.0_all.deb"]
    for one in ("arm64", "armel"):
        found += [f"tictactoe-box_0.2.0_{one}.{end}" for end in ends]
        found.append(update.replace("$version", "0.2.0").replace("$architecture", one))
    for project in ("tictactoe_appliance", "mnk_engine"):
        found += [f"{project}-0.2.0-py3-none-any.whl", f"{project}-0.2.0.tar.gz"]
    return [*found, imager.FILE, imager.ICON, note.FILE, note.SUMS, note.SIGNATURE]


def page(base=BASE):
    return note.note("0.2.0", SECTION, names(), [ARM64, ARMEL], base)


def rows(text):
    """Return what the tables say a file is for, by its name."""
    cells = re.findall(r"^\| (.*?) \| (.*?) \|$", text, flags=re.MULTILINE)
    return {name: what for what, files in cells for name in re.findall(r"\[([^]]+)\]", files)}


def test_each_file_has_a_row_with_its_link_and_no_row_is_without_a_file():
    text = page()
    assert rows(text).keys() == set(names())
    links = re.findall(r"\[([^]]+)\]\((https://example[^)]+)\)", text)
    assert all(link == f"{BASE}/{name}" for name, link in links)
    assert page(f"{BASE}/") == text
    assert "|  |" not in text
    assert "`update-0.2.0-arm64.box`" in page("")


def test_a_file_that_nobody_explains_is_named():
    with pytest.raises(LookupError, match=r"^box.iso: no row of tools/release/note.py"):
        note.note("0.2.0", SECTION, [*names(), "box.iso"], [ARM64, ARMEL], BASE)


def test_it_says_for_which_models_an_image_is():
    assert rows(page())[ARM64.file] == "the SD card of a Raspberry Pi 5, 500, Zero 2 W"
    assert rows(page())[ARMEL.file] == "the SD card of a Raspberry Pi Zero, Zero W"


def test_it_begins_with_what_is_new_for_players_and_ends_with_all_changes():
    assert page().startswith("# The tic-tac-toe box 0.2.0\n\nFor you: a box.\n\n| for | download |\n")
    assert page().endswith(
        "## All changes\n\n### Added\n\n- A face that sulks.\n- 100,000 games\n  2. a number.\n"
    )


def test_github_which_keeps_line_breaks_shows_each_paragraph_as_one():
    plain = re.sub(r"^(\||#|- |\d+\. |    ).*", "", page(), flags=re.MULTILINE)
    assert not re.search(r"\S *\n *[\w`*(]", plain)


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="coreutils are missing")
def test_the_command_for_linux_checks_what_was_downloaded(tmp_path):
    command = re.search(r"^\| Linux \| `(.*)` \|$", page(), flags=re.MULTILINE)[1]
    (tmp_path / ARMEL.file).write_text("card")
    sums = {ARMEL.file: hashlib.sha256(b"card").hexdigest(), ARM64.file: "0" * 64}
    (tmp_path / note.SUMS).write_text("".join(f"{digest}  {name}\n" for name, digest in sums.items()))

    def check():
        return subprocess.run(command.split(), cwd=tmp_path, check=False, capture_output=True, text=True)

    assert check().stdout == f"{ARMEL.file}: OK\n"
    (tmp_path / ARMEL.file).write_text("crad")
    assert check().returncode


def test_the_signature_is_verified_as_security_md_says():
    commands = re.findall(r"^ {4}(ssh-keygen -Y verify .*)$", page(), flags=re.MULTILINE)
    assert [f"    {command}\n" in (ROOT / "SECURITY.md").read_text() for command in commands] == [True]
