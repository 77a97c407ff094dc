"""The form in which the kernel of the first boards goes onto the card: one word in image/armel chooses."""

import lzma
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUNS = b"a kernel as it runs, " * 1000
UNPACKS_ITSELF = b"an unpacker, which knows \xfd7zXZ, " + lzma.compress(RUNS) + b" and a trailer"

pytestmark = pytest.mark.skipif(not shutil.which("xz"), reason="xz is missing")


def on_the_card(file, choice):
    script = f'. image/armel; {choice}; pack_kernel "$1"'
    command = ["bash", "-euo", "pipefail", "-c", script, "bash", file]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout


@pytest.mark.parametrize(("choice", "written"), [
    ("kernel_unpacked=no", UNPACKS_ITSELF), ("kernel_unpacked=yes", RUNS),
    (":", UNPACKS_ITSELF),  # as it stands: what these boards have started for years
])  # fmt: skip
def test_one_word_chooses_the_form_of_the_kernel(tmp_path, choice, written):
    (tmp_path / "vmlinuz").write_bytes(UNPACKS_ITSELF)
    assert on_the_card(tmp_path / "vmlinuz", choice) == written


@pytest.mark.parametrize("choice", ["kernel_unpacked=no", "kernel_unpacked=yes"])
def test_a_kernel_that_cannot_be_read_ends_the_build(tmp_path, choice):
    with pytest.raises(subprocess.CalledProcessError):
        on_the_card(tmp_path / "vmlinuz", choice)
