"""The engine's own distribution: built, installed into a fresh environment, and tried there."""

import doctest
import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from appliance import __version__

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "tests/package/client.py"
EXAMPLES = """
import doctest, importlib, pkgutil, mnk_engine
found = pkgutil.walk_packages(mnk_engine.__path__, "mnk_engine.")
results = [doctest.testmod(importlib.import_module(one.name)) for one in found]
assert sum(one.attempted for one in results) > 30 and not sum(one.failed for one in results), results
"""
PIP = (sys.executable, "-m", "pip", "-q", "--disable-pip-version-check")
ENGINE = ROOT / "engine"
MODULES = {
    str(path.relative_to(ENGINE)) for where in ("*.py", "ultimate/*.py") for path in ENGINE.glob(where)
}


def run(*command, folder=None):
    return subprocess.run(
        list(map(str, command)), cwd=folder, capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    """Build it without the rest of the checkout, and without a network."""
    tree, out = tmp_path_factory.mktemp("checkout") / "engine", tmp_path_factory.mktemp("sdist")
    left = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
    shutil.copytree(ROOT / "engine", tree, ignore=left)
    build = f"from setuptools.build_meta import build_sdist as b; b({str(out)!r})"
    run(sys.executable, "-c", build, folder=tree)
    (found,) = out.iterdir()
    return found


@pytest.fixture(scope="module")
def wheel(sdist, tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    run(*PIP, "wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", out, sdist)
    (found,) = out.iterdir()
    return found


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """Return the Python of an environment that has nothing but the engine."""
    home = tmp_path_factory.mktemp("home")
    run(sys.executable, "-m", "venv", "--without-pip", home)
    run(*PIP, "--python", home / "bin/python", "install", "--no-index", wheel)
    return home / "bin/python"


def test_the_source_distribution_is_complete(sdist):
    top = f"mnk_engine-{__version__}"
    assert sdist.name == f"{top}.tar.gz"
    with tarfile.open(sdist) as archive:
        files = {member.name.removeprefix(f"{top}/") for member in archive if member.isfile()}
        licence = archive.extractfile(f"{top}/LICENSE").read()
    assert {*MODULES, "py.typed", "ultimate/values.bin", "README.md", "LICENSE", "pyproject.toml"} <= files
    assert licence == (ROOT / "LICENSE").read_bytes()


def test_the_wheel_has_no_file_in_common_with_the_box(wheel):
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (metadata,) = (archive.read(name).decode() for name in names if name.endswith("/METADATA"))
    ours = {name.removeprefix("mnk_engine/") for name in names if name.startswith("mnk_engine/")}
    assert ours == {*MODULES, "py.typed", "ultimate/values.bin"}
    assert {name.split("/")[0] for name in names} == {"mnk_engine", f"mnk_engine-{__version__}.dist-info"}
    assert any(name.endswith("LICENSE") for name in names)
    assert "Requires-Dist" not in metadata
    assert f"Version: {__version__}\n" in metadata


def test_the_examples_are_true_where_nothing_else_is_installed(python):
    run(python, "-I", "-c", EXAMPLES)
    run(python, "-I", "-m", "doctest", ROOT / "engine/README.md")
    command = "import json, mnk_engine, sys; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(run(python, "-I", "-c", command))
    assert not {"engine", "appliance", "gpiozero", "luma", "yaml"} & {name.split(".")[0] for name in loaded}


@pytest.fixture
def mypy(python, tmp_path):
    """Return a function that checks the types of a program as strictly as mypy can."""
    options = ("--strict", "--config-file=", "--cache-dir", tmp_path / "cache", "--python-executable", python)

    def check(program):
        script = tmp_path / "program.py"
        script.write_text(program)
        return run(sys.executable, "-m", "mypy", *options, script)

    return check


def test_a_program_that_uses_it_has_strict_types_and_searches_in_another_process(python, mypy):
    mypy(CLIENT.read_text())
    run(python, "-I", CLIENT)


def test_a_type_checker_knows_each_name(mypy, python):
    names = run(python, "-I", "-c", "import mnk_engine; print(*mnk_engine.__all__)").split()
    lines = [f"reveal_type(mnk_engine.{name})" for name in names]
    revealed = [
        line for line in mypy("\n".join(["import mnk_engine", *lines])).splitlines() if "Revealed" in line
    ]
    assert len(revealed) == len(lines) > 30
    assert not [line for line in revealed if '"Any"' in line]


def test_a_type_checker_sees_that_its_pages_game_is_a_position(mypy):
    """And finds a wrong call."""
    examples = doctest.DocTestParser().get_examples((ROOT / "engine/README.md").read_text())
    (game,) = [number for number, example in enumerate(examples) if example.source.startswith("class Nim")]
    source = "".join(example.source for example in examples[game - 2 : game + 1])
    mypy(
        f"from mnk_engine import GameRecord, search\n{source}\nsearch(GameRecord(Nim()).position).move + 1\n"
    )
    with pytest.raises(subprocess.CalledProcessError) as error:
        mypy("from mnk_engine import GameRecord, minimax, search\nsearch(9)\nminimax(9, 1)\nGameRecord(9)\n")
    assert error.value.stdout.count("[arg-type]") == 2
    assert error.value.stdout.count("[type-var]") == 1
