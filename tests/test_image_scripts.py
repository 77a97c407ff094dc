"""What builds the card image: where packages come from, its date, whose folders it trusts, which licences.

tests/image has what is in the image, once it was built.
"""

import os
import re
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = runpy.run_path(str(ROOT / "image/packages.py"))
SNAPSHOT = "http://snapshot.debian.org/archive"
WITH_GIT = pytest.mark.skipif(not shutil.which("git"), reason="git is missing")
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="gives a folder to another user, which needs root")


def run(*command, cwd=ROOT, **variables):
    environment = {"PATH": os.environ["PATH"], "HOME": str(cwd), **variables}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("variables", "option", "mirror", "security"), [
    ({}, "", "http://deb.debian.org/debian", "http://deb.debian.org/debian-security"),
    ({"MIRROR": "http://there/debian/"}, "", "http://there/debian/", "http://there/debian-security"),
    ({"MIRROR": "http://there/d", "SECURITY": "http://here/s"}, "", "http://there/d", "http://here/s"),
    ({"SNAPSHOT": "20260101T000000Z", "MIRROR": "", "SECURITY": ""}, "[check-valid-until=no] ",
     f"{SNAPSHOT}/debian/20260101T000000Z", f"{SNAPSHOT}/debian-security/20260101T000000Z"),
    ({"SNAPSHOT": "20260101T000000Z", "MIRROR": "http://there/d"}, "[check-valid-until=no] ",
     "http://there/d", f"{SNAPSHOT}/debian-security/20260101T000000Z"),
])  # fmt: skip
def test_packages_come_from_a_mirror_or_from_a_day_of_the_archive(variables, option, mirror, security):
    options = ("--backports", "--firmware")
    lines = run("image/sources", *options, "main", "non-free-firmware", **variables).stdout.splitlines()
    assert lines[:3] == run("image/sources", "main", "non-free-firmware", **variables).stdout.splitlines()
    assert lines == [
        f"deb {option}{mirror} trixie main non-free-firmware",
        f"deb {option}{mirror} trixie-updates main non-free-firmware",
        f"deb {option}{security} trixie-security main non-free-firmware",
        f"deb {option}{mirror} trixie-backports main non-free-firmware",
        f"deb [check-valid-until=no] {mirror} forky non-free-firmware",  # of these, not main
    ]


def test_a_mirror_that_lags_behind_is_asked_by_trixies_other_name():
    lines = run("image/sources", "main", SUITE="stable").stdout.splitlines()
    there = "deb [check-valid-until=no] http://deb.debian.org/debian"
    assert lines == [
        f"{there}{rest} main" for rest in (" stable", " stable-updates", "-security stable-security")
    ]


def test_a_day_that_is_none_is_refused():
    done = run("image/sources", "main", SNAPSHOT="yesterday")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "make image: SNAPSHOT is not a date: yesterday. Remedy: SNAPSHOT=20260101T000000Z\n"
    )


@pytest.fixture
def checkout(tmp_path):
    """A checkout with a package, in which image/tools only tells what it was asked."""
    for name in ("image/build", "tools/date", "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    os.utime(tmp_path / "CHANGELOG.md", (1234, 1234))
    tools = tmp_path / "image/tools"
    tools.write_text('#!/bin/sh\necho "$@"\n')
    tools.chmod(0o755)
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist/tictactoe-appliance_1_all.deb").touch()
    return tmp_path


def commit(checkout):
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    run(*git, "init", "--quiet", cwd=checkout)
    dates = {"GIT_COMMITTER_DATE": "@5678 +0000", "GIT_AUTHOR_DATE": "@5678 +0000"}
    assert run(*git, "commit", "--quiet", "--allow-empty", "-m", "x", cwd=checkout, **dates).returncode == 0


@WITH_GIT
def test_the_images_date_is_the_commits_or_without_git_the_changelogs(checkout):
    assert "SOURCE_DATE_EPOCH=1234 " in run("image/build", cwd=checkout).stdout
    commit(checkout)
    assert "SOURCE_DATE_EPOCH=5678 " in run("image/build", cwd=checkout).stdout
    assert "SOURCE_DATE_EPOCH=9 " in run("image/build", cwd=checkout, SOURCE_DATE_EPOCH="9").stdout


@pytest.mark.parametrize(("variables", "built"), [
    ({}, ["arm64"]), ({"ARCH": "armel"}, ["armel"]), ({"ARCH": "arm64 armel"}, ["arm64", "armel"]),
])  # fmt: skip
def test_an_image_is_built_for_each_architecture(checkout, variables, built):
    lines = run("image/build", cwd=checkout, **variables).stdout.splitlines()
    assert [line.partition("image/assemble ")[2] for line in lines] == [f"{one} dist" for one in built]


TOOLS = """#!/bin/sh
case $* in *"image/assemble $FAILS "*) exit 1 ;; esac
for out; do architecture=$last && last=$out; done
echo "builds $architecture"
echo image >"$out/tictactoe-box_1_$architecture.img.xz"
"""


def test_what_was_built_of_a_day_of_the_archive_is_not_built_again(checkout):
    """A second run goes on where the first one failed, unless what goes into an image has changed."""
    (checkout / "image/tools").write_text(TOOLS)

    def build(**variables):
        day = {"SNAPSHOT": "20260101T000000Z", "ARCH": "arm64 armel", **variables}
        return re.findall(
            r"^builds (\w+)", run("image/build", "out", cwd=checkout, **day).stdout, re.MULTILINE
        )

    assert build(FAILS="armel") == ["arm64"]
    assert build() == ["armel"]
    assert build() == []
    assert build(SNAPSHOT="20260102T000000Z") == ["arm64", "armel"]
    assert build(SNAPSHOT="20260102T000000Z", SOURCE_DATE_EPOCH="1") == ["arm64", "armel"]
    assert build() == build(MIRROR="http://there") == ["arm64", "armel"]
    for changed in ("image/init", "out/tictactoe-box_1_arm64.img.xz", "dist/tictactoe-appliance_1_all.deb"):
        build()
        (checkout / changed).write_text("another")
        assert build() == (["arm64"] if "arm64" in changed else ["arm64", "armel"]), changed
    assert (checkout / "out/tictactoe-appliance_1_all.deb").read_text() == "another"
    assert build(SNAPSHOT="") == build(SNAPSHOT="") == ["arm64", "armel"]


def test_an_architecture_without_an_image_is_refused(checkout):
    done = run("image/build", cwd=checkout, ARCH="arm64 mips")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(
        "make image: ARCH: there is no image for mips. Remedy: ARCH=arm64, ARCH=armel"
    )


@AS_ROOT
@WITH_GIT
def test_a_checkout_that_git_does_not_trust_is_reported(checkout):
    commit(checkout)
    for path in (checkout, *checkout.rglob("*")):
        os.chown(path, 12_345, 12_345)
    done = run("image/build", cwd=checkout)
    assert (done.returncode, done.stdout) == (2, "")
    assert "dubious ownership" in done.stderr
    assert f"Remedy: git config --global --add safe.directory {checkout}" in done.stderr


@AS_ROOT
@pytest.mark.parametrize("wrong", ["owner", "mode", "owner below", "mode below", "link below"])
def test_a_folder_of_somebody_elses_is_never_run_as_root(tmp_path, wrong):
    roots, ran = tmp_path / "roots", tmp_path / "ran"
    tools = roots / "image-tools"
    tools.mkdir(parents=True)
    place = tools if "below" in wrong else roots
    if "owner" in wrong:
        os.chown(place, 12_345, 12_345)
    elif "mode" in wrong:
        place.chmod(0o777)
    else:
        tools.rename(tmp_path / "elsewhere")
        tools.symlink_to(tmp_path / "elsewhere")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("mmdebstrap", "chroot"):
        (programs / name).write_text(f"#!/bin/sh\ntouch {ran}\nexit 1\n")
        (programs / name).chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    done = run("image/tools", "true", TICTACTOE_ROOTS=str(roots), PATH=path)
    assert done.returncode == 2
    assert done.stderr == (
        f"make image: {place} belongs to another user, or others can write to it. "
        f"Remedy: rm -r {place}, or set TICTACTOE_ROOTS to a folder of your own\n"
    )
    assert not ran.exists()


def test_an_ordinary_users_path_has_no_sbin(tmp_path):
    """Debian's has not, and chroot is there."""
    packages = re.findall(r'packages="(.*?) \$\{', (ROOT / "image/tools").read_text(), flags=re.DOTALL)[0]
    ready = tmp_path / "roots/image-tools/ready"
    ready.parent.mkdir(parents=True)
    ready.write_text("\n".join(packages.split()))
    (ready.parent / "etc").mkdir()
    for name, text in (("mmdebstrap", "exit 1"), ("unshare", 'echo "$PATH"')):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    path = f"{tmp_path}:/usr/bin:/bin"
    done = run("image/tools", "true", TICTACTOE_ROOTS=str(tmp_path / "roots"), PATH=path)
    assert {"/usr/sbin", "/sbin"} <= set(done.stdout.strip().split(":")), done.stderr


HEAD = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n"


@pytest.mark.parametrize(("text", "expression"), [
    ("This is free software; see /usr/share/common-licenses.\n", "NOASSERTION"),
    (HEAD + "Files: *\nLicense: Expat\n", "MIT"),
    (HEAD + "Files: *\nLicense: GPL-2+\n\nFiles: debian/*\nLicense: LGPL-2.1\n",
     "GPL-2.0-or-later AND LGPL-2.1-only"),
    (HEAD + "Files: *\nLicense: GPL-3 or Expat\n\nFiles: x\nLicense: ISC\n", "(GPL-3.0-only OR MIT) AND ISC"),
    (HEAD + "Files: *\nLicense: BSD and odd_one\n\nLicense: odd_one\n Do\n .\n it.\n",
     "LicenseRef-p-BSD AND LicenseRef-p-odd-one"),
    (HEAD + "Files: *\nLicense: GPL-2 with exception\n", "LicenseRef-p-GPL-2-with-exception"),
    (HEAD + "Files: *\nCopyright: me\n\nFiles: x\nLicense: ISC\n", "NOASSERTION"),
    (HEAD + "Files: *\nLicense:\n text alone\n", "NOASSERTION"),
])  # fmt: skip
def test_licences_are_those_that_the_copyright_file_names(text, expression):
    found = PACKAGES["licence"]("p", text)
    assert found.expression == expression
    assert all(name in expression for name in found.texts)
    assert found.texts.get("LicenseRef-p-odd-one", "Do\n.\nit.") == "Do\n.\nit."


@pytest.mark.parametrize(("sources", "addresses"), [
    ("glibc (= 2.41-12), ", ["glibc/2.41-12/"]),
    ("linux-signed (= 6.12+1), linux (= 6.12-1)", ["linux-signed/6.12%2B1/", "linux/6.12-1/"]),
    ("busybox (= 1:1.37.0-6), glibc (= 2.41-12)", ["busybox/1%3A1.37.0-6/", "glibc/2.41-12/"]),
])  # fmt: skip
def test_each_package_of_debians_has_the_addresses_of_its_sources(sources, addresses):
    """A signed kernel's own source has signatures alone, and busybox contains the C library."""
    found = [PACKAGES["package"](f"{name} 1:2-3+b1 arm64 00ff {sources}") for name in ("p", PACKAGES["OURS"])]
    lines = PACKAGES["origins"]("0.2.0", "", "Jo <jo@box.org>", found).splitlines()
    named = [f"https://snapshot.debian.org/package/{address}" for address in addresses]
    assert [line for line in lines if "https:" in line] == [f"p 1:2-3+b1: {' '.join(named)}"]


def test_the_sources_name_the_day_of_the_packages_if_it_is_known():
    day = "20260101T000000Z"
    assert f"make image SNAPSHOT={day}" in PACKAGES["origins"]("0.2.0", day, "Jo <jo@box.org>", [])
    assert "SNAPSHOT" not in PACKAGES["origins"]("0.2.0", "", "Jo <jo@box.org>", [])


def test_the_offer_of_the_sources_names_who_makes_it():
    text = PACKAGES["origins"]("0.2.0", "", "Jo Doe <jo@box.org>", [])
    assert "write to Jo Doe <jo@box.org>" in " ".join(text.split())


def test_the_lists_of_two_architectures_are_two_documents():
    names = [f"tictactoe-box_0.2.0_{architecture}" for architecture in ("arm64", "armel")]
    documents = [PACKAGES["document"](name, "0.2.0", 1234, {}) for name in names]
    assert [one["name"] for one in documents] == names
    assert len({one["documentNamespace"] for one in documents}) == 2
    assert {one["packages"][0]["versionInfo"] for one in documents} == {"0.2.0"}
