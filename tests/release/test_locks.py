"""All that make installs from a package index is pinned by hash: requirements/."""

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKS = {path.stem: path.read_text().replace("\\\n", "") for path in ROOT.glob("requirements/*.txt")}
PINNED = {
    name: dict(re.findall(r"^([a-z0-9-]+)==(\S.*)", text, re.MULTILINE)) for name, text in LOCKS.items()
}
NEEDED = {
    "play": PROJECT["project"]["dependencies"] + PROJECT["build-system"]["requires"],
    **PROJECT["dependency-groups"],
}


def test_each_group_has_a_lock():
    assert set(LOCKS) == set(NEEDED)


@pytest.mark.parametrize("group", NEEDED)
def test_a_lock_has_what_its_group_needs_by_hash_and_names_no_package_index(group):
    # As package indexes compare names (PEP 503).
    names = {re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", one)[0]).lower() for one in NEEDED[group]}
    assert names <= set(PINNED[group])
    assert all(re.search(r" --hash=sha256:[0-9a-f]{64}", rest) for rest in PINNED[group].values())
    assert "://" not in LOCKS[group]


def test_a_package_in_two_locks_has_one_version():
    versions = {(name, rest.split()[0]) for pinned in PINNED.values() for name, rest in pinned.items()}
    assert len(versions) == len({name for name, _ in versions})


def test_each_package_of_npm_is_pinned_by_hash_and_the_lock_names_no_package_index():
    lock = json.loads((ROOT / "requirements/package-lock.json").read_text())
    asked = json.loads((ROOT / "requirements/package.json").read_text())["devDependencies"]
    assert lock["packages"].pop("")["devDependencies"] == asked
    assert all("integrity" in one and "resolved" not in one for one in lock["packages"].values())


def test_nothing_is_installed_past_the_locks():
    """But the box itself, and on a 32-bit Pi what piwheels has."""
    files = [ROOT / "Makefile", *(ROOT / ".ci").iterdir(), *ROOT.glob("tests/*/*.sh")]
    lines = "".join(path.read_text().replace("\\\n", "") for path in files).splitlines()
    commands = [
        one for one in lines if re.search(r"\$\(PIP\)|pip (install|download) -|npm i(nstall)?\b", one)
    ]
    assert len(commands) >= 5
    assert [one for one in commands if not re.search(r"^PIP |-r \S|\$\(PIP\) -e \.", one)] == []
