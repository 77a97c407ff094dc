"""The trainer of ultimate's values: one seed, one file. Needs gcc: `make test-ultimate`."""

import subprocess
import sys
import zlib
from pathlib import Path

import ultimate_values

ROOT = Path(__file__).parents[2]
FEW = "2000"


def learn(seed, file):
    subprocess.run([sys.executable, "-m", "tools.learn", seed, FEW, file], cwd=ROOT, check=True)
    return zlib.decompress(file.read_bytes())


def test_the_same_seed_learns_the_same_values(tmp_path):
    first, again, other = (learn(seed, tmp_path / f"{place}.bin") for place, seed in enumerate("112"))
    assert first == again != other


def test_it_writes_what_the_engine_reads_and_knows_who_has_marks(tmp_path, monkeypatch):
    assert len(learn("1", tmp_path / "values.bin")) == len(ultimate_values.file())
    monkeypatch.setattr(ultimate_values, "FILE", tmp_path / "values.bin")
    monkeypatch.setattr(ultimate_values, "file", ultimate_values.file.__wrapped__)
    two = "." * 36 + "x...x...." + "." * 36
    assert ultimate_values.evaluate(two, 4, "x") > 0
