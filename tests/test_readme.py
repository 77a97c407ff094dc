"""What README, docs/ and CONTRIBUTING say is so today."""

import ast
import json
import re
import shlex
import tomllib
from pathlib import Path
from statistics import median

import pytest
from PIL import Image, ImageSequence
from tables import key_rows

from appliance.bootfiles.file_table import boot_table
from appliance.bootfiles.wiring import wires
from appliance.cli import build_parser
from appliance.config.reading import load_config, possible_paths
from appliance.config.schema import Config
from appliance.core.session.menu import PAGES
from appliance.core.session.settings import LEVEL_NAMES, Options
from appliance.core.session.state import Page
from appliance.core.words.en import WORDS
from appliance.storage.database import MAX_GAMES, state_directory
from engine.people import MOST, RELIEF, TARGET
from tools.pictures import NOTEBOOK, main

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "tests/pictures"
DOCS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/*.md"))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)


def read(page):
    return (ROOT / page).read_text()


def prose(page):
    return FENCE.sub("", read(page))


PROSE = "".join(map(prose, ["README.md", "CONTRIBUTING.md", "SECURITY.md", *DOCS]))
COMMANDS = sorted(
    set(re.findall(r"(?:^    |`)(?:\$ |sudo |\.venv/bin/)*tictactoe ([^`#\n>|]+)", PROSE, flags=re.MULTILINE))
)
TARGETS = re.findall(r"^([a-z-]+):", read("Makefile"), flags=re.MULTILINE)


def test_each_page_is_short_and_linked_from_readme():
    assert len(read("README.md").split()) <= 1700
    assert sum(len(read(page).splitlines()) for page in DOCS) <= 1300
    assert all(f"]({page})" in read("README.md") for page in DOCS)


def test_the_address_of_the_project_is_that_of_its_packages():
    """Whoever publishes the project sets it in pyproject.toml; this says where else."""
    urls, engines = (
        tomllib.loads(read(file))["project"]["urls"] for file in ("pyproject.toml", "engine/pyproject.toml")
    )
    address = urls["Repository"]
    assert engines["Repository"] == address
    assert f"[Play it in your browser]({urls['Page']})" in read("README.md")
    assert f"git clone {address}\n    cd {address.rpartition('/')[2]}\n" in read("README.md")


def test_each_command_is_understood():
    assert len(COMMANDS) > 24
    assert {command.split()[0] for command in COMMANDS} >= {"boot", "config", "selftest", "simulate", "stats"}
    for command in COMMANDS:
        words = shlex.split(command)
        if words == ["boot", "prepare"]:  # mentioned, not meant to be typed
            words.append("DIR")
        assert callable(build_parser([words[0]]).parse_args(words).run), command


def test_each_target_is_there():
    made = r"(?:^    |`)make ([a-z -]+?)(?: [A-Z]+=[^`\n]*)?(?:\s*#.*)?[`\n]"
    named = re.findall(made, PROSE, flags=re.MULTILINE)
    assert {"play", "test", "deb", "image"} <= {*" ".join(named).split()} <= set(TARGETS)


def anchors(page):
    """Return the anchors that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.*)", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", ["boot/README.md", *sorted(path.name for path in ROOT.glob("*.md")), *DOCS])
def test_each_file_and_each_section_that_is_linked_is_there(page):
    for link in re.findall(r"\]\(([^)]+)\)", prose(page)):
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = (ROOT / page).parent / name if name else ROOT / page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.resolve().relative_to(ROOT)), link


def test_each_file_and_each_test_that_is_named_is_there():
    named = re.findall(r"`((?:appliance|engine|tests)/[\w/.]*)(?:::(\w+))?`", PROSE)
    assert len({test for _, test in named if test}) >= 4
    for path, test in named:
        assert (ROOT / path).exists(), path
        assert not test or f"def {test}(" in read(path), test


def defined(file):
    """Return the names that a Python file defines: `name`, or `Class.name`."""
    top = ast.parse(read(file)).body
    classes = (node for node in top if isinstance(node, ast.ClassDef))
    inner = [(f"{outer.name}.", node) for outer in classes for node in outer.body]
    found = set()
    for prefix, node in [*(("", node) for node in top), *inner]:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names = [getattr(node, "name", ""), *(ast.unparse(target) for target in targets if target)]
        found |= {prefix + name for name in names}
    return found


def test_each_file_and_each_name_in_it_of_the_page_on_the_design_is_there():
    named = re.findall(r"`([\w/.-]+)`:((?:,? `[\w.]+`)+)", " ".join(prose("docs/design.md").split()))
    assert len(named) > 60
    lacking = []
    for file, names in named:
        known = defined(file) if file.endswith(".py") else read(file)
        lacking += [f"{file}: {name}" for name in re.findall(r"[\w.]+", names) if name not in known]
    assert lacking == []


def test_the_four_wires_of_the_display_and_the_models_are_the_real_ones():
    printed = re.search(r"VCC at header pin (\d+), GND at (\d+), SDA at (\d+), SCL at (\d+)", PROSE)
    pins = {wire.terminal: str(wire.pin) for wire in wires(Config())}
    assert printed.groups() == tuple(pins[name] for name in ("VCC", "GND", "SDA", "SCL"))
    (models,) = re.findall(r"\(`--model (zero`.*?)\)", PROSE)
    assert models.replace("`", "").split(", ") == list(boot_table().models)


def test_the_table_of_models_has_those_of_boot_check_and_the_machines_of_the_images_tests():
    section = read("docs/boards.md").partition("\n## Models\n")[2].partition("\n## ")[0]
    _, _, *rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("|")]
    boards = [row for row in rows if not row[0].startswith("CM")]
    assert [name for name, *_ in boards] == [model.name for model in boot_table().models.values()]
    tests = "".join(path.read_text() for path in ROOT.glob("tests/image/*.py"))
    named = {machine for _, _, started, _ in rows for machine in re.findall("`(raspi[0-9a-z]+)`", started)}
    assert set(re.findall("raspi[0-9][0-9a-z]*", tests)) == named


def test_the_configurations_that_are_shown_are_valid_and_the_first_is_that_of_a_box_as_it_comes(tmp_path):
    shown = [text for page in DOCS for kind, text in FENCE.findall(read(page)) if kind == "yaml"]
    assert len(shown) >= 3
    for text in shown:
        (tmp_path / "c.yaml").write_text(text)
        given = load_config([tmp_path / "c.yaml"])._replace(origins={})
        assert (given == load_config([])) == (text in read("docs/configuration.md"))


def test_each_file_and_each_key_of_the_configuration_is_explained():
    files = re.findall(r"^\| `(\S+\.yaml)` \|", read("docs/configuration.md"), flags=re.MULTILINE)
    assert files == [str(path).replace("/home", "~") for path in possible_paths({"HOME": "/home"})]
    shown = re.findall(r"^\| `[a-z.]+` \|.*", read("docs/configuration.md"), flags=re.MULTILINE)
    assert shown == key_rows(), "`make tables` writes them"


FIGURES = json.loads(read("tests/bench/results/figures.json"))
NODES = {row["way"]: row["nodes"] for row in FIGURES["engine"] if row["position"] == "empty 3x3"}
PRESSES = zip(FIGURES["press"]["accepted"], FIGURES["press"]["parked"], strict=True)
MARKS = FIGURES["bus"]["marks"]
STATED = [
    ("README.md", f"in `~/{state_directory(None, {}).relative_to(Path.home())}`"),
    ("README.md", f"Row by row: {', '.join(WORDS[item.name].lower() for item in PAGES[Page.MAIN])}."),
    ("README.md", f"**Levels:** {', '.join(LEVEL_NAMES)}."),
    ("docs/engine.md", f"takes {NODES['engine']} positions, against {NODES['textbook alpha-beta']:,} by"),
    ("docs/engine.md", f"and {NODES['textbook minimax']:,} by minimax."),
    ("docs/engine.md", f"expect {TARGET} points of 100, a draw counting half, and {RELIEF} more for each"),
    ("docs/engine.md", f"lost in a row, up to {MOST}."),
    ("docs/exhibitors.md", f"closes after {Options().menu:.0f} seconds without a press"),
    ("docs/exhibitors.md", f"{Options().visit:.0f} seconds after the last press the visit ends"),
    ("docs/exhibitors.md", f"keeps the newest {MAX_GAMES:,} games"),
    ("docs/boards.md", f"A mark costs {min(MARKS)} to {max(MARKS)} bytes"),
    ("docs/boards.md", f"about {median(ms for ms, parked in PRESSES if parked):.0f} ms after the contact"),
]


@pytest.mark.parametrize(("page", "words"), STATED)
def test_what_the_pages_state_is_what_the_program_does(page, words):
    assert words in " ".join(read(page).split())


def test_the_pythons_that_are_named_are_those_that_run_the_tests():
    run = re.findall(r"python=(3\.\d+)", read("tests/debian/run.sh"))
    for project in ("pyproject.toml", "engine/pyproject.toml"):
        assert re.findall(r"Python :: (3\.\d+)", read(project)) == run


def frames(path):
    """Return the pixels of a picture, or of each frame of a film with the milliseconds it is shown."""
    if path.suffix == ".svg":
        return path.read_text()
    with Image.open(path) as image:
        return [
            (frame.size, frame.convert("RGB").tobytes(), frame.info.get("duration"))
            for frame in ImageSequence.Iterator(image)
        ]


def test_the_notebooks_pictures_stand_beside_what_draws_them():
    rows = re.findall(
        r"^\| `(.*)` \| !\[.*\]\(\.\./tests/pictures/(.*)\.svg\) \|$", read("docs/library.md"), re.MULTILINE
    )
    assert {name: cell for cell, name in rows} == NOTEBOOK


def test_the_pictures_are_what_the_box_draws_today(tmp_path):
    """After an intended change run `make pictures`; look at them, and at `git diff --stat`."""
    main(tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {path.name for path in PICTURES.iterdir()}
    changed = [name for name in names if frames(tmp_path / name) != frames(PICTURES / name)]
    assert not changed, "run `make pictures`"
