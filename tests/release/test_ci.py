"""What CI runs: .ci/run with stand-ins; the forge's workflows, whose syntax `make lint-scripts` checks."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = {path.stem: path.read_text() for path in (ROOT / ".github/workflows").glob("*.yml")}
LISTS = re.findall(r"^(?:waits|first|paired|last)=\((.*?)\)", (ROOT / ".ci/run").read_text(), re.MULTILINE)
WAITS, FIRST, PAIRED, LAST = map(str.split, LISTS)

MAKE = """#!/bin/bash
target=${!#}
echo "$target begins"
[ -z "$PYTEST_XDIST_AUTO_NUM_WORKERS" ] || trap -p INT # a line if it is ignored
if [ "$target" = "$HANGS" ]; then touch hangs && exec sleep 600; fi
if [ "$target" = "$FAILS" ]; then
    until [ -z "$HANGS" ] || [ -e hangs ]; do sleep 0.01; done
    exit 2
fi
echo "$target ends"
"""


@pytest.fixture
def script(tmp_path):
    """Return what runs .ci/run with a make that does nothing."""
    for name, text in {
        "make": MAKE, ".ci/packages": "#!/bin/sh\necho packages\n", ".ci/run": (ROOT / ".ci/run").read_text(),
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)

    def run(**variables):
        environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TMPDIR": str(tmp_path), **variables}
        read, held = os.pipe()
        done = subprocess.run(
            ["bash", ".ci/run"], cwd=tmp_path, env=environment, pass_fds=[held],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        os.close(held)
        with os.fdopen(read) as pipe:
            assert pipe.read() == "", "it ends when no process is left"
        assert (done.stderr, list(tmp_path.glob("tmp.*"))) == ("", [])
        return done.returncode, done.stdout.splitlines()

    return run


def test_all_targets_are_run_each_with_its_output_together(script):
    status, lines = script()
    assert (status, lines[0], lines[-1][:14]) == (0, "packages", "== all passed,")
    for target in (*WAITS, *FIRST, "deb", *PAIRED, *LAST):
        at = lines.index(f"{target} begins")
        assert lines[at - 1].startswith(f"== make {target}, after ")
        assert lines[at + 1] == f"{target} ends"
        assert sum(re.fullmatch(rf" *\d+ s  {target}", line) is not None for line in lines) == 1


@pytest.mark.parametrize(
    ("fails", "hangs"),
    [(WAITS[0], ""), (FIRST[1], ""), ("deb", ""), (PAIRED[1], PAIRED[0]), (PAIRED[-1], ""), (LAST[0], "")],
)
def test_the_first_that_fails_ends_the_other_and_is_named_last(script, fails, hangs):
    status, lines = script(FAILS=fails, HANGS=hangs)
    assert status == 2
    assert f"{fails} begins" in lines
    assert f"{hangs} ends" not in lines
    assert re.fullmatch(rf"== failed, after \d+ s: make {fails}", lines[-1])


def jobs(workflow):
    return yaml.safe_load(WORKFLOWS[workflow])["jobs"]


@pytest.fixture(scope="module")
def forge():
    """Return the targets that the forge makes."""
    return [
        target
        for workflow in ("tests", "nightly")
        for targets in jobs(workflow)["make"]["strategy"]["matrix"]["target"]
        for target in targets.split()
    ]


def test_the_forge_runs_the_same_and_what_takes_too_long_here(forge):
    here = {*WAITS, *FIRST, *PAIRED, *LAST} - {"images"}  # there, test-image builds them
    assert sorted(forge) == sorted([*here, "test-cuts", "test-values"])
    targets = re.findall(r"^(?:\.PHONY:)?([a-z -]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert {*forge} <= {*" ".join(targets).split()}


def test_a_required_check_waits_for_all_others_and_fails_with_them():
    *others, passed = jobs("tests").items()
    assert [name for name, _ in others] == [passed[1]["needs"]]
    assert passed[1]["if"] == "always()"
    assert [step["run"] for step in passed[1]["steps"]] == ['test "${{ needs.make.result }}" = success']


def packages(*targets):
    return subprocess.run(
        [ROOT / ".ci/packages", "--list", *targets], capture_output=True, text=True, check=False
    )


def test_debians_packages_are_known_for_each_target_and_for_all_together(forge):
    lists = [packages(target) for target in (*forge, "release")]
    assert [done.stderr for done in lists if done.returncode] == []
    together = {package for done in lists for package in done.stdout.split()}
    assert packages().stdout.split() == sorted(together)
    assert "chromium" in together
    assert {"make", "shellcheck"} <= {*packages("lint-scripts").stdout.split()}
    unknown = packages("lint-scripts", "tset")
    assert (unknown.returncode, unknown.stdout, unknown.stderr.count("\n")) == (2, "", 1)
    assert unknown.stderr.startswith("packages: unknown target tset. Remedy: ")


def test_the_workflows_run_in_one_container_that_is_pinned():
    images = re.findall(r"image: *(\S+)", "".join(WORKFLOWS.values()))
    assert len(images) == 2
    assert re.fullmatch("debian:trixie@sha256:[0-9a-f]{64}", *{*images})


def test_dependabot_finds_all_that_is_pinned():
    """It reads requirements from files whose names end in .txt, and nothing of `container:`."""
    updates = yaml.safe_load((ROOT / ".github/dependabot.yml").read_text())["updates"]
    assert {each["package-ecosystem"]: each["directory"] for each in updates} == {
        "pip": "/requirements", "npm": "/requirements", "github-actions": "/",
    }  # fmt: skip
    pinned = {path.suffix for path in (ROOT / "requirements").iterdir() if " --hash=" in path.read_text()}
    assert pinned == {".txt"}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_an_action_is_pinned_and_has_no_rights_that_it_does_not_need(name):
    uses = re.findall(r"uses: *(.*)", WORKFLOWS[name])
    pinned = r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\./\.github/workflows/make\.yml"
    assert uses
    assert all(re.fullmatch(pinned, each) for each in uses)
    assert WORKFLOWS[name].count("actions/checkout@") == WORKFLOWS[name].count("persist-credentials: false")
    assert "secrets" not in WORKFLOWS[name]
    rights = yaml.safe_load(WORKFLOWS[name])["permissions"]
    publishes = name in {"page", "release"}
    assert rights == ({} if publishes else {"contents": "read"})
    more = [job for job, one in jobs(name).items() if one.get("permissions", rights) != {"contents": "read"}]
    assert more == (["publish"] if publishes else [])


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
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path)}

    def publish():
        return subprocess.run(
            ["make", "publish"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
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
