import os
import re
import shutil
import subprocess

import pytest
from bootcard import make_card, make_deb
from hypothesis import given
from hypothesis import strategies as st

from appliance.bootfiles.debs import Relation, compare, read_deb
from appliance.bootfiles.fit import architecture_of, check_fit
from appliance.bootfiles.partition import read_card
from appliance.bootfiles.table import table
from appliance.errors import UserError

RELEASES = table().releases
VERSIONS = st.from_regex(r"([0-9]:)?[0-9][a-z0-9.+~]{0,6}(-[a-z0-9.+~]{1,4})?", fullmatch=True)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("1", "2"),
        ("1.9", "1.10"),
        ("1.0~rc1", "1.0"),
        ("1.0~~", "1.0~"),
        ("1.0", "1.0a"),
        ("1.0a", "1.0+"),
        ("1.0", "1.0-1"),
        ("1.0-1", "1.0-1+b1"),
        ("9", "1:0"),
        ("2.36-9+rpt2", "2.36-9+rpt2+deb12u4"),
        ("3.13~", "3.13.5-1"),
        ("1.0-1~bpo12+1", "1.0-1"),
        ("a", "b"),
    ],
)
def test_which_version_is_newer(older, newer):
    assert (compare(older, newer), compare(newer, older), compare(newer, newer)) == (-1, 1, 0)


def test_equal_versions_in_other_words():
    assert compare("1.0", "0:1.0") == 0
    assert compare("1.0-0", "1.0") == 0
    assert compare("1.010", "1.10") == 0


@given(VERSIONS, VERSIONS, VERSIONS)
def test_versions_are_in_one_order(a, b, c):
    assert compare(a, b) == -compare(b, a)
    if compare(a, b) <= 0 and compare(b, c) <= 0:
        assert compare(a, c) <= 0


@pytest.mark.parametrize("pack", ["xz", "gz"])
def test_what_a_package_says_of_itself(tmp_path, pack):
    made = make_deb(
        tmp_path / "x.deb",
        name="python3-pil",
        architecture="arm64",
        version="11.1.0-5",
        depends="libc6 (>= 2.38), python3:any (<< 3.14), a | b (= 1)",
        more="Provides: python3-imaging (= 1), pil\nDescription: pictures\n long: text\n",
        pack=pack,
    )
    deb = read_deb(made)
    assert (deb.name, deb.version, deb.architecture, deb.content) == (
        "python3-pil",
        "11.1.0-5",
        "arm64",
        made.read_bytes(),
    )
    assert deb.depends == (
        (Relation("libc6", ">=", "2.38"),),
        (Relation("python3", "<<", "3.14"),),
        (Relation("a"), Relation("b", "=", "1")),
    )
    assert deb.provides == ("python3-imaging", "pil")
    assert [str(relation) for relation in deb.depends[2]] == ["a", "b (= 1)"]


def test_debians_own_tools_agree_on_the_packages_made_here(tmp_path):
    if not shutil.which("dpkg-deb"):
        pytest.skip("no dpkg-deb on this computer")
    made = make_deb(tmp_path / "x.deb", depends="python3")
    said = subprocess.run(["dpkg-deb", "-f", made, "Depends"], check=True, capture_output=True, text=True)
    assert said.stdout.strip() == "python3"


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda p: p.unlink(), "cannot be read: No such file or directory"),
        (lambda p: p.write_bytes(b""), "not a Debian package (.deb), or one that was cut short"),
        (lambda p: p.write_bytes(b"PK\3\4"), "not a Debian package (.deb), or one that was cut short"),
        (
            lambda p: p.write_bytes(p.read_bytes()[:150]),
            "not a Debian package (.deb), or one that was cut short",
        ),
        (
            lambda p: p.write_bytes(p.read_bytes().replace(b"control.tar", b"control.zip")),
            "not a Debian package",
        ),
        (
            lambda p: p.write_bytes(p.read_bytes()[:140] + b"x" * 40 + p.read_bytes()[180:]),
            "not a Debian package",
        ),
        (
            lambda p: p.write_bytes(p.read_bytes().replace(b"tar.xz  ", b"tar.zst ", 1)),
            "a package for another system",
        ),
        (lambda p: os.truncate(p, 40 * 1024**2), "larger than 32 MB"),
    ],
)
def test_a_file_that_is_no_package_is_refused(tmp_path, spoil, sentence):
    made = make_deb(tmp_path / "x.deb")
    spoil(made)
    with pytest.raises(UserError, match=re.escape(sentence)):
        read_deb(made)


@pytest.mark.parametrize("made", [{"name": ""}, {"version": ""}, {"control": "./md5sums"}])
def test_a_package_that_does_not_say_what_it_is_is_refused(tmp_path, made):
    with pytest.raises(UserError, match="not a Debian package"):
        read_deb(make_deb(tmp_path / "x.deb", **made))


def fit(tmp_path, *packages, release="trixie", architecture="arm64"):
    """Each package: name, dependencies, architecture."""
    debs = []
    for number, (name, depends, *rest) in enumerate(packages):
        made = make_deb(tmp_path / f"{number}.deb", name, depends, *rest)
        debs.append(read_deb(made))
    return check_fit(debs, RELEASES.get(release), architecture)


OURS = (
    "tictactoe-appliance",
    "python3 (>= 3.11), python3-gpiozero (>= 1.6.2), python3-luma.oled, python3-yaml",
)
LUMA = ("python3-luma.oled", "python3-luma.core")
CORE = ("python3-luma.core", "python3-pil")


def test_what_the_packages_need_beyond_themselves_and_the_image(tmp_path):
    assert fit(tmp_path, OURS, LUMA, CORE) == ["python3-pil", "python3-yaml"]
    assert fit(tmp_path, OURS, LUMA, CORE, ("python3-pil", "libc6 (>= 2.38)"), ("python3-yaml", "")) == []
    assert (
        fit(tmp_path, OURS, LUMA, CORE, ("x", "", "all", "1", "Provides: python3-pil, python3-yaml\n")) == []
    )
    assert fit(tmp_path, ("tictactoe-appliance", "nothing | python3"), release="none") == []
    assert fit(tmp_path, ("tictactoe-appliance", "python3.13, python3.13:any | x"), release="trixie") == []


@pytest.mark.parametrize(
    ("packages", "sentence"),
    [
        ([LUMA, CORE], "none of the packages is tictactoe-appliance"),
        (
            [OURS, CORE],
            "0.deb: it needs python3-luma.oled, which no image has and which is not among the packages",
        ),
        (
            [("tictactoe-appliance", "python3-luma.oled (>= 3.10)"), LUMA, CORE],
            "0.deb: it needs python3-luma.oled (>= 3.10), which no image has",
        ),
        ([OURS, LUMA], "1.deb: it needs python3-luma.core, which no image has"),
        ([OURS, LUMA, CORE, CORE], "python3-luma.core is given more than once"),
        ([OURS, LUMA, (*CORE, "armhf")], "made for armhf, and the system on this card is arm64"),
        (
            [("tictactoe-appliance", "python3 (>= 3.14)")],
            "made for another release: it needs python3 (>= 3.14), and trixie has 3.13.5-1",
        ),
        (
            [("tictactoe-appliance", "python3 (<< 3.12)")],
            "made for another release: it needs python3 (<< 3.12)",
        ),
        (
            [("tictactoe-appliance", "python3.11")],
            "made for another release: it needs python3.11, which trixie",
        ),
        (
            [("tictactoe-appliance", "libc6 (>> 2.99) | python3.11")],
            "made for another release: it needs libc6",
        ),
    ],
)
def test_packages_that_cannot_be_installed_are_refused(tmp_path, packages, sentence):
    with pytest.raises(UserError, match=re.escape(sentence)):
        fit(tmp_path, *packages)


def test_a_package_of_trixie_is_not_for_bookworm(tmp_path):
    pil = ("tictactoe-appliance", "python3 (>= 3.13~), python3 (<< 3.14)")
    assert fit(tmp_path, pil) == []
    with pytest.raises(UserError, match=re.escape("and bookworm has 3.11.2-1+b1")):
        fit(tmp_path, pil, release="bookworm")


@pytest.mark.parametrize(
    ("kernels", "architecture"),
    [
        (["kernel8.img", "kernel_2712.img"], "arm64"),
        (["kernel.img", "kernel7.img", "kernel7l.img", "kernel8.img"], "armhf"),
        (["vmlinuz"], ""),
    ],
)
def test_the_kernels_tell_the_systems_architecture(tmp_path, kernels, architecture):
    root = make_card(tmp_path / "card")
    for path in root.glob("kernel*"):
        path.unlink()
    for name in kernels:
        (root / name).touch()
    assert architecture_of(read_card(root)) == architecture
    assert fit(tmp_path, OURS, LUMA, CORE, architecture="") == ["python3-pil", "python3-yaml"]
