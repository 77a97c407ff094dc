"""requirements.lock pins everything that `make play` installs, by hash."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def name(requirement):
    """A requirement's name as package indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", requirement)[0]).lower()


def test_each_dependency_and_the_build_backend_is_pinned_by_hash():
    text = (ROOT / "requirements.lock").read_text().replace("\\\n", "")
    pinned = dict(re.findall(r"^([a-z0-9-]+)==\S+(.*)", text, flags=re.MULTILINE))
    needed = PROJECT["project"]["dependencies"] + PROJECT["build-system"]["requires"]
    assert {name(requirement) for requirement in needed} <= set(pinned)
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", hashes) for hashes in pinned.values())


def test_the_lock_names_no_package_index():
    assert "://" not in (ROOT / "requirements.lock").read_text()
