"""The trainer of ultimate's values: one seed, one file. Needs gcc: `make test-ultimate`."""

import subprocess
import sys
import zlib
from pathlib import Path

import ultimate_values

ROOT = Path(__file__).parents[2]
FEW = "2000"


def trainer(*words):
    command = [sys.executable, "-m", "tools.learn", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def learn(seed, file):
    assert trainer(seed, FEW, file).returncode == 0
    return zlib.decompress(file.read_bytes())


def test_the_same_seed_learns_the_same_values(tmp_path):
    first, again, other = (learn(seed, tmp_path / f"{place}.bin") for place, seed in enumerate("112"))
    assert first == again != other


def test_a_file_is_compared_with_what_is_learned_anew(tmp_path):
    """Compressed by any zlib, it is the same; with one other value, it is not."""
    file = tmp_path / "values.bin"
    values = learn("1", file)
    file.write_bytes(zlib.compress(values, 1))
    same = trainer("compare", "1", FEW, file)
    assert (same.returncode, same.stdout) == (0, f"the same {len(values):,} values\n")
    file.write_bytes(zlib.compress(bytes([values[0] ^ 1]) + values[1:]))
    other = trainer("compare", "1", FEW, file)
    assert other.returncode == 1
    assert f"has other values than {FEW} games of seed 1: 1 of {len(values)}" in other.stderr
    assert zlib.decompress(file.read_bytes()) != values  # it has not written


def test_it_writes_what_the_engine_reads_and_knows_who_has_marks(tmp_path, monkeypatch):
    assert len(learn("1", tmp_path / "values.bin")) == len(ultimate_values.file())
    monkeypatch.setattr(ultimate_values, "FILE", tmp_path / "values.bin")
    monkeypatch.setattr(ultimate_values, "file", ultimate_values.file.__wrapped__)
    two = "..x.x...." + "." * 72
    assert ultimate_values.evaluate(two, 0, "x") > 0
