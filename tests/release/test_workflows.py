"""The forge's workflows: they run make's targets, those of .ci/run, with pinned actions and few rights.

`make lint-workflows` checks their syntax. They cannot run here, but their steps are commands of a shell.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PATHS = sorted((ROOT / ".github/workflows").glob("*.yml"))
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text()) for path in PATHS}
JOBS = {f"{name}.{job}": content for name, flow in WORKFLOWS.items() for job, content in flow["jobs"].items()}
STEPS = [(job, step) for job, content in JOBS.items() for step in content["steps"]]
PREPARING = re.compile(r"\.ci/packages|apt-get .* install .* git .*|git config .* safe.directory .*")


def test_the_tests_are_those_of_ci():
    targets = WORKFLOWS["tests"]["jobs"]["make"]["strategy"]["matrix"]["target"]
    script = (ROOT / ".ci/run").read_text()
    alone = re.findall(r"^make ([a-z-]+)$", script, flags=re.MULTILINE)
    [together] = re.findall(r"^for target in (.*); do$", script, flags=re.MULTILINE)
    assert targets == alone + together.split()


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_each_action_is_pinned_by_its_commit_and_says_which_version_that_is(path):
    uses = re.findall(r"uses: *(.*)", path.read_text())
    assert uses
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each) for each in uses)


def test_only_the_job_that_runs_nothing_but_ours_may_write():
    rights = {name: content.get("permissions") for name, content in JOBS.items()}
    assert rights == {
        "tests.make": None,
        "nightly.values": None,
        "release.build": {"contents": "read"},
        "release.publish": {"contents": "write"},
    }
    for name in "tests", "nightly":
        assert WORKFLOWS[name]["permissions"] == {"contents": "read"}
    assert WORKFLOWS["release"]["permissions"] == {}
    checkouts = [step for _, step in STEPS if step.get("uses", "").startswith("actions/checkout@")]
    assert all(step["with"] == {"persist-credentials": False} for step in checkouts)
    assert len(checkouts) == len(JOBS)
    assert not [step for _, step in STEPS if "secrets." in json.dumps(step)]


def test_each_step_is_one_target_of_make():
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    commands = {(job, step["run"]) for job, step in STEPS if "run" in step}
    made = {(job, each) for job, each in commands if not PREPARING.fullmatch(each)}
    assert made == {
        ("tests.make", "make ${{ matrix.target }}"),
        ("nightly.values", "make test-values"),
        ("release.build", "make release"),
        ("release.publish", "make publish"),
    }
    named = {
        *WORKFLOWS["tests"]["jobs"]["make"]["strategy"]["matrix"]["target"],
        "test-values",
        "release",
        "publish",
    }
    assert named <= set(targets)


@pytest.mark.skipif(not (shutil.which("git") and shutil.which("make")), reason="git or make is missing")
def test_what_is_published_is_all_of_dist_as_a_draft_for_the_tag(tmp_path):
    """With a stand-in for gh that tells what it was asked; a file that was changed stops it."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist/box.deb").touch()
    (tmp_path / "dist/RELEASE.md").touch()
    (tmp_path / "gh").write_text('#!/bin/sh\necho "$@"\n')
    (tmp_path / "gh").chmod(0o755)
    shell = """
        git init -q
        git -c user.name=a -c user.email=a@example.org commit -qm x --allow-empty
        git tag v0.2.0
        cd dist && sha256sum RELEASE.md box.deb >SHA256SUMS
    """
    subprocess.run(["bash", "-ec", shell], cwd=tmp_path, check=True)
    [command] = [step["run"] for job, step in STEPS if job == "release.publish" and "run" in step]
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path)}

    def publish():
        shell = ["bash", "-eo", "pipefail", "-c", command]
        return subprocess.run(
            shell, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    done = publish()
    assert done.stdout == (
        "release create v0.2.0 --draft --verify-tag --notes-file dist/RELEASE.md "
        "dist/RELEASE.md dist/SHA256SUMS dist/box.deb\n"
    ), done.stderr
    (tmp_path / "dist/box.deb").write_text("another")
    assert publish().returncode
    (tmp_path / "gh").unlink()
    if not shutil.which("gh"):
        assert "make publish: gh is missing. Remedy: sudo apt install gh\n" in publish().stderr
