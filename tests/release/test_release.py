"""What a release is, and what lies beside its package and images."""

import gzip
import io
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from pseudo_terminal import Pty

from appliance.slots import manifest
from tools.release import __main__ as edge
from tools.release import archive, tag

ROOT = Path(__file__).parents[2]
CHANGELOG = """# Changelog

## 0.2.0 - 2026-12-01

A box
to play.

### Added

- A box
  to hold.

## 0.1.0

### Added

- A.
"""
KEYS = "release ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGtleQ== me\n"
NO_TAG = "the commit has no tag v0.2.0. Remedy: git tag v0.2.0"
UNRELEASED = "CHANGELOG.md: on top is Unreleased, not 0.2.0. Remedy: a heading ## 0.2.0"
NO_INTRODUCTION = (
    "CHANGELOG.md: does not say what 0.2.0 brings to players. "
    "Remedy: a paragraph between ## 0.2.0 and its first ###"
)
NO_KEY = (
    "release.keys: has no key, so nobody can verify a signature. "
    'Remedy: echo "release $(cut -d" " -f1,2 KEY.pub)" >release.keys, and commit it'
)
NEEDS_MAKE = pytest.mark.skipif(not (shutil.which("make") and shutil.which("find")), reason="make is missing")
CHANGED = "some changes are not committed: README.md, new. Remedy: commit them, or git stash -u"


@pytest.mark.parametrize(("version", "tags", "changes", "changelog", "refused"), [
    ("0.2.0", ["v0.2.0"], [], CHANGELOG, []),
    ("0.2.0", ["last", "v0.2.0"], [], CHANGELOG.replace("0.2.0 - 2026-12-01", "0.2.0"), []),
    ("0.2.0", [], [], CHANGELOG, [NO_TAG]),
    ("0.2.0", ["v0.2.1"], [], CHANGELOG, [NO_TAG]),
    ("0.2.0", ["v0.2.0"], [" M README.md", "?? new"], CHANGELOG, [CHANGED]),
    ("0.2.0", ["v0.2.0"], [], CHANGELOG.replace("0.2.0 - 2026-12-01", "Unreleased"), [UNRELEASED]),
    ("0.2.0", ["v0.2.0"], [], "", [UNRELEASED.replace("Unreleased", "nothing")]),
    ("0.2.0", ["v0.2.0"], [], CHANGELOG.replace("A box\nto play.", ""),
     [NO_INTRODUCTION]),
    ("0.2.0", [], ["?? new", " M README.md", " M a", " M b"], "## Unreleased\n",
     [NO_TAG, UNRELEASED, CHANGED.replace("README.md, new", "new, README.md, a, ...")]),
    ("0.3.0.dev0", ["v0.2.0"], [], "## Unreleased\n",
     ["appliance/__init__.py: 0.3.0.dev0 is no release's version. Remedy: 0.3.0"]),
])  # fmt: skip
def test_what_is_no_release_is_refused_for_each_reason(version, tags, changes, changelog, refused):
    assert tag.refusals(version, tags, changes, {"CHANGELOG.md": changelog, "release.keys": KEYS}) == refused


@pytest.mark.parametrize(("words", "said"), [
    ("**Download:** nothing has been released yet.", "nothing has been released"),
    ("There is none yet. Nothing\nhas been\nreleased.", "Nothing has been released"),
    ("It is not published yet.", "not published"),
    ("None has ever been published.", "None has ever been published"),
])  # fmt: skip
def test_what_a_release_makes_false_is_refused_with_its_page(words, said):
    pages = {"CHANGELOG.md": CHANGELOG, "release.keys": KEYS, "engine/README.md": f"# A page\n\n{words}\n"}
    sentence = f'engine/README.md: "{said}" will be false once this is released. Remedy: reword it'
    assert tag.refusals("0.2.0", ["v0.2.0"], [], pages) == [sentence]


def test_the_pages_of_this_checkout_stay_true_in_a_release():
    """CHANGELOG.md is for each release to edit."""
    paths = {*ROOT.glob("*.md"), *ROOT.glob("*/*.md")} - {ROOT / "CHANGELOG.md"}
    assert {ROOT / "README.md", ROOT / "SECURITY.md", ROOT / "engine/README.md"} < paths
    assert tag.premature({str(path.relative_to(ROOT)): path.read_text() for path in paths}) == []


@pytest.mark.parametrize(("name", "line", "said"), [
    ("README.md", "    git clone https://git.example/box",
     f"git clone: https://git.example/box is a placeholder. Remedy: {tag.WHERE}"),
    ("engine/pyproject.toml", 'Repository = "https://git.example/box"',
     f"Repository: https://git.example/box is a placeholder. Remedy: {tag.WHERE}"),
    ("debian/control", "Maintainer: The authors <authors@box.invalid>",
     f"Maintainer: authors@box.invalid is a placeholder. Remedy: {tag.WHOM}"),
    ("debian/control", "Maintainer: The authors", f"Maintainer: has no address. Remedy: {tag.WHOM}"),
])  # fmt: skip
def test_an_address_that_leads_nowhere_is_refused_with_its_file_and_key(name, line, said):
    pages = {"CHANGELOG.md": CHANGELOG, "release.keys": KEYS, name: f"# A page\n\n{line}\n"}
    assert tag.refusals("0.2.0", ["v0.2.0"], [], pages) == [f"{name}: {said}"]


def test_addresses_that_lead_somewhere_are_not_refused():
    pages = {"README.md": "    git clone https://github.com/somebody/example.git\n",
             "debian/control": "Maintainer: Jo Doe <jo@example.org>\n",
             "SECURITY.md": "For example, https://a.org/b.example is a file.\n"}  # fmt: skip
    assert tag.placeholders(pages) == []


def test_each_place_of_this_checkout_that_names_an_address_is_looked_at():
    """Until somebody publishes it, all of them are placeholders; then none."""
    places = [
        ("README.md", "Play it in your browser"), ("README.md", "git clone"),
        ("debian/control", "Maintainer"), ("engine/pyproject.toml", "Repository"),
        ("pyproject.toml", "Page"), ("pyproject.toml", "Repository"),
    ]  # fmt: skip
    pages = {name: (ROOT / name).read_text() for name, _ in places}
    found = tag.placeholders(pages)
    assert [tuple(sentence.split(": ")[:2]) for sentence in found] in ([], places)


@pytest.mark.parametrize("keys", ["", "# none\n", KEYS.replace("release ", "me@example.org ")])
def test_without_a_key_in_the_repository_no_signature_could_be_verified(keys):
    pages = {"CHANGELOG.md": CHANGELOG, "release.keys": keys}
    assert tag.refusals("0.2.0", ["v0.2.0"], [], pages) == [NO_KEY]


def test_a_versions_section_has_an_introduction_and_entries():
    assert tag.section(CHANGELOG, "0.2.0") == ("A box\nto play.", "### Added\n\n- A box\n  to hold.")
    assert tag.section(CHANGELOG, "0.1.0") == ("", "### Added\n\n- A.")


@pytest.mark.skipif(not shutil.which("git"), reason="git is missing")
@pytest.mark.parametrize(("variables", "refused"), [
    ({"RELEASE_URL": "https://example.org/v0.2.0"}, None),
    ({"RELEASE_URL": "example.org"}, "RELEASE_URL: example.org is not an address. Remedy: RELEASE_URL=https://..."),
    ({"SIGNING_KEY": "/no"}, "SIGNING_KEY: there is no file /no. Remedy: the private key of release.keys"),
])  # fmt: skip
def test_it_asks_git_and_looks_at_the_variables_first(tmp_path, monkeypatch, variables, refused):
    monkeypatch.setattr(edge, "ROOT", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    (tmp_path / "release.keys").write_text(KEYS)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    monkeypatch.setattr(edge, "__version__", "0.2.0")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"], ["tag", "v0.2.0"]):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    assert edge.check(variables) == ([refused] if refused else [])
    (tmp_path / "new").touch()
    assert any("new" in reason for reason in edge.check(variables))
    for name in ("README.md", "engine/pyproject.toml", "debian/control"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("Maintainer: Jo <jo@box.invalid>\n")
    subprocess.run([*git, "add", "."], cwd=tmp_path, check=True)
    named = [reason.partition(":")[0] for reason in edge.check({}) if "box.invalid" in reason]
    assert named == ["README.md", "debian/control", "engine/pyproject.toml"]


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="OpenSSH is missing")
def test_what_cannot_sign_is_refused_before_anything_is_built(tmp_path, monkeypatch):
    key = tmp_path / "key"
    key.write_text("a text\n")
    [refused] = edge.unsuitable(str(key), KEYS)
    assert refused == f"SIGNING_KEY: {key} is not a private SSH key. Remedy: one that ssh-keygen has made"
    key.unlink()
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", key], check=True)
    public = key.with_suffix(".pub").read_text()
    assert edge.unsuitable(str(key), f"{KEYS}release {public}") == []
    for keys in (KEYS, f"{KEYS}another {public}"):
        [refused] = edge.unsuitable(str(key), keys)
        assert refused == (
            f"SIGNING_KEY: release.keys does not list {key}. Remedy: add it, or sign by one it lists"
        )
    monkeypatch.setenv("PATH", str(tmp_path))
    [refused] = edge.unsuitable(str(key), KEYS)
    assert refused == "SIGNING_KEY: ssh-keygen is missing. Remedy: sudo apt install openssh-client"


@pytest.fixture
def build(tmp_path):
    """Return what runs `make release` with stand-ins that say their names, of which one refuses."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools/step", tmp_path / "tools")
    for name, output in {
        "tools/date": "86400",
        "image/tools": "tools $SNAPSHOT $*",
        "image/build": "build $SNAPSHOT $*",
        ".venv/bin/python": "python $*",
        "dist/old.box": "",
        "build/release/new.box": "",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/sh\necho "{output}"\ncase "{output}" in *"$MISSING") exit 2 ;; esac\n')
        path.chmod(0o755)

    def make(stderr=subprocess.PIPE, **variables):
        environment = {"PATH": os.environ["PATH"], "MISSING": "nothing", **variables}
        return subprocess.run(
            ["make", "-o", ".venv/.release", "release"],
            cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=stderr, text=True, check=False,
        )  # fmt: skip

    return make


@NEEDS_MAKE
@pytest.mark.parametrize("missing", ["check", "debian/build", "build/release", "nothing"])
def test_what_an_earlier_release_has_left_goes_only_when_nothing_is_missing(tmp_path, build, missing):
    done = build(MISSING=missing)
    complete = missing == "nothing"
    assert done.returncode == (0 if complete else 2), done.stderr
    assert [path.name for path in (tmp_path / "dist").iterdir()] == ["new.box" if complete else "old.box"]
    assert ("tools.release finish" in done.stdout) == complete


@NEEDS_MAKE
def test_on_a_terminal_a_release_says_which_step_it_has_come_to(build):
    assert "step" not in (piped := build()).stderr + piped.stdout
    pty = Pty()
    build(stderr=pty.slave)
    pty.drain()
    shown = re.findall(r"make release: step (\d) of (\d): ", pty.text)
    assert shown == [(str(number), "3") for number in (1, 2, 3)]
    pty.close()


@NEEDS_MAKE
@pytest.mark.parametrize(("variables", "snapshot"), [
    ({}, "19700101T000000Z"), ({"SNAPSHOT": "20260101T000000Z"}, "20260101T000000Z"),
    ({"MIRROR": "http://there"}, ""),
    ({"MIRROR": "http://there", "SNAPSHOT": "20260101T000000Z"}, "20260101T000000Z"),
])  # fmt: skip
def test_a_release_takes_debians_packages_of_the_day_before_its_commit(build, variables, snapshot):
    lines = build(**variables).stdout.splitlines()
    assert lines[1:3] == [
        f"tools {snapshot} SOURCE_DATE_EPOCH=86400 debian/build", f"build {snapshot} build/release"
    ]  # fmt: skip


def test_it_has_an_image_for_each_architecture():
    [value] = re.findall(r"^ARCHITECTURES := (.*)$", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert set(value.split()) == manifest.KERNELS.keys()


def packed(path, *, date, owner, mode):
    """Write a .tar.gz as a builder with this clock, name and umask would."""
    with gzip.GzipFile(path, "wb", mtime=date) as stream, tarfile.open(fileobj=stream, mode="w") as new:
        for name, text in (("p/b", b"second"), ("p/a", b"first"), ("p", None)):
            member = tarfile.TarInfo(name)
            member.type = tarfile.REGTYPE if text else tarfile.DIRTYPE
            member.size, member.mtime, member.uname, member.mode = len(text or b""), date + 0.5, owner, mode
            new.addfile(member, io.BytesIO(text or b""))
    return path


def test_a_source_distribution_is_the_same_whoever_packs_it_and_whenever(tmp_path):
    paths = [packed(tmp_path / "mine.tar.gz", date=1000, owner="me", mode=0o600),
             packed(tmp_path / "yours.tar.gz", date=2000, owner="you", mode=0o664)]  # fmt: skip
    for path in paths:
        archive.normalise(path, 86_400)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    with tarfile.open(paths[0]) as new:
        members = new.getmembers()
        assert [new.extractfile(each).read() for each in members if each.isfile()] == [b"first", b"second"]
    assert [(each.name, each.mode, each.mtime, each.uname, each.uid) for each in members] == [
        ("p", 0o755, 86_400, "", 0), ("p/a", 0o644, 86_400, "", 0), ("p/b", 0o644, 86_400, "", 0),
    ]  # fmt: skip


@pytest.fixture
def dist(tmp_path, monkeypatch):
    """A dist/ with a package and its sum, in a folder of its own."""
    folder = tmp_path / "dist"
    folder.mkdir()
    (folder / "box.deb").write_text("package")
    (folder / "SHA256SUMS").write_text("only of the package")
    monkeypatch.setattr(edge, "DIST", folder)
    return folder


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="coreutils are missing")
def test_the_sums_are_of_all_files(dist):
    (dist / "RELEASE.md").write_text("notes")
    edge.seal({})
    sums = (dist / "SHA256SUMS").read_text().splitlines()
    assert [line.split()[1] for line in sums] == ["RELEASE.md", "box.deb"]
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=dist, check=True)
    assert not (dist / "SHA256SUMS.sig").exists()


def test_everybody_can_read_all_files_whatever_the_builders_umask(dist):
    (dist / "box.deb").chmod(0o600)
    edge.seal({})
    assert {path.stat().st_mode & 0o777 for path in dist.iterdir()} == {0o644}


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="OpenSSH is missing")
def test_the_signature_is_verified_by_the_command_that_security_md_shows(dist, tmp_path):
    """With a throw-away key: a changed sum, and another's signature, are refused."""
    page = (ROOT / "SECURITY.md").read_text()
    [command] = re.findall(r"^ {4}(ssh-keygen -Y verify .*)", page, re.MULTILINE)
    for name in ("key", "other"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / name], check=True)

    def verify():
        return subprocess.run(["sh", "-c", command], cwd=dist, check=False, capture_output=True).returncode

    kind, public = (tmp_path / "key.pub").read_text().split()[:2]
    [name] = re.findall(r"-f (\S+)", command)
    (dist / name).write_text(f"release {kind} {public}\n")
    edge.seal({"SIGNING_KEY": str(tmp_path / "key")})
    assert verify() == 0
    sums = (dist / "SHA256SUMS").read_text()
    (dist / "SHA256SUMS").write_text(sums.replace("box", "bix"))
    assert verify() != 0
    edge.seal({"SIGNING_KEY": str(tmp_path / "other")})
    assert verify() != 0
