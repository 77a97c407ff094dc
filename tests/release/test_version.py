"""The version stands in one place; the package's is its Debian spelling, with the commit's date."""

import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from appliance import __version__
from appliance.slots import manifest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def package(tmp_path):
    """Return what debian/changelog of a package has for a version."""
    for name in ("debian/write-changelog", "debian/control", "appliance/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)

    def changelog(version=__version__, epoch="0"):
        module = tmp_path / "appliance/__init__.py"
        module.write_text(re.sub('__version__ = ".*"', f'__version__ = "{version}"', module.read_text()))
        command = [tmp_path / "debian/write-changelog", epoch]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    return changelog


def test_it_is_a_release_or_on_the_way_to_the_next():
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev0)?", __version__)
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    assert (headings[0] == "Unreleased") == __version__.endswith(".dev0")
    released = [heading for heading in (__version__, *headings) if heading != "Unreleased"]
    assert all(manifest.order(new) >= manifest.order(old) for new, old in pairwise(released))


def test_all_that_is_built_here_has_the_same():
    modules = "".join((ROOT / name / "__init__.py").read_text() for name in ("appliance", "engine"))
    assert set(re.findall(r'^__version__ = "(.*)"$', modules, flags=re.MULTILINE)) == {__version__}


def test_a_box_takes_a_release_as_newer_than_what_was_built_before_it(package):
    spellings = ["0.1.0", "0.2.0.dev0", "0.2.0", "0.10.0.dev0", "0.10.0"]
    versions = [re.match(r"tictactoe-appliance \((.*)\) ", package(one))[1] for one in spellings]
    assert versions == ["0.1.0", "0.2.0~dev0", "0.2.0", "0.10.0~dev0", "0.10.0"]
    assert all(manifest.order(old) < manifest.order(new) for old, new in pairwise(versions))
    assert all(map(manifest._VERSION.fullmatch, versions))


def test_the_packages_date_is_what_it_is_given(package):
    maintainer = re.search(r"^Maintainer: (.*)", (ROOT / "debian/control").read_text(), flags=re.MULTILINE)[1]
    assert package(epoch="86400").endswith(f"\n -- {maintainer}  Fri, 02 Jan 1970 00:00:00 +0000\n")


@pytest.mark.skipif(
    not shutil.which("dpkg-parsechangelog"), reason="dpkg-dev is missing: sudo .ci/packages test"
)
def test_dpkg_reads_it(package, tmp_path):
    (tmp_path / "changelog").write_text(package("0.2.0.dev0"))
    command = ["dpkg-parsechangelog", "-l", tmp_path / "changelog", "-S", "Version"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("0.2.0~dev0\n", "")
